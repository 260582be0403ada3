/* Blocks with corners against closed forms: they rest, rock, slide, topple, overhang.
 * DELASSUS_LONG: the stack goes 1e5 steps. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "record/checkpoint/checkpoint.h"
#include "tests/blocks.h"

static const double pi = 3.14159265358979323846;

/* Impulses over h of the contacts of a body with all below it, and their number. */
static int supports(const TestScene *scene, double force[3], double centre[3]) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  const int block = a->run.block;
  double sum = 0;
  int carrying = 0;
  memset(force, 0, 3 * sizeof *force);
  memset(centre, 0, 3 * sizeof *centre);
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i];
    const double *r = a->solve.r + (size_t)i * (size_t)block, *frame = s->last.contacts.frame[c];
    if (!(r[0] > 0)) continue;
    carrying++;
    sum += r[0];
    for (int k = 0; k < 3; k++) {
      for (int j = 0; j < scene->world->dim; j++)
        force[k] += r[j] * frame[3 * j + k] / s->settings.h;
      centre[k] += r[0] * s->last.contacts.point[c][k];
    }
  }
  for (int k = 0; k < 3; k++) centre[k] /= sum;
  return carrying;
}

/* On a plane, and on a fixed block: weight and centre of pressure are those of statics, and the gap
 * of all corners is 0. */
TEST(a_block_rests_with_its_weight_under_its_centre) {
  for (int dim = 2; dim <= 3; dim++)
    for (int on_block = 0; on_block < 2; on_block++) {
      TestScene scene;
      const double length[3] = {0.4, dim == 2 ? 0.2 : 0.3, 0.2},
                   floor[3] = {3, dim == 2 ? 1 : 3, 1};
      double x[3] = {0.1, 0.05, 0}, below[3] = {0}, force[3], centre[3];
      test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
      test_scene_set(&scene, 0, "mu", 0.5);
      below[dim - 1] = -0.5;
      if (on_block)
        test_scene_box(&scene, floor, below, NULL, DLS_FIXED_ALL);
      else
        test_scene_boundary(&scene, 0);
      x[dim - 1] = length[dim - 1] / 2;
      const int body = test_scene_box(&scene, length, x, NULL, 0);
      test_scene_run(&scene, 100);
      const double weight = scene.world->mass[body] * test_g;
      CHECK_INT(scene.simulation->last.contacts.count, dim == 2 ? 2 : 4);
      supports(&scene, force, centre);
      CHECK_NEAR(fabs(force[dim - 1]), weight, 1e-9 * weight);
      for (int k = 0; k < dim - 1; k++) {
        CHECK_NEAR(centre[k], x[k], 1e-9);
        CHECK_NEAR(force[k], 0, 1e-9 * weight);
      }
      for (int c = 0; c < scene.simulation->last.contacts.count; c++) {
        CHECK_NEAR(scene.simulation->last.contacts.gap[c], 0, 1e-12);
        CHECK_NEAR(scene.simulation->last.contacts.area[c], dim == 2 ? 0.2 : 0.03, 1e-12);
      }
      test_scene_close(&scene);
    }
}

/* Housner (1963): a block of half width b and half height d, R^2 = b^2 + d^2, alpha = atan(b/d),
 * p^2 = 3 g / 4 R, that is let go at theta_0 turns by theta'' = -p^2 sin(alpha - theta) and hits
 * its base when theta is 0; without bouncing and sliding its spin is then 1 - 3/2 sin^2 alpha of
 * that before. The time by quadrature of the energy,
 *   theta'^2 / 2 = p^2 (cos(alpha - theta) - cos(alpha - theta_0)). */
static void housner(double alpha, double p, double start, double *time, double *spin) {
  const int steps = 200000;
  double t = 0;
  *spin = p * sqrt(2 * fabs(cos(alpha) - cos(alpha - start)));
  for (int k = 0; k < steps; k++) { /* theta = start (1 - u^2): the root at the start is gone */
    const double u = (k + 0.5) / steps, theta = start * (1 - u * u);
    const double speed = p * sqrt(2 * fabs(cos(alpha - theta) - cos(alpha - start)));
    t += 2 * start * u / (speed * steps);
  }
  *time = t;
}

