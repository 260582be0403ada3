/* A scheme that lives here alone, in no list and in no file of core/: semi-implicit Euler with
 * contacts closed at x and a drag that is integrated exactly,
 *
 *   v_free = E v + (1 - E) g / c,   E = exp(-c h);   x+ = x + h v+
 *
 * so that a ball falls with v_n = (g / c) (1 - E^n), whatever h is, and
 * x_n = x_0 + (g h / c) (n - E (1 - E^n) / (1 - E)), the sum of h v_n. */
#include "tests/simulating.h"

#include <float.h>
#include <math.h>

static const double drag = 0.8;     /* c, 1/s */
static const double step_h = 0.02;  /* s */
static const double radius = 0.125; /* m */

static double after(double theta, double h) {
  (void)theta;
  return h;
}

static DlsStatus fall_with_drag(DlsSimulation *s, const double gravity[3]) {
  const double E = exp(-drag * s->settings.h);
  DLS_TRY(dls_scheme_accelerate(s, gravity)); /* spins, and what is fixed */
  for (int b = 0; b < s->world->count; b++)
    for (int k = 0; k < 3; k++)
      s->last.free_velocity[6 * b + k] = E * s->world->velocity[b][k] + (1 - E) * gravity[k] / drag;
  return DLS_OK;
}

static const DlsScheme semi_implicit = {
    .name = "semi-implicit",
    .summary = "of this test alone",
    .check_law = dls_scheme_check_relations,
    .after = after,
    .move = dls_scheme_move,
    .free_velocity = fall_with_drag,
    .seek = dls_scheme_seek_closed,
    .impulses = dls_scheme_solve,
};

static int open_ball(TestScene *scene, int dim, double height, double restitution) {
  test_scene_open(scene, dim, &semi_implicit, step_h, "coulomb");
  test_scene_set(scene, 0, "rho", restitution);
  test_scene_boundary(scene, 0);
  return test_scene_sphere(scene, radius, 0, dim == 2 ? height : 0, dim == 2 ? 0 : height);
}

TEST(a_scheme_of_ones_own_falls_as_its_formula_says) {
  for (int dim = 2; dim <= 3; dim++) {
    enum { STEPS = 200 };
    const double height = 1000, E = exp(-drag * step_h);
    TestScene scene;
    const int up = dim - 1, ball = open_ball(&scene, dim, height, 0);
    for (int n = 1; n <= STEPS; n++) {
      test_scene_run(&scene, 1);
      const double En = exp(-drag * step_h * n), limit = test_g / drag;
      /* n roundings of each term, of numbers up to the limit of the speed and to the height */
      CHECK_NEAR(scene.world->velocity[ball][up], -limit * (1 - En), 4 * n * DBL_EPSILON * limit);
      CHECK_NEAR(scene.world->position[ball][up],
                 height - limit * step_h * (n - E * (1 - En) / (1 - E)),
                 4 * n * DBL_EPSILON * height);
    }
    test_scene_close(&scene);
  }
}

/* The recurrence of one ball: where it is closed at x, v+ = max(v_free, -rho v). */
TEST(a_scheme_of_ones_own_bounces_as_its_formula_says) {
  for (int dim = 2; dim <= 3; dim++) {
    const double rho = 0.75, height = 2.125, E = exp(-drag * step_h);
    double x = height, v = 0;
    int bounces = 0;
    TestScene scene;
    const int up = dim - 1, ball = open_ball(&scene, dim, height, rho);
    for (int n = 1; n <= 80; n++) {
      const double v_free = E * v - (1 - E) * test_g / drag;
      const bool closed = x <= radius && v_free < -rho * v;
      bounces += closed;
      v = closed ? -rho * v : v_free;
      x += step_h * v;
      test_scene_run(&scene, 1);
      const double rounding =
          100 * n * DBL_EPSILON; /* a solve of one contact is exact but for it */
      CHECK_NEAR(scene.world->velocity[ball][up], v, rounding * test_g / drag);
      CHECK_NEAR(scene.world->position[ball][up], x, rounding * height);
    }
    CHECK(bounces >= 1);
    test_scene_close(&scene);
  }
}

/* At rest the floor gives what the exact flow would take in a step: m g (1 - E) / (c h). */
TEST(a_scheme_of_ones_own_rests_on_the_weight) {
  const double E = exp(-drag * step_h);
  TestScene scene;
  const int ball = open_ball(&scene, 3, radius, 0);
  test_scene_run(&scene, 50);
  const double force = scene.world->mass[ball] * test_g * (1 - E) / (drag * step_h);
  CHECK_NEAR(scene.simulation->state.boundary_force[0][2], -force, 1e-12 * force);
  CHECK_INT(scene.simulation->last.report.active, 1);
  test_scene_close(&scene);
}

TEST(laws_that_a_scheme_cannot_use_are_refused_in_its_name) {
  TestScene scene;
  test_scene_open(&scene, 3, &semi_implicit, step_h, "spring-dashpot");
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_LAW, "semi-implicit");
  test_scene_close(&scene);
}
