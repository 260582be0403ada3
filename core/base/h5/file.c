/* HDF5 files read without trusting them: what h5.h declares. */
#include "base/h5/h5.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checked.h"

enum { PATH_BYTES = 256, TEXT_BYTES = 1 << 20, CHUNK_BYTES = 1 << 28 };
static const double best_compression = 1100; /* deflate cannot do better than 1032 : 1 */

void dls_h5_quiet(DlsH5File *file) {
  H5Eget_auto2(H5E_DEFAULT, &file->report, &file->report_data);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
}

void dls_h5_loud(DlsH5File *file) { H5Eset_auto2(H5E_DEFAULT, file->report, file->report_data); }

static herr_t keep_first(unsigned n, const H5E_error2_t *error, void *text) {
  if (n == 0 && error->desc && error->desc[0]) snprintf(text, PATH_BYTES, "%s", error->desc);
  return 0;
}

const char *dls_h5_reason(void) {
  static _Thread_local char text[PATH_BYTES];
  snprintf(text, sizeof text, "unknown reason");
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_first, text);
  return text;
}

static DlsStatus open_library(DlsH5File *file) {
  dls_h5_quiet(file);
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fclose_degree(access, H5F_CLOSE_STRONG);
  H5Pset_file_locking(access, false, true); /* read-only media have no locks */
  file->id = H5Fopen(file->path, H5F_ACC_RDONLY, access);
  H5Pclose(access);
  if (file->id >= 0) return DLS_OK;
  dls_fail(DLS_ERR_FORMAT, "%s: is not a readable HDF5 file, or is cut short: %s", file->path,
           dls_h5_reason());
  dls_h5_loud(file);
  return DLS_ERR_FORMAT;
}

DlsStatus dls_h5_open(const char *path, DlsH5File *file) {
  *file = (DlsH5File){.path = path, .id = -1};
  struct stat info;
  file->descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  DLS_CHECK(file->descriptor >= 0, DLS_ERR_FILE, "%s: cannot be opened: %s", path, strerror(errno));
  DlsStatus status = DLS_OK;
  if (fstat(file->descriptor, &info) != 0 || !S_ISREG(info.st_mode))
    status = dls_fail(DLS_ERR_FILE,
                      "%s: is a pipe, a device or a folder, not a regular file; name a file", path);
  file->bytes = (long long)info.st_size;
  if (status == DLS_OK) status = dls_h5_check_start(file);
  if (status == DLS_OK) status = open_library(file);
  if (status != DLS_OK) close(file->descriptor);
  return status;
}

void dls_h5_close(DlsH5File *file) {
  if (!file->path || file->id < 0) return;
  H5Fclose(file->id);
  close(file->descriptor);
  dls_h5_loud(file);
  *file = (DlsH5File){0};
}

/* "/group/name" of both, or "/group". */
static const char *join(const char *group, const char *name, char *text) {
  snprintf(text, PATH_BYTES, "%s%s%s", group, name ? "/" : "", name ? name : "");
  return text;
}

/* Every link on the way must be a hard one: others can lead out of the file. */
DlsStatus dls_h5_find(const DlsH5File *file, const char *group, const char *name, bool *found) {
  char full[PATH_BYTES], part[PATH_BYTES];
  join(group, name, full);
  *found = false;
  for (const char *end = full + 1; *end; end++) {
    end += strcspn(end, "/");
    snprintf(part, sizeof part, "%.*s", (int)(end - full), full);
    H5L_info_t link;
    const htri_t there = H5Lexists(file->id, part, H5P_DEFAULT);
    DLS_CHECK(there >= 0, DLS_ERR_FORMAT, "%s: %s: cannot be looked up: %s", file->path, part,
              dls_h5_reason());
    if (!there) return DLS_OK;
    DLS_CHECK(H5Lget_info(file->id, part, &link, H5P_DEFAULT) >= 0, DLS_ERR_FORMAT,
              "%s: %s: cannot be looked up: %s", file->path, part, dls_h5_reason());
    DLS_CHECK(link.type == H5L_TYPE_HARD, DLS_ERR_FORMAT,
              "%s: %s: is a link to another place; store the data in the file itself", file->path,
              part);
    DLS_TRY(dls_h5_check_header(file, part, link.u.address));
    if (!*end) break;
  }
  *found = true;
  return DLS_OK;
}

