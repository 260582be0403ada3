/* The surfaces of solids of a frame that a run has written (solids_000012.vtu), for pictures. */
#ifndef DELASSUS_RECORD_SIDES_READ_H
#define DELASSUS_RECORD_SIDES_READ_H

#include "plot/grains.h"
#include "post/packing.h"

/* Of frame `number` (-1: the last) of the folder, moved back to where the contacts of the step were
 * found, as the centres of the packing; grains are those of the packing. Nothing where the run has
 * balls alone. The caller ends *out with dls_grain_sides_clear(), also on failure. */
DlsStatus dls_sides_read(const char *folder, int number, const DlsPacking *packing,
                         DlsGrainSides *out);

#endif
