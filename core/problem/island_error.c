/* The error of each island beside its own numbers; the reasons are in errors.h. */
#include "problem/contact_status.h"
#include "problem/operator/operator_impl.h"
#include "problem/problem_impl.h"

#include <delassus/islands.h>

#include "base/memory.h"
#include "base/small.h"

#include <math.h>
#include <stdlib.h>

/* Of the largest |q̂_α|: velocities that are round-off, or nearly, beside it. */
static const double quiet = 1e-8;

DlsStatus dls_errors_add_own(const DlsProblem *p, int i, const double *r_hat, const double *u_hat,
                             double slow, DlsOwnSums *own) {
  const double none[DLS_MAX_BLOCK] = {0}, *a = dls_problem_shared(p, i)->a;
  const size_t at = (size_t)i * (size_t)p->block;
  DLS_TRY(dls_errors_add_scaled(p, i, u_hat + at, r_hat + at, &own->sums));
  own->pull2 += dls_small_dot(p->block, a, a);
  own->quiet2 += p->rho[i] * p->rho[i] * slow * slow;
  if (dls_problem_shared(p, i)->cone != DLS_CONE_CUSTOM) return DLS_OK;
  double F[DLS_MAX_BLOCK];
  DLS_TRY(dls_errors_map(p, i, p->rho[i], p->q_hat + at, none, F));
  own->asked2 += dls_small_dot(p->block, F, F);
  for (int k = p->dim; k < p->block; k++) F[k] /= p->length[i];
  own->asked_even2 += dls_small_dot(p->block, F, F);
  return DLS_OK;
}

static double scale2(const DlsOwnSums *own) {
  const double q2 = fmax(own->sums.q2, fmax(own->asked2, own->pull2));
  return fmax(q2, fmax(own->sums.r2, own->sums.u2));
}

double dls_errors_quiet_speed(const DlsProblem *p) {
  return fmax(quiet * p->fastest, 1e-10 * p->speed);
}

/* The largest of three sums is at least a third of the sum of what is largest in each contact. */
bool dls_errors_is_good_alone(const DlsOwnSums *own, double most) {
  return own->sums.error2 <= most * most / 3 * scale2(own);
}

/* Whether each contact alone is good enough, so that every island is. */
static DlsStatus all_are_good(const DlsProblem *p, const double *r_hat, const double *u_hat,
                              double most, double slow, bool *good) {
  *good = true;
  for (int i = 0; i < p->contacts && *good; i++) {
    DlsOwnSums own = {0};
    DLS_TRY(dls_errors_add_own(p, i, r_hat, u_hat, slow, &own));
    *good = dls_errors_is_good_alone(&own, most);
  }
  return DLS_OK;
}

DlsStatus dls_errors_worst_island(const DlsProblem *p, const double *r_hat, const double *u_hat,
                                  double most, double *worst) {
  const double slow = dls_errors_quiet_speed(p);
  bool good;
  int *island, islands = 0;
  DlsOwnSums *own = NULL;
  *worst = 0;
  if (p->contacts < 2) return DLS_OK;
  /* W of deformable bodies is dear to assemble. */
  if (!dls_operator_has_pattern(p->W) && !dls_operator_has_rows(p->W)) return DLS_OK;
  DLS_TRY(all_are_good(p, r_hat, u_hat, most, slow, &good));
  if (good) return DLS_OK;
  DLS_NEW(island, p->contacts);
  DlsStatus status = dls_islands_find(p->W, island, &islands);
  if (status == DLS_OK && islands > 1) {
    own = dls_memory_array((size_t)islands, sizeof *own);
    if (!own) status = dls_fail(DLS_ERR_MEMORY, "out of memory for %d islands", islands);
    for (int i = 0; i < p->contacts && status == DLS_OK; i++)
      status = dls_errors_add_own(p, i, r_hat, u_hat, slow, &own[island[i]]);
    for (int m = 0; m < islands && status == DLS_OK; m++) {
      const double error2 = own[m].sums.error2, share = sqrt(error2 / scale2(&own[m]));
      if (error2 > own[m].quiet2 && share > most) *worst = fmax(*worst, share);
    }
  }
  free(own);
  free(island);
  return status;
}
