#include "world/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/rotation.h"

enum { LEAF = 4, DEPTH = 64 };

static const double flat_sine = 1e-9; /* of the angle at an edge */
static const double border = 1e-9;    /* of the size: above an edge so nearly is on the face */
static const double one_degree = 0.99984769515639124; /* its cosine */

void dls_surface_clear(DlsSurface *s) {
  free(s->node);
  free(s->corner);
  free(s->neighbour);
  free(s->sharp);
  free(s->plane);
  free(s->star_start);
  free(s->star);
  free(s->order);
  free(s->box);
  *s = (DlsSurface){0};
}

static void set_plane(DlsSurface *s, int t) {
  const double *p = s->node[s->corner[t][0]], *q = s->node[s->corner[t][1]],
               *r = s->node[s->corner[t][2]];
  double a[3], b[3], n[3];
  for (int k = 0; k < 3; k++) a[k] = q[k] - p[k], b[k] = r[k] - p[k];
  dls_vector_cross(a, b, n);
  const double length = dls_vector_norm(n);
  for (int k = 0; k < 3; k++) s->plane[t][k] = n[k] / length;
  s->plane[t][3] = dls_vector_dot(s->plane[t], p);
}

/* Convex where the far corner of the neighbour lies below the plane. */
static void set_sharp(DlsSurface *s, int t, int k) {
  const int u = s->neighbour[t][k];
  s->sharp[t][k] = true;
  if (u < 0) {
    s->closed = false;
    return;
  }
  const int a = s->corner[t][k], b = s->corner[t][(k + 1) % 3];
  for (int i = 0; i < 3; i++) {
    const int far = s->corner[u][i];
    if (far == a || far == b) continue;
    double away[3];
    for (int j = 0; j < 3; j++) away[j] = s->node[far][j] - s->node[a][j];
    s->sharp[t][k] =
        dls_vector_dot(s->plane[t], away) < -flat_sine * fmax(dls_vector_norm(away), 1e-300);
  }
}

/* The nodes that edges lead to from each node; inner edges come twice, which does no harm. */
static DlsStatus set_stars(DlsSurface *s) {
  DLS_NEW(s->star_start, s->nodes + 1);
  DLS_NEW(s->star, 6 * (size_t)s->triangles);
  for (int c = 0; c < 3 * s->triangles; c++) s->star_start[s->corner[c / 3][c % 3] + 1] += 2;
  for (int n = 0; n < s->nodes; n++) s->star_start[n + 1] += s->star_start[n];
  int *fill;
  DLS_NEW(fill, s->nodes);
  for (int c = 0; c < 3 * s->triangles; c++) {
    const int *corner = s->corner[c / 3], n = corner[c % 3];
    for (int k = 1; k < 3; k++) s->star[s->star_start[n] + fill[n]++] = corner[(c + k) % 3];
  }
  free(fill);
  return DLS_OK;
}

static void box_of(const DlsSurface *s, int first, int count, double low[3], double high[3]) {
  for (int k = 0; k < 3; k++) low[k] = HUGE_VAL, high[k] = -HUGE_VAL;
  for (int i = first; i < first + count; i++)
    for (int c = 0; c < 3; c++)
      for (int k = 0; k < 3; k++) {
        const double x = s->node[s->corner[s->order[i]][c]][k];
        low[k] = fmin(low[k], x);
        high[k] = fmax(high[k], x);
      }
}

typedef struct {
  double middle;
  int triangle;
} Place;

static int by_place(const void *a, const void *b) {
  const Place *p = a, *q = b;
  if (p->middle != q->middle) return p->middle < q->middle ? -1 : 1;
  return p->triangle - q->triangle;
}

/* Halves by the median along the longest axis, until four are left. */
static void split(DlsSurface *s, int box, int first, int count, Place *place) {
  DlsSurfaceBox *b = &s->box[box];
  box_of(s, first, count, b->low, b->high);
  b->first = first, b->count = count;
  if (count <= LEAF) return;
  int axis = 0;
  for (int k = 1; k < 3; k++)
    if (b->high[k] - b->low[k] > b->high[axis] - b->low[axis]) axis = k;
  for (int i = 0; i < count; i++) {
    const int t = s->order[first + i], *c = s->corner[t];
    place[i] = (Place){s->node[c[0]][axis] + s->node[c[1]][axis] + s->node[c[2]][axis], t};
  }
  qsort(place, (size_t)count, sizeof *place, by_place);
  for (int i = 0; i < count; i++) s->order[first + i] = place[i].triangle;
  const int children = s->boxes, half = count / 2;
  s->boxes += 2;
  b->first = children, b->count = 0;
  split(s, children, first, half, place);
  split(s, children + 1, first + half, count - half, place);
}

