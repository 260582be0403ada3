/* A spring beside a spring in line with a dashpot (the standard solid): of the stiffness at once
 * the share `lasting` stays, the rest relaxes with the time tau:
 *   sigma = lasting C epsilon + (1 - lasting) C (epsilon - e_v),   e_v' = (epsilon - e_v) / tau */
#include <delassus/bulk.h>

enum { YOUNG, POISSON, TAU, LASTING };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
    [TAU] = {"tau", "s", "time of relaxation", .value = 1, .min = 1e-300, .max = DLS_NO_BOUND},
    [LASTING] = {"lasting", "1", "share of the stiffness that does not relax; 0: it flows",
                 .value = 0.5, .min = 0, .max = 1},
};

#define VISCOUS(which, what)                                                                       \
  {                                                                                                \
    "viscous_" which, "1", "viscous strain " what, .value = 0, .min = -DLS_NO_BOUND,               \
                                                   .max = DLS_NO_BOUND                             \
  }
static const DlsParam states[] = {
    VISCOUS("xx", "xx"),           VISCOUS("yy", "yy"),
    VISCOUS("zz", "zz"),           VISCOUS("xy", "xy, twice the tensor's"),
    VISCOUS("yz", "yz, likewise"), VISCOUS("xz", "xz, likewise"),
};

/* The spring in line: its strain at the end of the step, implicit. */
static void stretch(const DlsBulkPoint *point, const double *p, const double *state,
                    const double *strain, double *out) {
  for (int i = 0; i < 6; i++) out[i] = (strain[i] - state[i]) / (1 + point->dt / p[TAU]);
}

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu, all[6], spring[6];
  (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  stretch(point, p, state, strain, spring);
  for (int i = 0; i < 6; i++) {
    all[i] = p[LASTING] * strain[i] + (1 - p[LASTING]) * spring[i];
    if (next) next[i] = strain[i] - spring[i];
  }
  dls_bulk_hooke(lambda, mu, all, out, tangent);
  for (int i = 0; tangent && i < 36; i++)
    tangent[i] *= p[LASTING] + (1 - p[LASTING]) / (1 + point->dt / p[TAU]);
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double lambda, mu, whole[6], own[6], spring[6], flow[6];
  (void)strain_before;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  stretch(point, p, state, strain, spring);
  for (int i = 0; i < 6; i++) flow[i] = next[i] - state[i];
  dls_bulk_hooke(lambda, mu, strain, whole, NULL);
  dls_bulk_hooke(lambda, mu, spring, own, NULL);
  *stored = p[LASTING] * dls_bulk_work(whole, strain) / 2 +
            (1 - p[LASTING]) * dls_bulk_work(own, spring) / 2;
  *dissipated = (1 - p[LASTING]) * dls_bulk_work(own, flow);
  return DLS_OK;
}

static const DlsBulk maxwell = {
    DLS_BULK_HEAD,
    .name = "maxwell",
    .summary = "viscoelasticity that relaxes",
    .description = "The standard solid: sigma = lasting C epsilon + (1 - lasting) C (epsilon - "
                   "e_v), e_v' = (epsilon - e_v) / tau. With lasting = 0 it flows.",
    .references = "Christensen 1982, sec. 1.3",
    .params = params,
    .nparams = DLS_COUNT(params),
    .states = states,
    .nstates = DLS_COUNT(states),
    .measures = DLS_BULK_SMALL | DLS_BULK_LOG,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_RATE | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &maxwell; }
