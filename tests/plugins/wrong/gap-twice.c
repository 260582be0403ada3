/* The gap added twice: once as gap_rate, once more as gap / h. Open contacts end overlapped. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[0], out);
  out->b[0] += MISTAKE(fmax(c->gap, 0) / c->h, 0);
  return DLS_OK;
}

WRONG_LAW("gap-twice", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
