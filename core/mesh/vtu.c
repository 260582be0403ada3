/* VTU: unstructured grids of VTK as its own writers, ParaView, meshio and this program leave them:
 * numbers as text, as base64 or raw, beside their tag or appended, of zlib or not. Groups are the
 * numbers of the cell array "gmsh:physical", or else of "CellEntityIds", "group" or "material". */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/memory.h"
#include "mesh/mesh_impl.h"

enum { ATTRIBUTE = 128, ARRAYS = 256, RATIO = 1100 }; /* zlib makes at most 1032 times of a byte */

typedef enum { AS_TEXT, AS_BASE64, APPENDED } Format;
typedef enum { OF_POINTS, OF_CELLS, OF_CELL_DATA, OF_OTHERS } Place;

typedef struct {
  Place place;
  char name[ATTRIBUTE];
  Format format;
  bool real, known; /* of a type that is read */
  bool sign;
  size_t bytes; /* of one number */
  int64_t components, offset;
  const char *begin, *end; /* what stands between its tags */
} Array;

typedef struct {
  DlsScan *s;
  DlsMesh *mesh;
  size_t head; /* bytes of numbers before blocks */
  bool zlib, appended_base64;
  const char *appended; /* behind its underscore */
  int64_t points, cells;
  int arrays, pieces;
  Array array[ARRAYS];
} Reading;

/* ---- Tags ---- */

/* The value of an attribute of the tag that ends at `end`; false: it is not there, `out` is "". */
static bool attribute(const char *tag, const char *end, const char *name, char out[ATTRIBUTE]) {
  const size_t length = strlen(name);
  *out = '\0';
  for (const char *at = tag; (size_t)(end - at) > length + 2; at++) {
    const char before = at[0], quote = at[length + 2];
    if ((before != ' ' && before != '\n' && before != '\t' && before != '\r') ||
        memcmp(at + 1, name, length) != 0 || at[length + 1] != '=' ||
        (quote != '"' && quote != '\''))
      continue;
    const char *from = at + length + 3;
    const char *to = memchr(from, quote, (size_t)(end - from));
    if (!to) return false;
    const size_t kept = to - from < ATTRIBUTE - 1 ? (size_t)(to - from) : ATTRIBUTE - 1;
    memcpy(out, from, kept);
    out[kept] = '\0';
    return true;
  }
  return false;
}

static bool is_tag(const char *tag, const char *end, const char *name) {
  const size_t length = strlen(name);
  if ((size_t)(end - tag) < length || memcmp(tag, name, length) != 0) return false;
  return tag + length == end || strchr(" \t\r\n/", tag[length]) != NULL;
}

static DlsStatus whole(const Reading *r, const char *what, const char *text, int64_t *out) {
  DlsScan s = {.path = r->s->path, .begin = text, .at = text, .end = text + strlen(text)};
  s.line = r->s->line;
  return dls_scan_int(&s, what, 0, (int64_t)1 << 53, out);
}

static DlsStatus open_file(Reading *r, const char *tag, const char *end) {
  char text[ATTRIBUTE];
  attribute(tag, end, "type", text);
  DLS_CHECK(strcmp(text, "UnstructuredGrid") == 0, DLS_ERR_UNSUPPORTED,
            "%s: is a VTK file of type '%s', no UnstructuredGrid", r->s->path, text);
  attribute(tag, end, "byte_order", text);
  DLS_CHECK(strcmp(text, "BigEndian") != 0, DLS_ERR_UNSUPPORTED,
            "%s: is of a machine with another order of bytes; save it as text", r->s->path);
  attribute(tag, end, "header_type", text);
  r->head = strcmp(text, "UInt64") == 0 ? 8 : 4;
  r->zlib = attribute(tag, end, "compressor", text);
  DLS_CHECK(!r->zlib || strcmp(text, "vtkZLibDataCompressor") == 0, DLS_ERR_UNSUPPORTED,
            "%s: is compressed by %s; zlib alone is read", r->s->path, text);
  return DLS_OK;
}

