/* A deformable block with everything that it may meet, by nodes, points of integration and mortar:
 * what lies on it, or what it lies on, comes to rest, and the contacts carry the weight. The table
 * of docs/deformable.md names these pairs. */
#include <stdio.h>

#include "tests/facets.h"
#include "tests/meshed_block.h"

#include "world/convex.h"

static const double density = 1000, stiff = 1e7, nu = 0.3, depth = 0.3;
static const char *const ways[] = {"nodes", "quadrature", "mortar"};

static unsigned char held_foot_2(const double X[3]) { return X[1] < -0.29 ? 3 : 0; }
static unsigned char held_foot_3(const double X[3]) { return X[2] < -0.29 ? 7 : 0; }

static void open_scene(TestScene *scene, int dim) {
  test_scene_open(scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(scene, 0, "mu", 0.5);
  scene->simulation->settings.theta = 1;               /* comes to rest */
  scene->simulation->settings.limits.tolerance = 1e-6; /* points of integration share
                                                      what they bear in many ways */
}

/* From -0.5 to 0.5 along x (and y), its top at `top`. */
static Block add_block(TestScene *scene, double top, DlsMeetBy meet, int cells, bool held) {
  const int dim = scene->world->dim;
  BlockSetup s = {.cells = {cells, dim == 2 ? 2 : cells, 2},
                  .length = {1, dim == 2 ? depth : 1, depth},
                  .low = {-0.5, dim == 2 ? top - depth : -0.5, top - depth},
                  .E = stiff,
                  .nu = nu,
                  .density = density,
                  .meet = meet};
  if (held) s.held = dim == 2 ? held_foot_2 : held_foot_3;
  return block_add(scene, &s);
}

/* N: what the contacts of body `who` (or, below 0, of that boundary) exert upwards on what is above
 * them in the last step. */
static double carried(const TestScene *scene, int who) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  const DlsContactSet *set = &s->last.contacts;
  const int block = a->run.block, up = scene->world->dim - 1;
  double sum = 0;
  for (int i = 0; i < a->step.count; i++) {
    const int c = a->step.in_set[i];
    if (set->candidate[c] != who && set->antagonist[c] != who) continue;
    double force = 0;
    for (int k = 0; k < block; k++) force += a->solve.r[i * block + k] * set->frame[c][3 * k + up];
    sum += (set->candidate[c] == who ? 1 : -1) * force / s->settings.h;
  }
  return sum;
}

static void check_rest(TestScene *scene, int who, double weight, const char *what, int way) {
  test_scene_run(scene, 400);
  const double force = fabs(carried(scene, who));
  if (fabs(force - weight) > 1e-3 * weight)
    printf("%d-D, %s by %s: %g N for %g N\n", scene->world->dim, what, ways[way], force, weight);
  CHECK_NEAR(force, weight, 1e-3 * weight);
}

TEST(a_block_lies_on_a_wall_and_on_a_mesh) {
  static const double line[3][3] = {{-1}, {0.13}, {1}}; /* solid below */
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 3; way++)
      for (int facets = 0; facets < 2; facets++) {
        TestScene scene;
        open_scene(&scene, dim);
        if (!facets)
          test_scene_boundary(&scene, 0);
        else
          test_scene_facets(&scene, dim == 2 ? test_line(3, line, false, false)
                                             : test_ground(3, 1, test_flat, 7));
        Block b = add_block(&scene, depth, (DlsMeetBy)way, 5, false);
        check_rest(&scene, -1, density * depth * test_g, facets ? "a mesh" : "a wall", way);
        test_scene_close(&scene);
        block_clear(&b);
      }
}

TEST(balls_lie_on_a_block) {
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 3; way++)
      for (int large = 0; large < 2; large++) {
        TestScene scene;
        const double radius = large ? 0.8 : 0.1;
        open_scene(&scene, dim);
        Block b = add_block(&scene, 0, (DlsMeetBy)way, 6, true);
        const DlsElement element = {.radius = radius};
        DlsShape shape;
        CHECK_OK(dls_shape_cluster(dim, 1, &element, &shape));
        DlsBody round = {.shape = &shape, .density = density / (large ? 100 : 1)};
        round.position[dim - 1] = radius;
        CHECK_OK(dls_world_add_body(scene.world, &round));
        dls_shape_clear(&shape);
        const int ball = scene.world->count - 1;
        test_scene_run(&scene, large ? 600 : 0); /* it swings for longer */
        check_rest(&scene, ball, scene.world->mass[ball] * test_g,
                   large ? "a large ball" : "a small ball", way);
        test_scene_close(&scene);
        block_clear(&b);
      }
}

TEST(a_polygon_and_a_polyhedron_lie_on_a_block) {
  const double length[3] = {0.33, 0.27, 0.2};
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 3; way++) {
      TestScene scene;
      DlsConvexNumbers numbers;
      DlsShape shape;
      open_scene(&scene, dim);
      Block b = add_block(&scene, 0, (DlsMeetBy)way, 5, true);
      CHECK_OK(dls_convex_box(dim, 0, length, &numbers));
      const DlsShapePart part = {
          .kind = DLS_SHAPE_CONVEX, .count = numbers.count, .number = numbers.number};
      CHECK_OK(dls_shape_compose(dim, 1, &part, &shape));
      DlsBody box = {.shape = &shape, .density = density};
      box.position[dim - 1] = length[dim - 1] / 2;
      CHECK_OK(dls_world_add_body(scene.world, &box));
      const int who = scene.world->count - 1;
      dls_shape_clear(&shape);
      free(numbers.number);
      check_rest(&scene, who, scene.world->mass[who] * test_g, "a box", way);
      test_scene_close(&scene);
      block_clear(&b);
    }
}

TEST(a_block_lies_on_a_block) {
  for (int dim = 2; dim <= 3; dim++)
    for (int way = 0; way < 3; way++) {
      TestScene scene;
      open_scene(&scene, dim);
      Block low = add_block(&scene, 0, (DlsMeetBy)way, 5, true);
      Block up = add_block(&scene, depth, (DlsMeetBy)way, 4, false);
      check_rest(&scene, up.body, density * depth * test_g, "a block", way);
      test_scene_close(&scene);
      block_clear(&low), block_clear(&up);
    }
}
