#include "tests/fuzz/edits.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/fuzz/fuzz.h"
#include "tests/io/fclib_make.h"

/* [0..1] dataset, [2] what, [3] how many bytes of the value, [4..7] place, [8..15] value. */
enum { OVERWRITE = 192 }; /* below: so often, else the dataset is replaced by another one */

void edit_make(uint8_t out[EDIT_BYTES], int dataset, uint32_t at, double value, bool resize) {
  memset(out, 0, EDIT_BYTES);
  out[0] = (uint8_t)dataset;
  out[2] = resize ? OVERWRITE : 0;
  out[3] = 8;
  memcpy(out + 4, &at, 4);
  memcpy(out + 8, &value, 8);
}

void edited_take(const char *path, EditedFile *out) {
  memset(out, 0, sizeof *out);
  out->bytes = fuzz_load(path, &out->size);
  out->count = list_datasets(path, out->name, EDIT_DATASETS);
  const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  for (int k = 0; k < out->count; k++) {
    const hid_t id = H5Dopen2(file, out->name[k], H5P_DEFAULT);
    const haddr_t offset = H5Dget_offset(id);
    const hsize_t length = H5Dget_storage_size(id);
    if (offset != HADDR_UNDEF && offset + length <= out->size) {
      out->at[k] = (size_t)offset;
      out->length[k] = (size_t)length;
    }
    H5Dclose(id);
  }
  H5Fclose(file);
}

/* Another dataset under the name: shorter, longer, of another type, none at all. */
static void replace(const EditedFile *file, const uint8_t *edit, const char *path) {
  static const SpoilKind kinds[] = {SPOIL_RESIZE,    SPOIL_RESIZE, SPOIL_DELETE, SPOIL_TYPE,
                                    SPOIL_UNWRITTEN, SPOIL_BOMB,   SPOIL_CHUNK,  SPOIL_EMPTY};
  const int dataset = (edit[0] | edit[1] << 8) % file->count;
  uint32_t at;
  double value;
  memcpy(&at, edit + 4, sizeof at);
  memcpy(&value, edit + 8, sizeof value);
  const SpoilKind kind = kinds[(edit[2] - OVERWRITE) % (int)(sizeof kinds / sizeof *kinds)];
  const int most = kind == SPOIL_UNWRITTEN ? 2000000000 : 200;
  spoil_file(path, kind, file->name[dataset], (int)(at % (uint32_t)most), value);
}

void edited_write(const EditedFile *file, const uint8_t *edits, size_t size, const char *path) {
  enum { MOST = 12 };
  uint8_t *bytes = malloc(file->size);
  memcpy(bytes, file->bytes, file->size);
  const size_t count = size / EDIT_BYTES < MOST ? size / EDIT_BYTES : MOST;
  for (size_t k = 0; k < count; k++) {
    const uint8_t *edit = edits + k * EDIT_BYTES;
    const int dataset = (edit[0] | edit[1] << 8) % file->count;
    const size_t length = file->length[dataset], width = edit[3] % 9u;
    uint32_t place;
    memcpy(&place, edit + 4, sizeof place);
    if (edit[2] >= OVERWRITE || length == 0) continue;
    /* Numbers are 8 or 4 bytes long: mostly at such a place. */
    size_t at = place % length;
    if (edit[2] % 8) at -= at % (width == 4 ? 4 : 8);
    for (size_t b = 0; b < width && at + b < length; b++)
      bytes[file->at[dataset] + at + b] = edit[8 + b];
  }
  fuzz_save(path, bytes, file->size);
  free(bytes);
  for (size_t k = 0; k < count; k++)
    if (edits[k * EDIT_BYTES + 2] >= OVERWRITE) replace(file, edits + k * EDIT_BYTES, path);
}
