/* Cohesion with the wrong sign: r_N >= h F, a contact that pushes apart what lies at rest. */
#include "wrong.h"

enum { MU, F_C };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [F_C] = {"F_C", "N", "strength", .value = 1, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[MU], out);
  if (c->gap_rate <= 0) out->a[0] = MISTAKE(-, +) c->h * p[F_C];
  return DLS_OK;
}

WRONG_LAW("cohesion-sign", PARAMS(params), .prepare = prepare)
