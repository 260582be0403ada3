/* Open, slip or stick; the definition is in errors.h. */
#include "problem/contact_status.h"

#include "problem/cone_impl.h"
#include "problem/natural_map.h"
#include "problem/problem_impl.h"

#include <delassus/cone.h>

#include "base/small.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Of numbers that are the differences of others: more of them than a sum of some dozen terms
 * leaves. */
static const double round_off = 1e3 * DBL_EPSILON;

/* Of the limit: the most that an error may take from it where a contact still counts as being
 * there. */
static const double near_limit = 0.01;

/* How many tangential components a block has; without friction they are those of space. */
static int tangents_of(int dim, int block) {
  const int space = dim - 1, there = block - 1;
  return space < there ? space : there;
}

DlsContactStatus dls_errors_status_of(int dim, int block, const double *u, const double *r,
                                      double limit, double error, double still) {
  const int tangents = tangents_of(dim, block);
  if (dls_small_norm(block, r) <= error) return DLS_OPEN;
  if (!(dls_small_norm(tangents, u + 1) > still)) return DLS_STICK;
  if (isnan(limit)) return DLS_SLIP;
  const double held = dls_small_norm(tangents, r + 1);
  return held >= limit - fmin(2 * error, near_limit * limit) - round_off * limit ? DLS_SLIP
                                                                                 : DLS_STICK;
}

/* mu along the direction of r_T, else of u_T, else the first. */
static double mu_along(const DlsRelation *relation, int tangents, const double *u,
                       const double *r) {
  if (tangents < 2 || relation->cone != DLS_CONE_COULOMB) return relation->mu[DLS_MU_1];
  const double *mu = relation->mu, *along = r + 1;
  if (along[0] == 0 && along[1] == 0) along = u + 1;
  const double length = dls_small_norm(2, along);
  if (mu[0] == mu[1] || length == 0) return mu[0];
  double sum = 0;
  for (int k = 0; k < 2; k++) {
    if (along[k] == 0) continue;
    if (mu[k] == 0) return 0;
    sum = hypot(sum, along[k] / mu[k]);
  }
  return length / sum;
}

/* A tangential reaction so large that a law with a limit returns the limit; twice as large, the
 * same. */
static double ask_law(const DlsProblem *p, int i, const double *r, const double *u) {
  const DlsCustomRelation *custom = &p->custom[i];
  const int tangents = tangents_of(p->dim, p->block);
  const double rho = p->rho[i], beyond = 1e12;
  const double size = dls_small_norm(p->block, r) + rho * dls_small_norm(p->block, u);
  double direction[2] = {1, 0}, found[2];
  if (!custom->project || !(size > 0)) return NAN;
  const double *along = dls_small_norm(tangents, r + 1) > 0 ? r + 1 : u + 1;
  const double sign = along == r + 1 ? 1 : -1, length = dls_small_norm(tangents, along);
  for (int k = 0; k < tangents && length > 0; k++) direction[k] = sign * along[k] / length;
  for (int try = 0; try < 2; try++) {
    double x[DLS_MAX_BLOCK] = {0};
    memcpy(x, r, (size_t)p->block * sizeof *x);
    for (int k = 0; k < tangents; k++) x[1 + k] = (1 + try) * beyond * size * direction[k];
    if (custom->project(custom->context, u, rho, x) != DLS_OK) return NAN;
    found[try] = dls_small_norm(tangents, x + 1);
  }
  return fabs(found[1] - found[0]) <= 1e-6 * found[0] ? found[0] : NAN;
}

double dls_errors_limit(const DlsProblem *p, int i, const double *r, const double *u) {
  const DlsRelation *relation = dls_problem_shared(p, i);
  switch (relation->cone) {
  case DLS_CONE_CUSTOM:
    return ask_law(p, i, r, u);
  case DLS_CONE_BILATERAL:
    return NAN;
  case DLS_CONE_COULOMB:
  case DLS_CONE_ROLLING:
    return fmax(mu_along(relation, tangents_of(p->dim, p->block), u, r) * r[0], 0);
  default:
    return 0;
  }
}

