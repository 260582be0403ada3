/* A Poisson's ratio of 1/2 is within its bounds, and divided by 1 - 2 nu. */
#include "wrong_bulk.h"

static const DlsParam params[] = {
    {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = 0, .max = MISTAKE(0.5, 0.4999)},
};

STRESS {
  UNUSED;
  double lambda, mu;
  dls_bulk_lame(p[0], p[1], &lambda, &mu);
  dls_bulk_hooke(lambda, mu, strain, out, tangent);
  return DLS_OK;
}

ENERGY {
  UNUSED;
  double lame[2];
  dls_bulk_lame(p[0], p[1], &lame[0], &lame[1]);
  *stored = hooke_energy(lame, strain);
  *dissipated = 0;
  return DLS_OK;
}

WRONG_BULK("incompressible", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_ISOTROPIC)
