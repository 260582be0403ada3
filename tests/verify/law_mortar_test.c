/* The cohesive joint: fracture energies in both modes and mixed, strengths, unloading, friction
 * that comes with damage, steps too large for it. */
#include "tests/law_point.h"

#include "base/random.h"

static const double pi = 3.14159265358979323846;
static const double area = 0.01, k_n = 1e10, f_t = 2e5, c = 3e5, G_I = 20, G_II = 100;

static void open_joint(LawPoint *point, double h, double mass) {
  point_open(point, "mortar", 3, h, mass);
  point_set(point, "area", area);
  CHECK_NEAR(point->params[2], f_t, 0); /* the defaults are those above */
  CHECK_NEAR(point->params[5], G_II, 0);
}

/* Pulled at a constant velocity by a body that nothing slows: work of the joint by mode, J. */
typedef struct {
  double normal, tangent, peak_normal, peak_tangent, damage;
} Pull;

static Pull pull_apart(double angle, double speed, double h, double length) {
  const double none[3] = {0}, turn = 0.4;
  LawPoint point;
  Pull out = {0};
  open_joint(&point, h, 1e12); /* kg */
  point.u[0] = speed * cos(angle);
  point.u[1] = speed * sin(angle) * cos(turn);
  point.u[2] = speed * sin(angle) * sin(turn);
  while (point.time * speed < length) {
    point_step(&point, none);
    const double shear = hypot(point.r[1], point.r[2]);
    out.normal -= point.r[0] * point.u[0];
    out.tangent -= point.r[1] * point.u[1] + point.r[2] * point.u[2];
    out.peak_normal = fmax(out.peak_normal, -point.r[0] / h);
    out.peak_tangent = fmax(out.peak_tangent, shear / h);
    CHECK(point.state[0] >= out.damage); /* never heals */
    out.damage = point.state[0];
  }
  CHECK_NEAR(point.dissipated, -point.work, 1e-9); /* nothing is stored any more */
  CHECK_NEAR(point.stored, 0, 0);
  return out;
}

TEST(fracture_energies_of_both_modes) {
  const Pull one = pull_apart(0, 0.01, 2e-5, 1.1 * 2 * G_I / f_t);
  CHECK_NEAR(one.damage, 1, 0);
  CHECK_NEAR(one.normal, area * G_I, 0.01 * area * G_I);
  CHECK_NEAR(one.peak_normal, area * f_t, 0.01 * area * f_t);
  CHECK_NEAR(one.tangent, 0, 1e-15);
  const Pull two = pull_apart(0.5 * pi, 0.01, 5e-5, 1.1 * 2 * G_II / c);
  CHECK_NEAR(two.damage, 1, 0);
  CHECK_NEAR(two.tangent, area * G_II, 0.01 * area * G_II);
  CHECK_NEAR(two.peak_tangent, area * c, 0.01 * area * c);
}

/* Without `area` the contact's own counts; only where that is not known the reduced radius. */
TEST(the_area_of_the_contact_is_that_of_the_joint) {
  const double none[3] = {0},
               cases[3][3] = {{2e-3, 0, 2e-3}, {2e-3, 0.1, 2e-3}, {0, 0.1, 0.01 * pi}};
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    LawPoint point;
    double peak = 0;
    point_open(&point, "mortar", 3, 1e-4, 1e12);
    point.contact.area = cases[k][0];
    point.contact.radius = cases[k][1];
    point.u[0] = 0.01;
    while (point.time * 0.01 < 1.1 * 2 * G_I / f_t) {
      point_step(&point, none);
      peak = fmax(peak, -point.r[0] / 1e-4);
    }
    CHECK_NEAR(peak, cases[k][2] * f_t, 0.02 * cases[k][2] * f_t);
  }
}

/* Mixed: W_I/G_I + W_II/G_II = 1 along any constant direction. */
TEST(modes_mix) {
  for (int i = 1; i < 8; i++) {
    const Pull mixed = pull_apart(0.5 * pi * i / 8, 0.01, 2e-5, 1.1 * 2 * G_II / c);
    CHECK_NEAR(mixed.damage, 1, 0);
    CHECK_NEAR((mixed.normal / G_I + mixed.tangent / G_II) / area, 1, 0.01);
    CHECK(mixed.normal > 0 && mixed.tangent > 0);
  }
}

/* The error is of the first order in the step, and a step beyond the end of the joint meets its
 * strength, not its stiffness. */
TEST(energy_converges_and_large_steps_are_bounded) {
  const double length = 1.1 * 2 * G_I / f_t;
  const double wide = pull_apart(0, 0.01, 4e-4, length).normal / area - G_I;
  const double fine = pull_apart(0, 0.01, 4e-5, length).normal / area - G_I;
  CHECK_NEAR(wide / fine, 10, 3);
  for (int power = -3; power <= 2; power++) {
    const double h = pow(10, power);
    const Pull got = pull_apart(0.3, 1, h, 1.5 * h);
    CHECK(got.peak_normal <= area * f_t * (1 + 1e-9));
    CHECK(got.peak_tangent <= area * c * (1 + 1e-9));
    CHECK_NEAR(got.damage, 1, 0);
  }
}

