/* A granulate from the frames of a run: the same numbers, to the last bit, as dls_granulate_take() had when the frame
 * was written. */
#ifndef DELASSUS_RECORD_GRANULATE_READ_H
#define DELASSUS_RECORD_GRANULATE_READ_H

#include "post/granulate.h"

/* Frame `number` of the folder of a run, -1: the last. *out is zeroed or holds an earlier one. */
DLS_EXPORT DlsStatus dls_granulate_read(const char *folder, int number, DlsGranulate *out);

/* How many frames there are. */
DLS_EXPORT DlsStatus dls_granulate_frames(const char *folder, int *out);

#endif
