/* Glue that loses a tenth of its strength in every step, however short it is. */
#include "wrong.h"

enum { MU, F_C, LIFE };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [F_C] = {"F_C", "N", "strength of fresh glue", .value = 10, .min = 0, .max = DLS_NO_BOUND},
    [LIFE] = {"life", "s", "of the glue", .value = 0.1, .min = 1e-9, .max = DLS_NO_BOUND},
};

static const DlsParam states[] = {
    {"strength", "1", "part that is left", .value = 1, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  dry(c, p[MU], out);
  if (c->gap_rate <= 0) out->a[0] = c->h * p[F_C] * state[0];
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)u, (void)r;
  state[0] *= MISTAKE(0.9 + 0 * c->h / p[LIFE], exp(-c->h / p[LIFE]));
  return DLS_OK;
}

WRONG_LAW("fades-by-step", PARAMS(params), STATES(states), .prepare = prepare, .commit = commit)
