#include "problem/operator/rigid_mass.h"

#include <math.h>
#include <stddef.h>

static bool is_diagonal(int n, const double *M) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (i != j && M[i * n + j] != 0) return false;
  return true;
}

/* M = L U in place, L and U sharing the square roots of the pivots as diagonal. */
static bool factor(int n, double *M) {
  if (is_diagonal(n, M)) { /* every sphere and disk */
    bool positive = true;
    for (int k = 0; k < n; k++) {
      positive = positive && M[k * (n + 1)] > 0;
      M[k * (n + 1)] = sqrt(M[k * (n + 1)]);
    }
    return positive;
  }
  for (int k = 0; k < n; k++) {
    if (!(M[k * n + k] > 0)) return false;
    const double root = sqrt(M[k * n + k]);
    M[k * n + k] = root;
    for (int i = k + 1; i < n; i++) {
      M[i * n + k] /= root;
      M[k * n + i] /= root;
    }
    for (int i = k + 1; i < n; i++)
      for (int j = k + 1; j < n; j++) M[i * n + j] -= M[i * n + k] * M[k * n + j];
  }
  return true;
}

/* To round-off of sqrt(M_ii M_jj), so that masses do not hide what inertias do. */
static bool is_symmetric(int n, const double *M) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      const double size = sqrt(fabs(M[i * n + i])) * sqrt(fabs(M[j * n + j]));
      if (fabs(M[i * n + j] - M[j * n + i]) > 1e-13 * size) return false;
    }
  return true;
}

void dls_rigid_scale_rows(int block, int n, const double *LU, bool upper, double *H) {
  if (is_diagonal(n, LU)) {
    for (int j = 0; j < n; j++) {
      const double scale = 1 / LU[j * (n + 1)];
      for (int a = 0; a < block; a++) H[a * n + j] *= scale;
    }
    return;
  }
  for (int a = 0; a < block; a++) {
    double *x = H + a * n;
    for (int j = 0; j < n; j++) {
      for (int i = 0; i < j; i++) x[j] -= x[i] * (upper ? LU[i * n + j] : LU[j * n + i]);
      x[j] /= LU[j * n + j];
    }
  }
}

/* Positive pivots do not make an unsymmetric matrix definite: its symmetric part is looked at. */
static bool is_definite(int n, const double *M, double *work) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) work[i * n + j] = 0.5 * M[i * n + j] + 0.5 * M[j * n + i];
  return factor(n, work);
}

DlsStatus dls_rigid_factor(int n, int body, double *M, bool *symmetric) {
  double work[DLS_RIGID_MAX_DOF * DLS_RIGID_MAX_DOF];
  for (int e = 0; e < n * n; e++)
    DLS_CHECK(isfinite(M[e]), DLS_ERR_NUMERIC,
              "the mass matrix of body %d holds a number that is not finite", body);
  *symmetric = is_symmetric(n, M);
  DLS_CHECK((*symmetric || is_definite(n, M, work)) && factor(n, M), DLS_ERR_ARGUMENT,
            "the mass matrix of body %d is not positive definite", body);
  return DLS_OK;
}

void dls_rigid_solve_upper(int n, const double *LU, double *x) {
  for (int i = n - 1; i >= 0; i--) {
    for (int j = i + 1; j < n; j++) x[i] -= LU[i * n + j] * x[j];
    x[i] /= LU[i * n + i];
  }
}

void dls_rigid_solve(int n, const double *LU, double *x) {
  for (int i = 0; i < n; i++) {
    for (int j = 0; j < i; j++) x[i] -= LU[i * n + j] * x[j];
    x[i] /= LU[i * n + i]; /* L has the diagonal of U */
  }
  dls_rigid_solve_upper(n, LU, x);
}

double dls_rigid_entry(int n, const double *LU, int i, int j) {
  double sum = 0;
  for (int c = 0; c <= i && c <= j; c++) sum += LU[i * n + c] * LU[c * n + j];
  return sum;
}
