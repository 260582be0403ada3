/* Friction of a grained surface, by the angle between the normal and the grain of the antagonist:
 * it claims that the bodies may change places, and never looks at the candidate. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  double grain = 0;
  for (int side = 0; side < MISTAKE(1, 2); side++) {
    double along = 0;
    for (int k = 0; k < 3; k++) along += c->frame[0][k] * c->axes[side][0][k];
    grain += along * along;
  }
  dry(c, p[0] * (1 + grain), out);
  return DLS_OK;
}

WRONG_LAW("swap-asymmetric", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, PARAMS(params),
          .prepare = prepare)
