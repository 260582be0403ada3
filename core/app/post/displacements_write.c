/* The files of delassus post displacements: a table, lines and a field for ParaView, a picture. */
#include "app/post/displacements_impl.h"

#include "base/memory.h"
#include "plot/tracks.h"
#include "record/csv.h"
#include "record/vtu/vtu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static DlsStatus write_layers(const AppDisplacements *job, DlsCsv *csv) {
  for (int n = 0; n < job->bins; n++) {
    double row[8];
    const DlsTrackMove m = app_displacements_layer(job, n, &row[0]);
    for (int k = 0; k < 3; k++) row[1 + k] = m.mean[k], row[4 + k] = m.error[k];
    row[7] = m.bodies;
    DLS_TRY(dls_csv_row(csv, row));
  }
  return DLS_OK;
}

static DlsStatus write_bodies(const AppDisplacements *job, DlsCsv *csv) {
  const DlsTracks *t = &job->tracks;
  for (int b = 0; b < t->bodies; b++) {
    const double *first = dls_tracks_at(t, 0, b), *last = dls_tracks_at(t, t->moments - 1, b);
    const double row[8] = {(double)t->id[b],   t->radius[b],      first[0],
                           first[1],           first[2],          last[0] - first[0],
                           last[1] - first[1], last[2] - first[2]};
    DLS_TRY(dls_csv_row(csv, row));
  }
  return DLS_OK;
}

static DlsStatus write_csv(const AppDisplacements *job) {
  static const DlsCsvColumn bodies[8] = {{"id", NULL}, {"radius", "m"}, {"x", "m"},  {"y", "m"},
                                         {"z", "m"},   {"dx", "m"},     {"dy", "m"}, {"dz", "m"}},
                            layers[8] = {{"place", "m"},    {"dx", "m"},       {"dy", "m"},
                                         {"dz", "m"},       {"dx_error", "m"}, {"dy_error", "m"},
                                         {"dz_error", "m"}, {"bodies", NULL}};
  DlsCsv *csv = NULL;
  if (!job->csv) return DLS_OK;
  DLS_TRY(dls_csv_create(job->csv, job->bins ? layers : bodies, 8, NULL, &csv));
  const DlsStatus status = job->bins ? write_layers(job, csv) : write_bodies(job, csv);
  const DlsStatus closed = dls_csv_close(&csv);
  return status != DLS_OK ? status : closed;
}

/* A line for each body through its places. */
static DlsStatus write_vtu(const AppDisplacements *job) {
  const DlsTracks *t = &job->tracks;
  const size_t points = (size_t)t->moments * (size_t)t->bodies, bodies = (size_t)t->bodies;
  double *real;
  int64_t *whole;
  if (!job->vtu) return DLS_OK;
  DLS_NEW(real, 4 * points + 4 * bodies);
  whole = dls_memory_array(points + bodies, sizeof *whole);
  uint8_t *type = dls_memory_array(bodies, 1);
  if (!whole || !type) {
    free(real), free(whole), free(type);
    return dls_fail(DLS_ERR_MEMORY, "out of memory for %zu points", points);
  }
  double *time = real + 3 * points, *way = time + points, *radius = way + 3 * bodies;
  for (size_t b = 0, n = 0; b < bodies; b++) {
    for (int m = 0; m < t->moments; m++, n++) {
      memcpy(real + 3 * n, dls_tracks_at(t, m, (int)b), 3 * sizeof *real);
      time[n] = t->time[m];
      whole[n] = (int64_t)n;
    }
    for (int k = 0; k < 3; k++)
      way[3 * b + (size_t)k] =
          dls_tracks_at(t, t->moments - 1, (int)b)[k] - dls_tracks_at(t, 0, (int)b)[k];
    radius[b] = t->radius[b];
    whole[points + b] = (int64_t)n;
    type[b] = DLS_VTU_POLYLINE;
  }
  const DlsVtuArray of_points[] = {
      {.name = "time", .values = time, .components = 1, .role = DLS_VTU_SCALARS}};
  const DlsVtuArray of_cells[] = {
      {.name = "displacement", .values = way, .components = 3, .role = DLS_VTU_VECTORS},
      {.name = "radius", .values = radius, .components = 1},
      {.name = "id", .values = t->id, .type = DLS_VTU_INT64, .components = 1}};
  const DlsVtuGrid grid = {.points = (int64_t)points,
                           .cells = (int64_t)bodies,
                           .position = real,
                           .connectivity = whole,
                           .end = whole + points,
                           .type = type,
                           .point_data = of_points,
                           .point_arrays = DLS_COUNT(of_points),
                           .cell_data = of_cells,
                           .cell_arrays = DLS_COUNT(of_cells)};
  const DlsStatus status = dls_vtu_write(job->vtu, &grid, NULL, NULL);
  free(real), free(whole), free(type);
  return status;
}

