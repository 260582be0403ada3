/* Strings of variable length, read without HDF5: its library (1.10) loops for ever or reads wild
 * memory on a damaged heap.
 *
 * The dataset holds length (4 bytes), address of a heap (8), number of an object in it (4). A heap
 * ("global heap collection", HDF5 file format specification, sec. III.E) is "GCOL", version, its
 * size, then objects: number (2), references (2), 4 reserved, length (8), bytes padded to 8. */
#include "base/h5/h5.h"

#include <stdlib.h>
#include <string.h>

enum { ELEMENT_BYTES = 16, HEAP_BYTES = 16, OBJECT_BYTES = 16, TEXT_BYTES = 1 << 20 };

static const char damaged[] = "its text is lost: the heap of the file is damaged";

/* Walks over the objects of a heap to the one asked for. */
static const char *find_object(const DlsH5File *file, uint64_t heap, uint64_t wanted, uint64_t *at,
                               uint64_t *length) {
  unsigned char head[HEAP_BYTES];
  if (!dls_h5_load(file, heap, HEAP_BYTES, head) || memcmp(head, "GCOL\1", 5) != 0) return damaged;
  const uint64_t size = dls_h5_number(head + 8, 8), room = (uint64_t)file->bytes - heap;
  if (size < HEAP_BYTES || size > room) return damaged;
  const uint64_t end = heap + size;
  for (uint64_t here = heap + HEAP_BYTES; end - here >= OBJECT_BYTES;) {
    unsigned char object[OBJECT_BYTES];
    if (!dls_h5_load(file, here, OBJECT_BYTES, object)) return damaged;
    const uint64_t number = dls_h5_number(object, 2);
    here += OBJECT_BYTES;
    if (number == 0) break; /* free space, the last of all */
    *length = dls_h5_number(object + 8, 8);
    if (*length > end - here) return damaged;
    *at = here;
    if (number == wanted) return NULL;
    const uint64_t padded = (*length + 7) / 8 * 8;
    if (padded > end - here) return damaged;
    here += padded;
  }
  return damaged;
}

const char *dls_h5_read_heap_text(const DlsH5File *file, uint64_t element, char **out) {
  unsigned char bytes[ELEMENT_BYTES];
  uint64_t at = 0, room = 0;
  hsize_t user_block = 0;
  size_t addresses = 0, lengths = 0;
  const hid_t settings = H5Fget_create_plist(file->id);
  H5Pget_userblock(settings, &user_block);
  H5Pget_sizes(settings, &addresses, &lengths);
  H5Pclose(settings);
  if (addresses != 8 || lengths != 8) return "is a string of a kind that is not read";
  if (!dls_h5_load(file, element, ELEMENT_BYTES, bytes)) return damaged;
  const uint64_t length = dls_h5_number(bytes, 4);
  const uint64_t heap = dls_h5_number(bytes + 4, 8), wanted = dls_h5_number(bytes + 12, 4);
  if (length > TEXT_BYTES) return "is an absurdly long string";
  if (heap > (uint64_t)file->bytes) return damaged;
  if (length > 0) {
    const char *reason = find_object(file, heap + user_block, wanted, &at, &room);
    if (reason) return reason;
  }
  if (length > room) return damaged;
  *out = calloc((size_t)length + 1, 1);
  if (!*out) return "no memory";
  if (length > 0 && !dls_h5_load(file, at, (int)length, (unsigned char *)*out)) return damaged;
  return NULL;
}
