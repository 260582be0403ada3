/* Cost of detection among solids with corners, in us per near pair: a running-bond wall of bricks,
 * hulls of 20 points, hexagonal prisms and 2-D hexagons that touch, and spheres beside them. A near
 * pair is one whose boxes, swept, are within the alert distance: what the narrow phase is asked
 * for. Prints a table; judges nothing.   usage: delassus_bench_convex [bodies [repeats]] */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/pool.h"
#include "base/random.h"
#include "detect/detect.h"
#include "tests/bench/cost.h"
#include "world/convex.h"

static void shape_of(int dim, DlsConvexNumbers *n, DlsShape *out) {
  const DlsShapePart part = {.kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number};
  must(dls_shape_compose(dim, 1, &part, out));
  free(n->number);
}

static void put(DlsWorld *world, const DlsShape *shape, const double x[3], const double q[4]) {
  DlsBody body = {.shape = shape, .density = 2500};
  memcpy(body.position, x, sizeof body.position);
  if (q) memcpy(body.orientation, q, sizeof body.orientation);
  must(dls_world_add_body(world, &body));
}

static DlsWorld *new_world(int dim, int n) {
  DlsWorld *world;
  must(dls_world_create(dim, &world));
  must(dls_world_reserve(world, n, n));
  return world;
}

/* Bricks of 20 x 10 x 5 cm in courses of 40, each course half a brick on. */
static DlsWorld *wall(int n) {
  const double length[3] = {0.2, 0.1, 0.05};
  DlsWorld *world = new_world(3, n);
  DlsConvexNumbers numbers;
  DlsShape brick;
  must(dls_convex_box(3, 0, length, &numbers));
  shape_of(3, &numbers, &brick);
  for (int i = 0; i < n; i++) {
    const int course = i / 40;
    const double x[3] = {0.2 * (i % 40 + 0.5 * (course % 2)), 0, 0.05 * course + 0.025};
    put(world, &brick, x, NULL);
  }
  dls_shape_clear(&brick);
  return world;
}

static void random_turn(DlsRandom *random, int dim, double q[4]) {
  double norm = 0;
  for (int k = 0; k < 4; k++) {
    q[k] = dim == 2 && (k == 1 || k == 2) ? 0 : dls_random_normal(random);
    norm += q[k] * q[k];
  }
  for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
}

/* Solids at random turns on a jittered lattice of a pitch at which neighbours touch or overlap
 * a little. */
static DlsWorld *lattice(int dim, int n, int shapes, const DlsShape *shape, double pitch) {
  const int side = (int)ceil(dim == 3 ? cbrt(n) : sqrt(n));
  DlsWorld *world = new_world(dim, n);
  DlsRandom random;
  dls_random_seed(&random, 3);
  for (int i = 0; i < n; i++) {
    double x[3] = {i % side * pitch, i / side % side * pitch, i / side / side * pitch}, q[4];
    for (int k = 0; k < dim; k++) x[k] += 0.05 * pitch * dls_random_between(&random, -1, 1);
    random_turn(&random, dim, q);
    put(world, &shape[i % shapes], x, q);
  }
  return world;
}

static DlsWorld *hulls(int n) {
  enum { SHAPES = 16, POINTS = 20 };
  DlsShape shape[SHAPES];
  DlsRandom random;
  dls_random_seed(&random, 4);
  for (int s = 0; s < SHAPES; s++) {
    double point[POINTS][3];
    DlsConvexNumbers numbers;
    for (int p = 0; p < POINTS; p++) {
      double norm = 0;
      for (int k = 0; k < 3; k++) point[p][k] = dls_random_normal(&random);
      norm =
          sqrt(point[p][0] * point[p][0] + point[p][1] * point[p][1] + point[p][2] * point[p][2]);
      for (int k = 0; k < 3; k++) point[p][k] /= norm;
    }
    must(dls_convex_hull(3, 0, POINTS, (const double(*)[3])point, &numbers));
    shape_of(3, &numbers, &shape[s]);
  }
  DlsWorld *world = lattice(3, n, SHAPES, shape, 1.72);
  for (int s = 0; s < SHAPES; s++) dls_shape_clear(&shape[s]);
  return world;
}

static DlsWorld *prisms(int n) {
  double corner[6][3] = {{0}};
  DlsConvexNumbers numbers;
  DlsShape shape;
  for (int k = 0; k < 6; k++) {
    corner[k][0] = cos(M_PI / 3 * k);
    corner[k][1] = sin(M_PI / 3 * k);
  }
  must(dls_convex_prism(0, 6, (const double(*)[3])corner, 1.6, &numbers));
  shape_of(3, &numbers, &shape);
  DlsWorld *world = lattice(3, n, 1, &shape, 1.86);
  dls_shape_clear(&shape);
  return world;
}

static DlsWorld *polygons(int n) {
  DlsConvexNumbers numbers;
  DlsShape shape;
  must(dls_convex_regular(0, 6, 1, &numbers));
  shape_of(2, &numbers, &shape);
  DlsWorld *world = lattice(2, n, 1, &shape, 1.9);
  dls_shape_clear(&shape);
  return world;
}

static DlsWorld *spheres(int n) {
  DlsShape unit;
  must(dls_shape_sphere(3, 1, &unit));
  DlsWorld *world = lattice(3, n, 1, &unit, 2.0);
  dls_shape_clear(&unit);
  return world;
}

static void measure(const char *name, DlsWorld *world, int repeat) {
  const DlsDetection where = {.alert = 1e-3, .horizon = 0};
  DlsDetector *detector;
  DlsContactSet set = {0};
  double build = 0, keep = 0;
  must(dls_detector_create(&detector));
  must(dls_detect(detector, world, &where, &set));
  for (int i = 0; i < repeat; i++) {
    dls_detector_forget(detector);
    double start = now();
    must(dls_detect(detector, world, &where, &set));
    build += now() - start;
    start = now();
    must(dls_detect(detector, world, &where, &set));
    keep += now() - start;
  }
  const DlsDetectorReport report = dls_detector_report(detector);
  const double n = world->count,
               near = report.near > 0 ? (double)report.near : (double)report.pairs;
  printf("%-9s %7d %10.2f %8.2f %7.2f %12.3f %12.3f %9.0f\n", name, world->count, set.count / n,
         (double)report.pairs / n, (double)report.near / n, 1e6 * build / repeat / near,
         1e6 * keep / repeat / near, (double)dls_detector_bytes(detector) / n);
  fflush(stdout);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_world_destroy(&world);
}

int main(int argc, char **argv) {
  dls_pool_set(1); /* processor time of one core */
  const int n = argc > 1 ? atoi(argv[1]) : 1000, repeat = argc > 2 ? atoi(argv[2]) : 20;
  printf("%-9s %7s %10s %8s %7s %12s %12s %9s\n", "", "bodies", "contacts/N", "pairs/N", "near/N",
         "anew us/near", "kept us/near", "lists B/N");
  measure("bricks", wall(n), repeat);
  measure("hulls", hulls(n), repeat);
  measure("prisms", prisms(n), repeat);
  measure("hexagons", polygons(n), repeat);
  measure("spheres", spheres(n), repeat);
  return 0;
}