DlsStatus dls_h5_links(const DlsH5File *file, const char *group, long long *links) {
  H5G_info_t info;
  const hid_t id = H5Gopen2(file->id, group, H5P_DEFAULT);
  const herr_t done = id >= 0 ? H5Gget_info(id, &info) : -1;
  if (id >= 0) H5Gclose(id);
  DLS_CHECK(done >= 0, DLS_ERR_FORMAT, "%s: %s: is not a readable group: %s", file->path, group,
            dls_h5_reason());
  *links = (long long)info.nlinks;
  return DLS_OK;
}

/* A dataset while it is open. */
typedef struct {
  hid_t id, type, space, settings;
  long long count; /* of elements */
  int rank;
  bool written; /* has bytes in the file; one made and never written has none */
} Dataset;

static void close_dataset(Dataset *data) {
  if (data->settings >= 0) H5Pclose(data->settings);
  if (data->space >= 0) H5Sclose(data->space);
  if (data->type >= 0) H5Tclose(data->type);
  if (data->id >= 0) H5Dclose(data->id);
}

static const char *refused_filter(hid_t settings, char *text) {
  const int filters = H5Pget_nfilters(settings);
  for (int k = 0; k < filters; k++) {
    unsigned flags, config;
    size_t parameters = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(settings, (unsigned)k, &flags, &parameters, NULL, 0, NULL, &config);
    if (filter == H5Z_FILTER_DEFLATE || filter == H5Z_FILTER_SHUFFLE ||
        filter == H5Z_FILTER_FLETCHER32)
      continue;
    snprintf(text, PATH_BYTES, "uses filter %d, which is not read; `h5repack -f NONE` removes it",
             (int)filter);
    return text;
  }
  return NULL;
}

/* Why the bytes of the dataset cannot be what its extent says; NULL when they can. An extent of
 * thousands of millions with nothing behind it costs a hostile file a few bytes. */
static const char *refused_storage(const DlsH5File *file, Dataset *data, char *text) {
  const double size = (double)data->count * (double)H5Tget_size(data->type);
  const double stored = (double)H5Dget_storage_size(data->id);
  const H5D_layout_t layout = H5Pget_layout(data->settings);
  if (H5Pget_external_count(data->settings) != 0 || layout == H5D_VIRTUAL)
    return "keeps its data in another file; store them in the file itself";
  data->written = stored > 0;
  if (data->count == 0 || !data->written) return NULL;
  if (stored > (double)file->bytes) return "claims more data than the file has bytes";
  if (layout == H5D_CHUNKED) {
    hsize_t chunk[H5S_MAX_RANK];
    const int rank = H5Pget_chunk(data->settings, H5S_MAX_RANK, chunk);
    double bytes = (double)H5Tget_size(data->type);
    for (int k = 0; k < rank; k++) bytes *= (double)chunk[k];
    if (bytes > CHUNK_BYTES) return "is stored in chunks that are absurdly large";
    if (size > best_compression * stored) return "claims more data than its bytes can hold";
    return refused_filter(data->settings, text);
  }
  if (stored < size) return "claims more data than its bytes can hold";
  if (layout == H5D_CONTIGUOUS) {
    const haddr_t offset = H5Dget_offset(data->id);
    if (offset == HADDR_UNDEF || (double)offset + stored > (double)file->bytes)
      return "lies beyond the end of the file: the file is cut short";
  }
  return NULL;
}

static const char *refused_extent(Dataset *data) {
  hsize_t extent[H5S_MAX_RANK] = {1};
  const H5S_class_t kind = H5Sget_simple_extent_type(data->space);
  data->rank = kind == H5S_SIMPLE ? H5Sget_simple_extent_ndims(data->space) : 0;
  if (kind == H5S_NO_CLASS || data->rank < 0) return "has no readable extent";
  if (data->rank > 1) return "has more than one dimension; a vector is expected";
  if (data->rank == 1) H5Sget_simple_extent_dims(data->space, extent, NULL);
  if (extent[0] >= INT_MAX) return "is larger than the format allows";
  data->count = kind == H5S_NULL ? 0 : (long long)extent[0];
  return NULL;
}

