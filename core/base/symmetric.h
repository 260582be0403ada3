/* Principal values and axes of a symmetric 3 x 3 matrix, by Jacobi's rotations: slow and robust,
 * also where values repeat, and the axes are orthonormal to round-off whatever they are. */
#ifndef DELASSUS_BASE_SYMMETRIC_H
#define DELASSUS_BASE_SYMMETRIC_H

#include <math.h>

/* A = V diag V^T, A row-major and symmetric, destroyed; columns of V are the axes. */
static inline void dls_symmetric_axes(double A[9], double diagonal[3], double V[9]) {
  const double trace = fabs(A[0]) + fabs(A[4]) + fabs(A[8]);
  const double size = fmax(trace, fmax(fabs(A[1]), fmax(fabs(A[2]), fabs(A[5]))));
  for (int i = 0; i < 9; i++) V[i] = i % 4 == 0;
  for (int sweep = 0; sweep < 30; sweep++) {
    const double off = fmax(fabs(A[1]), fmax(fabs(A[2]), fabs(A[5])));
    if (off <= 1e-15 * size) break;
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (fabs(A[3 * p + q]) <= 1e-17 * size) continue;
        const double theta = (A[4 * q] - A[4 * p]) / (2 * A[3 * p + q]);
        const double t = (theta >= 0 ? 1 : -1) / (fabs(theta) + sqrt(theta * theta + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          const double a = A[3 * k + p], b = A[3 * k + q];
          A[3 * k + p] = c * a - s * b;
          A[3 * k + q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = A[3 * p + k], b = A[3 * q + k];
          A[3 * p + k] = c * a - s * b;
          A[3 * q + k] = s * a + c * b;
          const double v = V[3 * k + p], w = V[3 * k + q];
          V[3 * k + p] = c * v - s * w;
          V[3 * k + q] = s * v + c * w;
        }
      }
  }
  for (int i = 0; i < 3; i++) diagonal[i] = A[4 * i];
}

#endif
