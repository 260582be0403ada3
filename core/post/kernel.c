#include "post/kernel.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/choices.h"

static const double pi = 3.14159265358979323846;
static const double gauss_reach = 4; /* widths */

DlsStatus dls_kernel_read(const char *text, double diameter, DlsKernel *out) {
  static const char *const choices = DLS_CHOICES(DLS_KERNEL_LIST);
  const size_t length = strcspn(text, ":");
  char word[16], all[80], *end = NULL;
  snprintf(word, sizeof word, "%.*s", length < sizeof word ? (int)length : 0, text);
  dls_choice_list(choices, ", ", all, sizeof all);
  const int kind = dls_choice_find(choices, word);
  DLS_CHECK(kind >= 0, DLS_ERR_ARGUMENT, "kernel %s: is none of %s; as in gauss:1.5d", text, all);
  const double number = text[length] ? strtod(text + length + 1, &end) : 1;
  const int diameters = !end || strcmp(end, "d") == 0;
  DLS_CHECK((diameters || *end == '\0') && number > 0 && isfinite(number), DLS_ERR_ARGUMENT,
            "kernel %s: the width is no number above 0 with or without d, as in %s:1.5d", text,
            word);
  *out = (DlsKernel){(DlsKernelKind)kind, number * (diameters ? diameter : 1)};
  return DLS_OK;
}

double dls_kernel_reach(const DlsKernel *kernel) {
  const double widths[] = {gauss_reach, 2, 1};
  return widths[kernel->kind] * kernel->width;
}

/* The part of a Gaussian within `a` widths. */
static double gauss_within(int dim, double a) {
  const double tail = exp(-0.5 * a * a);
  return dim == 3 ? erf(a / sqrt(2)) - sqrt(2 / pi) * a * tail : 1 - tail;
}

double dls_kernel_factor(const DlsKernel *kernel, int dim) {
  const double w = kernel->width, c = 2 * w;
  if (kernel->kind == DLS_KERNEL_GAUSS)
    return pow(sqrt(2 * pi) * w, -dim) / gauss_within(dim, gauss_reach);
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

double dls_kernel_within(const DlsKernel *kernel, int dim, double radius) {
  const double s = radius / dls_kernel_reach(kernel), s2 = s * s, s3 = s2 * s;
  if (s >= 1) return 1;
  if (kernel->kind == DLS_KERNEL_GAUSS)
    return gauss_within(dim, s * gauss_reach) / gauss_within(dim, gauss_reach);
  if (kernel->kind == DLS_KERNEL_TOP_HAT) return dim == 3 ? s3 : s2;
  /* (1 + 3 s) (1 - s)^3 = 1 - 6 s^2 + 8 s^3 - 3 s^4, times s^(dim - 1). */
  return dim == 3 ? 105.0 / 4 * s3 * (1.0 / 3 - 6.0 / 5 * s2 + 4.0 / 3 * s3 - 3.0 / 7 * s2 * s2)
                  : 10 * s2 * (0.5 - 1.5 * s2 + 1.6 * s3 - 0.5 * s2 * s2);
}
