/* A packing from the frames of a run: the same numbers, to the last bit, as dls_packing_take() had
 * when the frame was written. */
#ifndef DELASSUS_RECORD_PACKING_READ_H
#define DELASSUS_RECORD_PACKING_READ_H

#include "post/packing.h"

/* Frame `number` of the folder of a run, -1: the last. *out is zeroed or holds an earlier one. */
DlsStatus dls_packing_read(const char *folder, int number, DlsPacking *out);

/* How many frames there are. */
DlsStatus dls_packing_frames(const char *folder, int *out);

#endif
