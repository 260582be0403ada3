/* An elastic contact whose gap is not divided by the step: a length added to a velocity. */
#include "wrong.h"

static const DlsParam params[] = {
    {"k", "N/m", "stiffness", .value = 1e5, .min = 1e-3, .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {SPRING_ROW};

static double compliance(const DlsContact *c, const double *p) { return 1 / (c->h * c->h * p[0]); }

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap / MISTAKE(1, c->h);
  out->C[0] = compliance(c, p);
  return DLS_OK;
}

SPRING_FUNCTIONS(compliance)

WRONG_LAW("missing-division", PARAMS(params), STATES(states), .prepare = prepare, .commit = commit,
          .energy = energy)
