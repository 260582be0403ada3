/* The surface of a convex solid as polygons: its faces, or where it is rounded faces moved
 * outwards, strips along edges and caps at vertices (skin.h). */
#include "world/convex_skin.h"

#include <math.h>

#include "base/small.h"

static const double pi = 3.14159265358979323846;
enum { AROUND = 16, AROUND_PLANE = 24, RINGS = 3 };
enum { MOST_LOOP = 2 * DLS_CONVEX_EDGES };

typedef struct {
  const DlsConvex *c;
  double scale;
  const DlsPose *pose;
  DlsSkin *out;
  int points;                          /* of the cell so far */
  int pieces[DLS_CONVEX_EDGES];        /* of the arc at both ends of an edge */
  int inner[DLS_CONVEX_EDGES][2];      /* the first inner point of each arc */
  double unit[DLS_CONVEX_EDGES][2][3]; /* from the normal of its first face, and across towards
                                          that of the second */
  double angle[DLS_CONVEX_EDGES];
} Making;

/* vertex + rounding direction, at the scale of the solid. */
static DlsStatus add_point(Making *m, int vertex, const double direction[3]) {
  double x[3];
  for (int k = 0; k < 3; k++)
    x[k] =
        m->scale * (m->c->vertex[3 * vertex + k] + (direction ? m->c->rounding * direction[k] : 0));
  m->points++;
  return dls_skin_point(m->out, m->pose, x);
}

static int corner_count(const DlsConvex *c, int f) { return (int)(c->start[f + 1] - c->start[f]); }

/* The corner of face f at a vertex. */
static int corner_at(const DlsConvex *c, int f, int vertex) {
  int k = (int)c->start[f];
  while (k + 1 < (int)c->start[f + 1] && (int)c->corner[k] != vertex) k++;
  return k;
}

static DlsStatus sharp(Making *m) {
  const DlsConvex *c = m->c;
  int corner[DLS_CONVEX_VERTICES];
  for (int v = 0; v < c->vertices; v++) DLS_TRY(add_point(m, v, NULL));
  for (int f = 0; f < c->faces; f++) {
    const int n = corner_count(c, f);
    for (int k = 0; k < n; k++) corner[k] = (int)c->corner[(int)c->start[f] + k];
    DLS_TRY(dls_skin_face(m->out, n, corner));
  }
  return DLS_OK;
}

/* Faces moved outwards: their points have the numbers of the corners. */
static DlsStatus add_faces(Making *m) {
  const DlsConvex *c = m->c;
  int corner[DLS_CONVEX_VERTICES];
  for (int f = 0; f < c->faces; f++) {
    const int n = corner_count(c, f), start = (int)c->start[f];
    for (int k = 0; k < n; k++) {
      corner[k] = start + k;
      DLS_TRY(add_point(m, (int)c->corner[start + k], c->plane + 4 * f));
    }
    DLS_TRY(dls_skin_face(m->out, n, corner));
  }
  return DLS_OK;
}

static void direction_at(const Making *m, int e, int piece, double out[3]) {
  const double a = m->angle[e] * piece / m->pieces[e], s = sin(a), t = cos(a);
  for (int k = 0; k < 3; k++) out[k] = t * m->unit[e][0][k] + s * m->unit[e][1][k];
}

/* The point of the arc at this end of edge e, `piece` pieces from its first face. */
static int arc_point(const Making *m, int e, int end, int piece) {
  const DlsConvex *c = m->c;
  const int vertex = (int)c->edge[4 * e + end];
  if (piece == 0) return corner_at(c, (int)c->edge[4 * e + 2], vertex);
  if (piece == m->pieces[e]) return corner_at(c, (int)c->edge[4 * e + 3], vertex);
  return m->inner[e][end] + piece - 1;
}

/* Whether the first face of edge e has it from end 0 to end 1, counter-clockwise. */
static int runs_forward(const DlsConvex *c, int e) {
  const int f = (int)c->edge[4 * e + 2], k = corner_at(c, f, (int)c->edge[4 * e]);
  return (int)c->side[k] == e;
}

