/* Friction that a spinning body loses, by the spin of the candidate in space where that against the
 * other body is meant: two bodies that turn together lose it too. */
#include "wrong.h"

enum { MU, RATE };
static const DlsParam params[] = {
    [MU] = MU_ROW,
    [RATE] = {"rate", "1/s", "spin that halves friction", .value = 10, .min = 1e-3,
              .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  double spin = 0;
  for (int e = 0; e < 3; e++) spin = hypot(spin, c->spin[1][e] - MISTAKE(0, c->spin[0][e]));
  dry(c, p[MU] / (1 + spin / p[RATE]), out);
  return DLS_OK;
}

WRONG_LAW("spin-of-one", .claims = DLS_CLAIM_COMPLETE, PARAMS(params), .prepare = prepare)
