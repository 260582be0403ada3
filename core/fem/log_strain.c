#include "fem/log_strain.h"

#include <math.h>
#include <string.h>

static const int at[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {1, 2}, {0, 2}};

/* Jacobi's rotations: A symmetric, its diagonal becomes the eigenvalues. */
static void eigen(double A[3][3], double axis[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) axis[i][j] = i == j;
  for (int sweep = 0; sweep < 30; sweep++) {
    const double off = fabs(A[0][1]) + fabs(A[0][2]) + fabs(A[1][2]);
    if (off <= 1e-17 * (fabs(A[0][0]) + fabs(A[1][1]) + fabs(A[2][2]))) return;
    for (int p = 0; p < 2; p++)
      for (int q = p + 1; q < 3; q++) {
        if (A[p][q] == 0) continue;
        const double half = (A[q][q] - A[p][p]) / (2 * A[p][q]);
        const double t = (half >= 0 ? 1 : -1) / (fabs(half) + sqrt(half * half + 1));
        const double c = 1 / sqrt(t * t + 1), s = t * c;
        for (int k = 0; k < 3; k++) {
          const double a = A[k][p], b = A[k][q];
          A[k][p] = c * a - s * b, A[k][q] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = A[p][k], b = A[q][k];
          A[p][k] = c * a - s * b, A[q][k] = s * a + c * b;
        }
        for (int k = 0; k < 3; k++) {
          const double a = axis[k][p], b = axis[k][q];
          axis[k][p] = c * a - s * b, axis[k][q] = s * a + c * b;
        }
      }
  }
}

DlsStatus dls_log_strain(const double E[6], DlsLogStrain *out, double strain[6]) {
  double A[3][3];
  for (int i = 0; i < 6; i++)
    A[at[i][0]][at[i][1]] = A[at[i][1]][at[i][0]] = i < 3 ? E[i] : E[i] / 2;
  eigen(A, out->axis);
  for (int k = 0; k < 3; k++) {
    out->square[k] = 1 + 2 * A[k][k];
    DLS_CHECK(out->square[k] > 0, DLS_ERR_NUMERIC, "a stretch of zero: Green's strain is %g",
              A[k][k]);
  }
  memset(strain, 0, 6 * sizeof *strain);
  for (int i = 0; i < 6; i++)
    for (int k = 0; k < 3; k++)
      strain[i] +=
          (i < 3 ? 0.5 : 1) * log1p(2 * A[k][k]) * out->axis[at[i][0]][k] * out->axis[at[i][1]][k];
  return DLS_OK;
}

/* Divided differences of ln(x) / 2. */
static double first(double a, double b) {
  const double x = (a - b) / b;
  return x == 0 ? 0.5 / b : 0.5 * log1p(x) / (x * b);
}

/* The two that are farthest apart divide; where all are close, half the second derivative. */
static double second(double a, double b, double c) {
  const double ab = fabs(a - b), bc = fabs(b - c), ac = fabs(a - c);
  if (ab >= bc && ab >= ac) {
    const double keep = b;
    b = c, c = keep;
  } else if (bc > ac) {
    const double keep = a;
    a = b, b = keep;
  }
  const double mean = (a + b + c) / 3;
  if (fabs(a - c) < 1e-5 * mean) return -0.25 / (mean * mean);
  return (first(a, b) - first(b, c)) / (a - c);
}

/* The direction of Voigt's number j, in the principal axes. */
static void direction(const DlsLogStrain *log, int j, double H[3][3]) {
  const int p = at[j][0], q = at[j][1];
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++)
      H[a][b] = 0.5 * (log->axis[p][a] * log->axis[q][b] + log->axis[q][a] * log->axis[p][b]);
}

/* With f = ln / 2, by its divided differences in the principal axes: d strain [H] = 2 f[a b] H_ab;
 * d2 strain [H K] = 4 sum_c f[a c b] (H_ac K_cb + K_ac H_cb). */
void dls_log_stress(const DlsLogStrain *log, double stress[6], double *tangent) {
  double H[6][3][3], P[6][6] = {{0}}, T[3][3] = {{0}}, S[6] = {0};
  for (int j = 0; j < 6; j++) {
    direction(log, j, H[j]);
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++) {
        const double moved = 2 * first(log->square[a], log->square[b]) * H[j][a][b];
        for (int i = 0; i < 6; i++)
          P[i][j] += (i < 3 ? 1 : 2) * log->axis[at[i][0]][a] * moved * log->axis[at[i][1]][b];
        T[a][b] += stress[j] * (j < 3 ? 1 : 2) * H[j][a][b];
      }
  }
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < 6; i++) S[j] += P[i][j] * stress[i];
  if (tangent) {
    double DP[6][6] = {{0}}, f[3][3][3];
    for (int a = 0; a < 3; a++)
      for (int b = 0; b < 3; b++)
        for (int c = 0; c < 3; c++)
          f[a][b][c] = second(log->square[a], log->square[b], log->square[c]);
    for (int i = 0; i < 6; i++)
      for (int k = 0; k < 6; k++)
        for (int j = 0; j < 6; j++) DP[i][j] += tangent[6 * i + k] * P[k][j];
    for (int i = 0; i < 6; i++)
      for (int j = 0; j < 6; j++) {
        double sum = 0;
        for (int k = 0; k < 6; k++) sum += P[k][i] * DP[k][j];
        for (int a = 0; a < 3; a++)
          for (int b = 0; b < 3; b++)
            for (int c = 0; c < 3; c++)
              sum += 4 * T[a][b] * f[a][c][b] * (H[i][a][c] * H[j][c][b] + H[j][a][c] * H[i][c][b]);
        tangent[6 * i + j] = sum;
      }
  }
  memcpy(stress, S, sizeof S);
}
