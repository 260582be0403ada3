/* A spring and a dashpot that pushes along with the motion. */
#include "wrong.h"

enum { K, ETA };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e4, .min = 1, .max = DLS_NO_BOUND},
    [ETA] = {"eta", "N s/m", "damping", .value = 1, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  (void)state;
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (c->gap < 0) f[0] = -p[K] * c->gap MISTAKE(+, -) p[ETA] * u[0];
  return DLS_OK;
}

WRONG_LAW("damping-sign", PARAMS(params), .force = force)
