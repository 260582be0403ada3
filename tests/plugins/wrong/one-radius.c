/* Friction by the size of the body, of which the antagonist's is taken: the bodies cannot change
 * places. */
#include "wrong.h"

enum { MU, SIZE };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [SIZE] = {"size", "m", "that halves friction", .value = 0.1, .min = 1e-6, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[MU] / (1 + MISTAKE(c->radii[0], c->radius) / p[SIZE]), out);
  return DLS_OK;
}

WRONG_LAW("one-radius", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, PARAMS(params),
          .prepare = prepare)
