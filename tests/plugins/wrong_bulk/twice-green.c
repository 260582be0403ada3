/* With Green's strain it takes C - 1 for E: twice the strain. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};

static double factor(const DlsBulkPoint *point) {
  return point->measure == DLS_BULK_GREEN ? MISTAKE(2, 1) : 1;
}

STRESS {
  UNUSED;
  dls_bulk_hooke(factor(point) * p[LAMBDA], factor(point) * p[MU], strain, out, tangent);
  return DLS_OK;
}

ENERGY {
  UNUSED;
  *stored = factor(point) * hooke_energy(p, strain);
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("twice-green", PARAMS(params), .measures = DLS_BULK_SMALL | DLS_BULK_GREEN,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_ISOTROPIC)
