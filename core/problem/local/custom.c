/* The one-contact problem of a custom law: F(D r + q, r) = 0 by the law's own solve, or, where it
 * has none or that fails, by Newton's method with a line search on |F|, from the guess, from zero,
 * from sticking, then from where the law's projection leads, and from many slips. A residual that
 * fails at a trial point is as bad as can be. */
#include "problem/local/local_impl.h"

#include "base/small.h"

static double residual(const DlsCustomRelation *custom, int n, const double *D, const double *q,
                       const double *r, double *F, double *J) {
  double u[DLS_MAX_BLOCK], du[DLS_MAX_BLOCK * DLS_MAX_BLOCK], dr[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  dls_small_affine(n, D, r, q, u);
  if (custom->residual(custom->context, u, r, F, J ? du : NULL, J ? dr : NULL) != DLS_OK)
    return INFINITY;
  if (J) { /* dF/dr along u = D r + q */
    dls_small_multiply(n, du, D, J);
    for (int i = 0; i < n * n; i++) J[i] += dr[i];
  }
  const double size = dls_small_norm(n, F);
  return isnan(size) ? INFINITY : size;
}

/* Newton's method from r; the residual that it reaches. */
static double descend(const DlsCustomRelation *custom, int n, const double *D, const double *q,
                      double solved, double *r) {
  const double fine = 1e-12; /* of r: `solved` says little where next to nothing can move */
  double F[DLS_MAX_BLOCK], J[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double error = residual(custom, n, D, q, r, F, J);
  for (int iteration = 0; iteration < 60 && isfinite(error); iteration++) {
    if (error <= solved && error <= fine * dls_small_norm(n, r)) break;
    double trial[DLS_MAX_BLOCK], trial_F[DLS_MAX_BLOCK], length = 1, trial_error = INFINITY;
    if (!dls_small_solve(n, J, F)) break;
    for (int halving = 0; halving < 20; halving++, length *= 0.5) {
      for (int k = 0; k < n; k++) trial[k] = r[k] - length * F[k];
      trial_error = residual(custom, n, D, q, trial, trial_F, NULL);
      if (trial_error < (1 - 1e-4 * length) * error) break;
    }
    if (!(trial_error < error)) break;
    memcpy(r, trial, (size_t)n * sizeof *r);
    error = residual(custom, n, D, q, r, F, J);
  }
  return error;
}

/* Newton's method with full steps, which may climb out of a hollow of |F|; the best seen. */
static double leap(const DlsCustomRelation *custom, int n, const double *D, const double *q,
                   double solved, double *r) {
  double F[DLS_MAX_BLOCK], J[DLS_MAX_BLOCK * DLS_MAX_BLOCK], at[DLS_MAX_BLOCK], best = INFINITY;
  memcpy(at, r, (size_t)n * sizeof *at);
  for (int iteration = 0; iteration < 30 && best > solved; iteration++) {
    const double error = residual(custom, n, D, q, at, F, J);
    if (!isfinite(error)) break;
    if (error < best) {
      best = error;
      memcpy(r, at, (size_t)n * sizeof *r);
    }
    if (!dls_small_solve(n, J, F)) break;
    for (int k = 0; k < n; k++) at[k] -= F[k];
  }
  return best;
}

/* More starts, for laws whose residual has kinks: pushes of several sizes that slip any way round.
 */
static double search(const DlsCustomRelation *custom, int block, const double *D, const double *q,
                     double solved, double accepted, double *r) {
  const double push = D[0] > 0 ? fmax(-q[0], 0) / D[0] : 0, turn = 0.39269908169872414; /* pi / 8 */
  double best = INFINITY;
  for (int way = 0; way < 48 && best > accepted; way++) {
    const double normal = push * (1 << (way / 16)), size = (way % 2 ? 0.5 : 1) * normal;
    double guess[DLS_MAX_BLOCK] = {normal, size * cos(turn * way)};
    if (block > 2) guess[2] = size * sin(turn * way);
    const double error = descend(custom, block, D, q, solved, guess);
    if (!(error < best)) continue;
    best = error;
    memcpy(r, guess, (size_t)block * sizeof *r);
  }
  return best;
}

/* r̄ = P(r - rho û(r)) with a step that adapts itself: rho |D (r̄ - r)| <= 0.9 |r̄ - r| (Khobotov
 * 1987); false when the law fails. */
static bool predict(const DlsCustomRelation *custom, int n, const double *D, const double *q,
                    const double *r, double *rho, double *bar) {
  double u[DLS_MAX_BLOCK], change[DLS_MAX_BLOCK], zero[DLS_MAX_BLOCK] = {0}, moved[DLS_MAX_BLOCK];
  dls_small_affine(n, D, r, q, u);
  for (int shorter = 0; shorter < 60; shorter++, *rho *= 0.6) {
    memcpy(bar, r, (size_t)n * sizeof *bar);
    if (custom->project(custom->context, u, *rho, bar) != DLS_OK) return false;
    for (int k = 0; k < n; k++) change[k] = bar[k] - r[k];
    dls_small_affine(n, D, change, zero, moved);
    for (int k = 0; k < n; k++) moved[k] *= change[k] != 0; /* spins without torques do not count */
    const double size = dls_small_norm(n, change), speed = *rho * dls_small_norm(n, moved);
    if (speed <= 0.9 * size) {
      if (speed < 0.4 * size) *rho *= 1.5;
      return true;
    }
  }
  return true;
}

/* Extragradient steps with the law's projection, Newton's method from where they lead. */
static double approach(const DlsCustomRelation *custom, int n, const double *D, const double *q,
                       double solved, double accepted, double *r) {
  double walk[DLS_MAX_BLOCK] = {0}, best = INFINITY, rho = D[0] > 0 ? 1 / D[0] : 1;
  int next = 8;
  for (int iteration = 1; iteration <= 2048 && best > accepted; iteration++) {
    double bar[DLS_MAX_BLOCK], u[DLS_MAX_BLOCK], guess[DLS_MAX_BLOCK] = {0};
    if (!predict(custom, n, D, q, walk, &rho, bar)) break;
    dls_small_affine(n, D, bar, q, u);
    if (custom->project(custom->context, u, rho, walk) != DLS_OK) break;
    if (iteration < next) continue;
    next *= 2;
    memcpy(guess, walk, (size_t)n * sizeof *guess);
    double error = descend(custom, n, D, q, solved, guess);
    if (error > accepted) {
      memcpy(guess, walk, (size_t)n * sizeof *guess);
      error = leap(custom, n, D, q, solved, guess);
    }
    if (!(error < best)) continue;
    best = error;
    memcpy(r, guess, (size_t)n * sizeof *r);
  }
  return best;
}

/* Newton's method from all starts; whether it found an answer, r being the best. */
static bool find(const DlsCustomRelation *custom, int block, const double *D, const double *q,
                 double *r) {
  /* F is an impulse: judged against the impulse that stops q, and the one that the law itself asks
   * for at r = 0: a contact that stands still may be under load. */
  double starts[3][DLS_MAX_BLOCK] = {{0}}, A[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  memcpy(starts[0], r, (size_t)block * sizeof *r);
  memcpy(A, D, (size_t)(block * block) * sizeof *A);
  for (int k = 0; k < block; k++) starts[2][k] = -q[k];
  const bool sticks = dls_small_solve(block, A, starts[2]);
  const double asked = residual(custom, block, D, q, starts[1], A, NULL);
  const double scale =
      fmax(dls_small_norm(block, sticks ? starts[2] : q), isfinite(asked) ? asked : 0);
  const double solved = 1e-15 * scale, accepted = 1e-9 * scale;
  double best = INFINITY;
  for (int start = 0; start < (sticks ? 3 : 2) && best > 1e-13 * scale; start++) {
    const double error = descend(custom, block, D, q, solved, starts[start]);
    if (!(error < best)) continue;
    best = error;
    memcpy(r, starts[start], (size_t)block * sizeof *r);
  }
  if (best > accepted && custom->project) {
    double other[DLS_MAX_BLOCK] = {0};
    const double error = approach(custom, block, D, q, solved, accepted, other);
    if (error < best) memcpy(r, other, (size_t)block * sizeof *r);
    best = fmin(best, error);
  }
  if (best > accepted) {
    double other[DLS_MAX_BLOCK] = {0};
    const double error = search(custom, block, D, q, solved, accepted, other);
    if (error < best) memcpy(r, other, (size_t)block * sizeof *r);
    best = fmin(best, error);
  }
  double largest = 0;
  for (int k = 0; k < block * block; k++) largest = fmax(largest, fabs(D[k]));
  const double size = fmax(dls_small_norm(block, r), dls_small_norm(block, q) / largest);
  return best <= accepted && best <= 1e-9 * size;
}

DlsLocalOutcome dls_local_custom(const DlsCustomRelation *custom, int block, const double *D,
                                 const double *q, double *r) {
  double next[DLS_MAX_BLOCK] = {0}, u[DLS_MAX_BLOCK], F[DLS_MAX_BLOCK];
  memcpy(next, r, (size_t)block * sizeof *next);
  const bool own = custom->solve && custom->solve(custom->context, D, q, next) == DLS_OK &&
                   dls_small_finite(block, next);
  if (own) {
    memcpy(r, next, (size_t)block * sizeof *r);
    return DLS_LOCAL_SLIP;
  }
  memcpy(next, r, (size_t)block * sizeof *next);
  if (find(custom, block, D, q, r)) return custom->solve ? DLS_LOCAL_BY_NEWTON : DLS_LOCAL_SLIP;
  /* Whether it is the law that fails, and not Newton's method: asked at the guess, so that its
   * sentence is the last. */
  dls_small_affine(block, D, next, q, u);
  if (custom->residual(custom->context, u, next, F, NULL, NULL) != DLS_OK) return DLS_LOCAL_FAILED;
  const bool fails = custom->solve && custom->solve(custom->context, D, q, next) != DLS_OK;
  return fails ? DLS_LOCAL_FAILED : DLS_LOCAL_NONE;
}
