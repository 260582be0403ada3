/* Cohesion at every gap, by a law that declares no range: bodies anywhere attract each other where
 * a scheme looks ahead. */
#include "wrong.h"

enum { MU, F_C };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [F_C] = {"F_C", "N", "strength", .value = 10, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  dry(c, p[MU], out);
  if (MISTAKE(1, c->gap_rate <= 0)) out->a[0] = c->h * p[F_C];
  if (MISTAKE(1, 0)) out->b[0] = fmin(c->gap_rate, 0);
  return DLS_OK;
}

WRONG_LAW("pulls-afar", PARAMS(params), .prepare = prepare)