static void type_of(const char *text, Array *a) {
  static const struct {
    const char *name;
    bool real, sign;
    size_t bytes;
  } types[] = {{"Float32", true, true, 4}, {"Float64", true, true, 8},  {"Int8", false, true, 1},
               {"UInt8", false, false, 1}, {"Int16", false, true, 2},   {"UInt16", false, false, 2},
               {"Int32", false, true, 4},  {"UInt32", false, false, 4}, {"Int64", false, true, 8},
               {"UInt64", false, false, 8}};
  for (size_t k = 0; k < sizeof types / sizeof *types; k++)
    if (strcmp(text, types[k].name) == 0) {
      a->known = true;
      a->real = types[k].real, a->sign = types[k].sign, a->bytes = types[k].bytes;
    }
}

static DlsStatus open_array(Reading *r, Place place, const char *tag, const char *end) {
  char text[ATTRIBUTE];
  DLS_CHECK(r->arrays < ARRAYS, DLS_ERR_UNSUPPORTED, "%s: has more than %d arrays", r->s->path,
            (int)ARRAYS);
  Array *a = &r->array[r->arrays++];
  *a = (Array){.place = place, .components = 1, .begin = end + 1};
  attribute(tag, end, "Name", a->name);
  attribute(tag, end, "type", text);
  type_of(text, a);
  if (attribute(tag, end, "NumberOfComponents", text))
    DLS_TRY(whole(r, "NumberOfComponents", text, &a->components));
  attribute(tag, end, "format", text);
  a->format = strcmp(text, "binary") == 0     ? AS_BASE64
              : strcmp(text, "appended") == 0 ? APPENDED
                                              : AS_TEXT;
  if (a->format == APPENDED) {
    attribute(tag, end, "offset", text);
    DLS_TRY(whole(r, "the offset of an array", text, &a->offset));
  }
  const char *close = memchr(end, '<', (size_t)(r->s->end - end));
  a->end = end[-1] == '/' || !close ? a->begin : close;
  return DLS_OK;
}

static DlsStatus open_piece(Reading *r, const char *tag, const char *end) {
  char text[ATTRIBUTE];
  DLS_CHECK(r->pieces++ == 0, DLS_ERR_UNSUPPORTED,
            "%s: is of several pieces; save it as one (ParaView: Merge Blocks)", r->s->path);
  attribute(tag, end, "NumberOfPoints", text);
  DLS_TRY(whole(r, "NumberOfPoints", text, &r->points));
  attribute(tag, end, "NumberOfCells", text);
  DLS_TRY(whole(r, "NumberOfCells", text, &r->cells));
  DLS_CHECK(r->points < DLS_MESH_NODES && r->cells < DLS_MESH_CELLS, DLS_ERR_UNSUPPORTED,
            "%s: a mesh of %lld points and %lld cells", r->s->path, (long long)r->points,
            (long long)r->cells);
  return DLS_OK;
}

