/* Orthotropic elasticity, as of wood: three moduli, three ratios, three shears along axes that are
 * turned by `angle` about z from those of space. */
#include <delassus/bulk.h>

enum { E1, E2, E3, NU12, NU23, NU13, G12, G23, G13, ANGLE };
#define MODULUS(name, what)                                                                        \
  { name, "Pa", what, .value = 1e9, .min = 1e-300, .max = DLS_NO_BOUND }
#define RATIO(name, what)                                                                          \
  { name, "1", what, .value = 0.3, .min = -10, .max = 10 }
static const DlsParam params[] = {
    [E1] = MODULUS("young_1", "Young's modulus along axis 1"),
    [E2] = MODULUS("young_2", "along axis 2"),
    [E3] = MODULUS("young_3", "along axis 3, which is z"),
    [NU12] = RATIO("poisson_12", "Poisson's ratio: strain along 2 by a pull along 1"),
    [NU23] = RATIO("poisson_23", "likewise"),
    [NU13] = RATIO("poisson_13", "likewise"),
    [G12] = MODULUS("shear_12", "shear modulus between 1 and 2"),
    [G23] = MODULUS("shear_23", "likewise"),
    [G13] = MODULUS("shear_13", "likewise"),
    [ANGLE] = {"angle", "rad", "from x to axis 1, about z", .value = 0, .min = -DLS_NO_BOUND,
               .max = DLS_NO_BOUND},
};

/* C along the axes of the material; its minors tell whether it is positive. */
static int stiffness(const double *p, double C[3][3]) {
  const double a = 1 / p[E1], b = 1 / p[E2], c = 1 / p[E3];
  const double d = -p[NU12] / p[E1], e = -p[NU13] / p[E1], f = -p[NU23] / p[E2];
  const double det = a * (b * c - f * f) - d * (d * c - f * e) + e * (d * f - b * e);
  if (!(a * b - d * d > 0) || !(det > 0)) return 0;
  C[0][0] = (b * c - f * f) / det, C[1][1] = (a * c - e * e) / det, C[2][2] = (a * b - d * d) / det;
  C[0][1] = C[1][0] = (e * f - c * d) / det;
  C[0][2] = C[2][0] = (d * f - b * e) / det;
  C[1][2] = C[2][1] = (d * e - a * f) / det;
  return 1;
}

static DlsStatus check(const double *p, const char **why) {
  double C[3][3];
  *why =
      "moduli and Poisson's ratios give a negative energy: |nu_ij| must be below sqrt(E_i / E_j)";
  return stiffness(p, C) ? DLS_OK : DLS_ERR_LAW;
}

/* The strain in the axes of the material: rows of T, of strains with gamma. */
static void turn(double angle, double T[6][6]) {
  const double c = cos(angle), s = sin(angle);
  const double rows[6][6] = {{c * c, s * s, 0, c * s, 0, 0},
                             {s * s, c * c, 0, -c * s, 0, 0},
                             {0, 0, 1, 0, 0, 0},
                             {-2 * c * s, 2 * c * s, 0, c * c - s * s, 0, 0},
                             {0, 0, 0, 0, c, -s},
                             {0, 0, 0, 0, s, c}};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) T[i][j] = rows[i][j];
}

static DlsStatus stress(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, double *out,
                        double *tangent, double *next) {
  double C[3][3], T[6][6], D[6][6] = {{0}};
  (void)point, (void)state, (void)strain_before, (void)next;
  if (!stiffness(p, C)) return DLS_ERR_LAW;
  turn(p[ANGLE], T);
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) D[i][j] = C[i][j];
  D[3][3] = p[G12], D[4][4] = p[G23], D[5][5] = p[G13];
  for (int i = 0; i < 6; i++) {
    out[i] = 0;
    for (int j = 0; j < 6; j++) {
      double sum = 0; /* T^T D T */
      for (int k = 0; k < 6; k++)
        for (int l = 0; l < 6; l++) sum += T[k][i] * D[k][l] * T[l][j];
      out[i] += sum * strain[j];
      if (tangent) tangent[6 * i + j] = sum;
    }
  }
  return DLS_OK;
}

static DlsStatus energy(const DlsBulkPoint *point, const double *p, const double *state,
                        const double *strain_before, const double *strain, const double *next,
                        double *stored, double *dissipated) {
  double sigma[6];
  (void)next;
  *stored = *dissipated = 0;
  if (stress(point, p, state, strain_before, strain, sigma, NULL, NULL) != DLS_OK)
    return DLS_ERR_LAW;
  *stored = dls_bulk_work(sigma, strain) / 2;
  return DLS_OK;
}

static const DlsBulk orthotropic = {
    DLS_BULK_HEAD,
    .name = "orthotropic",
    .summary = "elasticity with three axes, as of wood",
    .description = "sigma = T^T C T epsilon with Young's moduli, Poisson's ratios and shear moduli "
                   "along three axes, the first two turned about z by `angle`. Moduli and ratios "
                   "whose energy would be negative are refused.",
    .references = "Lekhnitskii 1963, ch. 1",
    .params = params,
    .nparams = DLS_COUNT(params),
    .measures = DLS_BULK_SMALL | DLS_BULK_GREEN,
    .claims = DLS_BULK_SYMMETRIC | DLS_BULK_LINEAR,
    .maturity = "verified",
    .check = check,
    .stress = stress,
    .energy = energy,
};

const DlsBulk *dls_bulk_entry(void) { return &orthotropic; }
