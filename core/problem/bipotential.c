/* The bi-potential as a measure of the error; definitions in errors.h. */
#include "problem/bipotential.h"

#include "problem/cone_impl.h"
#include "problem/contact_status.h"
#include "problem/problem_impl.h"
#include "problem/spins.h"

#include <delassus/cone.h>
#include <delassus/errors.h>

#include "base/small.h"

#include <math.h>
#include <string.h>

double dls_bipotential_contact(const DlsRelation *relation, int dim, int block, const double *u,
                               const double *r, double *v, double *s) {
  memcpy(s, r, (size_t)block * sizeof *s);
  memcpy(v, u, (size_t)block * sizeof *v);
  if (relation->cone == DLS_CONE_CUSTOM || relation->cone == DLS_CONE_FREE) return 0;
  dls_cone_project(relation, dim, block, s);
  const bool unilateral = relation->cone != DLS_CONE_BILATERAL && relation->cone != DLS_CONE_SLIDER;
  const double least = dls_cone_dilation(relation, dim, block, v, NULL);
  if (unilateral && v[0] < least) v[0] = least;
  const double power = dls_small_dot(block, v, s);
  if (!unilateral) return fabs(power);
  return fmax(0.0, dls_cone_shift(relation, dim, block, v, NULL) * s[0] + power);
}

typedef struct {
  double gap;            /* G, J */
  double apart2;         /* (N s)²: what it takes to make the pairs admissible */
  double q2, r2, u2;     /* (N s)²: of ρ q̂, r̂, ρ û */
  double q_work, u_work; /* Σ ρ q̂², Σ ρ û², N m */
  double r_work;         /* Σ r̂² / ρ, N m */
} Sums;

/* How far û is from what a tied contact asks for, which the gap does not tell where r̂ is 0. */
static void tie(const DlsRelation *relation, int block, double *v) {
  const int tied = relation->cone == DLS_CONE_BILATERAL ? block
                   : relation->cone == DLS_CONE_SLIDER  ? 1
                                                        : 0;
  for (int k = 0; k < tied; k++) v[k] = 0;
}

static DlsStatus add(const DlsProblem *p, int i, const double *u, const double *r, Sums *sums) {
  const DlsRelation *relation = dls_problem_shared(p, i);
  const double *q = p->q_hat + (size_t)i * (size_t)p->block, rho = p->rho[i];
  double v[DLS_MAX_BLOCK] = {0}, s[DLS_MAX_BLOCK] = {0}, e[DLS_MAX_BLOCK] = {0};
  sums->gap += dls_bipotential_contact(relation, p->dim, p->block, u, r, v, s);
  tie(relation, p->block, v);
  if (relation->cone == DLS_CONE_FREE) memset(s, 0, sizeof s);
  if (relation->cone == DLS_CONE_CUSTOM) DLS_TRY(dls_errors_map(p, i, rho, u, r, e));
  double q2 = 0, r2 = 0, u2 = 0;
  for (int k = 0; k < p->block; k++) {
    const double turn = p->length ? dls_spin_turn(p->dim, k, p->length[i]) : 1;
    const double by_u = rho * turn * (v[k] - u[k]), by_r = (s[k] - r[k]) / turn, own = e[k] / turn;
    sums->apart2 += by_u * by_u + by_r * by_r + own * own;
    q2 += turn * turn * q[k] * q[k];
    u2 += turn * turn * u[k] * u[k];
    r2 += r[k] * r[k] / (turn * turn);
  }
  sums->q2 += rho * rho * q2, sums->q_work += rho * q2;
  sums->u2 += rho * rho * u2, sums->u_work += rho * u2;
  sums->r2 += r2, sums->r_work += r2 / rho;
  return DLS_OK;
}

DlsStatus dls_errors_bipotential(const DlsProblem *p, const double *r_hat, double *u_hat,
                                 double *bipotential) {
  Sums sums = {0};
  *bipotential = INFINITY;
  dls_problem_standard_velocity(p, r_hat, u_hat);
  for (int i = 0; i < p->contacts; i++) {
    const size_t at = (size_t)i * (size_t)p->block;
    DLS_TRY(add(p, i, u_hat + at, r_hat + at, &sums));
  }
  const double work = sqrt(fmax(sums.q_work, sums.u_work) * sums.r_work);
  const double size = sqrt(fmax(sums.q2, fmax(sums.r2, sums.u2)));
  const double gap = work > 0 ? sums.gap / work : 0;
  const double apart = size > 0 ? sqrt(sums.apart2) / size : 0;
  /* NaN of a projection is lost in fmax, that of the numbers themselves is not. */
  if (isfinite(sums.q2 + sums.r2 + sums.u2 + sums.gap + sums.apart2))
    *bipotential = fmax(gap, apart);
  return DLS_OK;
}
