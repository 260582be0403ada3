#include "record/vtu/vtu_read.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/checked.h"
#include "base/memory.h"
#include "record/vtu/vtu_impl.h"

struct DlsVtuFile {
  char *path;
  char *bytes; /* [size + 1], ends with a 0 */
  size_t size;
  const char *data, *head_end; /* first byte of the appended data; end of the XML before it */
  int64_t points;
  bool packed;
};

static DlsStatus spoilt(const DlsVtuFile *f, const char *what) {
  return dls_fail(DLS_ERR_FORMAT, "%s: %s; give a file that delassus run has written, as it was",
                  f->path, what);
}

static DlsStatus load(DlsVtuFile *f) {
  FILE *file;
  DLS_TRY(dls_file_open(f->path, &file));
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size < 0 || fseek(file, 0, SEEK_SET) != 0) {
    const int error = errno;
    fclose(file);
    return dls_file_fail(f->path, error);
  }
  f->size = (size_t)size;
  f->bytes = dls_memory_array(f->size + 1, 1);
  const size_t got = f->bytes ? fread(f->bytes, 1, f->size, file) : 0;
  fclose(file);
  DLS_CHECK(f->bytes, DLS_ERR_MEMORY, "%s: out of memory for %ld bytes", f->path, size);
  return got == f->size ? DLS_OK : dls_file_fail(f->path, EIO);
}

/* The value of an attribute of the tag that begins at `tag`; NULL where it has none. */
static const char *attribute(const char *tag, const char *name, size_t *length) {
  const char *end = strchr(tag, '>');
  const size_t size = strlen(name);
  for (const char *at = tag; end && (at = strchr(at, '"')) && at < end;) {
    const char *close = strchr(at + 1, '"');
    if (!close || close > end) return NULL;
    if ((size_t)(at - tag) > size + 1 && at[-1] == '=' && strncmp(at - 1 - size, name, size) == 0 &&
        at[-2 - (ptrdiff_t)size] == ' ') {
      *length = (size_t)(close - at - 1);
      return at + 1;
    }
    at = close + 1;
  }
  return NULL;
}

static bool attribute_is(const char *tag, const char *name, const char *value) {
  size_t length = 0;
  const char *text = attribute(tag, name, &length);
  return text && length == strlen(value) && strncmp(text, value, length) == 0;
}

/* A number of 0 .. most, `standard` where the tag has no such attribute; -1 where it is no such
 * number. */
static int64_t attribute_number(const char *tag, const char *name, int64_t most, int64_t standard) {
  size_t length = 0;
  int64_t value = -1;
  const char *text = attribute(tag, name, &length);
  if (!text) return standard;
  return dls_checked_text(text, length, 0, most, &value) ? value : -1;
}

static DlsStatus check_head(DlsVtuFile *f) {
  const char *grid = strstr(f->bytes, "<VTKFile"), *piece = strstr(f->bytes, "<Piece");
  const char *appended = strstr(f->bytes, "<AppendedData encoding=\"raw\">");
  const uint16_t one = 1;
  if (!grid || !piece || !appended || !attribute_is(grid, "type", "UnstructuredGrid") ||
      !attribute_is(grid, "header_type", "UInt64"))
    return spoilt(f, "is no VTU file with raw appended data");
  if (!attribute_is(grid, "byte_order", *(const char *)&one ? "LittleEndian" : "BigEndian"))
    return spoilt(f, "has the byte order of another machine");
  f->packed = attribute_is(grid, "compressor", "vtkZLibDataCompressor");
  f->points = attribute_number(piece, "NumberOfPoints", INT32_MAX, -1);
  f->head_end = appended;
  f->data = strchr(appended, '_');
  if (!f->data || f->points < 0) return spoilt(f, "has no data, or no number of points");
  f->data++;
  return DLS_OK;
}

void dls_vtu_close(DlsVtuFile **file) {
  if (!file || !*file) return;
  free((*file)->path);
  free((*file)->bytes);
  free(*file);
  *file = NULL;
}

int64_t dls_vtu_points(const DlsVtuFile *file) { return file->points; }

/* The tag of an array; NULL where there is none. */
static const char *find(const DlsVtuFile *f, DlsVtuPlace place, const char *name) {
  static const char *const open[] = {"<PointData", "<CellData", "<FieldData", "<Cells"};
  static const char *const close[] = {"</PointData", "</CellData", "</FieldData", "</Cells"};
  const bool position = strcmp(name, "Points") == 0;
  const char *from = strstr(f->bytes, position ? "<Points>" : open[place]);
  const char *to = from ? strstr(from, position ? "</Points" : close[place]) : NULL;
  if (!to || to > f->head_end) return NULL;
  for (const char *tag = from; (tag = strstr(tag, "<DataArray")) && tag < to; tag++)
    if (attribute_is(tag, "Name", name)) return tag;
  return NULL;
}

