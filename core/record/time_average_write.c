#include "record/time_average_write.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/csv.h"
#include "record/field_mesh.h"
#include "record/leftover_frames.h"
#include "record/pvd.h"

bool dls_time_average_is_spatial(const DlsTimeAverage *time_average) {
  const DlsObservable *r = dls_time_average_observable(time_average);
  return r && (r->kind == DLS_OBSERVABLE_FIELD || r->kind == DLS_OBSERVABLE_GRAINS);
}

double dls_time_average_moment(const DlsTimeAverage *time_average, int bin) {
  const DlsMean *mean = dls_time_average_mean(time_average);
  const DlsWindow *w = dls_mean_window(mean);
  double first, last;
  dls_mean_span(mean, &first, &last);
  return w->period > 0 ? (bin + 0.5) * w->period / w->bins : 0.5 * (first + last);
}

/* Three numbers that are no vector: harmonics 2, 4, 6. */
static bool is_harmonic(const DlsObservableArray *array) {
  return strcmp(array->name, "cosines") == 0 || strcmp(array->name, "sines") == 0;
}

bool dls_time_average_component(const DlsObservableArray *array, int dim, int c, char *out,
                                size_t bytes) {
  if (array->components == 1) {
    snprintf(out, bytes, "%s", array->name);
    return true;
  }
  if (array->components == 9) {
    snprintf(out, bytes, "%s_%c%c", array->name, "xyz"[c / 3], "xyz"[c % 3]);
    return dim == 3 || (c / 3 < 2 && c % 3 < 2);
  }
  if (array->components == 3 && !is_harmonic(array)) {
    snprintf(out, bytes, "%s_%c", array->name, "xyz"[c]);
    return dim == 3 || c < 2;
  }
  snprintf(out, bytes, "%s_%02d", array->name, is_harmonic(array) ? 2 * (c + 1) : c);
  return true;
}

/* Names, then numbers, by the same walk: what a row of the table holds. */
typedef struct {
  const DlsTimeAverage *time_average;
  const char *const *labels;
  int dim, arrays;
  DlsObservableArray array[DLS_OBSERVABLE_ARRAYS];
  bool wide; /* all rows beside each other */
  int next, room;
  char (*name)[200];
  DlsCsvColumn *column;
  double *value;
} Table;

static void put(Table *t, const char *name, const char *unit, double value) {
  const int k = t->next++;
  if (k >= t->room) return; /* counted alone */
  t->value[k] = value;
  snprintf(t->name[k], sizeof t->name[k], "%s", name);
  t->column[k] = (DlsCsvColumn){t->name[k], unit};
}

static void put_numbers(Table *t, int bin, int row, const char *label) {
  const DlsMean *mean = dls_time_average_mean(t->time_average);
  int column = 0;
  for (int k = 0; k < t->arrays; k++)
    for (int c = 0; c < t->array[k].components; c++, column++) {
      char name[64], full[180];
      if (!dls_time_average_component(&t->array[k], t->dim, c, name, sizeof name)) continue;
      const DlsMeanValue v = dls_mean_value(mean, bin, row, column);
      snprintf(full, sizeof full, "%s%s%.80s", name, label ? "_" : "", label ? label : "");
      put(t, full, t->array[k].unit, v.mean);
      snprintf(full, sizeof full, "%s%s%.80s_error", name, label ? "_" : "", label ? label : "");
      put(t, full, t->array[k].unit, v.error);
    }
}

static void put_row(Table *t, int bin, int row) {
  const DlsObservable *r = dls_time_average_observable(t->time_average);
  const DlsMean *mean = dls_time_average_mean(t->time_average);
  double first, last, place[3];
  t->next = 0;
  if (dls_mean_window(mean)->period > 0) {
    put(t, "phase", "s", dls_time_average_moment(t->time_average, bin));
  } else {
    dls_mean_span(mean, &first, &last);
    put(t, "first", "s", first);
    put(t, "last", "s", last);
  }
  put(t, "instants", "", (double)dls_mean_instants(mean, bin));
  put(t, "blocks", "", dls_mean_value(mean, bin, row, 0).blocks);
  if (r->kind == DLS_OBSERVABLE_PROFILE || r->kind == DLS_OBSERVABLE_FLOOR) {
    const char letter[] = {r->kind == DLS_OBSERVABLE_PROFILE ? "xyz"[r->profile.axis]
                           : r->floor.rings                  ? 'r'
                                                             : "xy"[r->floor.axis],
                           '\0'};
    dls_observable_place(r, row, place);
    put(t, letter, "m", place[0]);
  }
  if (!t->wide) {
    put_numbers(t, bin, row, NULL);
    return;
  }
  for (int n = 0; n < dls_mean_rows(mean); n++) {
    char number[16];
    snprintf(number, sizeof number, "%d", n);
    put_numbers(t, bin, n, t->labels ? t->labels[n] : number);
  }
}

