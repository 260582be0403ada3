/* Is a configuration in equilibrium? One problem from rest tells (Moreau 2001, sec. 2.1). */
#include "tests/loaded_block.h"
#include "tests/verify/step_scene.h"

#include "world/population/population.h"

/* Cannon balls on a floor. */
static void add_pyramid(Scene *scene, int layers, double radius) {
  const double foot[3] = {0, 0, 0};
  DlsPopulation population = {0};
  CHECK_OK(dls_population_pyramid(DLS_PYRAMID_SQUARE, 3, layers, radius, 0, foot, &population));
  for (int k = 0; k < population.count; k++) {
    const double *x = population.centre + 3 * k;
    test_scene_sphere(scene, radius, x[0], x[1], x[2]);
  }
  dls_population_clear(&population);
}

/* With friction they stand, and the floor carries their weight; without it they do not. */
TEST(pyramid_stands_on_friction) {
  for (int rough = 0; rough < 2; rough++) {
    FOR_EACH_SCHEME(scheme) {
      Scene scene;
      DlsEquilibrium verdict;
      open_scene(&scene, 3, scheme, 1e-3, true, rough ? 1 : 0, 0, 0);
      add_pyramid(&scene, 4, 0.05);
      DlsSimulation *s = scene.simulation;
      s->settings.limits.tolerance = 1e-8;
      s->settings.limits.max_iterations = 100000;
      CHECK_OK(dls_simulation_equilibrium(s, 1e-4, &verdict));
      CHECK_INT(verdict.holds, rough);
      CHECK_NEAR(verdict.load, test_g, 1e-12);
      if (rough) CHECK(verdict.acceleration < 1e-4 * test_g);
      if (!rough) CHECK(verdict.acceleration > 0.05 * test_g);
      double weight = 0, carried = 0;
      for (int b = 0; b < s->world->count; b++) weight += s->world->mass[b] * test_g;
      for (int i = 0; i < s->last.assembly.step.count; i++)
        if (s->last.contacts.antagonist[s->last.assembly.step.in_set[i]] < 0)
          carried += s->last.assembly.solve.r[3 * (size_t)i] / s->settings.h;
      if (rough) CHECK_NEAR(carried, weight, 1e-4 * weight);
      close_scene(&scene);
    }
  }
}

/* Three balls made one body stand on a slope like a block: below the friction angle they stay,
 * above they slide with g (sin a - mu cos a). */
TEST(block_on_a_slope) {
  const double mu = 0.5, radius = 0.1;
  for (int above = 0; above < 2; above++) {
    Scene scene;
    DlsEquilibrium verdict;
    const double angle = atan(mu) * (above ? 1.1 : 0.95);
    open_scene(&scene, 3, &dls_scheme_euler, 1e-3, true, mu, 0, 0);
    scene.gravity[0] = test_g * sin(angle);
    scene.gravity[2] = -test_g * cos(angle);
    const DlsElement feet[3] = {
        {{1, 0, 0}, radius}, {{-0.5, 0.8, 0}, radius}, {{-0.5, -0.8, 0}, radius}};
    DlsShape shape;
    CHECK_OK(dls_shape_cluster(3, 3, feet, &shape));
    const DlsBody body = {.shape = &shape, .density = 2500, .position = {0, 0, radius}};
    CHECK_OK(dls_world_add_body(scene.simulation->world, &body));
    dls_shape_clear(&shape);
    CHECK_OK(dls_simulation_equilibrium(scene.simulation, 1e-6, &verdict));
    CHECK_INT(verdict.holds, !above);
    CHECK_INT(verdict.contacts, 3);
    const double left = above ? test_g * (sin(angle) - mu * cos(angle)) : 0;
    CHECK_NEAR(verdict.acceleration, left, 1e-6 * test_g);
    close_scene(&scene);
  }
}

/* The question changes nothing: velocities, time, accounts and memory are as before, and a moving
 * ball is asked as if it were at rest. */
TEST(the_question_moves_nothing) {
  Scene scene;
  DlsEquilibrium verdict;
  open_scene(&scene, 3, &dls_scheme_moreau, 1e-3, true, 0.3, 0, 0);
  const int ball = test_scene_sphere(&scene, 0.1, 0, 0, 0.1);
  DlsSimulation *s = scene.simulation;
  s->world->velocity[ball][0] = 3;
  run(&scene, 2);
  const DlsLedger ledger = s->state.ledger;
  const double x = s->world->position[ball][0], v = s->world->velocity[ball][0];
  CHECK_OK(dls_simulation_equilibrium(s, 1e-6, &verdict));
  CHECK_INT(verdict.holds, 1);
  CHECK(x == s->world->position[ball][0] && v == s->world->velocity[ball][0]);
  CHECK(ledger.dissipated == s->state.ledger.dissipated && s->state.step == 2);
  /* A ball in the air falls. */
  s->world->position[ball][2] = 1;
  CHECK_OK(dls_simulation_equilibrium(s, 1e-6, &verdict));
  CHECK_INT(verdict.holds, 0);
  CHECK_NEAR(verdict.acceleration, test_g, 1e-12);
  s->settings.scheme = &dls_scheme_first_order;
  CHECK_FAILS(dls_simulation_equilibrium(s, 1e-6, &verdict), DLS_ERR_ARGUMENT, "first-order");
  close_scene(&scene);
}

/* A block that has settled under its weight is in equilibrium; one that is unstrained is not, since
 * it would sink into itself, and one in the air falls with g. */
TEST(an_elastic_block_on_a_floor) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsEquilibrium answer;
    block_lying(&scene, dim, 0.3);
    CHECK_OK(dls_simulation_equilibrium(scene.simulation, 1e-6, &answer));
    CHECK(!answer.holds);
    CHECK_NEAR(answer.load, test_g, 1e-9);
    CHECK(answer.acceleration > 0.1 * test_g);
    test_scene_run(&scene, 60);
    CHECK_OK(dls_simulation_equilibrium(scene.simulation, 1e-6, &answer));
    CHECK(answer.holds);
    CHECK_INT(answer.body, 0);
    CHECK_BELOW(answer.acceleration, 1e-9 * test_g);
    scene.world->boundary[0].position[dim - 1] = -1;
    CHECK_OK(dls_simulation_equilibrium(scene.simulation, 1e-6, &answer));
    CHECK(!answer.holds);
    CHECK_NEAR(answer.load, answer.acceleration, 1e-12 * test_g);
    test_scene_close(&scene);
  }
}
