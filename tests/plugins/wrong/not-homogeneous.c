/* Claims to be homogeneous, but its friction weakens with the speed. */
#include "wrong.h"

enum { MU, V };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [V] = {"v", "m/s", "speed of weakening", .value = 0.5, .min = 1e-6, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  double speed = 0;
  for (int i = 1; i < c->dim; i++) speed = hypot(speed, c->u_before[i]);
  dry(c, p[MU] * exp(-MISTAKE(speed, 0 * speed) / p[V]), out);
  return DLS_OK;
}

WRONG_LAW("not-homogeneous", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS, PARAMS(params),
          .prepare = prepare)
