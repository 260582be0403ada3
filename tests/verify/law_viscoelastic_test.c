/* Spring and dashpot against closed forms: restitution, duration of the impact, creep; the law's
 * own relation against the canonical one, its derivatives and its projection. */
#include "tests/law_point.h"

#include "base/random.h"

typedef struct {
  double restitution, time;
} Impact;

static Impact impact(LawPoint *point, double v) {
  const double none[3] = {0}, m = point->mass;
  double pressed = 0;
  point->u[0] = -v;
  do {
    point_step(point, none);
    pressed += point->r[0] > 0 ? point->h : 0;
  } while (point->r[0] > 0 && point->time < 1e4 * point->h);
  CHECK_NEAR(point->dissipated + point->stored, -point->work, 1e-12 * m * v * v);
  CHECK(point->least > -1e-12 * m * v * v);
  return (Impact){point->u[0] / v, pressed};
}

/* The linear oscillator, ended where its force does: omega t* = 2 acos(zeta), e = exp(-beta t*). */
TEST(linear_dashpot_has_the_closed_form) {
  const double m = 0.5, k = 2e4, ratios[] = {0.05, 0.3, 0.8, 1.5};
  for (int i = 0; i < DLS_COUNT(ratios); i++) {
    const double zeta = ratios[i], omega_0 = sqrt(k / m), beta = zeta * omega_0;
    const double y = zeta < 1 ? acos(zeta) : acosh(zeta);
    const double omega = omega_0 * (zeta < 1 ? sin(y) : sinh(y)), T = 2 * y / omega;
    LawPoint point;
    point_open(&point, "viscoelastic", 3, T / 4000, m);
    point_set(&point, "k", k);
    point_set(&point, "damping", 2 * zeta * sqrt(k * m));
    const Impact got = impact(&point, 0.7);
    CHECK_NEAR(got.restitution, exp(-beta * T), 2e-3);
    CHECK_NEAR(got.time, T, 2e-3 * T);
  }
}

/* What is asked for is what comes, at any speed, for any exponent, to the first order of h. */
TEST(restitution_is_the_one_asked_for) {
  const double asked[] = {0.05, 0.3, 0.6, 0.9, 1}, exponents[] = {1, 1.5, 2.5}, m = 0.5, k = 2e6;
  for (int e = 0; e < DLS_COUNT(asked); e++)
    for (int n = 0; n < DLS_COUNT(exponents); n++)
      for (int fast = 0; fast < 2; fast++) {
        const double v = fast ? 1 : 0.01;
        const double power = exponents[n] + 1;
        const double deep = pow(power * m * v * v / (2 * k), 1 / power);
        LawPoint point;
        point_open(&point, "viscoelastic", 3, deep / v / 1000, m);
        point_set(&point, "k", k);
        point_set(&point, "exponent", exponents[n]);
        point_set(&point, "restitution", asked[e]);
        CHECK_NEAR(impact(&point, v).restitution, asked[e], 4e-3);
      }
}

/* Without a dashpot Hertz's impact lasts 3.2180872 (m²/(k² v))^(1/5): law_elastic_test.c derives
 * it. */
TEST(hertz_without_a_dashpot) {
  const double m = 0.5, k = 2e6, v = 0.7, T = 3.2180872 * pow(m * m / (k * k * v), 0.2);
  LawPoint point;
  point_open(&point, "viscoelastic", 3, T / 4000, m);
  point_set(&point, "k", k);
  point_set(&point, "exponent", 1.5);
  const Impact got = impact(&point, v);
  CHECK_NEAR(got.restitution, 1, 2e-3);
  CHECK_NEAR(got.time, T, 1e-3 * T);
}

/* A body at rest under a force: the overlap creeps to f/k as 1 - exp(-k t/g) where mass counts for
 * little. */
TEST(overlap_creeps) {
  const double k = 1e4, g = 2e3, h = 1e-3, load[2] = {-5, 0};
  LawPoint point;
  point_open(&point, "viscoelastic", 2, h, 1e-3);
  point_set(&point, "k", k);
  point_set(&point, "damping", g);
  for (int i = 0; i < 200; i++) point_step(&point, load);
  CHECK_NEAR(-point.gap, 5 / k * (1 - exp(-k * 0.2 / g)), 2e-3 * 5 / k);
  for (int i = 0; i < 3000; i++) point_step(&point, load);
  CHECK_NEAR(-point.gap, 5 / k, 1e-6 * 5 / k);
}

/* Any step: never thrown out faster than it came, never pulled. */
TEST(large_steps_lose_energy) {
  for (int power = -5; power <= 2; power++) {
    const double h = pow(10, power);
    LawPoint point;
    point_open(&point, "viscoelastic", 3, h, 0.5);
    point_set(&point, "k", 2e6);
    point_set(&point, "exponent", 1.5);
    point_set(&point, "restitution", 0.8);
    const Impact got = impact(&point, 0.7);
    CHECK(got.restitution >= 0 && got.restitution <= 1);
  }
}

/* A body thrown along and pressed: friction of Coulomb, in both relations. */
TEST(friction_slides) {
  for (int hertz = 0; hertz < 2; hertz++) {
    const double m = 2, load[3] = {-20, 0, 0}, h = 1e-3;
    LawPoint point;
    point_open(&point, "viscoelastic", 3, h, m);
    point_set(&point, "exponent", hertz ? 1.5 : 1);
    point_set(&point, "restitution", 0.3);
    point_set(&point, "mu", 0.4);
    point.gap = hertz ? -pow(20 / 1e5, 2.0 / 3) : -20 / 1e5;
    point.u[1] = 3;
    point.u[2] = 4;
    for (int i = 0; i < 100; i++) point_step(&point, load);
    CHECK_NEAR(hypot(point.u[1], point.u[2]), 5 - 0.4 * 20 / m * 0.1, 1e-9);
    CHECK_NEAR(point.u[2] / point.u[1], 4.0 / 3, 1e-9);
  }
}

/* Between two bodies that are fixed there is no mass, and no dashpot. */
TEST(nothing_moves_without_a_mass) {
  LawPoint point;
  DlsRelation relation;
  point_open(&point, "viscoelastic", 3, 1e-3, 1);
  point_set(&point, "restitution", 0.5);
  const DlsLawUse use = {.law = point.law, .kinematics = &point.contact, .params = point.params};
  CHECK_OK(dls_law_prepare(&use, &relation));
  CHECK_NEAR(relation.C[0], 1 / (1e-6 * 1e5), 1e-15);
}

TEST(own_relation_is_sound) {
  DlsRandom random;
  int checked = 0;
  dls_random_seed(&random, 7);
  for (int trial = 0; trial < 2000; trial++) {
    LawPoint point;
    point_open(&point, "viscoelastic", 3, 1e-2, 1);
    point_set(&point, "k", 1e4);
    point_set(&point, "exponent", 1.5);
    point_set(&point, "damping", trial % 2 ? 50 : 0);
    point_set(&point, "mu", 0.4);
    point.contact.gap = dls_random_between(&random, -2e-2, 1e-2);
    point.contact.mass = 0.8;
    checked += point_check_own_anywhere(&point, &random);
  }
  CHECK(checked > 20000);
}
