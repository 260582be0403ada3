#include "tests/io/checkpoint_seal.h"

#include <hdf5.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static uint64_t mix(uint64_t hash, uint64_t word) {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
  return hash ^ hash >> 29;
}

static uint64_t mix_bytes(uint64_t hash, const char *bytes, size_t size) {
  for (size_t k = 0; k + 8 <= size; k += 8) {
    uint64_t word;
    memcpy(&word, bytes + k, 8);
    hash = mix(hash, word);
  }
  uint64_t last = 0;
  memcpy(&last, bytes + size / 8 * 8, size % 8);
  return mix(hash, last);
}

/* The hash of one dataset as docs/checkpoints.md defines it; 0 when it cannot be read. */
static uint64_t hash_dataset(hid_t file, const char *name) {
  const hid_t id = H5Dopen2(file, name, H5P_DEFAULT);
  if (id < 0) return 0;
  const hid_t type = H5Dget_type(id), space = H5Dget_space(id);
  const hssize_t count = H5Sget_simple_extent_npoints(space);
  const size_t size = count > 0 && count < 1000000 ? (size_t)count * H5Tget_size(type) : 0;
  char *bytes = calloc(size + 1, 1);
  if (size) H5Dread(id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, bytes);
  const size_t length = strlen(name);
  const uint64_t hash = mix_bytes(mix_bytes(mix(length, size), name, length), bytes, size);
  free(bytes);
  H5Sclose(space);
  H5Tclose(type);
  H5Dclose(id);
  return hash;
}

void checkpoint_seal(const char *path, char *const *names, int count) {
  H5E_auto2_t report;
  void *data;
  H5Eget_auto2(H5E_DEFAULT, &report, &data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  uint64_t digest = 0;
  for (int k = 0; k < count; k++)
    if (strcmp(names[k], "/digest") != 0 && strcmp(names[k], "/version") != 0)
      digest ^= hash_dataset(file, names[k]);
  const hid_t id = H5Dopen2(file, "/digest", H5P_DEFAULT);
  if (id >= 0) {
    const hid_t space = H5Dget_space(id);
    if (H5Sget_simple_extent_npoints(space) == 1) /* it may be what was spoilt */
      H5Dwrite(id, H5T_STD_U64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &digest);
    H5Sclose(space);
    H5Dclose(id);
  }
  H5Fclose(file);
  H5Eset_auto2(H5E_DEFAULT, report, data);
}
