/* A viscous film, drag ~ 1/gap, without a cut-off: at a closed gap it divides by zero. */
#include "wrong.h"

static const DlsParam params[] = {
    {"kappa", "N s", "drag times gap, per speed", .value = 1e-3, .min = 1e-9, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const double drag = p[0] / c->gap; /* wrong: of a gap that may be 0 */
  out->cone = DLS_CONE_SLIDER;
  out->C[0] = 1 / (c->h * fabs(drag));
  out->b[0] = 0 * drag;
  return DLS_OK;
}

WRONG_LAW("gap-pole", PARAMS(params), .prepare = prepare)
