/* A compliance from which the damping is subtracted: negative when the parameter is large. */
#include "wrong.h"

enum { K, ETA };
static const DlsParam params[] = {
    [K] = {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-3, .max = DLS_NO_BOUND},
    [ETA] = {"eta", "1", "share of damping", .value = 0.1, .min = 0,
             .max = MISTAKE(DLS_NO_BOUND, 1)},
};

static const DlsParam states[] = {SPRING_ROW};

static double compliance(const DlsContact *c, const double *p) {
  return (1 - p[ETA]) / (c->h * c->h * p[K]);
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap / c->h;
  out->C[0] = compliance(c, p);
  return DLS_OK;
}

SPRING_FUNCTIONS(compliance)

WRONG_LAW("negative-compliance", PARAMS(params), STATES(states), .prepare = prepare,
          .commit = commit, .energy = energy)
