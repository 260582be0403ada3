/* Meshes and lines in tests: heights over a grid, and boundaries made of them. */
#ifndef DELASSUS_TESTS_FACETS_H
#define DELASSUS_TESTS_FACETS_H

#include <stdlib.h>

#include "base/random.h"
#include "tests/simulating.h"

/* z of a place in the plane. */
typedef double TestHeight(double x, double y);

static inline double test_flat(double x, double y) {
  (void)x, (void)y;
  return 0;
}

/* 2 side^2 triangles over the square of half edge `half` about the origin, diagonals at random. */
static inline DlsFacets *test_ground(int side, double half, TestHeight *height, uint64_t seed) {
  const int row = side + 1;
  double(*node)[3] = calloc((size_t)row * (size_t)row, sizeof *node);
  int(*corner)[3] = calloc(2 * (size_t)side * (size_t)side, sizeof *corner);
  DlsRandom random;
  DlsFacets *out = NULL;
  dls_random_seed(&random, seed);
  for (int n = 0; n < row * row; n++) {
    node[n][0] = half * (2.0 * (n % row) / side - 1);
    node[n][1] = half * (2.0 * (n / row) / side - 1);
    node[n][2] = height(node[n][0], node[n][1]);
  }
  int count = 0;
  for (int j = 0; j < side; j++)
    for (int i = 0; i < side; i++) {
      const int a = j * row + i, b = a + 1, c = a + row, d = c + 1;
      const bool up = dls_random_below(&random, 2);
      const int two[2][3] = {{a, b, up ? d : c}, {up ? a : b, d, c}};
      memcpy(corner + count, two, sizeof two);
      count += 2;
    }
  CHECK_OK(dls_facets_make(3, false, "ground", row * row, (const double(*)[3])node, count,
                           (const int(*)[3])corner, &out));
  free(node);
  free(corner);
  return out;
}

/* A line through these points, in 2-D. */
static inline DlsFacets *test_line(int points, const double (*point)[3], bool closed, bool both) {
  int(*corner)[3] = calloc((size_t)points, sizeof *corner);
  DlsFacets *out = NULL;
  for (int t = 0; t < points; t++) corner[t][0] = t, corner[t][1] = (t + 1) % points;
  CHECK_OK(dls_facets_make(2, both, "line", points, point, points - !closed,
                           (const int(*)[3])corner, &out));
  free(corner);
  return out;
}

/* A boundary of them, which then belong to the world. */
static inline DlsBoundary *test_scene_facets(TestScene *scene, DlsFacets *facets) {
  const DlsBoundary boundary = {.kind = scene->world->dim == 3 ? DLS_BOUNDARY_MESH
                                                               : DLS_BOUNDARY_POLYLINE,
                                .facets = facets,
                                .orientation = {1, 0, 0, 0}};
  CHECK_OK(dls_world_add_boundary(scene->world, &boundary));
  dls_facets_release(&facets);
  return &scene->world->boundary[scene->world->boundary_count - 1];
}

#endif
