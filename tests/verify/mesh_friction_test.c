/* Friction on surfaces of meshed bodies, against published and closed answers. Implicit steps so
 * long that inertia is nothing. */
#include <stdio.h>

#include "tests/meshed_block.h"

#include "step/scheme.h"

static void open_scene(TestScene *scene, double mu) {
  test_scene_open(scene, 2, &dls_scheme_euler, 1, "coulomb");
  test_scene_set(scene, 0, "mu", mu);
  scene->simulation->settings.signed_gap = true;
  scene->simulation->settings.limits.measure = DLS_MEASURE_SCALED;
  scene->simulation->settings.limits.tolerance = 1e-9;
  scene->gravity[1] = 0;
}

/* ---- A plate on a rigid floor (GRECO; Code_Aster SSNV128, V6.04.128) ----
 *
 * Square of 40 mm in plane strain, E = 130 GPa, nu = 0.2, mu = 1. Held along x at x = 40 mm, its
 * lower corner there held; 50 MPa on the top, 150 MPa on x = 0. */

static const double plate = 0.04;

static unsigned char held_plate(const double X[3]) {
  if (X[0] < plate - 1e-9) return 0;
  return X[1] == 0 ? 3 : 1;
}
static bool base(const double X[3]) { return X[1] == 0; }
static double press_plate(const double X[3]) {
  if (X[1] > plate - 1e-9) return 5e7;
  return X[0] == 0 ? 15e7 : 0;
}

TEST(a_plate_slides_on_a_floor_as_in_the_benchmark) {
  static const double at[5] = {0, 1.25e-3, 5e-3, 7.5e-3, 11.25e-3};
  static const double known[5] = {28.6e-6, 27.2e-6, 22.8e-6, 19.8e-6, 15.0e-6};
  TestScene scene;
  const BlockSetup setup = {.cells = {32, 32},
                            .length = {plate, plate},
                            .E = 130e9,
                            .nu = 0.2,
                            .density = 1e10,
                            .meet = DLS_MEET_BY_NODES,
                            .held = held_plate,
                            .meets = base,
                            .pressure = press_plate};
  open_scene(&scene, 1);
  test_scene_boundary(&scene, 0);
  Block b = block_add(&scene, &setup);
  test_scene_run(&scene, 4);
  for (int k = 0; k < 5; k++) {
    const int node = (int)lround(32 * at[k] / plate);
    const double u = block_u(&scene, &b, node, 0);
    if (getenv("SHOW")) printf("u_x at %g mm: %.2f um\n", 1e3 * at[k], 1e6 * u);
    CHECK_NEAR(u, known[k], 0.05 * known[k]);
  }
  test_scene_close(&scene);
  block_clear(&b);
}

/* ---- A skate (after Code_Aster SSNV503, V6.04.503) ----
 *
 * A block on another of an unlike mesh, nu = 0, under the tractions of one state of stress
 * sigma_yy = -pn, sigma_xy = pt: it stays, in that state, where pt < mu pn, and slides off where
 * pt > mu pn. */

static const double pn = 1e6, mu = 0.3;
static double pt;

static double around(const double X[3], int axis) {
  if (X[1] > 0.04 - 1e-9) return axis == 0 ? pt : -pn;
  if (axis == 1 && X[0] < 1e-9) return -pt;
  return axis == 1 && X[0] > 0.02 - 1e-9 ? pt : 0;
}
static unsigned char held_low(const double X[3]) { return X[1] == 0 ? 3 : 0; }
static bool interface(const double X[3]) { return fabs(X[1] - 0.02) < 1e-9; }

static void see_skate(void *context, const double x[3], const double stress[6]) {
  double *worst = context;
  (void)x;
  *worst = fmax(*worst, fabs(stress[0]) / pn);
  *worst = fmax(*worst, fabs(stress[1] + pn) / pn);
  *worst = fmax(*worst, fabs(stress[3] - pt) / pn);
}

static double skate(double ratio, double *worst) {
  TestScene scene;
  BlockSetup low = {.cells = {5, 3},
                    .length = {0.02, 0.02},
                    .E = 1e9,
                    .density = 1e8,
                    .meet = DLS_MEET_BY_MORTAR,
                    .held = held_low,
                    .meets = interface,
                    .traction = around};
  BlockSetup up = low;
  up.cells[0] = 8, up.cells[1] = 4, up.low[1] = 0.02, up.held = NULL;
  pt = ratio * mu * pn;
  open_scene(&scene, mu);
  scene.simulation->settings.limits.tolerance = 1e-11;
  Block b[2] = {block_add(&scene, &low), block_add(&scene, &up)};
  test_scene_run(&scene, 8);
  *worst = 0;
  for (int k = 0; k < 2; k++) block_stress(&scene, &b[k], see_skate, worst);
  const double speed = scene.world->velocity[b[1].body][0];
  if (getenv("SHOW")) printf("pt / mu pn = %g: %g m/s, stress off %.3g\n", ratio, speed, *worst);
  test_scene_close(&scene);
  for (int k = 0; k < 2; k++) block_clear(&b[k]);
  return speed;
}

