/* Distance and direction of two convex solids against brute force: apart, the least distance over
 * all vertices and triangles of faces and over all pairs of edges; overlapping, the least depth
 * over the normals of all faces and the crosses of all edges, by projecting all vertices.
 * DELASSUS_PAIRS: how many random pairs (20,000 unless told; check-long: a million). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "detect/convex/nearest.h"
#include "tests/test.h"
#include "world/rotation.h"

static const double tolerance = 1e-9; /* of the size */

typedef struct {
  int vertices, triangles, edges;
  double vertex[64][3];
  int triangle[128][3], edge[192][2];
} Soup;

static Soup soup_of(const DlsPosed *p) {
  Soup s = {.vertices = p->core.vertices, .edges = p->core.edges};
  memcpy(s.vertex, p->vertex, (size_t)s.vertices * sizeof *s.vertex);
  for (int e = 0; e < s.edges; e++)
    for (int k = 0; k < 2; k++) s.edge[e][k] = (int)p->core.edge[4 * e + k];
  for (int f = 0; f < p->core.faces; f++) {
    const int first = (int)p->core.start[f], end = (int)p->core.start[f + 1];
    if (p->dim == 2) {
      s.edge[s.edges][0] = (int)p->core.corner[first];
      s.edge[s.edges++][1] = (int)p->core.corner[first + 1];
      continue;
    }
    for (int k = first + 1; k + 1 < end; k++) {
      int *t = s.triangle[s.triangles++];
      t[0] = (int)p->core.corner[first];
      t[1] = (int)p->core.corner[k];
      t[2] = (int)p->core.corner[k + 1];
    }
  }
  return s;
}

static double square_to(const double a[3], const double b[3]) {
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = a[k] - b[k];
  return dls_vector_dot(d, d);
}

/* A vertex and a triangle: the foot on the plane where it lies within, else edges tell. */
static double to_triangle(const double x[3], const double a[3], const double b[3],
                          const double c[3]) {
  double u[3], v[3], n[3], w[3], inward[3];
  for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = c[k] - a[k], w[k] = x[k] - a[k];
  dls_vector_cross(u, v, n);
  const double *corner[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    double side[3], away[3];
    for (int k = 0; k < 3; k++) {
      side[k] = corner[(i + 1) % 3][k] - corner[i][k];
      away[k] = x[k] - corner[i][k];
    }
    dls_vector_cross(n, side, inward);
    if (dls_vector_dot(inward, away) < 0) return HUGE_VAL;
  }
  const double height = dls_vector_dot(w, n);
  return height * height / dls_vector_dot(n, n);
}

/* Two segments: the quadratic form over the square, its inner point and its four sides. */
static double to_segment(const double x[3], const double a[3], const double b[3]) {
  double u[3], w[3];
  for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], w[k] = x[k] - a[k];
  const double t = fmax(0, fmin(1, dls_vector_dot(u, w) / dls_vector_dot(u, u)));
  for (int k = 0; k < 3; k++) w[k] -= t * u[k];
  return dls_vector_dot(w, w);
}

static double two_segments(const double a[3], const double b[3], const double c[3],
                           const double d[3]) {
  double least = fmin(fmin(to_segment(a, c, d), to_segment(b, c, d)),
                      fmin(to_segment(c, a, b), to_segment(d, a, b)));
  double u[3], v[3], w[3], n[3], s[3], t[3];
  for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], v[k] = d[k] - c[k], w[k] = c[k] - a[k];
  dls_vector_cross(u, v, n);
  const double square = dls_vector_dot(n, n);
  if (square < 1e-20 * dls_vector_dot(u, u) * dls_vector_dot(v, v)) return least;
  dls_vector_cross(w, v, s);
  dls_vector_cross(w, u, t);
  const double on_u = dls_vector_dot(s, n) / square, on_v = dls_vector_dot(t, n) / square;
  if (on_u < 0 || on_u > 1 || on_v < 0 || on_v > 1) return least;
  const double height = dls_vector_dot(w, n);
  return fmin(least, height * height / square);
}

static double brute_distance(const Soup *a, const Soup *b) {
  double least = HUGE_VAL;
  for (int i = 0; i < a->vertices; i++)
    for (int j = 0; j < b->vertices; j++)
      least = fmin(least, square_to(a->vertex[i], b->vertex[j]));
  for (int pass = 0; pass < 2; pass++) {
    const Soup *p = pass ? b : a, *q = pass ? a : b;
    for (int t = 0; t < p->triangles; t++)
      for (int v = 0; v < q->vertices; v++) {
        const int *c = p->triangle[t];
        least = fmin(least,
                     to_triangle(q->vertex[v], p->vertex[c[0]], p->vertex[c[1]], p->vertex[c[2]]));
      }
    for (int e = 0; e < p->edges; e++)
      for (int v = 0; v < q->vertices; v++)
        least = fmin(least,
                     to_segment(q->vertex[v], p->vertex[p->edge[e][0]], p->vertex[p->edge[e][1]]));
  }
  for (int e = 0; e < a->edges; e++)
    for (int f = 0; f < b->edges; f++)
      least = fmin(least, two_segments(a->vertex[a->edge[e][0]], a->vertex[a->edge[e][1]],
                                       b->vertex[b->edge[f][0]], b->vertex[b->edge[f][1]]));
  return sqrt(least);
}

