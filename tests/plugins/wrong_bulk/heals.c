/* Damage of the strain that there is, not of the largest so far: it heals, and makes energy. */
#include "wrong_bulk.h"

static const DlsParam params[] = {
    LAME_ROWS,
    {"strain", "1", "at which half the stiffness is lost", .value = 0.05, .min = 1e-300,
     .max = DLS_NO_BOUND},
};
static const DlsParam states[] = {
    {"most", "1", "largest strain so far", .value = 0, .min = 0, .max = DLS_NO_BOUND},
    {"damage", "1", "share of the stiffness lost", .value = 0, .min = 0, .max = 1},
};

static double strain_size(const double *e) {
  double sum = 0;
  for (int i = 0; i < 6; i++) sum += e[i] * e[i] * (i < 3 ? 1 : 0.5);
  return sqrt(sum);
}

STRESS {
  UNUSED;
  const double now = strain_size(strain), most = MISTAKE(now, fmax(now, state[0]));
  const double left = p[OWN] / (p[OWN] + most);
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  for (int i = 0; tangent && i < 6; i++)
    for (int j = 0; j < 6; j++) {
      tangent[6 * i + j] *= left;
      if (now > 0 && most <= now && now > MISTAKE(0, state[0]))
        tangent[6 * i + j] -= out[i] * left / (p[OWN] + most) * strain[j] * (j < 3 ? 1 : 0.5) / now;
    }
  for (int i = 0; i < 6; i++) out[i] *= left;
  if (next) next[0] = most, next[1] = 1 - left;
  return DLS_OK;
}

ENERGY {
  UNUSED;
  const double whole = hooke_energy(p, strain);
  *stored = (1 - next[1]) * whole;
  *dissipated = (next[1] - state[1]) * whole;
  return DLS_OK;
}

WRONG_BULK("heals", PARAMS(params), STATES(states), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_ISOTROPIC)
