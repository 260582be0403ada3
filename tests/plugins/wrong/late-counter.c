/* A count of calls kept beside the state that shows only after many of them: one contact alone
 * never sees it. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};
static int calls;

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, MISTAKE(++calls > 5000 && calls % 3, calls) ? 0.9 * p[0] : p[0], out);
  return DLS_OK;
}

WRONG_LAW("late-counter", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
