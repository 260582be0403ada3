/* The one-contact problem of friction by groups that share the normal (ROLLING: tangents, rolling,
 * torsion; COULOMB with dilatancy), as a product of discs instead of a cone (Alart, Curnier 1991):
 *
 *   F_N = min(y_N, v_N),      F_g = y_g - P_s(y_g - û_g),   P_s on the disc of radius s = mu_g y_N
 *   v_N = û_N - associated Σ mu_g |û_g|, which is û_N without dilatancy
 *
 * The problem is positively homogeneous, and each group may be measured in units of its own:
 * r_g = α_g y_g turns mu_g into mu_g α_N / α_g. So D has a unit diagonal, by groups, and v_N(q) =
 * -1.
 * Nothing cancels between the groups: each impulse and velocity has its own digits, also where
 * compliances set normal and tangents many decades apart, or û_g is far larger than û_N. First
 * Newton's method with full steps, from the guess, then from a push that slips nowhere; where it
 * fails, bisection on the push. */
#include "problem/local/local_impl.h"

#include "base/small.h"
#include "problem/cone_impl.h"
#include "problem/natural_map.h"

/* û = D y + q, v_N(q) < 0. */
typedef struct {
  int dim, block, count;
  DlsRelation relation; /* in these units; of the cone of all groups */
  DlsConeGroup group[3];
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
} Discs;

/* Row i of a group that slips, F = y - s x / |x| with x = y - û of length `length`. */
static void slip_row(const Discs *p, const DlsConeGroup *g, int i, const double *x, double length,
                     double s, double *row) {
  const int n = p->block;
  const double along = x[i - g->first] / length;
  for (int j = 0; j < n; j++) {
    double turn = 0; /* of x / |x| along y_j, times |x| */
    for (int l = 0; l < g->size; l++) {
      const double move = (j == g->first + l) - p->D[(g->first + l) * n + j];
      turn += ((i == g->first + l) - along * x[l] / length) * move;
    }
    row[j] = (i == j) - s / length * turn;
    if (s > 0) row[j] -= along * g->mu * ((j == 0) - p->D[j]);
  }
}

/* associated Σ mu_g |û_g|. */
static double dilation(const Discs *p, const double *u) {
  return dls_cone_dilation(&p->relation, p->dim, p->block, u, NULL);
}

/* F at y and its derivative J, that of v_N by û_N alone; returns the worst error of a group in its
 * own measure: û by the sizes that make it where it is zero, y_g by its disc where it slips. */
static double product_form(const Discs *p, const double *y, double *F, double *J) {
  const int n = p->block;
  double made[DLS_MAX_BLOCK];
  for (int i = 0; i < n; i++) {
    F[i] = p->q[i];
    made[i] = fabs(p->q[i]) + 1e-300;
    for (int j = 0; j < n; j++) {
      F[i] += p->D[i * n + j] * y[j];
      made[i] += fabs(p->D[i * n + j] * y[j]);
    }
  }
  memcpy(J, p->D, (size_t)(n * n) * sizeof *J);
  const double dilates = dilation(p, F);
  F[0] -= dilates;
  made[0] += dilates;
  const double push = y[0] - F[0]; /* y_N where v_N = 0 */
  double worst = push > 0 ? fabs(F[0]) / made[0] : INFINITY;
  if (!(push > 0)) {
    F[0] = y[0];
    for (int j = 0; j < n; j++) J[j] = j == 0;
  }
  for (int k = 0; k < p->count; k++) {
    const DlsConeGroup *g = &p->group[k];
    double x[2] = {0};
    for (int l = 0; l < g->size; l++) x[l] = y[g->first + l] - F[g->first + l];
    const double s = g->mu * fmax(push, 0), length = dls_small_norm(g->size, x);
    for (int i = g->first; i < g->first + g->size; i++) {
      if (length > s) {
        F[i] = y[i] - s * (x[i - g->first] / length);
        slip_row(p, g, i, x, length, s, J + i * n);
      }
      worst = fmax(worst, F[i] == 0 ? 0 : fabs(F[i]) / (length > s ? s : made[i]));
    }
  }
  return worst;
}

