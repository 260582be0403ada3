/* How often a step looks for contacts: once where bodies rest, again where some are thrown. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "detect/detect.h"
#include "tests/blocks.h"

static long detections(const TestScene *scene) {
  return dls_detector_report(scene->simulation->detector).detections;
}

/* Columns of boxes, or of spheres, side by side on a plane or on a fixed block. */
static void columns(TestScene *scene, int dim, int kind, bool on_block) {
  const double length[3] = {0.1, dim == 2 ? 0.08 : 0.12, 0.08}, floor[3] = {5, dim == 2 ? 1 : 5, 1};
  double below[3] = {0};
  test_scene_open(scene, dim, &dls_scheme_euler, 1e-3, "coulomb");
  scene->simulation->settings.limits.tolerance = 1e-6;
  test_scene_set(scene, 0, "mu", 0.5);
  below[dim - 1] = -0.5;
  if (on_block)
    test_scene_box(scene, floor, below, NULL, DLS_FIXED_ALL);
  else
    test_scene_boundary(scene, 0);
  for (int i = 0; i < 3; i++)
    for (int k = 0; k < 4; k++) {
      double x[3] = {0.11 * i, 0, 0};
      x[dim - 1] = 0.04 + 0.08 * k;
      if (kind == 0)
        test_scene_box(scene, length, x, NULL, 0);
      else
        test_scene_sphere(scene, 0.04, x[0], x[1], x[2]);
    }
}

TEST(what_rests_is_looked_at_once_in_a_step) {
  enum { STEPS = 50 };
  for (int dim = 2; dim <= 3; dim++)
    for (int kind = 0; kind < 2; kind++)
      for (int on_block = 0; on_block < 2; on_block++) {
        TestScene scene;
        columns(&scene, dim, kind, on_block);
        test_scene_run(&scene, 5);
        const long before = detections(&scene);
        test_scene_run(&scene, STEPS);
        CHECK_INT(detections(&scene) - before, STEPS);
        if (getenv("DELASSUS_SHOW"))
          printf("%d-D, %s on a %s: %.2f detections a step\n", dim, kind ? "spheres" : "boxes",
                 on_block ? "block" : "plane", (double)(detections(&scene) - before) / STEPS);
        test_scene_close(&scene);
      }
}

/* A ball hits the first of two that were apart by more than any free way: the second is found
 * because the first is looked at again, and is not entered. */
TEST(what_is_thrown_is_looked_at_again) {
  TestScene scene;
  const double r = 0.05, gap = 1e-3, speed = 10;
  test_scene_open(&scene, 3, &dls_scheme_euler, 1e-3, "coulomb");
  for (int k = 0; k < 3; k++) scene.gravity[k] = 0;
  const int first = test_scene_sphere(&scene, r, 0, 0, 0);
  test_scene_sphere(&scene, r, 2 * r + gap, 0, 0);
  test_scene_sphere(&scene, r, 4 * r + 2.5 * gap, 0, 0);
  scene.world->velocity[first][0] = speed;
  long most = 0;
  for (int k = 0; k < 20; k++) {
    const long before = detections(&scene);
    test_scene_run(&scene, 1);
    most = detections(&scene) - before > most ? detections(&scene) - before : most;
    for (int b = 0; b < 2; b++)
      CHECK(scene.world->position[b + 1][0] - scene.world->position[b][0] >= 2 * r * (1 - 1e-9));
  }
  CHECK(most > 1);
  test_scene_close(&scene);
}
