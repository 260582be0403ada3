/* The sidecar of a VTU file: what VTK must read, value by value, for tests/io/vtu_check.py; and the
 * call of that script. */
#ifndef DELASSUS_TESTS_VTU_EXPECT_H
#define DELASSUS_TESTS_VTU_EXPECT_H

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "record/vtu/vtu.h"
#include "tests/test.h"

typedef struct {
  FILE *json, *data;
  int64_t start;
  bool filled;
} VtuExpect;

static inline void expect_text(FILE *json, const char *text) {
  fputc('"', json);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') fputc('\\', json);
    fputc(*text, json);
  }
  fputc('"', json);
}

static inline void expect_real(VtuExpect *e, double value, bool single) {
  const double tamed = isfinite(single ? (double)(float)value : value) ? value : (double)NAN;
  const float narrow = (float)tamed;
  if (single)
    fwrite(&narrow, sizeof narrow, 1, e->data);
  else
    fwrite(&tamed, sizeof tamed, 1, e->data);
}

/* One array: its row in the JSON file, and its values as they stand in memory. */
static inline void expect_array(VtuExpect *e, const char *place, const DlsVtuArray *array,
                                int64_t tuples, bool single) {
  static const char *const types[] = {"Float64", "Float32", "Int32", "Int64", "UInt8"};
  static const char *const roles[] = {"", "Scalars", "Vectors", "Normals", "Tensors"};
  static const int bytes[] = {8, 4, 4, 8, 1};
  const int components = array->components ? array->components : 1;
  const int64_t count = tuples * components;
  const bool narrowed = single && array->type == DLS_VTU_FLOAT64;
  const DlsVtuType type = narrowed ? DLS_VTU_FLOAT32 : array->type;
  fprintf(e->json, "%s{\"place\": \"%s\", \"name\": ", e->filled ? ",\n " : "\n ", place);
  e->filled = true;
  expect_text(e->json, array->name);
  fprintf(e->json, ", \"type\": \"%s\", \"components\": %d, \"role\": \"%s\", \"names\": [",
          types[type], components, roles[array->role]);
  for (int i = 0; array->component_names && i < components; i++) {
    if (i) fputs(", ", e->json);
    expect_text(e->json, array->component_names[i]);
  }
  fprintf(e->json, "], \"start\": %" PRId64 ", \"count\": %" PRId64 "}", e->start, count);
  if (array->type == DLS_VTU_FLOAT64)
    for (int64_t i = 0; i < count; i++)
      expect_real(e, ((const double *)array->values)[i], narrowed);
  else if (array->type == DLS_VTU_FLOAT32)
    for (int64_t i = 0; i < count; i++)
      expect_real(e, (double)((const float *)array->values)[i], true);
  else if (count > 0)
    fwrite(array->values, (size_t)bytes[type], (size_t)count, e->data);
  e->start += count * bytes[type];
}

/* connectivity, offsets and types as VTK keeps them, also where the grid leaves them out. */
static inline void expect_cells(VtuExpect *e, const DlsVtuGrid *grid) {
  const int64_t cells = grid->cells;
  const int64_t entries = cells == 0  ? 0
                          : grid->end ? grid->end[cells - 1]
                                      : cells * grid->cell_size;
  int64_t *connectivity = calloc((size_t)entries + 1, sizeof *connectivity);
  int64_t *end = calloc((size_t)cells + 1, sizeof *end);
  uint8_t *type = calloc((size_t)cells + 1, 1);
  for (int64_t i = 0; i < entries; i++)
    connectivity[i] = grid->connectivity ? grid->connectivity[i] : i;
  for (int64_t i = 0; i < cells; i++) {
    end[i] = grid->end ? grid->end[i] : (i + 1) * grid->cell_size;
    type[i] = grid->type ? grid->type[i] : grid->cell_type;
  }
  const DlsVtuArray arrays[] = {
      {.name = "connectivity", .values = connectivity, .type = DLS_VTU_INT64},
      {.name = "offsets", .values = end, .type = DLS_VTU_INT64},
      {.name = "types", .values = type, .type = DLS_VTU_UINT8}};
  expect_array(e, "cells", &arrays[0], entries, false);
  if (cells > 0) { /* VTK's empty grid has no such arrays */
    expect_array(e, "cells", &arrays[1], cells, false);
    expect_array(e, "cells", &arrays[2], cells, false);
  }
  free(connectivity);
  free(end);
  free(type);
}

/* Writes FILE.json and FILE.bin beside folder/file. */
static inline void expect_write(const char *folder, const char *file, const DlsVtuGrid *grid,
                                const DlsVtuOptions *options) {
  static const DlsVtuOptions plain;
  char path[4096];
  VtuExpect e = {0};
  if (!options) options = &plain;
  snprintf(path, sizeof path, "%s/%s.json", folder, file);
  e.json = fopen(path, "w");
  snprintf(path, sizeof path, "%s/%s.bin", folder, file);
  e.data = fopen(path, "wb");
  CHECK(e.json && e.data);
  if (!e.json || !e.data) return;
  fprintf(e.json,
          "{\"file\": \"%s\", \"data\": \"%s.bin\", \"points\": %" PRId64 ", \"cells\": %" PRId64
          ", \"arrays\": [",
          file, file, grid->points, grid->cells);
  const DlsVtuArray points = {
      .name = "Points", .values = grid->position, .type = DLS_VTU_FLOAT64, .components = 3};
  const DlsVtuArray time = {.name = "TimeValue", .values = &grid->time, .type = DLS_VTU_FLOAT64};
  expect_array(&e, "points", &points, grid->points, options->single_points);
  expect_cells(&e, grid);
  if (grid->timed) expect_array(&e, "field", &time, 1, false);
  for (int i = 0; i < grid->field_arrays; i++)
    expect_array(&e, "field", &grid->field_data[i], grid->field_data[i].tuples,
                 options->single_data);
  for (int i = 0; i < grid->point_arrays; i++)
    expect_array(&e, "point", &grid->point_data[i], grid->points, options->single_data);
  for (int i = 0; i < grid->cell_arrays; i++)
    expect_array(&e, "cell", &grid->cell_data[i], grid->cells, options->single_data);
  fprintf(e.json, "]}\n");
  fclose(e.json);
  fclose(e.data);
}

/* Runs the script of this folder on files; its exit status. What it says goes to `log`. Python is
 * Debian's, which has VTK; DELASSUS_PYTHON names another one. */
static inline int expect_run(const char *files, const char *log) {
  char command[16384];
  const char *python = getenv("DELASSUS_PYTHON");
  snprintf(command, sizeof command, "%s '%s/tests/io/vtu_check.py' %s > '%s' 2>&1",
           python ? python : "/usr/bin/python3", TEST_SOURCE_DIR, files, log);
  const int code = system(command);
  return WIFEXITED(code) ? WEXITSTATUS(code) : -1;
}

/* Whether `text` stands in the file. */
static inline bool expect_says(const char *path, const char *text) {
  static char content[1 << 18];
  FILE *file = fopen(path, "r");
  if (!file) return false;
  content[fread(content, 1, sizeof content - 1, file)] = '\0';
  fclose(file);
  return strstr(content, text) != NULL;
}

static inline void expect_show(const char *path) {
  char line[1024];
  FILE *file = fopen(path, "r");
  while (file && fgets(line, sizeof line, file)) fputs(line, stderr);
  if (file) fclose(file);
}

#endif
