/* Dry friction that is another one on boundaries, by the ids of the bodies, which the law claims
 * not to look at: what it is told of them then is nothing. */
#include "wrong.h"

enum { MU, MU_WALL };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [MU_WALL] = {"mu_wall", "1", "friction coefficient on boundaries", .value = 0.6, .min = 0,
                 .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, c->body[0] < 0 || c->body[1] < 0 ? p[MU_WALL] : p[MU], out);
  return DLS_OK;
}

WRONG_LAW("favours-walls", .claims = DLS_CLAIM_COMPLETE | MISTAKE(DLS_CLAIM_PLAIN, 0),
          PARAMS(params), .prepare = prepare)
