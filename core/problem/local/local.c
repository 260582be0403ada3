/* The one-contact problem: which method for which cone. */
#include "problem/local/local_impl.h"

#include <delassus/cone.h>

#include "base/ledger.h"
#include "base/small.h"
#include "problem/coulomb.h"
#include "problem/natural_map.h"
#include "problem/spins.h"

/* A relative error that round-off explains; anything above is solved again with more care. */
static const double settled = 1e-13;
/* What a solve may leave and still be called an answer. */
static const double accepted = 1e-9;

static double step_of(int block, const double *D) {
  double largest = 0;
  for (int k = 0; k < block * block; k++) largest = fmax(largest, fabs(D[k]));
  return largest > 0 ? 1.0 / largest : 1.0;
}

static double error_of(const DlsRelation *relation, int dim, int block,
                       const DlsCustomRelation *custom, const double *D, const double *q,
                       const double *r) {
  double u[DLS_MAX_BLOCK] = {0}, e[DLS_MAX_BLOCK];
  const double rho = step_of(block, D);
  dls_small_affine(block, D, r, q, u);
  if (relation->cone == DLS_CONE_CUSTOM) {
    if (custom->residual(custom->context, u, r, e, NULL, NULL) != DLS_OK) return INFINITY;
  } else {
    dls_natural_map(relation, dim, block, rho, u, r, e);
  }
  /* A projection takes NaN to 0, so that the inputs are looked at themselves. */
  if (!dls_small_finite(block, r) || !dls_small_finite(block, u)) return INFINITY;
  const double size = dls_small_norm(block, e);
  const double scale = fmax(dls_small_norm(block, r), rho * dls_small_norm(block, q));
  if (isnan(size)) return INFINITY;
  return size == 0 ? 0 : size / scale;
}

/* The error with spins and torques made even (problem/spins.h), whatever the unit of length. */
double dls_local_error(const DlsRelation *relation, int dim, int block,
                       const DlsCustomRelation *custom, const double *D, const double *q,
                       const double *r) {
  const double l = dls_spin_length(dim, block, D);
  if (relation->cone == DLS_CONE_CUSTOM || l == 1)
    return error_of(relation, dim, block, custom, D, q, r);
  const DlsRelation even = dls_spin_even(relation, l);
  double even_D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, even_q[DLS_MAX_BLOCK] = {0};
  double even_r[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < block; i++) {
    const double turn = dls_spin_turn(dim, i, l);
    even_q[i] = turn * q[i];
    even_r[i] = r[i] / turn;
    for (int j = 0; j < block; j++)
      even_D[i * block + j] = turn * D[i * block + j] * dls_spin_turn(dim, j, l);
  }
  return error_of(&even, dim, block, custom, even_D, even_q, even_r);
}

/* û_N = 0 with r̂_T = 0, for a reaction that may push only, or pull too. */
static DlsLocalOutcome solve_normal(bool unilateral, int block, const double *D, const double *q,
                                    double *r) {
  memset(r, 0, (size_t)block * sizeof *r);
  if (unilateral && q[0] >= 0) return DLS_LOCAL_OPEN;
  if (!(D[0] > 0)) return q[0] == 0 ? DLS_LOCAL_SLIP : DLS_LOCAL_NONE;
  r[0] = -q[0] / D[0];
  return DLS_LOCAL_SLIP;
}

/* x = A^-1 b where A is singular and b in its range, nearly the shortest: refined with A + eps,
 * which is regular, for the symmetric part of A is semi-definite. False when b is not in the
 * range. */
