/* Elasticity with viscosity beside it: sigma = C (epsilon + tau epsilon'). */
#include <delassus/bulk.h>

enum { YOUNG, POISSON, TAU };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
    [TAU] = {"tau", "s", "viscosity over elasticity", .value = 1e-3, .min = 0, .max = DLS_NO_BOUND},
};

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu, all[6];
  (void)state, (void)next;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  const double rate = point->dt > 0 ? p[TAU] / point->dt : 0;
  for (int i = 0; i < 6; i++) all[i] = strain[i] + rate * (strain[i] - strain_before[i]);
  dls_bulk_hooke(lambda, mu, all, out, tangent);
  for (int i = 0; tangent && i < 36; i++) tangent[i] *= 1 + rate;
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double lambda, mu, sigma[6], way[6];
  (void)state, (void)next;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  dls_bulk_hooke(lambda, mu, strain, sigma, NULL);
  *stored = dls_bulk_work(sigma, strain) / 2;
  for (int i = 0; i < 6; i++) way[i] = strain[i] - strain_before[i];
  dls_bulk_hooke(lambda, mu, way, sigma, NULL);
  *dissipated = point->dt > 0 ? p[TAU] / point->dt * dls_bulk_work(sigma, way) : 0;
  return DLS_OK;
}

static const DlsBulk kelvin_voigt = {
    DLS_BULK_HEAD,
    .name = "kelvin-voigt",
    .summary = "elasticity with viscosity beside it",
    .description = "sigma = C (epsilon + tau epsilon'), C that of Hooke.",
    .references = "Christensen 1982, sec. 1.3",
    .params = params,
    .nparams = DLS_COUNT(params),
    .measures = DLS_BULK_SMALL | DLS_BULK_GREEN | DLS_BULK_LOG,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_RATE | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &kelvin_voigt; }
