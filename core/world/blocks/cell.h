/* One convex cell that planes cut down: a polygon in 2-D, a polyhedron in 3-D. */
#ifndef DELASSUS_WORLD_BLOCKS_CELL_H
#define DELASSUS_WORLD_BLOCKS_CELL_H

#include "world/convex.h"

/* Room: a cell of random points has some 16 faces, 27 vertices; six times that is refused. */
enum { DLS_CELL_VERTICES = 224, DLS_CELL_FACES = 128, DLS_CELL_CORNERS = 768 };

typedef struct {
  int dim, vertices, faces;
  double vertex[DLS_CELL_VERTICES][3]; /* in 2-D in their order, counter-clockwise */
  int start[DLS_CELL_FACES + 1];       /* 3-D: corners of face f, counter-clockwise from outside */
  int corner[DLS_CELL_CORNERS];
} DlsCell;

void dls_cell_box(int dim, const double low[3], const double high[3], DlsCell *out);

/* Leaves what has n . x <= offset, n a unit vector. A cell of which nothing is left has no
 * vertices. DLS_ERR_UNSUPPORTED where it has more parts than there is room for. */
DlsStatus dls_cell_cut(DlsCell *cell, const double n[3], double offset);

/* m3, in 2-D m2; centre: of its volume. */
double dls_cell_volume(const DlsCell *cell, double centre[3]);

/* m: of the farthest vertex from x. */
double dls_cell_reach(const DlsCell *cell, const double x[3]);

#endif