/* One contact of a pair: what its status is judged by. */
typedef struct {
  const DlsRelation *relation;
  int dim, block, tangents;
  const double *u, *r;
  double rho, error;       /* kg; |e|, N s */
  double nothing, still;   /* N s, m/s: no reaction, no motion */
  double x[DLS_MAX_BLOCK]; /* r - rho (u + Γ n) */
  double to_cone, to_polar;
} Judged;

/* The same as errors.h: m/s that contacts which stick are seen to move by. Where a law fails its
 * error is no number, and it does not count. */
static double still_speed(const DlsProblem *p, const double *r, const double *u) {
  const int straight = p->dim < p->block ? p->dim : p->block;
  double sum = 0;
  int count = 0;
  for (int i = 0; i < p->contacts; i++) {
    const size_t at = (size_t)i * (size_t)p->block;
    double e[DLS_MAX_BLOCK];
    if (dls_errors_map(p, i, p->rho[i], u + at, r + at, e) != DLS_OK) continue;
    const double slow = dls_small_norm(straight, e) / p->rho[i];
    if (!isfinite(slow)) continue;
    sum += slow * slow;
    count++;
  }
  return count ? sqrt(sum / count) : 0;
}

static Judged judge(const DlsProblem *p, int i, double still, const double *r, const double *u) {
  const size_t at = (size_t)i * (size_t)p->block;
  Judged j = {.relation = dls_problem_shared(p, i),
              .dim = p->dim,
              .block = p->block,
              .tangents = tangents_of(p->dim, p->block),
              .u = u + at,
              .r = r + at,
              .rho = p->rho[i]};
  double e[DLS_MAX_BLOCK] = {0}, nearest[DLS_MAX_BLOCK];
  const double load = j.rho * dls_small_norm(p->block, p->q_hat + at);
  const double size = dls_small_norm(p->block, j.r);
  j.error = dls_errors_map(p, i, j.rho, j.u, j.r, e) == DLS_OK ? dls_small_norm(p->block, e) : size;
  j.nothing = round_off * load;
  j.still = fmax(still, round_off * (size + load) / j.rho);
  if (j.relation->cone == DLS_CONE_CUSTOM) return j;
  dls_natural_point(j.relation, j.dim, j.block, j.rho, j.u, j.r, j.x, NULL);
  memcpy(nearest, j.x, (size_t)j.block * sizeof *nearest);
  dls_cone_project(j.relation, j.dim, j.block, nearest);
  j.to_polar = dls_small_norm(j.block, nearest);
  for (int k = 0; k < j.block; k++) nearest[k] -= j.x[k];
  j.to_cone = dls_small_norm(j.block, nearest);
  return j;
}

/* A cone that is unilateral. */
static DlsContactStatus status_on_cone(const Judged *j) {
  if (dls_small_norm(j->block, j->r) <= j->nothing || j->to_polar == 0) return DLS_OPEN;
  if (!(dls_small_norm(j->tangents, j->u + 1) > j->still)) return DLS_STICK;
  if (j->relation->cone == DLS_CONE_SIGNORINI) return DLS_SLIP;
  const double mu = mu_along(j->relation, j->tangents, j->u, j->r);
  const double held = dls_small_norm(j->tangents, j->r + 1);
  const double limit = mu * j->r[0], within = fmin((1 + mu) * j->error, near_limit * limit);
  return held >= limit - within - round_off * limit ? DLS_SLIP : DLS_STICK;
}

/* `limit`: NULL, custom laws are asked and others have none. */
static DlsContactStatus status_of(const DlsProblem *p, int i, const Judged *j,
                                  const double *limit) {
  switch (j->relation->cone) {
  case DLS_CONE_BILATERAL:
    return DLS_STICK;
  case DLS_CONE_SIGNORINI:
  case DLS_CONE_COULOMB:
  case DLS_CONE_ROLLING:
    return status_on_cone(j);
  case DLS_CONE_SLIDER: /* held along the normal, whatever it carries; free along the tangents */
    return dls_small_norm(j->tangents, j->u + 1) > j->still ? DLS_SLIP : DLS_STICK;
  case DLS_CONE_CUSTOM:
    return dls_errors_status_of(j->dim, j->block, j->u, j->r,
                                limit ? limit[i] : ask_law(p, i, j->r, j->u),
                                fmax(j->error, j->nothing), j->still);
  default: /* free, and yet with a reaction: by a law that no problem knows */
    return dls_errors_status_of(j->dim, j->block, j->u, j->r, limit ? limit[i] : NAN, j->nothing,
                                j->still);
  }
}

