/* Searches among facets. */
#include "world/facets.h"

#include <math.h>
#include <string.h>

#include "world/rotation.h"

enum { DEPTH = 96 };

static const double border = 1e-9;   /* of the size: above an edge so nearly is on the facet */
static const double junction = 1e-6; /* of the size: an edge so near to another's face is on it */
static const double one_degree = 0.99984769515639124; /* its cosine */

/* A search under way. */
typedef struct {
  const DlsFacets *f;
  const double *c;
  double reach, depth;
  int most, count;
  DlsFacetPoint *out;
} Search;

static double box_distance(const DlsFacetBox *b, const double c[3]) {
  double square = 0;
  for (int k = 0; k < 3; k++) {
    const double d = fmax(0, fmax(b->low[k] - c[k], c[k] - b->high[k]));
    square += d * d;
  }
  return sqrt(square);
}

/* One normal, one patch, one point: the nearer stays. When all places are taken the farthest gives
 * way. */
static void keep(Search *q, const DlsFacetPoint *p) {
  int far = 0;
  for (int k = 0; k < q->count; k++) {
    DlsFacetPoint *old = &q->out[k];
    if (dls_vector_dot(old->normal, p->normal) > one_degree || old->feature == p->feature) {
      if (p->distance < old->distance - 1e-12 * q->f->size) *old = *p;
      return;
    }
    if (old->distance > q->out[far].distance) far = k;
  }
  if (q->count < q->most)
    q->out[q->count++] = *p;
  else if (p->distance < q->out[far].distance)
    q->out[far] = *p;
}

/* Whether `away` makes no acute angle with any edge there; of a line that goes on straight or bends
 * towards the place, never. */
bool dls_facets_in_corner_cone(const DlsFacets *f, int t, int corner, bool behind,
                               const double away[3]) {
  const int node = f->corner[t][corner];
  if (f->dim == 2 && f->neighbour[t][corner] >= 0 &&
      (behind ? -f->bend[t][corner] : f->bend[t][corner]) <= 0)
    return false;
  for (int k = f->star_start[node]; k < f->star_start[node + 1]; k++) {
    double along[3];
    for (int i = 0; i < 3; i++) along[i] = f->node[f->star[k]][i] - f->node[node][i];
    if (dls_vector_dot(along, away) > border * f->size * dls_vector_norm(along)) return false;
  }
  return true;
}

/* Whether a place beyond edge k of t is not above the facet there. */
bool dls_facets_in_edge_cone(const DlsFacets *f, int t, int k, bool behind, const double away[3]) {
  const int u = f->neighbour[t][k];
  if (u < 0) return true;
  if ((behind ? -f->bend[t][k] : f->bend[t][k]) <= 0) return false;
  double edge[3], inward[3];
  const int a = f->corner[t][k], b = f->corner[t][(k + 1) % 3];
  for (int i = 0; i < 3; i++) edge[i] = f->node[a][i] - f->node[b][i]; /* as u runs along it */
  dls_vector_cross(f->plane[u], edge, inward);
  return dls_vector_dot(inward, away) <= border * f->size * dls_vector_norm(inward);
}

/* Heights of c above the borders of t, seen from above: below 0 it is beyond. */
static double least_height(const DlsFacets *f, int t, const double c[3]) {
  const int *corner = f->corner[t];
  double edge[3], away[3], least = HUGE_VAL;
  for (int k = 0; k < f->dim; k++) {
    const double *p = f->node[corner[k]], *q = f->node[corner[(k + 1) % f->dim]];
    double inward[3];
    for (int i = 0; i < 3; i++) edge[i] = q[i] - p[i], away[i] = c[i] - p[i];
    if (f->dim == 2)
      memcpy(inward, edge, sizeof inward);
    else
      dls_vector_cross(f->plane[t], edge, inward);
    least = fmin(least, dls_vector_dot(inward, away) / dls_vector_norm(inward));
  }
  return least;
}

/* The nearest point on the border of a triangle: away from it to c; edge k, and `at`: 0 or 1 are
 * its ends. */
