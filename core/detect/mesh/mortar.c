/* Two surfaces by means over the nodes a of the finer one, the slave (Wohlmuth 2000; Popp, Gee and
 * Wall 2009; over faces that are covered in part, Cichosz and Bischoff 2011):
 *
 *   A_a = integral of N_a,   gap_a = (1/A_a) integral of psi_a g,   M_aj = integral of psi_a N_j
 *   u_a = v_a - sum_j (M_aj / A_a) v_j
 *
 * over the part of the surface that both share, psi_a the dual basis: on each face, and over its
 * covered part alone, integral of psi_a N_b = delta_ab integral of N_a. The psi add up to 1, so
 * that equal pressures pass as they are: sum_a A_a M_aj / A_a = integral of N_j.
 *
 * Segments: a slave face and one of the others are laid along the slave's normal on its plane; what
 * they share there, an interval or a convex polygon cut in triangles, has points of its own. The
 * rules are exact for the products that there are, on lines, triangles and parallelograms. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "detect/mesh/mesh.h"

static const double facing = -0.5; /* cosine: faces that meet look at each other */
static const double sliver =
    1e-7; /* of a face: what is less is left out, its dual basis is noise */

enum { POLYGON = 10, SHARED_POINTS = POLYGON * 6 };

/* A point of a segment: weights of the slave's corners and of the other's, m2, m. */
typedef struct {
  int face; /* of the other */
  double N[DLS_FACE_CORNERS], other[DLS_FACE_CORNERS], weight, gap;
} Point;

/* What one slave node has of one element of the other. */
typedef struct {
  int node, element, order;
  double value;
} Share;

typedef struct {
  const DlsMeshMeeting *m;
  const DlsFacesNow *slave, *other;
  double reach, depth;
  DlsStatus status;
  /* Of the face at hand: its plane. */
  int face, corners;
  double middle[3], normal[3], axis[2][3];
  double flat[DLS_FACE_CORNERS][2]; /* its corners there */
  int near, *near_face;             /* faces of the other that are near, [of all] */
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

static void set_plane(Mortar *w, int face) {
  const int *corner = w->slave->faces->corner[face];
  w->face = face, w->corners = dls_face_corners(corner), w->points = 0;
  memcpy(w->normal, w->slave->normal[face], sizeof w->normal);
  memset(w->middle, 0, sizeof w->middle);
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < w->corners; c++) w->middle[i] += w->slave->x[corner[c]][i] / w->corners;
    w->axis[0][i] = w->slave->x[corner[1]][i] - w->slave->x[corner[0]][i];
  }
  const double along = dls_vector_dot(w->axis[0], w->normal);
  for (int i = 0; i < 3; i++) w->axis[0][i] -= along * w->normal[i];
  const double length = dls_vector_norm(w->axis[0]);
  for (int i = 0; i < 3; i++) w->axis[0][i] /= length;
  dls_vector_cross(w->normal, w->axis[0], w->axis[1]);
  for (int c = 0; c < w->corners; c++) lay(w, w->slave->x[corner[c]], w->flat[c]);
}

