/* Laws that follow one with a relation of its own: Hertz's contact under a liquid bridge and with
 * rolling friction, against closed forms; what makes no sense is refused. */
#include "tests/simulating.h"

#include <delassus/solver.h>

/* At rest k x^n = m g + F of the bridge. */
TEST(hertz_under_a_liquid_bridge) {
  static const char *const solvers[] = {"nsgs", "auto", "uzawa", "jacobi"};
  for (int s = 0; s < DLS_COUNT(solvers); s++) {
    TestScene scene;
    test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "elastic capillary");
    CHECK_OK(dls_solver_find(solvers[s], &scene.simulation->settings.solver));
    const double R = 0.01, k = 1e6, gamma = 5, pi = 3.14159265358979323846;
    test_scene_set(&scene, 0, "k", k);
    test_scene_set(&scene, 0, "exponent", 1.5);
    test_scene_set(&scene, 0, "mu", 0.3);
    test_scene_set(&scene, 1, "gamma", gamma);
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, R, 0, 0, R - 1e-6);
    test_scene_run(&scene, 2000);
    const double bridge = pi * gamma * 2 * R * (exp(0.518) + 0.0697);
    const double load = scene.world->mass[ball] * test_g + bridge;
    CHECK(bridge > 5 * scene.world->mass[ball] * test_g);
    const double x = pow(load / k, 1 / 1.5);
    CHECK_NEAR(R - scene.world->position[ball][2], x, 1e-6 * x);
    test_scene_close(&scene);
  }
}

/* Rolling without slip against a torque l m g: dv/dt = -(5/7) g l / R. */
TEST(hertz_with_rolling_friction) {
  TestScene scene;
  const double R = 0.01, k = 1e7, l = 1e-4, v = 0.1, seconds = 0.5;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "elastic rolling");
  test_scene_set(&scene, 0, "k", k);
  test_scene_set(&scene, 0, "exponent", 1.5);
  test_scene_set(&scene, 0, "mu", 0.8);
  test_scene_set(&scene, 1, "roll", l);
  test_scene_set(&scene, 1, "roll_ratio", 0);
  test_scene_set(&scene, 1, "torsion_ratio", 0);
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, R, 0, 0, R);
  DlsWorld *world = scene.world;
  const double x = pow(world->mass[ball] * test_g / k, 1 / 1.5); /* the overlap at rest */
  world->position[ball][2] -= x;
  world->velocity[ball][0] = v;
  world->velocity[ball][4] = v / R;
  test_scene_run(&scene, (long)(seconds / 1e-3 + 0.5));
  const double slowed = 5.0 / 7 * test_g * l / R * seconds;
  CHECK_NEAR(world->velocity[ball][0], v - slowed, 2e-3 * slowed);
  /* Without slip at a point within the overlap, between R - x and R from the centre. */
  const double spin = world->velocity[ball][4];
  CHECK_NEAR(spin, world->velocity[ball][0] / R, x / (R - x) * spin);
  /* and stops for good */
  test_scene_run(&scene, 2500);
  CHECK_NEAR(world->velocity[ball][0], 0, 1e-9);
  test_scene_close(&scene);
}

TEST(torques_are_not_added_to_those_of_a_custom_law) {
  const DlsLaw *rolling = NULL;
  CHECK_OK(dls_law_find("rolling", &rolling));
  DlsLaw own = {.name = "own", .blocks = DLS_BLOCK(3) | DLS_BLOCK(6)};
  const DlsLaw *elastic = NULL;
  CHECK_OK(dls_law_find("elastic", &elastic));
  own.residual = elastic->residual;
  const DlsLawUse use = {.law = &own, .contact = -1};
  CHECK_FAILS(dls_law_may_follow(&use, rolling), DLS_ERR_ARGUMENT,
              "has a relation of its own with torques");
}
