/* dF_du twice as large as it is: Newton's method still converges, slowly. */
#include "wrong.h"

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p;
  (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, x = r[0] - rho * (u[0] + c->gap_rate);
  F[0] = r[0] - fmax(0, x);
  for (int i = 1; i < n; i++) F[i] = r[i];
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = 0;
    dF_dr[k] = k % (n + 1) == 0;
  }
  if (!dF_du || x <= 0) return DLS_OK;
  dF_du[0] = MISTAKE(2, 1) * rho;
  dF_dr[0] = 0;
  return DLS_OK;
}

WRONG_LAW("derivative-factor", .claims = DLS_CLAIM_COMPLETE, .residual = residual)
