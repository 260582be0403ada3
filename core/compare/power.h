/* Cost against size: y = factor x^exponent, by least squares in the logarithms. With X = ln x and
 * Y = ln y of n points,
 *   exponent = S_XY / S_XX,  standard error = sqrt((S_YY - exponent S_XY) / (n - 2) / S_XX). */
#ifndef DELASSUS_COMPARE_POWER_H
#define DELASSUS_COMPARE_POWER_H

#include <stdbool.h>

typedef struct {
  int count; /* points */
  double exponent, error, factor;
} DlsPower;

/* False where there are fewer than three points, or all of one size. Points above 0. */
bool dls_power_fit(const double (*point)[2], int count, DlsPower *out);

#endif
