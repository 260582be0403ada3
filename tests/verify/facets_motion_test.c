/* Motion on meshes and polylines against what it is on the surfaces that they stand for: rolling
 * over random diagonals, sliding over inner edges, swinging in a bowl. */
#include <math.h>

#include "tests/blocks.h"
#include "tests/facets.h"

enum { SIDE = 32 }; /* 2048 triangles */

/* A ball that rolls without slip keeps its energy; every normal is that of the floor, and one
 * contact, the same, lasts. */
TEST(a_ball_rolls_over_two_thousand_triangles_and_keeps_its_energy) {
  for (int two_sided = 0; two_sided < 2; two_sided++) {
    TestScene scene;
    test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
    test_scene_set(&scene, 0, "mu", 0.5);
    DlsFacets *ground = test_ground(SIDE, 8, test_flat, 3);
    ground->both = two_sided;
    CHECK_INT(ground->patches, 1);
    test_scene_facets(&scene, ground);
    const int body = test_scene_sphere(&scene, 0.3, -6.3, -5.1, 0.3);
    double *v = scene.world->velocity[body];
    v[0] = 3.1, v[1] = 2.3, v[3] = -v[1] / 0.3, v[4] = v[0] / 0.3;
    const double energy = dls_world_kinetic_energy(scene.world);
    dls_simulation_recount(scene.simulation);
    for (int n = 0; n < 4000; n++) {
      CHECK_OK(dls_simulation_step(scene.simulation));
      const DlsContactSet *set = &scene.simulation->last.contacts;
      CHECK_INT(set->count, 1);
      if (set->count != 1) break;
      CHECK_NEAR(set->frame[0][2], 1, 1e-9);
      CHECK(n == 0 || set->previous[0] == 0);
    }
    CHECK_NEAR(dls_world_kinetic_energy(scene.world), energy, 1e-6 * energy);
    CHECK_NEAR(scene.world->position[body][0], -6.3 + 3.1 * 4, 1e-6);
    CHECK_NEAR(scene.world->position[body][2], 0.3, 1e-9);
    test_scene_close(&scene);
  }
}

/* On a plane and on what stands for it, body by body and step by step. */
static void slide(int dim, DlsFacets *facets, const double length[3], const double *q, int steps) {
  TestScene scene[2];
  for (int k = 0; k < 2; k++) {
    double x[3] = {-4.03, dim == 3 ? -3.9 : length[1] / 2, dim == 3 ? length[2] / 2 : 0};
    test_scene_open(&scene[k], dim, &dls_scheme_moreau, 1e-3, "coulomb");
    test_scene_set(&scene[k], 0, "mu", 0.05);
    if (k)
      test_scene_facets(&scene[k], facets);
    else
      test_scene_boundary(&scene[k], 0);
    const int body = test_scene_box(&scene[k], length, x, q, 0);
    scene[k].world->velocity[body][0] = 2.7;
    scene[k].world->velocity[body][1] = dim == 3 ? 2.1 : 0;
    scene[k].world->velocity[body][5] = dim == 3 ? 0.8 : 0;
    dls_simulation_recount(scene[k].simulation);
  }
  for (int n = 0; n < steps; n++) {
    for (int k = 0; k < 2; k++) CHECK_OK(dls_simulation_step(scene[k].simulation));
    const DlsContactSet *plane = &scene[0].simulation->last.contacts,
                        *set = &scene[1].simulation->last.contacts;
    CHECK_INT(set->count, plane->count);
    for (int k = 0; k < 6; k++)
      CHECK_NEAR(scene[1].world->velocity[0][k], scene[0].world->velocity[0][k], 1e-9);
    for (int c = 0; c < set->count && c < plane->count; c++) {
      CHECK_NEAR(set->frame[c][dim - 1], 1, 1e-9);
      CHECK_NEAR(set->area[c], plane->area[c], 1e-9);
      CHECK(n == 0 || set->previous[c] >= 0);
    }
  }
  CHECK(fabs(scene[1].world->position[0][0] + 4.03) > 2); /* over many edges */
  for (int k = 0; k < 2; k++) test_scene_close(&scene[k]);
}

TEST(a_box_slides_over_inner_edges_as_on_a_plane) {
  const double large[3] = {1.7, 1.2, 0.9}, small[3] = {0.2, 0.15, 0.1};
  const double q[4] = {cos(0.3), 0, 0, sin(0.3)};
  slide(3, test_ground(SIDE, 8, test_flat, 5), large, NULL, 1000);
  slide(3, test_ground(SIDE, 8, test_flat, 7), small, q, 1000);
}

