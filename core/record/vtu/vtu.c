/* The XML of a VTU file, its streams in order, and the offsets that are known at last. */
#include "record/vtu/vtu_impl.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* TimeValue, Points, connectivity, offsets, types, faces, faceoffsets */
enum { OFFSET_ROOM = 32, OWN_STREAMS = 7 };

const char *const dls_vtu_type_name[] = {"Float64", "Float32", "Int32", "Int64", "UInt8"};
const int dls_vtu_type_bytes[] = {8, 4, 4, 8, 1};
const char *const dls_vtu_role_name[] = {"", "Scalars", "Vectors", "Normals", "Tensors"};

static const char *byte_order(void) {
  const uint16_t one = 1;
  unsigned char first;
  memcpy(&first, &one, 1);
  return first ? "LittleEndian" : "BigEndian";
}

DlsVtuType dls_vtu_type_in_file(const DlsVtuArray *array, const DlsVtuOptions *options) {
  return array->type == DLS_VTU_FLOAT64 && options->single_data ? DLS_VTU_FLOAT32 : array->type;
}

void dls_vtu_put_escaped(DlsFile *file, const char *text) {
  for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
    if (*c == '&')
      dls_file_print(file, "&amp;");
    else if (*c == '<')
      dls_file_print(file, "&lt;");
    else if (*c == '>')
      dls_file_print(file, "&gt;");
    else if (*c == '"')
      dls_file_print(file, "&quot;");
    else
      dls_file_put(file, *c < 0x20 || *c == 0x7f ? (const unsigned char *)"?" : c, 1);
  }
}

void dls_vtu_put_roles(DlsFile *file, const DlsVtuArray *arrays, int count) {
  for (int i = 0; i < count; i++) {
    if (arrays[i].role == DLS_VTU_PLAIN) continue;
    dls_file_print(file, " %s=\"", dls_vtu_role_name[arrays[i].role]);
    dls_vtu_put_escaped(file, arrays[i].name);
    dls_file_print(file, "\"");
  }
}

const char *const *dls_vtu_component_names(const DlsVtuArray *array) {
  static const char *const whole[] = {"XX", "XY", "XZ", "YX", "YY", "YZ", "ZX", "ZY", "ZZ"};
  static const char *const half[] = {"XX", "YY", "ZZ", "XY", "YZ", "XZ"};
  if (array->component_names) return array->component_names;
  if (array->tuples) return NULL; /* field data: numbers of any kind */
  return array->components == 9 ? whole : array->components == 6 ? half : NULL;
}

void dls_vtu_put_attributes(DlsFile *file, const DlsVtuArray *array, DlsVtuType type) {
  const int components = array->components ? array->components : 1;
  const char *const *name = dls_vtu_component_names(array);
  dls_file_print(file, " type=\"%s\" Name=\"", dls_vtu_type_name[type]);
  dls_vtu_put_escaped(file, array->name);
  dls_file_print(file, "\" NumberOfComponents=\"%d\"", components);
  for (int i = 0; name && i < components; i++) {
    dls_file_print(file, " ComponentName%d=\"", i);
    dls_vtu_put_escaped(file, name[i]);
    dls_file_print(file, "\"");
  }
}

/* Streams of a file in the order of its XML, each with the place where its offset is to stand. */
typedef struct {
  VtuWriting writing;
  const DlsVtuGrid *grid;
  VtuStream *streams;
  uint64_t *places;
  int count;
} Vtu;

/* One DataArray: its offset is not known yet, and gets room for one attribute with 20 digits. */
static void put_array(Vtu *vtu, const DlsVtuArray *array, DlsVtuType type, int64_t tuples,
                      bool is_field) {
  DlsFile *file = vtu->writing.file;
  const int components = array->components ? array->components : 1;
  dls_file_print(file, "<DataArray");
  dls_vtu_put_attributes(file, array, type);
  if (is_field) dls_file_print(file, " NumberOfTuples=\"%" PRId64 "\"", tuples);
  dls_file_print(file, " format=\"appended\"");
  vtu->places[vtu->count] = dls_file_position(file);
  dls_file_print(file, "%*s/>\n", OFFSET_ROOM, "");
  vtu->streams[vtu->count++] = (VtuStream){.name = array->name,
                                           .from = array->type,
                                           .to = type,
                                           .components = components,
                                           .count = tuples * components,
                                           .values = array->values,
                                           .may_be_nan = true,
                                           .unknown = array->unknown};
}

