/* Laws of the jump form that remember: Walton and Braun's springs, and spheres of Johnson, Kendall
 * and Roberts, against closed forms. */
#include "tests/law_point.h"

#include <math.h>

/* A ball of mass m that meets the contact at speed v leaves with sqrt(k1/k2) v: half of m v² is k1
 * X²/2 of loading and k2 (X - x0)²/2 of unloading, X - x0 = X k1/k2. */
TEST(restitution_is_the_root_of_the_stiffnesses) {
  const double ratios[] = {1, 1.5, 4, 25};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(ratios); k++) {
      LawPoint point;
      const double k1 = 1e4, mass = 0.1, v = 0.3, T = M_PI * sqrt(mass / k1);
      point_open(&point, "walton-braun", dim, T / 20000, mass);
      point_set(&point, "k1", k1);
      point_set(&point, "k2", ratios[k] * k1);
      const double none[DLS_MAX_BLOCK] = {0};
      point.u[0] = -v;
      for (int i = 0; i < 40000; i++) point_step(&point, none);
      CHECK_NEAR(point.r[0], 0, 0); /* apart, above the dent that is left */
      CHECK_NEAR(point.u[0] / v, sqrt(1 / ratios[k]), 1e-3);
    }
}

/* The loop, driven by a heavy machine: up to X, down along k2, through the pull -kc x. */
TEST(loading_unloading_and_pull_follow_their_branches) {
  LawPoint point;
  const double k1 = 1e4, k2 = 5e4, kc = 2e4, X = 1e-3, h = 1e-3;
  const int steps = 1000;
  point_open(&point, "walton-braun", 3, h, 1e15);
  point_set(&point, "k1", k1);
  point_set(&point, "k2", k2);
  point_set(&point, "kc", kc);
  const double none[DLS_MAX_BLOCK] = {0}, rest = (1 - k1 / k2) * X;
  for (int i = 1; i <= 2 * steps; i++) {
    memset(point.u, 0, sizeof point.u);
    point.u[0] = (i <= steps ? -1 : 1) * X / (h * steps);
    point_step(&point, none);
    const double x = -point.gap, down = k2 * (x - rest);
    const double force = i <= steps ? k1 * x : down >= -kc * x ? down : -kc * x;
    if (x > 1e-9) CHECK_NEAR(point.r[0] / h, force, 1e-6 * k1 * X);
  }
}

/* Pulled apart slowly: 3/2 pi w R at most, and nothing beyond 3 (pi w / 8 E)^(2/3) R^(1/3). */
TEST(spheres_of_jkr_hold_until_their_gap) {
  const double w = 0.05, E = 1e7, radii[] = {1e-4, 1e-3, 1e-2};
  for (int k = 0; k < DLS_COUNT(radii); k++) {
    LawPoint point;
    const double R = radii[k], h = 1e-3, none[DLS_MAX_BLOCK] = {0};
    const double last = 3 * pow(M_PI * w / (8 * E), 2.0 / 3) * cbrt(R);
    double most = 0, broke = 0;
    point_open(&point, "jkr", 3, h, 1e15);
    point.contact.radius = R;
    for (int i = 0; i < 4000; i++) {
      memset(point.u, 0, sizeof point.u);
      point.u[0] = last / (2000 * h);
      point_step(&point, none);
      most = fmax(most, -point.r[0] / h);
      if (point.r[0] < 0) broke = point.gap;
    }
    CHECK_NEAR(most, 1.5 * M_PI * w * R, 1e-3 * most);
    CHECK_NEAR(broke, last, 2e-3 * last);
    CHECK_NEAR(point.r[0], 0, 0);
  }
}
