/* Compressible neo-Hookean rubber, of C = 2 E + 1 and J = sqrt(det C):
 *   psi = mu/2 (tr C - 3) - mu ln J + lambda/2 ln^2 J
 *   S = mu (1 - C^-1) + lambda ln J C^-1 */
#include <delassus/bulk.h>

enum { YOUNG, POISSON };
static const DlsParam params[] = {
    [YOUNG] = {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND},
    [POISSON] = {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.999999,
                 .max = 0.4999999},
};

/* C^-1, as xx yy zz xy yz xz, and ln J; 0 where the body is inverted. det C - 1 by the invariants
 * of E: near 1 the logarithm of det C would be round-off. */
static int invert(const double *E, double inverse[6], double *ln) {
  double C[6];
  for (int i = 0; i < 6; i++) C[i] = i < 3 ? 1 + 2 * E[i] : E[i];
  const double a = C[1] * C[2] - C[4] * C[4], b = C[5] * C[4] - C[3] * C[2];
  const double c = C[3] * C[4] - C[5] * C[1], det = C[0] * a + C[3] * b + C[5] * c;
  const double all[6] = {a, C[0] * C[2] - C[5] * C[5], C[0] * C[1] - C[3] * C[3],
                         b, C[3] * C[5] - C[0] * C[4], c};
  for (int i = 0; i < 6; i++) inverse[i] = all[i] / det;
  const double xy = E[3] / 2, yz = E[4] / 2, xz = E[5] / 2;
  const double I1 = E[0] + E[1] + E[2];
  const double I2 = E[0] * E[1] + E[1] * E[2] + E[0] * E[2] - xy * xy - yz * yz - xz * xz;
  const double I3 =
      E[0] * (E[1] * E[2] - yz * yz) - xy * (xy * E[2] - yz * xz) + xz * (xy * yz - E[1] * xz);
  *ln = det > 0 ? 0.5 * log1p(2 * I1 + 4 * I2 + 8 * I3) : 0;
  return det > 0 && isfinite(*ln);
}

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};
  static const int place[3][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}};
  double lambda, mu, ln, D[6];
  (void)point, (void)state, (void)strain_before, (void)next;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  if (!invert(strain, D, &ln)) return DLS_ERR_LAW;
  for (int i = 0; i < 6; i++) out[i] = mu * (i < 3) + (lambda * ln - mu) * D[i];
  if (!tangent) return DLS_OK;
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const int k = at[i][0], l = at[i][1], m = at[j][0], n = at[j][1];
      tangent[6 * i + j] =
          lambda * D[i] * D[j] +
          (mu - lambda * ln) * (D[place[k][m]] * D[place[l][n]] + D[place[k][n]] * D[place[l][m]]);
    }
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double lambda, mu, ln, D[6];
  (void)point, (void)state, (void)strain_before, (void)next;
  dls_bulk_lame(p[YOUNG], p[POISSON], &lambda, &mu);
  if (!invert(strain, D, &ln)) return DLS_ERR_LAW;
  *stored = mu * (strain[0] + strain[1] + strain[2] - ln) + lambda / 2 * ln * ln;
  *dissipated = 0;
  return DLS_OK;
}

static const DlsBulk neo_hookean = {
    DLS_BULK_HEAD,
    .name = "neo-hookean",
    .summary = "compressible rubber",
    .description =
        "S = mu (1 - C^-1) + lambda ln J C^-1, of the energy mu/2 (tr C - 3) - mu ln J + lambda/2 "
        "ln^2 J with C = 2 E + 1, J = sqrt(det C). A body that is turned inside out is refused.",
    .references = "Simo and Pister 1984; Bonet and Wood 2008, sec. 6.4.3",
    .params = params,
    .nparams = DLS_COUNT(params),
    .measures = DLS_BULK_GREEN,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC,
    .maturity = "verified",
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &neo_hookean; }