TEST(a_rocking_block_hits_when_housner_says_and_keeps_his_share_of_spin) {
  const double b = 0.5, d = 2, alpha = atan(b / d), R = hypot(b, d), p = sqrt(3 * test_g / (4 * R));
  const double start = alpha / 2;
  double time, spin;
  housner(alpha, p, start, &time, &spin);
  for (int dim = 2; dim <= 3; dim++)
    for (int on_block = 0; on_block < 2; on_block++) {
      TestScene scene;
      const double h = 2e-4;
      const double length[3] = {2 * b, dim == 2 ? 2 * d : 1.3, 2 * d},
                   floor[3] = {30, dim == 2 ? 1 : 30, 1};
      double below[3] = {0}, x[3] = {0}, q[4] = {cos(start / 2), 0, 0, 0};
      test_scene_open(&scene, dim, &dls_scheme_moreau, h, "coulomb");
      test_scene_set(&scene, 0, "mu", 1);
      below[dim - 1] = -0.5;
      if (on_block)
        test_scene_box(&scene, floor, below, NULL, DLS_FIXED_ALL);
      else
        test_scene_boundary(&scene, 0);
      /* Turned about its lower right corner at (b, 0), so that the left one is up. */
      const double turn = -start; /* about z in 2-D; in 3-D about y, by +start */
      x[0] = b - b * cos(turn) - d * sin(turn);
      x[dim - 1] = -b * sin(turn) + d * cos(turn);
      q[dim == 2 ? 3 : 2] = sin(start / 2) * (dim == 2 ? -1 : 1);
      const int body = test_scene_box(&scene, length, x, q, 0);
      const int axis = dim == 2 ? 5 : 4;
      double before = 0, now = 0, hit = 0;
      for (int step = 0; step < 5000 && !(hit > 0); step++) {
        test_scene_run(&scene, 1);
        before = now;
        now = fabs(scene.world->velocity[body][axis]);
        if (step > 10 && now < 0.97 * before) hit = scene.simulation->state.time;
      }
      /* Moreau's scheme is of first order at impacts: the moment to a step or two. */
      CHECK_NEAR(hit, time, 3 * h);
      CHECK_NEAR(before, spin, 5e-3 * spin);
      CHECK_NEAR(now / before, 1 - 1.5 * sin(alpha) * sin(alpha), 2e-3);
      test_scene_close(&scene);
    }
}

/* A slope: held while tan(a) <= mu and tan(a) <= width / height. */
static void slope(int corners, double mu, double angle, double height, bool slides, bool topples) {
  TestScene scene;
  DlsConvexNumbers n;
  double polygon[16][3] = {{0}};
  /* The first side stands across the slope, at the inscribed radius from the axis. */
  for (int k = 0; k < corners; k++) {
    polygon[k][0] = 0.1 * cos(2 * pi * (k + 0.5) / corners);
    polygon[k][1] = 0.1 * sin(2 * pi * (k + 0.5) / corners);
  }
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", mu);
  test_scene_boundary(&scene, 0);
  scene.gravity[0] = test_g * sin(angle), scene.gravity[2] = -test_g * cos(angle);
  CHECK_OK(dls_convex_prism(0, corners, (const double(*)[3])polygon, height, &n));
  const double x[3] = {0, 0, height / 2};
  const int body = test_scene_convex(&scene, &n, x, NULL, 0);
  test_scene_run(&scene, 300);
  const double went = scene.world->position[body][0];
  const double turned = fabs(scene.world->velocity[body][4]);
  CHECK((went > 1e-3) == (slides || topples));
  CHECK((turned > 1e-3) == topples);
  test_scene_close(&scene);
}

TEST(blocks_slide_and_topple_by_their_inscribed_width) {
  const double mu = 0.5;
  for (int corners = 4; corners <= 12; corners += 2) {
    const double width = 0.2 * cos(pi / corners); /* between opposite sides */
    /* Flat ones slide above the friction angle alone. */
    slope(corners, mu, atan(0.99 * mu), width, false, false);
    slope(corners, mu, atan(1.01 * mu), width, true, false);
    /* Tall ones topple before they slide. */
    slope(corners, mu, atan(0.99 * 0.25), 4 * width, false, false);
    slope(corners, mu, atan(1.02 * 0.25), 4 * width, false, true);
  }
}

/* n equal blocks, the k-th from the top shifted by share / 2k of a length: they hold below the
 * harmonic sum and fall above. */
