/* Softens with every call, of which it keeps count outside the state. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};
static int calls;

STRESS {
  UNUSED;
  const double left = MISTAKE(1 - 1e-9 * (calls++ % 1000), 1 + 0 * calls);
  dls_bulk_hooke(left * p[LAMBDA], left * p[MU], strain, out, tangent);
  return DLS_OK;
}

HOOKE_ENERGY
WRONG_BULK("hidden-counter", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
