/* Friction that ages with the contact, by the number of steps it has seen: half the step, twice as
 * old. */
#include "wrong.h"

enum { MU, RATE, OLD };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [RATE] = {"rate", "1", "growth of mu per e-fold of age", .value = 0.05, .min = 0, .max = 1},
    [OLD] = {"old", MISTAKE("1", "s"), "age that counts", .value = MISTAKE(1, 1e-3), .min = 1e-9,
             .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {
    {"age", MISTAKE("1", "s"), "of the contact", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  dry(c, p[MU] * (1 + p[RATE] * log1p(state[0] / p[OLD])), out);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p, (void)u, (void)r;
  state[0] += MISTAKE(1 + 0 * c->h, c->h);
  return DLS_OK;
}

WRONG_LAW("counts-steps", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, PARAMS(params),
          STATES(states), .prepare = prepare, .commit = commit)
