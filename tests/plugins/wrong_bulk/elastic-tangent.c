/* Stiffens with volume, lambda (1 + 3 tr^2): the tangent forgets it, so Newton's method crawls. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  const double tr = strain[0] + strain[1] + strain[2], more = p[LAMBDA] * tr * tr;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  for (int i = 0; i < 3; i++) {
    out[i] += more * tr;
    for (int j = 0; tangent && j < 3; j++) tangent[6 * i + j] += MISTAKE(0, 3) * more;
  }
  return DLS_OK;
}

ENERGY {
  UNUSED;
  const double tr = strain[0] + strain[1] + strain[2];
  *stored = hooke_energy(p, strain) + p[LAMBDA] * tr * tr * tr * tr / 4;
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("elastic-tangent", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
