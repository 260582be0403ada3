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

/* Area vector of a face: half the product of the diagonals. */
static void set_normal(DlsFacesNow *n, int k) {
  const DlsContactFaces *f = n->faces;
  const int *c = f->corner[k], corners = dls_face_corners(c);
  double a[3], b[3], *out = n->normal[k];
  for (int i = 0; i < 3; i++) {
    a[i] = n->x[c[corners == 2 ? 1 : 2]][i] - n->x[c[0]][i];
    b[i] = corners == 2 ? 0 : n->x[c[corners - 1]][i] - n->x[c[1]][i];
    if (corners == 3) b[i] = n->x[c[2]][i] - n->x[c[1]][i];
  }
  if (corners == 2)
    out[0] = a[1] * f->thickness, out[1] = -a[0] * f->thickness, out[2] = 0;
  else if (corners == 3)
    dls_vector_cross(a, b, out); /* (c - a) x (c - b) points as (b - a) x (c - a) */
  else
    dls_vector_cross(a, b, out);
  n->area[k] = dls_vector_norm(out) * (corners == 2 ? 1 : 0.5);
  const double length = dls_vector_norm(out);
  for (int i = 0; i < 3; i++) out[i] = length > 0 ? out[i] / length : 0;
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
  DlsFoot *best;
  double square; /* m2 */
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

/* Normal and gap of a foot on face k; false: the place is beside the face. */
static bool judge(const Search *s, int k, const Nearest *near, DlsFoot *foot) {
  const DlsFacesNow *n = s->now;
  const double distance = sqrt(near->square);
  double smooth[3] = {0}, away[3];
  for (int i = 0; i < 3; i++) {
    away[i] = s->place->x[i] - foot->point[i];
    for (int c = 0; c < foot->corners; c++) smooth[i] += near->N[c] * n->smooth[k][c][i];
  }
  make_unit(smooth);
  memcpy(foot->normal, smooth, sizeof smooth);
  foot->gap = dls_vector_dot(away, smooth);
  if (fabs(foot->gap) < 0.5 * distance && distance > touching * n->faces->size) {
    if (near->inside || foot->gap <= 0) return false;
    for (int i = 0; i < 3; i++) foot->normal[i] = away[i] / distance;
    foot->gap = distance;
  }
  return looks_back(s->place, foot->normal) && looks_back(s->place, n->normal[k]);
}

static void try_face(void *context, int k) {
  Search *s = context;
  const DlsFacesNow *n = s->now;
  const int *corner = n->faces->corner[k];
  DlsFoot foot = {.face = k, .corners = dls_face_corners(corner)};
  double x[DLS_FACE_CORNERS][3];
  Nearest near;
  for (int c = 0; c < foot.corners; c++) memcpy(x[c], n->x[corner[c]], sizeof x[c]);
  nearest_of(foot.corners, x, s->place->x, &near);
  if (near.square > s->square || (near.square == s->square && k > s->best->face)) return;
  if (s->place->apart >= 0 && is_neighbour(n->faces, k, s->place->apart)) return;
  memcpy(foot.N, near.N, sizeof foot.N);
  for (int i = 0; i < 3; i++)
    for (int c = 0; c < foot.corners; c++) {
      foot.point[i] += near.N[c] * x[c][i];
      foot.way[i] += near.N[c] * n->way[corner[c]][i];
    }
  if (!judge(s, k, &near, &foot)) return;
  s->square = near.square;
  *s->best = foot;
}

bool dls_faces_foot(const DlsFacesNow *now, const DlsPlace *place, DlsFoot *out) {
  const double far = fmax(place->reach, place->depth);
  Search search = {now, place, out, INFINITY};
  DlsRange where;
  for (int i = 0; i < 3; i++) where.low[i] = place->x[i] - far, where.high[i] = place->x[i] + far;
  out->face = -1;
  dls_box_tree_near(&now->tree, &where, try_face, &search);
  /* Of the nearest alone: where that is out of reach, one behind the place is no contact. */
  return out->face >= 0 && out->gap <= place->reach && out->gap >= -place->depth;
}
