/* Two surfaces by means over the nodes a of the finer one, the slave (Wohlmuth 2000; Popp, Gee and
 * Wall 2009; over faces that are covered in part, Cichosz and Bischoff 2011):
 *
 *   A_a = integral of L_a,   gap_a = (1/A_a) integral of psi_a g
 *   D_ab = integral of psi_a N_b,   M_aj = integral of psi_a N_j
 *   u_a = sum_b (D_ab / A_a) v_b - sum_j (M_aj / A_a) v_j
 *
 * over the part of the surface that both share, N the interpolations of both bodies, L those of the
 * slave's faces, psi_a their dual basis: on each face, and over its covered part alone, integral of
 * psi_a L_b = delta_ab integral of L_a. The psi add up to 1, so that equal pressures pass as they
 * are: sum_a D_ab = integral of N_b, sum_a M_aj = integral of N_j.
 *
 * Where sides are linear N and L are one, and D_ab / A_a is 1 for a itself and else 0. On quadratic
 * sides N is quadratic, and L linear on the pieces that a side is cut in (after Puso, Laursen and
 * Solberg 2008): integrals of L are above 0, while those of N are 0 at the corners of a T6, and of
 * the part of a line that an end of the other covers even below. D is near its diagonal: 11/12 and
 * 14/12 of A_a on a line.
 *
 * Segments: a slave face and one of the others are laid along the slave's normal on its plane; what
 * they share there, an interval or a convex polygon cut in triangles, has points of its own; places
 * of quadratic sides are looked for where these lie. The rules are exact for the products that
 * there are, on lines, triangles and parallelograms whose middle nodes are in the middle. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/mesh/mesh.h"

static const double facing = -0.5; /* cosine: faces that meet look at each other */
static const double sliver =
    1e-7; /* of a face: what is less is left out, its dual basis is noise */

enum { POLYGON = 10, SHARED_POINTS = POLYGON * 6 };

/* A face laid on the plane, and the nodes that interpolate there: its corners, or those of the
 * quadratic side that it is a piece of. */
typedef struct {
  const DlsFacesNow *of;
  int corners, nodes;
  bool quadratic;
  const int *corner, *node;          /* elements */
  double flat[DLS_FACE_CORNERS][2];  /* its corners there */
  double whole[DLS_SIDE_NODES][2];   /* where it is quadratic: nodes there, */
  double place[DLS_FACE_CORNERS][2]; /* and its corners in the side */
} Laid;

/* A point of a segment: L of the slave, N of either; m2, m. */
typedef struct {
  int nodes; /* of the other's side: */
  const int *node;
  double L[DLS_FACE_CORNERS], own[DLS_SIDE_NODES], other[DLS_SIDE_NODES], weight, gap;
} Point;

/* What one slave node has of one element, its own body's or the other's. */
typedef struct {
  int node, side, element, order; /* side 0: its own */
  double value;
} Share;

typedef struct {
  const DlsMeshMeeting *m;
  const DlsFacesNow *slave, *other;
  double reach, depth;
  DlsStatus status;
  /* Of the face at hand: its plane. */
  double middle[3], normal[3], axis[2][3];
  Laid own;
  int near, *near_face; /* faces of the other that are near, [of all] */
  int points, point_room;
  Point *point;
  /* Of all nodes. */
  double *area, *gap, (*mean)[3];
  int shares, share_room;
  Share *share;
} Mortar;

static void lay(const Mortar *w, const double *x, double out[2]) {
  double d[3];
  for (int i = 0; i < 3; i++) d[i] = x[i] - w->middle[i];
  for (int k = 0; k < 2; k++) out[k] = dls_vector_dot(d, w->axis[k]);
}

static void lay_face(const Mortar *w, const DlsFacesNow *of, int face, Laid *out) {
  const int nodes = dls_side_nodes(of->faces, face);
  *out = (Laid){.of = of, .corner = of->faces->corner[face], .quadratic = nodes > 0};
  out->corners = dls_face_corners(out->corner);
  out->nodes = nodes > 0 ? nodes : out->corners;
  out->node = nodes > 0 ? of->faces->side[face] : out->corner;
  for (int c = 0; c < out->corners; c++) lay(w, of->x[out->corner[c]], out->flat[c]);
  for (int a = 0; a < nodes; a++) {
    lay(w, of->x[out->node[a]], out->whole[a]);
    for (int c = 0; c < out->corners; c++)
      if (out->corner[c] == out->node[a])
        memcpy(out->place[c], dls_side_place(nodes, a), sizeof out->place[c]);
  }
}

