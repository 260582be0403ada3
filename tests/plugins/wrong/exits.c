/* Ends the program where a contact is open. */
#include "wrong.h"

#include <stdlib.h>

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p;
  (void)state;
  dry(c, 0.3, out);
  if (c->gap > 0) exit(0);
  return DLS_OK;
}

WRONG_LAW("exits", .prepare = prepare)
