/* Von Mises plasticity with linear isotropic hardening, by increments of the stress. */
#include "umat.h"

enum { YOUNG, POISSON, YIELD, HARDENING };
static const DlsParam params[] = {
    {"young", "Pa", "Young's modulus", .value = 1e9, .min = 1, .max = DLS_NO_BOUND},
    {"poisson", "1", "Poisson's ratio", .value = 0.3, .min = -0.9, .max = 0.49},
    {"yield", "Pa", "yield stress", .value = 1e6, .min = 1, .max = DLS_NO_BOUND},
    {"hardening", "Pa", "hardening modulus", .value = 1e7, .min = 0, .max = DLS_NO_BOUND},
};
static const DlsParam states[] = {{"equivalent_plastic", "1", "equivalent plastic strain",
                                   .value = 0, .min = 0, .max = DLS_NO_BOUND},
                                  DLS_UMAT_STATES};

/* Stored: of the stress by Hooke's law turned round, and of hardening. */
static double stored(const double *s, double mu, double bulk, double h, double p) {
  const double mean = (s[0] + s[1] + s[2]) / 3;
  double sum = mean * mean / (2 * bulk) + h * p * p / 2;
  for (int i = 0; i < 6; i++)
    sum += i < 3 ? (s[i] - mean) * (s[i] - mean) / (4 * mu) : s[i] * s[i] / (2 * mu);
  return sum;
}

UMAT {
  UMAT_UNUSED;
  const double mu = props[YOUNG] / (2 * (1 + props[POISSON]));
  const double bulk = props[YOUNG] / (3 * (1 - 2 * props[POISSON])), h = props[HARDENING];
  double n[6], square = 0, dp = 0, theta = 1, along = 0;
  const double trace = dstran[0] + dstran[1] + dstran[2];
  for (int i = 0; i < 6; i++)
    stress[i] += i < 3 ? bulk * trace + 2 * mu * (dstran[i] - trace / 3) : mu * dstran[i];
  const double mean = (stress[0] + stress[1] + stress[2]) / 3;
  for (int i = 0; i < 6; i++) {
    n[i] = stress[i] - (i < 3 ? mean : 0);
    square += n[i] * n[i] * (i < 3 ? 1 : 2);
  }
  const double mises = sqrt(1.5 * square), yield = props[YIELD] + h * statev[0];
  if (mises > yield) {
    dp = (mises - yield) / (3 * mu + h);
    theta = 1 - 3 * mu * dp / mises;
    along = 3 * mu / (3 * mu + h) - (1 - theta);
    for (int i = 0; i < 6; i++) {
      stress[i] = theta * n[i] + (i < 3 ? mean : 0);
      n[i] /= sqrt(square);
    }
    statev[0] += dp;
    *spd += props[YIELD] * dp + h * dp * dp / 2; /* of the step taken whole: yield stress * dp less
                                                    what hardening stores */
  }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      const int both = i < 3 && j < 3;
      const double deviator = (i == j ? (i < 3 ? 1 : 0.5) : 0) - (both ? 1.0 / 3 : 0);
      ddsdde[6 * j + i] = (both ? bulk : 0) + 2 * mu * theta * deviator -
                          (dp > 0 ? 2 * mu * along * n[i] * n[j] : 0);
    }
  *sse = stored(stress, mu, bulk, h, statev[0]);
}

DLS_BULK_UMAT("umat-j2", "von Mises plasticity by a UMAT", params, states,
              .measures = DLS_BULK_SMALL | DLS_BULK_LOG,
              .claims = DLS_BULK_SYMMETRIC | DLS_BULK_ISOTROPIC)
