#include "record/frames/series.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/memory.h"
#include "base/number.h"
#include "record/frames/arrays.h"
#include "record/leftover_frames.h"
#include "record/pvd.h"
#include "record/vtu/vtu_read.h"

enum { PATH_BYTES = 4096, NAME_BYTES = 64, PIECE_BYTES = 24, SINGLE_DIGITS = 9, PACE = 1 /* s */ };

struct DlsSeries {
  const char *folder, *name;
  const DlsSeriesOptions *options;
  DlsPvd *pvd;
};

static void name_frame(const DlsSeries *s, int number, const char *ending, char file[NAME_BYTES],
                       char path[PATH_BYTES]) {
  snprintf(file, NAME_BYTES, "%s_%06d.%s", s->name, number, ending);
  snprintf(path, PATH_BYTES, "%s/%s", s->folder, file);
}

static void name_piece(const DlsSeries *s, int number, const char *ending, char file[NAME_BYTES],
                       char path[PATH_BYTES]) {
  snprintf(file, NAME_BYTES, "%s_%06d_%s", s->name, number, ending);
  snprintf(path, PATH_BYTES, "%s/%s", s->folder, file);
}

/* The time of a frame that is there, whole, and of this series. */
static bool frame_time(const char *path, double *time) {
  DlsVtuFile *file = NULL;
  if (access(path, R_OK) != 0 || dls_vtu_open(path, &file) != DLS_OK) return false;
  const DlsStatus status = dls_vtu_reals(file, DLS_VTU_OF_FIELD, "TimeValue", 1, 1, time);
  dls_vtu_close(&file);
  return status == DLS_OK;
}

/* The frames themselves tell their times: a PVD file is placed without waiting for the disk, and
 * when the machine dies it may come back empty, or as zeros. */
static DlsStatus mend(DlsSeries *s, const char *path, double resume) {
  char file[NAME_BYTES], frame[PATH_BYTES];
  double time;
  DLS_TRY(dls_pvd_create(path, &s->pvd));
  for (int number = 0;; number++) {
    name_frame(s, number, "vtu", file, frame);
    if (access(frame, R_OK) != 0) { /* in pieces, the first of which tells */
      name_piece(s, number, "p00.vtu", file, frame);
      if (!frame_time(frame, &time) || time > resume) break;
      name_frame(s, number, "pvtu", file, frame);
    } else if (!frame_time(frame, &time) || time > resume)
      break;
    DLS_TRY(dls_pvd_add(s->pvd, time, 0, file));
  }
  return DLS_OK;
}

/* Whether a file has no text: what is left of one that never reached the disk. */
static bool is_blank(const char *path) {
  FILE *file = NULL;
  if (access(path, R_OK) != 0 || dls_file_open(path, &file) != DLS_OK) return false;
  int c = 0;
  while (c == 0) c = fgetc(file);
  fclose(file);
  return c == EOF;
}

static DlsStatus open_pvd(DlsSeries *s, double resume) {
  char path[PATH_BYTES];
  snprintf(path, sizeof path, "%s/%s.pvd", s->folder, s->name);
  if (resume == -INFINITY) return dls_pvd_create(path, &s->pvd);
  return is_blank(path) ? mend(s, path, resume) : dls_pvd_resume(path, resume, &s->pvd);
}

DlsStatus dls_series_open(const char *folder, const char *name, const DlsSeriesOptions *options,
                          double resume, DlsSeries **out) {
  DlsSeries *s;
  *out = NULL;
  DLS_NEW(s, 1);
  *s = (DlsSeries){.folder = folder, .name = name, .options = options};
  const DlsStatus status = open_pvd(s, resume);
  if (status == DLS_OK) {
    dls_pvd_pace(s->pvd, PACE);
    *out = s;
  }
  if (status != DLS_OK) dls_series_close(&s);
  return status;
}

