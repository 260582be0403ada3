/* The axis along which two convex cores are farthest apart, or overlap least. */
#include <math.h>
#include <string.h>

#include "detect/convex/nearest.h"

/* An edge is taken only where it is better than every face by this share of the size: of equal
 * ones the face gives the wider manifold. */
static const double edge_handicap = 1e-10;

typedef struct {
  double separation, normal[3]; /* from b to a */
  int kind;                     /* 0 none, 1 face of a, 2 face of b, 3 edges, 4 any direction */
  int first, second;            /* face, or edge of a and edge of b */
} Axis;

/* Separation along the normal of face f of p; the vertex of the other that tells. */
static double over_face(const DlsPosed *p, int f, const DlsPosed *other, int *vertex) {
  const double *n = p->plane[f], back[3] = {-n[0], -n[1], -n[2]};
  *vertex = dls_posed_support(other, back);
  return dls_vector_dot(n, other->vertex[*vertex]) - n[3];
}

/* How high a common place stands above each face: no separation along a face is larger. Returns
 * what the highest gives, below which no face need be looked at. */
static double limits_of_faces(const DlsPosed *p, const DlsPosed *other, const DlsCommon *common,
                              double *limit, int *vertex) {
  int best = 0;
  for (int f = 0; f < p->core.faces; f++) {
    limit[f] = dls_vector_dot(p->plane[f], common->x) - p->plane[f][3] + common->slack;
    if (limit[f] > limit[best]) best = f;
  }
  return over_face(p, best, other, vertex);
}

/* Whether no more than `least` is left along face f of p: one vertex that tells so is enough. */
static bool is_below(const DlsPosed *p, int f, const DlsPosed *other, int vertex, double least) {
  const double *n = p->plane[f];
  return dls_vector_dot(n, other->vertex[vertex]) - n[3] < least;
}

/* limit: filled where a common place is known. */
static void try_faces(const DlsPosed *p, const DlsPosed *other, const DlsCommon *common, bool of_a,
                      double *limit, Axis *best) {
  double floor = -HUGE_VAL;
  int vertex = 0; /* of the other, the lowest over the best face so far */
  if (common && p->core.faces) floor = limits_of_faces(p, other, common, limit, &vertex);
  for (int f = 0; f < p->core.faces; f++) {
    int v;
    if (common && limit[f] < floor) continue;
    if (is_below(p, f, other, vertex, floor)) continue;
    const double *n = p->plane[f], separation = over_face(p, f, other, &v);
    if (best->kind && separation <= best->separation) continue;
    *best = (Axis){.separation = separation, .kind = of_a ? 1 : 2, .first = f, .second = v};
    floor = fmax(floor, separation);
    vertex = v;
    for (int k = 0; k < 3; k++) best->normal[k] = of_a ? -n[k] : n[k];
  }
}

static void direction(const DlsPosed *p, int e, double out[3]) {
  const double *from = p->vertex[(int)p->core.edge[4 * e]];
  const double *to = p->vertex[(int)p->core.edge[4 * e + 1]];
  for (int k = 0; k < 3; k++) out[k] = to[k] - from[k];
}

/* Whether the arc of normals of edge e of a meets that of edge f of b turned about: then the cross
 * of the edges is a normal of a face of a - b. */
static bool arcs_meet(const DlsPosed *a, int e, const double d[3], const DlsPosed *b, int f,
                      const double g[3]) {
  const double *m = a->plane[(int)a->core.edge[4 * e + 2]];
  const double *n = a->plane[(int)a->core.edge[4 * e + 3]];
  const double *o = b->plane[(int)b->core.edge[4 * f + 2]];
  const double *p = b->plane[(int)b->core.edge[4 * f + 3]];
  const double od = -dls_vector_dot(o, d), pd = -dls_vector_dot(p, d);
  if (od * pd >= 0) return false;
  const double mg = dls_vector_dot(m, g), ng = dls_vector_dot(n, g);
  if (mg * ng >= 0) return false;
  /* Both cross the circle of the other; at the same of its two points +- d x g? A normal of an edge
   * points away from the centre there, for arcs of half a turn (of what is thin) too. */
  const double *x = a->vertex[(int)a->core.edge[4 * e]], *y = b->vertex[(int)b->core.edge[4 * f]];
  double c[3], first = 0, second = 0;
  dls_vector_cross(d, g, c);
  for (int k = 0; k < 3; k++) {
    first += c[k] * (x[k] - a->centre[k]);
    second -= c[k] * (y[k] - b->centre[k]);
  }
  return first * second > 0;
}

/* Separation along a direction by the vertices of both; n from b to a. */
static double along(const DlsPosed *a, const DlsPosed *b, const double n[3], int *i, int *j) {
  const double back[3] = {-n[0], -n[1], -n[2]};
  *i = dls_posed_support(a, back);
  *j = dls_posed_support(b, n);
  return dls_vector_dot(n, a->vertex[*i]) - dls_vector_dot(n, b->vertex[*j]);
}