static bool overhang_holds(int dim, int n, double share) {
  TestScene scene;
  const double length[3] = {1, dim == 2 ? 0.2 : 0.4, 0.2};
  double shift = 0;
  test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.8);
  scene.simulation->settings.limits.tolerance = 1e-10;
  const double ground[3] = {0, dim == 2 ? -0.1 : 0, dim == 2 ? 0 : -0.1};
  test_scene_box(&scene, length, ground, NULL, DLS_FIXED_ALL);
  double x[10][3] = {{0}};
  for (int k = n; k >= 1; k--) { /* from the bottom */
    shift += share / (2 * k);
    x[k - 1][0] = shift, x[k - 1][dim - 1] = 0.2 * (n - k) + 0.1;
  }
  int top = 0;
  for (int k = n; k >= 1; k--) top = test_scene_box(&scene, length, x[k - 1], NULL, 0);
  test_scene_run(&scene, 600);
  const bool holds = fabs(scene.world->position[top][dim - 1] - x[0][dim - 1]) < 1e-4;
  dls_simulation_destroy(&scene.simulation);
  return holds;
}

TEST(overhangs_hold_up_to_the_harmonic_sum) {
  static const int most[4] = {1, 2, 4, 10};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < 4; k++) {
      CHECK(overhang_holds(dim, most[k], 0.999));
      CHECK(!overhang_holds(dim, most[k], 1.01));
    }
}

/* The floor bears the weight of all, to the tolerance of the solver, after any number of steps. */
TEST(a_stack_of_ten_does_not_drift) {
  TestScene scene;
  const double length[3] = {0.1, 0.12, 0.08};
  const long steps = getenv("DELASSUS_LONG") ? 100000 : 2000;
  double x[3];
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.5);
  scene.simulation->settings.limits.tolerance = 1e-8;
  test_scene_boundary(&scene, 0);
  for (int k = 0; k < 10; k++)
    test_scene_box(&scene, length, (const double[3]){0, 0, 0.04 + 0.08 * k}, NULL, 0);
  test_scene_run(&scene, steps);
  double drift = 0;
  for (int k = 0; k < 10; k++) {
    memcpy(x, scene.world->position[k], sizeof x);
    drift = fmax(drift, fmax(hypot(x[0], x[1]), fabs(x[2] - 0.04 - 0.08 * k)));
  }
  CHECK_BELOW(drift, 1e-6 * 0.08);
  if (getenv("DELASSUS_SHOW")) printf("%ld steps: drift %.3g of a size\n", steps, drift / 0.08);
  double weight = 0;
  for (int k = 0; k < 10; k++) weight += scene.world->mass[k] * test_g;
  CHECK_NEAR(-scene.simulation->state.boundary_force[0][2], weight, 1e-6 * weight);
  test_scene_close(&scene);
}

/* A floor of fixed blocks side by side: what slides over their joints meets no step. */
TEST(a_block_slides_over_joints_without_a_bump) {
  TestScene scene;
  const double tile[3] = {0.13, 0.17, 0.1}, length[3] = {0.3, 0.2, 0.1}, h = 1e-3, mu = 0.1;
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "coulomb");
  test_scene_set(&scene, 0, "mu", mu);
  for (int i = 0; i < 10; i++)
    for (int j = -2; j <= 2; j++)
      test_scene_box(&scene, tile, (const double[3]){0.13 * i, 0.17 * j, -0.05}, NULL,
                     DLS_FIXED_ALL);
  const int body = test_scene_box(&scene, length, (const double[3]){0.1, 0.03, 0.05}, NULL, 0);
  scene.world->velocity[body][0] = 1;
  test_scene_run(&scene, 500);
  CHECK_NEAR(scene.world->velocity[body][0], 1 - mu * test_g * 0.5, 1e-8);
  CHECK_NEAR(scene.world->position[body][2], 0.05, 1e-9);
  for (int k = 1; k < 6; k++) CHECK_NEAR(scene.world->velocity[body][k], 0, 1e-8);
  test_scene_close(&scene);
}

