/* Elastic contact against closed forms: overlap at rest, period, energy, Hertz's impact, friction
 * with a spring; large steps; the law's own relation against its derivatives and its projection. */
#include "tests/law_point.h"

#include "base/random.h"

static const double pi = 3.14159265358979323846;

/* At rest k x^n = m g, after steps that are as large as they like. */
TEST(overlap_at_rest) {
  const double exponents[] = {1, 1.5, 2}, m = 2, weight[3] = {-2 * 9.81, 0, 0};
  for (int e = 0; e < DLS_COUNT(exponents); e++)
    for (int power = -2; power <= 2; power += 2) {
      const double h = pow(10, power);
      LawPoint point;
      point_open(&point, "elastic", 3, h, m);
      point_set(&point, "k", 1e4);
      point_set(&point, "exponent", exponents[e]);
      const int steps = h < 0.1 ? 5000 : 200;
      for (int k = 0; k < steps; k++) point_step(&point, weight);
      const double rest = pow(m * 9.81 / 1e4, 1 / exponents[e]);
      CHECK_NEAR(-point.gap, rest, 1e-4 * rest);
      CHECK_NEAR(point.r[0], h * m * 9.81, 1e-3 * h * m * 9.81);
      CHECK_NEAR(point.stored, 1e4 * pow(rest, exponents[e] + 1) / (exponents[e] + 1),
                 1e-3 * m * 9.81 * rest);
      CHECK_NEAR(point.dissipated + point.stored, -point.work, 1e-9 * fabs(point.work) + 1e-15);
    }
}

/* A mass that never lifts off swings with 2 pi sqrt(m/k), and `midpoint` keeps its energy. */
TEST(swing_has_the_period_of_its_spring) {
  const double m = 2, k = 1e4, rest = m * 9.81 / k, weight[2] = {-m * 9.81, 0};
  LawPoint point;
  point_open(&point, "elastic", 2, 2e-4, m);
  point_set(&point, "k", k);
  point_set(&point, "midpoint", 1);
  point.moreau = true;
  point.gap = -1.5 * rest;
  double last = 0, first = 0, highest = -INFINITY;
  int periods = 0;
  while (periods < 6) {
    const double before = point.u[0];
    point_step(&point, weight);
    highest = fmax(highest, point.gap);
    if (!(before > 0 && point.u[0] <= 0)) continue;
    last = point.time - point.h * point.u[0] / (point.u[0] - before);
    if (periods++ == 0) first = last;
  }
  CHECK_NEAR((last - first) / 5, 2 * pi * sqrt(m / k), 1e-3 * 2 * pi * sqrt(m / k));
  CHECK_NEAR(highest, -0.5 * rest, 1e-3 * rest);
  const double total = point.stored + m * 9.81 * point.gap + 0.5 * m * point.u[0] * point.u[0];
  CHECK_NEAR(total, 0.5 * k * 2.25 * rest * rest - m * 9.81 * 1.5 * rest, 1e-9);
}

/* T = 2 ∫ dx / v from 0 to x_m, v² = v0² - 2 k x^(n+1) / (m (n+1)); with s = x/x_m
 *   T = 2 x_m / v0 ∫ ds / sqrt(1 - s^(n+1)),   x_m^(n+1) = (n+1) m v0² / (2 k).
 * n = 1: pi sqrt(m/k). n = 3/2: the integral is sqrt(pi) Gamma(7/5) / Gamma(9/10) = 1.4716377,
 * hence T = 2.9432755 (5/4)^(2/5) (m²/(k² v0))^(1/5) = 3.2180872 (m²/(k² v0))^(1/5). */
static double impact_time(double n, double m, double k, double v, double *deepest) {
  const double integral = sqrt(pi) * tgamma(1 + 1 / (n + 1)) / tgamma(0.5 + 1 / (n + 1));
  *deepest = pow((n + 1) * m * v * v / (2 * k), 1 / (n + 1));
  return 2 * *deepest / v * integral;
}

