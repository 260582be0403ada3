/* Friction that depends on the speed of sliding (Stribeck's curve), by its own residual.
 *   mu(v) = mu_fast + (mu_slow - mu_fast) exp(-v / v_scale) + eta v
 *   0 <= û_N ⟂ r_N >= 0,  |r_T| <= mu(|u_T|) r_N,  r_T against u_T where it slides
 *   û_N = u_N + gap_rate
 * The coefficient follows u within the solve, so no canonical cone holds it: law_sliding.h has the
 * equation. */
#include <delassus/law_sliding.h>

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

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  double slope;
  const double mu = friction(p, dls_sliding_speed(c, u), &slope);
  dls_sliding_residual(c, mu, slope, u, r, F, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  double slope;
  dls_sliding_project(c, friction(p, dls_sliding_speed(c, u), &slope), u, rho, r);
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
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .residual = residual,
    .project = project,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &stribeck; }
