/* Principal values and directions, pressure and deviator of tensors that are known. */
#include "tests/test.h"

#include "base/random.h"
#include "post/tensor.h"

/* Q diag Q^T for a rotation by random angles. */
static void turned(DlsRandom *random, const double value[3], int dim, double out[9]) {
  double Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  for (int p = 0; p < dim; p++)
    for (int q = p + 1; q < dim; q++) {
      const double angle = dls_random_between(random, -3, 3), c = cos(angle), s = sin(angle);
      for (int k = 0; k < 3; k++) {
        const double a = Q[3 * k + p], b = Q[3 * k + q];
        Q[3 * k + p] = c * a - s * b;
        Q[3 * k + q] = s * a + c * b;
      }
    }
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      out[3 * i + j] = 0;
      for (int k = 0; k < 3; k++) out[3 * i + j] += Q[3 * i + k] * value[k] * Q[3 * j + k];
    }
}

/* sigma = sum value axis (x) axis with orthonormal axes, right-handed, values ascending. */
static void check_state(int dim, const double tensor[9], const double ascending[3]) {
  DlsStressState state;
  double back[9] = {0}, size = 0;
  dls_stress_state(dim, tensor, &state);
  for (int k = 0; k < 9; k++) size = fmax(size, fabs(tensor[k]));
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(state.principal[k], ascending[k], 1e-14 * size);
    dls_tensor_add(state.principal[k], state.axis[k], state.axis[k], back);
    for (int j = 0; j < 3; j++) {
      double dot = 0;
      for (int i = 0; i < 3; i++) dot += state.axis[k][i] * state.axis[j][i];
      CHECK_NEAR(dot, k == j, 1e-14);
    }
  }
  for (int k = 0; k < 9; k++) CHECK_NEAR(back[k], tensor[k], 1e-14 * size);
  const double(*a)[3] = state.axis;
  CHECK_NEAR(a[0][0] * (a[1][1] * a[2][2] - a[1][2] * a[2][1]) +
                 a[0][1] * (a[1][2] * a[2][0] - a[1][0] * a[2][2]) +
                 a[0][2] * (a[1][0] * a[2][1] - a[1][1] * a[2][0]),
             1, 1e-14);
}

TEST(principal_values_are_found_also_where_they_repeat) {
  static const double values[][3] = {{-3, -2, 1},     {-5, -5, -5},        {-7, -7, 2},
                                     {-4, 1, 1},      {-1, -1 + 1e-12, 3}, {0, 0, 0},
                                     {-1e-9, 0, 1e9}, {-1, 0, 1}};
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int k = 0; k < DLS_COUNT(values); k++)
    for (int turn = 0; turn < 20; turn++) {
      double tensor[9];
      turned(&random, values[k], 3, tensor);
      check_state(3, tensor, values[k]);
    }
  for (int turn = 0; turn < 20; turn++) {
    const double value[3] = {-3, 1, 0};
    double tensor[9];
    turned(&random, value, 2, tensor);
    check_state(2, tensor, value);
  }
}

/* Axial compression of 3 Pa over 1 Pa of lateral pressure: p = 5/3, von Mises 2. In 2-D: p = 2,
 * radius 1. */
TEST(pressure_and_deviator_of_a_triaxial_state) {
  const double solid[9] = {-1, 0, 0, 0, -1, 0, 0, 0, -3}, plane[9] = {-1, 0, 0, 0, -3, 0, 0, 0, 0};
  DlsStressState state;
  dls_stress_state(3, solid, &state);
  CHECK_NEAR(state.pressure, 5.0 / 3, 1e-15);
  CHECK_NEAR(state.deviator, 2, 1e-15);
  CHECK_NEAR(state.ratio, 1.2, 1e-15);
  CHECK_NEAR(fabs(state.axis[0][2]), 1, 1e-15);
  dls_stress_state(2, plane, &state);
  CHECK_NEAR(state.pressure, 2, 1e-15);
  CHECK_NEAR(state.deviator, 1, 1e-15);
  CHECK_NEAR(state.ratio, 0.5, 1e-15);
}

/* The antisymmetric part of T acts as a cross product: (T - T^T)/2 x = w x x. */
TEST(the_antisymmetric_part_is_a_cross_product) {
  const double T[9] = {1, 2, 3, 5, 7, 11, 13, 17, 19}, x[3] = {0.3, -0.7, 0.2};
  double w[3], S[9];
  dls_tensor_axial(T, w);
  dls_tensor_symmetric(T, S);
  const double cross[3] = {w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                           w[0] * x[1] - w[1] * x[0]};
  for (int i = 0; i < 3; i++) {
    double y = 0;
    for (int j = 0; j < 3; j++) y += (T[3 * i + j] - S[3 * i + j]) * x[j];
    CHECK_NEAR(y, cross[i], 1e-14);
  }
}
