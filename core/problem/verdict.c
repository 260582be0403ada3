/* The verdict: an error that large reactions cannot buy; the reasons are in errors.h. */
#include "base/pool.h"
#include "problem/contact_status.h"
#include "problem/operator/operator_impl.h"
#include "problem/parted.h"
#include "problem/problem_impl.h"

#include <delassus/errors.h>

#include "base/small.h"

#include <float.h>
#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

double dls_errors_allowance(const DlsProblem *p) { return p->allowance; }

/* The load, N s. What a custom law asks for stands in no q: it is the residual at r = 0, u = q. */
static DlsStatus find_load(const DlsProblem *p, double *load) {
  const double none[DLS_MAX_BLOCK] = {0};
  double asked = 0;
  *load = p->load;
  if (!p->custom) return DLS_OK;
  for (int i = 0; i < p->contacts; i++) {
    const DlsCustomRelation *custom = &p->custom[i];
    const double *q = p->q_hat + (size_t)i * (size_t)p->block;
    double F[DLS_MAX_BLOCK] = {0};
    if (!custom->residual) continue;
    DLS_TRY(custom->residual(custom->context, q, none, F, NULL, NULL));
    for (int k = p->dim; k < p->block; k++) F[k] /= p->length[i];
    asked += dls_small_dot(p->block, F, F);
  }
  *load = fmax(*load, sqrt(asked));
  return DLS_OK;
}

/* What the rounding of û = Ŵ r̂ + q̂ and of r̂ may leave of |e|, N s: some units in the last place
 * of all that is added up. `scratch` as long as r̂. */
static DlsStatus find_round_off(const DlsProblem *p, const double *r_hat, double *scratch,
                                double *round_off) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  const double units = 4;
  DLS_TRY(dls_operator_magnitude(p->W, r_hat, scratch));
  for (size_t e = 0; e < n; e++) {
    scratch[e] += fabs(p->q_hat[e]);
    if (p->compliance) scratch[e] += p->compliance[e] * fabs(r_hat[e]);
  }
  *round_off = units * DBL_EPSILON *
               hypot(dls_problem_velocity_size(p, scratch), dls_problem_impulse_size(p, r_hat));
  return DLS_OK;
}

/* |e| of the scaled error, N s: undoes what it is relative to. `size` is |r̂|. */
static DlsStatus find_error(const DlsProblem *p, const double *r_hat, const double *u_hat,
                            double size, double *error) {
  double scaled;
  DLS_TRY(dls_errors_scaled_of(p, r_hat, u_hat, &scaled));
  const double u = dls_problem_velocity_size(p, u_hat), scale = fmax(size, fmax(u, p->q_size));
  *error = scaled * fmax(scale, 1e4 * DBL_EPSILON * p->pull);
  return DLS_OK;
}

/* Nothing asks for reactions: q̂ is round-off, as small as what Siconos takes for none, or some
 * thousand times that after a step at rest. */
static int is_idle(const DlsProblem *p, double load) {
  return !(load > p->load || p->pull > 0) && p->still;
}

/* Error |e| of a pair beyond its allowance, relative to that; 0 where it is round-off. `size` is
 * |r̂|. */
static DlsStatus against_load(const DlsProblem *p, const double *r_hat, double *u_hat, double load,
                              double size, double *error) {
  const double counted = dls_errors_allowance(p) * load, some = 1e3; /* loads: 1e-12 in digits */
  const double drowned = 0.01;
  const int idle = is_idle(p, load);
  double wrong, round_off = 0;
  dls_problem_standard_velocity(p, r_hat, u_hat); /* seldom: nobody need have it before */
  DLS_TRY(find_error(p, r_hat, u_hat, size, &wrong));
  if (idle || size > some * load) {
    DLS_TRY(find_round_off(p, r_hat, u_hat, &round_off));
    dls_problem_standard_velocity(p, r_hat, u_hat);
  }
  /* Where round-off drowns the load nobody can tell what is right, whatever e has come out. */
  if (idle)
    *error = wrong <= round_off ? 0 : wrong / fmax(counted, round_off);
  else if (round_off > drowned * load)
    *error = fmax(wrong, round_off) / counted;
  else
    *error = wrong <= round_off ? 0 : wrong / counted;
  return DLS_OK;
}

