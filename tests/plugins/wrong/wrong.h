/* What the wrong laws share. Each file here is a law with one error of the kind that authors make;
 * tests/io/law_check_test.c says which check of `delassus law check` must find it. Each is built
 * twice: as it is, and as its right twin, in which MISTAKE(wrong, right) is what is right, and
 * which passes every check. */
#ifndef DELASSUS_TESTS_WRONG_H
#define DELASSUS_TESTS_WRONG_H

#include <delassus/law.h>

#ifdef DELASSUS_RIGHT_TWIN
#define MISTAKE(wrong, right) right
#else
#define MISTAKE(wrong, right) wrong
#endif

#define WRONG_LAW(law_name, ...)                                                                   \
  static const DlsLaw law = {DLS_LAW_HEAD, .name = (law_name), .summary = "a law with an error",   \
                             .references = "none", __VA_ARGS__};                                   \
  const DlsLaw *dls_law_entry(void) { return &law; }

#define PARAMS(table) .params = (table), .nparams = DLS_COUNT(table)
#define STATES(table) .states = (table), .nstates = DLS_COUNT(table)

/* ½ r·(u + u⁻): the work of the impulse on the bodies. */
static inline double work_of(const DlsContact *c, const double *u, const double *r) {
  double work = 0;
  for (int i = 0; i < c->block; i++) work += 0.5 * r[i] * (u[i] + c->u_before[i]);
  return work;
}

/* Dry friction without restitution; in blocks with spins no torque. */
static inline void dry(const DlsContact *c, double mu, DlsRelation *out) {
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = mu;
  out->b[0] = c->gap_rate;
}

#define MU_ROW                                                                                     \
  { "mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND }

/* A spring of compliance C(c, p), û_N = u_N + ... + C r_N, and what it stores: ½ C r_N². */
#define SPRING_ROW                                                                                 \
  { "stored_energy", "J", "of the spring", .value = 0, .min = 0, .max = DLS_NO_BOUND }
#define SPRING_FUNCTIONS(C)                                                                        \
  static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,  \
                          double *state) {                                                         \
    (void)u;                                                                                       \
    state[0] = 0.5 * C(c, p) * r[0] * r[0];                                                        \
    return DLS_OK;                                                                                 \
  }                                                                                                \
  static DlsStatus energy(const DlsContact *c, const double *p, const double *state,               \
                          const double *u, const double *r, double *stored, double *dissipated) {  \
    *stored = 0.5 * C(c, p) * r[0] * r[0];                                                         \
    *dissipated = -work_of(c, u, r) - (*stored - state[0]);                                        \
    return DLS_OK;                                                                                 \
  }

#endif
