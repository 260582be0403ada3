#include "world/rounded.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* Integrals of 1, y and y y^T over a piece (a solid, a face, an edge, a sector), 3 x 3 in full. */
typedef struct {
  double one, first[3], second[9];
} Piece;

static const double *vertex_of(const DlsConvex *c, double v) { return c->vertex + 3 * (int)v; }

static void add_outer(double factor, const double a[3], const double b[3], double out[9]) {
  for (int i = 0; i < 9; i++) out[i] += factor * a[i / 3] * b[i % 3];
}

/* A simplex of n corners (segment, triangle, tetrahedron), one corner perhaps the origin: of weight
 * (length, area, volume) w,
 *   int y = w s / n,   int y y^T = w (sum v v^T + s s^T) / (n (n + 1)),   s the sum of corners. */
static void add_simplex(double weight, int corners, int given, const double *const v[],
                        Piece *out) {
  double s[3] = {0};
  const double share = weight / (corners * (corners + 1));
  for (int i = 0; i < given; i++) {
    for (int k = 0; k < 3; k++) s[k] += v[i][k];
    add_outer(share, v[i], v[i], out->second);
  }
  out->one += weight;
  for (int k = 0; k < 3; k++) out->first[k] += weight * s[k] / corners;
  add_outer(share, s, s, out->second);
}

/* The directions s of a sector about what y runs along: y + s, both independent. */
static void add_product(const Piece *y, const Piece *s, Piece *sum) {
  sum->one += y->one * s->one;
  for (int k = 0; k < 3; k++) sum->first[k] += s->one * y->first[k] + y->one * s->first[k];
  for (int i = 0; i < 9; i++) sum->second[i] += s->one * y->second[i] + y->one * s->second[i];
  add_outer(1, y->first, s->first, sum->second);
  add_outer(1, s->first, y->first, sum->second);
}

/* t n for 0 <= t <= r. */
static Piece normal_line(double r, const double n[3]) {
  Piece p = {.one = r};
  for (int k = 0; k < 3; k++) p.first[k] = r * r / 2 * n[k];
  add_outer(r * r * r / 3, n, n, p.second);
  return p;
}

/* rho (cos a n + sin a m), 0 <= rho <= r, 0 <= a <= angle; n and m unit and at right angles. */
static Piece sector(double r, double angle, const double n[3], const double m[3]) {
  const double s = sin(angle), c = cos(angle), r4 = r * r * r * r / 4;
  Piece p = {.one = angle * r * r / 2};
  for (int k = 0; k < 3; k++) p.first[k] = r * r * r / 3 * (s * n[k] + (1 - c) * m[k]);
  add_outer(r4 * (angle + s * c) / 2, n, n, p.second);
  add_outer(r4 * (angle - s * c) / 2, m, m, p.second);
  add_outer(r4 * s * s / 2, n, m, p.second);
  add_outer(r4 * s * s / 2, m, n, p.second);
  return p;
}

/* The angle from unit n to unit o, and the unit m at right angles to n towards o. */
static double turn(const double n[3], const double o[3], double m[3]) {
  double across[3];
  dls_vector_cross(n, o, across);
  const double sine = dls_vector_norm(across), cosine = dls_vector_dot(n, o);
  for (int k = 0; k < 3; k++) m[k] = sine > 0 ? (o[k] - cosine * n[k]) / sine : 0;
  return atan2(sine, cosine);
}

/* Directions of a ball's sector: the normals n of a spherical polygon of solid angle `omega`,
 * bounded by arcs of great circles. Over an arc with outward conormal e (the edge of the core, seen
 * from the vertex), from n1 by `angle` towards m:
 *   int n = -1/2 sum angle e,   int n n^T = 1/3 (omega I - sum (int_arc n) e^T),
 * which follow from the divergence of a_t and of (a . n) b_t on the sphere. */
typedef struct {
  double omega, first[3], second[9];
} Cone;

static void add_arc(const double e[3], double angle, const double n[3], const double m[3],
                    Cone *cone) {
  double along[3];
  for (int k = 0; k < 3; k++) {
    cone->first[k] -= angle * e[k] / 2;
    along[k] = sin(angle) * n[k] + (1 - cos(angle)) * m[k];
  }
  add_outer(-0.5, along, e, cone->second); /* symmetric in the sum over arcs */
  add_outer(-0.5, e, along, cone->second);
}

