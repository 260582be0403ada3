#include "post/tensor.h"

#include <math.h>
#include <string.h>

#include "base/symmetric.h"

void dls_tensor_symmetric(const double tensor[9], double out[9]) {
  double sum[9];
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) sum[3 * i + j] = 0.5 * (tensor[3 * i + j] + tensor[3 * j + i]);
  memcpy(out, sum, sizeof sum);
}

void dls_tensor_axial(const double tensor[9], double out[3]) {
  out[0] = 0.5 * (tensor[7] - tensor[5]);
  out[1] = 0.5 * (tensor[2] - tensor[6]);
  out[2] = 0.5 * (tensor[3] - tensor[1]);
}

/* The first `dim` values ascending, with their axes: columns of V become rows of state->axis. In
 * 2-D the rotations leave z alone, since its row is zero. */
static void sort_axes(int dim, const double value[3], const double V[9], DlsStressState *state) {
  int order[3] = {0, 1, 2};
  for (int i = 1; i < dim; i++)
    for (int j = i; j > 0 && value[order[j]] < value[order[j - 1]]; j--) {
      const int swap = order[j];
      order[j] = order[j - 1];
      order[j - 1] = swap;
    }
  for (int i = 0; i < 3; i++) {
    state->principal[i] = value[order[i]];
    for (int k = 0; k < 3; k++) state->axis[i][k] = V[3 * k + order[i]];
  }
  const double *a = state->axis[0], *b = state->axis[1];
  double *c = state->axis[dim - 1];
  if (dim == 3) {
    c[0] = a[1] * b[2] - a[2] * b[1];
    c[1] = a[2] * b[0] - a[0] * b[2];
    c[2] = a[0] * b[1] - a[1] * b[0];
  } else {
    c[0] = -a[1];
    c[1] = a[0];
  }
}

void dls_stress_state(int dim, const double stress[9], DlsStressState *out) {
  double A[9], V[9], value[3], square = 0, mean = 0;
  dls_tensor_symmetric(stress, A);
  for (int k = 0; k < dim; k++) mean += A[4 * k] / dim;
  dls_symmetric_axes(A, value, V);
  memset(out, 0, sizeof *out);
  sort_axes(dim, value, V, out);
  for (int k = 0; k < dim; k++) square += (out->principal[k] - mean) * (out->principal[k] - mean);
  out->pressure = -mean;
  out->deviator = dim == 3 ? sqrt(1.5 * square) : 0.5 * (out->principal[1] - out->principal[0]);
  out->ratio = out->pressure != 0 ? out->deviator / out->pressure : 0;
}
