/* A dashpot beside Hooke's spring, of which the claims say nothing. */
#include "wrong_bulk.h"

static const DlsParam params[] = {
    LAME_ROWS,
    {"tau", "s", "viscosity over elasticity", .value = 1e-2, .min = 0, .max = DLS_NO_BOUND},
};

STRESS {
  UNUSED;
  const double rate = point->dt > 0 ? p[OWN] / point->dt : 0;
  double all[6];
  for (int i = 0; i < 6; i++) all[i] = strain[i] + rate * (strain[i] - strain_before[i]);
  dls_bulk_hooke(p[LAMBDA], p[MU], all, out, tangent);
  for (int i = 0; tangent && i < 36; i++) tangent[i] *= 1 + rate;
  return DLS_OK;
}

ENERGY {
  UNUSED;
  double way[6];
  for (int i = 0; i < 6; i++) way[i] = strain[i] - strain_before[i];
  *stored = hooke_energy(p, strain);
  *dissipated = point->dt > 0 ? 2 * p[OWN] / point->dt * hooke_energy(p, way) : 0;
  return DLS_OK;
}

WRONG_BULK("rate-untold", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC | MISTAKE(0, DLS_BULK_RATE))
