/* The equations of an iteration of `interior`:
 *
 *   (W' + P F P) dr = b = P (V^-1 ξ - r_d),   r_d = P^-1 (W' r + q' + s n) - z
 *   dz = V^-1 ξ - F dy
 *
 * As the answer comes near, F is between 1e-16 and 1e16: what carries is held, what is open is
 * free. The factor is of W' + P (F + floor) P, by which (F + floor)^-1, large as it may be, leaves
 * digits to what is not held; what the floor takes away is given back by generalised conjugate
 * residuals (Eisenstat, Elman, Schultz 1983), which go on where refinement would not converge. What
 * is left is measured as it enters y∘z, by V P^-1. */
#include "solvers/interior_impl.h"

#include "base/small.h"

#include <math.h>

/* D = P F P and (P (F + floor) P)^-1. Components that carry no reaction are held. */
static void write_blocks(Interior *s) {
  const int block = s->base.scaled->block;
  const double stiff = 1e12;
  for (int i = 0; i < s->base.scaled->contacts; i++) {
    const int d = interior_cone_size(s, i);
    double F[3][3], inverse[3][3];
    dls_cone_scaling_write(d, &s->scaling[i], s->floor, F, inverse);
    for (int a = 0; a < block; a++)
      for (int b = 0; b < block; b++) {
        const int e = (i * block + a) * block + b;
        const double P2 = interior_weight(s, i, a) * interior_weight(s, i, b);
        const bool carried = a < d && b < d;
        s->D[e] = carried ? P2 * F[a][b] : (a == b) * stiff;
        s->inverse[e] = carried ? inverse[a][b] / P2 : (a == b) / stiff;
      }
  }
}

DlsStatus interior_factor(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  for (int i = 0; i < scaled->contacts; i++)
    dls_cone_scaling_find(interior_cone_size(s, i), s->y + i * block, s->z + i * block,
                          &s->scaling[i]);
  write_blocks(s);
  s->factors++;
  return dls_shifted_factor_blocks(s->factor, s->D, s->inverse);
}

/* V^-1 ξ of contact i with a target for y∘z, after the predictor. */
static void correct(const Interior *s, int i, double target, double *out) {
  const int at = i * s->base.scaled->block, d = interior_cone_size(s, i);
  const DlsConeScaling *scaling = &s->scaling[i];
  double lambda[3], a[3], b[3], R[3], xi[3];
  dls_cone_scaling_apply(d, scaling, 1, s->z + at, lambda);
  dls_cone_scaling_apply(d, scaling, -1, s->dy + at, a);
  dls_cone_scaling_apply(d, scaling, 1, s->dz + at, b);
  R[0] = target - dls_small_dot(d, lambda, lambda) - dls_small_dot(d, a, b);
  for (int k = 1; k < d; k++) R[k] = -2 * lambda[0] * lambda[k] - (a[0] * b[k] + b[0] * a[k]);
  dls_cone_scaling_divide(d, lambda, R, xi);
  dls_cone_scaling_apply(d, scaling, -1, xi, out);
}

/* left -= W' x + D x. */
static void subtract_image(Interior *s, const double *x, double *left) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  dls_scaled_multiply(scaled, x, s->dz);
  for (int i = 0; i < scaled->contacts; i++)
    for (int a = 0, at = i * block; a < block; a++)
      left[at + a] -= s->dz[at + a] + dls_small_dot(block, s->D + (at + a) * block, x + at);
}

/* |V P^-1 left|. */
static double seen_in_products(const Interior *s, const double *left) {
  const DlsScaled *scaled = s->base.scaled;
  double sum = 0;
  for (int i = 0; i < scaled->contacts; i++) {
    const int d = interior_cone_size(s, i);
    double own[3], seen[3];
    for (int a = 0; a < d; a++) own[a] = left[i * scaled->block + a] / interior_weight(s, i, a);
    dls_cone_scaling_apply(d, &s->scaling[i], 1, own, seen);
    sum += dls_small_dot(d, seen, seen);
  }
  return sqrt(sum);
}

