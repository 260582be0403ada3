/* Rolling friction with a pure number where a length is due: a torque in newtons. */
#include "wrong.h"

enum { MU, ROLL };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [ROLL] = {"roll", "1", "rolling friction over the radius", .value = 0.1, .min = 0,
              .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[MU], out);
  out->mu[DLS_MU_ROLL] = p[ROLL] * MISTAKE(1, c->radius);
  return DLS_OK;
}

WRONG_LAW("torque-unit", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(6), PARAMS(params),
          .prepare = prepare)