TEST(hertz_has_the_constant_of_the_books) {
  double deepest;
  CHECK_NEAR(impact_time(1.5, 1, 1, 1, &deepest), 2.9432755 * pow(1.25, 0.4), 1e-6);
  CHECK_NEAR(impact_time(1, 2, 50, 3, &deepest), pi * sqrt(2.0 / 50), 1e-12);
}

typedef struct {
  double time, deepest, speed, energy;
} Impact;

static Impact impact(double n, bool keep, double h, double m, double k, double v) {
  const double none[3] = {0};
  LawPoint point;
  Impact out = {0};
  point_open(&point, "elastic", 3, h, m);
  point_set(&point, "k", k);
  point_set(&point, "exponent", n);
  point_set(&point, "midpoint", keep);
  point.moreau = keep;
  point.u[0] = -v;
  double pressed = 0;
  do {
    point_step(&point, none);
    out.deepest = fmax(out.deepest, -point.gap);
    out.energy = fmax(out.energy, point.stored);
    pressed += point.r[0] > 0 ? h : 0;
  } while (point.gap < 0);
  out.time = pressed;
  out.speed = point.u[0];
  CHECK_NEAR(point.dissipated + point.stored, -point.work, 1e-12 * m * v * v);
  CHECK(point.least > -1e-12 * m * v * v);
  return out;
}

TEST(impact_lasts_as_long_as_hertz_says) {
  const double m = 0.5, k = 2e6, v = 0.7, exponents[] = {1, 1.5};
  for (int e = 0; e < 2; e++) {
    double deepest;
    const double T = impact_time(exponents[e], m, k, v, &deepest);
    for (int keep = 0; keep < 2; keep++) {
      const double h = T / 2000;
      const Impact got = impact(exponents[e], keep, h, m, k, v);
      CHECK_NEAR(got.time, T, 2e-3 * T);
      CHECK_NEAR(got.deepest, deepest, 2e-3 * deepest);
      CHECK_NEAR(got.energy, 0.5 * m * v * v, (keep ? 1e-5 : 5e-3) * 0.5 * m * v * v);
      CHECK_NEAR(got.speed, v, (keep ? 1e-5 : 5e-3) * v);
    }
  }
}

/* Implicit: a step of a hundred impact times neither throws the body out nor lets it through. */
TEST(large_steps_lose_energy) {
  for (int power = -3; power <= 2; power++) {
    const Impact got = impact(1.5, false, pow(10, power), 0.5, 2e6, 0.7);
    CHECK(got.speed >= 0 && got.speed <= 0.7);
  }
}

/* Pushed along by f: while k_t holds, the spring has f/k_t; beyond mu r_N it slips. */
TEST(spring_then_slider) {
  const double m = 1, h = 1e-2, load[3] = {-10, 2, 0}, over[3] = {-10, 3, 4};
  for (int hertz = 0; hertz < 2; hertz++) {
    LawPoint point;
    point_open(&point, "elastic", 3, h, m);
    point_set(&point, "k", 1e5);
    point_set(&point, "exponent", hertz ? 1.5 : 1);
    point_set(&point, "mu", 0.3);
    point_set(&point, "k_t", 4e4);
    for (int k = 0; k < 2000; k++) point_step(&point, load);
    CHECK_NEAR(point.u[1], 0, 1e-9);
    CHECK_NEAR(point.state[1], 2 / 4e4, 1e-9); /* t1 is x */
    CHECK_NEAR(point.r[1], -h * 2, 1e-7);
    CHECK_NEAR(point.stored, (hertz ? 0.4 : 0.5) * 10 * -point.gap + 0.5 * 4 / 4e4, 1e-7);
    for (int k = 0; k < 2000; k++) point_step(&point, over);
    CHECK_NEAR(hypot(point.r[1], point.r[2]), h * 0.3 * 10, 1e-7);
    CHECK_NEAR(point.r[2] / point.r[1], 4.0 / 3, 0.02);
    CHECK_NEAR(point.dissipated + point.stored, -point.work, 1e-9);
    CHECK(point.dissipated > 0);
  }
}

