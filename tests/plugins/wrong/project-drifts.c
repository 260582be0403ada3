/* A projection that only moves towards the disc of friction: done again, it moves again. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const double rho = c->mass > 0 ? c->mass : 1, g = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  const double x = r[1] - rho * u[1], bound = p[0] * g, side = x < 0 ? -1 : 1;
  const int slides = fabs(x) > bound;
  F[0] = r[0] - g;
  F[1] = r[1] - (slides ? side * bound : x);
  for (int k = 0; dF_du && k < 4; k++) dF_du[k] = dF_dr[k] = 0;
  if (!dF_du) return DLS_OK;
  dF_du[0] = g > 0 ? rho : 0;
  dF_dr[0] = g > 0 ? 0 : 1;
  dF_dr[2] = slides && g > 0 ? -side * p[0] : 0;
  dF_du[2] = slides && g > 0 ? side * p[0] * rho : 0;
  dF_dr[3] = slides;
  dF_du[3] = slides ? 0 : rho;
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  r[0] = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  r[1] -= rho * u[1];
  const double bound = p[0] * r[0], beyond = fabs(r[1]) - bound;
  if (beyond > 0) r[1] -= MISTAKE(0.5, 1) * beyond * (r[1] < 0 ? -1 : 1);
  return DLS_OK;
}

WRONG_LAW("project-drifts", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(2), PARAMS(params),
          .residual = residual, .project = project)
