/* Bonds that are made in the first seconds of a run alone, by a law that does not say that it looks
 * at the clock. */
#include "wrong.h"

enum { MU, F_C, UNTIL };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [F_C] = {"F_C", "N", "strength", .value = 10, .min = 0, .max = DLS_NO_BOUND},
    [UNTIL] = {"until", "s", "time at which the glue is dry", .value = 5, .min = 0,
               .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {{"bond", "1", "1 glued", .value = 0, .min = 0, .max = 1}};

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[0] = c->time < p[UNTIL];
  return DLS_OK;
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  dry(c, p[MU], out);
  if (c->gap_rate <= 0 && state[0] > 0) out->a[0] = c->h * p[F_C];
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p, (void)r;
  if (c->gap + c->h * u[0] > 1e-9 * c->radius) state[0] = 0;
  return DLS_OK;
}

WRONG_LAW("clock-untold", .claims = MISTAKE(0, DLS_CLAIM_CLOCK), PARAMS(params), STATES(states),
          .begin = begin, .prepare = prepare, .commit = commit)
