/* The gluey contact (Maury 2007; Lefebvre 2009): what lubrication becomes as the viscosity goes to
 * zero. A contact that was pushed by the impulse |gamma| must be pulled by as much before it opens:
 *   gamma' = -r_N,   gamma <= 0,   gap >= 0,   gap gamma = 0.
 * Over one step gamma⁺ = gamma - r_N <= 0 says r_N + |gamma| >= 0, and the gap opens only where
 * gamma⁺ = 0. That is one canonical relation:
 *   û_N = u_N + gap_rate,   r̂_N = r_N + |gamma|,   0 <= û_N ⟂ r̂_N >= 0.
 * Held (gamma⁺ < 0) it is bilateral; without memory (gamma = 0) it is unilateral; the step in which
 * gamma comes back to zero gives the rest of the impulse, no more, and opens with what is left. */
#include <delassus/law.h>

enum { MU, GAMMA_MAX, RANGE };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient, of r_N + |gamma|; alone only", .value = 0, .min = 0,
            .max = DLS_NO_BOUND},
    [GAMMA_MAX] = {"gamma_max", "N s", "most that |gamma| can be; 0: no limit", .value = 0,
                   .min = 0, .max = DLS_NO_BOUND},
    [RANGE] = {"range", "m", "gap up to which a held contact is kept", .value = 1e-6, .min = 0,
               .max = DLS_NO_BOUND},
};

enum { GAMMA };
static const DlsParam states[] = {
    [GAMMA] = {"gamma", "N s", "minus the impulse that the glue has yet to give back", .value = 0,
               .min = -DLS_NO_BOUND, .max = 0},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[RANGE];
}

/* N s, what the glue holds at this gap: beyond `range` it is torn, as by a bounce of a law before
 * it. */
static double held(const DlsContact *c, const double *p, const double *state) {
  return c->gap <= p[RANGE] ? state[GAMMA] : 0;
}

/* Behind another law it adds the glue alone: cone, gap and restitution are the other's. */
static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  if (out->cone == DLS_CONE_FREE) {
    const DlsCone rough = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
    out->cone = p[MU] > 0 ? rough : DLS_CONE_SIGNORINI;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  out->a[0] -= held(c, p, state);
  return DLS_OK;
}

/* gamma⁺ = gamma - r_N: 0 to round-off where the contact opens. The film cannot hold more than
 * gamma_max: roughness keeps the surfaces apart (Maury's slide 64). */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)u;
  const double gamma = fmin(0, held(c, p, state) - r[0]);
  state[GAMMA] = p[GAMMA_MAX] > 0 ? fmax(gamma, -p[GAMMA_MAX]) : gamma;
  return DLS_OK;
}

static const DlsLaw gluey = {
    DLS_LAW_HEAD,
    .name = "gluey",
    .summary = "contact that must be pulled for as long as it was pushed before it opens",
    .description = "The limit of lubrication for a viscosity that goes to zero: the contact\n"
                   "remembers the impulse that pressed it, and gives it back as a pull.",
    .references = "Maury 2007, ESAIM Proceedings 18; Lefebvre 2009, M2AN 43; Maury, Numerical "
                  "modelling of granular flows, slides 54-65",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .composes = 1,
    .range = range,
    .prepare = prepare,
    .commit = commit,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &gluey; }
