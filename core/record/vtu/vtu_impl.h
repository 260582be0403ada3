/* What the files of the VTU writer share: every array of a grid as a stream, positions and cells
 * included, and the XML around them. */
#ifndef DELASSUS_RECORD_VTU_VTU_IMPL_H
#define DELASSUS_RECORD_VTU_VTU_IMPL_H

#include "base/file.h"
#include "record/vtu/vtu.h"

/* Values that are computed rather than read: 0, 1, 2 ... (connectivity), n, 2n, 3n ... (ends), the
 * same everywhere (types). */
typedef enum { VTU_GIVEN, VTU_COUNTING, VTU_CONSTANT } VtuMaking;

typedef struct {
  const char *name;
  DlsVtuType from, to; /* of the values, and in the file */
  int components;
  int64_t count;      /* numbers: tuples times components */
  const void *values; /* [count]; NULL when made */
  VtuMaking making;
  int64_t first, step; /* of COUNTING; CONSTANT is first */
  bool may_be_nan;     /* never the positions */
  bool unknown;        /* NaN says so, and is no mistake */
} VtuStream;

typedef struct {
  DlsFile *file;
  const DlsVtuOptions *options;
  const char *path;
  DlsVtuReport report;
  unsigned char *block; /* one block of values */
  /* With zlib: blocks that come next in the file, packed side by side. */
  const VtuStream *streams;
  int count; /* of the streams */
  struct VtuPacked *ahead;
  int room, filled, taken; /* of `ahead` */
  uint64_t packed_room;
} VtuWriting;

extern const char *const dls_vtu_type_name[DLS_VTU_TYPE_COUNT];
extern const int dls_vtu_type_bytes[DLS_VTU_TYPE_COUNT];
extern const char *const dls_vtu_role_name[DLS_VTU_ROLE_COUNT];

/* The type of the values of an array in the file. */
DlsVtuType dls_vtu_type_in_file(const DlsVtuArray *array, const DlsVtuOptions *options);

/* Refuses what no reader could understand, with the cell or the array at fault and the cure. */
DlsStatus dls_vtu_check(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options);
DlsStatus dls_vtu_check_arrays(const char *path, const DlsVtuGrid *grid,
                               const DlsVtuOptions *options);

/* The attributes `Scalars="..." ...` of a list of arrays, and those of one array. */
void dls_vtu_put_roles(DlsFile *file, const DlsVtuArray *arrays, int count);
void dls_vtu_put_attributes(DlsFile *file, const DlsVtuArray *array, DlsVtuType type);

/* Text as the value of an XML attribute: & < > " and control characters escaped. */
void dls_vtu_put_escaped(DlsFile *file, const char *text);

/* The blocks of the streams: made once, ended by vtu_data_clear. Streams are appended one after the
 * other, from number 0 on. */
DlsStatus dls_vtu_data_prepare(VtuWriting *writing, const VtuStream *streams, int count);
DlsStatus dls_vtu_data_put(VtuWriting *writing, int stream);
void dls_vtu_data_clear(VtuWriting *writing);

#endif
