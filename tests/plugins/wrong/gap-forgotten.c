/* gap_rate left out: a contact that is still open pushes as if it were closed. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  out->b[0] = MISTAKE(0, c->gap_rate);
  return DLS_OK;
}

WRONG_LAW("gap-forgotten", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
