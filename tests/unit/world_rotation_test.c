#include <string.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/rotation.h"

static void random_rotation(DlsRandom *random, double q[4]) {
  for (int i = 0; i < 4; i++) q[i] = dls_random_normal(random);
  dls_rotation_normalise(q);
}

static void momentum_of(const double *J, const double *q, const double *spin, double *L) {
  dls_rotation_apply_inverse(q, spin, L);
  for (int i = 0; i < 3; i++) L[i] *= J[i];
  dls_rotation_apply(q, L, L);
}

TEST(rotation_keeps_lengths_and_inverts) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  for (int n = 0; n < 100; n++) {
    double q[4], a[3], b[3], matrix[9], p[4];
    random_rotation(&random, q);
    for (int i = 0; i < 3; i++) a[i] = dls_random_normal(&random);
    dls_rotation_apply(q, a, b);
    CHECK_NEAR(dls_vector_norm(a), dls_vector_norm(b), 1e-14);
    dls_rotation_apply_inverse(q, b, b);
    for (int i = 0; i < 3; i++) CHECK_NEAR(a[i], b[i], 1e-14);
    dls_rotation_matrix(q, matrix);
    dls_rotation_from_matrix(matrix, p);
    const double sign = p[0] * q[0] + p[1] * q[1] + p[2] * q[2] + p[3] * q[3] > 0 ? 1 : -1;
    for (int i = 0; i < 4; i++) CHECK_NEAR(sign * p[i], q[i], 1e-14);
  }
}

TEST(between_takes_one_unit_vector_to_the_other) {
  const double axes[7][3] = {{1, 0, 0},  {0, 1, 0},  {0, 0, 1},    {-1, 0, 0},
                             {0, -1, 0}, {0, 0, -1}, {0.6, 0, 0.8}};
  for (int i = 0; i < 7; i++)
    for (int j = 0; j < 7; j++) {
      double q[4], b[3];
      dls_rotation_between(axes[i], axes[j], q);
      dls_rotation_apply(q, axes[i], b);
      for (int k = 0; k < 3; k++) CHECK_NEAR(b[k], axes[j][k], 1e-15);
    }
}

/* A constant spin about one axis, integrated exactly: after any number of steps the angle is w
 * t. */
TEST(constant_spin_is_exact) {
  double q[4] = {1, 0, 0, 0};
  const double spin[3] = {0, 0, 3}, x[3] = {1, 0, 0};
  double y[3];
  for (int n = 0; n < 1000; n++) dls_rotation_turn(0.01, spin, q);
  dls_rotation_apply(q, x, y);
  CHECK_NEAR(y[0], cos(30.0), 1e-12);
  CHECK_NEAR(y[1], sin(30.0), 1e-12);
  CHECK_NEAR(q[0] * q[0] + q[3] * q[3], 1, 1e-15);
}

TEST(exponential_of_small_and_large_angles) {
  for (double angle = 1e-12; angle < 10; angle *= 3) {
    const double a[3] = {0, angle, 0};
    double q[4];
    dls_rotation_exp(a, q);
    CHECK_NEAR(q[0], cos(angle / 2), 1e-16);
    CHECK_NEAR(q[2], sin(angle / 2), 1e-15 * angle);
  }
}

/* A free asymmetric body, tumbling about its middle axis: L to round-off, energy too. */
TEST(free_body_keeps_momentum_and_energy) {
  DlsRandom random;
  dls_random_seed(&random, 2);
  for (int n = 0; n < 4; n++) {
    const double J[3] = {1, 2, 2.9}, h = n == 3 ? 0.8 : 0.01;
    double q[4], spin[3], L0[3], L[3];
    random_rotation(&random, q);
    const double body_spin[3] = {0.01, 3, n * 0.5};
    dls_rotation_apply(q, body_spin, spin);
    momentum_of(J, q, spin, L0);
    const double energy = dls_vector_dot(spin, L0) / 2;
    for (int step = 0; step < 10000; step++) dls_rotation_free_step(h, J, q, spin);
    momentum_of(J, q, spin, L);
    for (int k = 0; k < 3; k++) CHECK_NEAR(L[k], L0[k], 2e-12 * dls_vector_norm(L0));
    /* Round-off alone: about 1e-15 a step. */
    CHECK_NEAR(dls_vector_dot(spin, L) / 2, energy, 2e-11 * energy);
  }
}

/* Second order against a fine reference, and the same path backwards. */
TEST(free_body_step_is_second_order_and_reversible) {
  const double J[3] = {1, 2, 2.5};
  double error[2], reference[4] = {1, 0, 0, 0}, spin[3] = {1, 2, 3};
  for (int n = 0; n < 20000; n++) dls_rotation_free_step(5e-5, J, reference, spin);
  for (int level = 0; level < 2; level++) {
    const int steps = 20 << level;
    double q[4] = {1, 0, 0, 0}, w[3] = {1, 2, 3};
    for (int n = 0; n < steps; n++) dls_rotation_free_step(1.0 / steps, J, q, w);
    error[level] = 0;
    for (int i = 0; i < 4; i++) error[level] += fabs(q[i] - reference[i]);
    for (int n = 0; n < steps; n++) dls_rotation_free_step(-1.0 / steps, J, q, w);
    CHECK_NEAR(q[0], 1, 1e-12);
    CHECK_NEAR(w[1], 2, 1e-12);
  }
  CHECK_NEAR(error[0] / error[1], 4, 0.2);
}
