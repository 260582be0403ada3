/* The brittle bond: its envelope by loading along every direction, what is left when it is broken,
 * which contacts are bonded. */
#include "tests/law_point.h"

#include "base/random.h"

static const double area = 0.02, tension = 1e5, h = 1e-3;
static const double pi = 3.14159265358979323846;

static void open_bond(LawPoint *point, double cohesion, double mu) {
  point_open(point, "mohr-coulomb", 3, h, 1);
  point_set(point, "area", area);
  point_set(point, "tension", tension);
  point_set(point, "cohesion", cohesion);
  point_set(point, "mu", mu);
}

/* The load factor at which the envelope is reached along (cos a, sin a), angle from the pull. */
static double envelope(double cohesion, double mu, double angle) {
  const double pull = cos(angle), shear = sin(angle);
  double least = INFINITY;
  if (pull > 0) least = area * tension / pull;
  /* shear f = C - mu pull f */
  if (shear + mu * pull > 0) least = fmin(least, area * cohesion / (shear + mu * pull));
  return least;
}

static bool breaks(double cohesion, double mu, double angle, double load) {
  LawPoint point;
  open_bond(&point, cohesion, mu);
  const double turn = 0.7, shear = load * sin(angle);
  const double force[3] = {load * cos(angle), shear * cos(turn), shear * sin(turn)};
  for (int k = 0; k < 5; k++) point_step(&point, force);
  return point.state[0] != 0;
}

TEST(envelope_is_mohr_and_coulombs) {
  const double cohesions[] = {2e5, 1e5, 0.3e5}, mus[] = {0.6, 0, 0.9};
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 36; i++) {
      const double angle = pi * (i + 0.5) / 36;
      const double load = envelope(cohesions[k], mus[k], angle);
      if (!isfinite(load)) {
        CHECK(!breaks(cohesions[k], mus[k], angle, 1e9));
        continue;
      }
      CHECK(!breaks(cohesions[k], mus[k], angle, 0.999 * load));
      CHECK(breaks(cohesions[k], mus[k], angle, 1.001 * load));
    }
}

/* A bond held for long does not move; broken by shear under pressure, mu r_N is left. */
TEST(broken_bond_is_dry) {
  LawPoint point;
  open_bond(&point, 2e5, 0.6);
  const double pressure = 3e3, limit = area * 2e5 + 0.6 * pressure;
  const double below[3] = {-pressure, 0.99 * limit, 0}, above[3] = {-pressure, 1.01 * limit, 0};
  for (int k = 0; k < 1000; k++) point_step(&point, below);
  CHECK_NEAR(point.u[1], 0, 1e-12);
  CHECK_NEAR(point.r[1], -h * 0.99 * limit, 1e-9);
  CHECK_NEAR(point.state[0], 0, 0);
  point_step(&point, above);
  CHECK_NEAR(point.r[1], -h * limit, 1e-9); /* its strength, once */
  CHECK_NEAR(point.state[0], 1, 0);
  point_step(&point, above);
  CHECK_NEAR(point.r[1], -h * 0.6 * pressure, 1e-9);
  CHECK(point.dissipated > 0);
  CHECK_NEAR(point.dissipated, -point.work, 1e-12);
  const double pull[3] = {10, 0, 0};
  point_step(&point, pull);
  CHECK_NEAR(point.r[0], 0, 0);
}

TEST(contacts_are_bonded_when_found_in_time) {
  const double pull[3] = {100, 0, 0};
  for (int late = 0; late < 2; late++) {
    LawPoint point;
    open_bond(&point, 2e5, 0.6);
    point.time = late ? 0.5 : 0;
    point_step(&point, pull);
    CHECK_NEAR(point.state[0], late, 0);
    CHECK_NEAR(point.u[0], late ? 100 * h : 0, 1e-12);
  }
  LawPoint point;
  open_bond(&point, 2e5, 0.6);
  point_set(&point, "reach", 1e-4);
  point.gap = 0.5e-4; /* bonded across the gap, which stays */
  const double push[3] = {-100, 0, 0};
  for (int k = 0; k < 10; k++) point_step(&point, push);
  CHECK_NEAR(point.state[0], 0, 0);
  CHECK_NEAR(point.gap, 0.5e-4, 1e-15);
}

TEST(own_relation_is_sound) {
  DlsRandom random;
  int checked = 0;
  dls_random_seed(&random, 9);
  for (int trial = 0; trial < 2000; trial++) {
    LawPoint point;
    open_bond(&point, 2e5, trial % 2 ? 0.4 : 0);
    point_set(&point, "area", 2e-3); /* h T = 0.2, h C = 0.4 */
    point.contact.mass = 0.8;
    checked += point_check_own_anywhere(&point, &random);
  }
  CHECK(checked > 20000);
}
