/* A fibre along x in a law that claims to have no axes. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  out[0] += p[MU] * strain[0];
  if (tangent) tangent[0] += p[MU];
  return DLS_OK;
}

ENERGY {
  UNUSED;
  *stored = hooke_energy(p, strain) + p[MU] * strain[0] * strain[0] / 2;
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("stiff-along-x", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | MISTAKE(DLS_BULK_ISOTROPIC, 0))