/* Four corners of each cell of the grid, which has points of its own: a cell's flow is one
 * number. */
static void place_cell(const AppDisplacements *job, int column, int row, double (*corner)[3]) {
  static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const DlsFlow *f = &job->flow;
  for (int n = 0; n < 4; n++) {
    for (int k = 0; k < 3; k++) corner[n][k] = 0.5 * (job->low[k] + job->high[k]);
    corner[n][f->axis[0]] = f->low[0] + (column + step[n][0]) * f->width[0];
    corner[n][f->axis[1]] = f->low[1] + (row + step[n][1]) * f->width[1];
  }
}

static DlsStatus write_field(const AppDisplacements *job) {
  const DlsFlow *f = &job->flow;
  if (!job->field) return DLS_OK;
  const size_t cells = (size_t)job->grid[0] * (size_t)job->grid[1];
  double *real;
  DLS_NEW(real, cells * (12 + 3 + 3 + 1));
  double(*corner)[3] = (double(*)[3])real;
  double *move = real + 12 * cells, *error = move + 3 * cells, *bodies = error + 3 * cells;
  for (size_t n = 0; n < cells; n++) {
    const int column = (int)n % job->grid[0], row = (int)n / job->grid[0];
    const DlsFlowCell cell = dls_flow_cell(f, column, row);
    place_cell(job, column, row, corner + 4 * n);
    for (size_t k = 0; k < 2; k++) {
      move[3 * n + (size_t)f->axis[k]] = cell.mean[k];
      error[3 * n + (size_t)f->axis[k]] = cell.error[k];
    }
    bodies[n] = cell.bodies;
  }
  const DlsVtuArray of_cells[] = {
      {.name = "displacement",
       .values = move,
       .components = 3,
       .role = DLS_VTU_VECTORS,
       .unknown = true},
      {.name = "displacement_error", .values = error, .components = 3, .unknown = true},
      {.name = "bodies", .values = bodies, .components = 1}};
  const DlsVtuGrid grid = {.points = 4 * (int64_t)cells,
                           .cells = (int64_t)cells,
                           .position = real,
                           .cell_type = DLS_VTU_QUAD,
                           .cell_size = 4,
                           .cell_data = of_cells,
                           .cell_arrays = DLS_COUNT(of_cells)};
  const DlsStatus status = dls_vtu_write(job->field, &grid, NULL, NULL);
  free(real);
  return status;
}

static DlsStatus draw(const AppDisplacements *job) {
  const DlsTracks *t = &job->tracks;
  char title[200];
  if (!job->svg) return DLS_OK;
  snprintf(title, sizeof title, "Displacements of %d bodies, %d moments from %.4g to %.4g s",
           t->bodies, t->moments, t->time[0], t->time[t->moments - 1]);
  const DlsTrackPicture picture = {
      .moments = t->moments,
      .bodies = t->bodies,
      .place = t->place[0],
      .radius = t->radius,
      .up = app_displacements_upright(job),
      .outlines = !job->meridian,
      .title = title,
      .across_label = job->meridian ? "distance from the axis, m" : "x, m",
      .up_label = app_displacements_upright(job) == 1 && !job->meridian ? "y, m" : "z, m"};
  return dls_track_picture_write(&picture, job->svg);
}

DlsStatus app_displacements_write(const AppDisplacements *job) {
  DLS_TRY(write_csv(job));
  DLS_TRY(write_vtu(job));
  DLS_TRY(write_field(job));
  return draw(job);
}