static DlsStatus set_tree(DlsSurface *s) {
  Place *place;
  DLS_NEW(s->order, s->triangles);
  DLS_NEW(s->box, 2 * (size_t)s->triangles + 1);
  DLS_NEW(place, s->triangles);
  for (int t = 0; t < s->triangles; t++) s->order[t] = t;
  s->boxes = 1;
  split(s, 0, 0, s->triangles, place);
  free(place);
  for (int k = 0; k < 3; k++) s->size = fmax(s->size, s->box[0].high[k] - s->box[0].low[k]);
  return DLS_OK;
}

static DlsStatus make(const DlsMesh *m, const DlsMeshTriangles *t, double scale, DlsSurface *s) {
  s->nodes = m->nodes, s->triangles = t->count, s->closed = true;
  DLS_NEW(s->node, s->nodes);
  DLS_NEW(s->corner, s->triangles);
  DLS_NEW(s->neighbour, s->triangles);
  DLS_NEW(s->sharp, s->triangles);
  DLS_NEW(s->plane, s->triangles);
  for (int n = 0; n < s->nodes; n++)
    for (int k = 0; k < 3; k++) s->node[n][k] = scale * m->node[n][k];
  memcpy(s->corner, t->corner, (size_t)s->triangles * sizeof *s->corner);
  memcpy(s->neighbour, t->neighbour, (size_t)s->triangles * sizeof *s->neighbour);
  for (int k = 0; k < s->triangles; k++) set_plane(s, k);
  for (int k = 0; k < 3 * s->triangles; k++) set_sharp(s, k / 3, k % 3);
  DLS_TRY(set_stars(s));
  return set_tree(s);
}

DlsStatus dls_surface_make(const DlsMesh *mesh, const DlsMeshTriangles *triangles, double scale,
                           DlsSurface *out) {
  *out = (DlsSurface){0};
  DLS_CHECK(triangles->count > 0 && triangles->neighbour, DLS_ERR_ARGUMENT,
            "a surface has a triangle or more, joined to each other");
  const DlsStatus status = make(mesh, triangles, scale, out);
  if (status != DLS_OK) dls_surface_clear(out);
  return status;
}

/* A search under way. */
typedef struct {
  const DlsSurface *s;
  const double *c;
  double reach, depth;
  bool both;
  int most, count;
  DlsSurfacePoint *out;
} Search;

static double box_distance(const DlsSurfaceBox *b, const double c[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double d = fmax(0, fmax(b->low[k] - c[k], c[k] - b->high[k]));
    square += d * d;
  }
  return sqrt(square);
}

/* One normal, one point: the nearer stays. When all places are taken the farthest gives way. */
static void keep(Search *q, const DlsSurfacePoint *p) {
  int far = 0;
  for (int k = 0; k < q->count; k++) {
    DlsSurfacePoint *old = &q->out[k];
    if (dls_vector_dot(old->normal, p->normal) > one_degree) {
      const int first = old->triangle < p->triangle ? old->triangle : p->triangle;
      if (p->distance < old->distance - 1e-12 * q->s->size) *old = *p;
      old->triangle = first;
      return;
    }
    if (old->distance > q->out[far].distance) far = k;
  }
  if (q->count < q->most)
    q->out[q->count++] = *p;
  else if (p->distance < q->out[far].distance)
    q->out[far] = *p;
}

/* Whether x - node makes no acute angle with any edge there: it lies in the normal cone. */
static bool in_corner_cone(const DlsSurface *s, int node, const double away[3]) {
  for (int k = s->star_start[node]; k < s->star_start[node + 1]; k++) {
    double along[3];
    for (int i = 0; i < 3; i++) along[i] = s->node[s->star[k]][i] - s->node[node][i];
    if (dls_vector_dot(along, away) > border * s->size * dls_vector_norm(along)) return false;
  }
  return true;
}

