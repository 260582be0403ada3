/* The errors of a pair (u, r), from scratch; definitions in errors.h. */
#include "problem/bipotential.h"
#include "problem/cone_impl.h"
#include "problem/contact_status.h"
#include "problem/natural_map.h"
#include "problem/parted.h"
#include "problem/problem_impl.h"
#include "problem/spins.h"

#include <delassus/cone.h>
#include <delassus/errors.h>
#include <delassus/local.h>

#include "base/dispatch.h"
#include "base/dot.h"
#include "base/memory.h"
#include "base/pool.h"
#include "base/small.h"

#include <float.h>
#include <stdatomic.h>
#include <stdlib.h>

static DlsStatus contact_map(const DlsProblem *p, int i, double rho, const double *u,
                             const double *r, double *e) {
  if (dls_problem_shared(p, i)->cone != DLS_CONE_CUSTOM) {
    dls_natural_map(dls_problem_shared(p, i), p->dim, p->block, rho, u, r, e);
    return DLS_OK;
  }
  const DlsCustomRelation *custom = &p->custom[i];
  return custom->residual(custom->context, u, r, e, NULL, NULL);
}

DlsStatus dls_errors_map(const DlsProblem *p, int i, double rho, const double *u, const double *r,
                         double *e) {
  return contact_map(p, i, rho, u, r, e);
}

/* Sums over contacts are those of base/pool.h: the same bits for any number of threads. */
typedef struct {
  const DlsProblem *p;
  const double *r_hat, *u_hat, *x;
  atomic_bool failed; /* a law; what it told is told again to the thread that asks */
} Pair;

DLS_HOT static void add_squares(void *context, size_t begin, size_t end, double *sum) {
  const double *x = ((const Pair *)context)->x + begin;
  sum[0] += dls_dot(end - begin, x, x);
}

static double norm(const DlsProblem *p, const double *x) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  Pair pair = {.x = x};
  double sum;
  dls_problem_sum(p, n, 1, add_squares, &pair, &sum);
  return sqrt(sum);
}

static void add_physical(void *context, size_t begin, size_t end, double *sum) {
  const Pair *pair = context;
  const DlsProblem *p = pair->p;
  for (size_t i = begin; i < end; i++)
    for (size_t k = 0; k < (size_t)p->block; k++) {
      const size_t e = i * (size_t)p->block + k;
      const DlsRelation *relation = dls_problem_shared(p, (int)i);
      const double r = pair->r_hat[e] - relation->a[k];
      const double u = pair->u_hat[e] - relation->b[k] - relation->C[k] * r;
      sum[0] += r * r;
      sum[1] += u * u;
    }
}

/* |r| and |u| of the physical pair, from the one in standard form: r = r̂ - a, u = û - b - C r. */
static void physical_norms(const DlsProblem *p, const double *r_hat, const double *u_hat,
                           double *r_norm, double *u_norm) {
  if (p->q_hat == p->q && !p->compliance) {
    *r_norm = norm(p, r_hat);
    *u_norm = norm(p, u_hat);
    return;
  }
  Pair pair = {.p = p, .r_hat = r_hat, .u_hat = u_hat};
  double sum[2];
  dls_problem_sum(p, (size_t)p->contacts, 2, add_physical, &pair, sum);
  *r_norm = sqrt(sum[0]);
  *u_norm = sqrt(sum[1]);
}

/* NaN where one of them is: fmax would pass over it, and projections take NaN to 0. */
static double largest(double a, double b, double c) {
  return isnan(a + b + c) ? NAN : fmax(a, fmax(b, c));
}

/* Siconos' rule: relative to the largest of the three norms, absolute when that is round-off. */
static double relative(double error, double scale, double round_off) {
  if (!isfinite(error) || !isfinite(scale)) return INFINITY;
  return scale > round_off ? error / scale : error;
}

/* |e_α|² of one contact. */
DLS_INLINE DlsStatus contact_error2(const DlsProblem *p, int i, double rho, const double *u,
                                    const double *r, double *e2) {
  const DlsRelation *relation = dls_problem_shared(p, i);
  const double mu = relation->mu[DLS_MU_1], theta = (1 - relation->associated) * mu;
  if (relation->cone == DLS_CONE_COULOMB && p->block == 2 && p->dim == 2) {
    *e2 = dls_natural_coulomb2(mu, theta, 1, rho, u, r);
    return DLS_OK;
  }
  if (relation->cone == DLS_CONE_COULOMB && p->block == 3 && p->dim == 3 &&
      mu == relation->mu[DLS_MU_2]) {
    *e2 = dls_natural_coulomb2(mu, theta, 2, rho, u, r);
    return DLS_OK;
  }
  double e[DLS_MAX_BLOCK];
  DLS_TRY(contact_map(p, i, rho, u, r, e));
  *e2 = dls_small_dot(p->block, e, e);
  return DLS_OK;
}

