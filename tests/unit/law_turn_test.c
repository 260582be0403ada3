/* A pair that turns as one rigid body takes the vectors of its contact plane with it: what is
 * carried is R v, R = exp(t w), seen in the frame of now. Frames are drawn anew at each moment,
 * turned about n at will, as those of detection and of laws with axes of their own are. */
#include <string.h>

#include "base/random.h"
#include "base/rotation.h"
#include "law/turn.h"
#include "tests/test.h"

static void draw_unit(DlsRandom *random, double out[3]) {
  for (int k = 0; k < 3; k++) out[k] = dls_random_normal(random);
  const double size = dls_vector_norm(out);
  for (int k = 0; k < 3; k++) out[k] /= size;
}

/* A right-handed frame of this n, its tangents anywhere. */
static void draw_frame(DlsRandom *random, const double n[3], double frame[9]) {
  double other[3], size;
  memcpy(frame, n, 3 * sizeof *frame);
  draw_unit(random, other);
  dls_vector_cross(n, other, frame + 3);
  size = dls_vector_norm(frame + 3);
  for (int k = 0; k < 3; k++) frame[3 + k] /= size;
  dls_vector_cross(n, frame + 3, frame + 6);
}

/* |carried - R v| / |v| after one second in so many steps with spin w; w is along n where `along`
 * is 1, across it where it is -1. */
static double miss(DlsRandom *random, int along, double speed, int steps) {
  const double h = 1.0 / steps;
  double n[3], axis[3], spin[3], frame[9], v[2], wanted[3], turned[4], square = 0;
  draw_unit(random, n);
  draw_unit(random, axis);
  draw_frame(random, n, frame);
  if (along > 0) memcpy(axis, n, sizeof axis);
  if (along < 0) memcpy(axis, frame + 3, sizeof axis);
  for (int k = 0; k < 3; k++) spin[k] = speed * axis[k];
  for (int k = 0; k < 2; k++) v[k] = dls_random_normal(random);
  const double length = hypot(v[0], v[1]);
  for (int k = 0; k < 3; k++) wanted[k] = v[0] * frame[3 + k] + v[1] * frame[6 + k];
  dls_rotation_exp(spin, turned);
  dls_rotation_apply(turned, wanted, wanted);
  for (int s = 1; s <= steps; s++) {
    const double way[3] = {h * s * spin[0], h * s * spin[1], h * s * spin[2]};
    double now[9], there[3], q[4], turn[3];
    dls_rotation_exp(way, q);
    dls_rotation_apply(q, n, there);
    draw_frame(random, there, now);
    dls_pair_turn(frame, now, spin, h, turn);
    dls_pair_carry(frame, now, turn, v);
    memcpy(frame, now, sizeof frame);
  }
  CHECK_NEAR(hypot(v[0], v[1]), length, 1e-13 * length * steps);
  for (int k = 0; k < 3; k++) {
    const double e = v[0] * frame[3 + k] + v[1] * frame[6 + k] - wanted[k];
    square += e * e;
  }
  return sqrt(square) / length;
}

TEST(turns_about_n_and_turns_of_n_are_exact) {
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int n = 0; n < 50; n++) {
    CHECK_BELOW(miss(&random, 1, 1.5, 1 + n % 7), 1e-13);
    CHECK_BELOW(miss(&random, -1, 1.5, 1 + n % 7), 1e-13);
  }
}

/* (h w)^3 / 12 (1 - c^2) c in a step, c = w.n / |w|, at most 0.0321 (h w)^3. */
TEST(turns_about_any_axis_are_right_to_the_third_order_in_a_step) {
  for (int n = 0; n < 40; n++) {
    double error[3];
    for (int k = 0; k < 3; k++) {
      DlsRandom random;
      dls_random_stream(&random, 5, (uint64_t)n);
      error[k] = miss(&random, 0, 1, 4 << k);
      const double h = 1.0 / (4 << k);
      CHECK_BELOW(error[k], 1.1 * 0.0321 * h * h);
    }
    if (error[2] > 1e-6) CHECK_NEAR(error[0] / error[1], 4, 0.3);
  }
}

/* exp(turn) takes n before to n now, and its part about n is the spin's: a law that adds turns
 * finds how the pair has turned. */
TEST(the_turn_takes_the_normal_along) {
  DlsRandom random;
  dls_random_seed(&random, 8);
  for (int n = 0; n < 50; n++) {
    double from[3], to[3], before[9], now[9], spin[3], turn[3], q[4], seen[3];
    draw_unit(&random, from);
    draw_unit(&random, to);
    draw_unit(&random, spin);
    draw_frame(&random, from, before);
    draw_frame(&random, to, now);
    dls_pair_turn(before, now, spin, 0.3, turn);
    dls_rotation_exp(turn, q);
    dls_rotation_apply(q, from, seen);
    for (int k = 0; k < 3; k++) CHECK_NEAR(seen[k], to[k], 1e-14);
    memcpy(now, before, sizeof now);
    dls_pair_turn(before, now, spin, 0.3, turn);
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(turn[k], 0.3 * dls_vector_dot(spin, from) * from[k], 1e-15);
  }
}

/* In the plane the vector has one component, which stays whatever the pair does. */
TEST(in_the_plane_a_component_stays) {
  for (int n = 0; n < 20; n++) {
    const double a = 0.3 * n, b = a + 0.01 * (n - 10), spin[3] = {0, 0, 5};
    const double before[9] = {cos(a), sin(a), 0, -sin(a), cos(a), 0, 0, 0, 1};
    const double now[9] = {cos(b), sin(b), 0, -sin(b), cos(b), 0, 0, 0, 1};
    double turn[3], v[2] = {2, 0};
    dls_pair_turn(before, now, spin, 0.1, turn);
    dls_pair_carry(before, now, turn, v);
    CHECK_NEAR(turn[2], b - a, 1e-15);
    CHECK(turn[0] == 0 && turn[1] == 0 && v[1] == 0);
    CHECK_NEAR(v[0], 2, 1e-15);
  }
}

/* Spheres that pass through each other: half a turn about some axis across, and nothing that is not
 * a number. */
TEST(a_normal_that_is_reversed_keeps_lengths) {
  DlsRandom random;
  dls_random_seed(&random, 9);
  for (int n = 0; n < 20; n++) {
    double from[3], before[9], now[9], turn[3], v[2] = {0.6, 0.8};
    const double spin[3] = {0};
    draw_unit(&random, from);
    draw_frame(&random, from, before);
    for (int k = 0; k < 3; k++) from[k] = -from[k];
    draw_frame(&random, from, now);
    dls_pair_turn(before, now, spin, 0.1, turn);
    dls_pair_carry(before, now, turn, v);
    CHECK_NEAR(hypot(v[0], v[1]), 1, 1e-13);
  }
}