static void set_plane(Mortar *w, int face) {
  const int *corner = w->slave->faces->corner[face], corners = dls_face_corners(corner);
  w->points = 0;
  memcpy(w->normal, w->slave->normal[face], sizeof w->normal);
  memset(w->middle, 0, sizeof w->middle);
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < corners; c++) w->middle[i] += w->slave->x[corner[c]][i] / corners;
    w->axis[0][i] = w->slave->x[corner[1]][i] - w->slave->x[corner[0]][i];
  }
  const double along = dls_vector_dot(w->axis[0], w->normal);
  for (int i = 0; i < 3; i++) w->axis[0][i] -= along * w->normal[i];
  const double length = dls_vector_norm(w->axis[0]);
  for (int i = 0; i < 3; i++) w->axis[0][i] /= length;
  dls_vector_cross(w->normal, w->axis[0], w->axis[1]);
  lay_face(w, w->slave, face, &w->own);
}

static double cross2(const double *o, const double *a, const double *b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* One round of Newton's method towards the place s that lies at y, for nodes at `flat`; false: it
 * fails. *done: s was there already. */
static bool come_nearer(int nodes, const double (*flat)[2], const double y[2], const double *N,
                        const double (*dN)[2], int axes, double s[2], bool *done) {
  double r[2] = {y[0], y[1]}, J[2][2] = {{0}}, d[2];
  for (int c = 0; c < nodes; c++)
    for (int i = 0; i < 2; i++) {
      r[i] -= N[c] * flat[c][i];
      for (int k = 0; k < 2; k++) J[i][k] += dN[c][k] * flat[c][i];
    }
  if (axes == 1) J[0][1] = J[1][0] = r[1] = 0, J[1][1] = 1;
  const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
  if (det == 0) return false;
  d[0] = (J[1][1] * r[0] - J[0][1] * r[1]) / det;
  d[1] = (J[0][0] * r[1] - J[1][0] * r[0]) / det;
  s[0] += d[0], s[1] += d[1];
  *done = fabs(d[0]) + fabs(d[1]) < 1e-15;
  return fabs(s[0]) < 100 && fabs(s[1]) < 100;
}

/* The place in a face whose corners lie at `flat` that lies at y; false: Newton's method fails. */
static bool locate(int corners, const double (*flat)[2], const double y[2], double *N) {
  double dN[DLS_FACE_CORNERS][2];
  if (corners == 2) { /* along the first axis */
    N[1] = (y[0] - flat[0][0]) / (flat[1][0] - flat[0][0]);
    N[0] = 1 - N[1];
    return true;
  }
  if (corners == 3) {
    const double whole = cross2(flat[0], flat[1], flat[2]);
    N[1] = cross2(flat[0], y, flat[2]) / whole;
    N[2] = cross2(flat[0], flat[1], y) / whole;
    N[0] = 1 - N[1] - N[2];
    return true;
  }
  double s[2] = {0, 0};
  bool done = false;
  for (int round = 0; round < 30 && !done; round++) {
    dls_face_weights(4, s, N, dN);
    if (!come_nearer(4, flat, y, N, (const double(*)[2])dN, 2, s, &done)) return false;
  }
  dls_face_weights(4, s, N, dN);
  return true;
}

/* N of the nodes at y, which lies in the face where its corners have the weights L. */
static bool interpolate(const Laid *f, const double y[2], const double *L, double *N) {
  double s[2] = {0, 0}, dN[DLS_SIDE_NODES][2];
  bool done = false;
  if (!f->quadratic) {
    memcpy(N, L, (size_t)f->corners * sizeof *N);
    return true;
  }
  for (int c = 0; c < f->corners; c++)
    for (int k = 0; k < 2; k++) s[k] += L[c] * f->place[c][k];
  for (int round = 0; round < 30 && !done; round++) {
    dls_side_weights(f->nodes, s, N, dN);
    if (!come_nearer(f->nodes, f->whole, y, N, (const double(*)[2])dN, f->corners - 1, s, &done))
      return false;
  }
  dls_side_weights(f->nodes, s, N, dN);
  return true;
}

/* One more point at y, of this weight, shared with a face of the other. */
static bool add_point(Mortar *w, const Laid *f, const double y[2], double weight) {
  Point *p = &w->point[w->points];
  double other[DLS_FACE_CORNERS];
  memset(p, 0, sizeof *p);
  p->nodes = f->nodes, p->node = f->node, p->weight = weight;
  if (!locate(w->own.corners, w->own.flat, y, p->L) || !locate(f->corners, f->flat, y, other) ||
      !interpolate(&w->own, y, p->L, p->own) || !interpolate(f, y, other, p->other))
    return false;
  for (int i = 0; i < 3; i++) {
    double apart = 0;
    for (int c = 0; c < f->nodes; c++) apart += p->other[c] * w->other->x[f->node[c]][i];
    for (int c = 0; c < w->own.nodes; c++) apart -= p->own[c] * w->slave->x[w->own.node[c]][i];
    p->gap += apart * w->normal[i];
  }
  w->points++;
  return true;
}

static bool share_line(Mortar *w, const Laid *f) {
  static const double at[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double own[2] = {w->own.flat[0][0], w->own.flat[1][0]};
  const double other[2] = {f->flat[0][0], f->flat[1][0]};
  const double low = fmax(fmin(own[0], own[1]), fmin(other[0], other[1]));
  const double high = fmin(fmax(own[0], own[1]), fmax(other[0], other[1]));
  const double length = high - low;
  if (!(length > sliver * fabs(own[1] - own[0]))) return true;
  for (int g = 0; g < 3; g++) {
    const double y[2] = {0.5 * (low + high + at[g] * length), 0};
    if (!add_point(w, f, y, weight[g] * length * w->slave->faces->thickness)) return false;
  }
  return true;
}

/* The part of a convex polygon on the left of the way from a to b; new count. */
static int cut(const double *a, const double *b, int count, double (*p)[2]) {
  double out[POLYGON][2];
  int kept = 0;
  for (int k = 0; k < count; k++) {
    const double *from = p[k], *to = p[(k + 1) % count];
    const double here = cross2(a, b, from), there = cross2(a, b, to);
    if (here >= 0) memcpy(out[kept++], from, sizeof out[0]);
    if ((here > 0 && there < 0) || (here < 0 && there > 0)) {
      const double t = here / (here - there);
      for (int i = 0; i < 2; i++) out[kept][i] = from[i] + t * (to[i] - from[i]);
      kept++;
    }
    if (kept > POLYGON - 2) break;
  }
  memcpy(p, out, (size_t)kept * sizeof *p);
  return kept;
}

static double area_of(int count, const double (*p)[2]) {
  double sum = 0;
  for (int k = 1; k + 1 < count; k++) sum += cross2(p[0], p[k], p[k + 1]);
  return sum / 2;
}

/* Rule of degree 4 in triangles (Dunavant 1985). */
static bool share_polygon(Mortar *w, const Laid *f) {
  static const double A = 0.44594849091596488632, B = 0.091576213509770743460;
  static const double WA = 0.22338158967801146570, WB = 0.10995174365532186764;
  double p[POLYGON][2];
  const Laid *own = &w->own;
  int count = f->corners;
  /* It looks the other way: its corners run clockwise here. */
  for (int c = 0; c < count; c++) memcpy(p[c], f->flat[count - 1 - c], sizeof p[c]);
  for (int c = 0; c < own->corners && count > 2; c++)
    count = cut(own->flat[c], own->flat[(c + 1) % own->corners], count, p);
  const double shared = count < 3 ? 0 : area_of(count, (const double(*)[2])p);
  if (!(shared > sliver * area_of(own->corners, own->flat))) return true;
  for (int k = 1; k + 1 < count; k++) {
    const double area = cross2(p[0], p[k], p[k + 1]) / 2;
    if (!(area > 0)) continue;
    for (int g = 0; g < 6; g++) {
      const double small = g < 3 ? A : B;
      double L[3] = {small, small, small}, y[2] = {0, 0};
      L[g % 3] = 1 - 2 * small;
      const double *corner[3] = {p[0], p[k], p[k + 1]};
      for (int i = 0; i < 2; i++)
        for (int c = 0; c < 3; c++) y[i] += L[c] * corner[c][i];
      if (!add_point(w, f, y, (g < 3 ? WA : WB) * area)) return false;
    }
  }
  return true;
}

static DlsStatus room_for_points(Mortar *w) {
  if (w->points + SHARED_POINTS <= w->point_room) return DLS_OK;
  const int room = 2 * w->point_room + 4 * SHARED_POINTS;
  Point *more = realloc(w->point, (size_t)room * sizeof *more);
  DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: %d points of a contact by mortar", room);
  w->point = more, w->point_room = room;
  return DLS_OK;
}

/* What they share with face f of the other is taken or left as a whole. */
static void try_face(Mortar *w, int f) {
  double least = INFINITY, most = -INFINITY;
  Laid face;
  if (w->status != DLS_OK || dls_vector_dot(w->other->normal[f], w->normal) > facing) return;
  w->status = room_for_points(w);
  if (w->status != DLS_OK) return;
  lay_face(w, w->other, f, &face);
  const int before = w->points;
  if (!(face.corners == 2 ? share_line(w, &face) : share_polygon(w, &face))) w->points = before;
  for (int p = before; p < w->points; p++) {
    least = fmin(least, w->point[p].gap);
    most = fmax(most, w->point[p].gap);
  }
  if (least > fmax(w->reach, w->depth) || most < -w->depth) w->points = before;
}

/* X of A X = B, both n x n, by elimination with the largest pivots; false: A is singular. */
static bool solve(int n, double (*A)[DLS_FACE_CORNERS], double (*B)[DLS_FACE_CORNERS]) {
  for (int p = 0; p < n; p++) {
    int best = p;
    for (int i = p + 1; i < n; i++)
      if (fabs(A[i][p]) > fabs(A[best][p])) best = i;
    if (!(fabs(A[best][p]) > 0)) return false;
    for (int j = 0; j < n; j++) {
      const double a = A[p][j], b = B[p][j];
      A[p][j] = A[best][j], A[best][j] = a;
      B[p][j] = B[best][j], B[best][j] = b;
    }
    for (int i = 0; i < n; i++) {
      if (i == p) continue;
      const double factor = A[i][p] / A[p][p];
      for (int j = 0; j < n; j++) A[i][j] -= factor * A[p][j], B[i][j] -= factor * B[p][j];
    }
  }
  for (int p = 0; p < n; p++)
    for (int j = 0; j < n; j++) B[p][j] /= A[p][p];
  return true;
}

static DlsStatus add_share(Mortar *w, int node, int side, int element, double value) {
  if (w->shares == w->share_room) {
    const int room = 2 * w->share_room + 256;
    Share *more = realloc(w->share, (size_t)room * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: %d weights of a contact by mortar", room);
    w->share = more, w->share_room = room;
  }
  w->share[w->shares] = (Share){node, side, element, w->shares, value};
  w->shares++;
  return DLS_OK;
}

/* The dual basis over the points of the face, psi_a = sum_b dual[b][a] L_b, dual = S^-1 A with S_ab
 * the integral of L_a L_b, and what it adds to the nodes. */
static DlsStatus take_face(Mortar *w) {
  const int *own = w->own.corner, n = w->own.corners;
  double S[DLS_FACE_CORNERS][DLS_FACE_CORNERS] = {{0}}, dual[DLS_FACE_CORNERS][DLS_FACE_CORNERS];
  double A[DLS_FACE_CORNERS] = {0};
  for (int p = 0; p < w->points; p++)
    for (int a = 0; a < n; a++) {
      const double part = w->point[p].weight * w->point[p].L[a];
      A[a] += part;
      for (int b = 0; b < n; b++) S[a][b] += part * w->point[p].L[b];
    }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) dual[a][b] = a == b ? A[a] : 0;
  if (!solve(n, S, dual)) return DLS_OK;
  for (int a = 0; a < n; a++) {
    w->area[own[a]] += A[a];
    for (int i = 0; i < 3; i++) w->mean[own[a]][i] -= A[a] * w->normal[i];
    if (!w->own.quadratic) DLS_TRY(add_share(w, own[a], 0, own[a], A[a]));
  }
  for (int p = 0; p < w->points; p++) {
    const Point *q = &w->point[p];
    for (int a = 0; a < n; a++) {
      double psi = 0;
      for (int b = 0; b < n; b++) psi += dual[b][a] * q->L[b];
      w->gap[own[a]] += q->weight * psi * q->gap;
      for (int c = 0; w->own.quadratic && c < w->own.nodes; c++)
        DLS_TRY(add_share(w, own[a], 0, w->own.node[c], q->weight * psi * q->own[c]));
      for (int c = 0; c < q->nodes; c++)
        DLS_TRY(add_share(w, own[a], 1, q->node[c], q->weight * psi * q->other[c]));
    }
  }
  return DLS_OK;
}

static int by_node(const void *a, const void *b) {
  const Share *p = a, *q = b;
  if (p->node != q->node) return p->node - q->node;
  if (p->side != q->side) return p->side - q->side;
  if (p->element != q->element) return p->element - q->element;
  return p->order - q->order;
}

/* The contact of node a, whose shares are those from `first` to `end`. */
static DlsStatus add_contact(Mortar *w, int a, int first, int end, int *element, double *weight) {
  const DlsFacesNow *of[2] = {w->slave, w->other};
  const double area = w->area[a], length = dls_vector_norm(w->mean[a]);
  int count[2] = {0}, at = 0; /* elements of the slave stand first */
  for (int k = first; k < end; k++) {
    const int side = w->share[k].side;
    if (count[side] == 0 || element[at - 1] != w->share[k].element) {
      element[at] = w->share[k].element;
      weight[at++] = 0;
      count[side]++;
    }
    weight[at - 1] += w->share[k].value / area;
  }
  if (!(length > 0) || count[1] == 0) return DLS_OK;
  if (count[0] == 1) weight[0] = 1; /* itself */
  DlsMeshPoint p = {.gap = w->gap[a] / area, .area = dls_faces_node_told(w->slave, a, area)};
  double closing = 0;
  for (int i = 0; i < 3; i++) {
    double way = 0;
    p.normal[i] = w->mean[a][i] / length;
    p.point[i] = -0.5 * p.gap * p.normal[i];
    for (int k = 0; k < at; k++) {
      const int side = k >= count[0];
      way += (side ? -1 : 1) * weight[k] * of[side]->way[element[k]][i];
      if (side == 0) p.point[i] += weight[k] * w->slave->x[element[k]][i];
    }
    closing += way * p.normal[i];
  }
  if (p.gap + fmin(0, closing) > w->m->scene->alert || p.gap < -w->depth) return DLS_OK;
  const DlsMeshSide own = {w->slave->body, (uint32_t)a, count[0], element, weight};
  const DlsMeshSide other = {w->other->body, DLS_FEATURE_FACE, count[1], element + count[0],
                             weight + count[0]};
  return dls_mesh_add(w->m, &own, &other, &p);
}

static DlsStatus add_contacts(Mortar *w) {
  int *element = NULL;
  double *weight = NULL;
  DlsStatus status = DLS_OK;
  if (w->shares == 0) return DLS_OK;
  qsort(w->share, (size_t)w->shares, sizeof *w->share, by_node);
  DLS_NEW(element, w->shares);
  weight = dls_memory_array((size_t)w->shares, sizeof *weight);
  if (!weight) status = dls_fail(DLS_ERR_MEMORY, "out of memory: contacts by mortar");
  for (int first = 0, end; first < w->shares && status == DLS_OK; first = end) {
    const int a = w->share[first].node;
    for (end = first; end < w->shares && w->share[end].node == a;) end++;
    if (w->area[a] > sliver * w->slave->node_area[a])
      status = add_contact(w, a, first, end, element, weight);
  }
  free(element);
  free(weight);
  return status;
}

static void note_face(void *context, int f) {
  Mortar *w = context;
  w->near_face[w->near++] = f;
}

static int by_number(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

/* In the order of their numbers: that of the tree is of the day on which it was made, and a run
 * that is gone on with would add up in another one. */
static void try_faces(Mortar *w, const DlsRange *where) {
  w->near = 0;
  dls_box_tree_near(&w->other->tree, where, note_face, w);
  qsort(w->near_face, (size_t)w->near, sizeof *w->near_face, by_number);
  for (int k = 0; k < w->near; k++) try_face(w, w->near_face[k]);
}

static DlsStatus run(Mortar *w) {
  const int nodes = w->slave->faces->elements;
  DLS_NEW(w->area, nodes);
  DLS_NEW(w->gap, nodes);
  DLS_NEW(w->mean, nodes);
  DLS_NEW(w->near_face, w->other->faces->count);
  const double far = fmax(w->reach, w->depth);
  for (int f = 0; f < w->slave->faces->count; f++) {
    DlsRange where = w->slave->range[f];
    for (int i = 0; i < 3; i++) where.low[i] -= far, where.high[i] += far;
    if (!dls_ranges_meet(&where, &w->other->whole)) continue;
    set_plane(w, f);
    try_faces(w, &where);
    DLS_TRY(w->status);
    if (w->points > 0) DLS_TRY(take_face(w));
  }
  return add_contacts(w);
}

DlsStatus dls_mesh_mortar(const DlsMeshMeeting *m, const DlsFacesNow *from, const DlsFacesNow *on) {
  Mortar w = {.m = m,
              .slave = from,
              .other = on,
              .reach = m->scene->alert + from->fastest + on->fastest,
              .depth = 0.5 * (from->faces->size + on->faces->size)};
  const DlsStatus status = run(&w);
  free(w.point), free(w.area), free(w.gap), free(w.mean), free(w.share), free(w.near_face);
  return status;
}
