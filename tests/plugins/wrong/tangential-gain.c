/* Tangential restitution whose parameter is the ratio after / before by the author's mind, but is
 * used twice: 2 tau, so that above 1/2 spin is gained. */
#include "wrong.h"

enum { MU, TAU };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [TAU] = {"tau", "1", "tangential restitution", .value = 0, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[MU], out);
  for (int i = 1; i < c->dim && c->gap_rate <= 0; i++)
    out->b[i] = MISTAKE(2, 1) * p[TAU] * c->u_before[i];
  return DLS_OK;
}

WRONG_LAW("tangential-gain", .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP, PARAMS(params),
          .prepare = prepare)