static DlsStatus add_strip(Making *m, int e) {
  const DlsConvex *c = m->c;
  const double *n = c->plane + 4 * (int)c->edge[4 * e + 2],
               *o = c->plane + 4 * (int)c->edge[4 * e + 3];
  double across[3], d[3];
  dls_vector_cross(n, o, across);
  const double sine = dls_vector_norm(across), cosine = dls_vector_dot(n, o);
  m->angle[e] = atan2(sine, cosine);
  m->pieces[e] = 1 + (int)(m->angle[e] * AROUND / (2 * pi) - 1e-9);
  for (int k = 0; k < 3; k++) {
    m->unit[e][0][k] = n[k];
    m->unit[e][1][k] = sine > 0 ? (o[k] - cosine * n[k]) / sine : 0;
  }
  for (int end = 0; end < 2; end++) {
    m->inner[e][end] = m->points;
    for (int piece = 1; piece < m->pieces[e]; piece++) {
      direction_at(m, e, piece, d);
      DLS_TRY(add_point(m, (int)c->edge[4 * e + end], d));
    }
  }
  const int a = runs_forward(c, e) ? 0 : 1, b = 1 - a;
  for (int k = 0; k < m->pieces[e]; k++) {
    const int quad[] = {arc_point(m, e, b, k), arc_point(m, e, a, k), arc_point(m, e, a, k + 1),
                        arc_point(m, e, b, k + 1)};
    DLS_TRY(dls_skin_face(m->out, 4, quad));
  }
  return DLS_OK;
}

/* The points round vertex v with their directions: from face to face, over the edge by which each
 * comes to v. */
static int loop_at(const Making *m, int v, int *point, double (*direction)[3], double middle[3]) {
  const DlsConvex *c = m->c;
  int first = 0, count = 0;
  while (first + 1 < c->faces && (int)c->corner[corner_at(c, first, v)] != v) first++;
  int f = first;
  do {
    const int start = (int)c->start[f], n = corner_count(c, f);
    const int k = corner_at(c, f, v) - start, e = (int)c->side[start + (k + n - 1) % n];
    const int end = (int)c->edge[4 * e] == v ? 0 : 1, forward = (int)c->edge[4 * e + 2] == f;
    for (int i = 0; i < m->pieces[e] && count < MOST_LOOP; i++) {
      const int piece = forward ? i : m->pieces[e] - i;
      point[count] = arc_point(m, e, end, piece);
      direction_at(m, e, piece, direction[count++]);
    }
    for (int i = 0; i < 3; i++) middle[i] += c->plane[4 * f + i];
    f = (int)c->edge[4 * e + (forward ? 3 : 2)];
  } while (f != first && count < MOST_LOOP);
  return count;
}

static DlsStatus add_cap(Making *m, int v) {
  int point[MOST_LOOP];
  double direction[MOST_LOOP][3], middle[3] = {0};
  const int n = loop_at(m, v, point, direction, middle), centre = m->points;
  const double length = dls_vector_norm(middle);
  for (int k = 0; k < 3; k++) middle[k] /= length;
  DLS_TRY(add_point(m, v, middle));
  for (int ring = 1; ring < RINGS; ring++)
    for (int j = 0; j < n; j++) {
      double d[3];
      for (int k = 0; k < 3; k++) d[k] = middle[k] + (direction[j][k] - middle[k]) * ring / RINGS;
      const double size = dls_vector_norm(d);
      for (int k = 0; k < 3; k++) d[k] /= size;
      DLS_TRY(add_point(m, v, d));
    }
  for (int ring = 0; ring < RINGS; ring++)
    for (int j = 0; j < n; j++) {
      const int next = (j + 1) % n, outer = centre + 1 + ring * n, inner = outer - n;
      const int p = ring + 1 < RINGS ? outer + j : point[j];
      const int q = ring + 1 < RINGS ? outer + next : point[next];
      const int first[] = {centre, p, q}, other[] = {inner + j, p, q, inner + next};
      DLS_TRY(dls_skin_face(m->out, ring ? 4 : 3, ring ? other : first));
    }
  return DLS_OK;
}

