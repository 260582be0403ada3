/* Rolling friction of viscoelastic bodies, which vanishes with the spin (Brilliantov and Poschel
 * 1998; Brendel, Unger and Wolf 2004, sec. 1.7): the torque goes as normal force times spin,
 *   r_R = -k r_N u_R,    r_S = -k_t r_N u_S,      k, k_t in m s
 * with unilateral contact and Coulomb's friction beside it. No canonical cone has the product of
 * r_N and u_R: a custom law. As an equation, with rho > 0 in kg, g = max(0, r_N - rho û_N):
 *   F_N = r_N - g,   F_T = r_T - P_(mu g)(r_T - rho u_T),   F_R = r_R + k g u_R,
 *   F_S = r_S + k_t g u_S. */
#include <delassus/law_sliding.h>

enum { MU, VISCOUS, VISCOUS_TORSION };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [VISCOUS] = {"viscous", "m s", "k: rolling torque over normal force and spin", .value = 1e-4,
                 .min = 0, .max = DLS_NO_BOUND},
    [VISCOUS_TORSION] = {"viscous_torsion", "m s", "k_t: the same about the normal", .value = 0,
                         .min = 0, .max = DLS_NO_BOUND},
};

/* k of component i, a spin. */
static double viscous_at(const DlsContact *c, const double *p, int i) {
  return c->dim == 3 && i == 5 ? p[VISCOUS_TORSION] : p[VISCOUS];
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const DlsSliding at = dls_sliding_at(c, p[MU], 0, u, r);
  dls_sliding_residual(c, p[MU], 0, u, r, F, dF_du, dF_dr);
  for (int i = c->dim; i < n; i++) {
    const double k = viscous_at(c, p, i);
    F[i] = r[i] + k * at.g * u[i];
    if (!dF_du || !dF_dr) continue;
    dF_du[i * n + i] = k * at.g;
    dF_du[i * n] = at.g > 0 ? -k * at.rho * u[i] : 0;
    dF_dr[i * n] = at.g > 0 ? k * u[i] : 0;
  }
  return DLS_OK;
}

/* Of a spin the step is r - rho u, which r = -k r_N u changes into r = (r - rho u) k r_N /
 * (k r_N + rho): its fixed point is the relation. rho stands for kg m² there. */
static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  double spin[DLS_MAX_BLOCK];
  for (int i = c->dim; i < c->block; i++) spin[i] = r[i] - rho * u[i];
  dls_sliding_project(c, p[MU], u, rho, r);
  for (int i = c->dim; i < c->block; i++) {
    const double soft = viscous_at(c, p, i) * r[0];
    r[i] = spin[i] * (soft / (soft + rho));
  }
  return DLS_OK;
}

static const DlsLaw rolling_viscous = {
    DLS_LAW_HEAD,
    .name = "rolling-viscous",
    .summary = "rolling friction of viscoelastic bodies, proportional to force and spin",
    .references = "Brilliantov and Poschel 1998, Europhys. Lett. 42; Brendel, Unger and Wolf 2004, "
                  "sec. 1.7",
    .params = params,
    .nparams = DLS_COUNT(params),
    .blocks = DLS_BLOCK(3) | DLS_BLOCK(6),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .residual = residual,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &rolling_viscous; }