/* A law that has failed in the thread that asked has told it there: it is asked again here. */
static DlsStatus tell_failure(const Pair *pair) {
  const DlsProblem *p = pair->p;
  double e2;
  for (int i = 0; atomic_load(&pair->failed) && i < p->contacts; i++) {
    const size_t at = (size_t)i * (size_t)p->block;
    DLS_TRY(contact_error2(p, i, p->rho[i], pair->u_hat + at, pair->r_hat + at, &e2));
  }
  return atomic_load(&pair->failed) ? dls_fail(DLS_ERR_LAW, "%s", DLS_FAILED_ONCE) : DLS_OK;
}

/* Contacts of plain friction in 3-D, four from i on: their coefficients. False where one is not. */
DLS_INLINE bool find_four(const DlsProblem *p, size_t i, const DlsRelation **known, double *mu,
                          double *theta) {
  if (p->dim != 3) return false;
  for (size_t l = 0; l < DLS_NATURAL_FOUR; l++) {
    const DlsRelation *relation = dls_problem_shared(p, (int)(i + l));
    if (relation != *known &&
        (relation->cone != DLS_CONE_COULOMB || relation->mu[DLS_MU_1] != relation->mu[DLS_MU_2]))
      return false;
    *known = relation;
    mu[l] = relation->mu[DLS_MU_1];
    theta[l] = (1 - relation->associated) * mu[l];
  }
  return true;
}

/* Σ |e_α|²; compiled for each block, because solvers measure often. */
DLS_INLINE void add_natural(Pair *pair, size_t block, size_t begin, size_t end, double *sum) {
  static const double unit[DLS_NATURAL_FOUR] = {1, 1, 1, 1};
  const DlsRelation *known = NULL;
  for (size_t i = begin; i < end; i++) {
    double mu[DLS_NATURAL_FOUR], theta[DLS_NATURAL_FOUR], four[DLS_NATURAL_FOUR];
    if (block == 3 && i + DLS_NATURAL_FOUR <= end && find_four(pair->p, i, &known, mu, theta)) {
      dls_natural_coulomb2_four(mu, theta, unit, pair->u_hat + 3 * i, pair->r_hat + 3 * i, four);
      *sum += (four[0] + four[1]) + (four[2] + four[3]);
      i += DLS_NATURAL_FOUR - 1;
      continue;
    }
    double e2;
    if (contact_error2(pair->p, (int)i, 1.0, pair->u_hat + i * block, pair->r_hat + i * block,
                       &e2) != DLS_OK) {
      atomic_store(&pair->failed, true);
      return;
    }
    *sum += e2;
  }
}

DLS_HOT static void add_natural_2(void *pair, size_t begin, size_t end, double *sum) {
  add_natural(pair, 2, begin, end, sum);
}

DLS_HOT static void add_natural_3(void *pair, size_t begin, size_t end, double *sum) {
  add_natural(pair, 3, begin, end, sum);
}

static void add_natural_any(void *context, size_t begin, size_t end, double *sum) {
  Pair *pair = context;
  add_natural(pair, (size_t)pair->p->block, begin, end, sum);
}

/* |e|, with û of r̂. */
static DlsStatus natural_size(const DlsProblem *p, const double *r_hat, double *u_hat,
                              double *size) {
  Pair pair = {.p = p, .r_hat = r_hat, .u_hat = u_hat};
  double sum;
  dls_problem_standard_velocity(p, r_hat, u_hat);
  dls_problem_sum(p, (size_t)p->contacts, 1,
                  p->block == 2   ? add_natural_2
                  : p->block == 3 ? add_natural_3
                                  : add_natural_any,
                  &pair, &sum);
  *size = sqrt(sum);
  return tell_failure(&pair);
}

DlsStatus dls_errors_natural(const DlsProblem *p, const double *r_hat, double *u_hat,
                             double *natural) {
  double size, r_norm, u_norm;
  *natural = INFINITY;
  DLS_TRY(natural_size(p, r_hat, u_hat, &size));
  physical_norms(p, r_hat, u_hat, &r_norm, &u_norm);
  *natural = relative(size, largest(norm(p, p->q), r_norm, u_norm), p->round_off);
  return DLS_OK;
}