static Piece ball_sector(double r, const Cone *cone) {
  const double r3 = r * r * r;
  Piece p = {.one = cone->omega * r3 / 3};
  for (int k = 0; k < 3; k++) p.first[k] = r3 * r / 4 * cone->first[k];
  for (int i = 0; i < 9; i++)
    p.second[i] = r3 * r * r / 15 * (cone->second[i] + (i % 4 == 0 ? cone->omega : 0));
  return p;
}

/* A unit vector at right angles to unit e. */
static void across(const double e[3], double out[3]) {
  const int k = fabs(e[0]) < 0.6 ? 0 : 1;
  const double axis[3] = {k == 0, k == 1, 0};
  dls_vector_cross(e, axis, out);
  const double length = dls_vector_norm(out);
  for (int i = 0; i < 3; i++) out[i] /= length;
}

static Piece face_of(const DlsConvex *c, int f) {
  const double *corner = c->corner + (int)c->start[f];
  const int n = (int)(c->start[f + 1] - c->start[f]);
  Piece p = {0};
  for (int k = 1; k + 1 < n; k++) {
    const double *v[3] = {vertex_of(c, corner[0]), vertex_of(c, corner[k]),
                          vertex_of(c, corner[k + 1])};
    double a[3], b[3], area[3];
    for (int i = 0; i < 3; i++) a[i] = v[1][i] - v[0][i], b[i] = v[2][i] - v[0][i];
    dls_vector_cross(a, b, area);
    add_simplex(dls_vector_dot(area, c->plane + 4 * f) / 2, 3, 3, v, &p);
  }
  return p;
}

/* Tetrahedra from the origin to the triangles of all faces. */
static void add_core(const DlsConvex *c, Piece *sum) {
  for (int f = 0; f < c->faces; f++) {
    const double *corner = c->corner + (int)c->start[f];
    const int n = (int)(c->start[f + 1] - c->start[f]);
    for (int k = 1; k + 1 < n; k++) {
      const double *v[3] = {vertex_of(c, corner[0]), vertex_of(c, corner[k]),
                            vertex_of(c, corner[k + 1])};
      double normal[3];
      dls_vector_cross(v[1], v[2], normal);
      add_simplex(dls_vector_dot(v[0], normal) / 6, 4, 3, v, sum);
    }
  }
}

static Piece edge_of(const DlsConvex *c, int e, double direction[3]) {
  const double *v[2] = {vertex_of(c, c->edge[4 * e]), vertex_of(c, c->edge[4 * e + 1])};
  Piece p = {0};
  for (int k = 0; k < 3; k++) direction[k] = v[1][k] - v[0][k];
  const double length = dls_vector_norm(direction);
  for (int k = 0; k < 3; k++) direction[k] /= length;
  add_simplex(length, 2, 2, v, &p);
  return p;
}

/* What the normals of vertex v span; its solid angle is 2 pi less the angles of faces there. */
static Cone cone_of(const DlsConvex *c, int v) {
  Cone cone = {.omega = c->edges ? 2 * pi : 4 * pi};
  for (int f = 0; f < c->faces; f++) {
    const double *corner = c->corner + (int)c->start[f];
    const int n = (int)(c->start[f + 1] - c->start[f]);
    for (int k = 0; k < n; k++)
      if ((int)corner[k] == v) {
        const double *x = vertex_of(c, v), *y = vertex_of(c, corner[(k + 1) % n]),
                     *z = vertex_of(c, corner[(k + n - 1) % n]);
        double a[3], b[3], normal[3];
        for (int i = 0; i < 3; i++) a[i] = y[i] - x[i], b[i] = z[i] - x[i];
        dls_vector_cross(a, b, normal);
        cone.omega -= atan2(dls_vector_norm(normal), dls_vector_dot(a, b));
      }
  }
  for (int e = 0; e < c->edges; e++)
    for (int end = 0; end < 2; end++)
      if ((int)c->edge[4 * e + end] == v) {
        double direction[3], m[3];
        edge_of(c, e, direction);
        for (int k = 0; k < 3; k++) direction[k] *= end ? -1 : 1; /* away from v */
        if (c->edge[4 * e + 2] < 0) {                             /* a segment: a half sphere */
          double n[3];
          across(direction, n);
          dls_vector_cross(direction, n, m);
          add_arc(direction, 2 * pi, n, m, &cone);
        } else {
          const double *n = c->plane + 4 * (int)c->edge[4 * e + 2];
          const double angle = turn(n, c->plane + 4 * (int)c->edge[4 * e + 3], m);
          add_arc(direction, angle, n, m, &cone);
        }
      }
  return cone;
}

