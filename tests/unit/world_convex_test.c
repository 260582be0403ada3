/* Convex solids: moments in closed form, hulls, and what is refused. */
#include "world/convex.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "tests/test.h"
#include "world/rotation.h"
#include "world/shape.h"

static const double pi = 3.14159265358979323846;

static DlsSolid solid_of(int dim, const DlsConvexNumbers *n, double scale) {
  return (DlsSolid){
      .dim = dim, .kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number, .scale = scale};
}

static DlsMoments moments_of(int dim, const DlsConvexNumbers *n, double scale) {
  const DlsSolid solid = solid_of(dim, n, scale);
  DlsMoments m;
  CHECK_OK(dls_shape_convex.check(&solid));
  dls_shape_convex.moments(&solid, &m);
  return m;
}

TEST(box_has_its_textbook_moments_at_any_scale) {
  const double length[3] = {2, 3, 5}, s = 0.5;
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_box(3, 0, length, &n));
  const DlsMoments m = moments_of(3, &n, s);
  CHECK_NEAR(m.volume, 30 * s * s * s, 1e-14);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(m.first[k], 0, 1e-15);
    CHECK_NEAR(m.second[k], m.volume * length[k] * length[k] * s * s / 12, 1e-13);
    CHECK_NEAR(m.second[3 + k], 0, 1e-15);
  }
  const DlsSolid solid = solid_of(3, &n, s);
  CHECK_NEAR(dls_shape_convex.reach(&solid), s * sqrt(38) / 2, 1e-15);
  CHECK_NEAR(dls_shape_convex.size(&solid), s, 1e-15);
  CHECK(dls_shape_convex.features(&solid) == 8 + 12 + 6);
  free(n.number);
}

/* Corners at the origin and on the axes: V = 1/6, int x = 1/24, int x^2 = 1/60, int x y = 1/120. */
TEST(tetrahedron_off_its_centre_is_exact) {
  const double v[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_hull(3, 0, 4, v, &n));
  const DlsMoments m = moments_of(3, &n, 1);
  CHECK_NEAR(m.volume, 1.0 / 6, 1e-16);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(m.first[k], 1.0 / 24, 1e-16);
    CHECK_NEAR(m.second[k], 1.0 / 60, 1e-16);
    CHECK_NEAR(m.second[3 + k], 1.0 / 120, 1e-16);
  }
  free(n.number);
}

/* A half of the rounded box by pieces: core, slabs, quarter cylinders, ball; all about x. */
TEST(rounded_box_has_the_moments_of_its_pieces) {
  const double L[3] = {2, 3, 5}, r = 0.25;
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_box(3, r, L, &n));
  const DlsMoments m = moments_of(3, &n, 1);
  double half[3], volume = 4.0 / 3 * pi * r * r * r;
  for (int k = 0; k < 3; k++) half[k] = L[k] / 2 - r;
  const double core = 8 * half[0] * half[1] * half[2];
  for (int k = 0; k < 3; k++) volume += core * r / half[k] + pi * r * r * 2 * half[k];
  CHECK_NEAR(m.volume, volume + core, 1e-13);
  for (int k = 0; k < 3; k++) {
    const double a = half[k], b = half[(k + 1) % 3], c = half[(k + 2) % 3];
    const double out = (pow(a + r, 3) - pow(a, 3)) / 3;
    const double second =
        core * a * a / 3 + 8 * b * c * out + 8 * a * r * (b + c) * a * a / 3 +
        pi * r * r * 2 * a * a * a / 3 +
        2 * (b + c) * (pi * r * r * a * a + 8.0 / 3 * a * r * r * r + pi * pow(r, 4) / 4) +
        4.0 / 3 * pi * pow(r, 3) * a * a + pi * a * pow(r, 4) + 4 * pi * pow(r, 5) / 15;
    CHECK_NEAR(m.second[k], second, 1e-12);
    CHECK_NEAR(m.first[k], 0, 1e-14);
    CHECK_NEAR(m.second[3 + k], 0, 1e-14);
  }
  free(n.number);
}

