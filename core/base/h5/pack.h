/* A smaller HDF5 file: some groups of another one, with the same values, compressed. */
#ifndef DELASSUS_BASE_H5_PACK_H
#define DELASSUS_BASE_H5_PACK_H

#include <delassus/status.h>

/* Copies the groups [count] of `from` that are there, with all that is in them; vectors of 64
 * numbers or more go into chunks that are shuffled and deflated, filters that every HDF5 reads. The
 * same values give the same bytes. The file appears whole or not at all. */
DlsStatus dls_h5_pack(const char *from, const char *const *groups, int count, const char *to);

#endif
