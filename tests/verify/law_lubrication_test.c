/* The film against the ODE of Maury's slide 54, m q'' = -K q'/q + f, and its first integral. */
#include "tests/law_point.h"

#include "base/random.h"

static const double m = 2, K = 0.3, f = -1.5, q0 = 0.2, u0 = -1;

static double rate(double t, double q) { return u0 - K / m * log(q / q0) + f / m * t; }

/* q(t) by Runge and Kutta's method on slide 55's first integral, q' = u0 - K/m ln(q/q0) + f t/m. */
static double exact_gap(double end) {
  const int steps = 200000;
  const double h = end / steps;
  double q = q0;
  for (int i = 0; i < steps; i++) {
    const double t = i * h, a = rate(t, q), b = rate(t + h / 2, q + h / 2 * a),
                 c = rate(t + h / 2, q + h / 2 * b), d = rate(t + h, q + h * c);
    q += h / 6 * (a + 2 * b + 2 * c + d);
  }
  return q;
}

static void open_film(LawPoint *point, bool moreau, double h) {
  point_open(point, "lubrication", 3, h, m);
  point_set(point, "kappa", K);
  point_set(point, "range", 10);
  point_set(point, "cutoff", 1e-9);
  point->moreau = moreau;
  point->gap = q0;
  point->u[0] = u0;
}

/* Error of the gap at t = 1, of the order of h; and m u + K ln q = m u0 + K ln q0 + f t in each
 * step of any length, q the gap of the next step. */
static double film_error(bool moreau, double h) {
  const double load[3] = {f, 0, 0};
  LawPoint point;
  open_film(&point, moreau, h);
  const double start = moreau ? q0 + 0.5 * h * u0 : q0;
  while (point.time < 1 - 0.5 * h) {
    point_step(&point, load);
    const double next = point.gap + (moreau ? 0.5 * h * point.u[0] : 0);
    CHECK(next > 0);
    CHECK_NEAR(m * (point.u[0] - u0) + K * log(next / start), f * point.time, 1e-10);
  }
  CHECK(point.dissipated > 0);
  CHECK_NEAR(point.dissipated, -point.work, 1e-12);
  return point.gap - exact_gap(1);
}

TEST(film_follows_its_ode) {
  for (int moreau = 0; moreau < 2; moreau++) {
    const double wide = film_error(moreau, 1e-2), fine = film_error(moreau, 1e-3);
    const double finest = film_error(moreau, 1e-4);
    CHECK_BELOW(fabs(wide), 2e-2 * q0);
    CHECK_BELOW(fabs(fine), 2e-3 * q0);
    CHECK_BELOW(fabs(finest), 2e-4 * q0);
    CHECK_NEAR(fine / finest, 10, 1);
  }
}

/* However long the step and however hard the push: it closes, monotone, and is neither thrown back
 * nor let through. */
TEST(large_steps_are_stable) {
  for (int power = -3; power <= 3; power++) {
    const double h = pow(10, power);
    LawPoint point;
    open_film(&point, false, h);
    point_set(&point, "cutoff", 1e-12);
    const double load[3] = {-m * fmin(1 / h, 100), 0, 0};
    for (int i = 0; i < 10; i++) {
      const double before = point.gap;
      point_step(&point, load);
      const double noise = 1e-13 * fmax(1, h);
      CHECK(point.gap >= -noise && point.gap <= fmax(0, before) + noise);
      CHECK(point.r[0] > 0);
    }
  }
}

/* Two spheres approach: K = 6 pi eta R² with 1/R = 1/R1 + 1/R2; at constant force without inertia
 * the gap falls as exp(-F t/K). */
TEST(film_drains_exponentially) {
  const double eta = 3, radius = 0.02, h = 1e-3, load[3] = {-0.5, 0, 0};
  const double six_pi = 18.849555921538759, kappa = six_pi * eta * radius * radius;
  LawPoint point;
  point_open(&point, "lubrication", 3, h, 1e-9);
  point_set(&point, "viscosity", eta);
  point_set(&point, "cutoff", 1e-9);
  point.contact.radius = radius;
  point.gap = 5e-4;
  for (int i = 0; i < 200; i++) point_step(&point, load);
  CHECK_NEAR(log(point.gap / 5e-4), -0.5 * 0.2 / kappa, 1e-6);
}

/* Below the cut-off the film has a constant coefficient, K/cutoff, and ends on the solid, which has
 * friction; pulled, it holds back by the same viscosity. */
TEST(solids_meet_below_the_cutoff) {
  const double press[3] = {-5, 1.9, 0}, pull[3] = {5, 0, 0}, h = 1e-3;
  LawPoint point;
  point_open(&point, "lubrication", 3, h, 1e-6);
  point_set(&point, "kappa", 1e-2);
  point_set(&point, "cutoff", 1e-4);
  point_set(&point, "mu", 0.4);
  point.gap = 1e-4;
  point_step(&point, press);
  CHECK_NEAR(point.u[0], -5 * 1e-4 / 1e-2, 1e-5);
  CHECK_NEAR(point.r[1], 0, 0);
  for (int i = 0; i < 10; i++) point_step(&point, press);
  CHECK_NEAR(point.gap, 0, 1e-15);
  CHECK_NEAR(point.r[0], h * 5, 1e-12);
  point.u[1] = 0;
  point_step(&point, press);
  CHECK_NEAR(point.r[1], -h * 1.9, 1e-12); /* below 0.4 * 5 */
  point_step(&point, pull);
  CHECK_NEAR(point.u[0], 5 * 1e-4 / 1e-2, 1e-5);
}

/* Nothing beyond the range; a body that comes in from outside meets the film from there on. */
TEST(film_begins_at_its_range) {
  const double none[3] = {0};
  LawPoint point;
  point_open(&point, "lubrication", 3, 1e-3, 1);
  point_set(&point, "kappa", 0.5);
  point_set(&point, "range", 1e-2);
  point.gap = 0.02;
  point.u[0] = -1;
  while (point.gap > 0.0105) point_step(&point, none);
  CHECK_NEAR(point.u[0], -1, 1e-14);
  for (int i = 0; i < 5; i++) point_step(&point, none);
  CHECK_NEAR(point.u[0], -1 - 0.5 * log(point.gap / 1e-2), 1e-12);
}

TEST(own_relation_is_sound) {
  DlsRandom random;
  int checked = 0;
  dls_random_seed(&random, 8);
  for (int trial = 0; trial < 2000; trial++) {
    LawPoint point;
    point_open(&point, "lubrication", 3, 1e-2, 1);
    point_set(&point, "kappa", 0.5);
    point_set(&point, "cutoff", 3e-3);
    point_set(&point, "range", 1.5e-2);
    point_set(&point, "mu", 0.4);
    point.contact.gap = dls_random_between(&random, -5e-3, 2e-2);
    point.contact.gap_rate = fmax(0, point.contact.gap / 1e-2);
    point.contact.mass = 0.8;
    checked += point_check_own_anywhere(&point, &random);
  }
  CHECK(checked > 20000);
}