static bool solve_singular(int block, const double *A, const double *b, double *x) {
  const double eps = 1e-8; /* A has a unit diagonal */
  double step[DLS_MAX_BLOCK] = {0};
  memset(x, 0, (size_t)block * sizeof *x);
  for (int round = 0;; round++) {
    double B[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
    for (int k = 0; k < block; k++) step[k] = b[k] - dls_small_dot(block, A + k * block, x);
    if (dls_small_norm(block, step) <= 1e-15 * dls_small_norm(block, b)) return true;
    if (round == 6) return dls_small_norm(block, step) <= accepted * dls_small_norm(block, b);
    memcpy(B, A, (size_t)(block * block) * sizeof *B);
    for (int k = 0; k < block; k++) B[k * (block + 1)] += eps;
    if (!dls_small_solve(block, B, step)) return false;
    for (int k = 0; k < block; k++) x[k] += step[k];
  }
}

/* û = 0. D is scaled to a unit diagonal first: velocities and spins have units of their own. */
static DlsLocalOutcome solve_tied(int block, const double *D, const double *q, double *r) {
  const double large = 1e10; /* of x where A is regular, its diagonal being 1 */
  double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK], B[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  double x[DLS_MAX_BLOCK] = {0}, b[DLS_MAX_BLOCK] = {0}, unit[DLS_MAX_BLOCK];
  for (int k = 0; k < block; k++) {
    const double diagonal = D[k * (block + 1)];
    unit[k] = diagonal > 0 ? 1 / sqrt(diagonal) : 1;
    b[k] = x[k] = -unit[k] * q[k];
  }
  for (int i = 0; i < block; i++)
    for (int j = 0; j < block; j++) A[i * block + j] = unit[i] * D[i * block + j] * unit[j];
  memcpy(B, A, (size_t)(block * block) * sizeof *B);
  if (!dls_small_solve(block, B, x) ||
      !(dls_small_norm(block, x) <= large * dls_small_norm(block, b)))
    if (!solve_singular(block, A, b, x)) return DLS_LOCAL_NONE;
  for (int k = 0; k < block; k++) r[k] = unit[k] * x[k];
  return DLS_LOCAL_STICK;
}

/* Friction by one or two tangents, isotropic with coefficient mu. */
static DlsLocalOutcome solve_isotropic(double mu, int tangents, const double *D, const double *q,
                                       double *r) {
  DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  const int block = 1 + tangents, dim = block;
  double best = INFINITY, slip = 0;
  DlsLocalOutcome outcome = DLS_LOCAL_NONE;
  DlsCoulomb3 three;
  DlsCoulomb2 two;
  if (tangents == 2 && dls_coulomb3_prepare(mu, D, &three))
    outcome = dls_coulomb3_solve(&three, DLS_COULOMB_EXACT, q, &slip, r);
  else if (tangents == 1 && dls_coulomb2_prepare(mu, D, &two))
    outcome = dls_coulomb2_solve(&two, q, r);
  if (outcome != DLS_LOCAL_NONE) best = dls_local_error(&relation, dim, block, NULL, D, q, r);
  if (best <= settled) return outcome;
  double careful[3] = {0};
  const DlsLocalOutcome other = dls_local_coulomb_cases(mu, tangents, D, q, careful);
  const double error = dls_local_error(&relation, dim, block, NULL, D, q, careful);
  if (other != DLS_LOCAL_NONE && !(best <= error)) {
    memcpy(r, careful, (size_t)block * sizeof *r);
    outcome = other;
    best = error;
  }
  if (outcome == DLS_LOCAL_NONE) memset(r, 0, (size_t)block * sizeof *r);
  return best <= accepted ? outcome : DLS_LOCAL_NONE;
}

/* The same with dilatancy. The fast way, then the discs, then every case; r holds a guess. */
static DlsLocalOutcome solve_dilatant(double mu, double associated, int tangents, const double *D,
                                      const double *q, double *r) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}, .associated = associated};
  const DlsDilatant contact = {mu, associated, tangents};
  const int block = 1 + tangents, dim = block;
  double best = INFINITY, guess[3] = {0};
  DlsLocalOutcome outcome = DLS_LOCAL_NONE;
  memcpy(guess, r, (size_t)block * sizeof *guess);
  for (int way = 0; way < 3 && !(best <= settled); way++) {
    double next[3] = {0};
    memcpy(next, guess, sizeof next);
    const DlsLocalOutcome found = way == 0   ? dls_local_dilatant(&contact, D, q, next)
                                  : way == 1 ? dls_local_discs(&relation, dim, block, D, q, next)
                                             : dls_local_dilatant_cases(&contact, D, q, next);
    const double error = dls_local_error(&relation, dim, block, NULL, D, q, next);
    if (found == DLS_LOCAL_NONE || !(error < best)) continue;
    memcpy(r, next, (size_t)block * sizeof *r);
    outcome = found;
    best = error;
  }
  if (outcome == DLS_LOCAL_NONE) memset(r, 0, (size_t)block * sizeof *r);
  return best <= accepted ? outcome : DLS_LOCAL_NONE;
}