TEST(capsule_is_exact_in_both_dimensions) {
  const double a = 0.7, r = 0.3;
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_capsule(3, r, a, &n));
  DlsMoments m = moments_of(3, &n, 1);
  const double rod = 2 * pi * r * r * a, ball = 4.0 / 3 * pi * r * r * r;
  CHECK_NEAR(m.volume, rod + ball, 1e-15);
  CHECK_NEAR(m.second[0], rod * a * a / 3 + ball * (r * r / 5 + a * a + 2 * a * 3 * r / 8), 1e-15);
  CHECK_NEAR(m.second[1], rod * r * r / 4 + ball * r * r / 5, 1e-15);
  CHECK_NEAR(m.second[2], m.second[1], 1e-15);
  free(n.number);
  CHECK_OK(dls_convex_capsule(2, r, a, &n));
  m = moments_of(2, &n, 1);
  const double box = 4 * a * r, disk = pi * r * r;
  CHECK_NEAR(m.volume, box + disk, 1e-15);
  CHECK_NEAR(m.second[0], box * a * a / 3 + disk * (r * r / 4 + a * a + 8 * a * r / (3 * pi)),
             1e-15);
  CHECK_NEAR(m.second[1], box * r * r / 3 + disk * r * r / 4, 1e-15);
  free(n.number);
}

/* Area n R^2 sin(2 pi/n) / 2, polar moment A R^2 (2 + cos(2 pi/n)) / 6 of the regular polygon; of
 * the rounded one area + perimeter r + pi r^2 of its core. */
TEST(polygons_have_their_textbook_moments) {
  for (int corners = 3; corners < 9; corners++) {
    const double R = 1.5, turn = 2 * pi / corners, r = 0.2;
    DlsConvexNumbers n;
    CHECK_OK(dls_convex_regular(0, corners, R, &n));
    DlsMoments m = moments_of(2, &n, 1);
    CHECK_NEAR(m.volume, corners * R * R * sin(turn) / 2, 1e-14);
    CHECK_NEAR(m.second[0] + m.second[1], m.volume * R * R * (2 + cos(turn)) / 6, 1e-13);
    free(n.number);
    CHECK_OK(dls_convex_regular(r, corners, R, &n));
    m = moments_of(2, &n, 1);
    const double core = R - r / cos(pi / corners);
    CHECK_NEAR(m.volume,
               corners * core * core * sin(turn) / 2 + 2 * corners * core * sin(turn / 2) * r +
                   pi * r * r,
               1e-14);
    CHECK_NEAR(m.first[0], 0, 1e-14);
    free(n.number);
  }
}

/* Points well inside a random hull, and on its faces, are no vertices; a turned and moved hull has
 * the turned and moved moments; and a rounded one those that its points tell, by counting. */
TEST(hulls_of_random_points) {
  DlsRandom random;
  dls_random_seed(&random, 7);
  for (int trial = 0; trial < 20; trial++) {
    double p[48][3];
    DlsConvexNumbers n;
    for (int k = 0; k < 40; k++) { /* on an ellipsoid: all are vertices */
      double length = 0;
      for (int i = 0; i < 3; i++) p[k][i] = dls_random_unit(&random) - 0.5;
      length = dls_vector_norm(p[k]);
      for (int i = 0; i < 3; i++) p[k][i] *= (1 + 0.3 * i) / length;
    }
    for (int k = 40; k < 48; k++)
      for (int i = 0; i < 3; i++) p[k][i] = 0.2 * p[k - 40][i] + 0.2 * p[k - 30][i];
    CHECK_OK(dls_convex_hull(3, 0, 48, (const double(*)[3])p, &n));
    const DlsSolid solid = solid_of(3, &n, 1);
    const DlsConvex c = dls_convex_view(&solid);
    CHECK(c.vertices == 40);
    CHECK(c.vertices - c.edges + c.faces == 2); /* Euler */
    for (int k = 40; k < 48; k++) CHECK(dls_shape_convex.contains(&solid, p[k]));
    free(n.number);
  }
}

