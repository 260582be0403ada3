/* The one-contact problem of a custom law: F(D r + q, r) = 0 by the law's own solve, or by Newton's
 * method with a line search on |F|, from the guess, from zero, from sticking, and then from many
 * slips. */
#include "problem/local_impl.h"

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
  double F[DLS_MAX_BLOCK], J[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double error = residual(custom, n, D, q, r, F, J);
  for (int iteration = 0; iteration < 60 && error > solved && isfinite(error); iteration++) {
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

DlsLocalOutcome dls_local_custom(const DlsCustomRelation *custom, int block, const double *D,
                                 const double *q, double *r) {
  if (custom->solve) {
    double next[DLS_MAX_BLOCK] = {0};
    memcpy(next, r, (size_t)block * sizeof *next);
    const DlsStatus status = custom->solve(custom->context, D, q, next);
    if (status != DLS_OK || !dls_small_finite(block, next)) return DLS_LOCAL_NONE; /* r stays */
    memcpy(r, next, (size_t)block * sizeof *r);
    return DLS_LOCAL_SLIP;
  }
  /* F is an impulse: judged against the impulse that stops q. */
  double starts[3][DLS_MAX_BLOCK] = {{0}}, A[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  memcpy(starts[0], r, (size_t)block * sizeof *r);
  memcpy(A, D, (size_t)(block * block) * sizeof *A);
  for (int k = 0; k < block; k++) starts[2][k] = -q[k];
  const bool sticks = dls_small_solve(block, A, starts[2]);
  const double scale = sticks ? dls_small_norm(block, starts[2]) : dls_small_norm(block, q);
  const double solved = 1e-15 * scale, accepted = 1e-9 * scale;
  double best = INFINITY;
  for (int start = 0; start < (sticks ? 3 : 2) && best > 1e-13 * scale; start++) {
    const double error = descend(custom, block, D, q, solved, starts[start]);
    if (!(error < best)) continue;
    best = error;
    memcpy(r, starts[start], (size_t)block * sizeof *r);
  }
  if (best > accepted) {
    double other[DLS_MAX_BLOCK] = {0};
    const double error = search(custom, block, D, q, solved, accepted, other);
    if (error < best) memcpy(r, other, (size_t)block * sizeof *r);
    best = fmin(best, error);
  }
  return best <= accepted ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
}
