/* Restitution with the wrong sign: the contact ends at u_N = rho u⁻_N, still approaching. */
#include "wrong.h"

static const DlsParam params[] = {
    {"rho", "1", "normal restitution", .value = 0.5, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  out->cone = DLS_CONE_SIGNORINI;
  out->b[0] = c->gap_rate;
  if (c->gap_rate <= 0) out->b[0] += MISTAKE(-1, 1) * p[0] * c->u_before[0];
  return DLS_OK;
}

WRONG_LAW("restitution-sign", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
