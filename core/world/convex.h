/* Convex solids: polyhedra, in 2-D polygons, segments and points, thickened by a ball of radius
 * `rounding` (all points within that distance of the core).
 *
 * The core is vertices, faces (in 2-D sides) with outward planes n . x = offset, and edges between
 * two faces; faces list their corners counter-clockwise as seen from outside. Features are numbered
 * vertices first, then edges (none in 2-D, where sides are the faces), then faces.
 *
 * A solid of this kind holds all that as numbers (shape_kind.h), built once by dls_convex_build()
 * or by the makers below, so that it is shared, scaled and saved like any other. */
#ifndef DELASSUS_WORLD_CONVEX_H
#define DELASSUS_WORLD_CONVEX_H

#include "world/shape_kind.h"

enum { DLS_CONVEX_VERTICES = 256, DLS_CONVEX_FACES = 256, DLS_CONVEX_EDGES = 512 }; /* at most */

/* Where the numbers of a solid stand; lent, at scale 1. Indices are whole numbers kept as reals. */
typedef struct {
  double rounding;      /* m */
  int vertices, faces;  /* how many */
  int edges;            /* of a segment 1; 0 in 2-D polygons */
  const double *vertex; /* [vertices][3], m */
  const double *plane;  /* [faces][4]: unit normal, offset in m */
  const double *edge;   /* [edges][4]: two vertices, two faces (of a segment -1, -1) */
  const double *start;  /* [faces + 1]: corners of face f are start[f] <= c < start[f + 1] */
  const double *corner; /* [start[faces]]: a vertex */
  const double *side;   /* [start[faces]]: the edge from this corner to the next of its face */
} DlsConvex;

DlsConvex dls_convex_view(const DlsSolid *solid);

static inline uint32_t dls_convex_vertex_feature(int v) { return (uint32_t)v; }
static inline uint32_t dls_convex_edge_feature(const DlsConvex *c, int e) {
  return (uint32_t)(c->vertices + e);
}
static inline uint32_t dls_convex_face_feature(const DlsConvex *c, int f) {
  return (uint32_t)(c->vertices + c->edges + f);
}

static inline bool dls_convex_is_face(const DlsConvex *c, uint32_t feature) {
  const uint32_t first = dls_convex_face_feature(c, 0);
  return feature >= first && feature < first + (uint32_t)c->faces;
}

/* Numbers of a solid, to be given as those of a DlsShapePart; ended with free(). */
typedef struct {
  int count;
  double *number;
} DlsConvexNumbers;

/* From vertices and, in 3-D, faces: start[faces + 1] into corner[], counter-clockwise from outside.
 * In 2-D the vertices go round counter-clockwise and faces is 0. Refuses what is not closed (the
 * first bad edge is named), not convex, inverted, flat, too large, or not finite. Corners on a
 * straight line, and faces in one plane, are merged by dls_convex_hull() only. */
DlsStatus dls_convex_build(int dim, double rounding, int vertices, const double (*vertex)[3],
                           int faces, const int *start, const int *corner, DlsConvexNumbers *out);

/* The convex hull of points, by Qhull: faces in one plane are one face, points within are left
 * out. Refuses points that lie in a plane (2-D: on a line). */
DlsStatus dls_convex_hull(int dim, double rounding, int points, const double (*point)[3],
                          DlsConvexNumbers *out);

/* Edges length[dim], about the origin; the core when it is rounded, so that the solid has these
 * lengths: rounding is below half of the least. */
DlsStatus dls_convex_box(int dim, double rounding, const double length[3], DlsConvexNumbers *out);

/* A regular polygon of n corners on a circle of this radius, the first corner on x. */
DlsStatus dls_convex_regular(double rounding, int corners, double radius, DlsConvexNumbers *out);

/* 3-D: a polygon in (x, y), counter-clockwise, drawn out along z to both sides of 0. */
DlsStatus dls_convex_prism(double rounding, int corners, const double (*corner)[3], double height,
                           DlsConvexNumbers *out);

/* A segment along x of half length `half`, rounded: the capsule. */
DlsStatus dls_convex_capsule(int dim, double radius, double half, DlsConvexNumbers *out);

#endif