static void put_list(Vtu *vtu, const char *tag, const DlsVtuArray *arrays, int count,
                     int64_t tuples) {
  DlsFile *file = vtu->writing.file;
  dls_file_print(file, "<%s", tag);
  dls_vtu_put_roles(file, arrays, count);
  dls_file_print(file, ">\n");
  for (int i = 0; i < count; i++)
    put_array(vtu, &arrays[i], dls_vtu_type_in_file(&arrays[i], vtu->writing.options), tuples,
              false);
  dls_file_print(file, "</%s>\n", tag);
}

static void put_fields(Vtu *vtu) {
  const DlsVtuGrid *grid = vtu->grid;
  const DlsVtuArray time = {.name = "TimeValue", .values = &grid->time, .type = DLS_VTU_FLOAT64};
  if (!grid->timed && grid->field_arrays == 0) return;
  dls_file_print(vtu->writing.file, "<FieldData>\n");
  if (grid->timed) put_array(vtu, &time, DLS_VTU_FLOAT64, 1, true);
  for (int i = 0; i < grid->field_arrays; i++)
    put_array(vtu, &grid->field_data[i],
              dls_vtu_type_in_file(&grid->field_data[i], vtu->writing.options),
              grid->field_data[i].tuples, true);
  dls_file_print(vtu->writing.file, "</FieldData>\n");
}

static void put_points(Vtu *vtu) {
  const DlsVtuArray points = {
      .name = "Points", .values = vtu->grid->position, .type = DLS_VTU_FLOAT64, .components = 3};
  dls_file_print(vtu->writing.file, "<Points>\n");
  put_array(vtu, &points, vtu->writing.options->single_points ? DLS_VTU_FLOAT32 : DLS_VTU_FLOAT64,
            vtu->grid->points, false);
  vtu->streams[vtu->count - 1].may_be_nan = false;
  dls_file_print(vtu->writing.file, "</Points>\n");
}

/* One array of the cells, read from `values` or, when NULL, made: first, first + step ... */
static void put_topology(Vtu *vtu, const char *name, DlsVtuType type, const void *values,
                         int64_t count, int64_t first, int64_t step) {
  const DlsVtuArray array = {.name = name, .values = values, .type = type};
  put_array(vtu, &array, type, count, false);
  VtuStream *stream = &vtu->streams[vtu->count - 1];
  if (!values) {
    stream->making = step ? VTU_COUNTING : VTU_CONSTANT;
    stream->first = first;
    stream->step = step;
  }
}

static void put_faces(Vtu *vtu) {
  const DlsVtuGrid *grid = vtu->grid;
  int64_t entries = 0;
  for (int64_t c = 0; c < grid->cells; c++)
    if (grid->face_end[c] > entries) entries = grid->face_end[c];
  put_topology(vtu, "faces", DLS_VTU_INT64, grid->face, entries, 0, 1);
  put_topology(vtu, "faceoffsets", DLS_VTU_INT64, grid->face_end, grid->cells, 0, 1);
}

static void put_cells(Vtu *vtu) {
  const DlsVtuGrid *grid = vtu->grid;
  const int64_t cells = grid->cells, size = grid->cell_size;
  const int64_t entries = cells == 0 ? 0 : grid->end ? grid->end[cells - 1] : cells * size;
  dls_file_print(vtu->writing.file, "<Cells>\n");
  put_topology(vtu, "connectivity", DLS_VTU_INT64, grid->connectivity, entries, 0, 1);
  put_topology(vtu, "offsets", DLS_VTU_INT64, grid->end, cells, size, size);
  put_topology(vtu, "types", DLS_VTU_UINT8, grid->type, cells, grid->cell_type, 0);
  if (grid->face) put_faces(vtu);
  dls_file_print(vtu->writing.file, "</Cells>\n");
}

static void put_head(Vtu *vtu) {
  const DlsVtuGrid *grid = vtu->grid;
  DlsFile *file = vtu->writing.file;
  dls_file_print(file,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" "
                 "byte_order=\"%s\" header_type=\"UInt64\"%s>\n<UnstructuredGrid>\n",
                 byte_order(),
                 vtu->writing.options->zlib ? " compressor=\"vtkZLibDataCompressor\"" : "");
  put_fields(vtu);
  dls_file_print(file, "<Piece NumberOfPoints=\"%" PRId64 "\" NumberOfCells=\"%" PRId64 "\">\n",
                 grid->points, grid->cells);
  put_list(vtu, "PointData", grid->point_data, grid->point_arrays, grid->points);
  put_list(vtu, "CellData", grid->cell_data, grid->cell_arrays, grid->cells);
  put_points(vtu);
  put_cells(vtu);
  dls_file_print(file, "</Piece>\n</UnstructuredGrid>\n<AppendedData encoding=\"raw\">\n_");
}

