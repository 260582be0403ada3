#include "detect/mesh/now.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

static const double alike = 0.70710678118654752; /* cosine of 45 degrees */
static const double opposed = -0.1;              /* cosine */
static const double touching = 1e-3;             /* of an edge: a direction so short means little */

void dls_faces_now_clear(DlsFacesNow *n) {
  free(n->x), free(n->way), free(n->normal), free(n->area), free(n->smooth);
  free(n->node_area), free(n->range);
  dls_box_tree_clear(&n->tree);
  *n = (DlsFacesNow){0};
}

static DlsStatus make_room(DlsFacesNow *n, const DlsContactFaces *f) {
  if (n->faces == f) return DLS_OK;
  dls_faces_now_clear(n);
  DLS_NEW(n->x, f->elements);
  DLS_NEW(n->way, f->elements);
  DLS_NEW(n->node_area, f->elements);
  DLS_NEW(n->normal, f->count);
  DLS_NEW(n->area, f->count);
  DLS_NEW(n->smooth, f->count);
  DLS_NEW(n->range, f->count);
  n->faces = f;
  return DLS_OK;
}

static void set_normal(DlsFacesNow *n, int k) {
  const DlsContactFaces *f = n->faces;
  const int corners = dls_face_corners(f->corner[k]);
  const double *corner[DLS_FACE_CORNERS] = {NULL};
  double *out = n->normal[k];
  for (int c = 0; c < corners; c++) corner[c] = n->x[f->corner[k][c]];
  dls_face_vector(corners, corner, out);
  const double length = dls_vector_norm(out);
  n->area[k] = length * (f->dim == 2 ? f->thickness : 1);
  for (int i = 0; i < 3; i++) out[i] = length > 0 ? out[i] / length : 0;
}

double dls_faces_told(const DlsFacesNow *n, int face, double area) {
  const DlsContactFaces *f = n->faces;
  return f->at_rest && n->area[face] > 0 ? area * f->rest[face] / n->area[face] : area;
}

double dls_faces_node_told(const DlsFacesNow *n, int node, double area) {
  const DlsContactFaces *f = n->faces;
  return f->at_rest && n->node_area[node] > 0 ? area * f->node_rest[node] / n->node_area[node]
                                              : area;
}

static void set_range(DlsFacesNow *n, int k) {
  const int *c = n->faces->corner[k], corners = dls_face_corners(c);
  for (int i = 0; i < 3; i++) {
    double low = n->x[c[0]][i], high = low;
    for (int m = 1; m < corners; m++) {
      low = fmin(low, n->x[c[m]][i]);
      high = fmax(high, n->x[c[m]][i]);
    }
    n->range[k].low[i] = low, n->range[k].high[i] = high;
  }
}

static void make_unit(double *v) {
  const double length = dls_vector_norm(v);
  for (int i = 0; i < 3; i++) v[i] = length > 0 ? v[i] / length : 0;
}

static void set_nodes(DlsFacesNow *n) {
  const DlsContactFaces *f = n->faces;
  for (int e = 0; e < f->elements; e++) {
    n->node_area[e] = 0;
    for (int s = f->star_start[e]; s < f->star_start[e + 1]; s++) {
      const int k = f->star[s];
      n->node_area[e] += n->area[k] / dls_face_corners(f->corner[k]);
    }
  }
  for (int k = 0; k < f->count; k++)
    for (int c = 0; c < dls_face_corners(f->corner[k]); c++) {
      const int e = f->corner[k][c];
      double *out = n->smooth[k][c];
      memset(out, 0, 3 * sizeof *out);
      for (int s = f->star_start[e]; s < f->star_start[e + 1]; s++) {
        const int g = f->star[s];
        if (dls_vector_dot(n->normal[g], n->normal[k]) < alike) continue;
        for (int i = 0; i < 3; i++) out[i] += n->area[g] * n->normal[g][i];
      }
      make_unit(out);
    }
}

DlsStatus dls_faces_now(DlsFacesNow *n, const DlsDetector *d, const DlsWorld *world,
                        const DlsDeformable *deformable) {
  const DlsContactFaces *f = deformable->faces;
  DLS_TRY(make_room(n, f));
  n->body = deformable->body, n->first = world->first[deformable->body];
  n->fastest = 0;
  for (int e = 0; e < f->elements; e++) {
    const DlsBall *ball = &d->ball[d->place[n->first + e]];
    memcpy(n->x[e], ball->x, sizeof n->x[e]);
    memcpy(n->way[e], ball->way, sizeof n->way[e]);
    n->fastest = fmax(n->fastest, dls_vector_norm(ball->way));
  }
  for (int k = 0; k < f->count; k++) set_normal(n, k), set_range(n, k);
  set_nodes(n);
  if (n->tree.items != f->count)
    DLS_TRY(dls_box_tree_make(&n->tree, f->count, n->range));
  else
    dls_box_tree_follow(&n->tree, n->range);
  if (f->count > 0) n->whole = n->tree.box[0].range;
  return DLS_OK;
}

