/* An exponential of the volume without an end. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

STRESS {
  UNUSED;
  const double tr = strain[0] + strain[1] + strain[2];
  if (fabs(tr) > MISTAKE(1e300, 100)) return DLS_ERR_LAW;
  const double more = p[LAMBDA] * (exp(tr) - 1 - tr);
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  for (int i = 0; i < 3; i++) {
    out[i] += more;
    for (int j = 0; tangent && j < 3; j++) tangent[6 * i + j] += p[LAMBDA] * (exp(tr) - 1);
  }
  return DLS_OK;
}

ENERGY {
  UNUSED;
  const double tr = strain[0] + strain[1] + strain[2];
  *stored = hooke_energy(p, strain) + p[LAMBDA] * (exp(tr) - 1 - tr - tr * tr / 2);
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("overflows", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
