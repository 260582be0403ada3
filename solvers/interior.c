/* A primal-dual interior-point method on the cones. With De Saxcé's shift s the problem is a convex
 * one, of which the shift follows the answer:
 *
 *   y ∈ L,  z ∈ L,  y∘z = 0,   y = P r',   z = P^-1 (W' r' + q' + s n),   P = diag(mu', 1, 1)
 *
 * L is Lorentz' cone of the components that carry a reaction, ∘ Jordan's product. An iteration is
 * Mehrotra's predictor and corrector with the scaling of Nesterov and Todd: with V the point of
 * that, F = V^-2 and F y = z,
 *
 *   (W' + P F P) dr = P (V^-1 ξ - r_d),   r_d = P^-1 (W' r' + q' + s n) - z,   dz = V^-1 ξ - F dy,
 *
 * ξ = -λ (predictor), or λ \ (σ m e - λ∘λ - (V^-1 dy)∘(V dz)) with what the predictor foretells,
 * λ = V z = V^-1 y. One factor an iteration (kit/shifted_solve.h), on the velocities of the bodies,
 * and some tens of iterations whatever the rank of W: the way for structures of blocks, where
 * points of a face share a load in many ways, and sweeps and active sets wander among them. Of
 * those it takes the one in the middle. */
#include <delassus/solver.h>

#include "base/memory.h"
#include "base/small.h"
#include "solvers/kit/first_order.h"
#include "solvers/kit/shifted_solve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double way;
} InteriorOptions;

static const DlsOption options[] = {
    DLS_REAL_OPTION(InteriorOptions, way, 0.99, 0.1, 0.99999,
                    "share of the way to the boundary of the cones that a step goes at most"),
};

/* The scaling of one contact by its unit point w: V^2 = beta^2 (2 w w^T - J). */
typedef struct {
  double w[3], beta;
} Scaling;

typedef struct {
  DlsFirstOrder base;
  InteriorOptions options;
  DlsShifted *factor;
  double *r, *u, *y, *z, *dr, *dy, *dz, *b, *left,
      *x;              /* [contacts][block] each; y and z in their cones */
  double *D, *inverse; /* [contacts][block][block] */
  Scaling *scaling;    /* [contacts] */
  long factors;
  int short_steps; /* one after the other */
  double gap;      /* mean y·z */
} Interior;

static void release(void *self) {
  Interior *s = self;
  dls_shifted_destroy(&s->factor);
  free(s->D);
  free(s->scaling);
}

/* Components of contact i in its cone: the normal alone where there is no friction. */
static int cone_size(const Interior *s, int i) {
  return s->base.scaled->plain[i] > 0 ? s->base.scaled->block : 1;
}

/* P of the normal. */
static double normal_weight(const Interior *s, int i) {
  const double mu = s->base.scaled->plain[i];
  return mu > 0 ? mu : 1;
}

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Interior *s = self;
  DlsScaled *scaled = s->base.scaled;
  const size_t squares = scaled->n * (size_t)scaled->block;
  for (int i = 0; i < scaled->contacts; i++) {
    const DlsRelation *relation = dls_problem_relation(problem, i);
    if (relation->cone == DLS_CONE_SIGNORINI && scaled->block == scaled->dim) scaled->plain[i] = 0;
    DLS_CHECK(scaled->plain[i] >= 0, DLS_ERR_UNSUPPORTED,
              "interior: contact %d is neither Coulomb's with a circle nor Signorini's; use auto",
              i);
  }
  s->base.check_every = 1;
  DLS_TRY(dls_shifted_create(scaled, DLS_SHIFTED_AUTO, &s->factor));
  DLS_NEW(s->D, 2 * squares);
  s->inverse = s->D + squares;
  DLS_NEW(s->scaling, scaled->contacts);
  double **arrays[] = {&s->r, &s->u, &s->y, &s->z, &s->dr, &s->dy, &s->dz, &s->b, &s->left, &s->x};
  for (int k = 0; k < DLS_COUNT(arrays); k++) *arrays[k] = dls_first_order_array(&s->base);
  return DLS_OK;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Interior *s = self;
  const DlsScaled *scaled = s->base.scaled;
  double size = 0;
  (void)problem;
  for (size_t e = 0; e < scaled->n; e++) size = fmax(size, fabs(scaled->q[e]));
  memset(s->y, 0, scaled->n * sizeof *s->y);
  memset(s->z, 0, scaled->n * sizeof *s->z);
  for (size_t e = 0; e < scaled->n; e += (size_t)scaled->block) s->y[e] = s->z[e] = size;
  dls_scaled_take(scaled, s->base.r_hat, s->r);
  s->base.r = s->r;
  s->factors = 0;
  s->short_steps = 0;
  s->base.exhausted = false;
  return DLS_OK;
}

