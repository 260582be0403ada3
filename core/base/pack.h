/* Numbers as bytes, 8 of them each, for what a checkpoint keeps under a name. One function of the
 * owner names its fields in their order, one after the other, and serves to count, to save and to
 * restore them: no struct goes as it lies in memory, with its padding and its order. Whoever
 * restores checks the numbers afterwards. */
#ifndef DELASSUS_BASE_PACK_H
#define DELASSUS_BASE_PACK_H

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef enum { DLS_PACK_COUNT, DLS_PACK_SAVE, DLS_PACK_RESTORE } DlsPackWay;

typedef struct {
  DlsPackWay way;
  unsigned char *to;         /* SAVE: room for all of it */
  const unsigned char *from; /* RESTORE */
  size_t left;               /* RESTORE: bytes not taken yet */
  size_t used;               /* so far */
  bool ended; /* RESTORE: more was asked for than there is; the fields stay as they were */
} DlsPack;

static inline void dls_pack_bytes(DlsPack *pack, void *bytes, size_t size) {
  if (pack->way == DLS_PACK_SAVE && size) memcpy(pack->to + pack->used, bytes, size);
  if (pack->way == DLS_PACK_RESTORE) {
    pack->ended = pack->ended || size > pack->left;
    if (pack->ended) return;
    if (size) memcpy(bytes, pack->from + pack->used, size);
    pack->left -= size;
  }
  pack->used += size;
}

static inline void dls_pack_reals(DlsPack *pack, double *values, size_t count) {
  dls_pack_bytes(pack, values, count * sizeof *values);
}

static inline void dls_pack_longs(DlsPack *pack, int64_t *values, size_t count) {
  dls_pack_bytes(pack, values, count * sizeof *values);
}

/* One int, as a number of 64 bits; `fits` is false where that is none of least .. most. */
static inline void dls_pack_int(DlsPack *pack, int *value, int least, int most, bool *fits) {
  int64_t wide = *value;
  dls_pack_longs(pack, &wide, 1);
  if (pack->way != DLS_PACK_RESTORE || pack->ended) return;
  if (wide < least || wide > most)
    *fits = false;
  else
    *value = (int)wide;
}

/* Whether all bytes that were given have been taken, and no more were asked for. */
static inline bool dls_pack_whole(const DlsPack *pack) { return !pack->ended && pack->left == 0; }

#endif