void dls_face_weights(int corners, const double s[2], double *N, double (*dN)[2]) {
  static const double at[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  if (corners == 2) {
    N[0] = 1 - s[0], N[1] = s[0];
    dN[0][0] = -1, dN[1][0] = 1, dN[0][1] = dN[1][1] = 0;
  } else if (corners == 3) {
    static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
    N[0] = 1 - s[0] - s[1], N[1] = s[0], N[2] = s[1];
    memcpy(dN, slope, sizeof slope);
  } else {
    for (int c = 0; c < 4; c++) {
      N[c] = (1 + at[c][0] * s[0]) * (1 + at[c][1] * s[1]) / 4;
      dN[c][0] = at[c][0] * (1 + at[c][1] * s[1]) / 4;
      dN[c][1] = at[c][1] * (1 + at[c][0] * s[0]) / 4;
    }
  }
}

const double *dls_side_place(int nodes, int a) {
  static const double line[3][2] = {{-1}, {1}, {0}};
  static const double triangle[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
  return nodes == 3 ? line[a] : triangle[a];
}

void dls_side_weights(int nodes, const double s[2], double *N, double (*dN)[2]) {
  static const double slope[3][2] = {{-1, -1}, {1, 0}, {0, 1}};
  const double L[3] = {1 - s[0] - s[1], s[0], s[1]};
  if (nodes == 3) {
    N[0] = s[0] * (s[0] - 1) / 2, N[1] = s[0] * (s[0] + 1) / 2, N[2] = 1 - s[0] * s[0];
    dN[0][0] = s[0] - 0.5, dN[1][0] = s[0] + 0.5, dN[2][0] = -2 * s[0];
    for (int a = 0; a < 3; a++) dN[a][1] = 0;
    return;
  }
  for (int a = 0; a < 3; a++) {
    const int b = (a + 1) % 3;
    N[a] = L[a] * (2 * L[a] - 1), N[3 + a] = 4 * L[a] * L[b];
    for (int k = 0; k < 2; k++) {
      dN[a][k] = (4 * L[a] - 1) * slope[a][k];
      dN[3 + a][k] = 4 * (L[a] * slope[b][k] + slope[a][k] * L[b]);
    }
  }
}

void dls_face_nodes(const DlsContactFaces *f, int face, const double *L, DlsNodesThere *out) {
  const int *corner = f->corner[face], corners = dls_face_corners(corner);
  const int nodes = dls_side_nodes(f, face);
  double s[2] = {0}, dN[DLS_SIDE_NODES][2];
  *out =
      (DlsNodesThere){.count = nodes ? nodes : corners, .element = nodes ? f->side[face] : corner};
  if (nodes == 0) {
    memcpy(out->N, L, (size_t)corners * sizeof *L);
    return;
  }
  for (int a = 0; a < nodes; a++)
    for (int c = 0; c < corners; c++)
      for (int k = 0; k < 2 && f->side[face][a] == corner[c]; k++)
        s[k] += L[c] * dls_side_place(nodes, a)[k];
  dls_side_weights(nodes, s, out->N, dN);
}

/* ---- The nearest place of one face ---- */

typedef struct {
  double N[DLS_FACE_CORNERS], square; /* m2, of the distance */
  bool inside;                        /* not on an edge */
} Nearest;

static double measure(int corners, double (*x)[3], const double *N, const double *p) {
  double square = 0;
  for (int i = 0; i < 3; i++) {
    double d = p[i];
    for (int c = 0; c < corners; c++) d -= N[c] * x[c][i];
    square += d * d;
  }
  return square;
}

/* On the edge from corner a to b. */
static void try_edge(int corners, double (*x)[3], int a, int b, const double *p, Nearest *out) {
  double along = 0, square = 0;
  for (int i = 0; i < 3; i++) {
    const double way = x[b][i] - x[a][i];
    along += way * (p[i] - x[a][i]);
    square += way * way;
  }
  const double t = square > 0 ? fmin(1, fmax(0, along / square)) : 0;
  double N[DLS_FACE_CORNERS] = {0};
  N[a] = 1 - t, N[b] += t;
  const double distance = measure(corners, x, N, p);
  if (distance >= out->square) return;
  memcpy(out->N, N, sizeof N);
  out->square = distance;
  out->inside = corners == 2 && t > 0 && t < 1;
}

/* The foot of the perpendicular, by Newton's method on the plane that touches; false: it is not
 * within. */
static bool try_inside(int corners, double (*x)[3], const double *p, Nearest *out) {
  double s[2] = {corners == 3 ? 1.0 / 3 : 0, corners == 3 ? 1.0 / 3 : 0}, dN[DLS_FACE_CORNERS][2];
  for (int round = 0; round < 20; round++) {
    double r[3], g[2][3] = {{0}}, b[2], A[3], change = 0;
    dls_face_weights(corners, s, out->N, dN);
    for (int i = 0; i < 3; i++) {
      r[i] = p[i];
      for (int c = 0; c < corners; c++) {
        r[i] -= out->N[c] * x[c][i];
        for (int k = 0; k < 2; k++) g[k][i] += dN[c][k] * x[c][i];
      }
    }
    for (int k = 0; k < 2; k++) b[k] = dls_vector_dot(g[k], r);
    A[0] = dls_vector_dot(g[0], g[0]), A[1] = dls_vector_dot(g[0], g[1]);
    A[2] = dls_vector_dot(g[1], g[1]);
    const double det = A[0] * A[2] - A[1] * A[1];
    if (!(det > 0)) return false;
    const double d[2] = {(A[2] * b[0] - A[1] * b[1]) / det, (A[0] * b[1] - A[1] * b[0]) / det};
    for (int k = 0; k < 2; k++) s[k] += d[k], change += fabs(d[k]);
    if (fabs(s[0]) > 4 || fabs(s[1]) > 4) return false;
    if (change < 1e-14 || (corners == 3 && round > 0)) break;
  }
  dls_face_weights(corners, s, out->N, dN);
  for (int c = 0; c < corners; c++)
    if (out->N[c] < 0) return false;
  if (corners == 4 && (fabs(s[0]) > 1 || fabs(s[1]) > 1)) return false;
  out->square = measure(corners, x, out->N, p);
  out->inside = true;
  return true;
}

static void nearest_of(int corners, double (*x)[3], const double *p, Nearest *out) {
  out->square = INFINITY;
  out->inside = false;
  memset(out->N, 0, sizeof out->N);
  if (corners > 2 && try_inside(corners, x, p, out)) return;
  out->square = INFINITY;
  for (int a = 0; a < (corners == 2 ? 1 : corners); a++)
    try_edge(corners, x, a, (a + 1) % corners, p, out);
}

/* ---- The nearest of all ---- */

typedef struct {
  const DlsFacesNow *now;
  const DlsPlace *place;
  int face; /* the nearest so far, -1 none */
  Nearest near;
} Search;

/* Whether a corner of face k is node e or shares a face with it. */
static bool is_neighbour(const DlsContactFaces *f, int k, int e) {
  for (int c = 0; c < dls_face_corners(f->corner[k]); c++) {
    const int other = f->corner[k][c];
    for (int s = f->star_start[other]; s < f->star_start[other + 1]; s++)
      for (int m = 0; m < dls_face_corners(f->corner[f->star[s]]); m++)
        if (f->corner[f->star[s]][m] == e) return true;
  }
  return false;
}

/* Whether a face of the place, where some are known, looks against n. */
static bool looks_back(const DlsPlace *p, const double n[3]) {
  for (int f = 0; f < p->faces; f++)
    if (dls_vector_dot(p->normal[p->face[f]], n) < opposed) return true;
  return p->faces == 0;
}

static void try_face(void *context, int k) {
  Search *s = context;
  const DlsFacesNow *n = s->now;
  const int *corner = n->faces->corner[k], corners = dls_face_corners(corner);
  double x[DLS_FACE_CORNERS][3];
  Nearest near;
  if (!looks_back(s->place, n->normal[k])) return;
  for (int c = 0; c < corners; c++) memcpy(x[c], n->x[corner[c]], sizeof x[c]);
  nearest_of(corners, x, s->place->x, &near);
  if (near.square > s->near.square || (near.square == s->near.square && k > s->face)) return;
  if (s->place->apart >= 0 && is_neighbour(n->faces, k, s->place->apart)) return;
  s->near = near;
  s->face = k;
}

/* ---- Past the end of a face ---- */

/* Where a place is that has its foot on the rim of a face. */
typedef enum {
  WITHIN,  /* above or below the surface */
  PAST,    /* past a side behind which the surface bends away gently */
  PAST_END /* past a side behind which there is none, or after a sharp edge */
} Where;

/* The face on the other side of side c of face k, in 2-D of its corner c; -1 none. */
static int beside(const DlsContactFaces *f, int k, int c) {
  const int corners = dls_face_corners(f->corner[k]), a = f->corner[k][c];
  const int b = corners == 2 ? a : f->corner[k][(c + 1) % corners];
  for (int s = f->star_start[a]; s < f->star_start[a + 1]; s++) {
    const int other = f->star[s];
    if (other == k) continue;
    for (int m = 0; m < dls_face_corners(f->corner[other]); m++)
      if (f->corner[other][m] == b) return other;
  }
  return -1;
}

/* Out of face k across its side c: unit, in the plane of the face. */
static void set_outward(const DlsFacesNow *n, int k, int c, double out[3]) {
  const int *corner = n->faces->corner[k], corners = dls_face_corners(corner);
  const double *a = n->x[corner[c]], *b = n->x[corner[(c + 1) % corners]];
  const double way[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]};
  if (corners == 2)
    for (int i = 0; i < 3; i++) out[i] = -way[i];
  else
    dls_vector_cross(way, n->normal[k], out);
  make_unit(out);
}

/* Of a foot on side c of face f, for a place that is `away` from it. */
static Where past_side(const DlsFacesNow *n, int f, int c, const double away[3]) {
  const double far = touching * n->faces->size;
  double outward[3];
  const int other = beside(n->faces, f, c);
  set_outward(n, f, c, outward);
  if (dls_vector_dot(away, outward) <= far) return WITHIN;
  if (other < 0) return PAST_END;
  if (dls_vector_dot(away, n->normal[other]) <= far) return WITHIN;
  return dls_vector_dot(n->normal[f], n->normal[other]) < alike ? PAST_END : PAST;
}

/* Of a foot on face k: on one of its sides that side counts, on a corner all there that bound the
 * faces which are one smooth surface with it. */
static Where where_is(const DlsFacesNow *n, int k, const Nearest *near, const double away[3]) {
  const DlsContactFaces *faces = n->faces;
  const int *corner = faces->corner[k], corners = dls_face_corners(corner);
  int on[DLS_FACE_CORNERS] = {0}, count = 0;
  Where where = WITHIN;
  if (near->inside) return WITHIN;
  for (int c = 0; c < corners; c++)
    if (near->N[c] > 0) on[count++] = c;
  if (count > 1) /* from one corner to the next; of four the last and the first follow too */
    return past_side(n, k, on[1] == on[0] + 1 ? on[0] : on[1], away);
  const int e = corner[on[0]];
  for (int s = faces->star_start[e]; s < faces->star_start[e + 1]; s++) {
    const int f = faces->star[s], sides = dls_face_corners(faces->corner[f]);
    if (f != k && dls_vector_dot(n->normal[f], n->normal[k]) < alike) continue;
    for (int c = 0; c < sides; c++) {
      const bool ends = sides > 2 && faces->corner[f][(c + 1) % sides] == e;
      if (faces->corner[f][c] != e && !ends) continue;
      const Where own = past_side(n, f, c, away);
      if (own > where) where = own;
    }
  }
  return where;
}

/* Normal and gap of the foot; false: the place is beside the surface. */
static bool judge(const Search *s, DlsFoot *out) {
  const DlsFacesNow *n = s->now;
  const int k = s->face, *corner = n->faces->corner[k], corners = dls_face_corners(corner);
  const double distance = sqrt(s->near.square);
  double smooth[3] = {0}, foot[3] = {0}, away[3];
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < corners; c++) {
      foot[i] += s->near.N[c] * n->x[corner[c]][i];
      smooth[i] += s->near.N[c] * n->smooth[k][c][i];
    }
    away[i] = s->place->x[i] - foot[i];
  }
  make_unit(smooth);
  memcpy(out->normal, smooth, sizeof smooth);
  const double gap = dls_vector_dot(away, smooth);
  const Where where = where_is(n, k, &s->near, away);
  const bool aslant = fabs(gap) < 0.5 * distance && distance > touching * n->faces->size;
  if ((where != WITHIN || aslant) && gap <= 0) return false;
  if (where == PAST_END || aslant)
    for (int i = 0; i < 3; i++) out->normal[i] = away[i] / distance;
  return looks_back(s->place, out->normal);
}

bool dls_faces_foot(const DlsFacesNow *now, const DlsPlace *place, DlsFoot *out) {
  const double far = fmax(place->reach, place->depth);
  Search search = {now, place, -1, {.square = INFINITY}};
  DlsRange where;
  for (int i = 0; i < 3; i++) where.low[i] = place->x[i] - far, where.high[i] = place->x[i] + far;
  /* The nearest alone decides: where that is out of reach, one behind the place is no contact. */
  dls_box_tree_near(&now->tree, &where, try_face, &search);
  memset(out, 0, sizeof *out);
  if (search.face < 0 || !judge(&search, out)) return false;
  out->face = search.face;
  dls_face_nodes(now->faces, out->face, search.near.N, &out->at);
  for (int i = 0; i < 3; i++) {
    for (int c = 0; c < out->at.count; c++) {
      out->point[i] += out->at.N[c] * now->x[out->at.element[c]][i];
      out->way[i] += out->at.N[c] * now->way[out->at.element[c]][i];
    }
    out->gap += (place->x[i] - out->point[i]) * out->normal[i];
  }
  return out->gap <= place->reach && out->gap >= -place->depth;
}
