#include "solvers/kit/cone_scaling.h"

#include "base/small.h"

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

static double tail(int d, const double *x) { return d == 1 ? 0 : dls_small_norm(d - 1, x + 1); }

double dls_cone_scaling_determinant(int d, const double *x) {
  const double length = tail(d, x);
  return fmax(x[0] - length, DBL_EPSILON * x[0]) * (x[0] + length);
}

void dls_cone_scaling_find(int d, const double *y, const double *z, DlsConeScaling *out) {
  const double det_y = dls_cone_scaling_determinant(d, y);
  const double det_z = dls_cone_scaling_determinant(d, z);
  double product = 0;
  for (int k = 0; k < d; k++) product += y[k] / sqrt(det_y) * (z[k] / sqrt(det_z));
  const double gamma = sqrt(0.5 * (1 + product));
  for (int k = 0; k < d; k++)
    out->w[k] = 0.5 / gamma * (y[k] / sqrt(det_y) + (k == 0 ? 1 : -1) * z[k] / sqrt(det_z));
  out->beta = sqrt(sqrt(det_y / det_z));
}

void dls_cone_scaling_apply(int d, const DlsConeScaling *scaling, int power, const double *x,
                            double *out) {
  double w[3];
  for (int k = 0; k < d; k++) w[k] = power > 0 || k == 0 ? scaling->w[k] : -scaling->w[k];
  /* [[w_0, w_1^T], [w_1, I + w_1 w_1^T / (1 + w_0)]] */
  const double along = dls_small_dot(d, w, x);
  const double size = power > 0 ? scaling->beta : 1 / scaling->beta;
  const double share = x[0] + (along - w[0] * x[0]) / (1 + w[0]);
  out[0] = size * along;
  for (int k = 1; k < d; k++) out[k] = size * (x[k] + w[k] * share);
}

/* The matrix with these eigenvalues along (1, axis), along (1, -axis) and across. */
static void compose(int d, const double *axis, double plus, double minus, double across,
                    double out[3][3]) {
  memset(out, 0, 9 * sizeof out[0][0]);
  out[0][0] = d == 1 ? across : 0.5 * (plus + minus);
  for (int k = 1; k < d; k++) {
    out[0][k] = out[k][0] = 0.5 * (plus - minus) * axis[k];
    for (int l = 1; l < d; l++)
      out[k][l] = (0.5 * (plus + minus) - across) * axis[k] * axis[l] + (k == l ? across : 0);
  }
}

void dls_cone_scaling_write(int d, const DlsConeScaling *scaling, double floor, double F[3][3],
                            double inverse[3][3]) {
  const double length = tail(d, scaling->w), far = scaling->w[0] + length;
  const double beta2 = scaling->beta * scaling->beta;
  /* of V²; (w_0 - |w_1|) (w_0 + |w_1|) = 1 */
  const double plus = beta2 * far * far, minus = beta2 / (far * far);
  double axis[3] = {0, 1, 0};
  for (int k = 1; k < d && length > 0; k++) axis[k] = scaling->w[k] / length;
  compose(d, axis, plus / (1 + floor * plus), minus / (1 + floor * minus),
          beta2 / (1 + floor * beta2), inverse);
  compose(d, axis, 1 / plus, 1 / minus, 1 / beta2, F);
}

void dls_cone_scaling_divide(int d, const double *lambda, const double *R, double *x) {
  const double across = d == 1 ? 0 : dls_small_dot(d - 1, lambda + 1, R + 1);
  x[0] = (lambda[0] * R[0] - across) / dls_cone_scaling_determinant(d, lambda);
  for (int k = 1; k < d; k++) x[k] = (R[k] - x[0] * lambda[k]) / lambda[0];
}

double dls_cone_scaling_room(int d, const double *x, const double *dx) {
  if (d == 1) return dx[0] < 0 ? fmin(1, -x[0] / dx[0]) : 1;
  /* det(x + t dx) = a t^2 + 2 b t + c >= 0, and the first component > 0 */
  const double a = dx[0] * dx[0] - dls_small_dot(d - 1, dx + 1, dx + 1);
  const double b = x[0] * dx[0] - dls_small_dot(d - 1, x + 1, dx + 1);
  const double c = dls_cone_scaling_determinant(d, x);
  double t = dx[0] < 0 ? fmin(1, -x[0] / dx[0]) : 1;
  const double root2 = b * b - a * c;
  if (root2 < 0 || (a >= 0 && b >= 0)) return t;
  const double root = sqrt(root2), q = b < 0 ? -b + root : -b - root;
  /* the roots are q / a and c / q */
  const double first = q != 0 ? c / q : INFINITY, second = a != 0 ? q / a : INFINITY;
  if (first > 0) t = fmin(t, first);
  if (second > 0) t = fmin(t, second);
  return t;
}