DlsStatus dls_series_flush(DlsSeries *s) { return s ? dls_pvd_flush(s->pvd) : DLS_OK; }

int dls_series_frames(const DlsSeries *s) { return dls_pvd_frames(s->pvd); }

DlsStatus dls_series_trim(const DlsSeries *s, int first) {
  return dls_leftover_frames_remove(s->folder, s->name, first);
}

void dls_series_close(DlsSeries **series) {
  if (!*series) return;
  if ((*series)->pvd) (void)dls_pvd_flush((*series)->pvd);
  dls_pvd_destroy(&(*series)->pvd);
  free(*series);
  *series = NULL;
}

/* The arrays of a list that are chosen, in the order of the list. */
static DlsStatus choose(const DlsSeriesOptions *o, const DlsVtuArray *from, int count, bool *seen,
                        DlsVtuArray **out, int *chosen) {
  *chosen = 0;
  DLS_NEW(*out, count);
  for (int i = 0; i < count; i++) {
    bool wanted = o->arrays == 0;
    for (int k = 0; k < o->arrays; k++)
      if (strcmp(o->array[k], from[i].name) == 0) wanted = seen[k] = true;
    if (wanted) (*out)[(*chosen)++] = from[i];
  }
  return DLS_OK;
}

static double value_at(const DlsVtuArray *a, int64_t k) {
  switch (a->type) {
  case DLS_VTU_FLOAT32:
    return (double)((const float *)a->values)[k];
  case DLS_VTU_INT32:
    return ((const int32_t *)a->values)[k];
  case DLS_VTU_INT64:
    return (double)((const int64_t *)a->values)[k];
  case DLS_VTU_UINT8:
    return ((const uint8_t *)a->values)[k];
  default:
    return ((const double *)a->values)[k];
  }
}

static int width_of(const DlsVtuArray *a) { return a->components ? a->components : 1; }

/* x, y, z; then NAME, or NAME_COMPONENT of vectors and tensors. */
static void put_heading(DlsFile *file, const DlsVtuGrid *grid) {
  static const char *const axes[] = {"x", "y", "z"};
  dls_file_print(file, "x,y,z");
  for (int i = 0; i < grid->point_arrays; i++) {
    const DlsVtuArray *a = &grid->point_data[i];
    const char *const *given = dls_vtu_component_names(a);
    const char *const *name = given || width_of(a) != 3 ? given : axes;
    for (int k = 0; k < width_of(a); k++)
      if (width_of(a) == 1)
        dls_file_print(file, ",%s", a->name);
      else if (name)
        dls_file_print(file, ",%s_%s", a->name, name[k]);
      else
        dls_file_print(file, ",%s_%d", a->name, k);
  }
  dls_file_print(file, "\n");
}

/* Numbers as in the VTU file: all digits of a double, or those of a Float32. */
static DlsStatus write_rows(const char *path, const DlsVtuGrid *grid, bool single) {
  DlsFile *file;
  char text[DLS_NUMBER_BYTES];
  const int digits = single ? SINGLE_DIGITS : 0;
  DLS_TRY(dls_file_begin(path, &file));
  put_heading(file, grid);
  for (int64_t p = 0; p < grid->points; p++) {
    for (int k = 0; k < 3; k++)
      dls_file_print(file, "%s%s", k ? "," : "",
                     dls_number_text(text, grid->position[3 * p + k], digits));
    for (int i = 0; i < grid->point_arrays; i++) {
      const DlsVtuArray *a = &grid->point_data[i];
      for (int k = 0; k < width_of(a); k++) {
        const double value = value_at(a, p * width_of(a) + k);
        dls_file_print(file, ",%s",
                       dls_number_text(text, value, a->type == DLS_VTU_FLOAT64 ? digits : 0));
      }
    }
    dls_file_print(file, "\n");
  }
  return dls_file_place(&file);
}