/* Whether a place beyond edge k of t is not above the face there. */
static bool in_edge_cone(const DlsSurface *s, int t, int k, const double away[3]) {
  const int u = s->neighbour[t][k];
  if (!s->sharp[t][k]) return false;
  if (u < 0) return true;
  double edge[3], inward[3];
  const int a = s->corner[t][k], b = s->corner[t][(k + 1) % 3];
  for (int i = 0; i < 3; i++) edge[i] = s->node[a][i] - s->node[b][i]; /* as u runs along it */
  dls_vector_cross(s->plane[u], edge, inward);
  return dls_vector_dot(inward, away) <= border * s->size * dls_vector_norm(inward);
}

/* Heights of c above the edges of t, seen from above: below 0 it is beyond. */
static void heights(const DlsSurface *s, int t, const double c[3], double out[3]) {
  for (int k = 0; k < 3; k++) {
    const double *p = s->node[s->corner[t][k]], *q = s->node[s->corner[t][(k + 1) % 3]];
    double edge[3], away[3], inward[3];
    for (int i = 0; i < 3; i++) edge[i] = q[i] - p[i], away[i] = c[i] - p[i];
    dls_vector_cross(s->plane[t], edge, inward);
    out[k] = dls_vector_dot(inward, away) / dls_vector_norm(inward);
  }
}

/* The nearest point on the border of t: away from it to c; edge k, and at[0 .. 1]: 0 or 1 are its
 * ends. */
static double nearest_on_border(const DlsSurface *s, int t, const double c[3], int *k, double *at,
                                double away[3]) {
  double least = HUGE_VAL;
  for (int e = 0; e < 3; e++) {
    const double *p = s->node[s->corner[t][e]], *q = s->node[s->corner[t][(e + 1) % 3]];
    double edge[3], from[3], d[3];
    for (int i = 0; i < 3; i++) edge[i] = q[i] - p[i], from[i] = c[i] - p[i];
    const double x = fmax(0, fmin(1, dls_vector_dot(from, edge) / dls_vector_dot(edge, edge)));
    for (int i = 0; i < 3; i++) d[i] = from[i] - x * edge[i];
    const double distance = dls_vector_norm(d);
    if (distance >= least) continue;
    least = distance;
    *k = e, *at = x;
    memcpy(away, d, sizeof d);
  }
  return least;
}

static void test_border(Search *q, int t, double side) {
  const DlsSurface *s = q->s;
  double away[3] = {0}, at = 0;
  int k = 0;
  const double distance = nearest_on_border(s, t, q->c, &k, &at, away);
  if (!(distance < q->reach) || !(distance > 0) || (side <= 0 && !q->both)) return;
  const bool corner = at == 0 || at == 1;
  const int node = s->corner[t][at == 0 ? k : (k + 1) % 3];
  if (corner ? !in_corner_cone(s, node, away) : !in_edge_cone(s, t, k, away)) return;
  DlsSurfacePoint p = {.triangle = t, .edge = true, .distance = distance};
  for (int i = 0; i < 3; i++) p.normal[i] = away[i] / distance;
  keep(q, &p);
}

static void test(Search *q, int t) {
  const DlsSurface *s = q->s;
  const double side = dls_vector_dot(s->plane[t], q->c) - s->plane[t][3];
  double height[3];
  if (!(fabs(side) < q->reach)) return;
  if (side < -q->depth && !q->both) return;
  heights(s, t, q->c, height);
  const double slack = -border * s->size;
  if (height[0] < slack || height[1] < slack || height[2] < slack) {
    test_border(q, t, side);
    return;
  }
  DlsSurfacePoint p = {.triangle = t, .distance = side};
  const bool back = side < -q->depth;
  if (back) p.distance = -side;
  for (int i = 0; i < 3; i++) p.normal[i] = back ? -s->plane[t][i] : s->plane[t][i];
  keep(q, &p);
}

int dls_surface_near(const DlsSurface *s, const double c[3], double reach, double depth, bool both,
                     int most, DlsSurfacePoint *out) {
  Search q = {
      .s = s, .c = c, .reach = reach, .depth = depth, .both = both, .most = most, .out = out};
  int stack[DEPTH], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const DlsSurfaceBox *b = &s->box[stack[--top]];
    if (box_distance(b, c) > reach) continue;
    for (int i = b->first; i < b->first + b->count; i++) test(&q, s->order[i]);
    if (b->count == 0) stack[top++] = b->first + 1, stack[top++] = b->first;
  }
  for (int i = 1; i < q.count; i++) /* by triangle */
    for (int k = i; k > 0 && out[k].triangle < out[k - 1].triangle; k--) {
      const DlsSurfacePoint p = out[k];
      out[k] = out[k - 1], out[k - 1] = p;
    }
  return q.count;
}
