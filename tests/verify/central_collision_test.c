/* One ball and a plane by implicit Euler, step by step: Brendel, Unger and Wolf 2004, sec. 1.4. */
#include "tests/simulating.h"

static const double radius = 0.05, h = 0.01; /* m, s */

static int open_ball(TestScene *scene, int dim, double gap, double speed) {
  test_scene_open(scene, dim, &dls_scheme_euler, h, "coulomb");
  scene->gravity[dim - 1] = 0;
  test_scene_boundary(scene, 0);
  const double top = radius + gap;
  const int ball = test_scene_sphere(scene, radius, 0, dim == 2 ? top : 0, dim == 3 ? top : 0);
  scene->world->velocity[ball][dim - 1] = -speed;
  return ball;
}

/* V_new = max(-g/h, V_free) (eqs. 1.8-1.11), for gaps that the step does not bridge, just bridges,
 * and bridges. */
TEST(the_velocity_after_a_step_closes_the_gap_at_most) {
  const double gaps[] = {0.05, 0.03, 0.0200001, 0.0199999, 0.01, 0.004, 0};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(gaps); k++) {
      TestScene scene;
      const int ball = open_ball(&scene, dim, gaps[k], 2);
      test_scene_run(&scene, 1);
      CHECK_NEAR(scene.world->velocity[ball][dim - 1], fmax(-gaps[k] / h, -2), 1e-9);
      test_scene_close(&scene);
    }
}

/* A collision without restitution takes two steps: one that lays the ball on the plane at -g/h,
 * and one that stops it. */
TEST(an_inelastic_collision_takes_two_steps) {
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const int ball = open_ball(&scene, dim, 0.024, 2);
    const double *v = &scene.world->velocity[ball][dim - 1];
    const double *x = &scene.world->position[ball][dim - 1];
    const double speed[4] = {-2, -0.4, 0, 0}, gap[4] = {0.004, 0, 0, 0};
    for (int n = 0; n < 4; n++) {
      test_scene_run(&scene, 1);
      CHECK_NEAR(*v, speed[n], 1e-9);
      CHECK_NEAR(*x - radius, gap[n], 1e-11);
    }
    test_scene_close(&scene);
  }
}

/* An overlap d at rest: with g+ it stays and nothing moves; with g the ball is thrown out at d/h,
 * with the energy m (d/h)²/2 that nobody gave it. */
TEST(the_signed_gap_makes_energy_of_overlaps) {
  const double d = 1e-4;
  for (int dim = 2; dim <= 3; dim++)
    for (int sign = 0; sign < 2; sign++) {
      TestScene scene;
      const int ball = open_ball(&scene, dim, -d, 0);
      scene.simulation->settings.signed_gap = sign;
      test_scene_run(&scene, 1);
      const double v = scene.world->velocity[ball][dim - 1];
      const double energy = dls_world_kinetic_energy(scene.world);
      CHECK_NEAR(v, sign ? d / h : 0, 1e-9);
      CHECK_NEAR(energy, 0.5 * scene.world->mass[ball] * (sign ? d * d / (h * h) : 0),
                 1e-9 * scene.world->mass[ball]);
      test_scene_close(&scene);
    }
}
