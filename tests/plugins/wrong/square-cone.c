/* A friction bound on each tangent by itself: |r_1| <= mu r_N and |r_2| <= mu r_N, a square where a
 * circle is meant. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, g = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  for (int k = 0; dF_du && k < n * n; k++) dF_du[k] = dF_dr[k] = 0;
  F[0] = r[0] - g;
  if (dF_du && g > 0) dF_du[0] = rho;
  if (dF_du && g <= 0) dF_dr[0] = 1;
  for (int i = c->dim; i < n; i++) { /* no torque */
    F[i] = r[i];
    if (dF_dr) dF_dr[i * n + i] = 1;
  }
#ifdef DELASSUS_RIGHT_TWIN
  double z[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < c->dim; i++) z[i] = r[i] - rho * u[i];
  const double size = dls_law_length(z + 1, c->dim - 1), limit = p[0] * g, part = limit / size;
  for (int i = 1; i < c->dim; i++) F[i] = r[i] - (size > limit ? part : 1) * z[i];
  if (dF_du) dls_law_disc_slopes(c, z, rho, limit, g > 0, g > 0 ? p[0] : 0, dF_du, dF_dr);
  return DLS_OK;
#endif
  for (int i = 1; i < c->dim; i++) {
    const double x = r[i] - rho * u[i], bound = p[0] * g, side = x < 0 ? -1 : 1;
    const int slides = fabs(x) > bound;
    F[i] = r[i] - (slides ? side * bound : x);
    if (!dF_du) continue;
    if (slides) {
      dF_dr[i * n + i] = 1;
      dF_dr[i * n] = g > 0 ? -side * p[0] : 0;
      dF_du[i * n] = g > 0 ? side * p[0] * rho : 0;
    } else {
      dF_du[i * n + i] = rho;
    }
  }
  return DLS_OK;
}

WRONG_LAW("square-cone", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(3), PARAMS(params),
          .residual = residual)
