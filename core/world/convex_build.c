/* Convex solids from vertices and faces: planes, edges, and all that makes them none. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/small.h"
#include "world/convex.h"
#include "world/convex_impl.h"

static const double pi = 3.14159265358979323846;

/* A vertex may stand out of a face's plane by this share of the largest extent: files hold six
 * digits. */
static const double flatness = 1e-6;

/* What is being built, with writable arrays. */
typedef struct {
  int vertices, faces, edges, corners;
  double *vertex, *plane, *edge, *start, *corner, *side;
  double extent; /* m, the largest of its box */
} Build;

static DlsStatus make(double rounding, int vertices, int faces, int edges, int corners,
                      DlsConvexNumbers *out, Build *b) {
  *b = (Build){.vertices = vertices, .faces = faces, .edges = edges, .corners = corners};
  DLS_CHECK(vertices <= DLS_CONVEX_VERTICES && faces <= DLS_CONVEX_FACES &&
                edges <= DLS_CONVEX_EDGES,
            DLS_ERR_UNSUPPORTED,
            "a convex solid of %d vertices, %d faces, %d edges: at most %d, %d and %d", vertices,
            faces, edges, DLS_CONVEX_VERTICES, DLS_CONVEX_FACES, DLS_CONVEX_EDGES);
  out->count = DLS_CONVEX_HEAD + 3 * vertices + 4 * faces + 4 * edges + faces + 1 + 2 * corners;
  DLS_NEW(out->number, out->count);
  double *n = out->number;
  n[DLS_CONVEX_ROUNDING] = rounding;
  n[DLS_CONVEX_VERTEX_COUNT] = vertices;
  n[DLS_CONVEX_FACE_COUNT] = faces;
  n[DLS_CONVEX_EDGE_COUNT] = edges;
  n[DLS_CONVEX_CORNER_COUNT] = corners;
  b->vertex = n + DLS_CONVEX_HEAD;
  b->plane = b->vertex + 3 * vertices;
  b->edge = b->plane + 4 * faces;
  b->start = b->edge + 4 * edges;
  b->corner = b->start + faces + 1;
  b->side = b->corner + corners;
  return DLS_OK;
}

static void copy_vertices(Build *b, const double (*vertex)[3]) {
  double low[3] = {HUGE_VAL, HUGE_VAL, HUGE_VAL}, high[3] = {-HUGE_VAL, -HUGE_VAL, -HUGE_VAL};
  memcpy(b->vertex, vertex, (size_t)b->vertices * sizeof *vertex);
  for (int v = 0; v < b->vertices; v++)
    for (int k = 0; k < 3; k++) {
      low[k] = fmin(low[k], vertex[v][k]);
      high[k] = fmax(high[k], vertex[v][k]);
    }
  for (int k = 0; k < 3; k++) b->extent = fmax(b->extent, high[k] - low[k]);
}

/* The normal of a closed line of corners (Newell): right for any polygon, flat or nearly. */
static void newell(const Build *b, int first, int end, double n[3]) {
  n[0] = n[1] = n[2] = 0;
  for (int k = first; k < end; k++) {
    const double *p = b->vertex + 3 * (int)b->corner[k];
    const double *q = b->vertex + 3 * (int)b->corner[k + 1 < end ? k + 1 : first];
    for (int i = 0; i < 3; i++) {
      const int j = (i + 1) % 3, l = (i + 2) % 3;
      n[i] += (p[j] - q[j]) * (p[l] + q[l]);
    }
  }
}

