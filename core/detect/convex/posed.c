#include "detect/convex/posed.h"

#include <math.h>
#include <string.h>

static double square_between(const double x[3], const double y[3]) {
  const double d[3] = {x[0] - y[0], x[1] - y[1], x[2] - y[2]};
  return dls_vector_dot(d, d);
}

static void set_centre(const double sum[3], DlsPosed *out) {
  double most = 0;
  for (int k = 0; k < 3; k++) out->centre[k] = sum[k] / out->core.vertices;
  for (int v = 0; v < out->core.vertices; v++)
    most = fmax(most, square_between(out->vertex[v], out->centre));
  out->reach = sqrt(most);
}

int dls_turned_count(const DlsSolid *solid) {
  const DlsConvex c = dls_convex_view(solid);
  return 3 * (c.vertices + c.faces) + 4;
}

void dls_solid_turn(const DlsSolid *s, const DlsPose *pose, double *turned) {
  const DlsConvex c = dls_convex_view(s);
  double R[9], *normal = turned + 3 * c.vertices, *middle = normal + 3 * c.faces, most = 0;
  dls_rotation_matrix(pose->orientation, R);
  for (int k = 0; k < 3; k++) middle[k] = 0;
  for (int v = 0; v < c.vertices; v++)
    for (int k = 0; k < 3; k++) {
      const double x = s->scale * dls_vector_dot(R + 3 * k, c.vertex + 3 * v);
      turned[3 * v + k] = x;
      middle[k] += x / c.vertices;
    }
  for (int f = 0; f < c.faces; f++)
    for (int k = 0; k < 3; k++) normal[3 * f + k] = dls_vector_dot(R + 3 * k, c.plane + 4 * f);
  for (int v = 0; v < c.vertices; v++) {
    const double square = square_between(turned + 3 * v, middle);
    if (square > most) most = square;
  }
  middle[3] = sqrt(most);
}

void dls_posed_turned(const DlsSolid *s, const double *turned, const double position[3],
                      const double origin[3], DlsPosed *out) {
  const DlsConvex c = dls_convex_view(s);
  const double *normal = turned + 3 * c.vertices, *middle = normal + 3 * c.faces;
  double shift[3];
  out->dim = s->dim;
  out->core = c;
  out->rounding = s->scale * c.rounding;
  out->reach = middle[3];
  for (int k = 0; k < 3; k++) {
    shift[k] = position[k] - origin[k];
    out->centre[k] = shift[k] + middle[k];
  }
  for (int v = 0; v < c.vertices; v++)
    for (int k = 0; k < 3; k++) out->vertex[v][k] = shift[k] + turned[3 * v + k];
  for (int f = 0; f < c.faces; f++) {
    double *n = out->plane[f];
    for (int k = 0; k < 3; k++) n[k] = normal[3 * f + k];
    n[3] = s->scale * c.plane[4 * f + 3] + dls_vector_dot(n, shift);
  }
}

void dls_posed_solid(const DlsSolid *s, const DlsPose *pose, const double origin[3],
                     DlsPosed *out) {
  double turned[3 * (DLS_CONVEX_VERTICES + DLS_CONVEX_FACES) + 4];
  dls_solid_turn(s, pose, turned);
  dls_posed_turned(s, turned, pose->position, origin, out);
}

void dls_posed_ball(int dim, const double x[3], double radius, const double origin[3],
                    DlsPosed *out) {
  out->dim = dim;
  out->core = (DlsConvex){.vertices = 1};
  out->rounding = radius;
  out->reach = 0;
  for (int k = 0; k < 3; k++) out->vertex[0][k] = out->centre[k] = x[k] - origin[k];
}

void dls_posed_triangle(const double corner[3][3], const double origin[3], DlsPosed *out) {
  static const double edge[12] = {0, 1, 0, 1, 1, 2, 0, 1, 2, 0, 0, 1}, start[3] = {0, 3, 6};
  static const double around[6] = {0, 1, 2, 2, 1, 0}, side[6] = {0, 1, 2, 1, 0, 2};
  double a[3], b[3], n[3], sum[3] = {0};
  out->dim = 3;
  out->core = (DlsConvex){.vertices = 3,
                          .faces = 2,
                          .edges = 3,
                          .edge = edge,
                          .start = start,
                          .corner = around,
                          .side = side};
  out->rounding = 0;
  for (int k = 0; k < 3; k++) {
    for (int v = 0; v < 3; v++) sum[k] += out->vertex[v][k] = corner[v][k] - origin[k];
    a[k] = corner[1][k] - corner[0][k];
    b[k] = corner[2][k] - corner[0][k];
  }
  set_centre(sum, out);
  dls_vector_cross(a, b, n);
  const double length = dls_vector_norm(n);
  for (int k = 0; k < 3; k++) {
    out->plane[0][k] = n[k] / length;
    out->plane[1][k] = -n[k] / length;
  }
  for (int f = 0; f < 2; f++) out->plane[f][3] = dls_vector_dot(out->plane[f], out->vertex[0]);
}