/* A step p and its image q are made apart from those before: q·q_j = 0. Returns |q|². */
static double separate(Interior *s, int steps) {
  const DlsScaled *scaled = s->base.scaled;
  double *p = s->step[steps], *q = s->image[steps];
  for (int j = 0; j < steps; j++) {
    const double size2 = dls_scaled_dot(scaled, s->image[j], s->image[j]);
    const double share = size2 > 0 ? dls_scaled_dot(scaled, q, s->image[j]) / size2 : 0;
    for (size_t e = 0; e < scaled->n; e++) {
      p[e] -= share * s->step[j][e];
      q[e] -= share * s->image[j][e];
    }
  }
  return dls_scaled_dot(scaled, q, q);
}

/* The floor for the factors that follow: lower while the solves are good, higher when not. */
static void move_floor(Interior *s, bool solved, int solves) {
  const double least = 1e-16, most = 1e-10, factor = 4;
  const int few = 6;
  if (!solved)
    s->floor = fmin(most, s->floor * factor);
  else if (solves <= few)
    s->floor = fmax(least, s->floor / factor);
}

/* dr of b; dz receives W' dr. */
static DlsStatus solve_refined(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const double enough = 1e-3 * sqrt(s->gap * scaled->contacts), slow = 0.9;
  double before = INFINITY;
  bool solved = false;
  int k = 0;
  memset(s->dr, 0, scaled->n * sizeof *s->dr);
  for (; k < INTERIOR_REFINED; k++) {
    double *p = s->step[k], *q = s->image[k];
    memcpy(s->left, s->b, scaled->n * sizeof *s->left);
    subtract_image(s, s->dr, s->left);
    const double left = sqrt(dls_scaled_dot(scaled, s->left, s->left));
    solved = seen_in_products(s, s->left) <= enough;
    if (solved || !(left < slow * before)) break;
    before = left;
    DLS_TRY(dls_shifted_solve(s->factor, s->left, p));
    memset(q, 0, scaled->n * sizeof *q);
    subtract_image(s, p, q);
    for (size_t e = 0; e < scaled->n; e++) q[e] = -q[e];
    const double size2 = separate(s, k);
    if (!(size2 > 0)) break;
    const double share = dls_scaled_dot(scaled, q, s->left) / size2;
    for (size_t e = 0; e < scaled->n; e++) s->dr[e] += share * p[e];
  }
  move_floor(s, solved, k);
  dls_scaled_multiply(scaled, s->dr, s->dz);
  return DLS_OK;
}

DlsStatus interior_find_direction(Interior *s, double target) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  double *xi = s->base.u; /* V^-1 ξ: free between measures */
  for (int i = 0; i < scaled->contacts; i++) {
    const int at = i * block, d = interior_cone_size(s, i);
    for (int k = 0; k < d; k++) xi[at + k] = -s->z[at + k];
    if (target >= 0) correct(s, i, target, xi + at);
    for (int k = 0; k < block; k++)
      s->b[at + k] =
          k < d ? interior_weight(s, i, k) * (xi[at + k] + s->z[at + k]) - s->u[at + k] : 0;
  }
  DLS_TRY(solve_refined(s));
  for (int i = 0; i < scaled->contacts; i++) {
    const int at = i * block, d = interior_cone_size(s, i);
    for (int k = 0; k < d; k++) s->dy[at + k] = interior_weight(s, i, k) * s->dr[at + k];
    /* Not V^-1 ξ - F dy: what round-off leaves is to be of y∘z, where it is mended. */
    for (int k = 0; k < d; k++)
      s->dz[at + k] = (s->dz[at + k] + s->u[at + k]) / interior_weight(s, i, k) - s->z[at + k];
  }
  return DLS_OK;
}
