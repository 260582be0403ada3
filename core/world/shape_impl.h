/* Moments of solids, shared by shape.c and shape_union.c. */
#ifndef DELASSUS_WORLD_SHAPE_IMPL_H
#define DELASSUS_WORLD_SHAPE_IMPL_H

#include "world/shape.h"

/* Another user of its numbers, and one less: the last one frees them. Balls have none. */
void dls_figure_retain(DlsFigure *figure);
void dls_figure_release(DlsFigure *figure);

/* What the sum over the elements counts more than once, to be taken off: 0 where none overlap.
 * Raster of lines along the last axis of space, each line exact. */
DlsStatus dls_shape_excess(int dim, int count, const DlsElement *element, DlsMoments *out);

#endif
