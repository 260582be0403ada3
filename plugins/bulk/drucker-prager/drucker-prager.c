/* Soil and concrete (Drucker and Prager 1952), tension above 0, q = sqrt(J2), the cone through the
 * compressive corners of Mohr and Coulomb's:
 *   f = q + alpha I1 - k <= 0,  alpha = 2 sin phi / (sqrt 3 (3 - sin phi)),
 *   k = 6 c cos phi / (sqrt 3 (3 - sin phi));   e_p' = g (s / (2 q) + beta 1), beta of psi
 * Beyond the tip of the cone the stress returns to it. */
#include <delassus/bulk.h>

enum { YOUNG, POISSON, FRICTION, DILATION, COHESION };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
    [FRICTION] = {"friction", "rad", "angle of internal friction", .value = 0.5, .min = 0,
                  .max = 1.5},
    [DILATION] = {"dilation", "rad", "angle of dilation", .value = 0.1, .min = 0, .max = 1.5},
    [COHESION] = {"cohesion", "Pa", "shear strength without pressure", .value = 1e5, .min = 0,
                  .max = DLS_NO_BOUND},
};

#define PLASTIC(which, what)                                                                       \
  {                                                                                                \
    "plastic_" which, "1", "plastic strain " what, .value = 0, .min = -DLS_NO_BOUND,               \
                                                   .max = DLS_NO_BOUND                             \
  }

static const DlsParam states[] = {
    PLASTIC("xx", "xx"),           PLASTIC("yy", "yy"),
    PLASTIC("zz", "zz"),           PLASTIC("xy", "xy, twice the tensor's"),
    PLASTIC("yz", "yz, likewise"), PLASTIC("xz", "xz, likewise"),
};

static DlsStatus check(const double *p, const char **why) {
  *why = "dilation is above friction: it would make energy; lower it";
  return p[DILATION] <= p[FRICTION] ? DLS_OK : DLS_ERR_LAW;
}

static double slope(double angle) { return 2 * sin(angle) / (sqrt(3.0) * (3 - sin(angle))); }

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu, elastic[6], s[6];
  (void)point, (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  for (int i = 0; i < 6; i++) elastic[i] = strain[i] - state[i];
  dls_bulk_hooke(lambda, mu, elastic, out, tangent);
  const double alpha = slope(p[FRICTION]), beta = slope(p[DILATION]), bulk = lambda + 2 * mu / 3;
  const double k = 6 * p[COHESION] * cos(p[FRICTION]) / (sqrt(3.0) * (3 - sin(p[FRICTION])));
  /* Of the strain, not of the stress: that of a nearly incompressible body is all pressure. */
  const double trace = elastic[0] + elastic[1] + elastic[2], I1 = 3 * bulk * trace;
  for (int i = 0; i < 6; i++) s[i] = i < 3 ? 2 * mu * (elastic[i] - trace / 3) : mu * elastic[i];
  const double q = sqrt(dls_bulk_stress_product(s, s) / 2), beyond = q + alpha * I1 - k;
  if (beyond <= 0) return DLS_OK;
  const double divisor = mu + 9 * alpha * beta * bulk, flow = beyond / divisor;
  if (alpha > 0 && q - mu * flow < 0) { /* the tip */
    for (int i = 0; i < 6; i++) out[i] = i < 3 ? k / (3 * alpha) : 0;
    for (int i = 0; tangent && i < 36; i++) tangent[i] = 0;
    for (int i = 0; next && i < 6; i++)
      next[i] = strain[i] - (i < 3 ? out[i] / (3 * bulk) : 0); /* Hooke turned round */
    return DLS_OK;
  }
  const double left = 1 - mu * flow / q;
  for (int i = 0; i < 6; i++) out[i] = s[i] * left + (i < 3 ? I1 / 3 - 3 * bulk * beta * flow : 0);
  for (int i = 0; next && i < 6; i++)
    next[i] = state[i] + flow * (i < 3 ? s[i] / (2 * q) + beta : s[i] / q);
  for (int i = 0; tangent && i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double identity = i == j ? (i < 3 ? 1 : 0.5) : 0, both = i < 3 && j < 3;
      const double deviator = identity - (both ? 1.0 / 3 : 0);
      const double dq = mu * s[j] / q, dflow = (dq + (j < 3 ? 3 * alpha * bulk : 0)) / divisor;
      tangent[6 * i + j] = 2 * mu * left * deviator -
                           s[i] * mu * (dflow / q - flow * dq / (q * q)) + (both ? bulk : 0) -
                           (i < 3 ? 3 * bulk * beta * dflow : 0);
    }
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double sigma[6], elastic[6], flow[6];
  stress(point, p, state, strain_before, strain, sigma, NULL, NULL);
  for (int i = 0; i < 6; i++) {
    elastic[i] = strain[i] - next[i];
    flow[i] = next[i] - state[i];
  }
  *stored = dls_bulk_work(sigma, elastic) / 2;
  *dissipated = dls_bulk_work(sigma, flow);
  return DLS_OK;
}

static const DlsBulk drucker_prager = {
    DLS_BULK_HEAD,
    .name = "drucker-prager",
    .summary = "soil: pressure-dependent plasticity, not associated",
    .description =
        "sqrt(J2) + alpha I1 <= k, tension above 0: the cone through the compressive corners of "
        "Mohr and Coulomb's, alpha and k of friction and cohesion; it dilates by the angle "
        "`dilation`, so its tangent is not symmetric. Beyond the tip the stress returns to it.",
    .references = "Drucker and Prager 1952; de Souza Neto, Peric and Owen 2008, sec. 8.3",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .measures = DLS_BULK_SMALL | DLS_BULK_LOG,
    .claims = DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .check = check,
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &drucker_prager; }
