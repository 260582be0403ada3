#include "post/kernel.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
static const double gauss_reach = 4; /* widths */

static const char *const names[] = {
    [DLS_KERNEL_GAUSS] = "gauss", [DLS_KERNEL_LUCY] = "lucy", [DLS_KERNEL_TOP_HAT] = "top-hat"};

DlsStatus dls_kernel_read(const char *text, double diameter, DlsKernel *out) {
  const size_t length = strcspn(text, ":");
  for (int k = 0; k < DLS_COUNT(names); k++) {
    if (strlen(names[k]) != length || strncmp(names[k], text, length) != 0) continue;
    char *end = NULL;
    const double number = text[length] ? strtod(text + length + 1, &end) : 1;
    const int diameters = !end || strcmp(end, "d") == 0;
    DLS_CHECK((diameters || *end == '\0') && number > 0 && isfinite(number), DLS_ERR_ARGUMENT,
              "kernel %s: the width is no number above 0 with or without d, as in %s:1.5d", text,
              names[k]);
    *out = (DlsKernel){(DlsKernelKind)k, number * (diameters ? diameter : 1)};
    return DLS_OK;
  }
  return dls_fail(DLS_ERR_ARGUMENT, "kernel %s: is none of gauss, lucy, top-hat; as in gauss:1.5d",
                  text);
}

double dls_kernel_reach(const DlsKernel *kernel) {
  const double widths[] = {gauss_reach, 2, 1};
  return widths[kernel->kind] * kernel->width;
}

/* The part of a Gaussian within gauss_reach widths. */
static double gauss_share(int dim) {
  const double a = gauss_reach, tail = exp(-0.5 * a * a);
  return dim == 3 ? erf(a / sqrt(2)) - sqrt(2 / pi) * a * tail : 1 - tail;
}

double dls_kernel_factor(const DlsKernel *kernel, int dim) {
  const double w = kernel->width, c = 2 * w;
  if (kernel->kind == DLS_KERNEL_GAUSS) return pow(sqrt(2 * pi) * w, -dim) / gauss_share(dim);
  if (kernel->kind == DLS_KERNEL_LUCY)
    return dim == 3 ? 105 / (16 * pi * c * c * c) : 5 / (pi * c * c);
  return dim == 3 ? 3 / (4 * pi * w * w * w) : 1 / (pi * w * w);
}

double dls_kernel_value(const DlsKernel *kernel, int dim, const double offset[3]) {
  const double reach = dls_kernel_reach(kernel), factor = dls_kernel_factor(kernel, dim);
  double square = 0;
  for (int k = 0; k < dim; k++) {
    square += offset[k] * offset[k];
    if (fabs(offset[k]) > reach) return 0;
  }
  const double share = sqrt(square) / reach, left = 1 - share;
  if (share >= 1) return 0;
  if (kernel->kind == DLS_KERNEL_GAUSS)
    return factor * exp(-0.5 * square / (kernel->width * kernel->width));
  return kernel->kind == DLS_KERNEL_LUCY ? factor * (1 + 3 * share) * left * left * left : factor;
}

/* Of a Gaussian, axis by axis: as if it were cut off at the sides of a cube, right to 1e-3. */
static double gauss_inside(const DlsKernel *kernel, int dim, const double x[3], const double low[3],
                           const double high[3]) {
  const double scale = 1 / (sqrt(2) * kernel->width), end = gauss_reach / sqrt(2);
  double share = 1;
  for (int k = 0; k < dim; k++) {
    const double from = fmax(-end, (low[k] - x[k]) * scale);
    const double to = fmin(end, (high[k] - x[k]) * scale);
    share *= to > from ? (erf(to) - erf(from)) / (2 * erf(end)) : 0;
  }
  return share;
}

/* Of the others by sums over a lattice of offsets, which gives 1 where nothing is cut. */
static double lattice_inside(const DlsKernel *kernel, int dim, const double x[3],
                             const double low[3], const double high[3]) {
  enum { SIDE = 20 };
  const double reach = dls_kernel_reach(kernel), step = 2 * reach / SIDE;
  double all = 0, in = 0;
  for (int n = 0; n < (dim == 3 ? SIDE : 1) * SIDE * SIDE; n++) {
    const int place[3] = {n % SIDE, n / SIDE % SIDE, n / SIDE / SIDE};
    double offset[3] = {0};
    int inside = 1;
    for (int k = 0; k < dim; k++) {
      offset[k] = (place[k] + 0.5) * step - reach;
      inside &= x[k] + offset[k] >= low[k] && x[k] + offset[k] <= high[k];
    }
    const double value = dls_kernel_value(kernel, dim, offset);
    all += value;
    in += inside ? value : 0;
  }
  return in / all;
}

double dls_kernel_inside(const DlsKernel *kernel, int dim, const double x[3], const double low[3],
                         const double high[3]) {
  const double reach = dls_kernel_reach(kernel);
  int whole = 1;
  for (int k = 0; k < dim; k++) whole &= x[k] - reach >= low[k] && x[k] + reach <= high[k];
  if (whole) return 1;
  return kernel->kind == DLS_KERNEL_GAUSS ? gauss_inside(kernel, dim, x, low, high)
                                          : lattice_inside(kernel, dim, x, low, high);
}