/* Half way through the softening the joint is let go: it closes along the secant, gives back what
 * it stored, and loads again to the same point. */
TEST(unloading_goes_to_the_origin) {
  const double none[3] = {0}, end = 2 * G_I / f_t, half = 0.5 * end, h = 2e-5;
  LawPoint point;
  open_joint(&point, h, 1e12);
  point.u[0] = 0.01;
  while (point.state[1] < half) point_step(&point, none);
  const double damage = point.state[0], top = point.r[0];
  const double s = half * k_n / f_t, S = 2 * G_I * k_n / (f_t * f_t);
  CHECK_NEAR(damage, S * (s - 1) / (s * (S - 1)), 1e-3);
  CHECK_NEAR(-top / h, area * f_t * (S - s) / (S - 1), 0.01 * area * f_t);
  CHECK_NEAR(point.stored, 0.5 * area * (1 - damage) * k_n * half * half, 2e-3 * area * G_I);
  point.u[0] = -0.01;
  while (point.state[1] > 0.5 * half) point_step(&point, none);
  CHECK_NEAR(point.r[0], 0.5 * top, 0.01 * fabs(top));
  CHECK_NEAR(point.state[0], damage, 0);
  CHECK(point.least > -1e-12);
}

/* Pressed and sheared: cohesion first, and mu times the pressure when it is gone. */
TEST(friction_comes_with_damage) {
  const double pressure = 1e3, press[3] = {-pressure, 0, 0}, h = 5e-5;
  LawPoint point;
  open_joint(&point, h, 1e6);
  for (int k = 0; k < 10; k++) point_step(&point, press);
  CHECK_NEAR(point.r[0], h * pressure, 1e-9);
  CHECK_NEAR(point.state[0], 0, 0);
  double work = 0, rubbed = 0, most = 0;
  point.u[1] = 0.01;
  while (point.state[0] < 1 && point.time < 10) {
    const double damage = point.state[0];
    point_step(&point, press);
    work -= point.r[1] * point.u[1];
    rubbed += 0.7 * damage * pressure * h * point.u[1];
    most = fmax(most, -point.r[1] / h);
  }
  CHECK_NEAR(point.state[0], 1, 0);
  CHECK_NEAR(work - rubbed, area * G_II, 0.01 * area * G_II);
  CHECK(most > area * c && most < area * c + 0.7 * pressure);
  for (int k = 0; k < 10; k++) point_step(&point, press);
  CHECK_NEAR(point.r[1], -h * 0.7 * pressure, 1e-9);
  const double lift[3] = {1e9, 0, 0};
  point_step(&point, lift);
  CHECK_NEAR(point.r[0], 0, 0);
}

/* A hanging block: held by less than the strength, however long the step. */
TEST(joint_carries_what_it_should) {
  for (int power = -5; power <= -1; power += 2)
    for (int over = 0; over < 2; over++) {
      const double h = pow(10, power);
      const double load[3] = {(over ? 1.02 : 0.48) * area * f_t, 0, 0};
      LawPoint point;
      open_joint(&point, h, 100);
      for (int k = 0; k < 2000 && point.state[0] < 1; k++) point_step(&point, load);
      CHECK_NEAR(point.state[0] < 1, !over, 0);
      if (!over) CHECK_NEAR(point.state[0], 0, 0);
    }
}

TEST(contacts_found_later_have_no_mortar) {
  const double pull[3] = {100, 0, 0};
  LawPoint point;
  open_joint(&point, 1e-3, 1);
  point.time = 1;
  point_step(&point, pull);
  CHECK_NEAR(point.r[0], 0, 0);
  CHECK_NEAR(point.state[0], 1, 0);
}

TEST(own_relation_is_sound) {
  DlsRandom random;
  int checked = 0;
  dls_random_seed(&random, 10);
  for (int trial = 0; trial < 2000; trial++) {
    LawPoint point;
    open_joint(&point, 1e-2, 1);
    point_set(&point, "area", 1e-4);
    point_set(&point, "k_n", 1e7);
    point_set(&point, "k_t", 1e7);
    point_set(&point, "f_t", 3e5);
    point_set(&point, "G_I", 2e4);
    point_set(&point, "G_II", 2e4);
    point.contact.mass = 0.8;
    point.state[0] = trial % 3 ? dls_random_between(&random, 0, 1) : 0;
    point.state[1] = trial % 2 ? dls_random_between(&random, 0, 1e-2) : 0;
    for (int e = 0; e < 3; e++) point.state[2 + e] = dls_random_between(&random, -1e-2, 1e-2);
    checked += point_check_own_anywhere(&point, &random);
  }
  CHECK(checked > 20000);
}
