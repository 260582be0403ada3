/* Triangle surfaces: what a boundary from a mesh is made of, in local axes. Who is near a place is
 * found by a tree of boxes (split at the median, four triangles a leaf).
 *
 * No ghost forces: a nearest point on an edge or a corner counts only where the place lies in the
 * normal cone there, which is that between the normals of the faces around it. A flat or concave
 * edge has none: who is above it is above the face beyond, which gives the point itself. So a ball
 * that rolls over the diagonals of a floor meets the floor alone. */
#ifndef DELASSUS_WORLD_SURFACE_H
#define DELASSUS_WORLD_SURFACE_H

#include <stdbool.h>
#include <stdint.h>

#include "mesh/mesh.h"

typedef struct {
  double low[3], high[3];
  int first,
      count; /* a leaf: triangles order[first ...]; else count 0, children first, first + 1 */
} DlsSurfaceBox;

typedef struct {
  int nodes, triangles;
  double (*node)[3];
  int (*corner)[3];    /* counter-clockwise from the front */
  int (*neighbour)[3]; /* beyond the edge from corner k to the next, -1: none */
  bool (*sharp)[3];    /* that edge is convex, or open */
  double (*plane)[4];  /* unit normal, offset */
  int *star_start;     /* [nodes + 1] */
  int *star;           /* the nodes that edges lead to from each */
  int *order, boxes;
  DlsSurfaceBox *box;
  double size; /* m, the largest edge of the box of all */
  bool closed;
} DlsSurface;

/* From the triangles of a mesh, joined (dls_mesh_join); `scale`, m, is a length of 1 there. The
 * caller ends *out with dls_surface_clear(). */
DlsStatus dls_surface_make(const DlsMesh *mesh, const DlsMeshTriangles *triangles, double scale,
                           DlsSurface *out);
void dls_surface_clear(DlsSurface *surface);

typedef struct {
  int triangle;    /* the first of those that share the point */
  bool edge;       /* it lies on an edge or corner */
  double distance; /* m, of the place; below 0 behind a face */
  double normal[3];
} DlsSurfacePoint;

/* The nearest points to c of all faces nearer than `reach`: each once, one for each normal (within
 * 1 degree the nearest), by ascending triangle; when there are more than `most`, the nearest.
 * Faces are met from their front, from up to `depth` behind it on; `both`: from either side. */
int dls_surface_near(const DlsSurface *surface, const double c[3], double reach, double depth,
                     bool both, int most, DlsSurfacePoint *out);

#endif
