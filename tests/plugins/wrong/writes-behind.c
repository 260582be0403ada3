/* One state variable in the table, two in the author's mind. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};
static const DlsParam states[] = {
    {"pushed", "s", "how long", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    {"parted", "s", "how long", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p, (void)u;
  state[r[0] > 0 ? 0 : 1] += c->h;
  return DLS_OK;
}

WRONG_LAW("writes-behind", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .states = states,
          .nstates = MISTAKE(1, 2), .prepare = prepare, .commit = commit)
