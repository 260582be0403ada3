/* Small dense matrices, row-major, of order n <= DLS_MAX_BLOCK or so; all inline. */
#ifndef DELASSUS_BASE_SMALL_H
#define DELASSUS_BASE_SMALL_H

#include <math.h>
#include <stdbool.h>
#include <string.h>

#include <delassus/relation.h>

static inline double dls_small_dot(int n, const double *x, const double *y) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

/* Without overflow or underflow: impulses of tiny grains square below the smallest double. NaN when
 * a component is, for fmax below would pass over it. */
static inline double dls_small_norm(int n, const double *x) {
  if (n == 1) return fabs(x[0]);
  const double square = dls_small_dot(n, x, x);
  if (square > 1e-280 && square < 1e280) return sqrt(square);
  if (isnan(square)) return square;
  double largest = 0;
  for (int i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (!(largest > 0) || isinf(largest)) return largest;
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

/* y = A x + c; y apart from x and c. */
static inline void dls_small_affine(int n, const double *A, const double *x, const double *c,
                                    double *y) {
  for (int i = 0; i < n; i++) y[i] = c[i] + dls_small_dot(n, A + i * n, x);
}

/* C = A B. */
static inline void dls_small_multiply(int n, const double *A, const double *B, double *C) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double sum = 0;
      for (int k = 0; k < n; k++) sum += A[i * n + k] * B[k * n + j];
      C[i * n + j] = sum;
    }
}

/* x <- A^-1 x by elimination with row pivots, A destroyed; false when a pivot is below `least`
 * times the largest entry of A (x is then spoiled). */
static inline bool dls_small_eliminate(int n, double least, double *A, double *x) {
  double largest = 0;
  for (int i = 0; i < n * n; i++) largest = fmax(largest, fabs(A[i]));
  const double smallest_pivot = least * largest;
  for (int k = 0; k < n; k++) {
    int pivot = k;
    for (int i = k + 1; i < n; i++)
      if (fabs(A[i * n + k]) > fabs(A[pivot * n + k])) pivot = i;
    if (!(fabs(A[pivot * n + k]) > smallest_pivot)) return false;
    if (pivot != k) {
      for (int j = k; j < n; j++) {
        const double t = A[k * n + j];
        A[k * n + j] = A[pivot * n + j];
        A[pivot * n + j] = t;
      }
      const double t = x[k];
      x[k] = x[pivot];
      x[pivot] = t;
    }
    for (int i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / A[k * n + k];
      for (int j = k + 1; j < n; j++) A[i * n + j] -= factor * A[k * n + j];
      x[i] -= factor * x[k];
    }
  }
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= A[i * n + j] * x[j];
    x[i] /= A[i * n + i];
  }
  return true;
}

/* The same; false when A is singular to round-off of its largest entry. */
static inline bool dls_small_solve(int n, double *A, double *x) {
  return dls_small_eliminate(n, 1e-15, A, x);
}

static inline bool dls_small_finite(int n, const double *x) {
  for (int i = 0; i < n; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* Whether the numbers are the same: 0 and -0 are, and NaN (not given) is itself. */
static inline bool dls_small_same(int n, const double *x, const double *y) {
  for (int i = 0; i < n; i++)
    if (x[i] != y[i] && !(isnan(x[i]) && isnan(y[i]))) return false;
  return true;
}

#endif
