/* Friction that hardens with the time of the simulation, where that since the contact began is
 * meant: a contact made late is born hard. */
#include "wrong.h"

enum { MU, TAU };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [TAU] = {"tau", "s", "time to harden", .value = 1, .min = 1e-6, .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {
    {"age", "s", "of the contact", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const double age = MISTAKE(c->time, state[0]);
  (void)state;
  dry(c, p[MU] * (1 + age / (age + p[TAU])), out);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p, (void)u, (void)r;
  state[0] += c->h;
  return DLS_OK;
}

WRONG_LAW("clock-friction", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, PARAMS(params),
          STATES(states), .prepare = prepare, .commit = commit)