/* y_0^2 - |y_1|^2 without cancellation; round-off leaves none at the boundary. */
static double determinant(int d, const double *y) {
  const double tail = d == 1 ? 0 : dls_small_norm(d - 1, y + 1);
  return fmax(y[0] - tail, DBL_EPSILON * y[0]) * (y[0] + tail);
}

/* The scaling of a contact, F = V^-2 and V^2 in its components. */
static void scale_contact(int d, const double *y, const double *z, Scaling *out) {
  const double det_y = determinant(d, y), det_z = determinant(d, z);
  double product = 0;
  for (int k = 0; k < d; k++) product += y[k] / sqrt(det_y) * (z[k] / sqrt(det_z));
  const double gamma = sqrt(0.5 * (1 + product));
  for (int k = 0; k < d; k++)
    out->w[k] = 0.5 / gamma * (y[k] / sqrt(det_y) + (k == 0 ? 1 : -1) * z[k] / sqrt(det_z));
  out->beta = sqrt(sqrt(det_y / det_z));
}

/* out = V x (power 1), V^-1 x (-1) or F x = V^-2 x (-2). */
static void apply_scaling(int d, const Scaling *scaling, int power, const double *x, double *out) {
  double w[3];
  for (int k = 0; k < d; k++) w[k] = power > 0 || k == 0 ? scaling->w[k] : -scaling->w[k];
  const double along = dls_small_dot(d, w, x);
  if (power == -2) {
    const double size = 1 / (scaling->beta * scaling->beta);
    for (int k = 0; k < d; k++) out[k] = size * (2 * w[k] * along - (k == 0 ? x[k] : -x[k]));
    return;
  }
  /* [[w_0, w_1^T], [w_1, I + w_1 w_1^T / (1 + w_0)]] */
  const double size = power > 0 ? scaling->beta : 1 / scaling->beta;
  const double share = x[0] + (along - w[0] * x[0]) / (1 + w[0]);
  out[0] = size * along;
  for (int k = 1; k < d; k++) out[k] = size * (x[k] + w[k] * share);
}

/* D = P F P and its inverse P^-1 V^2 P^-1. Components that carry no reaction are held. */
static void write_blocks(Interior *s) {
  const int block = s->base.scaled->block;
  const double stiff = 1e12;
  for (int i = 0; i < s->base.scaled->contacts; i++) {
    const int d = cone_size(s, i);
    const double P = normal_weight(s, i), *w = s->scaling[i].w;
    const double beta2 = s->scaling[i].beta * s->scaling[i].beta;
    double *D = s->D + i * block * block, *inverse = s->inverse + i * block * block;
    for (int a = 0; a < block; a++)
      for (int b = 0; b < block; b++) {
        const double P2 = (a ? 1 : P) * (b ? 1 : P);
        const double J = a != b ? 0 : a == 0 ? 1 : -1, ww = a < d && b < d ? 2 * w[a] * w[b] : 0;
        const bool carried = a < d && b < d, mixed = (a == 0) != (b == 0);
        D[a * block + b] = carried ? P2 * (mixed ? -ww : ww - J) / beta2 : (a == b) * stiff;
        inverse[a * block + b] = carried ? beta2 * (ww - J) / P2 : (a == b) / stiff;
      }
  }
}

/* The largest t <= 1 for which x + t dx stays in its cone. */
static double room(int d, const double *x, const double *dx) {
  if (d == 1) return dx[0] < 0 ? fmin(1, -x[0] / dx[0]) : 1;
  /* det(x + t dx) = a t^2 + 2 b t + c >= 0, and the first component > 0 */
  const double a = dx[0] * dx[0] - dls_small_dot(d - 1, dx + 1, dx + 1);
  const double b = x[0] * dx[0] - dls_small_dot(d - 1, x + 1, dx + 1), c = determinant(d, x);
  double t = dx[0] < 0 ? fmin(1, -x[0] / dx[0]) : 1;
  const double root2 = b * b - a * c;
  if (root2 < 0 || (a >= 0 && b >= 0)) return t;
  const double root = sqrt(root2), q = b < 0 ? -b + root : -b - root;
  /* the roots are q / a and c / q */
  const double first = q != 0 ? c / q : INFINITY, second = a != 0 ? q / a : INFINITY;
  if (first > 0) t = fmin(t, first);
  if (second > 0) t = fmin(t, second);
  return t;
}

