/* HDF5 files read without trusting them, and written.
 *
 * Every function fails with "FILE: /group/dataset: reason". Sizes are compared with what the file
 * really holds before any memory is asked for. Only what the file itself stores is read: links to
 * other places, external and virtual storage and filters by plugin are refused. */
#ifndef DELASSUS_BASE_H5_H5_H
#define DELASSUS_BASE_H5_H5_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <hdf5.h>

#include <delassus/status.h>

#include "base/file.h"

typedef struct {
  const char *path; /* lent by the caller */
  hid_t id;
  int descriptor;     /* the file again, for dls_h5_check_header() */
  bool plain;         /* of the format whose headers are checked */
  long long bytes;    /* the length of the file */
  H5E_auto2_t report; /* HDF5's own printing of errors, off until the file is closed */
  void *report_data;
} DlsH5File;

DlsStatus dls_h5_open(const char *path, DlsH5File *file);
void dls_h5_close(DlsH5File *file); /* of an open file, or of {0}; closes all that is open in it */

/* Looks at the start of a file that HDF5 has not seen yet, and at the header of an object that it
 * has not opened yet, which stands at `address`. */
DlsStatus dls_h5_check_start(DlsH5File *file);
DlsStatus dls_h5_check_header(const DlsH5File *file, const char *name, uint64_t address);

/* `count` bytes of the file from `at` on, past HDF5; false where the file has none. A number of
 * `count` little-endian bytes. */
bool dls_h5_load(const DlsH5File *file, uint64_t at, int count, unsigned char *bytes);
uint64_t dls_h5_number(const unsigned char *bytes, int count);

/* The string of variable length whose dataset stands at `element`, allocated; the reason where it
 * cannot be read, or NULL. */
const char *dls_h5_read_heap_text(const DlsH5File *file, uint64_t element, char **out);

/* Turn HDF5's printing of errors off and on again around other calls. */
void dls_h5_quiet(DlsH5File *file);
void dls_h5_loud(DlsH5File *file);

/* HDF5's own innermost reason for its last failure; never empty. Valid until the next call. */
const char *dls_h5_reason(void);

/* Whether `group`/`name` is there (`group` itself when name is NULL); fails on a link that leads
 * elsewhere. */
DlsStatus dls_h5_find(const DlsH5File *file, const char *group, const char *name, bool *found);

/* The number of links in a group that is there. */
DlsStatus dls_h5_links(const DlsH5File *file, const char *group, long long *links);

/* Whether a vector is there with data: libfclib leaves a vector that it was not given unwritten. */
DlsStatus dls_h5_written(const DlsH5File *file, const char *group, const char *name, bool *written);

/* The length of a vector that is there; of one whose data are there too, so that room may be made
 * for as many: an extent with nothing behind it is no promise. */
DlsStatus dls_h5_length(const DlsH5File *file, const char *group, const char *name, int *length);
DlsStatus dls_h5_stored(const DlsH5File *file, const char *group, const char *name, int *length);

DlsStatus dls_h5_read_int(const DlsH5File *file, const char *group, const char *name, int *out);

/* A vector of at least `least` and at most `most` numbers, allocated; `why` names that length in
 * the sentence. Reals are finite. */
DlsStatus dls_h5_read_ints(const DlsH5File *file, const char *group, const char *name, int least,
                           int most, const char *why, int **out);
DlsStatus dls_h5_read_reals(const DlsH5File *file, const char *group, const char *name, int least,
                            int most, const char *why, double **out);

/* A string of fixed or variable length, allocated. */
DlsStatus dls_h5_read_text(const DlsH5File *file, const char *group, const char *name, char **out);

/* Numbers whose bits are kept as they are. */
typedef enum { DLS_H5_REAL, DLS_H5_INT, DLS_H5_LONG, DLS_H5_FLAGS, DLS_H5_BYTE } DlsH5Kind;

/* Bytes of one number: double, int32_t, uint64_t, uint32_t, uint8_t. */
size_t dls_h5_bytes(DlsH5Kind kind);
hid_t dls_h5_type(DlsH5Kind kind); /* in the file; not to be closed */

/* A vector of exactly `count` numbers of the very type that dls_h5_write() gives the kind, into out
 * [count], bit for bit: any value, infinite ones too. */
DlsStatus dls_h5_read(const DlsH5File *file, const char *group, const char *name, DlsH5Kind kind,
                      long long count, const char *why, void *out);

/* Makes an HDF5 file in memory: fill(context, file) writes its groups and datasets, and its bytes
 * are put into `out`, which the caller commits or abandons. Nothing of it touches the disk through
 * HDF5, so that a full disk is a failure like that of any other file. `path` is for the
 * sentences. */
DlsStatus dls_h5_write_file(const char *path, DlsStatus (*fill)(void *context, hid_t file),
                            void *context, DlsFile *out);

/* Writing: one vector or number or text as a dataset of `place`; `path` is for the sentence. */
DlsStatus dls_h5_write_ints(const char *path, hid_t place, const char *name, int count,
                            const int *values);
DlsStatus dls_h5_write_reals(const char *path, hid_t place, const char *name, int count,
                             const double *values);
DlsStatus dls_h5_write_text(const char *path, hid_t place, const char *name, const char *text);

/* Any vector, bit for bit, little-endian. */
DlsStatus dls_h5_write(const char *path, hid_t place, const char *name, DlsH5Kind kind,
                       long long count, const void *values);

/* The failure of a call of HDF5 that wrote: "PATH: WHAT: cannot be written: reason". */
DlsStatus dls_h5_cannot_write(const char *path, const char *what);

#endif
