/* Isotropic damage: sigma = (1 - d) C epsilon, d a function of the largest equivalent strain so far
 *   kappa = max sqrt(epsilon : C epsilon / E),  d = 1 - k0 / kappa exp(-(kappa - k0) / (kf - k0)),
 * k0 = strength / E. kf is such that breaking takes fracture_energy whatever the size of the
 * element: kf = k0 / 2 + fracture_energy / (size strength), which must be above k0. */
#include <delassus/bulk.h>

enum { YOUNG, POISSON, STRENGTH, FRACTURE };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
    [STRENGTH] = {"strength", "Pa", "stress at which damage begins", .value = 1e6, .min = 1e-300,
                  .max = DLS_NO_BOUND},
    [FRACTURE] = {"fracture_energy", "J/m2", "to break it, of its section", .value = 100,
                  .min = 1e-300, .max = DLS_NO_BOUND},
};

enum { KAPPA, DAMAGE };
static const DlsParam states[] = {
    [KAPPA] = {"kappa", "1", "largest equivalent strain", .value = 0, .min = 0,
               .max = DLS_NO_BOUND},
    [DAMAGE] = {"damage", "1", "share of the stiffness that is lost", .value = 0, .min = 0,
                .max = 1},
};

/* d of kappa and its slope; -1: the element is too large. */
static double damage(const DlsBulkPoint *point, const double *p, double kappa, double *slope) {
  const double k0 = p[STRENGTH] / p[YOUNG];
  const double kf = k0 / 2 + p[FRACTURE] / (point->size * p[STRENGTH]);
  *slope = 0;
  if (kappa <= k0) return 0;
  if (!(kf > k0)) return -1;
  const double rest = k0 / kappa * exp(-(kappa - k0) / (kf - k0));
  *slope = rest * (1 / kappa + 1 / (kf - k0));
  return 1 - rest;
}

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu, slope;
  (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  dls_bulk_hooke(lambda, mu, strain, out, tangent);
  const double now = sqrt(dls_bulk_work(out, strain) / p[YOUNG]);
  const double kappa = fmax(now, state[KAPPA]), d = damage(point, p, kappa, &slope);
  if (d < 0) return DLS_ERR_LAW;
  for (int i = 0; tangent && i < 6; i++)
    for (int j = 0; j < 6; j++) {
      tangent[6 * i + j] *= 1 - d;
      if (now > state[KAPPA]) tangent[6 * i + j] -= slope * out[i] * out[j] / (p[YOUNG] * now);
    }
  for (int i = 0; i < 6; i++) out[i] *= 1 - d;
  if (next) next[KAPPA] = kappa, next[DAMAGE] = d;
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double lambda, mu, sigma[6];
  (void)point, (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  dls_bulk_hooke(lambda, mu, strain, sigma, NULL);
  const double whole = dls_bulk_work(sigma, strain) / 2;
  *stored = (1 - next[DAMAGE]) * whole;
  *dissipated = (next[DAMAGE] - state[DAMAGE]) * whole;
  return DLS_OK;
}

static const DlsBulk isotropic_damage = {
    DLS_BULK_HEAD,
    .name = "damage",
    .summary = "elasticity that softens and breaks",
    .description = "sigma = (1 - d) C epsilon, d of the largest equivalent strain so far: nothing "
                   "up to strength / young, then an exponential whose area is fracture_energy over "
                   "the size of the element, so that breaking takes the same energy on every mesh. "
                   "Elements too large for that are refused.",
    .references = "Lemaitre and Chaboche 1990, ch. 7; Oliver 1996",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .measures = DLS_BULK_SMALL,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &isotropic_damage; }