static double cross2(const double *o, const double *a, const double *b) {
  return (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
}

/* The place in a face whose corners lie at `flat` that lies at y; false: Newton's method fails. */
static bool locate(int corners, double (*flat)[2], const double y[2], double *N) {
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
  for (int round = 0; round < 30; round++) {
    double r[2] = {y[0], y[1]}, J[2][2] = {{0}};
    dls_face_weights(4, s, N, dN);
    for (int c = 0; c < 4; c++)
      for (int i = 0; i < 2; i++) {
        r[i] -= N[c] * flat[c][i];
        for (int k = 0; k < 2; k++) J[i][k] += dN[c][k] * flat[c][i];
      }
    const double det = J[0][0] * J[1][1] - J[0][1] * J[1][0];
    if (det == 0) return false;
    const double d[2] = {(J[1][1] * r[0] - J[0][1] * r[1]) / det,
                         (J[0][0] * r[1] - J[1][0] * r[0]) / det};
    s[0] += d[0], s[1] += d[1];
    if (fabs(d[0]) + fabs(d[1]) < 1e-15) break;
    if (!(fabs(s[0]) < 100 && fabs(s[1]) < 100)) return false;
  }
  dls_face_weights(4, s, N, dN);
  return true;
}

/* One more point at y, of this weight, shared with face f whose corners lie at `flat`. */
static bool add_point(Mortar *w, int f, int corners, double (*flat)[2], const double y[2],
                      double weight) {
  const int *own = w->slave->faces->corner[w->face], *other = w->other->faces->corner[f];
  Point *p = &w->point[w->points];
  memset(p, 0, sizeof *p);
  p->face = f, p->weight = weight;
  if (!locate(w->corners, w->flat, y, p->N) || !locate(corners, flat, y, p->other)) return false;
  for (int i = 0; i < 3; i++) {
    double apart = 0;
    for (int c = 0; c < corners; c++) apart += p->other[c] * w->other->x[other[c]][i];
    for (int c = 0; c < w->corners; c++) apart -= p->N[c] * w->slave->x[own[c]][i];
    p->gap += apart * w->normal[i];
  }
  w->points++;
  return true;
}

static bool share_line(Mortar *w, int f, double (*flat)[2]) {
  static const double at[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  static const double weight[3] = {5.0 / 18, 8.0 / 18, 5.0 / 18};
  const double low = fmax(fmin(w->flat[0][0], w->flat[1][0]), fmin(flat[0][0], flat[1][0]));
  const double high = fmin(fmax(w->flat[0][0], w->flat[1][0]), fmax(flat[0][0], flat[1][0]));
  const double length = high - low;
  if (!(length > sliver * fabs(w->flat[1][0] - w->flat[0][0]))) return true;
  for (int g = 0; g < 3; g++) {
    const double y[2] = {0.5 * (low + high + at[g] * length), 0};
    if (!add_point(w, f, 2, flat, y, weight[g] * length * w->slave->faces->thickness)) return false;
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

static double area_of(int count, double (*p)[2]) {
  double sum = 0;
  for (int k = 1; k + 1 < count; k++) sum += cross2(p[0], p[k], p[k + 1]);
  return sum / 2;
}

/* Rule of degree 4 in triangles (Dunavant 1985). */
static bool share_polygon(Mortar *w, int f, int corners, double (*flat)[2]) {
  static const double A = 0.44594849091596488632, B = 0.091576213509770743460;
  static const double WA = 0.22338158967801146570, WB = 0.10995174365532186764;
  double p[POLYGON][2];
  int count = corners;
  /* It looks the other way: its corners run clockwise here. */
  for (int c = 0; c < corners; c++) memcpy(p[c], flat[corners - 1 - c], sizeof p[c]);
  for (int c = 0; c < w->corners && count > 2; c++)
    count = cut(w->flat[c], w->flat[(c + 1) % w->corners], count, p);
  if (count < 3 || !(area_of(count, p) > sliver * area_of(w->corners, w->flat))) return true;
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
      if (!add_point(w, f, corners, flat, y, (g < 3 ? WA : WB) * area)) return false;
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
  const int *corner = w->other->faces->corner[f], corners = dls_face_corners(corner);
  double flat[DLS_FACE_CORNERS][2], least = INFINITY, most = -INFINITY;
  if (w->status != DLS_OK || dls_vector_dot(w->other->normal[f], w->normal) > facing) return;
  w->status = room_for_points(w);
  if (w->status != DLS_OK) return;
  for (int c = 0; c < corners; c++) lay(w, w->other->x[corner[c]], flat[c]);
  const int before = w->points;
  if (!(corners == 2 ? share_line(w, f, flat) : share_polygon(w, f, corners, flat)))
    w->points = before;
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

static DlsStatus add_share(Mortar *w, int node, int element, double value) {
  if (w->shares == w->share_room) {
    const int room = 2 * w->share_room + 256;
    Share *more = realloc(w->share, (size_t)room * sizeof *more);
    DLS_CHECK(more, DLS_ERR_MEMORY, "out of memory: %d weights of a contact by mortar", room);
    w->share = more, w->share_room = room;
  }
  w->share[w->shares] = (Share){node, element, w->shares, value};
  w->shares++;
  return DLS_OK;
}

/* The dual basis over the points of the face, psi_a = sum_b dual[b][a] N_b, dual = S^-1 D with S_ab
 * the integral of N_a N_b, and what it adds to the nodes. */
static DlsStatus take_face(Mortar *w) {
  const int *own = w->slave->faces->corner[w->face], n = w->corners;
  double S[DLS_FACE_CORNERS][DLS_FACE_CORNERS] = {{0}}, dual[DLS_FACE_CORNERS][DLS_FACE_CORNERS];
  double D[DLS_FACE_CORNERS] = {0};
  for (int p = 0; p < w->points; p++)
    for (int a = 0; a < n; a++) {
      const double part = w->point[p].weight * w->point[p].N[a];
      D[a] += part;
      for (int b = 0; b < n; b++) S[a][b] += part * w->point[p].N[b];
    }
  for (int a = 0; a < n; a++)
    for (int b = 0; b < n; b++) dual[a][b] = a == b ? D[a] : 0;
  if (!solve(n, S, dual)) return DLS_OK;
  for (int a = 0; a < n; a++) {
    w->area[own[a]] += D[a];
    for (int i = 0; i < 3; i++) w->mean[own[a]][i] -= D[a] * w->normal[i];
  }
  for (int p = 0; p < w->points; p++) {
    const Point *q = &w->point[p];
    const int *other = w->other->faces->corner[q->face];
    for (int a = 0; a < n; a++) {
      double psi = 0;
      for (int b = 0; b < n; b++) psi += dual[b][a] * q->N[b];
      w->gap[own[a]] += q->weight * psi * q->gap;
      for (int c = 0; c < dls_face_corners(other); c++)
        DLS_TRY(add_share(w, own[a], other[c], q->weight * psi * q->other[c]));
    }
  }
  return DLS_OK;
}

static int by_node(const void *a, const void *b) {
  const Share *p = a, *q = b;
  if (p->node != q->node) return p->node - q->node;
  if (p->element != q->element) return p->element - q->element;
  return p->order - q->order;
}

/* The contact of node a, whose shares are those from `first` to `end`. */
static DlsStatus add_contact(Mortar *w, int a, int first, int end, int *element, double *weight) {
  const double one = 1, area = w->area[a];
  double closing = 0;
  int count = 0;
  for (int k = first; k < end; k++) {
    if (count == 0 || element[count - 1] != w->share[k].element) {
      element[count] = w->share[k].element;
      weight[count++] = 0;
    }
    weight[count - 1] += w->share[k].value / area;
  }
  DlsMeshPoint p = {.gap = w->gap[a] / area, .area = area};
  const double length = dls_vector_norm(w->mean[a]);
  if (!(length > 0)) return DLS_OK;
  for (int i = 0; i < 3; i++) {
    p.normal[i] = w->mean[a][i] / length;
    p.point[i] = w->slave->x[a][i] - 0.5 * p.gap * p.normal[i];
    double way = w->slave->way[a][i];
    for (int k = 0; k < count; k++) way -= weight[k] * w->other->way[element[k]][i];
    closing += way * p.normal[i];
  }
  if (p.gap + fmin(0, closing) > w->m->scene->alert || p.gap < -w->depth) return DLS_OK;
  const DlsMeshSide own = {w->slave->body, (uint32_t)a, 1, &a, &one};
  const DlsMeshSide other = {w->other->body, DLS_FEATURE_FACE, count, element, weight};
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