static void add_rounding(const DlsConvex *c, Piece *sum) {
  for (int f = 0; f < c->faces; f++) {
    const Piece face = face_of(c, f), out = normal_line(c->rounding, c->plane + 4 * f);
    add_product(&face, &out, sum);
  }
  for (int e = 0; e < c->edges; e++) {
    double direction[3], n[3], m[3], angle = 2 * pi;
    const Piece edge = edge_of(c, e, direction);
    if (c->edge[4 * e + 2] < 0) {
      across(direction, n);
      dls_vector_cross(direction, n, m);
    } else {
      for (int k = 0; k < 3; k++) n[k] = c->plane[4 * (int)c->edge[4 * e + 2] + k];
      angle = turn(n, c->plane + 4 * (int)c->edge[4 * e + 3], m);
    }
    const Piece out = sector(c->rounding, angle, n, m);
    add_product(&edge, &out, sum);
  }
  for (int v = 0; v < c->vertices; v++) {
    const Cone cone = cone_of(c, v);
    const Piece out = ball_sector(c->rounding, &cone);
    Piece point = {.one = 1};
    for (int k = 0; k < 3; k++) point.first[k] = c->vertex[3 * v + k];
    add_outer(1, point.first, point.first, point.second);
    add_product(&point, &out, sum);
  }
}

/* 2-D: triangles from the origin to the sides; a strip on each side; at the corner where side f
 * begins, a sector from the normal of the side before it. A point is a disk, a segment has two
 * sides (its planes) and half a turn at either end. */
static void add_polygon(const DlsConvex *c, Piece *sum) {
  static const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
  for (int f = 0; f < c->faces; f++) {
    const double *corner = c->corner + (int)c->start[f], *n = c->plane + 4 * f;
    const double *v[2] = {vertex_of(c, corner[0]), vertex_of(c, corner[1])};
    const double side[3] = {v[1][0] - v[0][0], v[1][1] - v[0][1], 0};
    add_simplex((v[0][0] * v[1][1] - v[0][1] * v[1][0]) / 2, 3, 2, v, sum);
    Piece line = {0}, point = {.one = 1, .first = {v[0][0], v[0][1], 0}};
    add_simplex(dls_vector_norm(side), 2, 2, v, &line);
    add_outer(1, point.first, point.first, point.second);
    const double *before = c->plane + 4 * ((f + c->faces - 1) % c->faces);
    const double m[3] = {-before[1], before[0], 0};
    const double sine = before[0] * n[1] - before[1] * n[0];
    const double angle = atan2(fmax(sine, 0), dls_vector_dot(before, n));
    const Piece out = normal_line(c->rounding, n), round = sector(c->rounding, angle, before, m);
    add_product(&line, &out, sum);
    add_product(&point, &round, sum);
  }
  if (c->faces == 0) {
    const Piece disk = sector(c->rounding, 2 * pi, x, y);
    Piece point = {.one = 1, .first = {c->vertex[0], c->vertex[1], 0}};
    add_outer(1, point.first, point.first, point.second);
    add_product(&point, &disk, sum);
  }
}

void dls_rounded_moments(int dim, const DlsConvex *c, DlsMoments *out) {
  Piece sum = {0};
  if (dim == 2) {
    add_polygon(c, &sum);
  } else {
    add_core(c, &sum);
    if (c->rounding > 0) add_rounding(c, &sum);
  }
  out->volume = sum.one;
  for (int k = 0; k < 3; k++) {
    out->first[k] = sum.first[k];
    out->second[k] = sum.second[4 * k];
    out->second[3 + k] = sum.second[3 * k + (k + 1) % 3];
  }
}

