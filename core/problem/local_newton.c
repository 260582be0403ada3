/* The one-contact problem for any canonical cone (ROLLING above all).
 *
 * The problem is positively homogeneous, and each group of components may be measured in units of
 * its own: r_g = α_g y_g turns mu_g into mu_g α_N / α_g. So D is scaled to a unit diagonal by
 * groups, and q to norm 1. Then semismooth Newton's method on the natural map
 *
 *   Φ(y) = y - P_K(y - (û + Γ(û) n))
 *
 * from a few starts; and where it fails a method that cannot: for a given shift γ in the place of
 * Γ(û) the problem is a strongly monotone variational inequality, whose û(γ) is continuous, and
 * Γ(û(γ)) - γ changes sign on [0, Γ(q) - q_N] when q_N < 0 (at the right end r = 0 solves it), so
 * that bisection on γ converges. */
#include "problem/local_impl.h"

#include <delassus/cone.h>

#include "base/small.h"
#include "problem/cone_impl.h"

typedef struct {
  DlsRelation relation;
  int dim, block;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
  double unit[DLS_MAX_BLOCK]; /* r = unit y */
  double fixed;               /* γ; negative: the shift follows û */
} Scaled;

/* Φ(y) and, unless NULL, its derivative J. */
static double natural_map(const Scaled *s, const double *y, double *phi, double *J) {
  const int n = s->block;
  double u[DLS_MAX_BLOCK] = {0}, gradient[DLS_MAX_BLOCK] = {0}, x[DLS_MAX_BLOCK];
  double P[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  dls_small_affine(n, s->D, y, s->q, u);
  const double shift =
      s->fixed >= 0 ? s->fixed : dls_cone_shift(&s->relation, s->dim, n, u, gradient);
  for (int k = 0; k < n; k++) phi[k] = x[k] = y[k] - u[k] - (k == 0 ? shift : 0.0);
  dls_cone_project(&s->relation, s->dim, n, phi);
  for (int k = 0; k < n; k++) phi[k] = y[k] - phi[k];
  if (J) {
    /* J = I - P' (I - D - n Γ' D) */
    double B[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
    dls_cone_project_derivative(&s->relation, s->dim, n, x, P);
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) B[i * n + j] = (i == j) - s->D[i * n + j];
    for (int j = 0; j < n; j++)
      for (int k = 0; k < n; k++) B[j] -= gradient[k] * s->D[k * n + j];
    dls_small_multiply(n, P, B, J);
    for (int i = 0; i < n * n; i++) J[i] = (i % (n + 1) == 0) - J[i];
  }
  return dls_small_norm(n, phi);
}

/* Damped Newton from y; the norm of Φ that it reaches. */
static double descend(const Scaled *s, int iterations, double *y) {
  const double solved = 1e-15;
  const int n = s->block;
  double phi[DLS_MAX_BLOCK], J[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double error = natural_map(s, y, phi, J);
  for (int iteration = 0; iteration < iterations && error > solved; iteration++) {
    double step[DLS_MAX_BLOCK], trial[DLS_MAX_BLOCK], trial_phi[DLS_MAX_BLOCK];
    memcpy(step, phi, sizeof step);
    if (!dls_small_solve(n, J, step)) memcpy(step, phi, sizeof step); /* a step of projection */
    double length = 1, trial_error = INFINITY;
    for (int halving = 0; halving < 12; halving++, length *= 0.5) {
      for (int k = 0; k < n; k++) trial[k] = y[k] - length * step[k];
      trial_error = natural_map(s, trial, trial_phi, NULL);
      if (trial_error < (1 - 1e-4 * length) * error) break;
    }
    if (!(trial_error < error)) break;
    memcpy(y, trial, (size_t)n * sizeof *y);
    error = natural_map(s, y, phi, J);
  }
  return error;
}

/* Extragradient steps: slow and sure, to bring Newton's method near. They contract where rho |D| < 1. */
static void approach(const Scaled *s, int steps, double *y) {
  const int n = s->block;
  const double rho = fmin(0.5, 0.9 / dls_small_norm(n * n, s->D));
  double u[DLS_MAX_BLOCK], v[DLS_MAX_BLOCK], mid[DLS_MAX_BLOCK], next[DLS_MAX_BLOCK];
  for (int step = 0; step < steps; step++) {
    dls_small_affine(n, s->D, y, s->q, u);
    u[0] += s->fixed >= 0 ? s->fixed : dls_cone_shift(&s->relation, s->dim, n, u, NULL);
    for (int k = 0; k < n; k++) mid[k] = y[k] - rho * u[k];
    dls_cone_project(&s->relation, s->dim, n, mid);
    dls_small_affine(n, s->D, mid, s->q, v);
    v[0] += s->fixed >= 0 ? s->fixed : dls_cone_shift(&s->relation, s->dim, n, v, NULL);
    for (int k = 0; k < n; k++) next[k] = y[k] - rho * v[k];
    dls_cone_project(&s->relation, s->dim, n, next);
    memcpy(y, next, (size_t)n * sizeof *y);
  }
}

/* Newton's method, brought nearer by steps of projection whenever it stops short. */
static double solve_map(const Scaled *s, int rounds, double enough, double *y) {
  double best = INFINITY, best_y[DLS_MAX_BLOCK] = {0};
  for (int round = 0; round < rounds; round++) {
    const double error = descend(s, 40, y);
    if (error < best) {
      best = error;
      memcpy(best_y, y, sizeof best_y);
    }
    if (best <= enough) break;
    approach(s, 20 << (round < 6 ? round : 6), y);
  }
  memcpy(y, best_y, (size_t)s->block * sizeof *y);
  return best;
}

static double shift_mismatch(Scaled *s, double shift, double *y) {
  double u[DLS_MAX_BLOCK];
  s->fixed = shift;
  solve_map(s, 8, 1e-14, y);
  dls_small_affine(s->block, s->D, y, s->q, u);
  return dls_cone_shift(&s->relation, s->dim, s->block, u, NULL) - shift;
}

/* Bisection on γ until Newton's method on the whole problem takes over. */
static double solve_by_shift(Scaled *s, double enough, double *y) {
  double low = 0, best = INFINITY;
  double high = dls_cone_shift(&s->relation, s->dim, s->block, s->q, NULL) - s->q[0];
  double trial[DLS_MAX_BLOCK] = {0}, work[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < 60 && best > enough && high > low; k++) {
    const double middle = 0.5 * (low + high);
    const bool rising = shift_mismatch(s, middle, work) > 0;
    if (rising)
      low = middle;
    else
      high = middle;
    memcpy(trial, work, sizeof trial);
    s->fixed = -1;
    const double error = descend(s, 20, trial);
    if (error < best) {
      best = error;
      memcpy(y, trial, (size_t)s->block * sizeof *y);
    }
  }
  s->fixed = -1;
  return best;
}

/* Units by group: unit diagonal blocks in the mean. False when a diagonal is not positive. */
static bool scale(const DlsRelation *relation, int dim, int block, const double *D, const double *q,
                  Scaled *s) {
  DlsConeGroup groups[3];
  const int count = dls_cone_groups(relation, dim, block, groups);
  *s = (Scaled){.relation = *relation, .dim = dim, .block = block, .fixed = -1};
  if (!(D[0] > 0)) return false;
  s->unit[0] = 1 / sqrt(D[0]);
  for (int g = 0; g < count; g++) {
    double trace = 0;
    for (int k = 0; k < groups[g].size; k++) trace += D[(groups[g].first + k) * (block + 1)];
    if (!(trace > 0)) return false;
    for (int k = 0; k < groups[g].size; k++)
      s->unit[groups[g].first + k] = sqrt(groups[g].size / trace);
  }
  double *mu = s->relation.mu;
  mu[DLS_MU_1] *= s->unit[0] / s->unit[1];
  mu[DLS_MU_2] = mu[DLS_MU_1];
  if (count > 1) mu[DLS_MU_ROLL] *= s->unit[0] / s->unit[groups[1].first];
  if (count > 2) mu[DLS_MU_TORSION] *= s->unit[0] / s->unit[groups[2].first];
  for (int i = 0; i < block; i++) {
    s->q[i] = s->unit[i] * q[i];
    for (int j = 0; j < block; j++)
      s->D[i * block + j] = s->unit[i] * D[i * block + j] * s->unit[j];
  }
  return true;
}

DlsLocalOutcome dls_local_newton(const DlsRelation *relation, int dim, int block, const double *D,
                                 const double *q, double *r) {
  const double enough = 1e-13, accepted = 1e-9;
  Scaled s;
  if (q[0] >= 0) {
    memset(r, 0, (size_t)block * sizeof *r);
    return DLS_LOCAL_OPEN;
  }
  double guess[DLS_MAX_BLOCK] = {0};
  memcpy(guess, r, (size_t)block * sizeof *guess);
  memset(r, 0, (size_t)block * sizeof *r);
  if (!scale(relation, dim, block, D, q, &s)) return DLS_LOCAL_NONE;
  const double size = dls_small_norm(block, s.q);
  if (!isfinite(size) || !(size > 0)) return DLS_LOCAL_NONE;
  double y[DLS_MAX_BLOCK] = {0}, other[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < block; k++) {
    s.q[k] /= size;
    y[k] = guess[k] / (s.unit[k] * size);
  }
  double error = solve_map(&s, 1, enough, y);
  if (error > enough) { /* from the projection of q, as without a guess */
    for (int k = 0; k < block; k++) other[k] = -s.q[k];
    dls_cone_project(&s.relation, dim, block, other);
    const double other_error = solve_map(&s, 4, enough, other);
    if (other_error < error) memcpy(y, other, sizeof y);
    error = fmin(error, other_error);
  }
  if (error > enough) {
    const double other_error = solve_by_shift(&s, enough, other);
    if (other_error < error) memcpy(y, other, sizeof y);
    error = fmin(error, other_error);
  }
  double u[DLS_MAX_BLOCK];
  dls_small_affine(block, s.D, y, s.q, u);
  for (int k = 0; k < block; k++) r[k] = s.unit[k] * size * y[k];
  if (!(error <= accepted)) return DLS_LOCAL_NONE;
  return dls_small_norm(block, u) <= 1e-12 ? DLS_LOCAL_STICK : DLS_LOCAL_SLIP;
}
