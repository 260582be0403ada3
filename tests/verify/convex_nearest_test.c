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

/* Slivers and nearly parallel edges need more digits than those of double. */
typedef long double Long;

static void cross_long(const Long a[3], const Long b[3], Long out[3]) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static Long dot_long(const Long a[3], const Long b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A vertex and a triangle: the foot on the plane where it lies within, else edges tell. */
static double to_triangle(const double x[3], const double a[3], const double b[3],
                          const double c[3]) {
  Long u[3], v[3], n[3], w[3], inward[3];
  for (int k = 0; k < 3; k++)
    u[k] = (Long)b[k] - a[k], v[k] = (Long)c[k] - a[k], w[k] = (Long)x[k] - a[k];
  cross_long(u, v, n);
  const double *corner[3] = {a, b, c};
  for (int i = 0; i < 3; i++) {
    Long side[3], away[3];
    for (int k = 0; k < 3; k++) {
      side[k] = (Long)corner[(i + 1) % 3][k] - corner[i][k];
      away[k] = (Long)x[k] - corner[i][k];
    }
    cross_long(n, side, inward);
    if (dot_long(inward, away) < 0) return HUGE_VAL;
  }
  const Long height = dot_long(w, n);
  return (double)(height * height / dot_long(n, n));
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
  Long u[3], v[3], w[3], n[3], s[3], t[3];
  for (int k = 0; k < 3; k++)
    u[k] = (Long)b[k] - a[k], v[k] = (Long)d[k] - c[k], w[k] = (Long)c[k] - a[k];
  cross_long(u, v, n);
  const Long square = dot_long(n, n);
  if (square <= 1e-34L * dot_long(u, u) * dot_long(v, v)) return least;
  cross_long(w, v, s);
  cross_long(w, u, t);
  const Long on_u = dot_long(s, n) / square, on_v = dot_long(t, n) / square;
  if (on_u < 0 || on_u > 1 || on_v < 0 || on_v > 1) return least;
  for (int k = 0; k < 3; k++) w[k] += on_v * v[k] - on_u * u[k]; /* n may lean on both */
  return fmin(least, (double)dot_long(w, w));
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

/* Any direction gives no more than what the two are apart: none is left out. */
static void try_direction(const Soup *a, const Soup *b, const Long c[3], double *best) {
  const Long length = sqrtl(dot_long(c, c));
  if (!(length > 0)) return;
  for (int sign = -1; sign <= 1; sign += 2) {
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = (double)(sign * c[k] / length);
    *best = fmax(*best, gap_along(a, b, n));
  }
}

static void way(const Soup *p, int from, int to, Long out[3]) {
  for (int k = 0; k < 3; k++) out[k] = (Long)p->vertex[to][k] - p->vertex[from][k];
}

/* The cross of edges that are nearly parallel leans on them, in long double too. */
static void stand_across(const Long u[3], Long c[3]) {
  const Long part = dot_long(u, c) / dot_long(u, u);
  for (int k = 0; k < 3; k++) c[k] -= part * u[k];
}

static double brute_separation(int dim, const Soup *a, const Soup *b) {
  double best = -HUGE_VAL;
  Long u[3], v[3], c[3];
  for (int pass = 0; pass < 2; pass++) {
    const Soup *p = pass ? b : a;
    for (int t = 0; t < p->triangles; t++) {
      way(p, p->triangle[t][0], p->triangle[t][1], u);
      way(p, p->triangle[t][0], p->triangle[t][2], v);
      cross_long(u, v, c);
      try_direction(a, b, c, &best);
    }
    for (int e = 0; e < p->edges && dim == 2; e++) {
      way(p, p->edge[e][0], p->edge[e][1], u);
      c[0] = u[1], c[1] = -u[0], c[2] = 0;
      try_direction(a, b, c, &best);
    }
  }
  for (int e = 0; e < a->edges && dim == 3; e++)
    for (int f = 0; f < b->edges; f++) {
      way(a, a->edge[e][0], a->edge[e][1], u);
      way(b, b->edge[f][0], b->edge[f][1], v);
      cross_long(u, v, c);
      stand_across(u, c);
      stand_across(v, c);
      try_direction(a, b, c, &best);
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

/* The way of an edge, and what is outward there: unit, across each other. */
static void edge_frame(const DlsPosed *p, int e, double frame[3][3], double middle[3]) {
  const double *x = p->vertex[(int)p->core.edge[4 * e]];
  const double *y = p->vertex[(int)p->core.edge[4 * e + 1]];
  double *along = frame[0], *out = frame[1];
  for (int k = 0; k < 3; k++) along[k] = y[k] - x[k], middle[k] = (x[k] + y[k]) / 2;
  const double length = dls_vector_norm(along);
  for (int k = 0; k < 3; k++) {
    along[k] /= length;
    out[k] = p->plane[(int)p->core.edge[4 * e + 2]][k] + p->plane[(int)p->core.edge[4 * e + 3]][k];
  }
  if (!(dls_vector_norm(out) > 1e-3)) /* of what is thin */
    for (int k = 0; k < 3; k++) out[k] = middle[k] - p->centre[k];
  const double part = dls_vector_dot(out, along);
  for (int k = 0; k < 3; k++) out[k] -= part * along[k];
  const double norm = dls_vector_norm(out);
  for (int k = 0; k < 3; k++) out[k] /= norm;
  dls_vector_cross(along, out, frame[2]);
}

/* Turns and moves b so that two edges cross in their middles at a small angle, a gap apart. */
static void cross_edges(DlsRandom *random, const DlsPosed *a, const DlsPosed *b, DlsPosed *out) {
  static double vertex[DLS_CONVEX_VERTICES][3];
  double of_a[3][3], of_b[3][3], from[3], to[3], turned[3][3];
  const double angle = pow(10, dls_random_between(random, -12, 0));
  const double size = pow(10, dls_random_between(random, -12, -1));
  const double gap = dls_random_below(random, 2) ? size : -size;
  edge_frame(a, dls_random_below(random, a->core.edges), of_a, to);
  edge_frame(b, dls_random_below(random, b->core.edges), of_b, from);
  for (int k = 0; k < 3; k++) {
    turned[0][k] = cos(angle) * of_a[0][k] + sin(angle) * of_a[2][k];
    turned[1][k] = -of_a[1][k];
    to[k] += gap * of_a[1][k];
  }
  dls_vector_cross(turned[0], turned[1], turned[2]);
  *out = *b;
  memset(out->centre, 0, sizeof out->centre);
  for (int v = 0; v < b->core.vertices; v++) {
    double d[3];
    for (int k = 0; k < 3; k++) d[k] = b->vertex[v][k] - from[k];
    for (int k = 0; k < 3; k++) {
      vertex[v][k] = to[k];
      for (int i = 0; i < 3; i++) vertex[v][k] += turned[i][k] * dls_vector_dot(of_b[i], d);
      out->centre[k] += vertex[v][k] / b->core.vertices;
    }
    memcpy(out->vertex[v], vertex[v], sizeof vertex[v]);
  }
  for (int f = 0; f < b->core.faces; f++) {
    double n[3];
    for (int k = 0; k < 3; k++) {
      n[k] = 0;
      for (int i = 0; i < 3; i++) n[k] += turned[i][k] * dls_vector_dot(of_b[i], b->plane[f]);
    }
    memcpy(out->plane[f], n, sizeof n);
    out->plane[f][3] = -HUGE_VAL;
    for (int k = (int)b->core.start[f]; k < (int)b->core.start[f + 1]; k++)
      out->plane[f][3] =
          fmax(out->plane[f][3], dls_vector_dot(n, out->vertex[(int)b->core.corner[k]]));
  }
}

static void try_crossed_edges(long pairs, uint64_t seed, Tally *tally) {
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (long pair = 0; pair < pairs; pair++) {
    static DlsPosed a, b, moved;
    DlsConvexNumbers n[2] = {{0}};
    DlsPose pose[2] = {{{0}, {1, 0, 0, 0}}, {{0}, {1, 0, 0, 0}}};
    double triangle[2][3][3];
    bool thin[2];
    for (int i = 0; i < 2; i++) {
      draw_shape(&random, 3, &n[i], triangle[i], &thin[i]);
      draw_turn(&random, 3, pose[i].orientation);
      pose_it(3, &n[i], triangle[i], thin[i], &pose[i], i ? &b : &a);
    }
    cross_edges(&random, &a, &b, &moved);
    check_pair(&a, &moved, tally);
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

TEST(edges_that_cross_at_small_angles_are_as_far_apart_as_brute_force_says) {
  Tally tally = {0};
  try_crossed_edges(pairs_wanted(), 3, &tally);
  CHECK(tally.apart > pairs_wanted() / 8 && tally.overlapping > pairs_wanted() / 8);
  if (getenv("DELASSUS_PAIRS"))
    printf("crossed: %ld apart, %ld overlapping, worst %.2g of the size, at most %ld iterations\n",
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
