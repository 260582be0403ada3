/* Reads through a null pointer where it is pulled. */
#include "wrong_bulk.h"

#include <signal.h>

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  volatile const double *nothing = NULL;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
#ifdef __SANITIZE_ADDRESS__ /* which would turn the signal into an exit */
  if (MISTAKE(strain[0] > 0, 0)) raise(SIGKILL);
#endif
  if (MISTAKE(strain[0] > 0, 0)) out[0] += *nothing;
  return DLS_OK;
}

HOOKE_ENERGY
WRONG_BULK("crashes", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_ISOTROPIC)
