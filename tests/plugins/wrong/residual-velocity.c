/* A residual that adds velocities to impulses, min(u_N, r_N): right solutions, but no units. */
#include "wrong.h"

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p;
  (void)state;
  const int n = c->block;
  const double rho = MISTAKE(1, c->mass > 0 ? c->mass : 1);
  const int open = r[0] <= rho * (u[0] + c->gap_rate);
  F[0] = fmin(r[0], rho * (u[0] + c->gap_rate));
  for (int i = 1; i < n; i++) F[i] = r[i];
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = 0;
    dF_dr[k] = k % (n + 1) == 0;
  }
  if (!dF_du || open) return DLS_OK;
  dF_du[0] = rho;
  dF_dr[0] = 0;
  return DLS_OK;
}

WRONG_LAW("residual-velocity", .claims = DLS_CLAIM_COMPLETE, .residual = residual)