bool dls_vtu_has(const DlsVtuFile *file, DlsVtuPlace place, const char *name) {
  return find(file, place, name) != NULL;
}

/* Bytes of the file from `at` on, as far as they go. */
static size_t left(const DlsVtuFile *f, const char *at) {
  return (size_t)(f->bytes + f->size - at);
}

/* The data of an array in the file: where they are, and how many bytes they are there and when they
 * are unpacked. */
typedef struct {
  const char *at, *sizes;        /* of the first block; packed bytes of each, 8 bytes a number */
  uint64_t blocks, block, bytes; /* bytes of a block, and of all, unpacked */
} Extent;

/* Packed: [blocks] [bytes of a block] [bytes of the last, 0: a whole one] [packed bytes of each]
 * data. What a block claims is held against what its bytes can be unpacked to: zlib never does
 * better than 1032 : 1. */
static bool measure_packed(const DlsVtuFile *f, const char *at, Extent *out) {
  enum { BEST = 1032, SLACK = 64 };
  uint64_t head[3], sum = 0;
  size_t whole;
  if (left(f, at) < sizeof head) return false;
  memcpy(head, at, sizeof head);
  at += sizeof head;
  if (head[0] > left(f, at) / sizeof head[0] || head[2] > head[1]) return false;
  *out = (Extent){.sizes = at, .blocks = head[0], .block = head[1]};
  out->at = at + head[0] * sizeof head[0];
  for (uint64_t b = 0; b < head[0]; b++) {
    uint64_t size;
    memcpy(&size, out->sizes + b * sizeof size, sizeof size);
    if (size > left(f, out->at) - sum) return false;
    sum += size;
  }
  if (!dls_checked_product(head[0], head[1], (sum + SLACK) * BEST + head[1], &whole)) return false;
  out->bytes = whole - (head[0] && head[2] ? head[1] - head[2] : 0);
  return out->bytes <= (sum + SLACK) * BEST;
}

static bool measure(const DlsVtuFile *f, const char *tag, Extent *out) {
  const int64_t offset = attribute_number(tag, "offset", INT64_MAX, -1);
  if (offset < 0 || (uint64_t)offset >= left(f, f->data)) return false;
  const char *at = f->data + offset;
  if (f->packed) return measure_packed(f, at, out);
  *out = (Extent){.blocks = 1};
  if (left(f, at) < sizeof out->bytes) return false;
  memcpy(&out->bytes, at, sizeof out->bytes);
  out->at = at + sizeof out->bytes;
  return out->bytes <= left(f, out->at);
}

static bool unpack(const Extent *extent, char *out) {
  const char *at = extent->at;
  size_t done = 0;
  for (uint64_t b = 0; b < extent->blocks; b++) {
    uint64_t size;
    memcpy(&size, extent->sizes + b * sizeof size, sizeof size);
    uLongf room = (uLongf)(extent->bytes - done);
    if (uncompress((Bytef *)out + done, &room, (const Bytef *)at, (uLong)size) != Z_OK)
      return false;
    done += room;
    at += size;
  }
  return done == extent->bytes;
}

/* Whether the file holds `count` numbers of `width` bytes under the tag. Asked before room is made
 * for them. */
static DlsStatus check_extent(const DlsVtuFile *f, const char *tag, const char *name, int64_t count,
                              int width, Extent *out) {
  size_t bytes;
  const bool good = count >= 0 && measure(f, tag, out) &&
                    dls_checked_product((size_t)count, (size_t)width, SIZE_MAX, &bytes) &&
                    bytes == out->bytes;
  DLS_CHECK(good, DLS_ERR_FORMAT, "%s: array '%s' is cut off or spoilt; write the frame again",
            f->path, name);
  return DLS_OK;
}

/* `count` numbers of `width` bytes. */
static DlsStatus fetch(const DlsVtuFile *f, const char *tag, const char *name, int64_t count,
                       int width, void *out) {
  Extent extent = {0};
  DLS_TRY(check_extent(f, tag, name, count, width, &extent));
  if (!f->packed && extent.bytes) memcpy(out, extent.at, extent.bytes);
  DLS_CHECK(!f->packed || unpack(&extent, out), DLS_ERR_FORMAT,
            "%s: array '%s' is cut off or spoilt; write the frame again", f->path, name);
  return DLS_OK;
}

/* Every array of points is as long as that of their positions: that one must be in the file. */
static DlsStatus check_points(const DlsVtuFile *f) {
  Extent extent = {0};
  const char *tag = find(f, DLS_VTU_OF_POINTS, "Points");
  if (!tag) return spoilt(f, "has no positions");
  return check_extent(f, tag, "Points", 3 * f->points, attribute_is(tag, "type", "Float32") ? 4 : 8,
                      &extent);
}