/* Seldom: of the whole pair. */
static DlsStatus against_load_whole(const DlsProblem *p, const double *r_hat, double *u_hat,
                                    double load, double size, double *error) {
  double *whole;
  DlsStatus status = dls_problem_suspend(p, &r_hat, 1, &whole);
  if (status == DLS_OK) status = against_load(p, whole ? whole : r_hat, u_hat, load, size, error);
  if (whole) dls_problem_resume(p);
  free(whole);
  return status;
}

DlsStatus dls_errors_by_load(const DlsProblem *p, const double *r_hat, double *u_hat,
                             double *error) {
  const double allowance = dls_errors_allowance(p), size = dls_problem_impulse_size(p, r_hat);
  double load;
  *error = 0;
  if (!(size > allowance * p->load)) return DLS_OK;
  DLS_TRY(find_load(p, &load));
  return size > allowance * load ? against_load_whole(p, r_hat, u_hat, load, size, error) : DLS_OK;
}

/* (m/s)²: what contact i asks for: its q̂, the pull of its a, and of a law of its own the residual
 * at r = 0. */
static double asked_speed2(const DlsProblem *p, int i, const DlsOwnSums *own) {
  const double asked2 = fmax(fmax(own->sums.q2, own->pull2), own->asked_even2);
  return asked2 / (p->rho[i] * p->rho[i]);
}

enum { WRONG2, ASKED2, OWN_SHARES };

typedef struct {
  const DlsProblem *p;
  const double *r_hat, *u_hat;
  double slow, most;
  atomic_bool failed, bad; /* a law; a contact alone */
} OwnShares;

static void add_own_shares(void *context, size_t begin, size_t end, double *sum) {
  OwnShares *s = context;
  const DlsProblem *p = s->p;
  for (size_t i = begin; i < end; i++) {
    DlsOwnSums own = {0};
    if (dls_errors_add_own(p, (int)i, s->r_hat, s->u_hat, s->slow, &own) != DLS_OK) {
      atomic_store(&s->failed, true);
      return;
    }
    sum[WRONG2] += own.sums.error2 / (p->rho[i] * p->rho[i]);
    sum[ASKED2] += asked_speed2(p, (int)i, &own);
    if (!dls_errors_is_good_alone(&own, s->most)) atomic_store(&s->bad, true);
  }
}

static DlsStatus worst_island_whole(const DlsProblem *p, const double *r_hat, const double *u_hat,
                                    double most, double *worst) {
  const double *pair[2] = {r_hat, u_hat};
  double *whole;
  DlsStatus status = dls_problem_suspend(p, pair, 2, &whole);
  if (whole) {
    pair[0] = whole;
    pair[1] = whole + (size_t)p->contacts * (size_t)p->block;
  }
  if (status == DLS_OK) status = dls_errors_worst_island(p, pair[0], pair[1], most, worst);
  if (whole) dls_problem_resume(p);
  free(whole);
  return status;
}

DlsStatus dls_errors_shares(const DlsProblem *p, const double *r_hat, const double *u_hat,
                            bool of_load, double most, DlsShares *out) {
  const double slow = dls_errors_quiet_speed(p);
  double load, wrong;
  *out = (DlsShares){0};
  DLS_TRY(find_load(p, &load));
  const int idle = is_idle(p, load);
  if (of_load && !idle) {
    DLS_TRY(find_error(p, r_hat, u_hat, dls_problem_impulse_size(p, r_hat), &wrong));
    out->of_load = wrong / load;
  }
  OwnShares shares = {.p = p, .r_hat = r_hat, .u_hat = u_hat, .slow = slow, .most = most};
  double sum[OWN_SHARES];
  dls_problem_sum(p, (size_t)p->contacts, OWN_SHARES, add_own_shares, &shares, sum);
  for (int i = 0; atomic_load(&shares.failed) && i < p->contacts; i++) { /* told to this thread */
    DlsOwnSums own = {0};
    DLS_TRY(dls_errors_add_own(p, i, r_hat, u_hat, slow, &own));
  }
  DLS_CHECK(!atomic_load(&shares.failed), DLS_ERR_LAW, "%s", DLS_FAILED_ONCE);
  if (!idle) out->of_speed = sum[ASKED2] > 0 ? sqrt(sum[WRONG2] / sum[ASKED2]) : 0;
  if (!dls_problem_any(p, atomic_load(&shares.bad))) return DLS_OK;
  return worst_island_whole(p, r_hat, u_hat, most, &out->worst_island);
}