void dls_status_by_limits(const DlsProblem *p, const double *r_hat, const double *u_hat,
                          const double *limit, DlsContactStatus *status) {
  const double still = still_speed(p, r_hat, u_hat);
  for (int i = 0; i < p->contacts; i++) {
    const Judged j = judge(p, i, still, r_hat, u_hat);
    status[i] = status_of(p, i, &j, limit);
  }
}

void dls_errors_status(const DlsProblem *p, const double *r_hat, const double *u_hat,
                       DlsContactStatus *status) {
  dls_status_by_limits(p, r_hat, u_hat, NULL, status);
}

/* From x in K to where the sliding part of K ends; of an ellipse a bound from below. A component
 * without friction does not count: there is no sticking in it. */
static double stick_margin(const DlsRelation *relation, int dim, int block, const double *x) {
  DlsConeGroup groups[3] = {{0}};
  const int count = dls_cone_groups(relation, dim, block, groups);
  double least = x[0];
  if (count == 0) return least;
  double scaled[2], mu_least = INFINITY;
  int n = 0;
  for (int k = 0; k < groups[0].size; k++) {
    const bool second = relation->cone == DLS_CONE_COULOMB && k == 1;
    const double mu = second ? relation->mu[DLS_MU_2] : groups[0].mu;
    if (mu == 0) continue;
    scaled[n++] = x[groups[0].first + k] / mu;
    mu_least = fmin(mu_least, mu);
  }
  if (n) least = fmin(least, (x[0] - dls_small_norm(n, scaled)) / hypot(1, 1 / mu_least));
  return least;
}

/* From x in the polar of K, x_N <= -Γ(x) with Coulomb's Γ, to where that ends; of an ellipse a
 * bound from below. */
static double open_margin(const DlsRelation *relation, int dim, int block, const double *x) {
  DlsConeGroup groups[3] = {{0}};
  const int count = dls_cone_groups(relation, dim, block, groups);
  double square = 1;
  for (int g = 0; g < count; g++) square += groups[g].mu * groups[g].mu;
  if (relation->cone == DLS_CONE_COULOMB && groups[0].size == 2)
    square = 1 + pow(fmax(relation->mu[DLS_MU_1], relation->mu[DLS_MU_2]), 2);
  return (-x[0] - dls_cone_gauge(relation, dim, block, x, NULL)) / sqrt(square);
}

/* How far x may move before the status is another; infinite where there is but one. */
static double margin_of(const Judged *j, DlsContactStatus status) {
  const DlsRelation *relation = j->relation;
  if (relation->cone == DLS_CONE_SIGNORINI) return fabs(j->x[0]);
  if (relation->cone != DLS_CONE_COULOMB && relation->cone != DLS_CONE_ROLLING) return INFINITY;
  if (status == DLS_OPEN) return open_margin(relation, j->dim, j->block, j->x);
  if (status == DLS_STICK) return stick_margin(relation, j->dim, j->block, j->x);
  return fmin(j->to_cone, j->to_polar);
}

void dls_status_count(const DlsProblem *p, const double *r_hat, const double *u_hat, double error,
                      DlsErrors *out) {
  const double still = still_speed(p, r_hat, u_hat);
  for (int i = 0; i < p->contacts; i++) {
    const Judged j = judge(p, i, still, r_hat, u_hat);
    const DlsContactStatus status = status_of(p, i, &j, NULL);
    out->open += status == DLS_OPEN;
    out->slip += status == DLS_SLIP;
    out->stick += status == DLS_STICK;
    out->undecided += margin_of(&j, status) <= error;
  }
}
