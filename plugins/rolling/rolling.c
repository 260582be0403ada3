/* Rolling and torsion friction (Brendel, Unger and Wolf 2004, eqs. 1.38-1.42).
 *   |r_T| <= mu r_N,   |r_R| <= l_roll r_N,   |r_S| <= l_torsion r_N,   each against its velocity
 *   l = length + ratio r*,   r* = R1 R2 / (R1 + R2) the reduced radius
 * r_R, r_S are the torques about the tangents and about the normal, u_R, u_S the relative spins.
 * After another law it adds the torques to that law's relation: COULOMB becomes ROLLING, and a law
 * with a relation of its own keeps it. */
#include <delassus/law.h>

enum { MU, ROLL, TORSION, ROLL_RATIO, TORSION_RATIO };
static const DlsParam params[] = {
    [MU] = {"mu", "1", "friction coefficient; not read where the law follows another", .value = 0.3,
            .min = 0, .max = DLS_NO_BOUND},
    [ROLL] = {"roll", "m", "length of rolling friction: torque over normal force", .value = 0,
              .min = 0, .max = DLS_NO_BOUND},
    [TORSION] = {"torsion", "m", "length of torsion friction", .value = 0, .min = 0,
                 .max = DLS_NO_BOUND},
    [ROLL_RATIO] = {"roll_ratio", "1", "part of the reduced radius added to roll", .value = 0.01,
                    .min = 0, .max = DLS_NO_BOUND},
    [TORSION_RATIO] = {"torsion_ratio", "1", "part of the reduced radius added to torsion",
                       .value = 0.01, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  (void)state;
  const int spins = c->block > c->dim;
  if (out->cone == DLS_CONE_FREE) { /* alone */
    out->cone = DLS_CONE_COULOMB;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  if (!spins || out->cone == DLS_CONE_BILATERAL || out->cone == DLS_CONE_SLIDER) return DLS_OK;
  /* The cone ROLLING slides alike in all directions; no ellipse fits into it. */
  if (c->dim == 3 && out->cone == DLS_CONE_COULOMB && out->mu[DLS_MU_1] != out->mu[DLS_MU_2])
    return DLS_ERR_LAW;
  if (out->cone == DLS_CONE_SIGNORINI) out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = 0;
  if (out->cone != DLS_CONE_CUSTOM) out->cone = DLS_CONE_ROLLING; /* the core adds the torques */
  out->mu[DLS_MU_ROLL] = p[ROLL] + p[ROLL_RATIO] * c->radius;
  out->mu[DLS_MU_TORSION] = p[TORSION] + p[TORSION_RATIO] * c->radius;
  return DLS_OK;
}

static const DlsLaw rolling = {
    DLS_LAW_HEAD,
    .name = "rolling",
    .summary = "rolling and torsion friction, alone with sliding friction or after another law",
    .references = "Brendel, Unger and Wolf 2004, sec. 1.7",
    .params = params,
    .nparams = DLS_COUNT(params),
    .blocks = DLS_BLOCK(3) | DLS_BLOCK(6),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_HOMOGENEOUS | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .composes = 1,
    .prepare = prepare,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &rolling; }
