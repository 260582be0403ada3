/* Sliding and torsion friction that share one limit: a contact area that slides and spins has less
 * resistance to either (Farkas, Bartels, Unger and Wolf 2003; Zhuravlev 1998). The limit surface is
 * the ellipsoid
 *   |r_T|² + (r_S / L)² <= (mu r_N)²,      L = length + ratio r*
 * and the velocities are normal to it: with w = (u_T, L u_S), q = (r_T, r_S / L)
 *   |q| <= mu r_N,   q = -mu r_N w / |w|  where w ≠ 0
 * which is Coulomb's law with three tangents. mu r_N L is the torque of pure spinning: L = 2/3 of
 * the radius of an area under even pressure, 3 pi / 16 of it under Hertz's.
 * As an equation, with rho > 0 in kg, g = max(0, r_N - rho û_N), P_s the projection on the ball of
 * radius s: F_N = r_N - g, (F_T, F_S / L) = q - P_s(q - rho w), s = mu g; no rolling torque. */
#include <delassus/law_friction.h>

enum { MU, LENGTH, RATIO };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [LENGTH] = {"length", "m", "torque of pure spinning over that of the friction force",
                .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [RATIO] = {"ratio", "1", "part of the reduced radius added to length", .value = 0.01, .min = 0,
               .max = DLS_NO_BOUND},
};

enum { MOST = 3 }; /* T1, T2 and S */

/* Which components share the limit, and the length of each: 1 for tangents. */
typedef struct {
  int count, row[MOST];
  double length[MOST];
} Shared;

static Shared shared_by(const DlsContact *c, const double *p) {
  Shared s = {.count = 0};
  for (int i = 1; i < c->dim; i++) {
    s.row[s.count] = i;
    s.length[s.count++] = 1;
  }
  const double length = p[LENGTH] + p[RATIO] * c->radius;
  if (c->block == 6 && length > 0) {
    s.row[s.count] = 5;
    s.length[s.count++] = length;
  }
  return s;
}

static double norm(const double *x, int count) { return dls_law_length(x, count); }

/* dP/dx of the ball of radius s, and dP/ds = along. */
static void slopes(const Shared *sh, const double *x, double size, double s, double D[MOST][MOST],
                   double along[MOST]) {
  for (int i = 0; i < sh->count; i++) {
    along[i] = size > s ? x[i] / size : 0;
    for (int j = 0; j < sh->count; j++)
      D[i][j] = size > s ? s / size * ((i == j) - x[i] / size * (x[j] / size)) : i == j;
  }
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const Shared sh = shared_by(c, p);
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1, push = r[0] - rho * (u[0] + c->gap_rate);
  const double g = fmax(0, push), s = p[MU] * g, dg = push > 0;
  double x[MOST] = {0}, D[MOST][MOST], along[MOST];
  for (int i = 0; i < sh.count; i++)
    x[i] = r[sh.row[i]] / sh.length[i] - rho * sh.length[i] * u[sh.row[i]];
  const double size = norm(x, sh.count), scale = size > s ? s / size : 1;
  for (int i = 0; i < n; i++) F[i] = r[i];
  F[0] = r[0] - g;
  for (int i = 0; i < sh.count; i++) F[sh.row[i]] = r[sh.row[i]] - sh.length[i] * scale * x[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  for (int k = 0; k < n * n; k++) {
    dF_du[k] = 0;
    dF_dr[k] = k % (n + 1) == 0;
  }
  dF_dr[0] -= dg;
  dF_du[0] = rho * dg;
  slopes(&sh, x, size, s, D, along);
  for (int i = 0; i < sh.count; i++) {
    double *du = dF_du + sh.row[i] * n, *dr = dF_dr + sh.row[i] * n;
    dr[0] -= sh.length[i] * along[i] * p[MU] * dg;
    du[0] += sh.length[i] * along[i] * p[MU] * dg * rho;
    for (int j = 0; j < sh.count; j++) {
      dr[sh.row[j]] -= sh.length[i] * D[i][j] / sh.length[j];
      du[sh.row[j]] += sh.length[i] * D[i][j] * rho * sh.length[j];
    }
  }
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  const Shared sh = shared_by(c, p);
  double x[MOST] = {0};
  for (int i = 0; i < sh.count; i++) x[i] = r[sh.row[i]] - rho * u[sh.row[i]];
  for (int i = 1; i < c->block; i++) r[i] = 0;
  r[0] = fmax(0, r[0] - rho * (u[0] + c->gap_rate));
  dls_friction_nearest(sh.count, sh.length, p[MU] * r[0], x);
  for (int i = 0; i < sh.count; i++) r[sh.row[i]] = x[i];
  return DLS_OK;
}

static double coefficient(const void *context, double v) {
  (void)v;
  return *(const double *)context;
}

/* Coulomb's problem with the tangents w and q. */
static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  (void)state;
  const Shared sh = shared_by(c, p);
  const int n = sh.count + 1, block = c->block;
  double scaled[(MOST + 1) * (MOST + 1)], free_part[MOST + 1], out[MOST + 1];
  for (int i = 0; i < n; i++) {
    const int row = i ? sh.row[i - 1] : 0;
    const double length = i ? sh.length[i - 1] : 1;
    free_part[i] = length * q[row] + (i ? 0 : c->gap_rate);
    for (int j = 0; j < n; j++)
      scaled[i * n + j] =
          length * D[row * block + (j ? sh.row[j - 1] : 0)] * (j ? sh.length[j - 1] : 1);
  }
  dls_friction_solve(sh.count, scaled, free_part, coefficient, &p[MU], out);
  for (int i = 0; i < block; i++) r[i] = 0;
  r[0] = out[0];
  for (int i = 0; i < sh.count; i++) r[sh.row[i]] = sh.length[i] * out[1 + i];
  return DLS_OK;
}

static const DlsLaw sliding_torsion = {
    DLS_LAW_HEAD,
    .name = "sliding-torsion",
    .summary = "dry friction whose sliding and torsion share one ellipsoidal limit",
    .description = "A custom law: unilateral contact without restitution. What spins slides\n"
                   "more easily: the friction force falls as the torque takes its share.",
    .references = "Farkas, Bartels, Unger and Wolf 2003, Phys. Rev. Lett. 90; Zhuravlev 1998; "
                  "Goyal, Ruina and Papadopoulos 1991",
    .params = params,
    .nparams = DLS_COUNT(params),
    .blocks = DLS_BLOCK(3) | DLS_BLOCK(6),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .residual = residual,
    .solve = solve,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &sliding_torsion; }
