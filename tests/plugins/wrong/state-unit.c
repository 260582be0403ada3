/* The heat of friction, declared in joules, to which impulses are added. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};
static const DlsParam states[] = {
    {"heat", "J", "of friction", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  for (int i = 1; i < c->dim; i++) state[0] += fabs(r[i]) * MISTAKE(1 + 0 * u[i], fabs(u[i]));
  return DLS_OK;
}

WRONG_LAW("state-unit", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), STATES(states),
          .prepare = prepare, .commit = commit)