DlsStatus dls_errors_natural_q(const DlsProblem *p, const double *r_hat, double *u_hat,
                               double *natural_q) {
  double size, r_norm, u_norm;
  *natural_q = INFINITY;
  DLS_TRY(natural_size(p, r_hat, u_hat, &size));
  physical_norms(p, r_hat, u_hat, &r_norm, &u_norm); /* projections take NaN to 0 */
  if (isfinite(r_norm + u_norm)) *natural_q = relative(size, norm(p, p->q), DBL_EPSILON);
  return DLS_OK;
}

typedef DlsScaledSums Scaled;

enum { ERROR2, R2, Q2, U2, SCALED_SUMS };

/* Of four contacts from i on. */
DLS_INLINE void add_scaled_four(const Pair *pair, size_t i, const double *mu, const double *theta,
                                double *sum) {
  const double *u = pair->u_hat + 3 * i, *r = pair->r_hat + 3 * i, *q = pair->p->q_hat + 3 * i;
  const double *rho = pair->p->rho + i;
  double e2[DLS_NATURAL_FOUR], r2[DLS_NATURAL_FOUR], q2[DLS_NATURAL_FOUR], u2[DLS_NATURAL_FOUR];
  dls_natural_coulomb2_four(mu, theta, rho, u, r, e2);
  for (int l = 0; l < DLS_NATURAL_FOUR; l++) {
    const int e = 3 * l;
    const double weight = rho[l] * rho[l];
    r2[l] = r[e] * r[e] + r[e + 1] * r[e + 1] + r[e + 2] * r[e + 2];
    q2[l] = weight * (q[e] * q[e] + q[e + 1] * q[e + 1] + q[e + 2] * q[e + 2]);
    u2[l] = weight * (u[e] * u[e] + u[e + 1] * u[e + 1] + u[e + 2] * u[e + 2]);
  }
  sum[ERROR2] += (e2[0] + e2[1]) + (e2[2] + e2[3]);
  sum[R2] += (r2[0] + r2[1]) + (r2[2] + r2[3]);
  sum[Q2] += (q2[0] + q2[1]) + (q2[2] + q2[3]);
  sum[U2] += (u2[0] + u2[1]) + (u2[2] + u2[3]);
}

/* Inlined with the block known: solvers measure often. */
DLS_INLINE void add_scaled(Pair *pair, size_t block, size_t begin, size_t end, double *sum) {
  const DlsProblem *p = pair->p;
  const DlsRelation *known = NULL;
  for (size_t i = begin; i < end; i++) {
    double mu[DLS_NATURAL_FOUR], theta[DLS_NATURAL_FOUR];
    if (block == 3 && i + DLS_NATURAL_FOUR <= end && find_four(p, i, &known, mu, theta)) {
      add_scaled_four(pair, i, mu, theta, sum);
      i += DLS_NATURAL_FOUR - 1;
      continue;
    }
    const size_t e = i * block;
    const double *u = pair->u_hat + e, *r = pair->r_hat + e, *q = p->q_hat + e, rho = p->rho[i];
    double e2, r2 = 0, q2 = 0, u2 = 0;
    if (contact_error2(p, (int)i, rho, u, r, &e2) != DLS_OK) {
      atomic_store(&pair->failed, true);
      return;
    }
    for (size_t k = 0; k < block; k++) {
      r2 += r[k] * r[k];
      q2 += q[k] * q[k];
      u2 += u[k] * u[k];
    }
    sum[ERROR2] += e2;
    sum[R2] += r2;
    sum[Q2] += rho * rho * q2;
    sum[U2] += rho * rho * u2;
  }
}

/* The same with spins: those times ℓ, torques over ℓ, ℓ as in problem_impl.h, count like velocities
 * and impulses. So do the lengths of the cone over ℓ. */
static DlsStatus add_scaled_spins(const DlsProblem *p, int i, const double *u, const double *r,
                                  Scaled *sums) {
  const int block = p->block;
  const double *q = p->q_hat + (size_t)i * (size_t)block, rho = p->rho[i], l = p->length[i];
  const DlsRelation relation = dls_spin_even(dls_problem_shared(p, i), l);
  double even_u[DLS_MAX_BLOCK] = {0}, even_r[DLS_MAX_BLOCK] = {0}, e[DLS_MAX_BLOCK];
  for (int k = 0; k < block; k++) {
    const double turn = dls_spin_turn(p->dim, k, l);
    even_u[k] = turn * u[k];
    even_r[k] = r[k] / turn;
    sums->q2 += rho * rho * turn * turn * q[k] * q[k];
  }
  if (relation.cone == DLS_CONE_CUSTOM) {
    DLS_TRY(contact_map(p, i, rho, u, r, e));
    for (int k = p->dim; k < block; k++) e[k] /= l;
  } else {
    dls_natural_map(&relation, p->dim, block, rho, even_u, even_r, e);
  }
  sums->error2 += dls_small_dot(block, e, e);
  sums->r2 += dls_small_dot(block, even_r, even_r);
  sums->u2 += rho * rho * dls_small_dot(block, even_u, even_u);
  return DLS_OK;
}

