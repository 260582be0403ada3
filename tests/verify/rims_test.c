/* Solids with corners and boundaries with rims: plates, cylinders and frustums from outside, open
 * containers. The judge is the distance to each of the triangles of a fine mesh of the same form,
 * one by one. */
#include <math.h>

#include "base/random.h"
#include "detect/convex/nearest.h"
#include "detect/detect.h"
#include "tests/blocks.h"

enum { AROUND = 720, HULLS = 150 };

static const double pi = 3.14159265358979323846;

/* A line of the half-plane (rho, z), turned about z. */
typedef struct {
  double from[2], to[2];
} Turned;

static double least_of_triangles(const DlsPosed *solid, const Turned *line, double least) {
  static DlsPosed triangle;
  const double origin[3] = {0};
  for (int k = 0; k < AROUND; k++) {
    const double angle[2] = {2 * pi * k / AROUND, 2 * pi * (k + 1) / AROUND};
    double corner[4][3];
    for (int c = 0; c < 4; c++) {
      const double *p = c < 2 ? line->from : line->to, at = angle[c == 1 || c == 2];
      const double x[3] = {p[0] * cos(at), p[0] * sin(at), p[1]};
      memcpy(corner[c], x, sizeof x);
    }
    for (int half = 0; half < 2; half++) {
      double three[3][3];
      DlsNearest nearest;
      if (line->from[0] == 0 && half == 0) continue; /* on the axis two corners are one */
      if (line->to[0] == 0 && half == 1) continue;
      for (int c = 0; c < 3; c++) memcpy(three[c], corner[half ? (c + 2) % 4 : c], sizeof three[c]);
      dls_posed_triangle((const double(*)[3])three, origin, &triangle);
      dls_convex_nearest(solid, &triangle, least, &nearest);
      least = fmin(least, nearest.distance);
    }
  }
  return least;
}

/* Hulls at places of the region around it: the least gap is the distance. How many were apart. */
static int judge(const DlsBoundary *b, int lines, const Turned *line, double rho, double height,
                 uint64_t seed) {
  static DlsPosed solid;
  const double origin[3] = {0};
  DlsRandom random;
  int apart = 0;
  dls_random_seed(&random, seed);
  for (int n = 0; n < HULLS; n++) {
    TestScene scene;
    DlsContactSet set = {0};
    DlsDetector *detector;
    DlsConvexNumbers numbers;
    DlsPose pose;
    double point[10][3], x[3], q[4], norm = 0, least = HUGE_VAL, distance = HUGE_VAL;
    const double size = dls_random_between(&random, 0.1, 0.8);
    test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
    CHECK_OK(dls_world_add_boundary(scene.world, b));
    for (int k = 0; k < 30; k++) point[k / 3][k % 3] = dls_random_between(&random, -size, size);
    for (int k = 0; k < 3; k++) x[k] = dls_random_between(&random, -1, 1) * (k < 2 ? rho : height);
    for (int k = 0; k < 4; k++) q[k] = dls_random_between(&random, -1, 1), norm += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
    CHECK_OK(dls_convex_hull(3, 0, 10, (const double(*)[3])point, &numbers));
    test_scene_convex(&scene, &numbers, x, q, 0);
    const DlsSolid own = dls_world_solid(scene.world, 0);
    dls_world_element_pose(scene.world, 0, scene.world->position[0], scene.world->orientation[0],
                           &pose);
    dls_posed_solid(&own, &pose, origin, &solid);
    for (int k = 0; k < lines; k++) distance = least_of_triangles(&solid, &line[k], distance);
    CHECK_OK(dls_detector_create(&detector));
    const DlsDetection where = {.alert = fmax(0, distance) + 0.05};
    CHECK_OK(dls_detect(detector, scene.world, &where, &set));
    for (int c = 0; c < set.count; c++) {
      least = fmin(least, set.gap[c]);
      CHECK(isfinite(set.gap[c]) && isfinite(set.point[c][0] + set.point[c][1] + set.point[c][2]));
      for (int k = 0; k < c; k++) CHECK(set.key[c].feature != set.key[k].feature);
    }
    /* The fine mesh is off by (1 - cos(pi / 720)) of the radius, 2e-5; faces within 3 degrees of
     * each other are one direction, heights by its cosine. */
    if (distance > 1e-3) {
      apart++;
      CHECK_TOLD(fabs(least - distance) <= 3e-5 + 0.0014 * distance, "%s, hull %d: %g, not %g",
                 dls_boundary_text(b->kind), n, least, distance);
    }
    dls_contact_set_clear(&set);
    dls_detector_destroy(&detector);
    dls_simulation_destroy(&scene.simulation);
  }
  return apart;
}