/* Up to the appended data, which are no XML. */
static DlsStatus read_tags(Reading *r) {
  DlsScan *s = r->s;
  Place place = OF_OTHERS;
  bool file = false;
  char text[ATTRIBUTE];
  for (;;) {
    const char *open = memchr(s->at, '<', dls_scan_left(s));
    if (!open) return DLS_OK;
    for (; s->at < open; s->at++) s->line += *s->at == '\n';
    const char *tag = open + 1, *end = memchr(tag, '>', (size_t)(s->end - tag));
    DLS_CHECK(end, DLS_ERR_FORMAT, "%s: this tag has no end: the file was cut off",
              dls_scan_place(s));
    if (is_tag(tag, end, "VTKFile")) {
      DLS_TRY(open_file(r, tag, end));
      file = true;
    }
    DLS_CHECK(file || *tag == '?' || *tag == '!', DLS_ERR_FORMAT,
              "%s: is no VTK file: it begins "
              "with no <VTKFile>",
              s->path);
    if (is_tag(tag, end, "Piece")) DLS_TRY(open_piece(r, tag, end));
    if (is_tag(tag, end, "Points")) place = OF_POINTS;
    if (is_tag(tag, end, "Cells")) place = OF_CELLS;
    if (is_tag(tag, end, "CellData")) place = OF_CELL_DATA;
    if (is_tag(tag, end, "PointData") || is_tag(tag, end, "FieldData") || *tag == '/')
      if (!is_tag(tag, end, "/DataArray")) place = OF_OTHERS;
    if (is_tag(tag, end, "DataArray")) DLS_TRY(open_array(r, place, tag, end));
    s->at = end + 1;
    if (!is_tag(tag, end, "AppendedData")) continue;
    attribute(tag, end, "encoding", text);
    r->appended_base64 = strcmp(text, "base64") == 0;
    const char *mark = memchr(s->at, '_', dls_scan_left(s));
    DLS_CHECK(mark, DLS_ERR_FORMAT, "%s: the appended data begin with no _", dls_scan_place(s));
    r->appended = mark + 1;
    return DLS_OK;
  }
}

/* ---- Bytes of an array ---- */

typedef struct {
  const char *at, *end;
  bool base64;
  unsigned char held[3]; /* of a group of four letters that was read in part */
  int count, used;
} Stream;

static int sextet(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : c == '=' ? 64 : -1;
}

/* The next four letters as up to three bytes; one that ends with = ends a part. */
static bool next_group(Stream *s) {
  int digit[4];
  for (int k = 0; k < 4; k++) {
    while (s->at < s->end && strchr(" \t\r\n", *s->at) && *s->at) s->at++;
    if (s->at == s->end || (digit[k] = sextet(*s->at)) < 0) return false;
    s->at++;
  }
  if (digit[0] > 63 || digit[1] > 63 || (digit[2] > 63 && digit[3] < 64)) return false;
  const unsigned all = (unsigned)digit[0] << 18 | (unsigned)digit[1] << 12 |
                       ((unsigned)digit[2] & 63) << 6 | ((unsigned)digit[3] & 63);
  for (int k = 0; k < 3; k++) s->held[k] = (unsigned char)(all >> (16 - 8 * k));
  s->count = digit[2] > 63 ? 1 : digit[3] > 63 ? 2 : 3;
  s->used = 0;
  return true;
}

static bool take(Stream *s, void *to, size_t bytes) {
  if (!s->base64) {
    if ((size_t)(s->end - s->at) < bytes) return false;
    memcpy(to, s->at, bytes);
    s->at += bytes;
    return true;
  }
  for (size_t k = 0; k < bytes; k++) {
    if (s->used == s->count && !next_group(s)) return false;
    ((unsigned char *)to)[k] = s->held[s->used++];
  }
  return true;
}

static bool take_head(const Reading *r, Stream *s, uint64_t *out) {
  uint32_t narrow;
  if (r->head == 8) return take(s, out, 8);
  if (!take(s, &narrow, 4)) return false;
  *out = narrow;
  return true;
}

static DlsStatus cut_off(const Reading *r, const Array *a) {
  return dls_fail(DLS_ERR_FORMAT, "%s: the data of array '%s' are cut off or damaged", r->s->path,
                  a->name);
}

/* Blocks of zlib: their number, their size, that of the last (0: as the others), the sizes as they
 * stand; then they themselves. */