/* Along a unit direction from b to a. */
static double gap_along(const Soup *a, const Soup *b, const double n[3]) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < a->vertices; i++) least = fmin(least, dls_vector_dot(n, a->vertex[i]));
  for (int j = 0; j < b->vertices; j++) most = fmax(most, dls_vector_dot(n, b->vertex[j]));
  return least - most;
}

static void try_direction(const Soup *a, const Soup *b, const double c[3], double scale,
                          double *best) {
  const double length = dls_vector_norm(c);
  if (!(length > 1e-7 * scale)) return;
  for (int sign = -1; sign <= 1; sign += 2) {
    const double n[3] = {sign * c[0] / length, sign * c[1] / length, sign * c[2] / length};
    *best = fmax(*best, gap_along(a, b, n));
  }
}

static double brute_separation(int dim, const Soup *a, const Soup *b) {
  double best = -HUGE_VAL, c[3];
  for (int pass = 0; pass < 2; pass++) {
    const Soup *p = pass ? b : a;
    for (int t = 0; t < p->triangles; t++) {
      double u[3], v[3];
      for (int k = 0; k < 3; k++) {
        u[k] = p->vertex[p->triangle[t][1]][k] - p->vertex[p->triangle[t][0]][k];
        v[k] = p->vertex[p->triangle[t][2]][k] - p->vertex[p->triangle[t][0]][k];
      }
      dls_vector_cross(u, v, c);
      try_direction(a, b, c, dls_vector_norm(u) * dls_vector_norm(v), &best);
    }
    for (int e = 0; e < p->edges && dim == 2; e++) {
      const double *x = p->vertex[p->edge[e][0]], *y = p->vertex[p->edge[e][1]];
      const double n[3] = {y[1] - x[1], x[0] - y[0], 0};
      try_direction(a, b, n, dls_vector_norm(n), &best);
    }
  }
  for (int e = 0; e < a->edges && dim == 3; e++)
    for (int f = 0; f < b->edges; f++) {
      double u[3], v[3];
      for (int k = 0; k < 3; k++) {
        u[k] = a->vertex[a->edge[e][1]][k] - a->vertex[a->edge[e][0]][k];
        v[k] = b->vertex[b->edge[f][1]][k] - b->vertex[b->edge[f][0]][k];
      }
      dls_vector_cross(u, v, c);
      try_direction(a, b, c, 1e2 * dls_vector_norm(u) * dls_vector_norm(v), &best);
    }
  return best;
}

/* A random solid: boxes from cubes to plates, hulls, prisms, triangles; in 2-D polygons. */
static void draw_shape(DlsRandom *random, int dim, DlsConvexNumbers *out, double triangle[3][3],
                       bool *thin) {
  double p[16][3] = {{0}}, length[3];
  const int kind = dls_random_below(random, dim == 2 ? 3 : 5);
  *thin = false;
  for (int k = 0; k < 3; k++) length[k] = pow(10, dls_random_between(random, -1.5, 0));
  if (kind == 0) CHECK_OK(dls_convex_box(dim, 0, length, out));
  if (kind == 1 || kind == 2) {
    const int points = dim + 1 + dls_random_below(random, 10);
    for (int i = 0; i < points; i++)
      for (int k = 0; k < dim; k++)
        p[i][k] = (kind == 1 ? 1 : length[k]) * (dls_random_unit(random) - 0.5);
    if (dls_convex_hull(dim, 0, points, (const double(*)[3])p, out) != DLS_OK)
      CHECK_OK(dls_convex_box(dim, 0, length, out));
  }
  if (kind == 3) {
    const int corners = 3 + dls_random_below(random, 6);
    for (int i = 0; i < corners; i++) {
      p[i][0] = cos(6.283185307179586 * i / corners);
      p[i][1] = sin(6.283185307179586 * i / corners);
    }
    CHECK_OK(dls_convex_prism(0, corners, (const double(*)[3])p, length[2], out));
  }
  if (kind == 4) {
    *thin = true;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) triangle[i][k] = dls_random_unit(random) - 0.5;
  }
}

static void draw_turn(DlsRandom *random, int dim, double q[4]) {
  const int how = dls_random_below(random, 3); /* none, a little, any: faces that are parallel */
  const double angle = how == 0 ? 0 : how == 1 ? 1e-6 : 6.28;
  const double spin[3] = {dim == 3 ? dls_random_between(random, -angle, angle) : 0,
                          dim == 3 ? dls_random_between(random, -angle, angle) : 0,
                          dls_random_between(random, -angle, angle)};
  q[0] = 1, q[1] = q[2] = q[3] = 0;
  dls_rotation_turn(1, spin, q);
}

