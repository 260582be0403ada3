/* Nearest points of triangle surfaces: a cube of triangles as the box is met, a floor of random
 * diagonals as one plane, and many places against all triangles one by one. */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/boundary/boundary.h"
#include "world/facets.h"

static DlsFacets *from_text(const char *text) {
  DlsMesh mesh;
  DlsMeshTriangles triangles;
  DlsFacets *out = NULL;
  CHECK_OK(dls_mesh_read_bytes("surface.obj", text, strlen(text), &mesh));
  CHECK_OK(dls_mesh_triangles(&mesh, "surface.obj", -1, &triangles));
  CHECK_OK(dls_facets_make(3, false, "surface.obj", mesh.nodes, (const double(*)[3])mesh.node,
                           triangles.count, (const int(*)[3])triangles.corner, &out));
  dls_mesh_triangles_clear(&triangles);
  dls_mesh_clear(&mesh);
  return out;
}

TEST(a_cube_of_triangles_is_met_as_the_box) {
  DlsFacets *s = from_text("v -1 -1 -1\nv 1 -1 -1\nv -1 1 -1\nv 1 1 -1\nv -1 -1 1\nv 1 -1 1\n"
                           "v -1 1 1\nv 1 1 1\nf 1 5 7 3\nf 2 4 8 6\nf 1 2 6 5\nf 3 7 8 4\n"
                           "f 1 3 4 2\nf 5 6 8 7\n");
  const DlsBoundary box = {
      .kind = DLS_BOUNDARY_BOX, .length = {2, 2, 2}, .orientation = {1, 0, 0, 0}};
  DlsRandom random;
  int edges = 0;
  dls_random_seed(&random, 5);
  CHECK(s->closed);
  for (int n = 0; n < 20000; n++) {
    double c[3], most = 0;
    for (int k = 0; k < 3; k++) {
      c[k] = dls_random_between(&random, -2, 2);
      most = fmax(most, fabs(c[k]));
    }
    if (most < 1 + 1e-6) continue;
    DlsNear near[DLS_MAX_FEATURES];
    DlsFacetPoint point[8];
    const int boxes = dls_boundary_near(3, &box, c, 3, near);
    const int points = dls_facets_near(s, c, 3, 0, 8, point);
    CHECK_INT(points, 1);
    CHECK_INT(boxes, 1);
    CHECK_NEAR(point[0].distance, near[0].distance, 1e-12);
    for (int k = 0; k < 3; k++) CHECK_NEAR(point[0].normal[k], near[0].normal[k], 1e-12);
    edges += point[0].edge;
  }
  CHECK(edges > 1000);
  dls_facets_release(&s);
}

enum { SIDE = 32 }; /* 2 x 31 x 31 = 1922 triangles */

TEST(a_floor_of_random_diagonals_is_one_plane) {
  char *text = calloc(1, 1 << 17), *at = text;
  DlsRandom random;
  dls_random_seed(&random, 11);
  for (int n = 0; n < SIDE * SIDE; n++) at += sprintf(at, "v %d %d 0\n", n % SIDE, n / SIDE);
  for (int j = 0; j + 1 < SIDE; j++)
    for (int i = 0; i + 1 < SIDE; i++) {
      const int a = j * SIDE + i + 1, b = a + 1, c = a + SIDE, d = c + 1;
      at += dls_random_below(&random, 2)
                ? sprintf(at, "f %d %d %d\nf %d %d %d\n", a, b, d, a, d, c)
                : sprintf(at, "f %d %d %d\nf %d %d %d\n", a, b, c, b, d, c);
    }
  DlsFacets *s = from_text(text);
  for (int n = 0; n < 20000; n++) {
    /* Also right above edges, corners and diagonals, and within round-off of them. */
    double c[3] = {dls_random_between(&random, 1, SIDE - 2),
                   dls_random_between(&random, 1, SIDE - 2), dls_random_between(&random, 0.01, 3)};
    if (n % 4 == 1) c[0] = floor(c[0]);
    if (n % 4 == 2)
      c[0] = floor(c[0]) + dls_random_between(&random, -1e-15, 1e-15), c[1] = floor(c[1]);
    if (n % 4 == 3) c[1] = floor(c[1]) + (c[0] - floor(c[0]));
    DlsFacetPoint point[8];
    CHECK_INT(dls_facets_near(s, c, 4, 0, 8, point), 1);
    CHECK_NEAR(point[0].distance, c[2], 1e-14);
    CHECK_NEAR(point[0].normal[2], 1, 0);
  }
  dls_facets_release(&s);
  free(text);
}

/* The distance to a triangle by minimising over its barycentric coordinates: an independent way,
 * exact by the cases of the quadratic program. */
static double distance_to(const double a[3], const double b[3], const double c[3],
                          const double x[3]) {
  double least = HUGE_VAL;
  const double *v[3] = {a, b, c};
  for (int e = 0; e < 3; e++) {
    const double *p = v[e], *q = v[(e + 1) % 3];
    double pp = 0, px = 0, square = 0;
    for (int k = 0; k < 3; k++)
      pp += (q[k] - p[k]) * (q[k] - p[k]), px += (q[k] - p[k]) * (x[k] - p[k]);
    const double t = fmax(0, fmin(1, px / pp));
    for (int k = 0; k < 3; k++) square += pow(x[k] - p[k] - t * (q[k] - p[k]), 2);
    least = fmin(least, sqrt(square));
  }
  double uu = 0, uv = 0, vv = 0, ux = 0, vx = 0, square = 0;
  for (int k = 0; k < 3; k++) {
    const double u = b[k] - a[k], w = c[k] - a[k], y = x[k] - a[k];
    uu += u * u, uv += u * w, vv += w * w, ux += u * y, vx += w * y;
  }
  const double det = uu * vv - uv * uv, s = (vv * ux - uv * vx) / det,
               t = (uu * vx - uv * ux) / det;
  if (s < 0 || t < 0 || s + t > 1) return least;
  for (int k = 0; k < 3; k++) square += pow(x[k] - a[k] - s * (b[k] - a[k]) - t * (c[k] - a[k]), 2);
  return fmin(least, sqrt(square));
}

TEST(the_nearest_of_all_triangles_is_found) {
  char *text = calloc(1, 1 << 17), *at = text;
  DlsRandom random;
  dls_random_seed(&random, 17);
  for (int n = 0; n < 400; n++)
    at += sprintf(at, "v %d %d %.17g\n", n % 20, n / 20, dls_random_between(&random, -1, 1));
  for (int j = 0; j < 19; j++)
    for (int i = 0; i < 19; i++) {
      const int a = 20 * j + i + 1;
      at += sprintf(at, "f %d %d %d\nf %d %d %d\n", a, a + 1, a + 21, a, a + 21, a + 20);
    }
  DlsFacets *s = from_text(text);
  for (int n = 0; n < 10000; n++) {
    const double c[3] = {dls_random_between(&random, 1, 18), dls_random_between(&random, 1, 18),
                         dls_random_between(&random, 1.01, 4)}; /* above all of it */
    double least = HUGE_VAL, found = HUGE_VAL;
    for (int t = 0; t < s->count; t++)
      least = fmin(least, distance_to(s->node[s->corner[t][0]], s->node[s->corner[t][1]],
                                      s->node[s->corner[t][2]], c));
    DlsFacetPoint point[8];
    const int count = dls_facets_near(s, c, 6, 0, 8, point);
    for (int k = 0; k < count; k++) found = fmin(found, point[k].distance);
    CHECK_NEAR(found, least, 1e-12);
  }
  dls_facets_release(&s);
  free(text);
}
