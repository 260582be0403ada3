/* A compliance from which the damping is subtracted: negative when the parameter is large. */
#include "wrong.h"

enum { K, ETA };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-3, .max = DLS_NO_BOUND},
    [ETA] = {"eta", "1", "share of damping", .value = 0.1, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap / c->h;
  out->C[0] = (1 - p[ETA]) / (c->h * c->h * p[K]); /* wrong: eta has no bound at 1 */
  return DLS_OK;
}

WRONG_LAW("negative-compliance", PARAMS(params), .prepare = prepare)
