/* A pull along x resists less the more it is sheared, and says that its tangent is symmetric. */
#include "wrong_bulk.h"

static const DlsParam params[] = {
    LAME_ROWS,
    {"drag", "1", "shear into pull", .value = 0.1, .min = 0, .max = 0.2},
};

STRESS {
  UNUSED;
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  out[0] += MISTAKE(p[OWN], 0) * p[MU] * strain[3];
  if (tangent) tangent[3] += MISTAKE(p[OWN], 0) * p[MU];
  return DLS_OK;
}

HOOKE_ENERGY
WRONG_BULK("unsymmetric", PARAMS(params), .measures = DLS_BULK_SMALL, .claims = DLS_BULK_SYMMETRIC)