/* Opens a dataset that must be there, and checks all but its type. On success the caller closes it.
 */
static DlsStatus open_dataset(const DlsH5File *file, const char *full, Dataset *data) {
  char text[PATH_BYTES];
  bool found;
  *data = (Dataset){-1, -1, -1, -1, 0, 0, false};
  DLS_TRY(dls_h5_find(file, full, NULL, &found));
  DLS_CHECK(found, DLS_ERR_FORMAT, "%s: %s: is missing", file->path, full);
  H5O_info_t object;
  DLS_CHECK(H5Oget_info_by_name2(file->id, full, &object, H5O_INFO_BASIC, H5P_DEFAULT) >= 0,
            DLS_ERR_FORMAT, "%s: %s: cannot be read: %s", file->path, full, dls_h5_reason());
  DLS_CHECK(object.type == H5O_TYPE_DATASET, DLS_ERR_FORMAT, "%s: %s: is not a dataset", file->path,
            full);
  data->id = H5Dopen2(file->id, full, H5P_DEFAULT);
  if (data->id >= 0) {
    data->type = H5Dget_type(data->id);
    data->space = H5Dget_space(data->id);
    data->settings = H5Dget_create_plist(data->id);
  }
  const char *reason = NULL;
  if (data->id < 0 || data->type < 0 || data->space < 0 || data->settings < 0)
    reason = dls_h5_reason();
  if (!reason) reason = refused_extent(data);
  if (!reason) reason = refused_storage(file, data, text);
  if (!reason) return DLS_OK;
  close_dataset(data);
  return dls_fail(DLS_ERR_FORMAT, "%s: %s: %s", file->path, full, reason);
}

static bool is_one_of(hid_t type, const hid_t *known, int count) {
  for (int k = 0; k < count; k++)
    if (H5Tequal(type, known[k]) > 0) return true;
  return false;
}

static bool is_integer(hid_t type) {
  const hid_t known[] = {H5T_STD_I32LE, H5T_STD_I64LE, H5T_STD_I16LE, H5T_STD_I8LE,  H5T_STD_U32LE,
                         H5T_STD_U64LE, H5T_STD_U16LE, H5T_STD_U8LE,  H5T_STD_I32BE, H5T_STD_I64BE,
                         H5T_STD_I16BE, H5T_STD_U32BE, H5T_STD_U64BE, H5T_STD_U16BE};
  return is_one_of(type, known, DLS_COUNT(known));
}

static bool is_real(hid_t type) {
  const hid_t known[] = {H5T_IEEE_F64LE, H5T_IEEE_F32LE, H5T_IEEE_F64BE, H5T_IEEE_F32BE};
  return is_one_of(type, known, DLS_COUNT(known));
}

DlsStatus dls_h5_length(const DlsH5File *file, const char *group, const char *name, int *length) {
  char full[PATH_BYTES];
  Dataset data;
  DLS_TRY(open_dataset(file, join(group, name, full), &data));
  *length = (int)data.count;
  close_dataset(&data);
  return DLS_OK;
}

DlsStatus dls_h5_stored(const DlsH5File *file, const char *group, const char *name, int *length) {
  char full[PATH_BYTES];
  Dataset data;
  DLS_TRY(open_dataset(file, join(group, name, full), &data));
  *length = (int)data.count;
  const bool there = data.written || data.count == 0;
  close_dataset(&data);
  DLS_CHECK(there, DLS_ERR_FORMAT, "%s: %s: has a size, but no data were ever written to it",
            file->path, full);
  return DLS_OK;
}

