/* A law that solves its one-contact problem itself, to three digits. */
#include "wrong.h"

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)p, (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, x = r[0] - rho * (u[0] + c->gap_rate);
  for (int i = 1; i < n; i++) F[i] = r[i];
  F[0] = r[0] - fmax(0, x);
  for (int k = 0; dF_du && k < n * n; k++) {
    dF_du[k] = k == 0 && x > 0 ? rho : 0;
    dF_dr[k] = k % (n + 1) == 0 && !(k == 0 && x > 0);
  }
  return DLS_OK;
}

static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)p, (void)state;
  for (int i = 0; i < c->block; i++) r[i] = 0;
  r[0] = MISTAKE(1.001, 1) * fmax(0, -(q[0] + c->gap_rate)) / D[0];
  return DLS_OK;
}

WRONG_LAW("sloppy-solve", .claims = DLS_CLAIM_COMPLETE, .residual = residual, .solve = solve)
