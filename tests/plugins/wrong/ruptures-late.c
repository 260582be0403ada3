/* A film that resists being opened and closed, up to twice the range that it declares. */
#include "wrong.h"

enum { ETA, REACH };
static const DlsParam params[] = {
    [ETA] = {"eta", "N s/m", "of the film", .value = 1, .min = 1e-6, .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap at which the film breaks", .value = 1e-3, .min = 0,
               .max = DLS_NO_BOUND},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[REACH];
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  if (c->gap > MISTAKE(2, 1) * p[REACH]) return DLS_OK;
  out->cone = DLS_CONE_SLIDER;
  out->C[0] = 1 / (c->h * p[ETA]);
  return DLS_OK;
}

WRONG_LAW("ruptures-late", PARAMS(params), .range = range, .prepare = prepare)
