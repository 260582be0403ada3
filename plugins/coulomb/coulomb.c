/* Dry friction with restitution (Moreau 1994, eqs. 5.8 and 6.1), static and dynamic coefficients.
 *   û = u + (rho u⁻_N, tau u⁻_T);   û and r stand in Coulomb's relation of coefficient mu_now,
 *   mu_now = mu for a contact that slid in the last step, max(mu, mu_static) for any other;
 * where mu_collision >= 0, it is mu_now of a contact that closes in this step, faster than
 * v_collision (Moreau 1994, sec. 6, end).
 * Restitution may depend on the speed of the impact v = |u⁻_N|: none below v_bounce, and
 * rho(v) = rho (v / v_yield)^-power above v_yield (McNamara and Falcon 2005; power 1/4 is that of
 * plastic yield, Johnson 1985, sec. 11.5).
 * A scheme that lets a gap close within the step adds it: û_N = u_N + gap_rate while the gap is
 * open and does not close at u⁻_N (dls_law_restitution). */
#include <delassus/law.h>

enum { MU, MU_STATIC, RHO, TAU, V_REST, V_BOUNCE, V_YIELD, POWER, MU_COLLISION, V_COLLISION };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = 0.3, .min = 0, .max = DLS_NO_BOUND},
    [MU_STATIC] = {"mu_static", "1", "the same at rest; counts where it is above mu", .value = 0,
                   .min = 0, .max = DLS_NO_BOUND},
    [RHO] = {"rho", "1", "normal restitution", .value = 0, .min = 0, .max = 1},
    [TAU] = {"tau", "1", "tangential restitution", .value = 0, .min = -1, .max = 1},
    [V_REST] = {"v_rest", "m/s", "tangential speed up to which a contact is at rest", .value = 1e-6,
                .min = 0, .max = DLS_NO_BOUND},
    [V_BOUNCE] = {"v_bounce", "m/s", "impacts slower than this do not bounce", .value = 0, .min = 0,
                  .max = DLS_NO_BOUND},
    [V_YIELD] = {"v_yield", "m/s", "impact speed above which rho falls; 0: it never does",
                 .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [POWER] = {"power", "1", "with which it falls: rho (v / v_yield)^-power", .value = 0.25,
               .min = 0, .max = 10},
    [MU_COLLISION] = {"mu_collision", "1", "friction coefficient of collisions; below 0: as else",
                      .value = -1, .min = -1, .max = DLS_NO_BOUND},
    [V_COLLISION] = {"v_collision", "m/s", "speed of approach above which a contact collides",
                     .value = 1e-3, .min = 0, .max = DLS_NO_BOUND},
};

enum { SLIDING };
static const DlsParam states[] = {
    [SLIDING] = {"sliding", "1", "1 when it slid in the last step, else 0", .value = 0, .min = 0,
                 .max = 1},
};

/* Whether the contact collides in this step: it closes at the velocity that it came with. */
static int collides(const DlsContact *c, const double *p) {
  return c->u_before[0] < -fmax(c->gap_rate, p[V_COLLISION]);
}

/* The coefficient of this step. */
static double friction(const DlsContact *c, const double *p, const double *state) {
  if (p[MU_COLLISION] >= 0 && collides(c, p)) return p[MU_COLLISION];
  return state[SLIDING] != 0 ? p[MU] : fmax(p[MU], p[MU_STATIC]);
}

/* rho of an impact at this speed. */
static double restitution(const double *p, double speed) {
  if (speed < p[V_BOUNCE]) return 0;
  if (p[V_YIELD] > 0 && speed > p[V_YIELD]) return p[RHO] * pow(speed / p[V_YIELD], -p[POWER]);
  return p[RHO];
}

/* b = û - u. */
static void shift(const DlsContact *c, const double *p, double *b) {
  dls_law_restitution(c, restitution(p, fabs(c->u_before[0])), p[TAU], b);
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  /* In a block with spins, ROLLING without rolling coefficients: no torque. */
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = friction(c, p, state);
  shift(c, p, out->b);
  return DLS_OK;
}

/* m/s, what round-off leaves of û_T = (D r + q)_T + b_T where the contact sticks: by the speeds
 * that are added, of which the law knows these. */
static double round_off(const DlsContact *c, const double *u, const double *r, const double *b) {
  double sum = 0;
  for (int i = 0; i < c->dim; i++) {
    sum += fabs(u[i]) + fabs(c->u_before[i]) + fabs(b[i]);
    if (c->mass > 0) sum += fabs(r[i]) / c->mass;
  }
  return 1e-12 * sum;
}

/* Sliding: û_T beyond v_rest, and beyond round-off, with the reaction on the cone. The last keeps
 * the small velocities that a solver leaves in a contact at rest from being taken for sliding;
 * where a law behind this one attracts, such as glue, the cone is larger than r_N tells, and v_rest
 * alone does so. An open contact has no cone. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  const double near_cone = 1 - 1e-3;
  double b[DLS_MAX_BLOCK] = {0}, speed = 0, pull = 0;
  shift(c, p, b);
  for (int i = 1; i < c->dim; i++) {
    speed = hypot(speed, u[i] + b[i]);
    pull = hypot(pull, r[i]);
  }
  state[SLIDING] = speed > fmax(p[V_REST], round_off(c, u, r, b)) &&
                   pull >= near_cone * friction(c, p, state) * fmax(r[0], 0);
  return DLS_OK;
}

static const DlsLaw coulomb = {
    DLS_LAW_HEAD,
    .name = "coulomb",
    .summary = "dry friction with restitution, static and dynamic coefficients",
    .references = "Moreau 1994, eqs. 5.8 and 6.1; McNamara and Falcon 2005; Johnson 1985",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .states = states,
    .nstates = DLS_COUNT(states),
    .prepare = prepare,
    .commit = commit,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &coulomb; }
