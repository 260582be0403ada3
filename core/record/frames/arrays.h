/* Lists of arrays that become one, as a file wants them, and rows picked from arrays. */
#ifndef DELASSUS_RECORD_FRAMES_ARRAYS_H
#define DELASSUS_RECORD_FRAMES_ARRAYS_H

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/vtu/vtu_impl.h"

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

/* Copies of arrays, of some of their rows. */
typedef struct {
  int count;
  DlsVtuArray *array;   /* [count] */
  unsigned char *bytes; /* their values */
} DlsPickedArrays;

static inline size_t dls_array_row(const DlsVtuArray *a) {
  return (size_t)(a->components ? a->components : 1) * (size_t)dls_vtu_type_bytes[a->type];
}

/* The rows row[0 .. rows - 1] of each; *out is zeroed, ended with dls_arrays_clear(), also on
 * failure. */
static inline DlsStatus dls_arrays_pick(const DlsVtuArray *from, int count, int rows,
                                        const int *row, DlsPickedArrays *out) {
  size_t bytes = 0;
  for (int k = 0; k < count; k++) bytes += dls_array_row(&from[k]);
  DLS_NEW(out->array, count);
  DLS_NEW(out->bytes, bytes * (size_t)rows);
  unsigned char *to = out->bytes;
  for (int k = 0; k < count; k++) {
    const size_t width = dls_array_row(&from[k]);
    out->array[k] = from[k];
    out->array[k].values = to;
    for (int i = 0; i < rows; i++, to += width)
      memcpy(to, (const unsigned char *)from[k].values + (size_t)row[i] * width, width);
  }
  out->count = count;
  return DLS_OK;
}

static inline void dls_arrays_clear(DlsPickedArrays *arrays) {
  free(arrays->array);
  free(arrays->bytes);
}

#endif
