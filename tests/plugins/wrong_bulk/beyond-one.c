/* Damage that goes on beyond 1. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};
static const DlsParam states[] = {
    {"damage", "1", "of the surface alone: it does not soften", .value = 0, .min = 0, .max = 1},
};

STRESS {
  UNUSED;
  const double most = 20 * fabs(strain[0] + strain[1] + strain[2]);
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  if (next) next[0] = fmax(state[0], MISTAKE(most, fmin(1, most)));
  return DLS_OK;
}

HOOKE_ENERGY
WRONG_BULK("beyond-one", PARAMS(params), STATES(states), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
