/* A viscous drag along the tangents that forgets to look at the gap. */
#include "wrong.h"

enum { ETA };
static const DlsParam params[] = {
    [ETA] = {"eta", "N s/m", "drag", .value = 1, .min = 1e-6, .max = DLS_NO_BOUND},
};

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  (void)state;
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (MISTAKE(0, c->gap >= 0)) return DLS_OK;
  for (int i = 1; i < c->dim; i++) f[i] = -p[ETA] * u[i];
  return DLS_OK;
}

WRONG_LAW("drags-afar", PARAMS(params), .force = force)