static DlsStatus inflate_blocks(const Reading *r, const Array *a, Stream *s, size_t wanted,
                                unsigned char *to) {
  uint64_t blocks, size, last;
  const size_t left = (size_t)(s->end - s->at);
  if (!take_head(r, s, &blocks) || !take_head(r, s, &size) || !take_head(r, s, &last))
    return cut_off(r, a);
  if (blocks > left / r->head + 1 || size > wanted + (1 << 26)) return cut_off(r, a);
  uint64_t *length;
  DLS_NEW(length, blocks);
  bool fine = true;
  for (uint64_t k = 0; k < blocks; k++) fine = fine && take_head(r, s, &length[k]);
  if (s->base64) s->used = s->count; /* the blocks are a part of their own */
  size_t done = 0;
  for (uint64_t k = 0; k < blocks && fine; k++) {
    uLongf made = (uLongf)(k + 1 == blocks && last ? last : size);
    fine = made <= wanted - done && length[k] <= left;
    unsigned char *packed = fine ? dls_memory_array((size_t)length[k] + 1, 1) : NULL;
    fine = packed && take(s, packed, (size_t)length[k]);
    const uLongf announced = made;
    fine = fine && uncompress(to + done, &made, packed, (uLong)length[k]) == Z_OK;
    fine = fine && made == announced;
    done += made;
    free(packed);
  }
  free(length);
  return fine && done == wanted ? DLS_OK : cut_off(r, a);
}

static DlsStatus bytes_of(const Reading *r, const Array *a, size_t wanted, unsigned char *to) {
  Stream s = {.at = a->begin, .end = a->end, .base64 = true};
  if (a->format == APPENDED) {
    DLS_CHECK(r->appended && a->offset <= r->s->end - r->appended, DLS_ERR_FORMAT,
              "%s: array '%s' begins behind the end of the file", r->s->path, a->name);
    s = (Stream){.at = r->appended + a->offset, .end = r->s->end, .base64 = r->appended_base64};
  }
  if (r->zlib) return wanted ? inflate_blocks(r, a, &s, wanted, to) : DLS_OK;
  uint64_t bytes;
  if (!take_head(r, &s, &bytes)) return cut_off(r, a);
  DLS_CHECK(bytes == wanted, DLS_ERR_FORMAT, "%s: array '%s' has %llu bytes, not %zu", r->s->path,
            a->name, (unsigned long long)bytes, wanted);
  return take(&s, to, wanted) ? DLS_OK : cut_off(r, a);
}

static int64_t integer_at(const Array *a, const unsigned char *at) {
  uint64_t value = 0;
  memcpy(&value, at, a->bytes);
  if (a->sign && a->bytes < 8 && value >> (8 * a->bytes - 1)) value |= ~(uint64_t)0 << 8 * a->bytes;
  return (int64_t)value;
}

static double real_at(const Array *a, const unsigned char *at) {
  double wide;
  float narrow;
  if (a->bytes == 8) {
    memcpy(&wide, at, sizeof wide);
    return wide;
  }
  memcpy(&narrow, at, sizeof narrow);
  return (double)narrow;
}

/* So many numbers, as doubles or as integers; the other one is NULL. The caller frees. */
static DlsStatus numbers_of(const Reading *r, const Array *a, int64_t count, double **real,
                            int64_t **whole_number) {
  const int64_t room = a->format == APPENDED ? r->s->end - r->s->begin : a->end - a->begin;
  DLS_CHECK(a->known && a->real == (real != NULL), DLS_ERR_FORMAT, "%s: array '%s' is not of %s",
            r->s->path, a->name, real ? "reals" : "whole numbers");
  DLS_CHECK(count <= (r->zlib ? RATIO : 1) * room + 64, DLS_ERR_FORMAT,
            "%s: array '%s' has not the %lld numbers it should have", r->s->path, a->name,
            (long long)count);
  if (real) DLS_NEW(*real, count);
  if (whole_number) DLS_NEW(*whole_number, count);
  if (a->format == AS_TEXT) {
    DlsScan s = *r->s;
    s.at = a->begin, s.end = a->end, s.line = 1;
    for (const char *at = s.begin; at < s.at; at++) s.line += *at == '\n';
    for (int64_t k = 0; k < count; k++)
      DLS_TRY(real ? dls_scan_real(&s, "a number of an array", &(*real)[k])
                   : dls_scan_int(&s, "a number of an array", INT64_MIN, INT64_MAX,
                                  &(*whole_number)[k]));
    return DLS_OK;
  }
  unsigned char *bytes;
  DLS_NEW(bytes, (size_t)count * a->bytes + 1);
  const DlsStatus status = bytes_of(r, a, (size_t)count * a->bytes, bytes);
  for (int64_t k = 0; k < count && status == DLS_OK; k++) {
    const unsigned char *at = bytes + (size_t)k * a->bytes;
    if (real)
      (*real)[k] = real_at(a, at);
    else
      (*whole_number)[k] = integer_at(a, at);
  }
  free(bytes);
  return status;
}