static DlsStatus fill_table(Table *t, const char *path) {
  const DlsMean *mean = dls_time_average_mean(t->time_average);
  const int rows = t->wide ? 1 : dls_mean_rows(mean), bins = dls_mean_window(mean)->bins;
  DlsCsv *csv = NULL;
  put_row(t, 0, 0);
  const int count = t->next;
  DLS_NEW(t->name, count);
  DLS_NEW(t->column, count);
  DLS_NEW(t->value, count);
  t->room = count;
  put_row(t, 0, 0);
  DLS_TRY(dls_csv_create(path, t->column, count, &(DlsCsvOptions){.flush_s = 1}, &csv));
  DlsStatus status = DLS_OK;
  for (int bin = 0; bin < bins; bin++)
    for (int row = 0; row < rows && status == DLS_OK; row++) {
      put_row(t, bin, row);
      status = dls_csv_row(csv, t->value);
    }
  const DlsStatus closed = dls_csv_close(&csv);
  return status == DLS_OK ? closed : status;
}

static DlsStatus write_table(const DlsTimeAverage *time_average, const char *const *labels,
                             const char *path) {
  const DlsObservable *r = dls_time_average_observable(time_average);
  Table t = {.time_average = time_average, .labels = labels, .dim = r->dim};
  t.wide = r->kind == DLS_OBSERVABLE_CUT || r->kind == DLS_OBSERVABLE_WALLS;
  t.arrays = dls_observable_arrays(r->kind, r->dim, t.array, NULL);
  const DlsStatus status = fill_table(&t, path);
  free(t.name);
  free(t.column);
  free(t.value);
  return status;
}

/* One bin as arrays: of each quantity the means and the errors, then what follows from them. */
enum { MOST = 2 * DLS_OBSERVABLE_ARRAYS + 2 };
typedef struct {
  int count, rows;
  DlsVtuArray array[MOST];
  char name[MOST][64];
  double *values[MOST];
  int *row; /* [rows]: of the mean; grains that were not there in the bin are left out */
} Bin;

static DlsStatus add_array(Bin *b, const char *name, int components, DlsVtuRole role) {
  const int k = b->count;
  DLS_NEW(b->values[k], (size_t)b->rows * (size_t)components + 1);
  snprintf(b->name[k], sizeof b->name[k], "%s", name);
  b->array[k] = (DlsVtuArray){.name = b->name[k],
                              .values = b->values[k],
                              .type = DLS_VTU_FLOAT64,
                              .components = components,
                              .role = role};
  b->count++;
  return DLS_OK;
}

static DlsVtuRole role_of(const char *name) {
  if (strcmp(name, "pressure") == 0) return DLS_VTU_SCALARS;
  if (strcmp(name, "velocity") == 0) return DLS_VTU_VECTORS;
  return strcmp(name, "stress") == 0 ? DLS_VTU_TENSORS : DLS_VTU_PLAIN;
}

static DlsStatus fill_bin(const DlsTimeAverage *time_average, int bin, Bin *b) {
  const DlsObservable *r = dls_time_average_observable(time_average);
  const DlsMean *mean = dls_time_average_mean(time_average);
  DlsObservableArray arrays[DLS_OBSERVABLE_ARRAYS];
  const int count = dls_observable_arrays(r->kind, r->dim, arrays, NULL);
  int first = 0;
  DLS_NEW(b->row, dls_mean_rows(mean) + 1);
  for (int i = 0; i < dls_mean_rows(mean); i++)
    if (dls_mean_value(mean, bin, i, 0).instants > 0) b->row[b->rows++] = i;
  for (int k = 0; k < count; first += arrays[k++].components) {
    const int size = arrays[k].components, at = b->count;
    char error[64];
    snprintf(error, sizeof error, "%s_error", arrays[k].name);
    DLS_TRY(add_array(b, arrays[k].name, size, role_of(arrays[k].name)));
    DLS_TRY(add_array(b, error, size, DLS_VTU_PLAIN));
    for (int i = 0; i < b->rows; i++)
      for (int c = 0; c < size; c++) {
        const DlsMeanValue v = dls_mean_value(mean, bin, b->row[i], first + c);
        b->values[at][i * size + c] = v.mean;
        b->values[at + 1][i * size + c] = v.error;
      }
  }
  return DLS_OK;
}

static double *find_values(const Bin *b, const char *name) {
  for (int k = 0; k < b->count; k++)
    if (strcmp(b->name[k], name) == 0) return b->values[k];
  return NULL;
}

