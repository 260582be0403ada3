/* What the makers of blocks share. */
#ifndef DELASSUS_WORLD_BLOCKS_BLOCKS_IMPL_H
#define DELASSUS_WORLD_BLOCKS_BLOCKS_IMPL_H

#include "world/blocks/blocks.h"

/* Takes the numbers of a solid, which the list frees; *shape is the one made of them, or an equal
 * one among the last few. `made` is what the maker of the numbers returned. */
DlsStatus dls_blocks_shape(DlsStatus made, DlsConvexNumbers *numbers, DlsBlocks *blocks,
                           int *shape);

/* orientation NULL: as it is. */
DlsStatus dls_blocks_add(DlsBlocks *blocks, int shape, const double position[3],
                         const double *orientation, bool base);

/* A box with these edges and this middle. */
DlsStatus dls_blocks_add_box(DlsBlocks *blocks, const double length[3], const double middle[3],
                             bool base);

/* A polygon in the plane of x and up, counter-clockwise as seen with x to the right, [corners], and
 * in 3-D drawn out along y to both sides of 0: its solid. `upright` is the orientation that it then
 * needs, in 2-D none. */
DlsStatus dls_blocks_plate(DlsBlocks *blocks, int corners, const double (*corner)[3], double depth,
                           int *shape, double upright[4]);

/* Brings the base to the front, each part in its order. */
DlsStatus dls_blocks_finish(DlsBlocks *blocks);

/* A length that is a whole or half a block but for round-off, with its bits: equal ones share a
 * shape. */
double dls_blocks_snap(double length, double whole, double gap);

/* Refuses what is not finite and above 0. */
DlsStatus dls_blocks_check_length(const char *what, double length);
/* Refuses a gap that is not from 0 on, or not below `most`. */
DlsStatus dls_blocks_check_gap(double gap, double most, const char *what);

#endif