TEST(counting_points_agrees_with_rounded_moments) {
  enum { SIDE = 60 };
  const double v[4][3] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 0.9, 0}, {0.3, 0.2, 0.8}}, r = 0.3;
  const double low = -0.4, step = 1.8 / SIDE;
  DlsConvexNumbers n;
  DlsMoments sum = {0};
  CHECK_OK(dls_convex_hull(3, r, 4, v, &n));
  const DlsSolid solid = solid_of(3, &n, 1);
  const DlsMoments m = moments_of(3, &n, 1);
  for (int i = 0; i < SIDE * SIDE * SIDE; i++) {
    const double x[3] = {low + (i % SIDE + 0.5) * step, low + (i / SIDE % SIDE + 0.5) * step,
                         low + (i / SIDE / SIDE + 0.5) * step};
    if (!dls_shape_convex.contains(&solid, x)) continue;
    sum.volume += step * step * step;
    for (int k = 0; k < 3; k++) {
      sum.first[k] += x[k] * step * step * step;
      sum.second[k] += x[k] * x[k] * step * step * step;
      sum.second[3 + k] += x[k] * x[(k + 1) % 3] * step * step * step;
    }
  }
  /* The surface passes cells at random: N_s = 6 SIDE^2 cells of variance below 1/4 each, so that
   * six sigma are 3 sqrt(6) SIDE cells. */
  const double slack = 3 * sqrt(6) * SIDE * step * step * step;
  CHECK_NEAR(m.volume, sum.volume, slack);
  for (int k = 0; k < 3; k++) {
    CHECK_NEAR(m.first[k], sum.first[k], slack * 1.4);
    CHECK_NEAR(m.second[k], sum.second[k], slack * 2);
    CHECK_NEAR(m.second[3 + k], sum.second[3 + k], slack * 2);
  }
  free(n.number);
}

TEST(what_is_no_convex_solid_is_refused_with_its_first_fault) {
  const double v[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  const int start[5] = {0, 3, 6, 9, 12};
  const int good[12] = {0, 2, 1, 0, 1, 3, 1, 2, 3, 2, 0, 3};
  int bad[12];
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_build(3, 0, 4, v, 4, start, good, &n));
  free(n.number);
  memcpy(bad, good, sizeof bad);
  bad[1] = 1, bad[2] = 2; /* one face turned over */
  CHECK(dls_convex_build(3, 0, 4, v, 4, start, bad, &n) == DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "turned against each other"));
  for (int k = 0; k < 12; k += 3)
    bad[k] = good[k], bad[k + 1] = good[k + 2], bad[k + 2] = good[k + 1];
  CHECK(dls_convex_build(3, 0, 4, v, 4, start, bad, &n) == DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "wrong way"));
  memcpy(bad, good, sizeof bad);
  bad[9] = 0, bad[10] = 1, bad[11] = 2;
  CHECK(dls_convex_build(3, 0, 4, v, 4, start, bad, &n) == DLS_ERR_ARGUMENT);
  const double flat[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}};
  CHECK(dls_convex_hull(3, 0, 4, flat, &n) == DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "one plane"));
  const double dent[4][3] = {{0, 0, 0}, {1, 0, 0}, {0.2, 0.2, 0}, {0, 1, 0}};
  CHECK(dls_convex_build(2, 0, 4, dent, 0, NULL, NULL, &n) == DLS_ERR_ARGUMENT);
  CHECK(strstr(dls_error_message(), "not convex"));
  CHECK(dls_convex_box(3, 0.5, (const double[3]){1, 2, 3}, &n) == DLS_ERR_ARGUMENT);
}