/* Unit normals; the outer plane: no vertex of the face stands out. */
static DlsStatus fill_planes(int dim, Build *b) {
  for (int f = 0; f < b->faces; f++) {
    double *n = b->plane + 4 * f, offset = -HUGE_VAL;
    const int first = (int)b->start[f], end = (int)b->start[f + 1];
    if (dim == 2) {
      const double *p = b->vertex + 3 * (int)b->corner[first];
      const double *q = b->vertex + 3 * (int)b->corner[first + 1];
      n[0] = q[1] - p[1], n[1] = p[0] - q[0];
    } else {
      newell(b, first, end, n);
    }
    const double length = dls_vector_norm(n);
    const double scale = dim == 2 ? b->extent : b->extent * b->extent;
    DLS_CHECK(length > 1e-12 * scale, DLS_ERR_ARGUMENT, "%s %d has no %s",
              dim == 2 ? "side" : "face", f, dim == 2 ? "length" : "area");
    for (int k = 0; k < 3; k++) n[k] /= length;
    for (int k = first; k < end; k++)
      offset = fmax(offset, dls_vector_dot(n, b->vertex + 3 * (int)b->corner[k]));
    n[3] = offset;
  }
  return DLS_OK;
}

/* Every vertex on or below every plane; some well below: it has an inside. */
static DlsStatus check_convex(int dim, const Build *b) {
  const double slack = flatness * b->extent;
  for (int f = 0; f < b->faces; f++) {
    double deepest = 0;
    for (int v = 0; v < b->vertices; v++) {
      const double height =
          dls_vector_dot(b->plane + 4 * f, b->vertex + 3 * v) - b->plane[4 * f + 3];
      deepest = fmin(deepest, height);
      DLS_CHECK(height <= slack, DLS_ERR_ARGUMENT,
                "vertex %d stands out of %s %d by %g m: not convex, or the %s goes round the wrong "
                "way (counter-clockwise %s); give `hull` for the convex hull",
                v, dim == 2 ? "side" : "face", f, height, dim == 2 ? "outline" : "face",
                dim == 2 ? "is right" : "as seen from outside is right");
    }
    DLS_CHECK(deepest < -slack, DLS_ERR_ARGUMENT, "all vertices lie in %s %d: it has no inside",
              dim == 2 ? "the line of side" : "the plane of face", f);
  }
  return DLS_OK;
}

/* Edges: each is run through once in either direction by two faces. */
static DlsStatus fill_edges(Build *b) {
  int count = 0;
  for (int f = 0; f < b->faces; f++) {
    const int first = (int)b->start[f], end = (int)b->start[f + 1];
    for (int k = first; k < end; k++) {
      const double from = b->corner[k], to = b->corner[k + 1 < end ? k + 1 : first];
      int e = 0;
      while (e < count && !(b->edge[4 * e] == to && b->edge[4 * e + 1] == from)) e++;
      if (e < count) {
        DLS_CHECK(b->edge[4 * e + 3] < 0, DLS_ERR_ARGUMENT,
                  "edge %g-%g belongs to more than two faces", from, to);
        b->edge[4 * e + 3] = f;
      } else {
        for (int i = 0; i < count; i++)
          DLS_CHECK(b->edge[4 * i] != from || b->edge[4 * i + 1] != to, DLS_ERR_ARGUMENT,
                    "edge %g-%g is run through twice in the same direction: faces %g and %d are "
                    "turned against each other",
                    from, to, b->edge[4 * i + 2], f);
        DLS_CHECK(count < b->edges, DLS_ERR_ARGUMENT,
                  "edge %g-%g: more edges than a closed solid of %d corners has", from, to,
                  b->corners);
        const double new[4] = {from, to, f, -1};
        memcpy(b->edge + 4 * count++, new, sizeof new);
      }
      b->side[k] = e;
    }
  }
  for (int e = 0; e < count; e++)
    DLS_CHECK(b->edge[4 * e + 3] >= 0, DLS_ERR_ARGUMENT,
              "edge %g-%g belongs to face %g alone: the surface is open", b->edge[4 * e],
              b->edge[4 * e + 1], b->edge[4 * e + 2]);
  DLS_CHECK(count == b->edges, DLS_ERR_ARGUMENT, "the surface is not closed");
  return DLS_OK;
}