double dls_convex_apart(const DlsPosed *a, const DlsPosed *b, const double n[3]) {
  int i, j;
  return along(a, b, n, &i, &j);
}

static void take(const Axis *one, double handicap, Axis *best) {
  if (!best->kind || one->separation > best->separation + handicap) *best = *one;
}

/* Edges that may tell the separation of two solids, with the boxes around them. */
typedef struct {
  int count, edge[DLS_CONVEX_EDGES];
  double middle[DLS_CONVEX_EDGES][3], half[DLS_CONVEX_EDGES][3], way[DLS_CONVEX_EDGES][3];
} Edges;

/* What is known when edges are looked at. */
typedef struct {
  const double *own, *other; /* the best faces of the solid and of the other, NULL: none */
  const double *limit;       /* of the solid's faces, NULL: none is known */
  double lowest;             /* what the other has above the best face of the solid, m */
  double within, least;      /* m; and the separation along the best face */
} Known;

/* Where two that overlap touch once they are moved out along the best axis, two edges cross: they
 * are `within` of each other now. So an edge that lies as a whole farther above a face of the other
 * solid, or farther below what the other solid has above a face of its own, is none of them.
 *
 * The normals of an edge lie between those of its two faces, m and n, and a common place stands no
 * higher above the solid along one of them than above the higher of the two faces: both heights are
 * negative, and u = s m + t n of length 1 has s + t >= 1. So an edge between two faces along which
 * the solids are not as far apart as along the best one is none of them either. */
static void want_edges(const DlsPosed *p, const Known *known, bool *wanted) {
  const DlsConvex *c = &p->core;
  for (int e = 0; e < c->edges; e++) wanted[e] = !known->limit;
  for (int f = 0; known->limit && f < c->faces; f++) {
    if (known->limit[f] < known->least) continue;
    for (int k = (int)c->start[f]; k < (int)c->start[f + 1]; k++) wanted[(int)c->side[k]] = true;
  }
}

static double height(const double *plane, const double x[3]) {
  return dls_vector_dot(plane, x) - plane[3];
}

static void choose_edges(const DlsPosed *p, const Known *known, Edges *out) {
  const double *own = known->own, *other = known->other;
  const double low = known->lowest - known->within;
  bool wanted[DLS_CONVEX_EDGES];
  want_edges(p, known, wanted);
  out->count = 0;
  for (int e = 0; e < p->core.edges; e++) {
    if (!wanted[e]) continue;
    const double *x = p->vertex[(int)p->core.edge[4 * e]];
    const double *y = p->vertex[(int)p->core.edge[4 * e + 1]];
    if (other && height(other, x) > known->within && height(other, y) > known->within) continue;
    if (own && height(own, x) < low && height(own, y) < low) continue;
    const int n = out->count++;
    out->edge[n] = e;
    for (int k = 0; k < 3; k++) {
      out->middle[n][k] = (x[k] + y[k]) / 2;
      out->half[n][k] = fabs(y[k] - x[k]) / 2;
      out->way[n][k] = y[k] - x[k];
    }
  }
}

static bool edges_near(const Edges *a, int i, const Edges *b, int j, double within) {
  for (int k = 0; k < 3; k++)
    if (fabs(a->middle[i][k] - b->middle[j][k]) > a->half[i][k] + b->half[j][k] + within)
      return false;
  return true;
}

/* The axis across edge e of a (along d) and edge f of b (along g). Whether the arcs of nearly
 * parallel edges meet is told by round-off; the supports give no more than what the two are apart
 * along the axis. */
static void try_edge_pair(const DlsPosed *a, int e, const double d[3], const DlsPosed *b, int f,
                          const double g[3], Axis *best) {
  const bool solid = a->core.faces && b->core.faces;
  double n[3];
  if (solid && !arcs_meet(a, e, d, b, f, g)) return;
  if (!dls_edges_across(d, g, n)) return;
  Axis one = {.kind = 3, .first = e, .second = f};
  const double *p = a->vertex[(int)a->core.edge[4 * e]];
  const double *q = b->vertex[(int)b->core.edge[4 * f]];
  double out = 0; /* of a, away from its centre: towards b */
  for (int k = 0; k < 3; k++) out += n[k] * (p[k] - a->centre[k]);
  if (!solid) out = -1; /* a segment has no outside: both ways are tried */
  for (int way = 0; way < (solid ? 1 : 2); way++) {
    const double sign = (out > 0) == (way == 0) ? -1 : 1;
    int i, j;
    for (int k = 0; k < 3; k++) one.normal[k] = sign * n[k];
    one.separation = dls_vector_dot(one.normal, p) - dls_vector_dot(one.normal, q);
    if (best->kind && one.separation <= best->separation) continue;
    one.separation = along(a, b, one.normal, &i, &j);
    take(&one, 0, best);
  }
}

/* The best face of either solid, and how high a common place stands above all of them. */
typedef struct {
  Axis of_a, of_b;
  double limit_a[DLS_CONVEX_FACES], limit_b[DLS_CONVEX_FACES];
} Faces;

