/* Lists of arrays that become one, as a file wants them. */
#ifndef DELASSUS_RECORD_FRAMES_ARRAYS_H
#define DELASSUS_RECORD_FRAMES_ARRAYS_H

#include <string.h>

#include "base/memory.h"
#include "record/vtu/vtu.h"

typedef struct {
  const DlsVtuArray *array;
  int count;
} DlsArrayList;

/* All of them in a row, *count; the caller frees *out. */
static inline DlsStatus dls_arrays_join(const DlsArrayList *parts, int nparts, DlsVtuArray **out,
                                        int *count) {
  int at = 0;
  *count = 0;
  for (int k = 0; k < nparts; k++) *count += parts[k].count;
  DLS_NEW(*out, *count);
  for (int k = 0; k < nparts; at += parts[k++].count)
    if (parts[k].count) memcpy(*out + at, parts[k].array, (size_t)parts[k].count * sizeof **out);
  return DLS_OK;
}

#endif
