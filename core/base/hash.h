/* Fowler, Noll and Vo's hash (FNV-1a), for fingerprints of problems and files. */
#ifndef DELASSUS_BASE_HASH_H
#define DELASSUS_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

#define DLS_HASH_BEGIN 0xcbf29ce484222325u

static inline void dls_hash_mix(uint64_t *hash, const void *bytes, size_t count) {
  const unsigned char *at = bytes;
  for (size_t k = 0; k < count; k++) *hash = (*hash ^ at[k]) * 0x100000001b3u;
}

static inline void dls_hash_ints(uint64_t *hash, const int *values, size_t count) {
  dls_hash_mix(hash, values, count * sizeof *values);
}

/* -0 is 0. */
static inline void dls_hash_reals(uint64_t *hash, const double *values, size_t count) {
  for (size_t k = 0; k < count; k++) {
    const double value = values[k] + 0.0;
    dls_hash_mix(hash, &value, sizeof value);
  }
}

#endif
