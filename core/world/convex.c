/* The kind of shape `convex`: lengths, exact moments, support. */
#include "world/convex.h"

#include <math.h>

#include "base/small.h"
#include "world/convex_impl.h"
#include "world/convex_skin.h"
#include "world/rounded.h"

DlsConvex dls_convex_view(const DlsSolid *s) {
  const double *n = s->number;
  DlsConvex c = {.rounding = n[DLS_CONVEX_ROUNDING],
                 .vertices = (int)n[DLS_CONVEX_VERTEX_COUNT],
                 .faces = (int)n[DLS_CONVEX_FACE_COUNT],
                 .edges = (int)n[DLS_CONVEX_EDGE_COUNT]};
  c.vertex = n + DLS_CONVEX_HEAD;
  c.plane = c.vertex + 3 * c.vertices;
  c.edge = c.plane + 4 * c.faces;
  c.start = c.edge + 4 * c.edges;
  c.corner = c.start + c.faces + 1;
  c.side = c.corner + (int)n[DLS_CONVEX_CORNER_COUNT];
  return c;
}

/* Numbers come from dls_convex_build(), or from a file that holds what it made: sizes are what
 * must agree before anything is read by them. */
static DlsStatus check(const DlsSolid *s) {
  static const double most[DLS_CONVEX_HEAD] = {
      [DLS_CONVEX_VERTEX_COUNT] = DLS_CONVEX_VERTICES,
      [DLS_CONVEX_FACE_COUNT] = DLS_CONVEX_FACES,
      [DLS_CONVEX_EDGE_COUNT] = DLS_CONVEX_EDGES,
      [DLS_CONVEX_CORNER_COUNT] = 2 * DLS_CONVEX_EDGES,
  };
  const double *n = s->number;
  DLS_CHECK(s->count >= DLS_CONVEX_HEAD && dls_small_finite(s->count, n) &&
                n[DLS_CONVEX_ROUNDING] >= 0 && n[DLS_CONVEX_VERTEX_COUNT] >= 1,
            DLS_ERR_ARGUMENT, "a convex solid has finite numbers and a vertex or more");
  for (int k = DLS_CONVEX_VERTEX_COUNT; k < DLS_CONVEX_HEAD; k++)
    DLS_CHECK(n[k] >= 0 && n[k] <= most[k] && n[k] == floor(n[k]), DLS_ERR_ARGUMENT,
              "a convex solid cannot have %g vertices, faces, edges or corners", n[k]);
  const DlsConvex c = dls_convex_view(s);
  const int corners = (int)n[DLS_CONVEX_CORNER_COUNT];
  const double size = DLS_CONVEX_HEAD + 3.0 * c.vertices + 4.0 * c.faces + 4.0 * c.edges + c.faces +
                      1 + 2.0 * corners;
  DLS_CHECK(s->count == (int)size, DLS_ERR_ARGUMENT, "a convex solid of %g numbers, not %d", size,
            s->count);
  bool good = c.start[0] == 0 && c.start[c.faces] == corners;
  for (int f = 0; f < c.faces && good; f++) good = c.start[f] < c.start[f + 1];
  for (int k = 0; k < corners && good; k++)
    good = c.corner[k] >= 0 && c.corner[k] < c.vertices && c.side[k] >= -1 && c.side[k] < c.edges;
  for (int e = 0; e < 4 * c.edges && good; e++)
    good = c.edge[e] >= -1 && c.edge[e] < (e % 4 < 2 ? c.vertices : c.faces) &&
           (e % 4 > 1 || c.edge[e] >= 0);
  DLS_CHECK(good, DLS_ERR_ARGUMENT, "a convex solid whose faces name corners that it has not");
  return DLS_OK;
}

static double reach(const DlsSolid *s) {
  const DlsConvex c = dls_convex_view(s);
  double most = 0;
  for (int v = 0; v < c.vertices; v++) most = fmax(most, dls_vector_norm(c.vertex + 3 * v));
  return s->scale * (most + c.rounding);
}

