/* Damage that grows with sliding and is not stopped at 1. */
#include "wrong.h"

enum { MU, LENGTH };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [LENGTH] = {"length", "m", "slip that destroys", .value = 1e-3, .min = 1e-9,
                .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {
    {"damage", "1", "0 sound, 1 destroyed", .value = 0, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  dry(c, p[MU] * (1 - 0.5 * fmin(state[0], 1)), out);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  double speed = 0;
  for (int i = 1; i < c->dim; i++) speed = hypot(speed, u[i]);
  if (r[0] > 0) state[0] += c->h * speed / p[LENGTH];
  state[0] = fmin(state[0], MISTAKE(DLS_NO_BOUND, 1));
  return DLS_OK;
}

WRONG_LAW("commit-overshoot", PARAMS(params), STATES(states), .prepare = prepare, .commit = commit)
