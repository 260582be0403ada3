/* Friction that depends on the speed of sliding (Stribeck's curve), by its own residual.
 *   mu(v) = mu_fast + (mu_slow - mu_fast) exp(-v / v_scale) + eta v
 *   0 <= û_N ⟂ r_N >= 0,  |r_T| <= mu(|u_T|) r_N,  r_T against u_T where it slides
 *   û_N = u_N + gap_rate
 * The coefficient follows u within the solve, so no canonical cone holds it. As an equation (Alart
 * and Curnier 1991), with rho > 0 in kg, g = max(0, r_N - rho û_N), x = r_T - rho u_T, P_s the
 * projection on the disc of radius s:
 *   F_N = r_N - g,   F_T = r_T - P_s(x),   s = mu(|u_T|) g. */
#include <delassus/law.h>

enum { MU_SLOW, MU_FAST, V_SCALE, ETA };
static const DlsParam params[] = {
    [MU_SLOW] = {"mu_slow", "1", "friction coefficient at rest", .value = 0.4, .min = 0,
                 .max = DLS_NO_BOUND},
    [MU_FAST] = {"mu_fast", "1", "friction coefficient of fast sliding", .value = 0.3, .min = 0,
                 .max = DLS_NO_BOUND},
    [V_SCALE] = {"v_scale", "m/s", "speed of the change between them", .value = 0.1, .min = 1e-12,
                 .max = DLS_NO_BOUND},
    [ETA] = {"eta", "s/m", "growth of the coefficient with speed", .value = 0, .min = 0,
             .max = DLS_NO_BOUND},
};

/* mu(v), and its derivative. */
static double friction(const double *p, double v, double *slope) {
  const double weak = (p[MU_SLOW] - p[MU_FAST]) * exp(-v / p[V_SCALE]);
  *slope = p[ETA] - weak / p[V_SCALE];
  return p[MU_FAST] + weak + p[ETA] * v;
}

/* Everything that F and its derivatives share. */
typedef struct {
  double rho, g, mu, slope, v, s;
  double x[2], size; /* r_T - rho u_T, and its norm */
  int tangents;
} Point;

static Point point_at(const DlsContact *c, const double *p, const double *u, const double *r) {
  Point at = {.rho = c->mass > 0 ? c->mass : 1, .tangents = c->dim - 1};
  at.g = fmax(0, r[0] - at.rho * (u[0] + c->gap_rate));
  at.v = dls_law_length(u + 1, at.tangents);
  at.mu = friction(p, at.v, &at.slope);
  at.s = at.mu * at.g;
  for (int i = 0; i < at.tangents; i++) at.x[i] = r[1 + i] - at.rho * u[1 + i];
  at.size = dls_law_length(at.x, at.tangents);
  return at;
}

/* Row of tangent i in the case of sliding:
 *   P = s x/|x|,   dP/dx = s/|x| (1 - x xᵀ/|x|²),   dP/ds = x/|x|.
 * At u_T = 0 the gradient of |u_T| is taken as 0, which its subdifferential holds. */
static void sliding_row(const Point *at, const double *u, int i, double *du, double *dr) {
  const double along = at->x[i] / at->size;
  if (at->g > 0) {
    dr[0] = -along * at->mu;
    du[0] = along * at->mu * at->rho;
  }
  for (int j = 0; j < at->tangents; j++) {
    const double dP = at->s / at->size * ((i == j) - along * at->x[j] / at->size);
    dr[1 + j] = (i == j) - dP;
    du[1 + j] = at->rho * dP;
    if (at->v > 0) du[1 + j] -= along * at->slope * at->g * u[1 + j] / at->v;
  }
}

static void derivatives(const DlsContact *c, const Point *at, const double *u, double *dF_du,
                        double *dF_dr) {
  const int n = c->block;
  for (int k = 0; k < n * n; k++) dF_du[k] = dF_dr[k] = 0;
  if (at->g > 0)
    dF_du[0] = at->rho;
  else
    dF_dr[0] = 1;
  for (int i = 0; i < at->tangents; i++) {
    double *du = dF_du + (1 + i) * n, *dr = dF_dr + (1 + i) * n;
    if (at->size > at->s)
      sliding_row(at, u, i, du, dr);
    else
      du[1 + i] = at->rho;
  }
  for (int i = c->dim; i < n; i++) dF_dr[i * n + i] = 1;
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const Point at = point_at(c, p, u, r);
  const double scale = at.size > at.s ? at.s / at.size : 1;
  F[0] = r[0] - at.g;
  for (int i = 0; i < at.tangents; i++) F[1 + i] = r[1 + i] - scale * at.x[i];
  for (int i = c->dim; i < c->block; i++) F[i] = r[i]; /* no torque */
  if (dF_du && dF_dr) derivatives(c, &at, u, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  double slope;
  r[0] = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  for (int i = 1; i < c->dim; i++) r[i] -= rho * u[i];
  const double s = friction(p, dls_law_length(u + 1, c->dim - 1), &slope) * r[0];
  const double size = dls_law_length(r + 1, c->dim - 1);
  for (int i = 1; i < c->dim; i++) r[i] *= size > s ? s / size : 1;
  for (int i = c->dim; i < c->block; i++) r[i] = 0;
  return DLS_OK;
}

static const DlsLaw stribeck = {
    DLS_LAW_HEAD,
    .name = "stribeck",
    .summary = "friction coefficient that depends on the speed of sliding",
    .description = "A custom law: unilateral contact without restitution, with a friction\n"
                   "coefficient that weakens or strengthens with the speed of sliding.",
    .references = "Stribeck 1902; Alart and Curnier 1991",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP,
    .maturity = "verified",
    .residual = residual,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &stribeck; }
