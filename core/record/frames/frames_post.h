/* The arrays that post-processing adds to the frames of bodies: one value for each element that is
 * shown, those of one body alike. */
#ifndef DELASSUS_RECORD_FRAMES_FRAMES_POST_H
#define DELASSUS_RECORD_FRAMES_FRAMES_POST_H

#include "post/packing.h"
#include "record/vtu/vtu.h"

enum { DLS_POST_ARRAYS = 32 };

typedef struct {
  int count;
  DlsVtuArray array[DLS_POST_ARRAYS];
  void *owned[DLS_POST_ARRAYS]; /* their values */
} DlsPostArrays;

/* `mask`: bits of DlsQuantity; `grain` [elements]: the grain of each element. Mass, volume and what
 * else is needed to read the files again come in any case. *out is zeroed, ended with
 * dls_post_arrays_clear(). */
DlsStatus dls_post_arrays_make(const DlsPacking *packing, unsigned mask, const int *grain,
                               int elements, DlsPostArrays *out);
void dls_post_arrays_clear(DlsPostArrays *arrays);

#endif
