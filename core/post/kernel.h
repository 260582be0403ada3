/* Kernels of coarse-graining: phi >= 0 with integral 1 over space.
 *
 *   gauss    exp(-r2 / 2 w2) for r < 4 w
 *   lucy     (1 + 3 r/c) (1 - r/c)^3 for r < c = 2 w (Lucy 1977)
 *   top-hat  constant for r < w */
#ifndef DELASSUS_POST_KERNEL_H
#define DELASSUS_POST_KERNEL_H

#include <delassus/status.h>

#define DLS_KERNEL_LIST(X)                                                                         \
  X(GAUSS, "gauss")                                                                                \
  X(LUCY, "lucy")                                                                                  \
  X(TOP_HAT, "top-hat")

typedef enum {
#define DLS_KERNEL_ENUM(code, word) DLS_KERNEL_##code,
  DLS_KERNEL_LIST(DLS_KERNEL_ENUM)
#undef DLS_KERNEL_ENUM
} DlsKernelKind;

typedef struct {
  DlsKernelKind kind;
  double width; /* m: w */
} DlsKernel;

/* From "gauss:1.5d", "lucy:2d", "top-hat:0.01"; d stands for the diameter, else m. */
DlsStatus dls_kernel_read(const char *text, double diameter, DlsKernel *out);

/* m, beyond which it is zero along each axis. */
double dls_kernel_reach(const DlsKernel *kernel);

/* Factor before the formulas above, of a space of `dim`. */
double dls_kernel_factor(const DlsKernel *kernel, int dim);

/* phi at an offset. */
double dls_kernel_value(const DlsKernel *kernel, int dim, const double offset[3]);

/* The integral of phi over the ball of this radius: 1 from the reach on. */
double dls_kernel_within(const DlsKernel *kernel, int dim, double radius);

#endif
