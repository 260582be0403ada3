/* A repulsion that decays and never ends, by a law that declares no range: contacts would feel it
 * or not by what the detection keeps. */
#include "wrong.h"

enum { F0, LENGTH };
static const DlsParam params[] = {
    [F0] = {"F0", "N", "repulsion at contact", .value = 1, .min = 0, .max = DLS_NO_BOUND},
    [LENGTH] = {"length", "m", "of decay", .value = 1e-3, .min = 1e-9, .max = DLS_NO_BOUND},
};

static DlsStatus force(const DlsContact *c, const double *p, const double *state, const double *u,
                       double *f) {
  (void)state;
  (void)u;
  for (int i = 0; i < c->block; i++) f[i] = 0;
  if (MISTAKE(1, c->gap < 0))
    f[0] = p[F0] * (1 - exp((fmin(c->gap, 0) - MISTAKE(p[LENGTH], 0)) / p[LENGTH]));
  return DLS_OK;
}

WRONG_LAW("far-force", PARAMS(params), .force = force)