TEST(the_least_gap_to_a_plate_is_the_distance) {
  const DlsBoundary b = {
      .kind = DLS_BOUNDARY_PLATE, .radius = {0.5, 1.2}, .orientation = {1, 0, 0, 0}};
  const Turned ring = {{0.5, 0}, {1.2, 0}};
  CHECK(judge(&b, 1, &ring, 1.5, 1.2, 3) > HULLS / 3);
}

TEST(the_least_gap_to_a_cylinder_is_the_distance) {
  const DlsBoundary b = {
      .kind = DLS_BOUNDARY_CYLINDER, .radius = {1}, .length = {1.4}, .orientation = {1, 0, 0, 0}};
  const Turned lines[3] = {{{1, -0.7}, {1, 0.7}}, {{0, 0.7}, {1, 0.7}}, {{0, -0.7}, {1, -0.7}}};
  CHECK(judge(&b, 3, lines, 2.5, 2, 5) > HULLS / 3);
}

TEST(the_least_gap_to_a_frustum_and_to_a_cone_is_the_distance) {
  const DlsBoundary b = {.kind = DLS_BOUNDARY_FRUSTUM,
                         .radius = {1, 0.4},
                         .length = {1.2},
                         .orientation = {1, 0, 0, 0}};
  DlsBoundary cone = b;
  cone.radius[1] = 0;
  const Turned lines[3] = {{{1, -0.6}, {0.4, 0.6}}, {{0, 0.6}, {0.4, 0.6}}, {{0, -0.6}, {1, -0.6}}};
  const Turned tip[2] = {{{1, -0.6}, {0, 0.6}}, {{0, -0.6}, {1, -0.6}}};
  CHECK(judge(&b, 3, lines, 2.2, 2, 7) > HULLS / 3);
  CHECK(judge(&cone, 2, tip, 2.2, 2, 9) > HULLS / 3);
}

/* Of pipes and funnels the wall, from within, from without and at its rims. */
TEST(the_least_gap_to_an_open_container_is_the_distance) {
  const DlsBoundary pipe = {.kind = DLS_BOUNDARY_CYLINDER,
                            .inside = true,
                            .open = DLS_OPEN_Z0 | DLS_OPEN_Z1,
                            .radius = {1},
                            .length = {1.4},
                            .orientation = {1, 0, 0, 0}};
  const DlsBoundary funnel = {.kind = DLS_BOUNDARY_FRUSTUM,
                              .inside = true,
                              .open = DLS_OPEN_Z0 | DLS_OPEN_Z1,
                              .radius = {0.6, 1.3},
                              .length = {1},
                              .orientation = {1, 0, 0, 0}};
  const Turned wall = {{1, -0.7}, {1, 0.7}}, slope = {{0.6, -0.5}, {1.3, 0.5}};
  CHECK(judge(&pipe, 1, &wall, 1.8, 1.5, 11) > HULLS / 3);
  CHECK(judge(&funnel, 1, &slope, 1.8, 1.2, 13) > HULLS / 3);
}

/* A hexagonal prism across the rim of a hole that is smaller than its face, and no corner of it
 * above anything solid: it rests. */
