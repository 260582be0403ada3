/* Rate-and-state friction (Dieterich 1979, Ruina 1983): the coefficient follows the speed of
 * sliding within the step, and a memory theta, the age of the contact in s, over a slip distance
 * D_c.
 *   mu = mu_0 + a ln((v + v_min) / v_0) + b ln(theta v_0 / D_c),   not below 0
 *   aging: dtheta/dt = 1 - v theta / D_c       slip: dtheta/dt = -(v theta / D_c) ln(v theta / D_c)
 * v_min is the speed of creep below which the contact holds. At constant v both laws have closed
 * forms, which a step takes; with x = v h / D_c:
 *   aging: theta <- theta exp(-x) + D_c/v (1 - exp(-x))
 *   slip:  v theta / D_c <- (v theta / D_c)^exp(-x)
 * mu grows with v while theta is held (a >= 0), so a step has one solution; law_sliding.h has its
 * equation. */
#include <delassus/law_friction.h>
#include <delassus/law_sliding.h>

enum { MU_0, A, B, D_C, V_0, V_MIN, SLIP };
static const DlsParam params[] = {
    [MU_0] = {"mu_0", "1", "friction coefficient of steady sliding at v_0", .value = 0.6, .min = 0,
              .max = DLS_NO_BOUND},
    [A] = {"a", "1", "direct effect: growth with the logarithm of the speed", .value = 0.01,
           .min = 0, .max = DLS_NO_BOUND},
    [B] = {"b", "1", "evolution effect: growth with the logarithm of the age", .value = 0.015,
           .min = 0, .max = DLS_NO_BOUND},
    [D_C] = {"D_c", "m", "slip that renews the contact", .value = 1e-5, .min = 1e-15,
             .max = DLS_NO_BOUND},
    [V_0] = {"v_0", "m/s", "reference speed", .value = 1e-6, .min = 1e-9, .max = DLS_NO_BOUND},
    [V_MIN] = {"v_min", "m/s", "speed of creep, below which the direct effect ends", .value = 1e-9,
               .min = 1e-9, .max = DLS_NO_BOUND},
    [SLIP] = {"slip", "1", "1: slip law; 0: aging law", .value = 0, .min = 0, .max = 1},
};

enum { AGE };
static const DlsParam states[] = {
    [AGE] = {"age", "s", "theta, at the end of the last step", .value = 0, .min = 0,
             .max = DLS_NO_BOUND},
};

/* A contact comes as one that slides steadily at v_0. */
static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  (void)c;
  state[AGE] = p[D_C] / p[V_0];
  return DLS_OK;
}

/* mu(v) at an age, and its derivative. */
static double friction(const double *p, const double *state, double v, double *slope) {
  const double mu =
      p[MU_0] + p[A] * log((v + p[V_MIN]) / p[V_0]) + p[B] * log(state[AGE] * p[V_0] / p[D_C]);
  *slope = mu > 0 ? p[A] / (v + p[V_MIN]) : 0;
  return fmax(mu, 0);
}

static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  double slope;
  const double mu = friction(p, state, dls_sliding_speed(c, u), &slope);
  dls_sliding_residual(c, mu, slope, u, r, F, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  double slope;
  dls_sliding_project(c, friction(p, state, dls_sliding_speed(c, u), &slope), u, rho, r);
  return DLS_OK;
}

typedef struct {
  const double *p, *state;
} Coefficient;

static double coefficient(const void *context, double v) {
  const Coefficient *of = (const Coefficient *)context;
  double slope;
  return friction(of->p, of->state, v, &slope);
}

/* The logarithm is too steep near v_min for Newton's method. */
static DlsStatus solve(const DlsContact *c, const double *p, const double *state, const double *D,
                       const double *q, double *r) {
  const Coefficient of = {p, state};
  dls_friction_contact(c, D, q, coefficient, &of, r); /* none found: the core sees it in F */
  return DLS_OK;
}

/* An open contact does not slide: it only grows older. The age stays above 0, whatever the speed:
 * its logarithm is asked for. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  const double v = r[0] > 0 ? dls_sliding_speed(c, u) : 0, x = v * c->h / p[D_C];
  const double least = 1e-300;
  if (p[SLIP] < 0.5)
    state[AGE] = state[AGE] * exp(-x) + (x > 0 ? -expm1(-x) / x : 1) * c->h;
  else if (v > 0)
    state[AGE] = p[D_C] / v * pow(v * state[AGE] / p[D_C], exp(-x));
  state[AGE] = fmin(fmax(state[AGE], least), 1e300);
  return DLS_OK;
}

static const DlsLaw rate_and_state = {
    DLS_LAW_HEAD,
    .name = "rate-and-state",
    .summary = "friction of faults: coefficient by the speed of sliding and the age of the contact",
    .description = "A custom law: unilateral contact without restitution. Weakens with speed\n"
                   "where b > a, which gives stick-slip on soft springs.",
    .references = "Dieterich 1979, J. Geophys. Res. 84; Ruina 1983, J. Geophys. Res. 88",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .begin = begin,
    .residual = residual,
    .solve = solve,
    .project = project,
    .commit = commit,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &rate_and_state; }