static void try_edges(const DlsPosed *a, const DlsPosed *b, const DlsCommon *common,
                      const Faces *faces, Axis *best) {
  static _Thread_local Edges of_a, of_b;
  const bool few = common && faces->of_a.kind && faces->of_b.kind;
  const double within = few ? fmax(-best->separation, 0) + common->slack : HUGE_VAL;
  Known known = {.within = within, .least = best->separation};
  if (few) {
    known.own = a->plane[faces->of_a.first];
    known.other = b->plane[faces->of_b.first];
    known.limit = faces->limit_a;
    known.lowest = faces->of_a.separation;
  }
  choose_edges(a, &known, &of_a);
  if (few) {
    known.own = b->plane[faces->of_b.first];
    known.other = a->plane[faces->of_a.first];
    known.limit = faces->limit_b;
    known.lowest = faces->of_b.separation;
  }
  choose_edges(b, &known, &of_b);
  Axis edges = {0}; /* the best of them is the same, whichever are spared */
  for (int i = 0; i < of_a.count; i++)
    for (int j = 0; j < of_b.count; j++)
      if (!few || edges_near(&of_a, i, &of_b, j, within))
        try_edge_pair(a, of_a.edge[i], of_a.way[i], b, of_b.edge[j], of_b.way[j], &edges);
  if (edges.kind) take(&edges, edge_handicap * (a->reach + b->reach), best);
}

/* Cores without faces: a point in a point, a point or a segment on a segment. Any direction across
 * both will do; the one nearest to the line of centres. */
static void try_across(const DlsPosed *a, const DlsPosed *b, Axis *best) {
  const int up = a->dim - 1;
  double d[3] = {0}, n[3];
  const DlsPosed *line = a->core.edges ? a : b->core.edges ? b : NULL;
  if (line) direction(line, 0, d);
  for (int k = 0; k < 3; k++) n[k] = a->centre[k] - b->centre[k];
  for (int pass = 0; pass < 4; pass++) {
    if (pass > 0)
      for (int k = 0; k < 3; k++) n[k] = k == (up + pass - 1) % 3;
    const double d2 = dls_vector_dot(d, d), part = d2 > 0 ? dls_vector_dot(n, d) / d2 : 0;
    const double before = dls_vector_norm(n);
    for (int k = 0; k < 3; k++) n[k] -= part * d[k];
    const double length = dls_vector_norm(n);
    if (!(length > 1e-6 * before) || !(length > 1e-12 * (a->reach + b->reach))) continue;
    Axis one = {.kind = 4};
    for (int k = 0; k < 3; k++) one.normal[k] = n[k] / length;
    one.separation = along(a, b, one.normal, &one.first, &one.second);
    take(&one, 0, best);
    return;
  }
}

/* Places on both, a distance apart along the normal. */
static void place(const DlsPosed *a, const DlsPosed *b, const Axis *axis, DlsNearest *out) {
  const double d = axis->separation, *n = axis->normal;
  if (axis->kind == 3) {
    const double *e = a->core.edge + 4 * axis->first, *f = b->core.edge + 4 * axis->second;
    const int of_a[2] = {(int)e[0], (int)e[1]}, of_b[2] = {(int)f[0], (int)f[1]};
    dls_edges_place(a, of_a, b, of_b, out);
    out->feature[0] = dls_convex_edge_feature(&a->core, axis->first);
    out->feature[1] = dls_convex_edge_feature(&b->core, axis->second);
    return;
  }
  const bool on_b = axis->kind == 1; /* the vertex is b's */
  const double *x = on_b ? b->vertex[axis->second] : a->vertex[axis->second];
  if (axis->kind == 4) x = a->vertex[axis->first];
  for (int k = 0; k < 3; k++) {
    out->on_a[k] = on_b ? x[k] + d * n[k] : x[k];
    out->on_b[k] = on_b ? x[k] : x[k] - d * n[k];
  }
  out->feature[0] = axis->kind == 1
                        ? dls_convex_face_feature(&a->core, axis->first)
                        : dls_convex_vertex_feature(axis->kind == 4 ? axis->first : axis->second);
  out->feature[1] = axis->kind == 2 ? dls_convex_face_feature(&b->core, axis->first)
                                    : dls_convex_vertex_feature(axis->second);
}

void dls_convex_separation(const DlsPosed *a, const DlsPosed *b, const DlsCommon *common,
                           DlsNearest *out) {
  Faces faces;
  faces.of_a = faces.of_b = (Axis){0};
  try_faces(a, b, common, true, faces.limit_a, &faces.of_a);
  try_faces(b, a, common, false, faces.limit_b, &faces.of_b);
  Axis best = faces.of_a;
  if (faces.of_b.kind) take(&faces.of_b, 0, &best);
  if (a->dim == 3) try_edges(a, b, common, &faces, &best);
  if (!best.kind) try_across(a, b, &best);
  if (!best.kind) best = (Axis){.kind = 4, .normal = {0, a->dim == 2, a->dim == 3}};
  out->far = false;
  out->distance = best.separation;
  memcpy(out->normal, best.normal, sizeof out->normal);
  place(a, b, &best, out);
}
