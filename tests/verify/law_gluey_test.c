/* The gluey contact against the closed form of Maury's slide 57: q' + gamma = u0 + integral of
 * f. */
#include "tests/law_point.h"

/* A ball thrown at a wall at speed v from the distance q0 and pulled back by f all the time. It
 * lands when q0 - v t + f t²/2 = 0, in units of mass, and is held until the pull has undone what
 * pressed it: f t = v. Then it leaves from rest, q = f (t - v/f)²/2. */
static void throw_at_wall(bool moreau, double h, double *landed, double *released, double *end) {
  const double m = 2, v = 1, f = 0.5, q0 = 0.3, pull[3] = {m * f, 0, 0};
  LawPoint point;
  point_open(&point, "gluey", 3, h, m);
  point.moreau = moreau;
  point.gap = q0;
  point.u[0] = -v;
  *landed = *released = 0;
  while (point.time < 4 - 0.5 * h) {
    const double before = point.state[0];
    point_step(&point, pull);
    if (*landed == 0 && point.u[0] > -1e-3) *landed = point.time;
    if (*landed > 0 && *released == 0 && point.state[0] == 0) *released = point.time;
    /* Slide 57 in each step: q' + gamma = u0 + f t, gamma in N s. */
    const double tilde = m * (-v + f * point.time);
    if (*released == 0 || before < 0) CHECK_NEAR(m * point.u[0] + point.state[0], tilde, 1e-11);
    CHECK(point.state[0] <= 0);
    CHECK(point.gap * -point.state[0] < 0.05 * h * m); /* q gamma = 0 */
  }
  *end = point.gap;
  CHECK_NEAR(point.least, 0, 1e-14);
  CHECK_NEAR(point.dissipated, -point.work, 1e-12);
}

TEST(ball_is_held_for_as_long_as_the_impulse_says) {
  const double lands = (1 - sqrt(1 - 2 * 0.5 * 0.3)) / 0.5, leaves = 1 / 0.5;
  for (int moreau = 0; moreau < 2; moreau++)
    for (int power = -4; power <= -2; power++) {
      const double h = pow(10, power);
      double landed, released, end;
      throw_at_wall(moreau, h, &landed, &released, &end);
      CHECK_NEAR(landed, lands, 2.01 * h);
      CHECK_NEAR(released, leaves, 1.01 * h);
      CHECK_NEAR(end, 0.25 * (4 - leaves) * (4 - leaves), 3 * h);
    }
}

/* Pressed for a time by one force, then pulled by another: the hold lasts impulse / pull, and the
 * step in which gamma comes back gives just the rest of it. */
TEST(step_of_release_is_exact) {
  const double m = 1.5, h = 0.01, press[2] = {-3, 0}, pull[2] = {0.7, 0};
  LawPoint point;
  point_open(&point, "gluey", 2, h, m);
  for (int k = 0; k < 50; k++) point_step(&point, press);
  CHECK_NEAR(point.state[0], -3 * 50 * h, 1e-12);
  const double hold = 3 * 50 * h / 0.7; /* 2.142857 s: within step 215 */
  for (int k = 0; k < 214; k++) point_step(&point, pull);
  CHECK_NEAR(point.u[0], 0, 1e-12);
  CHECK_NEAR(point.gap, 0, 1e-12);
  CHECK(point.state[0] < 0);
  point_step(&point, pull);
  CHECK_NEAR(point.state[0], 0, 0);
  CHECK_NEAR(point.u[0], 0.7 * (215 * h - hold) / m, 1e-12);
  point_step(&point, pull);
  CHECK_NEAR(point.r[0], 0, 0);
}

TEST(glue_has_a_limit) {
  const double h = 0.01, press[2] = {-3, 0}, pull[2] = {1, 0};
  LawPoint point;
  point_open(&point, "gluey", 2, h, 1);
  point_set(&point, "gamma_max", 0.1);
  for (int k = 0; k < 100; k++) point_step(&point, press);
  CHECK_NEAR(point.state[0], -0.1, 0);
  for (int k = 0; k < 20; k++) point_step(&point, pull);
  CHECK_NEAR(point.u[0], 0.2 - 0.1, 1e-12);
}

/* Friction counts what the glue has yet to give: mu (r_N + |gamma|). */
TEST(glue_rubs) {
  const double h = 0.01, press[3] = {-1, 0, 0};
  LawPoint point;
  point_open(&point, "gluey", 3, h, 1);
  point_set(&point, "mu", 0.4);
  for (int k = 0; k < 10; k++) point_step(&point, press);
  const double slide[3] = {-1, 60, 80};
  point_step(&point, slide); /* |gamma| is 0.1, and 0.01 is added: 0.4 * 0.11 against 1 */
  CHECK_NEAR(hypot(point.r[1], point.r[2]), 0.4 * 0.11, 1e-12);
  CHECK_NEAR(point.r[1] / point.r[2], 0.75, 1e-12);
}