static double nearest_on_edges(const DlsFacets *f, int t, const double c[3], int *k, double *at,
                               double away[3]) {
  double least = HUGE_VAL;
  for (int e = 0; e < 3; e++) {
    const double *p = f->node[f->corner[t][e]], *q = f->node[f->corner[t][(e + 1) % 3]];
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

/* Likewise of a segment: one of its ends. */
static double nearest_end(const DlsFacets *f, int t, const double c[3], int *k, double away[3]) {
  double least = HUGE_VAL;
  for (int e = 0; e < 2; e++) {
    double d[3];
    for (int i = 0; i < 3; i++) d[i] = c[i] - f->node[f->corner[t][e]][i];
    const double distance = dls_vector_norm(d);
    if (distance >= least) continue;
    least = distance;
    *k = e;
    memcpy(away, d, sizeof d);
  }
  return least;
}

static void test_border(Search *q, int t, double side) {
  const DlsFacets *f = q->f;
  DlsFacetPoint p = {.facet = t, .edge = true};
  double away[3] = {0}, at = 0;
  int k = 0;
  p.distance =
      f->dim == 2 ? nearest_end(f, t, q->c, &k, away) : nearest_on_edges(f, t, q->c, &k, &at, away);
  if (!(p.distance < q->reach) || !(p.distance > 0) || (side <= 0 && !f->both)) return;
  if (f->dim == 2) {
    if (!dls_facets_in_corner_cone(f, t, k, side < 0, away)) return;
    p.feature = dls_facets_corner_feature(f, f->corner[t][k]);
  } else if (at == 0 || at == 1) {
    const int corner = at == 0 ? k : (k + 1) % 3;
    if (!dls_facets_in_corner_cone(f, t, corner, side < 0, away)) return;
    p.feature = dls_facets_corner_feature(f, f->corner[t][corner]);
  } else {
    if (!dls_facets_in_edge_cone(f, t, k, side < 0, away)) return;
    p.feature = dls_facets_edge_feature(f, t, k);
  }
  for (int i = 0; i < 3; i++) p.normal[i] = away[i] / p.distance;
  keep(q, &p);
}

static void test(Search *q, int t) {
  const DlsFacets *f = q->f;
  const double side = dls_vector_dot(f->plane[t], q->c) - f->plane[t][3];
  if (!(fabs(side) < q->reach)) return;
  if (side < -q->depth && !f->both) return;
  if (least_height(f, t, q->c) < -border * f->size) {
    test_border(q, t, side);
    return;
  }
  DlsFacetPoint p = {.facet = t, .feature = f->patch[t], .distance = side};
  const bool back = side < -q->depth;
  if (back) p.distance = -side;
  for (int i = 0; i < 3; i++) p.normal[i] = back ? -f->plane[t][i] : f->plane[t][i];
  keep(q, &p);
}

/* Where meshes meet without sharing corners, an edge of one lies on a face of another: the face
 * tells of that place. */
static void drop_junctions(Search *q) {
  const DlsFacets *f = q->f;
  int kept = 0;
  for (int i = 0; i < q->count; i++) {
    const DlsFacetPoint *p = &q->out[i];
    bool on_face = false;
    double foot[3];
    for (int k = 0; k < 3; k++) foot[k] = q->c[k] - p->distance * p->normal[k];
    for (int j = 0; j < q->count && p->edge && !on_face; j++) {
      const int t = q->out[j].facet;
      on_face = !q->out[j].edge && t != p->facet &&
                fabs(dls_vector_dot(f->plane[t], foot) - f->plane[t][3]) < junction * f->size &&
                least_height(f, t, foot) > -junction * f->size;
    }
    if (!on_face) q->out[kept++] = *p;
  }
  q->count = kept;
}

int dls_facets_near(const DlsFacets *f, const double c[3], double reach, double depth, int most,
                    DlsFacetPoint *out) {
  Search q = {.f = f, .c = c, .reach = reach, .depth = depth, .most = most, .out = out};
  int stack[DEPTH], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const DlsFacetBox *b = &f->box[stack[--top]];
    if (box_distance(b, c) > reach) continue;
    for (int i = b->first; i < b->first + b->count; i++) test(&q, f->order[i]);
    if (b->count == 0) stack[top++] = b->first + 1, stack[top++] = b->first;
  }
  if (q.count > 1) drop_junctions(&q);
  for (int i = 1; i < q.count; i++) /* by feature */
    for (int k = i; k > 0 && out[k].feature < out[k - 1].feature; k--) {
      const DlsFacetPoint p = out[k];
      out[k] = out[k - 1], out[k - 1] = p;
    }
  return q.count;
}

void dls_facets_within(const DlsFacets *f, const double low[3], const double high[3],
                       DlsFacetVisit *visit, void *context) {
  int stack[DEPTH], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const DlsFacetBox *b = &f->box[stack[--top]];
    bool apart = false;
    for (int k = 0; k < 3; k++) apart = apart || b->low[k] > high[k] || b->high[k] < low[k];
    if (apart) continue;
    for (int i = b->first; i < b->first + b->count; i++) visit(context, f->order[i]);
    if (b->count == 0) stack[top++] = b->first + 1, stack[top++] = b->first;
  }
}

/* The nearest place of facet t to x, and the normal of what it lies on: of the facet, of the two at
 * an edge together, or of those around a corner. */
static double nearest_of(const DlsFacets *f, int t, const double x[3], double away[3],
                         double normal[3]) {
  const double side = dls_vector_dot(f->plane[t], x) - f->plane[t][3];
  double at = 0;
  int k = 0;
  memcpy(normal, f->plane[t], 3 * sizeof *normal);
  if (least_height(f, t, x) >= 0) {
    for (int i = 0; i < 3; i++) away[i] = side * normal[i];
    return fabs(side);
  }
  if (f->dim == 2) {
    const double distance = nearest_end(f, t, x, &k, away);
    memcpy(normal, f->outward[f->corner[t][k]], 3 * sizeof *normal);
    return distance;
  }
  const double distance = nearest_on_edges(f, t, x, &k, &at, away);
  if (at == 0 || at == 1) {
    memcpy(normal, f->outward[f->corner[t][at == 0 ? k : (k + 1) % 3]], 3 * sizeof *normal);
  } else if (f->neighbour[t][k] >= 0) {
    for (int i = 0; i < 3; i++) normal[i] += f->plane[f->neighbour[t][k]][i];
  }
  return distance;
}