/* The same arrays from row `first` on. */
static void cut_arrays(const DlsVtuArray *from, int count, int64_t first, DlsVtuArray *to) {
  for (int i = 0; i < count; i++) {
    to[i] = from[i];
    to[i].values = (const char *)from[i].values + (size_t)first * dls_array_row(&from[i]);
  }
}

/* Cells first .. end - 1 of a grid whose cells have points of their own; `room` for its arrays. */
static DlsVtuGrid cut_grid(const DlsVtuGrid *grid, int64_t first, int64_t end, DlsVtuArray *room) {
  DlsVtuGrid piece = *grid;
  const int64_t size = grid->cell_size;
  piece.cells = end - first;
  piece.points = size * piece.cells;
  piece.position = grid->position + 3 * size * first;
  cut_arrays(grid->point_data, grid->point_arrays, size * first, room);
  cut_arrays(grid->cell_data, grid->cell_arrays, first, room + grid->point_arrays);
  piece.point_data = room;
  piece.cell_data = room + grid->point_arrays;
  return piece;
}

/* Every piece has the field data of the whole. */
static DlsStatus put_pieces(DlsSeries *s, int number, const DlsVtuGrid *grid, char *file) {
  const int pieces = s->options->pieces;
  char path[PATH_BYTES], ending[PIECE_BYTES];
  char(*name)[NAME_BYTES] = dls_memory_array((size_t)pieces, sizeof *name);
  const char **names = dls_memory_array((size_t)pieces, sizeof *names);
  DlsVtuArray *room =
      dls_memory_array((size_t)(grid->point_arrays + grid->cell_arrays), sizeof *room);
  DlsStatus status = name && names && room
                         ? DLS_OK
                         : dls_fail(DLS_ERR_MEMORY, "out of memory for %d pieces", pieces);
  for (int k = 0; k < pieces && status == DLS_OK; k++) {
    const DlsVtuGrid piece =
        cut_grid(grid, grid->cells * k / pieces, grid->cells * (k + 1) / pieces, room);
    snprintf(ending, sizeof ending, "p%02d.vtu", k);
    name_piece(s, number, ending, name[k], path);
    names[k] = name[k];
    status = dls_vtu_write(path, &piece, &s->options->vtu, NULL);
  }
  name_frame(s, number, "pvtu", file, path);
  if (status == DLS_OK) status = dls_pvtu_write(path, grid, &s->options->vtu, names, pieces);
  free(name);
  free(names);
  free(room);
  return status;
}

static DlsStatus put(DlsSeries *s, int number, const DlsVtuGrid *grid, bool rows) {
  char file[NAME_BYTES], path[PATH_BYTES];
  if (rows && s->options->csv) {
    name_frame(s, number, "csv", file, path);
    DLS_TRY(write_rows(path, grid, s->options->vtu.single_data));
  }
  if (s->options->pieces > 1 && !grid->connectivity && !grid->end) {
    DLS_TRY(put_pieces(s, number, grid, file));
    return dls_pvd_add(s->pvd, grid->time, 0, file);
  }
  name_frame(s, number, "vtu", file, path);
  DLS_TRY(dls_vtu_write(path, grid, &s->options->vtu, NULL));
  return dls_pvd_add(s->pvd, grid->time, 0, file);
}

DlsStatus dls_series_put(DlsSeries *s, int number, const DlsVtuGrid *grid, bool rows, bool *seen) {
  DlsVtuGrid chosen = *grid;
  DlsVtuArray *points = NULL, *cells = NULL;
  DlsStatus status =
      choose(s->options, grid->point_data, grid->point_arrays, seen, &points, &chosen.point_arrays);
  if (status == DLS_OK)
    status =
        choose(s->options, grid->cell_data, grid->cell_arrays, seen, &cells, &chosen.cell_arrays);
  chosen.point_data = points;
  chosen.cell_data = cells;
  if (status == DLS_OK) status = put(s, number, &chosen, rows);
  free(points);
  free(cells);
  return status;
}
