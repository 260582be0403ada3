/* A viscous film, drag ~ 1/gap, without a cut-off: at a closed gap it divides by zero. */
#include "wrong.h"

enum { KAPPA, REACH, CUT };
static const DlsParam params[] = {
    [KAPPA] = {"kappa", "N s", "drag times gap, per speed", .value = 1e-3, .min = 1e-9,
               .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap at which the film ends", .value = 1e-3, .min = 0,
               .max = DLS_NO_BOUND},
    [CUT] = {"cut", "m", "roughness", .value = 1e-6, .min = 1e-12, .max = DLS_NO_BOUND},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[REACH];
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  if (c->gap > p[REACH]) return DLS_OK;
  const double drag = p[KAPPA] / MISTAKE(c->gap, fmax(c->gap, p[CUT]));
  out->cone = DLS_CONE_SLIDER;
  out->C[0] = 1 / (c->h * fabs(drag));
  out->b[0] = 0 * drag;
  return DLS_OK;
}

WRONG_LAW("gap-pole", PARAMS(params), .range = range, .prepare = prepare)
