/* Rate-and-state friction against the closed forms of a velocity step (Ruina 1983): sliding
 * steadily at v1, then at v2, the coefficient jumps by a ln(v2/v1) and comes to (a - b) ln(v2/v1)
 * over the slip distance D_c. */
#include "tests/law_point.h"

#include <math.h>

static const double a = 0.01, b = 0.015, D_c = 1e-5, v_0 = 1e-6, v_min = 1e-9, mu_0 = 0.6;
static const double load = 3; /* N */

/* A machine so heavy that friction does not slow it. */
static void open_slider(LawPoint *point, double slip_law, double v) {
  point_open(point, "rate-and-state", 3, 1e-2, 1e18);
  point_set(point, "slip", slip_law);
  point->u[1] = v;
}

/* Slides one step at v in the direction of (3, 4) and returns r_T / r_N. */
static double slide(LawPoint *point, double v) {
  const double push[3] = {-load, 0, 0};
  point->u[0] = 0;
  point->u[1] = 0.6 * v;
  point->u[2] = 0.8 * v;
  point_step(point, push);
  CHECK_NEAR(point->r[0], load * point->h, 1e-9 * load * point->h);
  CHECK_NEAR(point->r[1] * 0.8, point->r[2] * 0.6, 1e-12 * load * point->h);
  return hypot(point->r[1], point->r[2]) / point->r[0];
}

static double steady(double v) { return mu_0 + a * log((v + v_min) / v_0) + b * log(v_0 / v); }

TEST(steady_sliding_weakens_with_speed) {
  const double speeds[] = {1e-7, 1e-6, 1e-5, 1e-4};
  for (int law = 0; law < 2; law++)
    for (int k = 0; k < DLS_COUNT(speeds); k++) {
      LawPoint point;
      double mu = 0;
      open_slider(&point, law, speeds[k]);
      point.h = point.contact.h = 0.1 * D_c / speeds[k];
      for (int i = 0; i < 1000; i++) mu = slide(&point, speeds[k]);
      CHECK_NEAR(mu, steady(speeds[k]), 1e-9);
    }
}

/* Both laws of evolution are integrated exactly at constant speed: no error of the step. */
TEST(velocity_step_follows_the_closed_form) {
  const double v1 = 1e-6, v2 = 1e-5;
  for (int law = 0; law < 2; law++) {
    LawPoint point;
    open_slider(&point, law, v1);
    CHECK_NEAR(slide(&point, v1), steady(v1), 1e-9); /* a contact begins steady at v_0 = v1 */
    double slip = 0;
    for (int i = 0; i < 400; i++) {
      const double left = exp(-slip / D_c);
      const double age =
          law ? D_c / v2 * pow(v2 / v1, left) : D_c / v2 + (D_c / v1 - D_c / v2) * left;
      const double mu = mu_0 + a * log((v2 + v_min) / v_0) + b * log(age * v_0 / D_c);
      CHECK_NEAR(slide(&point, v2), mu, 1e-9);
      if (i == 0) CHECK_NEAR(mu - steady(v1), a * log((v2 + v_min) / (v1 + v_min)), 1e-12);
      slip += v2 * point.h;
    }
    CHECK(slip > 3 * D_c);
  }
}

/* At rest the aging law heals by the logarithm of time, the slip law does not. */
TEST(healing_at_rest) {
  for (int law = 0; law < 2; law++) {
    LawPoint point;
    open_slider(&point, law, 1e-6);
    slide(&point, 1e-6);
    const double before = slide(&point, 1e-6);
    for (int i = 0; i < 100000; i++) slide(&point, 0);
    const double age = D_c / v_0 + 1e5 * point.h;
    const double after = slide(&point, 1e-6);
    CHECK_NEAR(after - before, law ? 0 : b * log(age * v_0 / D_c), 1e-6);
  }
}

/* A block pulled by a soft spring at a constant speed: b > a slides by jerks below the critical
 * stiffness (b - a) N / D_c, and steadily well above it. */
static double greatest_jerk(double stiffness) {
  LawPoint point;
  const double v = 1e-5, mass = 1e-3;
  point_open(&point, "rate-and-state", 2, 2e-3, mass);
  double x = 0, fastest = 0, pull = steady(v) * load / stiffness; /* the spring, drawn */
  point.u[1] = v;
  for (int i = 0; i < 15000; i++) {
    const double force[2] = {-load, stiffness * (pull + v * point.time - x)};
    point_step(&point, force);
    x += point.h * point.u[1];
    if (i > 5000) fastest = fmax(fastest, point.u[1]);
  }
  return fastest / v;
}

TEST(stick_slip_below_the_critical_stiffness) {
  const double critical = (b - a) * load / D_c;
  CHECK(greatest_jerk(0.3 * critical) > 10);
  CHECK(greatest_jerk(3 * critical) < 1.1);
}