static DlsStatus put_file(Vtu *vtu) {
  DlsFile *file = vtu->writing.file;
  put_head(vtu);
  DLS_TRY(dls_vtu_data_prepare(&vtu->writing, vtu->streams, vtu->count));
  const uint64_t start = dls_file_position(file);
  for (int i = 0; i < vtu->count; i++) {
    char attribute[OFFSET_ROOM + 1];
    const int length = snprintf(attribute, sizeof attribute, " offset=\"%" PRIu64 "\"",
                                dls_file_position(file) - start);
    DLS_TRY(dls_vtu_data_put(&vtu->writing, i));
    dls_file_patch(file, vtu->places[i], attribute, (size_t)length);
  }
  dls_file_print(file, "\n</AppendedData>\n</VTKFile>\n");
  vtu->writing.report.bytes = dls_file_position(file);
  return DLS_OK;
}

static DlsStatus write_grid(const char *path, Vtu *vtu) {
  const DlsVtuGrid *grid = vtu->grid;
  const int most = grid->point_arrays + grid->cell_arrays + grid->field_arrays + OWN_STREAMS;
  DLS_TRY(dls_vtu_check(path, grid, vtu->writing.options));
  DLS_CHECK(!grid->timed || isfinite(grid->time), DLS_ERR_NUMERIC,
            "%s: not written: the time is not a finite number", path);
  DLS_NEW(vtu->streams, most);
  DLS_NEW(vtu->places, most);
  DLS_TRY(dls_file_begin(path, &vtu->writing.file));
  DLS_TRY(put_file(vtu));
  return dls_file_place(&vtu->writing.file);
}

DlsStatus dls_vtu_write(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options,
                        DlsVtuReport *report) {
  static const DlsVtuOptions plain;
  Vtu vtu = {.grid = grid, .writing = {.options = options ? options : &plain, .path = path}};
  const DlsStatus status = write_grid(path, &vtu);
  dls_file_abandon(&vtu.writing.file);
  dls_vtu_data_clear(&vtu.writing);
  free(vtu.streams);
  free(vtu.places);
  if (report) *report = vtu.writing.report;
  return status;
}

static void put_parallel_list(DlsFile *file, const char *tag, const DlsVtuArray *arrays, int count,
                              const DlsVtuOptions *options) {
  dls_file_print(file, "<%s", tag);
  dls_vtu_put_roles(file, arrays, count);
  dls_file_print(file, ">\n");
  for (int i = 0; i < count; i++) {
    dls_file_print(file, "<PDataArray");
    dls_vtu_put_attributes(file, &arrays[i], dls_vtu_type_in_file(&arrays[i], options));
    dls_file_print(file, "/>\n");
  }
  dls_file_print(file, "</%s>\n", tag);
}

DlsStatus dls_pvtu_write(const char *path, const DlsVtuGrid *grid, const DlsVtuOptions *options,
                         const char *const *parts, int count) {
  static const DlsVtuOptions plain;
  DlsFile *file;
  DlsVtuGrid names = *grid; /* without sizes, values are not asked for */
  if (!options) options = &plain;
  names.points = names.cells = 0;
  names.field_arrays = 0;
  DLS_TRY(dls_vtu_check_arrays(path, &names, options));
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file,
                 "<?xml version=\"1.0\"?>\n<VTKFile type=\"PUnstructuredGrid\" version=\"1.0\" "
                 "byte_order=\"%s\" header_type=\"UInt64\">\n"
                 "<PUnstructuredGrid GhostLevel=\"0\">\n",
                 byte_order());
  put_parallel_list(file, "PPointData", grid->point_data, grid->point_arrays, options);
  put_parallel_list(file, "PCellData", grid->cell_data, grid->cell_arrays, options);
  dls_file_print(file,
                 "<PPoints>\n<PDataArray type=\"%s\" Name=\"Points\" "
                 "NumberOfComponents=\"3\"/>\n</PPoints>\n",
                 options->single_points ? "Float32" : "Float64");
  for (int i = 0; i < count; i++) {
    dls_file_print(file, "<Piece Source=\"");
    dls_vtu_put_escaped(file, parts[i]);
    dls_file_print(file, "\"/>\n");
  }
  dls_file_print(file, "</PUnstructuredGrid>\n</VTKFile>\n");
  return dls_file_place(&file);
}
