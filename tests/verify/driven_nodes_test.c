/* Contact nodes that are driven: known velocities in the rows of contacts, as those of boundaries.
 * A lift, a belt, and a press whose foot is driven, against their closed forms; the work that
 * contacts do on such nodes stands in the accounts, so that these balance. */
#include "tests/meshed_block.h"

#include "step/scheme.h"

static const double omega = 7, rise = 0.3; /* rad/s, m/s; rise omega < g: the ball stays on */

static unsigned char all_2(const double X[3]) { return X[1] >= 0 ? 3 : 0; }
static unsigned char all_3(const double X[3]) { return X[2] >= 0 ? 7 : 0; }
static unsigned char foot_2(const double X[3]) { return X[1] < -0.15 ? 3 : 0; }
static unsigned char foot_3(const double X[3]) { return X[2] < -0.15 ? 7 : 0; }

static double wave(double t) { return rise * sin(omega * t); }
static double lift_2(const void *context, int axis, double t) {
  (void)context;
  return axis == 1 ? wave(t) : 0;
}
static double lift_3(const void *context, int axis, double t) {
  (void)context;
  return axis == 2 ? wave(t) : 0;
}

/* A block below y = 0 (z = 0), its foot held and its upper nodes driven, and a ball on it; returns
 * its number. */
static int table(TestScene *scene, int dim, DlsKinematics kinematics, const char *law, double h,
                 double (*function)(const void *, int, double), const double speed[3], Block *out) {
  const double radius = 0.05;
  BlockSetup s = {.cells = {5, dim == 2 ? 1 : 5, 1},
                  .length = {1, dim == 2 ? 0.2 : 1, 0.2},
                  .low = {0, dim == 2 ? -0.2 : 0, -0.2},
                  .E = 1e7,
                  .nu = 0.3,
                  .density = 1000,
                  .kinematics = kinematics,
                  .meet = DLS_MEET_BY_NODES,
                  .held = dim == 2 ? foot_2 : foot_3,
                  .driven = dim == 2 ? all_2 : all_3,
                  .function = function};
  memcpy(s.speed, speed, sizeof s.speed);
  s.cells[dim - 1] = 2;
  test_scene_open(scene, dim, &dls_scheme_moreau, h, law);
  scene->simulation->settings.theta = 0.5;
  *out = block_add(scene, &s);
  const int ball = dim == 2 ? test_scene_sphere(scene, radius, 0.33, radius, 0)
                            : test_scene_sphere(scene, radius, 0.33, 0.41, radius);
  memset(scene->world->velocity[ball], 0, sizeof scene->world->velocity[ball]);
  return ball;
}

/* The ball goes with the nodes: m (g + dv/dt) h is what it takes. */
TEST(a_driven_surface_lifts_what_lies_on_it) {
  static const DlsKinematics ways[] = {DLS_KINEMATICS_SMALL, DLS_KINEMATICS_COROTATIONAL,
                                       DLS_KINEMATICS_TOTAL_LAGRANGIAN};
  const double h = 1e-3, one[3] = {1, 1, 1};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(ways); k++) {
      TestScene scene;
      Block block;
      const int ball =
          table(&scene, dim, ways[k], "signorini", h, dim == 2 ? lift_2 : lift_3, one, &block);
      const DlsSimulation *s = scene.simulation;
      const double *v = scene.world->velocity[ball], m = scene.world->mass[ball];
      const double start = scene.world->position[ball][dim - 1];
      double way = 0, before = 0, most = 0;
      for (int n = 0; n < 300; n++) {
        test_scene_run(&scene, 1);
        const double now = wave((n + 0.5) * h);
        way += 0.5 * h * (before + now);
        CHECK_NEAR(v[dim - 1], now, 1e-10);
        CHECK_INT(s->last.report.contacts, 1);
        CHECK_NEAR(s->last.assembly.solve.r[0], m * (test_g * h + now - before), 1e-9 * m * h);
        before = now;
        most = fmax(most, s->state.ledger.kinetic);
      }
      CHECK_NEAR(scene.world->position[ball][dim - 1] - start, way, 1e-10);
      /* Of rubber as in flight (fem_flight_test.c). */
      const bool rubber = ways[k] == DLS_KINEMATICS_TOTAL_LAGRANGIAN;
      CHECK_NEAR(s->state.ledger.balance, 0, (rubber ? 2e-5 : 1e-9) * most);
      test_scene_close(&scene);
      block_clear(&block);
    }
}

static double steady(const void *context, int axis, double t) {
  (void)context, (void)t;
  return axis == 0;
}

