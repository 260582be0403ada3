/* Dry friction with an elliptic cone whose axes are fixed to a body (Goyal, Ruina and Papadopoulos
 * 1991; in De Saxcé's form as in relation.h).
 *   û = u + (rho u⁻_N, 0),   (r1/mu1)² + (r2/mu2)² <= r_N²,   û + |(mu1 û1, mu2 û2)| n in K*
 * t1 is the direction (x, y, z), given in the material axes of one of the two bodies and projected
 * on the tangent plane. Where it slides, û_T is along -(r1/mu1², r2/mu2²): greatest dissipation.
 * In 2-D there is one tangent, and mu1 is its coefficient.
 * The cone of relation.h with an ellipse has no torques. Where a contact has spins (blocks 5 and 6)
 * the law is custom, so that rolling friction may follow it: with w_i = mu_i u_i, q_i = r_i / mu_i
 * the ellipse is a disc, and Coulomb's law of coefficient 1 holds between w and q. rho > 0 in kg:
 *   F_N = r_N - g, g = max(0, r_N - rho û_N),   F_i = mu_i (q - P_g(q - rho w))_i,
 * P_g the projection on the disc of radius g; F_i = r_i along a tangent without friction. */
#include <delassus/law_friction.h>

enum { MU1, MU2, RHO, X, Y, Z, BODY };
static const DlsParam params[] = {
    [MU1] = {"mu1", "1", "friction coefficient along the direction", .value = 0.3, .min = 0,
             .max = DLS_NO_BOUND},
    [MU2] = {"mu2", "1", "friction coefficient across it", .value = 0.6, .min = 0,
             .max = DLS_NO_BOUND},
    [RHO] = {"rho", "1", "normal restitution", .value = 0, .min = 0, .max = 1},
    [X] = {"x", "1", "direction in the material axes of the body: first component", .value = 1,
           .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [Y] = {"y", "1", "its second component", .value = 0, .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [Z] = {"z", "1", "its third component", .value = 0, .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [BODY] = {"body", "1", "whose direction: below 1/2 the antagonist's, else the candidate's",
              .value = 0, .min = 0, .max = 1},
};

static DlsStatus orient(const DlsContact *c, const double *p, double t1[3]) {
  const double(*axes)[3] = c->axes[p[BODY] < 0.5 ? 0 : 1];
  for (int k = 0; k < 3; k++) t1[k] = p[X] * axes[0][k] + p[Y] * axes[1][k] + p[Z] * axes[2][k];
  return DLS_OK;
}

/* An ellipse in a block with torques. */
static int is_custom(const DlsContact *c, const double *p) {
  return c->dim == 3 && c->block > 3 && p[MU1] != p[MU2];
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  /* 2-D with a spin: one tangent, no torque. */
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  if (is_custom(c, p)) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  out->mu[DLS_MU_1] = p[MU1];
  out->mu[DLS_MU_2] = p[MU2];
  dls_law_restitution(c, p[RHO], 0, out->b);
  return DLS_OK;
}

/* û_N - u_N. */
static double normal_shift(const DlsContact *c, const double *p) {
  double b[DLS_MAX_BLOCK] = {0};
  dls_law_restitution(c, p[RHO], 0, b);
  return b[0];
}

/* The tangents with friction: their components, and the half axes of the ellipse. */
typedef struct {
  int count, row[2];
  double mu[2];
} Axes;

static Axes axes_of(const double *p) {
  const double mu[2] = {p[MU1], p[MU2]};
  Axes a = {0};
  for (int i = 0; i < 2; i++) {
    if (!(mu[i] > 0)) continue;
    a.row[a.count] = 1 + i;
    a.mu[a.count++] = mu[i];
  }
  return a;
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const Axes a = axes_of(p);
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, push = r[0] - rho * (u[0] + normal_shift(c, p));
  const double g = fmax(0, push), dg = push > 0;
  double z[2] = {0};
  for (int i = 0; i < a.count; i++) z[i] = r[a.row[i]] / a.mu[i] - rho * a.mu[i] * u[a.row[i]];
  const double size = dls_law_length(z, a.count), scale = size > g ? g / size : 1;
  for (int i = 0; i < n; i++) F[i] = r[i];
  F[0] = r[0] - g;
  for (int i = 0; i < a.count; i++) F[a.row[i]] = r[a.row[i]] - a.mu[i] * scale * z[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  for (int k = 0; k < n * n; k++) {
    dF_du[k] = 0;
    dF_dr[k] = k % (n + 1) == 0;
  }
  dF_dr[0] -= dg;
  dF_du[0] = rho * dg;
  for (int i = 0; i < a.count; i++) {
    double *du = dF_du + a.row[i] * n, *dr = dF_dr + a.row[i] * n;
    const double along = size > g ? z[i] / size : 0;
    dr[0] -= a.mu[i] * along * dg;
    du[0] += a.mu[i] * along * dg * rho;
    for (int j = 0; j < a.count; j++) {
      const double same = i == j, D = size > g ? scale * (same - along * z[j] / size) : same;
      dr[a.row[j]] -= a.mu[i] * D / a.mu[j];
      du[a.row[j]] += a.mu[i] * D * rho * a.mu[j];
    }
  }
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  const Axes a = axes_of(p);
  double x[2] = {0};
  for (int i = 0; i < a.count; i++) x[i] = r[a.row[i]] - rho * u[a.row[i]];
  for (int i = 1; i < c->block; i++) r[i] = 0;
  r[0] = fmax(0, r[0] - rho * (u[0] + normal_shift(c, p)));
  dls_friction_nearest(a.count, a.mu, r[0], x);
  for (int i = 0; i < a.count; i++) r[a.row[i]] = x[i];
  return DLS_OK;
}

static double one(const void *context, double v) {
  (void)context;
  (void)v;
  return 1;
}

/* Coulomb's problem with the tangents w and q. */
static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)state;
  const Axes a = axes_of(p);
  const int n = a.count + 1;
  double scaled[9], free_part[3], out[3] = {0};
  for (int i = 0; i < n; i++) {
    const int row = i ? a.row[i - 1] : 0;
    const double mu = i ? a.mu[i - 1] : 1;
    free_part[i] = mu * q[row] + (i ? 0 : normal_shift(c, p));
    for (int j = 0; j < n; j++)
      scaled[i * n + j] = mu * D[row * c->block + (j ? a.row[j - 1] : 0)] * (j ? a.mu[j - 1] : 1);
  }
  const int found = dls_friction_solve(a.count, scaled, free_part, one, NULL, out);
  for (int i = 0; i < c->block; i++) r[i] = 0;
  r[0] = out[0];
  for (int i = 0; i < a.count; i++) r[a.row[i]] = a.mu[i] * out[1 + i];
  return found ? DLS_OK : DLS_ERR_LAW;
}

static const DlsLaw coulomb_anisotropic = {
    DLS_LAW_HEAD,
    .name = "coulomb-anisotropic",
    .summary = "dry friction with an elliptic cone, its axes fixed to a body",
    .references = "Goyal, Ruina and Papadopoulos 1991; Moreau 1994, eqs. 5.8 and 6.1",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS,
    .maturity = "verified",
    .orient = orient,
    .prepare = prepare,
    .residual = residual,
    .solve = solve,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &coulomb_anisotropic; }