/* ---- The mesh ---- */

static const Array *find(const Reading *r, Place place, const char *name) {
  for (int k = 0; k < r->arrays; k++)
    if (r->array[k].place == place && (!name || strcmp(r->array[k].name, name) == 0))
      return &r->array[k];
  return NULL;
}

static DlsStatus require(const Reading *r, Place place, const char *name, const Array **out) {
  *out = find(r, place, name);
  DLS_CHECK(*out, DLS_ERR_FORMAT, "%s: has no array of %s", r->s->path, name ? name : "points");
  return DLS_OK;
}

static DlsStatus read_points(Reading *r) {
  const Array *a;
  double *x = NULL;
  DLS_TRY(require(r, OF_POINTS, NULL, &a));
  DLS_CHECK(a->components == 3, DLS_ERR_FORMAT, "%s: points of %lld numbers, not 3", r->s->path,
            (long long)a->components);
  DlsStatus status = numbers_of(r, a, 3 * r->points, &x, NULL);
  for (int64_t n = 0; n < r->points && status == DLS_OK; n++) {
    const double *at = x + 3 * n;
    if (!(at[0] - at[0] == 0 && at[1] - at[1] == 0 && at[2] - at[2] == 0))
      status = dls_fail(DLS_ERR_FORMAT, "%s: point %lld is not finite", r->s->path, (long long)n);
    if (status == DLS_OK) status = dls_mesh_add_node(r->mesh, at);
  }
  free(x);
  return status;
}

static const struct {
  int vtk;
  DlsCellKind kind;
} kinds[] = {{1, DLS_CELL_POINT},          {3, DLS_CELL_SEGMENT},     {21, DLS_CELL_SEGMENT3},
             {5, DLS_CELL_TRIANGLE},       {9, DLS_CELL_QUAD},        {8, DLS_CELL_QUAD},
             {22, DLS_CELL_TRIANGLE6},     {23, DLS_CELL_QUAD8},      {7, DLS_CELL_POLYGON},
             {10, DLS_CELL_TETRAHEDRON},   {12, DLS_CELL_HEXAHEDRON}, {11, DLS_CELL_HEXAHEDRON},
             {24, DLS_CELL_TETRAHEDRON10}, {13, DLS_CELL_WEDGE},      {14, DLS_CELL_PYRAMID}};

static DlsStatus add_cell(Reading *r, int64_t c, int64_t type, const int64_t *corner,
                          int64_t count) {
  int node[DLS_MESH_CORNERS], kind = -1;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (kinds[k].vtk == type) kind = (int)kinds[k].kind;
  DLS_CHECK(kind >= 0, DLS_ERR_UNSUPPORTED,
            "%s: cell %lld is of type %lld of VTK, which is not "
            "read",
            r->s->path, (long long)c, (long long)type);
  const int wanted = dls_cell_facts[kind].nodes;
  DLS_CHECK(wanted ? count == wanted : count >= 3 && count <= DLS_MESH_CORNERS, DLS_ERR_FORMAT,
            "%s: cell %lld, a %s, has %lld nodes", r->s->path, (long long)c,
            dls_cell_facts[kind].name, (long long)count);
  for (int64_t k = 0; k < count; k++) {
    DLS_CHECK(corner[k] >= 0 && corner[k] < r->points, DLS_ERR_FORMAT,
              "%s: cell %lld names point %lld of %lld", r->s->path, (long long)c,
              (long long)corner[k], (long long)r->points);
    node[k] = (int)corner[k];
  }
  /* To the order of Gmsh: the last two middles; of pixels and voxels the last two of each layer. */
  const int first = type == 24 ? 8 : type == 8 || type == 11 ? 2 : -1;
  for (int k = first; k > 0 && k + 1 < count; k += 4) {
    const int other = node[k];
    node[k] = node[k + 1], node[k + 1] = other;
  }
  return dls_mesh_add_cell(r->mesh, (DlsCellKind)kind, (int)count, node);
}