TEST(a_polygon_slides_along_a_polyline_as_on_a_plane) {
  double point[60][3] = {{0}};
  const double large[3] = {1.7, 0.9, 0}, small[3] = {0.11, 0.1, 0};
  for (int n = 0; n < 60; n++) point[n][0] = 16.0 * n / 59 - 8; /* to +x: its left is above */
  slide(2, test_line(60, (const double(*)[3])point, false, false), large, NULL, 1000);
  slide(2, test_line(60, (const double(*)[3])point, false, false), small, NULL, 1000);
}

/* A bowl of radius 2 whose nodes are on the sphere. */
static double bowl(double x, double y) { return 2 - sqrt(4 - x * x - y * y); }

static void swing(DlsFacets *facets, double out[3]) {
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 5e-4, "coulomb");
  test_scene_set(&scene, 0, "mu", 0);
  if (facets) {
    test_scene_facets(&scene, facets);
  } else {
    const DlsBoundary ball = {.kind = DLS_BOUNDARY_SPHERE,
                              .inside = true,
                              .radius = {2},
                              .position = {0, 0, 2},
                              .orientation = {1, 0, 0, 0}};
    CHECK_OK(dls_world_add_boundary(scene.world, &ball));
  }
  /* Touching the sphere, 0.3 rad from the bottom. */
  const double r = 0.3, away = 2 - r;
  const int body = test_scene_sphere(&scene, r, away * sin(0.3), 0, 2 - away * cos(0.3));
  scene.world->velocity[body][1] = 0.5;
  test_scene_run(&scene, 3000);
  memcpy(out, scene.world->position[body], 3 * sizeof *out);
  test_scene_close(&scene);
}

/* Chords of edges s stand s^2 / 8 R above the sphere. At each edge the normal turns by s / R and
 * the velocity across it is lost: (s / R)^2 of the energy, at a number of edges as 1 / s. So the
 * place after a swing converges with s. */
TEST(a_ball_in_a_bowl_of_triangles_swings_as_in_the_sphere) {
  static const int side[] = {8, 16, 32, 64};
  double sphere[3], error[DLS_COUNT(side)];
  swing(NULL, sphere);
  for (int k = 0; k < DLS_COUNT(side); k++) {
    double x[3], square = 0;
    swing(test_ground(side[k], 1.2, bowl, 1), x);
    for (int i = 0; i < 3; i++) square += (x[i] - sphere[i]) * (x[i] - sphere[i]);
    error[k] = sqrt(square);
    if (k) CHECK_BELOW(error[k], error[k - 1]);
  }
  CHECK_BELOW(error[3], error[0] / 8);
}

/* A wedge of two walls with an outlet between: `lines`, as one polyline each, bent once. */
static void add_hopper(TestScene *scene, bool lines) {
  static const double corner[2][3][3] = {{{-0.12, 0, 0}, {-0.6, 0.5, 0}, {-0.6, 2.2, 0}},
                                         {{0.12, 0, 0}, {0.6, 0.5, 0}, {0.6, 2.2, 0}}};
  for (int side = 0; side < 2; side++) {
    if (lines) {
      test_scene_facets(scene, test_line(3, corner[side], false, true));
      continue;
    }
    for (int k = 0; k < 2; k++) {
      const double *p = corner[side][k], *q = corner[side][k + 1];
      const double angle = atan2(q[1] - p[1], q[0] - p[0]);
      const DlsBoundary wall = {.kind = DLS_BOUNDARY_SEGMENT,
                                .length = {hypot(q[0] - p[0], q[1] - p[1])},
                                .position = {(p[0] + q[0]) / 2, (p[1] + q[1]) / 2, 0},
                                .orientation = {cos(angle / 2), 0, 0, sin(angle / 2)}};
      CHECK_OK(dls_world_add_boundary(scene->world, &wall));
    }
  }
}

/* How many of 300 disks have left after 1.2 s. */
static int discharge(bool lines, uint64_t seed) {
  TestScene scene;
  DlsRandom random;
  int left = 0;
  dls_random_seed(&random, seed);
  test_scene_open(&scene, 2, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.3);
  scene.simulation->settings.limits.tolerance = 1e-3;
  add_hopper(&scene, lines);
  for (int n = 0; n < 300; n++)
    test_scene_sphere(&scene, dls_random_between(&random, 0.022, 0.028), 0.06 * (n % 18) - 0.51,
                      0.5 + 0.06 * (n / 18), 0);
  test_scene_run(&scene, 1200);
  for (int b = 0; b < scene.world->count; b++) left += scene.world->position[b][1] < 0;
  dls_simulation_destroy(&scene.simulation);
  return left;
}

/* The same walls as segments and as polylines: the same flow, but for what a count fluctuates. */
TEST(a_hopper_of_polylines_flows_as_one_of_segments) {
  const int segments = discharge(false, 1), lines = discharge(true, 1);
  CHECK(segments > 100);
  CHECK_TOLD(abs(segments - lines) <= 3 * sqrt(segments + lines), "%d and %d", segments, lines);
}
