/* Random convex solids in tests, and brute force as their judge: apart, the least distance over all
 * vertices and triangles of faces and over all pairs of edges; overlapping, the least depth over
 * the normals of all faces and the crosses of all edges, by projecting all vertices. */
#ifndef DELASSUS_TESTS_CONVEX_SOUP_H
#define DELASSUS_TESTS_CONVEX_SOUP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "detect/convex/posed.h"
#include "tests/test.h"
#include "world/rotation.h"

typedef struct {
  int vertices, triangles, edges;
  double vertex[64][3];
  int triangle[128][3], edge[192][2];
} Soup;

static inline Soup soup_of(const DlsPosed *p) {
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

static inline double square_to(const double a[3], const double b[3]) {
  double d[3];
  for (int k = 0; k < 3; k++) d[k] = a[k] - b[k];
  return dls_vector_dot(d, d);
}

/* Slivers and nearly parallel edges need more digits than those of double. */
typedef long double Long;

static inline void cross_long(const Long a[3], const Long b[3], Long out[3]) {
  for (int k = 0; k < 3; k++) {
    const int i = (k + 1) % 3, j = (k + 2) % 3;
    out[k] = a[i] * b[j] - a[j] * b[i];
  }
}

static inline Long dot_long(const Long a[3], const Long b[3]) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* A vertex and a triangle: the foot on the plane where it lies within, else edges tell. */
static inline double to_triangle(const double x[3], const double a[3], const double b[3],
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
static inline double to_segment(const double x[3], const double a[3], const double b[3]) {
  double u[3], w[3];
  for (int k = 0; k < 3; k++) u[k] = b[k] - a[k], w[k] = x[k] - a[k];
  const double t = fmax(0, fmin(1, dls_vector_dot(u, w) / dls_vector_dot(u, u)));
  for (int k = 0; k < 3; k++) w[k] -= t * u[k];
  return dls_vector_dot(w, w);
}

static inline double two_segments(const double a[3], const double b[3], const double c[3],
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

static inline double brute_distance(const Soup *a, const Soup *b) {
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
static inline double gap_along(const Soup *a, const Soup *b, const double n[3]) {
  double least = HUGE_VAL, most = -HUGE_VAL;
  for (int i = 0; i < a->vertices; i++) least = fmin(least, dls_vector_dot(n, a->vertex[i]));
  for (int j = 0; j < b->vertices; j++) most = fmax(most, dls_vector_dot(n, b->vertex[j]));
  return least - most;
}

/* Any direction gives no more than what the two are apart: none is left out. */
static inline void try_direction(const Soup *a, const Soup *b, const Long c[3], double *best) {
  const Long length = sqrtl(dot_long(c, c));
  if (!(length > 0)) return;
  for (int sign = -1; sign <= 1; sign += 2) {
    double n[3];
    for (int k = 0; k < 3; k++) n[k] = (double)(sign * c[k] / length);
    *best = fmax(*best, gap_along(a, b, n));
  }
}

static inline void way(const Soup *p, int from, int to, Long out[3]) {
  for (int k = 0; k < 3; k++) out[k] = (Long)p->vertex[to][k] - p->vertex[from][k];
}

/* The cross of edges that are nearly parallel leans on them, in long double too. */
static inline void stand_across(const Long u[3], Long c[3]) {
  const Long part = dot_long(u, c) / dot_long(u, u);
  for (int k = 0; k < 3; k++) c[k] -= part * u[k];
}

static inline double brute_separation(int dim, const Soup *a, const Soup *b) {
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

/* A random solid: boxes from cubes to plates, hulls, prisms, triangles (without rounding); in 2-D
 * polygons. Edges are at least 32 mm, so that a rounding fits below 10 mm. */
static inline void draw_shape(DlsRandom *random, int dim, double rounding, DlsConvexNumbers *out,
                              double triangle[3][3], bool *thin) {
  double p[16][3] = {{0}}, length[3];
  const int kind = dls_random_below(random, dim == 2 ? 3 : 5);
  *thin = false;
  for (int k = 0; k < 3; k++) length[k] = pow(10, dls_random_between(random, -1.5, 0));
  if (kind == 0) CHECK_OK(dls_convex_box(dim, rounding, length, out));
  if (kind == 1 || kind == 2) {
    const int points = dim + 1 + dls_random_below(random, 10);
    for (int i = 0; i < points; i++)
      for (int k = 0; k < dim; k++)
        p[i][k] = (kind == 1 ? 1 : length[k]) * (dls_random_unit(random) - 0.5);
    if (dls_convex_hull(dim, rounding, points, (const double(*)[3])p, out) != DLS_OK)
      CHECK_OK(dls_convex_box(dim, rounding, length, out));
  }
  if (kind == 3) {
    const int corners = 3 + dls_random_below(random, 6);
    for (int i = 0; i < corners; i++) {
      p[i][0] = cos(6.283185307179586 * i / corners);
      p[i][1] = sin(6.283185307179586 * i / corners);
    }
    CHECK_OK(dls_convex_prism(rounding, corners, (const double(*)[3])p, length[2], out));
  }
  if (kind == 4) {
    *thin = true;
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) triangle[i][k] = dls_random_unit(random) - 0.5;
  }
}

static inline void draw_turn(DlsRandom *random, int dim, double q[4]) {
  const int how = dls_random_below(random, 3); /* none, a little, any: faces that are parallel */
  const double angle = how == 0 ? 0 : how == 1 ? 1e-6 : 6.28;
  const double spin[3] = {dim == 3 ? dls_random_between(random, -angle, angle) : 0,
                          dim == 3 ? dls_random_between(random, -angle, angle) : 0,
                          dls_random_between(random, -angle, angle)};
  q[0] = 1, q[1] = q[2] = q[3] = 0;
  dls_rotation_turn(1, spin, q);
}

static inline void pose_it(int dim, const DlsConvexNumbers *n, double triangle[3][3], bool thin,
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

#endif
