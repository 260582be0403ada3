/* The sides of cells by which a body of finite elements meets others, as faces between nodes
 * (world/contact_faces.h): lines and triangles, and quadrilaterals as they are, bilinear. Quadratic
 * sides are cut along their middle nodes, two lines of a LINE3, four triangles of a T6: on these
 * every node has a share of the area, which corners of a T6 have not. */
#ifndef DELASSUS_FEM_SURFACE_H
#define DELASSUS_FEM_SURFACE_H

#include "fem/element.h"
#include "world/contact_faces.h"

/* Side number `side` of an element (element.h). */
typedef struct {
  int cell, side;
} DlsBodySide;

/* A mesh; all lent. */
typedef struct {
  int dim, nodes, cells;
  const double (*X)[3];       /* [nodes], m */
  const DlsElementType *type; /* [cells] */
  const int *start, *node;    /* [cells + 1], [start[cells]] */
} DlsCells;

/* The sides that belong to one cell alone, ascending by cell; freed by the caller. */
DlsStatus dls_cells_outside(const DlsCells *mesh, int *count, DlsBodySide **out);

typedef struct {
  DlsContactFaces faces;
  int nodes, *node; /* of the mesh, ascending: node[e] is element e */
} DlsSurfaceNodes;

/* Of these sides; `thickness`, m, in 2-D. Ended with dls_surface_nodes_clear(). How the body meets
 * others is the caller's to set. */
DlsStatus dls_surface_nodes_make(const DlsCells *mesh, int sides, const DlsBodySide *side,
                                 double thickness, DlsSurfaceNodes *out);
void dls_surface_nodes_clear(DlsSurfaceNodes *surface); /* a zeroed one is fine */

#endif
