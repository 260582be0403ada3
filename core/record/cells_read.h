/* The cells of deformable bodies of a frame, from deformable_NNNNNN.vtu: for post-processing. */
#ifndef DELASSUS_RECORD_CELLS_READ_H
#define DELASSUS_RECORD_CELLS_READ_H

#include "post/packing_cells.h"

/* Of the file at `path`, for a packing that was read from the same frame: packing->fine is made.
 * What could be no mesh is refused with the file and the array. */
DlsStatus dls_cells_read(const char *path, DlsPacking *packing);

#endif