/* An ellipse becomes a circle: with r_T = m y and û_T = w / m the slip rule û_T = -s r_T / m² reads
 * w = -s y, |y| <= r_N, so D and q are scaled by diag(1, mu1, mu2) and mu = 1. Dilatancy stays:
 * |(mu1 û_1, mu2 û_2)| = |w|. */
static DlsLocalOutcome solve_coulomb(const DlsRelation *relation, int tangents, int block,
                                     const double *D, const double *q, double *r) {
  const double *mu = relation->mu;
  const bool elliptic = tangents == 2 && mu[0] != mu[1];
  /* A tangent without friction carries no reaction: it drops out. */
  int component[3] = {0}, count = 1;
  for (int i = 0; i < tangents; i++)
    if (mu[elliptic ? i : 0] > 0) component[count++] = 1 + i;
  if (count == 1) return solve_normal(true, block, D, q, r);
  const double common = count == 2 ? mu[elliptic ? component[1] - 1 : 0] : mu[0];
  const bool scaled = count == 3 && elliptic;
  double small_D[9], small_q[3], y[3] = {0}, scale[3] = {1, 1, 1};
  for (int i = 1; i < count && scaled; i++) scale[i] = mu[i - 1];
  for (int i = 0; i < count; i++) {
    small_q[i] = scale[i] * q[component[i]];
    if (relation->associated > 0) y[i] = r[component[i]] / scale[i];
    for (int j = 0; j < count; j++)
      small_D[i * count + j] = scale[i] * D[component[i] * block + component[j]] * scale[j];
  }
  const double even = scaled ? 1.0 : common;
  const DlsLocalOutcome outcome =
      relation->associated > 0
          ? solve_dilatant(even, relation->associated, count - 1, small_D, small_q, y)
          : solve_isotropic(even, count - 1, small_D, small_q, y);
  memset(r, 0, (size_t)block * sizeof *r);
  for (int i = 0; i < count; i++) r[component[i]] = scale[i] * y[i];
  return outcome;
}

/* Where a contact that dilates hardly touches, its reaction is round-off of q, and nothing in
 * proportion to its discs; the error of all groups together tells an answer. */
static DlsLocalOutcome solve_rolling(const DlsRelation *relation, int dim, int block,
                                     const double *D, const double *q, double *r) {
  const DlsLocalOutcome outcome = dls_local_discs(relation, dim, block, D, q, r);
  if (outcome != DLS_LOCAL_NONE || relation->associated == 0) return outcome;
  return dls_local_error(relation, dim, block, NULL, D, q, r) <= settled ? DLS_LOCAL_SLIP : outcome;
}

DlsLocalOutcome dls_local_solve(const DlsRelation *relation, int dim, int block,
                                const DlsCustomRelation *custom, const double *D, const double *q,
                                double *r) {
  dls_ledger.contacts++;
  switch (relation->cone) {
  case DLS_CONE_BILATERAL:
    return solve_tied(block, D, q, r);
  case DLS_CONE_SLIDER:
    return solve_normal(false, block, D, q, r);
  case DLS_CONE_SIGNORINI:
    return solve_normal(true, block, D, q, r);
  case DLS_CONE_COULOMB:
    return solve_coulomb(relation, dls_cone_layout(relation->cone, dim, block).tangents, block, D,
                         q, r);
  case DLS_CONE_ROLLING:
    return solve_rolling(relation, dim, block, D, q, r);
  case DLS_CONE_CUSTOM:
    return dls_local_custom(custom, block, D, q, r);
  case DLS_CONE_FREE:
  default:
    memset(r, 0, (size_t)block * sizeof *r);
    return DLS_LOCAL_OPEN;
  }
}