static void pose_it(int dim, const DlsConvexNumbers *n, double triangle[3][3], bool thin,
                    const DlsPose *pose, DlsPosed *out) {
  const double origin[3] = {0};
  if (thin) {
    double corner[3][3];
    for (int i = 0; i < 3; i++) dls_pose_to_space(pose, triangle[i], corner[i]);
    dls_posed_triangle((const double(*)[3])corner, origin, out);
    return;
  }
  const DlsSolid solid = {
      .dim = dim, .kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number, .scale = 1};
  dls_posed_solid(&solid, pose, origin, out);
}

typedef struct {
  long apart, overlapping, most_iterations;
  double worst; /* of distances, share of the size */
} Tally;

static void check_pair(const DlsPosed *a, const DlsPosed *b, Tally *tally) {
  const double size = fmax(a->reach, b->reach);
  const Soup p = soup_of(a), q = soup_of(b);
  DlsNearest near;
  dls_convex_nearest(a, b, HUGE_VAL, &near);
  CHECK(isfinite(near.distance) && isfinite(near.normal[0] + near.normal[1] + near.normal[2]));
  CHECK(near.iterations <= 64);
  CHECK_NEAR(dls_vector_norm(near.normal), 1, 1e-12);
  const double separation = brute_separation(a->dim, &p, &q);
  const double apart = brute_distance(&p, &q);
  const double expected = separation > 0 || apart > 1e-7 * size ? apart : separation;
  const bool overlap = separation <= 0;
  const double error = fabs(near.distance - (overlap ? separation : expected)) / size;
  tally->worst = fmax(tally->worst, error);
  if (near.iterations > tally->most_iterations) tally->most_iterations = near.iterations;
  if (overlap)
    tally->overlapping++;
  else
    tally->apart++;
  CHECK_BELOW(error, tolerance);
  if (near.distance < -1e-9 * size) { /* axes that are spared change no bit */
    DlsNearest all;
    dls_convex_separation(a, b, NULL, &all);
    CHECK(all.distance == near.distance);
    CHECK(memcmp(all.normal, near.normal, sizeof near.normal) == 0);
  }
  /* The direction: along it the two are as far apart as they are at all. */
  CHECK_BELOW((near.distance - gap_along(&p, &q, near.normal)) / size, tolerance);
  if (near.distance > 1e-6 * size) { /* by angle */
    double across[3], n[3];
    for (int k = 0; k < 3; k++) n[k] = (near.on_a[k] - near.on_b[k]) / near.distance;
    dls_vector_cross(n, near.normal, across);
    CHECK_BELOW(dls_vector_norm(across), 1e-7);
  }
}

/* Moves b along the direction so that the distance becomes what is wanted, to round-off. */
static void set_gap(const DlsPosed *a, const DlsPosed *b, double wanted, DlsPose *pose) {
  DlsNearest near;
  dls_convex_nearest(a, b, HUGE_VAL, &near);
  for (int k = 0; k < 3; k++) pose->position[k] += (near.distance - wanted) * near.normal[k];
}

static void try_pairs(int dim, long pairs, uint64_t seed, Tally *tally) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long pair = 0; pair < pairs; pair++) {
    static DlsPosed a, b;
    DlsConvexNumbers n[2] = {{0}};
    DlsPose pose[2] = {{{0}, {1, 0, 0, 0}}, {{0}, {1, 0, 0, 0}}};
    double triangle[2][3][3];
    bool thin[2];
    for (int i = 0; i < 2; i++) {
      draw_shape(&random, dim, &n[i], triangle[i], &thin[i]);
      draw_turn(&random, dim, pose[i].orientation);
    }
    for (int k = 0; k < dim; k++) pose[1].position[k] = 4 * (dls_random_unit(&random) - 0.5);
    pose_it(dim, &n[0], triangle[0], thin[0], &pose[0], &a);
    pose_it(dim, &n[1], triangle[1], thin[1], &pose[1], &b);
    const int how = dls_random_below(&random, 4);
    if (how > 0) { /* a gap from 1e-12 to 10, touching, a slight overlap */
      const double gap = pow(10, dls_random_between(&random, -12, 1));
      set_gap(&a, &b, how == 1 ? gap : how == 2 ? 0 : -fmin(gap, 0.01), &pose[1]);
      pose_it(dim, &n[1], triangle[1], thin[1], &pose[1], &b);
    }
    check_pair(&a, &b, tally);
    for (int i = 0; i < 2; i++) free(n[i].number);
  }
}

static long pairs_wanted(void) {
  const char *text = getenv("DELASSUS_PAIRS");
  return text ? strtol(text, NULL, 10) : 20000;
}

TEST(polyhedra_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  try_pairs(3, pairs_wanted(), 1, &tally);
  CHECK(tally.apart > pairs_wanted() / 4 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("3-D: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
           tally.apart, tally.overlapping, tally.worst, tally.most_iterations);
}

TEST(polygons_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  try_pairs(2, pairs_wanted(), 2, &tally);
  CHECK(tally.apart > pairs_wanted() / 4 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("2-D: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
           tally.apart, tally.overlapping, tally.worst, tally.most_iterations);
}