DlsStatus dls_h5_written(const DlsH5File *file, const char *group, const char *name,
                         bool *written) {
  char full[PATH_BYTES];
  Dataset data;
  DLS_TRY(dls_h5_find(file, group, name, written));
  if (!*written) return DLS_OK;
  DLS_TRY(open_dataset(file, join(group, name, full), &data));
  *written = data.written;
  close_dataset(&data);
  return DLS_OK;
}

static DlsStatus check_length(const DlsH5File *file, const char *full, const Dataset *data,
                              long long least, long long most, const char *why) {
  DLS_CHECK(data->count >= least && data->count <= most, DLS_ERR_FORMAT,
            "%s: %s: holds %lld numbers where %lld are expected (%s)", file->path, full,
            data->count, data->count < least ? least : most, why);
  DLS_CHECK(data->written || data->count == 0, DLS_ERR_FORMAT,
            "%s: %s: has a size, but no data were ever written to it", file->path, full);
  return DLS_OK;
}

/* Reads all elements as numbers of the native type, 8 bytes each, after the checks of type and
 * length; *out is NULL on failure. */
static DlsStatus read_numbers(const DlsH5File *file, const char *full, bool real, int least,
                              int most, const char *why, long long *count, void **out) {
  Dataset data;
  *out = NULL;
  DLS_TRY(open_dataset(file, full, &data));
  DlsStatus status = DLS_OK;
  if (!(real ? is_real(data.type) : is_integer(data.type)))
    status = dls_fail(DLS_ERR_FORMAT, "%s: %s: does not hold %s", file->path, full,
                      real ? "real numbers (IEEE, 4 or 8 bytes)" : "integers");
  if (status == DLS_OK) status = check_length(file, full, &data, least, most, why);
  if (status == DLS_OK) {
    *out = calloc((size_t)data.count + 1, 8);
    if (!*out) status = dls_fail(DLS_ERR_MEMORY, "%s: %s: no memory", file->path, full);
  }
  const hid_t type = real ? H5T_NATIVE_DOUBLE : H5T_NATIVE_LLONG;
  if (status == DLS_OK && data.count > 0 &&
      H5Dread(data.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0) {
    free(*out);
    *out = NULL;
    status =
        dls_fail(DLS_ERR_FORMAT, "%s: %s: cannot be read: %s", file->path, full, dls_h5_reason());
  }
  *count = data.count;
  close_dataset(&data);
  return status;
}

DlsStatus dls_h5_read_ints(const DlsH5File *file, const char *group, const char *name, int least,
                           int most, const char *why, int **out) {
  char full[PATH_BYTES];
  long long count;
  void *wide;
  *out = NULL;
  DLS_TRY(read_numbers(file, join(group, name, full), false, least, most, why, &count, &wide));
  /* narrowed in place: entry k of 4 bytes never passes entry k of 8 */
  const long long *from = wide;
  int *to = wide;
  for (long long k = 0; k < count; k++) {
    long long value;
    memcpy(&value, from + k, sizeof value);
    int narrow;
    if (!dls_checked_int(value, INT_MIN, INT_MAX, &narrow)) {
      free(wide);
      return dls_fail(DLS_ERR_FORMAT, "%s: %s: entry %lld is %lld, too large for the format",
                      file->path, full, k, value);
    }
    memcpy(to + k, &narrow, sizeof narrow);
  }
  *out = wide;
  return DLS_OK;
}

DlsStatus dls_h5_read_int(const DlsH5File *file, const char *group, const char *name, int *out) {
  int *values;
  DLS_TRY(dls_h5_read_ints(file, group, name, 1, 1, "a single number", &values));
  *out = values[0];
  free(values);
  return DLS_OK;
}

DlsStatus dls_h5_read_reals(const DlsH5File *file, const char *group, const char *name, int least,
                            int most, const char *why, double **out) {
  char full[PATH_BYTES];
  long long count;
  void *values;
  *out = NULL;
  DLS_TRY(read_numbers(file, join(group, name, full), true, least, most, why, &count, &values));
  *out = values;
  for (long long k = 0; k < count; k++) {
    if (isfinite((*out)[k])) continue;
    const double value = (*out)[k];
    free(values);
    *out = NULL;
    return dls_fail(DLS_ERR_FORMAT, "%s: %s: entry %lld is %g; all must be finite", file->path,
                    full, k, value);
  }
  return DLS_OK;
}

size_t dls_h5_bytes(DlsH5Kind kind) {
  static const size_t bytes[] = {[DLS_H5_REAL] = 8,
                                 [DLS_H5_INT] = 4,
                                 [DLS_H5_LONG] = 8,
                                 [DLS_H5_FLAGS] = 4,
                                 [DLS_H5_BYTE] = 1};
  return bytes[kind];
}

hid_t dls_h5_type(DlsH5Kind kind) {
  switch (kind) {
  case DLS_H5_REAL:
    return H5T_IEEE_F64LE;
  case DLS_H5_INT:
    return H5T_STD_I32LE;
  case DLS_H5_LONG:
    return H5T_STD_U64LE;
  case DLS_H5_FLAGS:
    return H5T_STD_U32LE;
  default:
    return H5T_STD_U8LE;
  }
}

/* Type in the file and type in memory are the same: no conversion touches the bits. */
DlsStatus dls_h5_read(const DlsH5File *file, const char *group, const char *name, DlsH5Kind kind,
                      long long count, const char *why, void *out) {
  static const char *const texts[] = {[DLS_H5_REAL] = "real numbers of 8 bytes",
                                      [DLS_H5_INT] = "integers of 4 bytes",
                                      [DLS_H5_LONG] = "integers of 8 bytes without sign",
                                      [DLS_H5_FLAGS] = "integers of 4 bytes without sign",
                                      [DLS_H5_BYTE] = "bytes"};
  char full[PATH_BYTES];
  Dataset data;
  DLS_TRY(open_dataset(file, join(group, name, full), &data));
  const hid_t type = dls_h5_type(kind);
  DlsStatus status = DLS_OK;
  if (H5Tequal(data.type, type) <= 0)
    status = dls_fail(DLS_ERR_FORMAT, "%s: %s: does not hold %s", file->path, full, texts[kind]);
  if (status == DLS_OK) status = check_length(file, full, &data, count, count, why);
  if (status == DLS_OK && H5Pget_layout(data.settings) != H5D_CONTIGUOUS)
    status = dls_fail(DLS_ERR_FORMAT, "%s: %s: is not stored in one piece, as we write it",
                      file->path, full);
  if (status == DLS_OK && count > 0 &&
      H5Dread(data.id, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0)
    status =
        dls_fail(DLS_ERR_FORMAT, "%s: %s: cannot be read: %s", file->path, full, dls_h5_reason());
  close_dataset(&data);
  return status;
}

/* The characters of an open string dataset. */
static const char *read_characters(const DlsH5File *file, const Dataset *data, char **out) {
  if (H5Tget_class(data->type) != H5T_STRING || data->count != 1) return "is not a single string";
  if (!data->written) return "has a size, but no text was ever written to it";
  if (H5Tis_variable_str(data->type) > 0) {
    if (H5Pget_layout(data->settings) != H5D_CONTIGUOUS)
      return "is a string of a kind that is not read";
    return dls_h5_read_heap_text(file, H5Dget_offset(data->id), out);
  }
  const size_t size = H5Tget_size(data->type);
  if (size == 0 || size > TEXT_BYTES) return "is an absurdly long string";
  *out = calloc(size + 1, 1);
  if (!*out) return "no memory";
  const herr_t done = H5Dread(data->id, data->type, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out);
  return done >= 0 ? NULL : dls_h5_reason();
}

DlsStatus dls_h5_read_text(const DlsH5File *file, const char *group, const char *name, char **out) {
  char full[PATH_BYTES];
  Dataset data;
  *out = NULL;
  DLS_TRY(open_dataset(file, join(group, name, full), &data));
  const char *reason = read_characters(file, &data, out);
  close_dataset(&data);
  if (!reason) return DLS_OK;
  free(*out);
  *out = NULL;
  return dls_fail(DLS_ERR_FORMAT, "%s: %s: %s", file->path, full, reason);
}
