/* A count of calls kept beside the state: two contacts share it, a restart loses it. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};
static int calls;

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, MISTAKE(++calls % 3, calls == 0) ? p[0] : 0.9 * p[0], out);
  return DLS_OK;
}

WRONG_LAW("hidden-counter", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
