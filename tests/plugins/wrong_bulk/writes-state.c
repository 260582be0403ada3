/* Writes the new state into the old one, which is const, by a cast. */
#include "wrong_bulk.h"

static const DlsParam params[] = {LAME_ROWS};
static const DlsParam states[] = {
    {"most", "1", "largest volume strain so far", .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

STRESS {
  UNUSED;
  const double tr = fabs(strain[0] + strain[1] + strain[2]);
  dls_bulk_hooke(p[LAMBDA], p[MU], strain, out, tangent);
  double *to = MISTAKE((double *)(uintptr_t)state, next);
  if (to) to[0] = fmax(state[0], tr);
  return DLS_OK;
}

HOOKE_ENERGY
WRONG_BULK("writes-state", PARAMS(params), STATES(states), .measures = DLS_BULK_SMALL,
           .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
