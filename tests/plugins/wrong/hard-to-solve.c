/* Friction that grows with the speed of sliding within v0, far below the speeds there are, given as
 * a residual without kinks and nothing else: Newton's method from outside of v0 is lost in one
 * case of a few hundred. */
#include "wrong.h"

enum { MU, V0 };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = MISTAKE(5, 0.3), .min = 0,
            .max = MISTAKE(10, 0.5)},
    [V0] = {"v0", "m/s", "speed of half friction", .value = MISTAKE(1e-5, 10),
            .min = MISTAKE(1e-6, 1), .max = DLS_NO_BOUND},
};

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const double m = c->mass > 0 ? c->mass : 1, pushed = r[0] - m * (u[0] + c->gap_rate);
  double square = p[V0] * p[V0];
  for (int i = 1; i < c->dim; i++) square += u[i] * u[i];
  const double s = 1 / sqrt(square);
  F[0] = r[0] - fmax(0, pushed);
  for (int i = 1; i < c->dim; i++) F[i] = r[i] + p[MU] * r[0] * s * u[i];
  for (int i = c->dim; i < n; i++) F[i] = r[i]; /* no torque */
  if (!dF_du) return DLS_OK;
  for (int k = 0; k < n * n; k++) dF_du[k] = dF_dr[k] = 0;
  dF_du[0] = pushed > 0 ? m : 0;
  for (int i = 0; i < n; i++) dF_dr[i * n + i] = i > 0 || pushed <= 0;
  for (int i = 1; i < c->dim; i++) {
    dF_dr[i * n] = p[MU] * s * u[i];
    for (int j = 1; j < c->dim; j++)
      dF_du[i * n + j] = p[MU] * r[0] * s * ((i == j) - s * s * u[i] * u[j]);
  }
  return DLS_OK;
}

WRONG_LAW("hard-to-solve", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(3), PARAMS(params),
          .residual = residual)
