#include "bench/draw.h"

#include <math.h>

#include "base/small.h"

bool dls_bench_chance(DlsRandom *random, double probability) {
  return dls_random_unit(random) < probability;
}

double dls_bench_log_uniform(DlsRandom *random, double low, double high) {
  return pow(10, dls_random_between(random, low, high));
}

void dls_bench_draw_rotation(DlsRandom *random, double axes[3][3]) {
  double size = 0;
  while (!(size > 1e-3)) {
    for (int k = 0; k < 3; k++) axes[0][k] = dls_random_normal(random);
    size = dls_small_norm(3, axes[0]);
  }
  for (int k = 0; k < 3; k++) axes[0][k] /= size;
  for (size = 0; !(size > 1e-3);) {
    for (int k = 0; k < 3; k++) axes[1][k] = dls_random_normal(random);
    const double along = dls_small_dot(3, axes[0], axes[1]);
    for (int k = 0; k < 3; k++) axes[1][k] -= along * axes[0][k];
    size = dls_small_norm(3, axes[1]);
  }
  for (int k = 0; k < 3; k++) axes[1][k] /= size;
  for (int k = 0; k < 3; k++)
    axes[2][k] =
        axes[0][(k + 1) % 3] * axes[1][(k + 2) % 3] - axes[0][(k + 2) % 3] * axes[1][(k + 1) % 3];
}

double dls_bench_draw_value(DlsRandom *random, const DlsParam *p, bool at_bounds) {
  const bool low = p->min > -DLS_NO_BOUND, high = p->max < DLS_NO_BOUND;
  if (dls_bench_chance(random, at_bounds ? 0.6 : 0.1)) {
    const bool upper = dls_bench_chance(random, 0.5);
    if (upper && high) return p->max;
    if (!upper && low) return p->min;
    if (at_bounds) { /* no bound: far out */
      const double far = fmax(fabs(p->value), 1) * dls_bench_log_uniform(random, 0, 6);
      return upper ? fmax(p->min, far) : fmin(p->max, -far);
    }
  }
  if (low && high) return dls_random_between(random, p->min, p->max);
  const double from = low ? p->min : high ? p->max : 0;
  const double size = p->value != from
                          ? fabs(p->value - from) * dls_bench_log_uniform(random, -2, 2)
                          : dls_bench_log_uniform(random, -3, 1);
  const double sign = low ? 1 : high ? -1 : dls_bench_chance(random, 0.5) ? 1 : -1;
  return from + sign * size;
}

bool dls_bench_draw_params(DlsRandom *random, const DlsParam *rows, int count, const double *given,
                           const bool *pinned, bool at_bounds, double *params) {
  bool drawn = false;
  for (int i = 0; i < count; i++) {
    params[i] = given[i];
    if ((pinned && pinned[i]) || dls_bench_chance(random, 0.4)) continue;
    params[i] = dls_bench_draw_value(random, &rows[i], at_bounds);
    drawn = true;
  }
  return drawn;
}