/* A segment or a point with a rounding: half circles about its line, turned. */
static DlsStatus capsule(Making *m) {
  enum { DOWN = AROUND / 2 }; /* rings of points between the poles, the equator twice */
  const DlsConvex *c = m->c;
  const int last = c->vertices - 1;
  double along[3] = {0, 0, 1}, u[3], w[3];
  if (last)
    for (int k = 0; k < 3; k++) along[k] = c->vertex[3 * last + k] - c->vertex[k];
  const double length = dls_vector_norm(along);
  for (int k = 0; k < 3; k++) along[k] /= length;
  const int axis = fabs(along[0]) < 0.6 ? 0 : 1;
  const double e[3] = {axis == 0, axis == 1, 0};
  dls_vector_cross(along, e, u);
  const double size = dls_vector_norm(u);
  for (int k = 0; k < 3; k++) u[k] /= size;
  dls_vector_cross(along, u, w);
  DLS_TRY(add_point(m, last, along));
  for (int ring = 1; ring <= DOWN; ring++)
    for (int j = 0; j < AROUND; j++) {
      const int piece = ring <= DOWN / 2 ? ring : ring - 1; /* the equator is at both ends */
      const double a = pi * piece / DOWN, b = 2 * pi * j / AROUND;
      double d[3];
      for (int k = 0; k < 3; k++)
        d[k] = cos(a) * along[k] + sin(a) * (cos(b) * u[k] + sin(b) * w[k]);
      DLS_TRY(add_point(m, ring <= DOWN / 2 ? last : 0, d));
    }
  const double back[3] = {-along[0], -along[1], -along[2]};
  DLS_TRY(add_point(m, 0, back));
  for (int ring = 0; ring <= DOWN; ring++)
    for (int j = 0; j < AROUND; j++) {
      const int next = (j + 1) % AROUND, up = 1 + (ring - 1) * AROUND, down = up + AROUND;
      const int top[] = {0, down + j, down + next}, foot[] = {up + j, m->points - 1, up + next};
      const int quad[] = {up + j, down + j, down + next, up + next};
      DLS_TRY(dls_skin_face(m->out, ring && ring < DOWN ? 4 : 3,
                            ring == 0     ? top
                            : ring < DOWN ? quad
                                          : foot));
    }
  return DLS_OK;
}

/* Sides moved outwards, with arcs between them; a point is a disk. */
static DlsStatus polygon(Making *m) {
  const DlsConvex *c = m->c;
  for (int f = 0; f < c->faces; f++) {
    const double *n = c->plane + 4 * f, *next = c->plane + 4 * ((f + 1) % c->faces);
    const int from = (int)c->corner[(int)c->start[f]], to = (int)c->corner[(int)c->start[f] + 1];
    DLS_TRY(add_point(m, from, n));
    if (!(c->rounding > 0)) continue;
    const double angle = atan2(fmax(n[0] * next[1] - n[1] * next[0], 0), dls_vector_dot(n, next));
    const int pieces = 1 + (int)(angle * AROUND_PLANE / (2 * pi) - 1e-9);
    for (int k = 0; k < pieces; k++) { /* the next side begins where the arc ends */
      const double s = sin(angle * k / pieces), t = cos(angle * k / pieces);
      const double d[3] = {t * n[0] - s * n[1], t * n[1] + s * n[0], 0};
      DLS_TRY(add_point(m, to, d));
    }
  }
  for (int k = 0; k < AROUND_PLANE && c->faces == 0; k++) {
    const double a = 2 * pi * k / AROUND_PLANE, d[3] = {cos(a), sin(a), 0};
    DLS_TRY(add_point(m, 0, d));
  }
  return DLS_OK;
}

DlsStatus dls_convex_skin(const DlsSolid *s, const DlsPose *pose, DlsSkin *out) {
  const DlsConvex c = dls_convex_view(s);
  Making m = {.c = &c, .scale = s->scale, .pose = pose, .out = out};
  if (s->dim == 2) return polygon(&m);
  if (c.faces == 0) return capsule(&m);
  if (!(c.rounding > 0)) return sharp(&m);
  DLS_TRY(add_faces(&m));
  for (int e = 0; e < c.edges; e++) DLS_TRY(add_strip(&m, e));
  for (int v = 0; v < c.vertices; v++) DLS_TRY(add_cap(&m, v));
  return DLS_OK;
}
