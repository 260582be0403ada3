/* A brittle bond with Mohr and Coulomb's envelope; dry friction once it is broken.
 *   bonded:  r_N >= -h T,   |r_T| <= h C + mu r_N,   u = 0 inside, T and C strength times area
 *            opens with r_N = -h T, slides with r_T on the envelope against u_T
 *   broken:  Coulomb's law of coefficient mu; for ever
 * A bond that opens or slides is broken at the end of that step: it gives its strength once. Where
 * the cone's apex comes before the cut-off (C <= mu T) the bonded relation is canonical, Coulomb's
 * with a_N = h C/mu. Else the cut-off makes it the law's own, with rho > 0 in kg and z = r - rho u:
 *   F_N = r_N - y,  y = max(-h T, z_N);   F_T = r_T - P_s(z_T),  s = h C + mu y. */
#include <delassus/law.h>

enum { TENSION, COHESION, MU, AREA, UNTIL, REACH, V_REST };
static const DlsParam params[] = {
    [TENSION] = {"tension", "Pa", "tensile strength", .value = 1e5, .min = 0, .max = DLS_NO_BOUND},
    [COHESION] = {"cohesion", "Pa", "shear strength without normal stress", .value = 2e5, .min = 0,
                  .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient, of the bond and of what is left", .value = 0.6,
            .min = 0, .max = DLS_NO_BOUND},
    [AREA] = {"area", "m2",
              "of a bond; 0: the contact's own where it is known, else pi R², R the reduced radius",
              .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [UNTIL] = {"until", "s", "contacts found up to this time are bonded", .value = 0,
               .min = -DLS_NO_BOUND, .max = DLS_NO_BOUND},
    [REACH] = {"reach", "m", "gap up to which a found contact is bonded", .value = 1e-6, .min = 0,
               .max = DLS_NO_BOUND},
    [V_REST] = {"v_rest", "m/s", "speed up to which a bond on its envelope holds", .value = 1e-6,
                .min = 1e-12, .max = DLS_NO_BOUND},
};

enum { BROKEN };
static const DlsParam states[] = {
    [BROKEN] = {"broken", "1", "1 when there is no bond, else 0", .value = 1, .min = 0, .max = 1},
};

static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[REACH];
}

static DlsStatus begin(const DlsContact *c, const double *p, double *state) {
  state[BROKEN] = c->time > p[UNTIL] || c->gap > p[REACH];
  return DLS_OK;
}

/* N s: what the bond can give in this step. */
typedef struct {
  double tension, cohesion;
} Strength;

static Strength strength(const DlsContact *c, const double *p) {
  const double area = dls_law_area(c, p[AREA]);
  return (Strength){c->h * area * p[TENSION], c->h * area * p[COHESION]};
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  const Strength bond = strength(c, p);
  const int bonded = state[BROKEN] == 0;
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  if (bonded && bond.cohesion > p[MU] * bond.tension) {
    out->cone = DLS_CONE_CUSTOM;
    return DLS_OK;
  }
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  if (!bonded)
    out->b[0] = c->gap_rate;
  else if (p[MU] > 0)
    out->a[0] = bond.cohesion / p[MU];
  return DLS_OK;
}

/* The nearest place within the envelope in Coulomb's sense: normal first, then the disc. */
static void resolve(const DlsContact *c, const double *p, const double *z, double *out) {
  const Strength bond = strength(c, p);
  const double y = fmax(-bond.tension, z[0]), s = fmax(0, bond.cohesion + p[MU] * y);
  const double size = dls_law_length(z + 1, c->dim - 1), scale = size > s ? s / size : 1;
  out[0] = y;
  for (int i = 1; i < c->dim; i++) out[i] = scale * z[i];
  for (int i = c->dim; i < c->block; i++) out[i] = 0; /* no torque */
}

/* F = r - R(r - rho u): dF/dr = 1 - R', dF/du = rho R'. */
static DlsStatus residual(const DlsContact *c, const double *p, const double *state,
                          const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)state;
  const int n = c->block;
  const double rho = c->mass > 0 ? c->mass : 1;
  double z[DLS_MAX_BLOCK] = {0}, at[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < n; i++) z[i] = r[i] - rho * u[i];
  resolve(c, p, z, at);
  for (int i = 0; i < n; i++) F[i] = r[i] - at[i];
  if (!dF_du || !dF_dr) return DLS_OK;
  const Strength bond = strength(c, p);
  const double s = fmax(0, bond.cohesion + p[MU] * at[0]), holds = z[0] > -bond.tension;
  dls_law_disc_slopes(c, z, rho, s, holds, p[MU] * holds, dF_du, dF_dr);
  return DLS_OK;
}

static DlsStatus project(const DlsContact *c, const double *p, const double *state, const double *u,
                         double rho, double *r) {
  (void)state;
  for (int i = 0; i < c->block; i++) r[i] -= rho * u[i];
  resolve(c, p, r, r);
  return DLS_OK;
}

/* Broken: it moved, with the reaction on the envelope. The second keeps the small velocities that a
 * solver leaves in a bond that holds from breaking it. */
static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  if (state[BROKEN] != 0) return DLS_OK;
  const Strength bond = strength(c, p);
  const double near_envelope = 1e-3, limit = bond.cohesion + p[MU] * r[0];
  const double apex = bond.cohesion > p[MU] * bond.tension ? bond.tension : bond.cohesion / p[MU];
  const double margin = near_envelope * (bond.tension + bond.cohesion + p[MU] * fabs(r[0]));
  const int opens = u[0] > p[V_REST] && r[0] <= margin - (p[MU] > 0 ? apex : bond.tension);
  const int slides = dls_law_length(u + 1, c->dim - 1) > p[V_REST] &&
                     dls_law_length(r + 1, c->dim - 1) >= limit - margin;
  state[BROKEN] = opens || slides;
  return DLS_OK;
}

static const DlsLaw mohr_coulomb = {
    DLS_LAW_HEAD,
    .name = "mohr-coulomb",
    .summary = "brittle bond with tensile strength and cohesion; dry friction once broken",
    .references = "Mohr 1900; Coulomb 1776; Potyondy, Cundall 2004, Int. J. Rock Mech. 41",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_CLOCK | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .begin = begin,
    .prepare = prepare,
    .residual = residual,
    .project = project,
    .commit = commit,
    .energy = dls_law_dissipates, /* the bond is rigid; what it gives in its last step is lost */
};

const DlsLaw *dls_law_entry(void) { return &mohr_coulomb; }
