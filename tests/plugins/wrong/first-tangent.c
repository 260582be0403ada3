/* Friction that weakens with the speed of sliding, of which the author takes the first component:
 * in other tangent axes it is another law. */
#include "wrong.h"

enum { MU, V };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [V] = {"v", "m/s", "speed of weakening", .value = 0.5, .min = 1e-6, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const double speed = dls_law_length(c->u_before + 1, MISTAKE(1, c->dim - 1));
  dry(c, p[MU] / (1 + speed / p[V]), out);
  return DLS_OK;
}

WRONG_LAW("first-tangent", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, .blocks = DLS_BLOCK(3),
          PARAMS(params), .prepare = prepare)
