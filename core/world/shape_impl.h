/* Moments of solids, shared by shape.c and shape_union.c. */
#ifndef DELASSUS_WORLD_SHAPE_IMPL_H
#define DELASSUS_WORLD_SHAPE_IMPL_H

#include "world/shape.h"

/* Integrals over a solid (2-D: a figure) about the origin: of 1, of x_i, of x_i x_j in the order
 * xx yy zz xy yz zx. */
typedef struct {
  double volume, first[3], second[6];
} DlsMoments;

/* What the sum over the elements counts more than once, to be taken off: 0 where none overlap.
 * Raster of lines along the last axis of space, each line exact. */
DlsStatus dls_shape_excess(int dim, int count, const DlsElement *element, DlsMoments *out);

#endif