static DlsStatus check_input(int dim, double rounding, int vertices, const double (*vertex)[3]) {
  DLS_CHECK(isfinite(rounding) && rounding >= 0, DLS_ERR_ARGUMENT,
            "rounding %g m is not a length from 0 on", rounding);
  DLS_CHECK(vertices >= dim + 1, DLS_ERR_ARGUMENT, "%d vertices: a %s has %d or more", vertices,
            dim == 2 ? "polygon" : "polyhedron", dim + 1);
  for (int v = 0; v < vertices; v++) {
    DLS_CHECK(dls_small_finite(3, vertex[v]), DLS_ERR_ARGUMENT, "vertex %d is not finite", v);
    DLS_CHECK(dim == 3 || vertex[v][2] == 0, DLS_ERR_ARGUMENT,
              "vertex %d lies out of the plane by %g", v, vertex[v][2]);
  }
  return DLS_OK;
}

static DlsStatus fill_polygon(Build *b) {
  for (int f = 0; f < b->faces; f++) {
    b->start[f] = 2 * f;
    b->corner[2 * f] = f;
    b->corner[2 * f + 1] = (f + 1) % b->vertices;
    b->side[2 * f] = b->side[2 * f + 1] = -1;
  }
  b->start[b->faces] = 2 * b->faces;
  return fill_planes(2, b);
}

static DlsStatus fill_polyhedron(int vertices, const int *start, const int *corner, Build *b) {
  for (int f = 0; f <= b->faces; f++) b->start[f] = start[f];
  for (int k = 0; k < b->corners; k++) {
    DLS_CHECK(corner[k] >= 0 && corner[k] < vertices, DLS_ERR_ARGUMENT,
              "a face names vertex %d; there are 0 to %d", corner[k], vertices - 1);
    b->corner[k] = corner[k];
  }
  DLS_TRY(fill_planes(3, b));
  return fill_edges(b);
}

DlsStatus dls_convex_build(int dim, double rounding, int vertices, const double (*vertex)[3],
                           int faces, const int *start, const int *corner, DlsConvexNumbers *out) {
  Build b;
  *out = (DlsConvexNumbers){0};
  DLS_TRY(check_input(dim, rounding, vertices, vertex));
  const int sides = dim == 2 ? vertices : faces, corners = dim == 2 ? 2 * sides : start[faces];
  DLS_CHECK(sides > dim, DLS_ERR_ARGUMENT, "%d faces: a polyhedron has 4 or more", sides);
  for (int f = 0; f < faces; f++)
    DLS_CHECK(start[f + 1] >= start[f] + 3, DLS_ERR_ARGUMENT, "face %d has fewer than 3 corners",
              f);
  DLS_CHECK(dim == 2 || corners % 2 == 0, DLS_ERR_ARGUMENT,
            "%d corners of all faces, an odd number: the surface is open", corners);
  DLS_TRY(make(rounding, vertices, sides, dim == 2 ? 0 : corners / 2, corners, out, &b));
  copy_vertices(&b, vertex);
  DlsStatus status = dim == 2 ? fill_polygon(&b) : fill_polyhedron(vertices, start, corner, &b);
  if (status == DLS_OK) status = check_convex(dim, &b);
  if (status != DLS_OK) free(out->number), *out = (DlsConvexNumbers){0};
  return status;
}