static double largest_step(const Interior *s) {
  const int block = s->base.scaled->block;
  double t = 1;
  for (int i = 0; i < s->base.scaled->contacts; i++) {
    const int d = cone_size(s, i);
    t = fmin(t, room(d, s->y + i * block, s->dy + i * block));
    t = fmin(t, room(d, s->z + i * block, s->dz + i * block));
  }
  return t;
}

static double mean_gap(const Interior *s, double t) {
  const int block = s->base.scaled->block;
  double sum = 0;
  for (int i = 0; i < s->base.scaled->contacts; i++)
    for (int k = 0, d = cone_size(s, i); k < d; k++) {
      const int e = i * block + k;
      sum += (s->y[e] + t * s->dy[e]) * (s->z[e] + t * s->dz[e]);
    }
  return sum / s->base.scaled->contacts;
}

/* V^-1 ξ of contact i with a target for y∘z, after the predictor. */
static void correct(const Interior *s, int i, double target, double *out) {
  const int at = i * s->base.scaled->block, d = cone_size(s, i);
  const Scaling *scaling = &s->scaling[i];
  double lambda[3], a[3], b[3], R[3], xi[3] = {0};
  apply_scaling(d, scaling, 1, s->z + at, lambda);
  apply_scaling(d, scaling, -1, s->dy + at, a);
  apply_scaling(d, scaling, 1, s->dz + at, b);
  R[0] = target - dls_small_dot(d, lambda, lambda) - dls_small_dot(d, a, b);
  for (int k = 1; k < d; k++) R[k] = -2 * lambda[0] * lambda[k] - (a[0] * b[k] + b[0] * a[k]);
  xi[0] = (lambda[0] * R[0] - dls_small_dot(d - 1, lambda + 1, R + 1)) / determinant(d, lambda);
  for (int k = 1; k < d; k++) xi[k] = (R[k] - xi[0] * lambda[k]) / lambda[0];
  apply_scaling(d, scaling, -1, xi, out);
}

/* dr of b, refined while that makes what is left of the equations smaller; dz receives W' dr. */
static DlsStatus solve_refined(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block, most = 8;
  double before = INFINITY;
  memset(s->dr, 0, scaled->n * sizeof *s->dr);
  memcpy(s->left, s->b, scaled->n * sizeof *s->left);
  for (int turn = 0; turn < most; turn++) {
    DLS_TRY(dls_shifted_solve(s->factor, s->left, s->x));
    for (size_t e = 0; e < scaled->n; e++) s->dr[e] += s->x[e];
    dls_scaled_multiply(scaled, s->dr, s->dz);
    double size = 0;
    for (int i = 0; i < scaled->contacts; i++)
      for (int a = 0; a < block; a++) {
        const int e = i * block + a;
        s->left[e] = s->b[e] - s->dz[e] -
                     dls_small_dot(block, s->D + (i * block + a) * block, s->dr + i * block);
        size += s->left[e] * s->left[e];
      }
    if (!(size < 0.25 * before)) break;
    before = size;
  }
  return DLS_OK;
}

/* dr, dy and dz; `target` < 0: the predictor. s->u holds W' r + q' + s n. */
static DlsStatus find_direction(Interior *s, double target) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  double *xi = s->base.u; /* V^-1 ξ: free between measures */
  for (int i = 0; i < scaled->contacts; i++) {
    const int at = i * block, d = cone_size(s, i);
    for (int k = 0; k < d; k++) xi[at + k] = -s->z[at + k];
    if (target >= 0) correct(s, i, target, xi + at);
    for (int k = 0; k < block; k++) {
      const double P = k == 0 ? normal_weight(s, i) : 1;
      s->b[at + k] = k < d ? P * (xi[at + k] + s->z[at + k]) - s->u[at + k] : 0;
    }
  }
  DLS_TRY(solve_refined(s));
  for (int i = 0; i < scaled->contacts; i++) {
    const int at = i * block, d = cone_size(s, i);
    for (int k = 0; k < d; k++) s->dy[at + k] = (k ? 1 : normal_weight(s, i)) * s->dr[at + k];
    /* Not V^-1 ξ - F dy: what round-off leaves is to be of y∘z, where it is mended. */
    for (int k = 0; k < d; k++)
      s->dz[at + k] = (s->dz[at + k] + s->u[at + k]) / (k ? 1 : normal_weight(s, i)) - s->z[at + k];
  }
  return DLS_OK;
}

