/* bilateral: pairs that move as one, a pendulum on a hinge, a bead on a rail. */
#include "tests/one_contact.h"
#include "tests/simulating.h"

enum { TIED, HINGE, SLIDER };

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* Thrown, one of them with a spin: the two turn as one body about their common centre, whose fall
 * is free; J of the pair is 2 (2/5 + 1) m R² across and 2 · 2/5 m R² along its axis. */
TEST(a_tied_pair_moves_as_one) {
  const double R = 0.05, h = 1e-4, spin = 8;
  for (int s = 0; s < DLS_COUNT(schemes); s++) {
    TestScene scene;
    test_scene_open(&scene, 3, schemes[s], h, "bilateral");
    const int left = test_scene_sphere(&scene, R, -R, 0, 0),
              right = test_scene_sphere(&scene, R, R, 0, 0);
    double(*v)[6] = scene.world->velocity, (*x)[3] = scene.world->position;
    v[left][3] = v[right][4] = spin; /* along, and across the axis of the pair */
    v[left][0] = v[right][0] = 0.5;
    test_scene_run(&scene, 1);
    const double along = 0.5 * spin, across = 0.4 * spin / 2.8;
    for (int b = 0; b < 2; b++) {
      CHECK_NEAR(v[b][0], 0.5, 1e-9);
      CHECK_NEAR(v[b][3], along, 1e-9);
      CHECK_NEAR(v[b][4], across, 1e-9);
      CHECK_NEAR(v[b][2], -h * test_g + (b == right ? -1 : 1) * across * R, 1e-9);
    }
    test_scene_run(&scene, 4999);
    const double gap[3] = {x[1][0] - x[0][0], x[1][1] - x[0][1], x[1][2] - x[0][2]};
    CHECK_NEAR(sqrt(gap[0] * gap[0] + gap[1] * gap[1] + gap[2] * gap[2]), 2 * R, 1e-4 * R);
    for (int k = 3; k < 6; k++) CHECK_NEAR(v[left][k], v[right][k], 1e-9);
    CHECK_NEAR(0.5 * (x[0][0] + x[1][0]), 0.25, 1e-9);
    test_scene_close(&scene);
  }
}

/* A rod of two spheres hangs by its end, of radius b, from a fixed ball of radius a. The joint
 * holds the point where they touch, so the end rolls on the ball; about rest
 *   w² = m g (L + b²/(a + b)) / (J + m (L + b)²),  L from the centre of the end to that of mass. */
TEST(a_pendulum_on_a_hinge_has_its_period) {
  const double a = 2e-3, b = 3e-3, length = 0.3, h = 1e-4;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    test_scene_open(&scene, dim, &dls_scheme_moreau, h, "bilateral");
    test_scene_set(&scene, 0, "kind", HINGE);
    test_scene_boundary(&scene, a);
    const int down = dim - 1;
    DlsElement rod[2] = {{.radius = b}, {.radius = 0.04}};
    double at[3] = {0};
    rod[1].offset[down] = -length;
    at[down] = -(a + b);
    const int body = test_scene_body(&scene, 2, rod, at[0], at[1], at[2]);
    const DlsWorld *world = scene.world;
    const double m = world->mass[body], L = -(a + b) - world->position[body][down];
    /* 3-D: gravity in x and z, so that the turn is about y; principal inertias across are equal. */
    const double J =
        dim == 2 ? world->inertia[body][2] : fmax(world->inertia[body][0], world->inertia[body][1]);
    const double w = sqrt(m * test_g * (L + b * b / (a + b)) / (J + m * (L + b) * (L + b)));
    scene.world->velocity[body][0] = 1e-3 * (L + b);
    scene.world->velocity[body][dim == 2 ? 5 : 4] = dim == 2 ? 1e-3 : -1e-3;
    double before = 0, crossed[2] = {0};
    int crossings = 0;
    while (crossings < 2 && scene.simulation->state.time < 5) {
      test_scene_run(&scene, 1);
      const double now = world->position[body][0];
      if (before < 0 && now >= 0)
        crossed[crossings++] = scene.simulation->state.time - h * now / (now - before);
      before = now;
    }
    CHECK_INT(crossings, 2);
    CHECK_NEAR(crossed[1] - crossed[0], 2 * 3.14159265358979324 / w, 1e-4 * 2 / w);
    test_scene_close(&scene);
  }
}

/* A bead below an inclined rail: kept from falling, g sin a along it, no spin. */
TEST(a_slider_keeps_to_its_surface_without_friction) {
  const double R = 0.02, slope = 0.5, h = 1e-3;
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int below = 0; below < 2; below++) {
      TestScene scene;
      test_scene_open(&scene, 3, schemes[s], h, "bilateral");
      test_scene_set(&scene, 0, "kind", SLIDER);
      test_scene_boundary(&scene, 0);
      const int bead = test_scene_sphere(&scene, R, 0, 0, R);
      scene.gravity[0] = test_g * sin(slope);
      scene.gravity[2] = (below ? 1 : -1) * test_g * cos(slope);
      test_scene_run(&scene, 200);
      CHECK_NEAR(scene.world->velocity[bead][0], 0.2 * test_g * sin(slope), 1e-10);
      CHECK_NEAR(scene.world->velocity[bead][2], 0, 1e-10);
      CHECK_NEAR(scene.world->position[bead][2], R, 1e-10);
      for (int k = 3; k < 6; k++) CHECK_NEAR(scene.world->velocity[bead][k], 0, 1e-12);
      test_scene_close(&scene);
    }
}

/* A tied bead holds any pull, shove and torque; a hinge lets it spin, against the drag. */
TEST(joints_hold_what_they_say) {
  OneContact one;
  const double f[6] = {5, -3, 2, 0.1, 0.2, -0.3}, h = 1e-3;
  one_open(&one, 3, 6, h, 2);
  one_add(&one, "bilateral");
  one_begin(&one);
  one_step(&one, f);
  for (int i = 0; i < 6; i++) {
    CHECK_NEAR(one.u[i], 0, 1e-15);
    CHECK_NEAR(one.r[i], -h * f[i], 1e-15);
  }
  one_open(&one, 3, 6, h, 2);
  one_add(&one, "bilateral");
  one_set(&one, "kind", HINGE);
  one_set(&one, "drag", 0.5);
  one_begin(&one);
  one_step(&one, f);
  for (int i = 0; i < 3; i++) CHECK_NEAR(one.u[i], 0, 1e-15);
  for (int i = 3; i < 6; i++) {
    CHECK_NEAR(one.r[i], -h * 0.5 * one.u[i], 1e-15);
    CHECK_NEAR(one.u[i], h * f[i] / 2 / (1 + h * 0.5 / 2), 1e-15);
  }
}

/* Found apart it is free until it touches, and then stays. */
TEST(a_pair_found_apart_is_joined_when_it_touches) {
  OneContact one;
  const double none[3] = {0}, away[3] = {50, 0, 0}, h = 1e-3;
  one_open(&one, 3, 3, h, 1);
  one_add(&one, "bilateral");
  one.contact.gap = 5.5e-4;
  one_begin(&one);
  one.u[0] = -0.1;
  for (int k = 0; k < 5; k++) one_step(&one, none);
  CHECK_NEAR(one.u[0], -0.1, 0);
  for (int k = 0; k < 3; k++) one_step(&one, none);
  for (int k = 0; k < 10; k++) one_step(&one, away);
  CHECK_NEAR(one.contact.gap, 0, 1e-15);
  CHECK_NEAR(one.r[0], -h * 50, 1e-12);
}