static DlsStatus add_cells(Reading *r, const int64_t *offset, const int64_t *type,
                           const int64_t *corner, int64_t corners) {
  for (int64_t c = 0, from = 0; c < r->cells; from = offset[c++]) {
    DLS_CHECK(offset[c] >= from && offset[c] <= corners, DLS_ERR_FORMAT,
              "%s: the offset of cell %lld is %lld, of %lld", r->s->path, (long long)c,
              (long long)offset[c], (long long)corners);
    DLS_TRY(add_cell(r, c, type[c], corner + from, offset[c] - from));
  }
  return DLS_OK;
}

static DlsStatus read_cells(Reading *r) {
  const Array *connectivity, *offsets, *types;
  int64_t *corner = NULL, *offset = NULL, *type = NULL, corners = 0;
  DLS_TRY(require(r, OF_CELLS, "connectivity", &connectivity));
  DLS_TRY(require(r, OF_CELLS, "offsets", &offsets));
  DLS_TRY(require(r, OF_CELLS, "types", &types));
  DlsStatus status = numbers_of(r, offsets, r->cells, NULL, &offset);
  if (status == DLS_OK) status = numbers_of(r, types, r->cells, NULL, &type);
  if (status == DLS_OK && r->cells) corners = offset[r->cells - 1];
  if (status == DLS_OK && (corners < 0 || corners >= INT32_MAX))
    status = dls_fail(DLS_ERR_FORMAT, "%s: cells have %lld nodes in all", r->s->path,
                      (long long)corners);
  if (status == DLS_OK) status = numbers_of(r, connectivity, corners, NULL, &corner);
  if (status == DLS_OK) status = add_cells(r, offset, type, corner, corners);
  free(corner);
  free(offset);
  free(type);
  return status;
}

static DlsStatus read_groups(Reading *r) {
  static const char *const names[] = {"gmsh:physical", "CellEntityIds", "group", "material"};
  const Array *a = NULL;
  int64_t *tag = NULL;
  for (size_t k = 0; k < sizeof names / sizeof *names && !a; k++) {
    a = find(r, OF_CELL_DATA, names[k]);
    if (a && (!a->known || a->real || a->components != 1)) a = NULL;
  }
  if (!a) return DLS_OK;
  DlsStatus status = numbers_of(r, a, r->cells, NULL, &tag);
  for (int c = 0; c < r->mesh->cells && status == DLS_OK; c++) {
    int group;
    if (tag[c] < INT32_MIN || tag[c] > INT32_MAX) continue;
    status = dls_mesh_tag_group(r->mesh, dls_cell_facts[r->mesh->kind[c]].dim, (int)tag[c], &group);
    if (status == DLS_OK) status = dls_mesh_put_in_group(r->mesh, group, c);
  }
  free(tag);
  return status;
}

static DlsStatus read_all(Reading *r) {
  DLS_TRY(read_tags(r));
  DLS_CHECK(r->pieces == 1, DLS_ERR_FORMAT, "%s: has no <Piece> of an UnstructuredGrid",
            r->s->path);
  DLS_TRY(read_points(r));
  DLS_TRY(read_cells(r));
  return read_groups(r);
}

DlsStatus dls_mesh_read_vtu(DlsScan *scan, DlsMesh *out) {
  Reading *r;
  DLS_NEW(r, 1);
  r->s = scan, r->mesh = out;
  const DlsStatus status = read_all(r);
  free(r);
  return status;
}
