/* Dry friction with an elliptic cone whose axes are fixed to a body (Goyal, Ruina and Papadopoulos
 * 1991; in De Saxcé's form as in relation.h).
 *   û = u + (rho u⁻_N, 0),   (r1/mu1)² + (r2/mu2)² <= r_N²,   û + |(mu1 û1, mu2 û2)| n in K*
 * t1 is the direction (x, y, z), given in the material axes of one of the two bodies and projected
 * on the tangent plane. Where it slides, û_T is along -(r1/mu1², r2/mu2²): greatest dissipation.
 * In 2-D there is one tangent, and mu1 is its coefficient. */
#include <delassus/law.h>

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

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  /* 2-D with a spin: one tangent, no torque. */
  out->cone = c->block > c->dim ? DLS_CONE_ROLLING : DLS_CONE_COULOMB;
  out->mu[DLS_MU_1] = p[MU1];
  out->mu[DLS_MU_2] = p[MU2];
  dls_law_restitution(c, p[RHO], 0, out->b);
  return DLS_OK;
}

static const DlsLaw coulomb_anisotropic = {
    DLS_LAW_HEAD,
    .name = "coulomb-anisotropic",
    .summary = "dry friction with an elliptic cone, its axes fixed to a body",
    .references = "Goyal, Ruina and Papadopoulos 1991; Moreau 1994, eqs. 5.8 and 6.1",
    .params = params,
    .nparams = DLS_COUNT(params),
    .blocks = DLS_BLOCK(2) | DLS_BLOCK(3),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS,
    .maturity = "verified",
    .orient = orient,
    .prepare = prepare,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &coulomb_anisotropic; }