TEST(a_skate_slides_when_it_must) {
  double worst;
  CHECK_NEAR(skate(0.99, &worst), 0, 1e-9);
  CHECK_BELOW(worst, 1e-6);
  CHECK(skate(1.01, &worst) > 1e-6);
}

/* ---- Cattaneo (1938) and Mindlin (1949) ----
 *
 * Two cylinders' contact, here a cylinder and a block of one material, pressed by P, then pushed
 * aside by Q < mu P: it sticks in |x| < c = a sqrt(1 - Q / mu P), beyond it slips. The top of the
 * cylinder is driven down, then aside; P, Q and a are those of the contacts. */

static const double R = 0.05, sector = 0.6, side = 0.06;

static double graded(double s, double power) { /* -1 .. 1 */
  const double t = 2 * s - 1;
  return copysign(pow(fabs(t), power), t);
}
static void to_cylinder(double x[3]) {
  const double angle = sector * graded(x[0], 1.3), t = pow(x[1], 1.8);
  x[0] = (1 - t) * R * sin(angle) + t * R * sin(sector) * angle / sector;
  x[1] = R * (1 - (1 - t) * cos(angle));
}
static void to_block(double x[3]) {
  x[0] = side * graded(x[0], 1.6);
  x[1] = -side * pow(1 - x[1], 2);
}
static unsigned char held_block(const double X[3]) { return X[1] < -side + 1e-9 ? 3 : 0; }
static unsigned char top(const double X[3]) { return X[1] > R * (1 - 1e-9) ? 3 : 0; }
static bool arc(const double X[3]) { return X[1] < 0.9 * R && fabs(X[0]) < 0.7 * R * sin(sector); }
static bool upper_side(const double X[3]) { return X[1] > -1e-9; }

enum { DOWN = 5, ASIDE = 6 };
static double down_then_aside(const void *context, int axis, double t) {
  (void)context;
  return axis == 1 ? t < DOWN : t > DOWN && t < DOWN + ASIDE;
}

TEST(a_stick_zone_is_that_of_cattaneo_and_mindlin) {
  TestScene scene;
  const double friction = 0.5;
  const BlockSetup block = {.cells = {80, 20},
                            .length = {1, 1},
                            .E = 70e9,
                            .nu = 0.3,
                            .density = 1,
                            .meet = DLS_MEET_BY_MORTAR,
                            .bend = to_block,
                            .held = held_block,
                            .meets = upper_side};
  BlockSetup cylinder = block;
  cylinder.bend = to_cylinder, cylinder.held = NULL, cylinder.driven = top;
  cylinder.meets = arc, cylinder.function = down_then_aside;
  cylinder.speed[0] = 0.5e-3 / ASIDE, cylinder.speed[1] = -1e-3 / DOWN;
  open_scene(&scene, friction);
  Block b[2] = {block_add(&scene, &block), block_add(&scene, &cylinder)};
  test_scene_run(&scene, DOWN + ASIDE);
  const DlsSimulation *s = scene.simulation;
  const DlsAssembly *a = &s->last.assembly;
  double P = 0, Q = 0, left[3] = {0}, stick[2] = {INFINITY, -INFINITY},
         slip[2] = {-INFINITY, INFINITY};
  for (int i = 0; i < a->step.count; i++) {
    const double n = a->solve.r[2 * i], t = a->solve.r[2 * i + 1];
    const double x = s->last.contacts.point[a->step.in_set[i]][0];
    P += n, Q += t;
    for (int k = 0; k < 3; k++) left[k] += (friction * n - fabs(t)) * pow(x, k);
    if (n > 0 && fabs(t) < friction * n * (1 - 1e-6)) {
      stick[0] = fmin(stick[0], x);
      stick[1] = fmax(stick[1], x);
    }
  }
  for (int i = 0; i < a->step.count; i++) { /* the slipping nodes next to those */
    const double x = s->last.contacts.point[a->step.in_set[i]][0];
    if (x < stick[0]) slip[0] = fmax(slip[0], x);
    if (x > stick[1]) slip[1] = fmin(slip[1], x);
  }
  const double E_star = 70e9 / (1 - 0.09) / 2, ratio = fabs(Q) / (friction * P);
  const double c = sqrt(4 * P * R / (3.14159265358979 * E_star) * (1 - ratio));
  const double middle = left[1] / left[0], spread = left[2] / left[0] - middle * middle;
  const double least = (stick[1] - stick[0]) / 2, most = (slip[1] - slip[0]) / 2;
  if (getenv("SHOW"))
    printf("Q / mu P %.4f, stick radius between %.3f and %.3f mm, %.3f by its forces, exact %.3f\n",
           ratio, 1e3 * least, 1e3 * most, 2e3 * sqrt(spread), 1e3 * c);
  CHECK(ratio > 0.3 && ratio < 0.7);
  CHECK(least < c && c < most);
  CHECK_NEAR((least + most) / 2, c, 0.05 * c);
  CHECK_NEAR(2 * sqrt(spread), c, 0.02 * c);
  test_scene_close(&scene);
  for (int k = 0; k < 2; k++) block_clear(&b[k]);
}
