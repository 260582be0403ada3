/* Rolling friction by hysteresis of Hertz's contact (Brendel, Unger and Wolf 2004, eqs. 1.43-1.45;
 * Greenwood, Minshall and Tabor 1961): a share alpha of the elastic energy is lost, so that
 *   |r_R| <= alpha a r_N,   a the half width of the contact area, which grows with the force f:
 *   spheres  a = (3 f r* / (4 E*))^(1/3)
 *   disks    a = 2 sqrt(f r* / (pi E* l))            l the thickness
 *   rough    a = sqrt(xi r*) where that is wider     xi the amplitude of roughness
 * f is the normal force of the step before, so that the relation is canonical: the length is one
 * step late, which is of order h where the force is continuous. A new contact has the width of
 * roughness alone. Alone the law has Coulomb's friction; after another it adds the torques. */
#include <delassus/law.h>

enum { ALPHA, YOUNG, MU, ROUGHNESS, THICKNESS, TORSION };
static const DlsParam params[] = {
    [ALPHA] = {"alpha", "1", "torque over width times normal force", .value = 0.1, .min = 0,
               .max = DLS_NO_BOUND},
    [YOUNG] = {"young", "Pa", "E*: 1/E* = (1 - nu1²)/E1 + (1 - nu2²)/E2", .value = 1e9, .min = 1e-9,
               .max = DLS_NO_BOUND},
    [MU] = {"mu", "1", "friction coefficient; not read where the law follows another", .value = 0.3,
            .min = 0, .max = DLS_NO_BOUND},
    [ROUGHNESS] = {"roughness", "m", "xi, amplitude of the roughness of the surfaces", .value = 0,
                   .min = 0, .max = DLS_NO_BOUND},
    [THICKNESS] = {"thickness", "m", "of disks, in 2-D", .value = 1, .min = 1e-12,
                   .max = DLS_NO_BOUND},
    [TORSION] = {"torsion", "1", "torque about the normal over mu times width times normal force",
                 .value = 0, .min = 0, .max = DLS_NO_BOUND},
};

enum { FORCE };
static const DlsParam states[] = {
    [FORCE] = {"push", "N", "normal force of the last step", .value = 0, .min = 0,
               .max = DLS_NO_BOUND},
};

/* m, half of the width of the contact area. */
static double width(const DlsContact *c, const double *p, double force) {
  const double pi = 3.14159265358979323846, rough = sqrt(p[ROUGHNESS] * c->radius);
  const double even = c->dim == 3 ? cbrt(0.75 * force * c->radius / p[YOUNG])
                                  : 2 * sqrt(force * c->radius / (pi * p[YOUNG] * p[THICKNESS]));
  return fmax(rough, even);
}

static DlsStatus prepare(const DlsContact *c, const double *p, const double *state,
                         DlsRelation *out) {
  if (out->cone == DLS_CONE_FREE) { /* alone */
    out->cone = DLS_CONE_COULOMB;
    out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = p[MU];
    out->b[0] = c->gap_rate;
  }
  if (c->block == c->dim || out->cone == DLS_CONE_BILATERAL || out->cone == DLS_CONE_SLIDER)
    return DLS_OK;
  /* The cone ROLLING slides alike in all directions; no ellipse fits into it. */
  if (c->dim == 3 && out->cone == DLS_CONE_COULOMB && out->mu[DLS_MU_1] != out->mu[DLS_MU_2])
    return DLS_ERR_LAW;
  if (out->cone == DLS_CONE_SIGNORINI) out->mu[DLS_MU_1] = out->mu[DLS_MU_2] = 0;
  if (out->cone != DLS_CONE_CUSTOM) out->cone = DLS_CONE_ROLLING;
  const double a = width(c, p, state[FORCE]);
  out->mu[DLS_MU_ROLL] = p[ALPHA] * a;
  out->mu[DLS_MU_TORSION] = p[TORSION] * out->mu[DLS_MU_1] * a;
  return DLS_OK;
}

static DlsStatus commit(const DlsContact *c, const double *p, const double *u, const double *r,
                        double *state) {
  (void)p;
  (void)u;
  state[FORCE] = fmax(0, r[0] / c->h);
  return DLS_OK;
}

static const DlsLaw rolling_hertz = {
    DLS_LAW_HEAD,
    .name = "rolling-hertz",
    .summary = "rolling friction by the width of Hertz's contact, alone or after another law",
    .references = "Brendel, Unger and Wolf 2004, eqs. 1.43-1.45; Greenwood, Minshall and Tabor "
                  "1961, Proc. R. Soc. A 259",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .blocks = DLS_BLOCK(3) | DLS_BLOCK(6),
    .claims = DLS_CLAIM_COMPLETE | DLS_CLAIM_SWAP | DLS_CLAIM_PLAIN,
    .maturity = "verified",
    .composes = 1,
    .prepare = prepare,
    .commit = commit,
    .energy = dls_law_dissipates,
};

const DlsLaw *dls_law_entry(void) { return &rolling_hertz; }
