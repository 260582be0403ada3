/* A residual that is an impulse along the tangents, and for the torque an impulse too, where an
 * impulse times a length is due: right solutions, but no units. */
#include "wrong.h"

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p, (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, x = r[0] - rho * (u[0] + c->gap_rate);
  const double length = c->radius > 0 ? c->radius : 1;
  F[0] = r[0] - fmax(0, x);
  for (int i = 1; i < n; i++) F[i] = i < c->dim ? r[i] : r[i] / MISTAKE(length, 1);
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = k == 0 && x > 0 ? rho : 0;
    dF_dr[k] = k % (n + 1) == 0 && !(k == 0 && x > 0);
    if (k / n >= c->dim) dF_dr[k] /= MISTAKE(length, 1);
  }
  (void)length;
  return DLS_OK;
}

WRONG_LAW("torque-residual", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(6),
          .residual = residual)
