/* Never comes back where a contact overlaps. */
#include "wrong.h"

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p;
  (void)state;
  dry(c, 0.3, out);
  for (volatile int forever = 1; c->gap < 0 && forever;) continue;
  return DLS_OK;
}

WRONG_LAW("hangs", .prepare = prepare)