/* Half of the least width across a face, which for most solids is the least of all. */
static double size(const DlsSolid *s) {
  const DlsConvex c = dls_convex_view(s);
  double least = c.faces ? HUGE_VAL : 0;
  for (int f = 0; f < c.faces; f++) {
    double deepest = HUGE_VAL;
    for (int v = 0; v < c.vertices; v++)
      deepest = fmin(deepest, dls_vector_dot(c.plane + 4 * f, c.vertex + 3 * v));
    least = fmin(least, c.plane[4 * f + 3] - deepest);
  }
  return s->scale * (least / 2 + c.rounding);
}

static uint32_t features(const DlsSolid *s) {
  const DlsConvex c = dls_convex_view(s);
  return (uint32_t)(c.vertices + c.edges + c.faces);
}

static void moments(const DlsSolid *s, DlsMoments *out) {
  const DlsConvex c = dls_convex_view(s);
  dls_rounded_moments(s->dim, &c, out);
  const double scale = s->scale, volume = s->dim == 3 ? scale * scale * scale : scale * scale;
  out->volume *= volume;
  for (int k = 0; k < 3; k++) out->first[k] *= volume * scale;
  for (int k = 0; k < 6; k++) out->second[k] *= volume * scale * scale;
}

static void bounds(const DlsSolid *s, const DlsPose *pose, double low[3], double high[3]) {
  const DlsConvex c = dls_convex_view(s);
  double R[9];
  dls_rotation_matrix(pose->orientation, R);
  for (int k = 0; k < 3; k++) {
    double least = HUGE_VAL, most = -HUGE_VAL;
    for (int v = 0; v < c.vertices; v++) {
      const double x = dls_vector_dot(R + 3 * k, c.vertex + 3 * v);
      least = fmin(least, x);
      most = fmax(most, x);
    }
    low[k] = pose->position[k] + s->scale * (least - c.rounding);
    high[k] = pose->position[k] + s->scale * (most + c.rounding);
  }
}

static void support(const DlsSolid *s, const double direction[3], double out[3]) {
  const DlsConvex c = dls_convex_view(s);
  const double length = dls_vector_norm(direction);
  int best = 0;
  double most = -HUGE_VAL;
  for (int v = 0; v < c.vertices; v++) {
    const double along = dls_vector_dot(direction, c.vertex + 3 * v);
    if (along > most) most = along, best = v;
  }
  for (int k = 0; k < 3; k++)
    out[k] = s->scale * (c.vertex[3 * best + k] + c.rounding * direction[k] / length);
}

static bool contains(const DlsSolid *s, const double x[3]) {
  const DlsConvex c = dls_convex_view(s);
  const double y[3] = {x[0] / s->scale, x[1] / s->scale, x[2] / s->scale};
  return dls_rounded_contains(s->dim, &c, y);
}

static DlsStatus line(const DlsConvex *c, double scale, int a, int b, const DlsPose *pose,
                      int owner, DlsOutline *out) {
  double from[3], to[3];
  for (int k = 0; k < 3; k++) {
    from[k] = scale * c->vertex[3 * a + k];
    to[k] = scale * c->vertex[3 * b + k];
  }
  return dls_outline_line(out, pose, owner, from, to);
}

/* Its edges; of what is rounded those of the core, and circles about single points. */
static DlsStatus outline(const DlsSolid *s, const DlsPose *pose, int owner, DlsOutline *out) {
  const DlsConvex c = dls_convex_view(s);
  if (s->dim == 2 && c.rounding > 0) return dls_rounded_outline(&c, s->scale, pose, owner, out);
  for (int e = 0; e < c.edges; e++)
    DLS_TRY(line(&c, s->scale, (int)c.edge[4 * e], (int)c.edge[4 * e + 1], pose, owner, out));
  for (int f = 0; f < c.faces && s->dim == 2; f++) {
    const double *corner = c.corner + (int)c.start[f];
    DLS_TRY(line(&c, s->scale, (int)corner[0], (int)corner[1], pose, owner, out));
  }
  return DLS_OK;
}

const DlsShapeOperations dls_shape_convex = {
    .name = "convex",
    .check = check,
    .reach = reach,
    .size = size,
    .features = features,
    .moments = moments,
    .bounds = bounds,
    .support = support,
    .contains = contains,
    .outline = outline,
    .skin = dls_convex_skin,
};
