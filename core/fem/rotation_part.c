#include "fem/rotation_part.h"

#include <math.h>
#include <string.h>

/* The transposed inverse of A, and its determinant. */
static double cofactors(const double A[3][3], double out[3][3]) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      const int a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
      out[i][j] = A[a][c] * A[b][d] - A[a][d] * A[b][c];
    }
  const double det = A[0][0] * out[0][0] + A[0][1] * out[0][1] + A[0][2] * out[0][2];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) out[i][j] /= det;
  return det;
}

static double frobenius(const double A[3][3]) {
  double sum = 0;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum += A[i][j] * A[i][j];
  return sqrt(sum);
}

/* R <- (g R + (g R)^-T) / 2, with g so that both are of one size (Higham 1986). */
DlsStatus dls_rotation_part(const double P[3][3], double R[3][3]) {
  memcpy(R, P, 9 * sizeof(double));
  for (int round = 0; round < 60; round++) {
    double inverse[3][3], change = 0;
    const double det = cofactors((const double(*)[3])R, inverse);
    DLS_CHECK(det > 0 && isfinite(det), DLS_ERR_NUMERIC,
              "a body is turned inside out: the determinant of its moments is %g", det);
    const double g =
        sqrt(frobenius((const double(*)[3])inverse) / frobenius((const double(*)[3])R));
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++) {
        const double next = 0.5 * (g * R[i][j] + inverse[i][j] / g);
        change = fmax(change, fabs(next - R[i][j]));
        R[i][j] = next;
      }
    if (change < 1e-15) break;
  }
  return DLS_OK;
}
