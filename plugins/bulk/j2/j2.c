/* Plasticity of von Mises with linear hardening, isotropic and kinematic, by radial return (Simo
 * and Hughes 1998, box 3.2). With xi = dev sigma - 2/3 H_k e_p the yield surface is
 *   |xi| <= sqrt(2/3) (yield + hardening p),   p' = sqrt(2/3) |e_p'| */
#include <delassus/bulk.h>

enum { YOUNG, POISSON, YIELD, HARDENING, KINEMATIC };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
    [YIELD] = {"yield", "Pa", "stress at which it begins to flow", .value = 1e6, .min = 1e-300,
               .max = DLS_NO_BOUND},
    [HARDENING] = {"hardening", "Pa", "isotropic: of the yield stress against plastic strain",
                   .value = 0, .min = 0, .max = DLS_NO_BOUND},
    [KINEMATIC] = {"kinematic", "Pa", "kinematic hardening modulus", .value = 0, .min = 0,
                   .max = DLS_NO_BOUND},
};

#define PLASTIC(which, what)                                                                       \
  {                                                                                                \
    "plastic_" which, "1", "plastic strain " what, .value = 0, .min = -DLS_NO_BOUND,               \
                                                   .max = DLS_NO_BOUND                             \
  }

enum { FLOW = 6 };
static const DlsParam states[] = {
    PLASTIC("xx", "xx"),
    PLASTIC("yy", "yy"),
    PLASTIC("zz", "zz"),
    PLASTIC("xy", "xy, twice the tensor's"),
    PLASTIC("yz", "yz, likewise"),
    PLASTIC("xz", "xz, likewise"),
    [FLOW] = {"equivalent_plastic", "1", "equivalent plastic strain", .value = 0, .min = 0,
              .max = DLS_NO_BOUND},
};

static const double root = 0.81649658092772603273; /* sqrt(2/3) */

/* The plastic strain as a tensor: no twice. */
static void tensor(const double *e, double *out) {
  for (int i = 0; i < 6; i++) out[i] = i < 3 ? e[i] : e[i] / 2;
}

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu, elastic[6], plastic[6], n[6];
  (void)point, (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  for (int i = 0; i < 6; i++) elastic[i] = strain[i] - state[i];
  dls_bulk_hooke(lambda, mu, elastic, out, tangent);
  tensor(state, plastic);
  /* Of the strain, not of the stress: that of a nearly incompressible body is all pressure. */
  const double mean = (elastic[0] + elastic[1] + elastic[2]) / 3;
  for (int i = 0; i < 6; i++)
    n[i] = (i < 3 ? 2 * mu * (elastic[i] - mean) : mu * elastic[i]) -
           2.0 / 3 * p[KINEMATIC] * plastic[i];
  const double size = sqrt(dls_bulk_stress_product(n, n));
  const double beyond = size - root * (p[YIELD] + p[HARDENING] * state[FLOW]);
  if (beyond <= 0) return DLS_OK;
  const double modulus = p[HARDENING] + p[KINEMATIC];
  const double flow = beyond / (2 * mu + 2.0 / 3 * modulus);
  for (int i = 0; i < 6; i++) {
    n[i] /= size;
    out[i] -= 2 * mu * flow * n[i];
    if (next) next[i] = state[i] + flow * (i < 3 ? n[i] : 2 * n[i]);
  }
  if (next) next[FLOW] = state[FLOW] + root * flow;
  if (!tangent) return DLS_OK;
  const double theta = 1 - 2 * mu * flow / size;
  const double along = 1 / (1 + modulus / (3 * mu)) - (1 - theta);
  const double bulk = lambda + 2 * mu / 3;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const double identity = i == j ? (i < 3 ? 1 : 0.5) : 0;
      const double deviator = identity - (i < 3 && j < 3 ? 1.0 / 3 : 0);
      tangent[6 * i + j] =
          (i < 3 && j < 3 ? bulk : 0) + 2 * mu * theta * deviator - 2 * mu * along * n[i] * n[j];
    }
  return DLS_OK;
}

static double hardened(const double *p, const double *state) {
  double plastic[6];
  tensor(state, plastic);
  return 0.5 * p[HARDENING] * state[FLOW] * state[FLOW] +
         p[KINEMATIC] / 3 * dls_bulk_stress_product(plastic, plastic);
}

/* Dissipated: the plastic work less what hardening stores. */
static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double sigma[6], elastic[6], flow[6];
  stress(point, p, state, strain_before, strain, sigma, NULL, NULL);
  for (int i = 0; i < 6; i++) {
    elastic[i] = strain[i] - next[i];
    flow[i] = next[i] - state[i];
  }
  *stored = dls_bulk_work(sigma, elastic) / 2 + hardened(p, next);
  *dissipated = dls_bulk_work(sigma, flow) - hardened(p, next) + hardened(p, state);
  return DLS_OK;
}

static const DlsBulk j2 = {
    DLS_BULK_HEAD,
    .name = "j2",
    .summary = "von Mises plasticity with isotropic and kinematic hardening",
    .description =
        "|dev sigma - 2/3 kinematic e_p| <= sqrt(2/3) (yield + hardening p), by radial return: "
        "linear isotropic and kinematic hardening, p the equivalent plastic strain.",
    .references = "Simo and Hughes 1998, box 3.2",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .measures = DLS_BULK_SMALL | DLS_BULK_LOG,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &j2; }
