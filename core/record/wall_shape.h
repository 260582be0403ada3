/* Walls of a packing as numbers of a frame, [walls][DLS_WALL_NUMBERS]: kind, inside, open, length
 * (3), radius (2), rounding, depth, position (3), orientation (4), 0. A file has them as arrays of
 * nine. */
#ifndef DELASSUS_RECORD_WALL_SHAPE_H
#define DELASSUS_RECORD_WALL_SHAPE_H

#include "world/boundary/boundary.h"

enum { DLS_WALL_NUMBERS = 18 };

void dls_wall_pack(const DlsBoundary *wall, double out[DLS_WALL_NUMBERS]);

/* DLS_ERR_FORMAT for what is no boundary; `path` is named. */
DlsStatus dls_wall_unpack(const double number[DLS_WALL_NUMBERS], int dim, const char *path,
                          DlsBoundary *out);

#endif