DlsStatus dls_vtu_open(const char *path, DlsVtuFile **out) {
  DlsVtuFile *f;
  *out = NULL;
  DLS_NEW(f, 1);
  f->path = strdup(path);
  DlsStatus status = f->path ? load(f) : dls_fail(DLS_ERR_MEMORY, "out of memory for a path");
  if (status == DLS_OK) status = check_head(f);
  if (status == DLS_OK) status = check_points(f);
  if (status == DLS_OK)
    *out = f;
  else
    dls_vtu_close(&f);
  return status;
}

/* The tag, after a look at its components. */
static DlsStatus locate(const DlsVtuFile *f, DlsVtuPlace place, const char *name, int components,
                        const char **tag) {
  *tag = find(f, place, name);
  DLS_CHECK(*tag, DLS_ERR_FORMAT,
            "%s: has no array '%s'; run the deck again with this version of delassus", f->path,
            name);
  const int64_t found = attribute_number(*tag, "NumberOfComponents", INT32_MAX, 1);
  DLS_CHECK(found == components, DLS_ERR_FORMAT,
            "%s: array '%s' has %" PRId64 " components, not %d", f->path, name, found, components);
  return DLS_OK;
}

/* The same of an array of doubles or floats, which must be there in full; *width: bytes of each. */
static DlsStatus locate_reals(const DlsVtuFile *f, DlsVtuPlace place, const char *name,
                              int components, int64_t tuples, const char **tag, int *width) {
  Extent extent = {0};
  DLS_TRY(locate(f, place, name, components, tag));
  *width = attribute_is(*tag, "type", "Float32") ? 4 : 8;
  DLS_CHECK(*width == 4 || attribute_is(*tag, "type", "Float64"), DLS_ERR_FORMAT,
            "%s: array '%s' is not of reals", f->path, name);
  return check_extent(f, *tag, name, tuples * components, *width, &extent);
}

DlsStatus dls_vtu_expect(const DlsVtuFile *f, DlsVtuPlace place, const char *name, int components,
                         int64_t tuples) {
  const char *tag;
  int width;
  return locate_reals(f, place, name, components, tuples, &tag, &width);
}

static DlsStatus fetch_reals(const DlsVtuFile *f, DlsVtuPlace place, const char *name,
                             int components, int64_t tuples, bool unknown, double *out) {
  const char *tag;
  const int64_t count = tuples * components;
  int width;
  DLS_TRY(locate_reals(f, place, name, components, tuples, &tag, &width));
  DLS_TRY(fetch(f, tag, name, count, width, out));
  for (int64_t i = count; i-- > 0 && width == 4;) { /* from the end on, in place */
    float single;
    memcpy(&single, (const char *)out + 4 * i, sizeof single);
    out[i] = (double)single;
  }
  for (int64_t i = 0; i < count; i++)
    DLS_CHECK(isfinite(out[i]) || (unknown && isnan(out[i])), DLS_ERR_FORMAT,
              "%s: array '%s': number %" PRId64 " is not finite", f->path, name, i);
  return DLS_OK;
}

DlsStatus dls_vtu_reals(const DlsVtuFile *f, DlsVtuPlace place, const char *name, int components,
                        int64_t tuples, double *out) {
  return fetch_reals(f, place, name, components, tuples, false, out);
}

DlsStatus dls_vtu_reals_or_nan(const DlsVtuFile *f, DlsVtuPlace place, const char *name,
                               int components, int64_t tuples, double *out) {
  return fetch_reals(f, place, name, components, tuples, true, out);
}

DlsStatus dls_vtu_length(const DlsVtuFile *f, DlsVtuPlace place, const char *name, int64_t *out) {
  const char *tag = find(f, place, name);
  Extent extent = {0};
  *out = 0;
  if (!tag) return DLS_OK;
  DLS_CHECK(measure(f, tag, &extent) && extent.bytes % 8 == 0, DLS_ERR_FORMAT,
            "%s: array '%s' is cut off or spoilt; write the frame again", f->path, name);
  *out = (int64_t)(extent.bytes / 8);
  return DLS_OK;
}

DlsStatus dls_vtu_integers(const DlsVtuFile *f, DlsVtuPlace place, const char *name, int64_t tuples,
                           int64_t *out) {
  const char *tag;
  DLS_TRY(locate(f, place, name, 1, &tag));
  if (attribute_is(tag, "type", "Int64")) return fetch(f, tag, name, tuples, 8, out);
  DLS_CHECK(attribute_is(tag, "type", "Int32"), DLS_ERR_FORMAT, "%s: array '%s' is not of integers",
            f->path, name);
  Extent extent = {0};
  int32_t *narrow;
  DLS_TRY(check_extent(f, tag, name, tuples, 4, &extent));
  DLS_NEW(narrow, tuples);
  const DlsStatus status = fetch(f, tag, name, tuples, 4, narrow);
  for (int64_t i = 0; i < tuples && status == DLS_OK; i++) out[i] = narrow[i];
  free(narrow);
  return status;
}
