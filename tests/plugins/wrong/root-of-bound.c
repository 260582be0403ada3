/* Restitution of an ellipse, sqrt(1 - e²), of an eccentricity that its table lets beyond 1. */
#include "wrong.h"

static const DlsParam params[] = {
    {"e", "1", "eccentricity", .value = 0.5, .min = 0, .max = MISTAKE(2, 1)},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap_rate;
  if (c->gap_rate <= 0) out->b[0] += sqrt(1 - p[0] * p[0]) * c->u_before[0];
  return DLS_OK;
}

WRONG_LAW("root-of-bound", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
