/* Dry friction that dilates: what slides rides up on its asperities (Patton 1966; Goodman 1976).
 *   û = u + (gap_rate + rho u⁻_N, 0);   r in Coulomb's cone of coefficient mu,
 *   sliding opens: û_N = tan_psi |û_T|,  tan_psi = min(dilatancy, mu), psi the angle of dilatancy.
 * In the canonical relation that is associated = tan_psi / mu. At dilatancy = 0 it is Coulomb's
 * law; at dilatancy = mu the flow is normal to the cone and a step is a convex programme, the one
 * that codes after Anitescu and Tasora (2010) or Todorov (2014) solve in the place of Coulomb's. */
#include <delassus/law.h>

enum { MU, DILATANCY, HEIGHT, RHO };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient", .value = 0.6, .min = 0, .max = DLS_NO_BOUND},
    [DILATANCY] = {"dilatancy", "1", "tangent of the angle of dilatancy; counts up to mu",
                   .value = 0.2, .min = 0, .max = DLS_NO_BOUND},
    [HEIGHT] = {"height", "m", "of the asperities: beyond this gap nothing dilates", .value = 1e-3,
                .min = 0, .max = DLS_NO_BOUND},
    [RHO] = {"rho", "1", "normal restitution", .value = 0, .min = 0, .max = 1},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  /* In a block with spins, ROLLING without rolling coefficients: no torque. */
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
  out->associated = p[DILATANCY] < p[MU] ? p[DILATANCY] / p[MU] : 1;
  if (c->gap >= p[HEIGHT]) out->associated = 0; /* at height 0 there are none */
  dls_law_restitution(c, p[RHO], 0, out->b);
  return DLS_OK;
}

/* Asperities touch up to their height: what slides there is lifted. */
static double range(const DlsPair *pair, const double *p) {
  (void)pair;
  return p[HEIGHT];
}

static const DlsLaw dilatant = {
    DLS_LAW_HEAD,
    .name = "dilatant",
    .summary = "dry friction that opens as it slides, from Coulomb's law to the associated one",
    .references = "Patton 1966; Goodman 1976; De Saxcé and Feng 1998; Anitescu and Tasora 2010",
    .params = params,
    .nparams = DLS_COUNT(params),
    .claims = DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .range = range,
    .prepare = prepare,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &dilatant; }
