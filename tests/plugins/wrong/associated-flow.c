/* Associated flow: r = P_K(r - rho u) without De Saxcé's shift. Whatever slides dilates: it parts
 * with u_N = mu |u_T| and still pushes. */
#include "wrong.h"

static const DlsParam params[] = {MU_ROW};

/* x <- P_K(x) of the plane cone |t| <= mu n, J its derivative. */
static void project_cone(double mu, double *x, double *J) {
  const double size = 1 + mu * mu, side = x[1] < 0 ? -1 : 1, normal[2] = {1, side * mu};
  const double along = (x[0] + normal[1] * x[1]) / size;
  if (fabs(x[1]) <= mu * x[0]) {
    J[0] = J[3] = 1;
    J[1] = J[2] = 0;
    return;
  }
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) J[2 * i + j] = along > 0 ? normal[i] * normal[j] / size : 0;
  x[0] = fmax(along, 0);
  x[1] = fmax(along, 0) * normal[1];
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const double rho = c->mass > 0 ? c->mass : 1;
  const double shift = MISTAKE(0, p[0]), way = u[1] < 0 ? -shift : shift;
  double x[2] = {r[0] - rho * (u[0] + c->gap_rate + way * u[1]), r[1] - rho * u[1]}, J[4];
  project_cone(p[0], x, J);
  for (int i = 0; i < 2; i++) F[i] = r[i] - x[i];
  for (int k = 0; dF_du && k < 4; k++) {
    dF_du[k] = rho * (J[k] + (k % 2) * way * J[k - k % 2]);
    dF_dr[k] = (k % 3 == 0) - J[k];
  }
  return DLS_OK;
}

WRONG_LAW("associated-flow", .claims = DLS_CLAIM_COMPLETE, .blocks = DLS_BLOCK(2), PARAMS(params),
          .residual = residual)
