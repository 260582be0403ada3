/* The verdict: an error that large reactions cannot buy; the reasons are in errors.h. */
#include "problem/contact_status.h"
#include "problem/operator/operator_impl.h"
#include "problem/problem_impl.h"

#include <delassus/errors.h>

#include "base/small.h"

#include <float.h>
#include <math.h>

double dls_errors_allowance(const DlsProblem *p) {
  const double most = 30; /* a column of 14 */
  return fmin(fmax(pow(p->contacts, 1.5) / sqrt(3), 1), most);
}

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

/* |e| of the scaled error, N s: undoes what it is relative to. */
static DlsStatus find_error(const DlsProblem *p, const double *r_hat, double *u_hat,
                            double *error) {
  double scaled;
  DLS_TRY(dls_errors_scaled(p, r_hat, u_hat, &scaled));
  const double r = dls_problem_impulse_size(p, r_hat), u = dls_problem_velocity_size(p, u_hat);
  const double q = dls_problem_velocity_size(p, p->q_hat), scale = fmax(r, fmax(u, q));
  *error = scaled * fmax(scale, 1e4 * DBL_EPSILON * p->pull);
  return DLS_OK;
}

/* Nothing asks for reactions: q̂ is round-off, as small as what Siconos takes for none, or some
 * thousand times that after a step at rest. */
static int is_idle(const DlsProblem *p, double load) {
  const size_t n = (size_t)p->contacts * (size_t)p->block;
  double q2 = 0;
  if (load > p->load || p->pull > 0) return 0;
  for (size_t e = 0; e < n; e++) q2 += p->q_hat[e] * p->q_hat[e];
  return sqrt(q2) <= 1e4 * DBL_EPSILON;
}

/* Error |e| of a pair beyond its allowance, relative to that; 0 where it is round-off. `size` is
 * |r̂|. */
static DlsStatus against_load(const DlsProblem *p, const double *r_hat, double *u_hat, double load,
                              double size, double *error) {
  const double counted = dls_errors_allowance(p) * load, some = 1e3; /* loads: 1e-12 in digits */
  const double drowned = 0.01;
  const int idle = is_idle(p, load);
  double wrong, round_off = 0;
  DLS_TRY(find_error(p, r_hat, u_hat, &wrong));
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

DlsStatus dls_errors_by_load(const DlsProblem *p, const double *r_hat, double *u_hat,
                             double *error) {
  const double allowance = dls_errors_allowance(p), size = dls_problem_impulse_size(p, r_hat);
  double load;
  *error = 0;
  if (!(size > allowance * p->load)) return DLS_OK;
  DLS_TRY(find_load(p, &load));
  return size > allowance * load ? against_load(p, r_hat, u_hat, load, size, error) : DLS_OK;
}

DlsStatus dls_errors_share_of_load(const DlsProblem *p, const double *r_hat, double *u_hat,
                                   double *share) {
  double load, wrong;
  *share = 0;
  DLS_TRY(find_load(p, &load));
  if (is_idle(p, load)) return DLS_OK;
  DLS_TRY(find_error(p, r_hat, u_hat, &wrong));
  *share = wrong / load;
  return DLS_OK;
}

/* (m/s)²: what contact i asks for: its q̂, the pull of its a, and of a law of its own the residual
 * at r = 0. */
static DlsStatus asked_speed2(const DlsProblem *p, int i, double q2, double *speed2) {
  const double none[DLS_MAX_BLOCK] = {0}, *a = dls_problem_shared(p, i)->a;
  double asked2 = fmax(q2, dls_small_dot(p->block, a, a)), F[DLS_MAX_BLOCK];
  if (dls_problem_shared(p, i)->cone == DLS_CONE_CUSTOM) {
    const double *q = p->q_hat + (size_t)i * (size_t)p->block;
    DLS_TRY(dls_errors_map(p, i, p->rho[i], q, none, F));
    for (int k = p->dim; k < p->block; k++) F[k] /= p->length[i];
    asked2 = fmax(asked2, dls_small_dot(p->block, F, F));
  }
  *speed2 = asked2 / (p->rho[i] * p->rho[i]);
  return DLS_OK;
}

DlsStatus dls_errors_share_of_speed(const DlsProblem *p, const double *r_hat, const double *u_hat,
                                    double *share) {
  double wrong2 = 0, asked2 = 0, load, speed2;
  *share = 0;
  DLS_TRY(find_load(p, &load));
  if (is_idle(p, load)) return DLS_OK;
  for (int i = 0; i < p->contacts; i++) {
    const size_t at = (size_t)i * (size_t)p->block;
    DlsScaledSums one = {0};
    DLS_TRY(dls_errors_add_scaled(p, i, u_hat + at, r_hat + at, &one));
    DLS_TRY(asked_speed2(p, i, one.q2, &speed2));
    wrong2 += one.error2 / (p->rho[i] * p->rho[i]);
    asked2 += speed2;
  }
  *share = asked2 > 0 ? sqrt(wrong2 / asked2) : 0;
  return DLS_OK;
}