DlsStatus dls_errors_add_scaled(const DlsProblem *p, int i, const double *u, const double *r,
                                DlsScaledSums *sums) {
  const double *q = p->q_hat + (size_t)i * (size_t)p->block, rho = p->rho[i];
  double e2;
  if (p->length) return add_scaled_spins(p, i, u, r, sums);
  DLS_TRY(contact_error2(p, i, rho, u, r, &e2));
  sums->error2 += e2;
  sums->r2 += dls_small_dot(p->block, r, r);
  sums->q2 += rho * rho * dls_small_dot(p->block, q, q);
  sums->u2 += rho * rho * dls_small_dot(p->block, u, u);
  return DLS_OK;
}

/* The error itself. Below the round-off that a leaves there is nothing to be relative to. */
static double scaled_of(const DlsProblem *p, const Scaled *sums) {
  double scale = sqrt(largest(sums->r2, sums->q2, sums->u2));
  const double error = sqrt(sums->error2);
  if (!isfinite(error) || !isfinite(scale)) return INFINITY;
  scale = fmax(scale, 1e4 * DBL_EPSILON * p->pull);
  return scale > 0 ? error / scale : error;
}

DLS_HOT static void add_scaled_3(void *pair, size_t begin, size_t end, double *sum) {
  add_scaled(pair, 3, begin, end, sum);
}

static void add_scaled_any(void *context, size_t begin, size_t end, double *sum) {
  Pair *pair = context;
  add_scaled(pair, (size_t)pair->p->block, begin, end, sum);
}

static void add_spins(void *context, size_t begin, size_t end, double *sum) {
  Pair *pair = context;
  const size_t block = (size_t)pair->p->block;
  Scaled sums = {0};
  for (size_t i = begin; i < end && !atomic_load(&pair->failed); i++)
    if (add_scaled_spins(pair->p, (int)i, pair->u_hat + i * block, pair->r_hat + i * block,
                         &sums) != DLS_OK)
      atomic_store(&pair->failed, true);
  sum[ERROR2] = sums.error2, sum[R2] = sums.r2, sum[Q2] = sums.q2, sum[U2] = sums.u2;
}

DlsStatus dls_errors_scaled_of(const DlsProblem *p, const double *r_hat, const double *u_hat,
                               double *scaled) {
  Pair pair = {.p = p, .r_hat = r_hat, .u_hat = u_hat};
  double sum[SCALED_SUMS];
  *scaled = INFINITY;
  dls_problem_sum(p, (size_t)p->contacts, SCALED_SUMS,
                  p->length       ? add_spins
                  : p->block == 3 ? add_scaled_3
                                  : add_scaled_any,
                  &pair, sum);
  DLS_TRY(tell_failure(&pair));
  const Scaled sums = {.error2 = sum[ERROR2], .r2 = sum[R2], .q2 = sum[Q2], .u2 = sum[U2]};
  *scaled = scaled_of(p, &sums);
  return DLS_OK;
}

DlsStatus dls_errors_scaled(const DlsProblem *p, const double *r_hat, double *u_hat,
                            double *scaled) {
  dls_problem_standard_velocity(p, r_hat, u_hat);
  return dls_errors_scaled_of(p, r_hat, u_hat, scaled);
}

static double amplification(const DlsProblem *p, const double *r_hat, const double *u_hat) {
  const double r = dls_problem_impulse_size(p, r_hat);
  if (r == 0) return 0;
  return r / fmax(p->load, dls_problem_velocity_size(p, u_hat));
}

typedef struct {
  Scaled scaled;
  double natural2, power, power_scale;
} Sums;