double dls_facets_depth(const DlsFacets *f, const double x[3]) {
  double least = HUGE_VAL, side = 1;
  int stack[DEPTH], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const DlsFacetBox *b = &f->box[stack[--top]];
    if (box_distance(b, x) >= least) continue;
    for (int i = b->first; i < b->first + b->count; i++) {
      double away[3], normal[3];
      const double distance = nearest_of(f, f->order[i], x, away, normal);
      if (distance >= least) continue;
      least = distance;
      side = dls_vector_dot(away, normal);
    }
    if (b->count) continue;
    const int near = box_distance(&f->box[b->first], x) > box_distance(&f->box[b->first + 1], x);
    stack[top++] = b->first + !near, stack[top++] = b->first + near; /* the nearer first */
  }
  return side < 0 ? -least : least;
}

int dls_facets_open(const DlsFacets *f, double first[2][3]) {
  int count = 0;
  for (int t = 0; t < f->count; t++) {
    for (int k = 0; k < f->dim; k++) {
      if (f->neighbour[t][k] >= 0) continue;
      const int from = f->corner[t][k], to = f->dim == 2 ? from : f->corner[t][(k + 1) % 3];
      if (count++ > 0) continue;
      memcpy(first[0], f->node[from], sizeof *first);
      memcpy(first[1], f->node[to], sizeof *first);
    }
  }
  return count;
}

/* Divergence theorem: the cones from the first node to all facets. */
double dls_facets_volume(const DlsFacets *f) {
  double sum = 0;
  for (int t = 0; t < f->count; t++) {
    double way[3][3] = {{0}}, cross[3];
    for (int c = 0; c < f->dim; c++)
      for (int k = 0; k < 3; k++) way[c][k] = f->node[f->corner[t][c]][k] - f->node[0][k];
    if (f->dim == 2) { /* the front is on the left: outward where it goes round clockwise */
      sum -= (way[0][0] * way[1][1] - way[0][1] * way[1][0]) / 2;
      continue;
    }
    dls_vector_cross(way[1], way[2], cross);
    sum += dls_vector_dot(way[0], cross) / 6;
  }
  return sum;
}

static bool ray_meets_box(const DlsFacetBox *b, const double from[3], const double way[3]) {
  double enter = -HUGE_VAL, leave = HUGE_VAL;
  for (int k = 0; k < 3; k++) {
    const double slack = 1e-9 * (fabs(b->low[k]) + fabs(b->high[k])), low = b->low[k] - slack,
                 high = b->high[k] + slack;
    if (way[k] == 0) {
      if (from[k] < low || from[k] > high) return false;
      continue;
    }
    const double s = (low - from[k]) / way[k], t = (high - from[k]) / way[k];
    enter = fmax(enter, fmin(s, t));
    leave = fmin(leave, fmax(s, t));
  }
  return enter <= leave;
}

void dls_facets_cross(const DlsFacets *f, const double from[3], const double way[3],
                      DlsFacetCross *cross, void *context) {
  int stack[DEPTH], top = 0;
  stack[top++] = 0;
  while (top > 0) {
    const DlsFacetBox *b = &f->box[stack[--top]];
    if (!ray_meets_box(b, from, way)) continue;
    for (int i = b->first; i < b->first + b->count; i++) {
      const int t = f->order[i];
      const double along = dls_vector_dot(f->plane[t], way);
      const double s = (f->plane[t][3] - dls_vector_dot(f->plane[t], from)) / along;
      double at[3];
      if (!isfinite(s)) continue;
      for (int k = 0; k < 3; k++) at[k] = from[k] + s * way[k];
      if (least_height(f, t, at) >= -border * f->size) cross(context, s, along);
    }
    if (b->count == 0) stack[top++] = b->first + 1, stack[top++] = b->first;
  }
}

bool dls_facets_flat(const DlsFacets *f, const double x[3], double reach) {
  int stack[DEPTH], top = 0, first = -1;
  stack[top++] = 0;
  while (top > 0) {
    const DlsFacetBox *b = &f->box[stack[--top]];
    if (box_distance(b, x) > reach) continue;
    for (int i = b->first; i < b->first + b->count; i++) {
      const int t = f->order[i];
      double away[3], normal[3];
      if (nearest_of(f, t, x, away, normal) > reach) continue;
      if (first < 0) first = t;
      if (dls_vector_dot(f->plane[t], f->plane[first]) < 1 - 1e-12 ||
          fabs(f->plane[t][3] - f->plane[first][3]) > border * f->size)
        return false;
      for (int k = 0; k < f->dim; k++)
        if (f->neighbour[t][k] < 0) return false; /* an open edge may be near */
    }
    if (b->count == 0) stack[top++] = b->first + 1, stack[top++] = b->first;
  }
  return true;
}
