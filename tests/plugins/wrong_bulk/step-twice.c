/* A dashpot beside Hooke's spring that divides by the step twice: the smaller the steps, the
 * stiffer it is. */
#include "wrong_bulk.h"

static const DlsParam params[] = {
    LAME_ROWS,
    {"tau", "s", "viscosity over elasticity", .value = 1e-2, .min = 0, .max = DLS_NO_BOUND},
};

static double rate_of(const DlsBulkPoint *point, const double *p) {
  return point->dt > 0 ? p[OWN] / point->dt / MISTAKE(point->dt, 1) : 0;
}

STRESS {
  UNUSED;
  const double rate = rate_of(point, p);
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
  *dissipated = 2 * rate_of(point, p) * hooke_energy(p, way);
  return DLS_OK;
}

WRONG_BULK("step-twice", PARAMS(params), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC | DLS_BULK_RATE)
