/* Friction that grows with the larger of the two bodies, by a law that claims to look at the
 * contact alone; the reduced radius is of the contact. */
#include "wrong.h"

enum { MU, LENGTH };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [LENGTH] = {"length", "m", "radius that doubles friction", .value = 0.1, .min = 1e-6,
                .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const double size = MISTAKE(c->radii[0] > c->radii[1] ? c->radii[0] : c->radii[1], c->radius);
  dry(c, p[MU] * (1 + size / p[LENGTH]), out);
  return DLS_OK;
}

WRONG_LAW("size-untold", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
          PARAMS(params), .prepare = prepare)