/* The deviator of the mean stress, which is no mean of deviators. */
static DlsStatus add_deviator(int dim, Bin *b) {
  const double *stress = find_values(b, "stress");
  DLS_TRY(add_array(b, "deviator", 1, DLS_VTU_PLAIN));
  for (int i = 0; i < b->rows; i++) {
    DlsStressState state;
    dls_stress_state(dim, stress + (size_t)i * 9, &state);
    b->values[b->count - 1][i] = state.deviator;
  }
  return DLS_OK;
}

static DlsStatus put_bin(const DlsTimeAverage *time_average, int bin, Bin *b,
                         const DlsFieldMesh *mesh, const DlsVtuOptions *options, const char *path) {
  const double time = dls_time_average_moment(time_average, bin);
  DlsVtuOptions with_nan = options ? *options : (DlsVtuOptions){0};
  with_nan.allow_nan = true; /* errors of fewer than two blocks */
  DLS_TRY(fill_bin(time_average, bin, b));
  DLS_TRY(add_deviator(dls_time_average_observable(time_average)->dim, b));
  if (mesh->nodes) {
    if (b->rows < mesh->nodes) return DLS_OK; /* no instant in this bin */
    const DlsVtuGrid grid = dls_field_mesh_grid(mesh, b->array, b->count, time);
    return dls_vtu_write(path, &grid, &with_nan, NULL);
  }
  int64_t *id;
  DLS_NEW(id, b->rows + 1);
  for (int i = 0; i < b->rows; i++)
    id[i] = dls_mean_keys(dls_time_average_mean(time_average))[b->row[i]];
  b->array[b->count++] =
      (DlsVtuArray){.name = "id", .values = id, .type = DLS_VTU_INT64, .components = 1};
  const DlsVtuGrid grid = {.points = b->rows,
                           .cells = b->rows,
                           .position = find_values(b, "position"),
                           .cell_type = DLS_VTU_VERTEX,
                           .cell_size = 1,
                           .point_data = b->array,
                           .point_arrays = b->count,
                           .timed = true,
                           .time = time};
  const DlsStatus status = dls_vtu_write(path, &grid, &with_nan, NULL);
  free(id);
  b->count--;
  return status;
}

static DlsStatus write_bin(const DlsTimeAverage *time_average, int bin, const DlsFieldMesh *mesh,
                           const DlsVtuOptions *options, const char *path) {
  Bin b = {0};
  const DlsStatus status = put_bin(time_average, bin, &b, mesh, options, path);
  for (int k = 0; k < b.count; k++) free(b.values[k]);
  free(b.row);
  return status;
}

static DlsStatus write_space(const DlsTimeAverage *time_average, const DlsFieldMesh *mesh,
                             const char *folder, const char *stem, const DlsVtuOptions *options) {
  const DlsMean *mean = dls_time_average_mean(time_average);
  const DlsWindow *w = dls_mean_window(mean);
  char path[4096], file[300];
  if (!(w->period > 0)) {
    snprintf(path, sizeof path, "%s/%s.vtu", folder, stem);
    return write_bin(time_average, 0, mesh, options, path);
  }
  DlsPvd *pvd = NULL;
  snprintf(path, sizeof path, "%s/%s.pvd", folder, stem);
  DLS_TRY(dls_pvd_create(path, &pvd));
  DlsStatus status = dls_leftover_frames_remove(folder, stem, w->bins);
  for (int bin = 0; bin < w->bins && status == DLS_OK; bin++) {
    if (dls_mean_instants(mean, bin) == 0) continue;
    snprintf(file, sizeof file, "%s_%06d.vtu", stem, bin);
    snprintf(path, sizeof path, "%s/%s", folder, file);
    status = write_bin(time_average, bin, mesh, options, path);
    if (status == DLS_OK)
      status = dls_pvd_add(pvd, dls_time_average_moment(time_average, bin), 0, file);
  }
  dls_pvd_destroy(&pvd);
  return status;
}

DlsStatus dls_time_average_write(const DlsTimeAverage *time_average, const char *const *labels,
                                 const char *folder, const char *stem,
                                 const DlsVtuOptions *options) {
  const DlsObservable *r = dls_time_average_observable(time_average);
  const DlsWindow *w = dls_mean_window(dls_time_average_mean(time_average));
  char path[4096];
  DlsFieldMesh mesh = {0};
  DLS_CHECK(r, DLS_ERR_ARGUMENT, "%s: no instant between %g s and %g s; nothing to average", stem,
            w->from, w->to);
  if (!dls_time_average_is_spatial(time_average)) {
    snprintf(path, sizeof path, "%s/%s.csv", folder, stem);
    return write_table(time_average, labels, path);
  }
  DlsStatus status = DLS_OK;
  if (r->kind == DLS_OBSERVABLE_FIELD) status = dls_field_mesh_make(&r->grid, r->dim, &mesh);
  if (status == DLS_OK) status = write_space(time_average, &mesh, folder, stem, options);
  dls_field_mesh_clear(&mesh);
  return status;
}