static void rests(const DlsBoundary *b, double top, double radius) {
  TestScene scene;
  DlsConvexNumbers prism;
  double corner[6][3] = {{0}}, x[3] = {0.03, 0.02, top + 0.1 + 1e-6};
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  CHECK_OK(dls_world_add_boundary(scene.world, b));
  for (int k = 0; k < 6; k++)
    corner[k][0] = radius * cos(k * pi / 3), corner[k][1] = radius * sin(k * pi / 3);
  CHECK_OK(dls_convex_prism(0, 6, (const double(*)[3])corner, 0.2, &prism));
  test_scene_convex(&scene, &prism, x, NULL, 0);
  test_scene_run(&scene, 300);
  const double *v = scene.world->velocity[0], *p = scene.world->position[0];
  CHECK_TOLD(fabs(p[2] - top - 0.1) < 1e-5 && fabs(p[0] - x[0]) < 1e-5,
             "%s: the prism stands at %g %g %g, not %g %g %g", dls_boundary_text(b->kind), p[0],
             p[1], p[2], x[0], x[1], x[2]);
  for (int k = 0; k < 6; k++) CHECK(fabs(v[k]) < 1e-5);
  dls_simulation_destroy(&scene.simulation);
}

TEST(a_prism_across_a_rim_rests) {
  const DlsBoundary pipe = {.kind = DLS_BOUNDARY_CYLINDER,
                            .inside = true,
                            .open = DLS_OPEN_Z1,
                            .radius = {0.5},
                            .length = {1},
                            .orientation = {1, 0, 0, 0}};
  const DlsBoundary hole = {
      .kind = DLS_BOUNDARY_PLATE, .radius = {0.5, 0.6}, .orientation = {1, 0, 0, 0}};
  const DlsBoundary box = {.kind = DLS_BOUNDARY_BOX,
                           .inside = true,
                           .open = DLS_OPEN_Z1,
                           .length = {0.9, 0.8, 1},
                           .orientation = {1, 0, 0, 0}};
  const DlsBoundary stump = {.kind = DLS_BOUNDARY_FRUSTUM,
                             .radius = {0.6, 0.4},
                             .length = {1},
                             .orientation = {1, 0, 0, 0}};
  rests(&pipe, 0.5, 0.8);
  rests(&hole, 0, 0.8);
  rests(&box, 0.5, 0.9);
  rests(&stump, 0.5, 0.8);
}

/* A box that leans into the wall of an open container: its corners stay on their side of it,
 * although round-off puts them beyond. */
TEST(a_box_slides_down_an_open_funnel_and_stays_inside) {
  const DlsBoundary funnel = {.kind = DLS_BOUNDARY_FRUSTUM,
                              .inside = true,
                              .open = DLS_OPEN_Z0 | DLS_OPEN_Z1,
                              .radius = {0.11, 0.3},
                              .length = {0.25},
                              .orientation = {1, 0, 0, 0}};
  const double length[3] = {0.1, 0.1, 0.1};
  double q[4] = {0.8, 0.4, 0.4, 0.2};
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
  CHECK_OK(dls_world_add_boundary(scene.world, &funnel));
  for (int n = 0; n < 3; n++) {
    const double x[3] = {0.15 * cos(2.1 * n), 0.15 * sin(2.1 * n), 0.16};
    test_scene_box(&scene, length, x, q, 0);
  }
  for (int k = 0; k < 1000; k++) {
    test_scene_run(&scene, 1);
    for (int i = 0; i < 3; i++) {
      const double *x = scene.world->position[i];
      if (x[2] > 0.125 || x[2] < -0.125) continue;
      CHECK_TOLD(hypot(x[0], x[1]) < 0.205 + 0.76 * x[2], "step %d: box %d is at %g %g %g", k, i,
                 x[0], x[1], x[2]);
    }
  }
  dls_simulation_destroy(&scene.simulation);
}