/* Four cubes, two on two that are fixed, whose inner edges lie on one line, `apart` from it. */
static void four_cubes(TestScene *scene, double apart) {
  const double length[3] = {0.1, 0.1, 0.1};
  test_scene_open(scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(scene, 0, "mu", 0.5);
  scene->simulation->settings.limits.tolerance = 1e-10;
  scene->simulation->settings.alert = 1e-4;
  for (int i = 0; i < 4; i++) {
    const double out = i < 2 ? 0.05 : 0.05 + apart;
    test_scene_box(scene, length, (const double[3]){i % 2 ? out : -out, 0, i < 2 ? -0.05 : 0.05},
                   NULL, i < 2 ? DLS_FIXED_ALL : 0);
  }
}

/* Of the forces of the last step on a body: their sum, and their moment about its centre. */
static void resultant(const TestScene *scene, int body, double force[3], double moment[3]) {
  const DlsSimulation *s = scene->simulation;
  const DlsContactSet *set = &s->last.contacts;
  const double h = 1e-3;
  for (int k = 0; k < 3; k++) force[k] = moment[k] = 0;
  for (int k = 0; k < s->state.memory.count; k++) {
    const int c = s->last.assembly.step.in_set[k];
    const double sign = set->candidate[c] == body ? 1 : set->antagonist[c] == body ? -1 : 0;
    double f[3] = {0}, arm[3], turn[3];
    for (int i = 0; i < 9; i++) f[i % 3] += sign * set->frame[c][i] * s->state.r[3 * k + i / 3] / h;
    for (int i = 0; i < 3; i++) arm[i] = set->point[c][i] - scene->world->position[body][i];
    dls_vector_cross(arm, f, turn);
    for (int i = 0; i < 3; i++) force[i] += f[i], moment[i] += turn[i];
  }
}

/* Faces that share a line have its two ends as points, not four: 4 points for each of three pairs
 * of faces, 2 for each pair across the line; and however the cubes are shifted by round-off of
 * seven digits. What the upper ones are held by is their weight, through their centres. */
TEST(a_line_that_faces_share_is_two_points) {
  for (int n = -8; n <= 8; n++) {
    const double apart = n == 0 ? 0 : (n < 0 ? -1 : 1) * 1e-16 * pow(10, abs(n));
    TestScene scene;
    four_cubes(&scene, apart);
    test_scene_run(&scene, 20);
    const DlsContactSet *set = &scene.simulation->last.contacts;
    CHECK_INT(set->count, 16);
    for (int c = 0; c < set->count; c++)
      for (int d = 0; d < c; d++) {
        const bool same =
            set->candidate[c] == set->candidate[d] && set->antagonist[c] == set->antagonist[d];
        double away = 0;
        for (int k = 0; k < 3; k++) away = fmax(away, fabs(set->point[c][k] - set->point[d][k]));
        CHECK(!same || (away > 0.09 && set->key[c].feature != set->key[d].feature));
      }
    for (int body = 2; body < 4; body++) {
      const double weight = scene.world->mass[body] * test_g;
      double force[3], moment[3];
      resultant(&scene, body, force, moment);
      for (int k = 0; k < 3; k++) {
        CHECK_NEAR(force[k], k == 2 ? weight : 0, 1e-6 * weight);
        CHECK_NEAR(moment[k], 0, 1e-6 * weight * 0.1);
        CHECK_NEAR(scene.world->velocity[body][k], 0, 1e-9);
      }
    }
    test_scene_close(&scene);
  }
}

static void leaning(TestScene *scene) {
  const double length[3] = {0.1, 0.12, 0.08}, tilt[4] = {cos(0.2), 0, sin(0.2), 0};
  test_scene_open(scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(scene, 0, "mu", 0.5);
  test_scene_boundary(scene, 0);
  for (int k = 0; k < 5; k++)
    test_scene_box(scene, length, (const double[3]){0.02 * k, 0.01 * k, 0.1 + 0.11 * k},
                   k % 2 ? tilt : NULL, 0);
  test_scene_sphere(scene, 0.03, 0.05, 0, 0.8);
}

/* Saved in the middle and gone on with: the same bits. */
TEST(a_fall_of_blocks_restarts_to_the_last_bit) {
  const char *path = TEST_BINARY_DIR "/tests/tmp/convex_blocks.h5";
  TestScene whole, half, rest;
  leaning(&whole);
  leaning(&half);
  leaning(&rest);
  CHECK_OK(dls_file_make_folder(TEST_BINARY_DIR "/tests/tmp"));
  test_scene_run(&whole, 200);
  test_scene_run(&half, 97);
  CHECK_OK(dls_checkpoint_write(path, half.simulation, NULL));
  CHECK_OK(dls_checkpoint_read(path, rest.simulation, false, NULL));
  for (int k = 97; k < 200; k++) CHECK_OK(dls_simulation_step(rest.simulation));
  CHECK_INT(rest.world->count, whole.world->count);
  for (int i = 0; i < whole.world->count; i++) {
    CHECK(memcmp(whole.world->position[i], rest.world->position[i], 24) == 0);
    CHECK(memcmp(whole.world->orientation[i], rest.world->orientation[i], 32) == 0);
    CHECK(memcmp(whole.world->velocity[i], rest.world->velocity[i], 48) == 0);
  }
  CHECK(whole.simulation->last.contacts.count > 10);
  dls_simulation_destroy(&whole.simulation);
  dls_simulation_destroy(&half.simulation);
  dls_simulation_destroy(&rest.simulation);
}