/* Where a contact dilates û_N turns with the direction of û_g, and the discs lead to and fro where
 * |û_g| is small. The natural map y - P_K(y - û - Γ(û) n) has no such kink: its value and
 * derivative are those of the step instead, F and J. */
static void natural_form(const Discs *p, const double *y, double *F, double *J) {
  const int n = p->block;
  double u[DLS_MAX_BLOCK] = {0}, x[DLS_MAX_BLOCK], P[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double gradient[DLS_MAX_BLOCK], move[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  dls_small_affine(n, p->D, y, p->q, u);
  dls_natural_unit_point(&p->relation, p->dim, n, u, y, x, gradient);
  dls_natural_rest(&p->relation, p->dim, n, y, x, F);
  dls_cone_project_derivative(&p->relation, p->dim, n, x, P);
  for (int j = 0; j < n; j++) { /* of x along y_j */
    for (int i = 0; i < n; i++) move[i * n + j] = (i == j) - p->D[i * n + j];
    for (int i = 1; i < n; i++) move[j] -= gradient[i] * p->D[i * n + j];
  }
  dls_small_multiply(n, P, move, J);
  for (int i = 0; i < n * n; i++) J[i] = (i % (n + 1) == 0) - J[i];
}

/* Rows of one size: a pivot is then small only where J is singular. */
static void even_rows(int n, double *J, double *F) {
  for (int i = 0; i < n; i++) {
    double largest = 0;
    for (int j = 0; j < n; j++) largest = fmax(largest, fabs(J[i * n + j]));
    if (!(largest > 0)) continue;
    for (int j = 0; j < n; j++) J[i * n + j] /= largest;
    F[i] /= largest;
  }
}

/* Newton's method with full steps from y; the worst error of a group, y the best that was seen. */
static double leap(const Discs *p, double *y) {
  enum { ITERATIONS = 30 };
  const double solved = 4e-16;
  const int n = p->block;
  double F[DLS_MAX_BLOCK], J[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double at[DLS_MAX_BLOCK], best = INFINITY;
  memcpy(at, y, (size_t)n * sizeof *at);
  for (int iteration = 0, since = 0; iteration < ITERATIONS && since < 8; iteration++, since++) {
    const double error = product_form(p, at, F, J);
    if (error < best) {
      if (error < 0.5 * best) since = 0;
      best = error;
      memcpy(y, at, (size_t)n * sizeof *y);
      if (best <= solved) break;
    } else if (best < 1e-13) {
      break; /* round-off */
    }
    if (p->relation.associated > 0) natural_form(p, at, F, J);
    even_rows(n, J, F);
    if (!dls_small_solve(n, J, F)) break;
    for (int k = 0; k < n; k++) at[k] -= F[k];
    for (int g = 0; g < p->count; g++)
      for (int k = 0; k < p->group[g].size && p->group[g].mu == 0; k++)
        at[p->group[g].first + k] = 0;
    if (!dls_small_finite(n, at)) break;
  }
  return best;
}

/* The group alone on its disc of radius s, where û_g = A y_g + c: y_g = -(A + λ)^-1 c, λ = 0 inside
 * and else where |y_g| = s, which falls with λ. */
static void solve_disc(const Discs *p, const DlsConeGroup *g, double s, double *y) {
  const int n = p->block, first = g->first;
  const double *A = p->D + first * (n + 1);
  double c[2] = {0}, low = 0, high = 0;
  for (int k = 0; k < g->size; k++) {
    c[k] = dls_small_dot(n, p->D + (first + k) * n, y) + p->q[first + k];
    for (int l = 0; l < g->size; l++) c[k] -= A[k * n + l] * y[first + l];
  }
  if (g->size == 1) {
    y[first] = fmax(-s, fmin(s, -c[0] / A[0]));
    return;
  }
  const double enough = dls_small_norm(2, c) / s;
  for (int bisection = 0; bisection < 60; bisection++) {
    const double shift = 0.5 * (low + high), a = A[0] + shift, d = A[n + 1] + shift;
    const double det = a * d - A[1] * A[n];
    y[first] = -(d * c[0] - A[1] * c[1]) / det;
    y[first + 1] = -(a * c[1] - A[n] * c[0]) / det;
    const double size = dls_small_norm(2, y + first);
    if (bisection == 0 && size <= s) return; /* it sticks */
    if (bisection == 0)
      high = enough;
    else if (size > s)
      low = shift;
    else
      high = shift;
  }
  const double size = dls_small_norm(2, y + first);
  for (int k = 0; k < 2 && size > s; k++) y[first + k] *= s / size;
}

/* Every group from `from` along -û(at) with step rho, back onto its disc. */
static void project_step(const Discs *p, double rho, const double *from, const double *at,
                         double *out) {
  const int n = p->block;
  for (int k = 0; k < p->count; k++) {
    const DlsConeGroup *g = &p->group[k];
    for (int i = g->first; i < g->first + g->size; i++)
      out[i] = from[i] - rho * (dls_small_dot(n, p->D + i * n, at) + p->q[i]);
    const double size = dls_small_norm(g->size, out + g->first), s = g->mu * from[0];
    for (int i = g->first; i < g->first + g->size && size > s; i++) out[i] *= s / size;
  }
}

/* v_N for a given push y_N, with every group on its disc: one after the other until they stand;
 * where D is too far from symmetric for that, by extragradient steps, which converge for any
 * definite D. */
static double opening(const Discs *p, double *y) {
  enum { SWEEPS = 60, STEPS = 300 };
  const int n = p->block;
  double moved = INFINITY;
  for (int sweep = 0; sweep < SWEEPS && moved > 1e-15; sweep++) {
    double before[DLS_MAX_BLOCK];
    memcpy(before, y, sizeof before);
    moved = 0;
    for (int g = 0; g < p->count; g++) {
      const DlsConeGroup *group = &p->group[g];
      if (group->mu == 0) continue;
      solve_disc(p, group, group->mu * y[0], y);
      for (int i = group->first; i < group->first + group->size; i++)
        moved = fmax(moved, fabs(y[i] - before[i]) / (group->mu * y[0]));
    }
  }
  const double rho = 0.9 / dls_small_norm(n * n, p->D);
  for (int step = 0; step < STEPS && moved > 1e-6; step++) {
    double middle[DLS_MAX_BLOCK];
    middle[0] = y[0];
    project_step(p, rho, y, y, middle);
    project_step(p, rho, y, middle, y);
  }
  double u[DLS_MAX_BLOCK] = {0};
  dls_small_affine(n, p->D, y, p->q, u);
  return u[0] - dilation(p, u);
}

/* For a given push the groups have one answer, that follows the push, and v_N(push) goes from
 * v_N(q) < 0 to infinity, D being definite: at q = 0 the power y·Dy = y_N (û_N - Σ mu_g |û_g|) is
 * positive, and v_N is no less than what stands in brackets. Bisection on the push, until Newton's
 * method takes over. */
static double search(const Discs *p, double enough, double *y) {
  const int n = p->block;
  double low = 0, high = 1 / p->D[0], best = INFINITY, at[DLS_MAX_BLOCK] = {0};
  bool bracketed = false;
  for (int step = 0; step < 400 && best > enough; step++) {
    const double push = !bracketed ? high : low > 0 ? sqrt(low) * sqrt(high) : 1e-3 * high;
    if (!(push < 1e280) || !(push > 1e-280) || push == low || (bracketed && push == high)) break;
    at[0] = push;
    const bool opens = opening(p, at) > 0;
    if (opens)
      high = push;
    else
      low = push;
    if (!bracketed && !opens) high *= 1e3;
    bracketed = bracketed || opens;
    double trial[DLS_MAX_BLOCK];
    memcpy(trial, at, sizeof trial);
    const double error = leap(p, trial);
    if (!(error < best)) continue;
    best = error;
    memcpy(y, trial, (size_t)n * sizeof *y);
  }
  return best;
}

/* Units by group: unit diagonal blocks in the mean, and closing speed -v_N(q) = 1. False when that
 * cannot be. */
static bool scale(const DlsRelation *relation, int dim, int block, const double *D, const double *q,
                  double closing, Discs *p, double *unit) {
  *p = (Discs){.dim = dim, .block = block, .relation = *relation};
  p->count = dls_cone_groups(relation, dim, block, p->group);
  if (!(D[0] > 0)) return false;
  unit[0] = 1 / sqrt(D[0]);
  for (int g = 0; g < p->count; g++) {
    DlsConeGroup *group = &p->group[g];
    double trace = 0;
    for (int k = 0; k < group->size; k++) trace += D[(group->first + k) * (block + 1)];
    if (!(trace > 0)) return false;
    for (int k = 0; k < group->size; k++) unit[group->first + k] = sqrt(group->size / trace);
    group->mu *= unit[0] / unit[group->first];
  }
  static const int which[3] = {DLS_MU_1, DLS_MU_ROLL, DLS_MU_TORSION};
  for (int g = 0; g < p->count; g++) p->relation.mu[which[g]] = p->group[g].mu;
  p->relation.mu[DLS_MU_2] = p->relation.mu[DLS_MU_1];
  for (int i = 0; i < block; i++) {
    p->q[i] = unit[i] * q[i] / (unit[0] * closing);
    for (int j = 0; j < block; j++) p->D[i * block + j] = unit[i] * D[i * block + j] * unit[j];
  }
  return dls_small_finite(block, p->q) && dls_small_finite(block * block, p->D);
}

DlsLocalOutcome dls_local_discs(const DlsRelation *relation, int dim, int block, const double *D,
                                const double *q, double *r) {
  const double enough = 1e-12, accepted = 1e-9;
  Discs p;
  double unit[DLS_MAX_BLOCK] = {0}, y[DLS_MAX_BLOCK] = {0}, other[DLS_MAX_BLOCK] = {0};
  double error = INFINITY;
  const double closing = dls_cone_dilation(relation, dim, block, q, NULL) - q[0];
  if (closing <= 0) {
    memset(r, 0, (size_t)block * sizeof *r);
    return DLS_LOCAL_OPEN;
  }
  if (!scale(relation, dim, block, D, q, closing, &p, unit)) {
    memset(r, 0, (size_t)block * sizeof *r);
    return DLS_LOCAL_NONE;
  }
  for (int k = 0; k < block; k++) y[k] = r[k] / (unit[k] * unit[0] * closing);
  if (y[0] > 0) error = leap(&p, y);
  for (int way = 0; way < 2 && !(error <= enough); way++) {
    other[0] = 1 / p.D[0]; /* the push that the closing speed alone needs */
    const double other_error = way == 0 ? leap(&p, other) : search(&p, enough, other);
    if (other_error < error) memcpy(y, other, sizeof y);
    error = fmin(error, other_error);
  }
  bool sticks = true;
  for (int g = 0; g < p.count; g++)
    sticks = sticks && dls_small_norm(p.group[g].size, y + p.group[g].first) <
                           p.group[g].mu * y[0] * (1 - 1e-12);
  for (int k = 0; k < block; k++) r[k] = unit[k] * unit[0] * closing * y[k];
  if (!(error <= accepted)) return DLS_LOCAL_NONE;
  return sticks ? DLS_LOCAL_STICK : DLS_LOCAL_SLIP;
}