/* r of y, and u = W' r + q' + s n. */
static void evaluate(Interior *s) {
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block;
  for (int i = 0; i < scaled->contacts; i++)
    for (int k = 0, d = cone_size(s, i); k < block; k++) {
      const int e = i * block + k;
      s->r[e] = k >= d ? 0 : k ? s->y[e] : s->y[e] / normal_weight(s, i);
    }
  dls_scaled_velocity(scaled, s->r, s->u);
  for (int i = 0; i < scaled->contacts; i++)
    if (cone_size(s, i) > 1)
      s->u[i * block] += scaled->theta[i] * dls_small_norm(block - 1, s->z + i * block + 1);
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Interior *s = self;
  const DlsScaled *scaled = s->base.scaled;
  const int block = scaled->block, several = 3;
  const double tiny = 1e-3;
  (void)problem;
  (void)k;
  s->gap = mean_gap(s, 0);
  if (!(s->gap > DBL_MIN)) {
    s->base.exhausted = true;
    return DLS_OK;
  }
  evaluate(s);
  for (int i = 0; i < scaled->contacts; i++)
    scale_contact(cone_size(s, i), s->y + i * block, s->z + i * block, &s->scaling[i]);
  write_blocks(s);
  s->factors++;
  const DlsStatus status = dls_shifted_factor_blocks(s->factor, s->D, s->inverse);
  s->base.exhausted = status == DLS_ERR_NUMERIC; /* as far as round-off lets it go */
  if (s->base.exhausted) return DLS_OK;
  DLS_TRY(status);
  DLS_TRY(find_direction(s, -1));
  const double ahead = largest_step(s), left = mean_gap(s, ahead) / s->gap;
  DLS_TRY(find_direction(s, fmax(0, left * left * left) * s->gap));
  const double t = s->options.way * largest_step(s);
  s->short_steps = t < tiny ? s->short_steps + 1 : 0;
  s->base.exhausted = s->short_steps >= several;
  for (size_t e = 0; e < scaled->n; e++) {
    s->y[e] += t * s->dy[e];
    s->z[e] += t * s->dz[e];
  }
  evaluate(s);
  return DLS_OK;
}

static void describe(const void *self, DlsReport *report) {
  const Interior *s = self;
  report->work.factorisations = s->factors;
  snprintf(report->note, sizeof report->note, "factor of %s, %ld factors, gap %.1e",
           dls_shifted_name(s->factor), s->factors, s->gap);
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  static const DlsFirstOrderMethod method = {
      .name = "interior",
      .bytes = sizeof(Interior),
      .options_at = offsetof(Interior, options),
      .option_bytes = sizeof(InteriorOptions),
      .scaled = true,
      .laws = DLS_LAWS_WITH_CONE,
      .arrays = 10,
      .prepare = prepare,
      .begin = begin,
      .iterate = iterate,
      .describe = describe,
      .release = release,
  };
  return dls_first_order_create(&method, problem, chosen, out);
}

const DlsSolver dls_solver_interior = {
    DLS_SOLVER_HEAD,
    .name = "interior",
    .summary = "interior points of the cones, a factor of the bodies an iteration",
    .description =
        "Primal-dual interior points of Lorentz' cones with predictor, corrector and the scaling "
        "of Nesterov and Todd; De Saxcé's shift follows. Some tens of factors, whatever the rank "
        "of W: for blocks with many points on a face, to high accuracy. Takes Coulomb's law with a "
        "circle, and Signorini's.",
    .references = "Acary, Armand, Nguyen and Shpakovych 2023; Vandenberghe 2010; Mehrotra 1992",
    .options = options,
    .noptions = DLS_COUNT(options),
    .option_bytes = sizeof(InteriorOptions),
    .create = create,
    .solve = dls_first_order_solve,
    .destroy = dls_first_order_destroy,
};
