#include "post/janssen.h"

#include <math.h>

double dls_janssen_pressure(double gradient, double length, double depth) {
  if (depth <= 0) return 0;
  if (isinf(length)) return gradient * depth;
  return -gradient * length * expm1(-depth / length);
}

static double squares(int count, const double *depth, const double *pressure, double gradient,
                      double length) {
  double sum = 0;
  for (int k = 0; k < count; k++) {
    const double left = pressure[k] - dls_janssen_pressure(gradient, length, depth[k]);
    sum += left * left;
  }
  return sum;
}

DlsStatus dls_janssen_fit(int count, const double *depth, const double *pressure, double gradient,
                          DlsJanssen *out) {
  /* Bounds in units of the greatest depth: shorter than any layer, and too long to be told from a
   * straight line. */
  const double shortest = 1e-4, longest = 1e3, golden = 0.6180339887498949;
  double deepest = 0, most = 0;
  *out = (DlsJanssen){.length = HUGE_VAL};
  for (int k = 0; k < count; k++) {
    deepest = fmax(deepest, depth[k]);
    most = fmax(most, pressure[k]);
  }
  DLS_CHECK(
      deepest > 0 && most > 0 && gradient > 0, DLS_ERR_ARGUMENT,
      "Janssen's law: the greatest depth is %g m, the greatest pressure %g Pa, the weight per "
      "volume %g Pa/m; all three must be above 0",
      deepest, most, gradient);
  /* Golden sections of the logarithm: each pressure grows with the length, and so does, from a
   * minimum on, the sum. */
  double low = log(shortest), high = log(longest);
  while (high - low > 1e-10) {
    const double a = high - golden * (high - low), b = low + golden * (high - low);
    if (squares(count, depth, pressure, gradient, exp(a) * deepest) <
        squares(count, depth, pressure, gradient, exp(b) * deepest))
      high = b;
    else
      low = a;
  }
  const double length = exp(0.5 * (low + high)) * deepest;
  if (length > 0.99 * longest * deepest) return DLS_OK;
  out->length = length;
  out->saturation = gradient * length;
  out->residual = sqrt(squares(count, depth, pressure, gradient, length) / count) / out->saturation;
  return DLS_OK;
}
