/* The energy of Hooke's law without its half. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  return DLS_OK;
}

ENERGY {
  UNUSED;
  *stored = MISTAKE(2, 1) * hooke_energy(p, strain);
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("half-forgotten", PARAMS(params), .measures = DLS_BULK_SMALL | DLS_BULK_GREEN,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_ISOTROPIC)