DlsStatus dls_convex_prism(double rounding, int corners, const double (*polygon)[3], double height,
                           DlsConvexNumbers *out) {
  double(*vertex)[3];
  int *list;
  *out = (DlsConvexNumbers){0};
  DLS_CHECK(corners >= 3 && corners <= DLS_CONVEX_VERTICES / 2, DLS_ERR_ARGUMENT,
            "a prism on %d corners: from 3 to %d", corners, DLS_CONVEX_VERTICES / 2);
  DLS_CHECK(isfinite(height) && height > 0, DLS_ERR_ARGUMENT, "height %g m is not above 0", height);
  DLS_NEW(vertex, 2 * corners);
  list = dls_memory_array((size_t)(7 * corners + 3), sizeof *list);
  if (!list) {
    free(vertex);
    return dls_fail(DLS_ERR_MEMORY, "out of memory: a prism");
  }
  int *start = list, *corner = list + corners + 3, n = 0;
  for (int k = 0; k < corners; k++) {
    for (int i = 0; i < 2; i++) vertex[k][i] = vertex[corners + k][i] = polygon[k][i];
    vertex[k][2] = -height / 2, vertex[corners + k][2] = height / 2;
  }
  for (int k = 0; k < corners; k++) { /* the sides: face k on side k of the polygon */
    const int next = (k + 1) % corners;
    const int face[4] = {k, next, corners + next, corners + k};
    start[k] = n;
    for (int i = 0; i < 4; i++) corner[n++] = face[i];
  }
  start[corners] = n;
  for (int k = corners - 1; k >= 0; k--) corner[n++] = k;
  start[corners + 1] = n;
  for (int k = 0; k < corners; k++) corner[n++] = corners + k;
  start[corners + 2] = n;
  const DlsStatus status = dls_convex_build(3, rounding, 2 * corners, (const double(*)[3])vertex,
                                            corners + 2, start, corner, out);
  free(vertex);
  free(list);
  return status;
}

DlsStatus dls_convex_box(int dim, double rounding, const double length[3], DlsConvexNumbers *out) {
  double half[3] = {0}, corner[4][3] = {{0}};
  *out = (DlsConvexNumbers){0};
  for (int k = 0; k < dim; k++) {
    DLS_CHECK(isfinite(length[k]) && length[k] > 2 * rounding && rounding >= 0, DLS_ERR_ARGUMENT,
              "edge %g m of a box is not above twice its rounding %g m", length[k], rounding);
    half[k] = length[k] / 2 - rounding;
  }
  for (int c = 0; c < 4; c++) {
    corner[c][0] = c == 0 || c == 3 ? -half[0] : half[0];
    corner[c][1] = c < 2 ? -half[1] : half[1];
  }
  if (dim == 2)
    return dls_convex_build(2, rounding, 4, (const double(*)[3])corner, 0, NULL, NULL, out);
  return dls_convex_prism(rounding, 4, (const double(*)[3])corner, 2 * half[2], out);
}

DlsStatus dls_convex_regular(double rounding, int corners, double radius, DlsConvexNumbers *out) {
  double corner[DLS_CONVEX_VERTICES][3] = {{0}};
  *out = (DlsConvexNumbers){0};
  DLS_CHECK(corners >= 3 && corners <= DLS_CONVEX_VERTICES, DLS_ERR_ARGUMENT,
            "a polygon of %d corners: from 3 to %d", corners, DLS_CONVEX_VERTICES);
  /* The core's corners stand so far in that the rounded sides are those of the whole polygon. */
  const double core = radius - rounding / cos(pi / corners);
  DLS_CHECK(isfinite(radius) && rounding >= 0 && core > 0, DLS_ERR_ARGUMENT,
            "radius %g m of a polygon is not above 0, or its rounding %g m leaves no side", radius,
            rounding);
  for (int c = 0; c < corners; c++) {
    corner[c][0] = core * cos(2 * pi * c / corners);
    corner[c][1] = core * sin(2 * pi * c / corners);
  }
  return dls_convex_build(2, rounding, corners, (const double(*)[3])corner, 0, NULL, NULL, out);
}

DlsStatus dls_convex_capsule(int dim, double radius, double half, DlsConvexNumbers *out) {
  Build b;
  *out = (DlsConvexNumbers){0};
  DLS_CHECK(isfinite(radius) && radius > 0 && isfinite(half) && half > 0, DLS_ERR_ARGUMENT,
            "a capsule has a radius and a half length above 0, not %g and %g m", radius, half);
  const double ends[2][3] = {{-half, 0, 0}, {half, 0, 0}};
  DLS_TRY(make(radius, 2, dim == 2 ? 2 : 0, dim == 2 ? 0 : 1, dim == 2 ? 4 : 0, out, &b));
  copy_vertices(&b, ends);
  if (dim == 2) return fill_polygon(&b);
  const double edge[4] = {0, 1, -1, -1};
  memcpy(b.edge, edge, sizeof edge);
  return DLS_OK;
}
