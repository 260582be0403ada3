#include "compare/power.h"

#include <math.h>

bool dls_power_fit(const double (*point)[2], int count, DlsPower *out) {
  double mean[2] = {0, 0}, xx = 0, xy = 0, yy = 0;
  *out = (DlsPower){.count = count};
  for (int k = 0; k < count; k++)
    for (int i = 0; i < 2; i++) mean[i] += log(point[k][i]) / count;
  for (int k = 0; k < count; k++) {
    const double x = log(point[k][0]) - mean[0], y = log(point[k][1]) - mean[1];
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  if (count < 3 || !(xx > 1e-12)) return false;
  out->exponent = xy / xx;
  out->error = sqrt(fmax(yy - out->exponent * xy, 0) / (count - 2) / xx);
  out->factor = exp(mean[1] - out->exponent * mean[0]);
  return true;
}
