/* Orthotropic elasticity with nu = 0, every modulus another: whoever mixes up components is found
 * by the law orthotropic. */
#include "umat.h"

#define MODULUS(name)                                                                              \
  { name, "Pa", "modulus", .value = 1e9, .min = 1, .max = DLS_NO_BOUND }
static const DlsParam params[] = {MODULUS("e_11"), MODULUS("e_22"), MODULUS("e_33"),
                                  MODULUS("g_12"), MODULUS("g_13"), MODULUS("g_23")};
static const DlsParam states[] = {DLS_UMAT_STATES};

UMAT {
  UMAT_UNUSED;
  *sse = 0;
  for (int i = 0; i < 6; i++) {
    stress[i] += props[i] * dstran[i];
    ddsdde[7 * i] = props[i];
    *sse += stress[i] * stress[i] / props[i] / 2;
  }
}

DLS_BULK_UMAT("umat-orthotropic", "orthotropic elasticity by a UMAT", params, states,
              .measures = DLS_BULK_SMALL, .claims = DLS_BULK_SYMMETRIC)