/* The law's own relation at n = 1 is the canonical one: the same numbers by two roads. */
TEST(own_relation_meets_the_canonical_one) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int trial = 0; trial < 500; trial++) {
    LawPoint point;
    point_open(&point, "elastic", 3, 1e-3, 1);
    point_set(&point, "k", pow(10, dls_random_between(&random, 2, 9)));
    point_set(&point, "mu", 0.5);
    point_set(&point, "k_t", trial % 2 ? 1e5 : 0);
    LawPoint twin = point;
    point_set(&twin, "exponent", 1 + 1e-13);
    point.gap = twin.gap = dls_random_between(&random, -1e-3, 1e-3);
    double load[3];
    for (int i = 0; i < 3; i++) load[i] = 1e3 * dls_random_between(&random, -1, 1);
    point_step(&point, load);
    point_step(&twin, load);
    for (int i = 0; i < 3; i++) CHECK_NEAR(point.r[i], twin.r[i], 1e-9);
  }
}

TEST(own_relation_is_sound) {
  DlsRandom random;
  int checked = 0;
  dls_random_seed(&random, 6);
  for (int trial = 0; trial < 2000; trial++) {
    LawPoint point;
    point_open(&point, "elastic", 3, 1e-2, 1);
    point_set(&point, "k", 1e4);
    point_set(&point, "exponent", trial % 2 ? 1.5 : 1);
    point_set(&point, "midpoint", trial % 4 < 2 || trial % 2 == 0);
    point_set(&point, "mu", 0.4);
    point_set(&point, "k_t", trial % 3 ? 3e4 : 0);
    point.contact.gap = dls_random_between(&random, -2e-2, 1e-2);
    point.contact.mass = 0.8;
    double u[3], r[3];
    for (int i = 0; i < 3; i++) {
      point.contact.u_before[i] = dls_random_between(&random, -1, 1);
      u[i] = dls_random_between(&random, -1, 1);
      r[i] = dls_random_between(&random, -1, 1);
    }
    checked += point_check_own(&point, u, r);
  }
  CHECK(checked > 20000);
}

/* The explicit scheme at a small step: the same impact. */
TEST(explicit_force_is_the_same_spring) {
  LawPoint point;
  const double m = 0.5, k = 2e6, v = 0.7;
  double deepest, force[3], most = 0;
  const double T = impact_time(1.5, m, k, v, &deepest), h = T / 5000;
  point_open(&point, "elastic", 3, h, m);
  point_set(&point, "k", k);
  point_set(&point, "exponent", 1.5);
  point.u[0] = -v;
  do {
    point.contact.gap = point.gap;
    CHECK_OK(point.law->force(&point.contact, point.params, point.state, point.u, force));
    point.u[0] += h * force[0] / m;
    point.gap += h * point.u[0];
    point.time += h;
    most = fmax(most, -point.gap);
  } while (point.gap < 0);
  CHECK_NEAR(point.time, T, 2e-3 * T);
  CHECK_NEAR(most, deepest, 1e-3 * deepest);
  /* Friction of the rigid tangent: the slip of a sphere, 2/7 m, stops within the step or slides. */
  point_set(&point, "mu", 0.5);
  point.contact.gap = -deepest;
  point.contact.mass = m;
  const double slow[3] = {0, 1e-6, 0}, fast[3] = {0, 3, 4};
  CHECK_OK(point.law->force(&point.contact, point.params, point.state, slow, force));
  CHECK_NEAR(force[1], -2.0 / 7 * m * 1e-6 / h, 1e-12);
  CHECK_OK(point.law->force(&point.contact, point.params, point.state, fast, force));
  CHECK_NEAR(hypot(force[1], force[2]), 0.5 * force[0], 1e-9 * force[0]);
}