static double segment_square(const double a[3], const double b[3], const double x[3]) {
  double ab[3], ax[3];
  for (int k = 0; k < 3; k++) ab[k] = b[k] - a[k], ax[k] = x[k] - a[k];
  const double t = fmax(0, fmin(1, dls_vector_dot(ab, ax) / dls_vector_dot(ab, ab)));
  for (int k = 0; k < 3; k++) ax[k] -= t * ab[k];
  return dls_vector_dot(ax, ax);
}

/* Whether the foot of x on face f lies within it: on the inner side of all its edges. */
static bool above(const DlsConvex *c, int f, const double x[3]) {
  const double *corner = c->corner + (int)c->start[f], *n = c->plane + 4 * f;
  const int count = (int)(c->start[f + 1] - c->start[f]);
  for (int k = 0; k < count; k++) {
    const double *a = vertex_of(c, corner[k]), *b = vertex_of(c, corner[(k + 1) % count]);
    double ab[3], ax[3], inward[3];
    for (int i = 0; i < 3; i++) ab[i] = b[i] - a[i], ax[i] = x[i] - a[i];
    dls_vector_cross(n, ab, inward);
    if (dls_vector_dot(inward, ax) < 0) return false;
  }
  return true;
}

bool dls_rounded_contains(int dim, const DlsConvex *c, const double x[3]) {
  const double r = c->rounding;
  bool within = c->faces > 0;
  double square = HUGE_VAL;
  for (int f = 0; f < c->faces; f++) {
    const double height = dls_vector_dot(c->plane + 4 * f, x) - c->plane[4 * f + 3];
    within = within && height <= 0;
    if (dim == 3 && height >= 0 && height <= r && above(c, f, x)) return true;
    const double *corner = c->corner + (int)c->start[f];
    if (dim == 2)
      square = fmin(square, segment_square(vertex_of(c, corner[0]), vertex_of(c, corner[1]), x));
  }
  if (within) return true;
  for (int e = 0; e < c->edges; e++)
    square = fmin(
        square, segment_square(vertex_of(c, c->edge[4 * e]), vertex_of(c, c->edge[4 * e + 1]), x));
  if (c->vertices == 1) {
    const double d[3] = {x[0] - c->vertex[0], x[1] - c->vertex[1], x[2] - c->vertex[2]};
    square = dls_vector_dot(d, d);
  }
  return square <= r * r;
}

DlsStatus dls_rounded_outline(const DlsConvex *c, double scale, const DlsPose *pose, int owner,
                              DlsOutline *out) {
  enum { CHORDS = 24 }; /* of a full turn */
  for (int f = 0; f < c->faces; f++) {
    const double *corner = c->corner + (int)c->start[f], *n = c->plane + 4 * f;
    const double *a = vertex_of(c, corner[0]), *b = vertex_of(c, corner[1]);
    const double *next = c->plane + 4 * ((f + 1) % c->faces);
    double from[3] = {0}, to[3] = {0};
    for (int k = 0; k < 2; k++) {
      from[k] = scale * (a[k] + c->rounding * n[k]);
      to[k] = scale * (b[k] + c->rounding * n[k]);
    }
    DLS_TRY(dls_outline_line(out, pose, owner, from, to));
    const double sine = n[0] * next[1] - n[1] * next[0];
    const double angle = atan2(fmax(sine, 0), dls_vector_dot(n, next));
    const int chords = 1 + (int)(angle / (2 * pi) * CHORDS);
    for (int i = 1; i <= chords; i++) {
      const double s = sin(angle * i / chords), t = cos(angle * i / chords);
      for (int k = 0; k < 2; k++) from[k] = to[k];
      to[0] = scale * (b[0] + c->rounding * (t * n[0] - s * n[1]));
      to[1] = scale * (b[1] + c->rounding * (t * n[1] + s * n[0]));
      DLS_TRY(dls_outline_line(out, pose, owner, from, to));
    }
  }
  if (c->faces == 0) return dls_outline_circle(out, pose, owner, scale * c->rounding, 0);
  return DLS_OK;
}
