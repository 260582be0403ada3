/* Isotropic linear elasticity (Hooke): sigma = lambda tr(epsilon) 1 + 2 mu epsilon. With Green's
 * strain it is the law of Saint-Venant and Kirchhoff, with the logarithmic one Hencky's. */
#include <delassus/bulk.h>

enum { YOUNG, POISSON };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
};

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double lambda, mu;
  (void)point, (void)state, (void)strain_before, (void)next;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  dls_bulk_hooke(lambda, mu, strain, out, tangent);
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double sigma[6];
  (void)next;
  stress(point, p, state, strain_before, strain, sigma, NULL, NULL);
  *stored = dls_bulk_work(sigma, strain) / 2;
  *dissipated = 0;
  return DLS_OK;
}

static const DlsBulk elastic = {
    DLS_BULK_HEAD,
    .name = "elastic",
    .summary = "isotropic linear elasticity",
    .description =
        "sigma = lambda tr(epsilon) 1 + 2 mu epsilon. With Green's strain (total Lagrangian "
        "bodies) it is the law of Saint-Venant and Kirchhoff, with the logarithmic one Hencky's.",
    .references = "Timoshenko and Goodier 1951, sec. 6; Hencky 1928",
    .params = params,
    .nparams = DLS_COUNT(params),
    .measures = DLS_BULK_SMALL | DLS_BULK_GREEN | DLS_BULK_LOG,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &elastic; }
