/* The scalar product of long vectors. */
#ifndef DELASSUS_BASE_DOT_H
#define DELASSUS_BASE_DOT_H

#include <stddef.h>

#include "base/dispatch.h"

/* Eight sums side by side: one alone would wait for each addition. Becomes part of its caller, and
 * so is compiled as that is (DLS_HOT). */
DLS_INLINE double dls_dot(size_t n, const double *x, const double *y) {
  double sum[8] = {0}, rest = 0;
  size_t k = 0;
  for (; k + 8 <= n; k += 8)
    for (size_t j = 0; j < 8; j++) sum[j] += x[k + j] * y[k + j];
  for (; k < n; k++) rest += x[k] * y[k];
  for (size_t j = 0; j < 8; j++) rest += sum[j];
  return rest;
}

#endif