static DlsStatus add_contact(const DlsProblem *p, int i, const double *u, const double *r,
                             Sums *sums, DlsErrors *out) {
  const DlsRelation *relation = dls_problem_shared(p, i);
  const int block = p->block;
  double e[DLS_MAX_BLOCK], s[DLS_MAX_BLOCK];
  DLS_TRY(contact_map(p, i, 1.0, u, r, e));
  sums->natural2 += dls_small_dot(block, e, e);
  DLS_TRY(dls_errors_add_scaled(p, i, u, r, &sums->scaled));
  out->bipotential += dls_bipotential_contact(relation, p->dim, block, u, r, e, s);
  if (relation->cone == DLS_CONE_SIGNORINI || relation->cone == DLS_CONE_COULOMB ||
      relation->cone == DLS_CONE_ROLLING)
    out->penetration = fmax(out->penetration, -u[0]);
  if (relation->cone != DLS_CONE_CUSTOM) {
    const double shift = dls_cone_shift(relation, p->dim, block, u, NULL);
    const double power = dls_small_dot(block, u, r) + shift * r[0];
    sums->power += power;
    memcpy(s, u, (size_t)block * sizeof *s);
    s[0] += shift;
    sums->power_scale += dls_small_norm(block, s) * dls_small_norm(block, r);
  }
  return DLS_OK;
}

/* x·D x, made positive: D need not be symmetric, nor definite to the last digit. */
static double weighted(int block, const double *D, const double *x) {
  double sum = 0;
  for (int a = 0; a < block; a++) sum += x[a] * dls_small_dot(block, D + a * block, x);
  return fabs(sum);
}

/* The relative change of r̂ when each contact is solved once more with the others held. */
static double stagnation(const DlsProblem *p, const double *D, const double *u, const double *r) {
  const int block = p->block;
  double change = 0, size = 0;
  for (int i = 0; i < p->contacts; i++) {
    const size_t e = (size_t)i * (size_t)block;
    const double *Di = D + e * (size_t)block, *ri = r + e;
    double q[DLS_MAX_BLOCK], next[DLS_MAX_BLOCK];
    for (int k = 0; k < block; k++)
      q[k] = u[e + (size_t)k] - dls_small_dot(block, Di + k * block, ri);
    memcpy(next, ri, (size_t)block * sizeof *next);
    dls_local_solve(dls_problem_shared(p, i), p->dim, block, p->custom ? &p->custom[i] : NULL, Di,
                    q, next);
    for (int k = 0; k < block; k++) next[k] -= ri[k];
    change += weighted(block, Di, next);
    size += weighted(block, Di, ri);
  }
  return change == 0 ? 0 : sqrt(change / size);
}

static DlsStatus measure(const DlsProblem *p, const double *r_hat, const double *u_hat,
                         const double *D, DlsErrors *out) {
  Sums sums = {0};
  for (int i = 0; i < p->contacts; i++) {
    const size_t e = (size_t)i * (size_t)p->block;
    DLS_TRY(add_contact(p, i, u_hat + e, r_hat + e, &sums, out));
  }
  double r_norm, u_norm;
  physical_norms(p, r_hat, u_hat, &r_norm, &u_norm);
  const double q_norm = norm(p, p->q), error = sqrt(sums.natural2);
  out->natural = relative(error, largest(q_norm, r_norm, u_norm), p->round_off);
  out->natural_q = isfinite(out->natural) ? relative(error, q_norm, DBL_EPSILON) : INFINITY;
  out->scaled = scaled_of(p, &sums.scaled);
  out->energy = sums.power_scale > 0 ? fabs(sums.power) / sums.power_scale : 0;
  if (isfinite(out->natural)) out->stagnation = stagnation(p, D, u_hat, r_hat);
  if (!isfinite(out->energy)) out->energy = INFINITY;
  out->amplification = amplification(p, r_hat, u_hat);
  dls_status_count(p, r_hat, u_hat, sqrt(sums.scaled.error2), out);
  return DLS_OK;
}

DlsStatus dls_errors_measure(const DlsProblem *p, const double *r, double *u_out, DlsErrors *out) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  *out = (DlsErrors){
      .natural = INFINITY, .natural_q = INFINITY, .scaled = INFINITY, .stagnation = INFINITY};
  double *work; /* r̂, û, diagonal blocks */
  DLS_NEW(work, n * (2 + (size_t)p->block));
  memcpy(work, r, n * sizeof *r);
  dls_problem_to_standard(p, work);
  dls_problem_standard_velocity(p, work, work + n);
  dls_problem_standard_diagonal(p, work + 2 * n);
  const DlsStatus status = measure(p, work, work + n, work + 2 * n, out);
  free(work);
  if (u_out) dls_problem_velocity(p, r, u_out);
  return status;
}