void dls_posed_line(const double corner[2][3], const double origin[3], DlsPosed *out) {
  static const double start[3] = {0, 2, 4}, around[4] = {0, 1, 1, 0}, side[4] = {0};
  double sum[3] = {0};
  out->dim = 2;
  out->core =
      (DlsConvex){.vertices = 2, .faces = 2, .start = start, .corner = around, .side = side};
  out->rounding = 0;
  for (int v = 0; v < 2; v++)
    for (int k = 0; k < 3; k++) sum[k] += out->vertex[v][k] = corner[v][k] - origin[k];
  set_centre(sum, out);
  const double x = corner[1][0] - corner[0][0], y = corner[1][1] - corner[0][1];
  const double length = hypot(x, y);
  for (int f = 0; f < 2; f++) {
    const double sign = f ? 1 : -1;
    out->plane[f][0] = -sign * y / length;
    out->plane[f][1] = sign * x / length;
    out->plane[f][2] = 0;
    out->plane[f][3] = dls_vector_dot(out->plane[f], out->vertex[0]);
  }
}

/* Vertices and planes from local ones. */
static void put(const DlsPose *pose, const double origin[3], const double (*vertex)[3],
                const double (*plane)[4], DlsPosed *out) {
  double sum[3] = {0};
  for (int v = 0; v < out->core.vertices; v++) {
    double x[3];
    dls_pose_to_space(pose, vertex[v], x);
    for (int k = 0; k < 3; k++) sum[k] += out->vertex[v][k] = x[k] - origin[k];
  }
  set_centre(sum, out);
  for (int f = 0; f < out->core.faces; f++) {
    double shift = 0;
    dls_rotation_apply(pose->orientation, plane[f], out->plane[f]);
    for (int k = 0; k < 3; k++) shift += out->plane[f][k] * (pose->position[k] - origin[k]);
    out->plane[f][3] = plane[f][3] + shift;
  }
  out->rounding = 0;
}

/* Corner c of a box stands at +half where bit k of c is set; faces -x +x -y +y -z +z. */
void dls_posed_box(int dim, const double half[3], const DlsPose *pose, const double origin[3],
                   DlsPosed *out) {
  static const double edge[48] = {0, 1, 2, 4, 2, 3, 3, 4, 4, 5, 2, 5, 6, 7, 3, 5,
                                  0, 2, 0, 4, 1, 3, 1, 4, 4, 6, 0, 5, 5, 7, 1, 5,
                                  0, 4, 0, 2, 1, 5, 1, 2, 2, 6, 0, 3, 3, 7, 1, 3};
  static const double corner[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4,
                                    2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  static const double side[24] = {8,  6, 10, 4, 5, 11, 7, 9, 0, 9, 2, 8,
                                  10, 3, 11, 1, 4, 1,  5, 0, 2, 7, 3, 6};
  static const double start[7] = {0, 4, 8, 12, 16, 20, 24};
  static const double around[8] = {0, 1, 1, 2, 2, 3, 3, 0}, sides[8] = {0};
  static const double flat_start[5] = {0, 2, 4, 6, 8};
  double vertex[8][3], plane[6][4] = {{0}};
  const bool flat = dim == 2;
  out->dim = dim;
  out->core = flat ? (DlsConvex){.vertices = 4,
                                 .faces = 4,
                                 .start = flat_start,
                                 .corner = around,
                                 .side = sides}
                   : (DlsConvex){.vertices = 8,
                                 .faces = 6,
                                 .edges = 12,
                                 .edge = edge,
                                 .start = start,
                                 .corner = corner,
                                 .side = side};
  for (int v = 0; v < out->core.vertices; v++) {
    const int bits = flat ? v ^ v >> 1 : v; /* round the rectangle */
    for (int k = 0; k < 3; k++) vertex[v][k] = bits >> k & 1 ? half[k] : -half[k];
    if (flat) vertex[v][2] = 0;
  }
  for (int f = 0; f < out->core.faces; f++) {
    static const int axis[4] = {1, 0, 1, 0}; /* of the sides of the rectangle: -y +x +y -x */
    const int k = flat ? axis[f] : f / 2;
    const double sign = flat ? (f == 1 || f == 2 ? 1 : -1) : (f % 2 ? 1 : -1);
    plane[f][k] = sign;
    plane[f][3] = half[k];
  }
  put(pose, origin, (const double(*)[3])vertex, (const double(*)[4])plane, out);
}

void dls_posed_segment(double half, const DlsPose *pose, const double origin[3], DlsPosed *out) {
  static const double start[3] = {0, 2, 4}, around[4] = {0, 1, 1, 0}, side[4] = {0};
  const double vertex[2][3] = {{-half, 0, 0}, {half, 0, 0}};
  const double plane[2][4] = {{0, -1, 0, 0}, {0, 1, 0, 0}};
  out->dim = 2;
  out->core =
      (DlsConvex){.vertices = 2, .faces = 2, .start = start, .corner = around, .side = side};
  put(pose, origin, vertex, plane, out);
}

int dls_posed_edge(const DlsPosed *p, int v, int w) {
  const double *edge = p->core.edge;
  for (int e = 0; e < p->core.edges; e++) {
    const int a = (int)edge[4 * e], b = (int)edge[4 * e + 1];
    if ((a == v && b == w) || (a == w && b == v)) return e;
  }
  return -1;
}
