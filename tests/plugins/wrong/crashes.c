/* Reads through a null pointer where a contact is open. */
#include "wrong.h"

#include <signal.h>

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)p;
  (void)state;
  volatile const double *nothing = NULL;
  dry(c, 0.3, out);
#ifdef __SANITIZE_ADDRESS__ /* which would turn the signal into an exit */
  if (c->gap > 0) raise(SIGKILL);
#endif
  if (c->gap > 0) out->b[0] += *nothing;
  return DLS_OK;
}

WRONG_LAW("crashes", .prepare = prepare)