/* A belt of speed V under a ball at rest: v = mu g t while it slides, and then it rolls with
 * V / (1 + m R^2 / I), V / 3 of a disk and 2 V / 7 of a sphere. */
TEST(a_belt_of_driven_nodes_takes_a_ball_along) {
  const double mu = 0.2, V = 0.6, h = 1e-3, speed[3] = {V, 0, 0};
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    Block block;
    const int ball = table(&scene, dim, DLS_KINEMATICS_SMALL, "coulomb", h, steady, speed, &block);
    test_scene_set(&scene, 0, "mu", mu);
    const double *v = scene.world->velocity[ball], rolls = dim == 2 ? V / 3 : 2 * V / 7;
    for (int n = 1; n <= 250; n++) {
      test_scene_run(&scene, 1);
      CHECK_NEAR(v[0], fmin(mu * test_g * h * n, rolls), 1e-9);
    }
    CHECK(mu * test_g * h * 250 > 1.2 * rolls);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
               1e-9 * scene.simulation->state.ledger.kinetic);
    test_scene_close(&scene);
    block_clear(&block);
  }
}

/* ---- A press whose foot is driven ---- */

static const double E = 1e9, nu = 0.3, delta = 1e-3, half = 0.5;

static unsigned char held_low_2(const double X[3]) {
  return (unsigned char)((X[0] == 0) | (X[1] == 0) << 1);
}
static unsigned char held_low_3(const double X[3]) {
  return (unsigned char)((X[0] == 0) | (X[1] == 0) << 1 | (X[2] == 0) << 2);
}
static unsigned char held_up_2(const double X[3]) { return X[0] == 0; }
static unsigned char held_up_3(const double X[3]) {
  return (unsigned char)((X[0] == 0) | (X[1] == 0) << 1);
}
static unsigned char pressed_2(const double X[3]) { return (unsigned char)((X[1] == half) << 1); }
static unsigned char pressed_3(const double X[3]) { return (unsigned char)((X[2] == half) << 2); }
static double at_once(const void *context, int axis, double t) {
  (void)context, (void)axis;
  return t < 1;
}

typedef struct {
  int dim;
  double p, worst;
} Judge;

static void see(void *context, const double x[3], const double stress[6]) {
  Judge *j = context;
  (void)x;
  for (int k = 0; k < 6; k++) {
    if (j->dim == 2 && (k == 2 || k == 4 || k == 5)) continue;
    j->worst = fmax(j->worst, fabs(stress[k] + (k == j->dim - 1 ? j->p : 0)));
  }
}

/* The lower block is pressed by delta of its height, evenly; the upper one, whose contact nodes
 * are driven, follows as it is: no stress is in it. */
TEST(a_driven_foot_presses_a_block_evenly) {
  for (int dim = 2; dim <= 3; dim++)
    for (int meet = 0; meet < 3; meet++) {
      TestScene scene;
      const double p = E * delta / half / (dim == 2 ? 1 - nu * nu : 1);
      Judge pressed = {dim, p, 0}, foot = {dim, 0, 0};
      BlockSetup low = {.cells = {6, dim == 2 ? 3 : 5, 3},
                        .length = {1, dim == 2 ? half : 1, half},
                        .E = E,
                        .nu = nu,
                        .density = 1,
                        .meet = (DlsMeetBy)meet,
                        .held = dim == 2 ? held_low_2 : held_low_3,
                        .function = at_once};
      BlockSetup up = low;
      up.low[dim - 1] = half, up.speed[dim - 1] = -delta;
      up.length[0] = 1.2; /* what it presses grows along x, in space along y too */
      if (dim == 3) up.length[1] = 1.2;
      up.cells[0] = 4, up.cells[1] = 2, up.cells[2] = 1;
      up.held = dim == 2 ? held_up_2 : held_up_3;
      up.driven = dim == 2 ? pressed_2 : pressed_3;
      test_scene_open(&scene, dim, &dls_scheme_euler, 1, "signorini");
      scene.simulation->settings.signed_gap = true;
      scene.simulation->settings.limits.measure = DLS_MEASURE_SCALED;
      scene.gravity[dim - 1] = 0;
      Block blocks[2] = {block_add(&scene, &low), block_add(&scene, &up)};
      test_scene_run(&scene, 6);
      block_stress(&scene, &blocks[0], see, &pressed);
      block_stress(&scene, &blocks[1], see, &foot);
      CHECK_BELOW(pressed.worst / p, 1e-9);
      CHECK_BELOW(foot.worst / p, 1e-9);
      test_scene_close(&scene);
      for (int k = 0; k < 2; k++) block_clear(&blocks[k]);
    }
}
