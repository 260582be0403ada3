/* Friction by the cosh of the speed: beyond 700 of its scales there is no such number. */
#include "wrong.h"

enum { MU, V };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [V] = {"v", "m/s", "speed", .value = 1, .min = 1e-3, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const double speed = dls_law_length(c->u_before + 1, c->dim - 1) / p[V];
  const double wide = cosh(fmin(speed, MISTAKE(DLS_NO_BOUND, 30)));
  dry(c, p[MU] * wide / (1 + wide), out);
  return DLS_OK;
}

WRONG_LAW("overflows", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
