/* Heated, and so under pressure before anything has moved. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  for (int i = 0; i < 3; i++) out[i] -= MISTAKE(1e-5, 0) * p[MU];
  return DLS_OK;
}

ENERGY {
  UNUSED;
  const double tr = strain[0] + strain[1] + strain[2];
  *stored = hooke_energy(p, strain) - MISTAKE(1e-5, 0) * p[MU] * tr;
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("prestressed", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
