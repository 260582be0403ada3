/* delassus post displacements: what bodies move between moments: two of them, or those of a
 * stroboscope. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post/post.h"
#include "base/json.h"
#include "base/memory.h"
#include "plot/tracks.h"
#include "post/flow.h"
#include "post/tracks.h"
#include "record/csv.h"
#include "record/packing_read.h"
#include "record/vtu/vtu.h"

typedef struct {
  const AppCommand *command;
  const char *folder, *region_text, *profile_text, *grid_text, *svg, *csv, *vtu, *field;
  double from, to, period; /* s; NaN: not given */
  long count;              /* of periods; 0: as many as there are */
  bool meridian, json;

  int axis, bins; /* of --profile; bins 0: none */
  DlsProbe region;
  DlsTracks tracks;
  double low[3], high[3]; /* m, around all places */
  DlsTrackTurn half[2];   /* left and right of the middle */

  int grid[2]; /* of --grid; 0: none */
  DlsFlow flow;
  int rows;            /* of the flow, which loops take */
  DlsFlowLoop loop[2]; /* left and right of the middle; of a meridian plane one */
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, folder, "result"),
    APP_REAL_ROW(Job, from, "from", "S", 0, APP_ANY, "time of the first frame; that of the run"),
    APP_REAL_ROW(Job, to, "to", "S", 0, APP_ANY, "time of the last frame; that of the run"),
    APP_REAL_ROW(Job, period, "period", "S", APP_ABOVE_0, APP_ANY,
                 "a stroboscope: the frames at --from and whole periods behind it"),
    APP_INTEGER_ROW(Job, count, "count", "N", 1, INT_MAX, "of periods; as many as there are"),
    APP_TEXT_ROW(Job, region_text, "region", "WORD:...",
                 "bodies that begin there: as of post stress; all unless given"),
    APP_TEXT_ROW(Job, profile_text, "profile", "AXIS:N",
                 "means in N layers along x, y or z; with --meridian r or z"),
    APP_TEXT_ROW(Job, grid_text, "grid", "NxM",
                 "the mean flow in N cells across and M up, and how it circulates"),
    APP_FLAG_ROW(Job, meridian, "meridian",
                 "3-D: distances from the vertical axis, and heights, in the place of x, y, z"),
    APP_TEXT_ROW(Job, svg, "svg", "FILE", "lines from place to place, a picture"),
    APP_TEXT_ROW(Job, csv, "csv", "FILE", "a table with a row for each body, or of the profile"),
    APP_TEXT_ROW(Job, vtu, "vtu", "FILE", "the lines, for ParaView"),
    APP_TEXT_ROW(Job, field, "field", "FILE", "the flow of --grid, for ParaView"),
    APP_FLAG_ROW(Job, json, "json", "print an object"),
};

/* What to take: a frame at each of these times, to `near`. */
typedef struct {
  double from, period, near; /* s */
  int count;                 /* moments; INT_MAX: all that come */
} Strobe;

/* Two moments of a run without a stroboscope: the frames nearest to `from` and `to`. */
static DlsStatus take_two(Job *job, int frames) {
  DlsPacking g = {0};
  int nearest[2] = {0, frames - 1};
  double best[2] = {INFINITY, INFINITY};
  DlsStatus status = DLS_OK;
  const double wanted[2] = {job->from, job->to};
  const bool given = !isnan(job->from) || !isnan(job->to);
  for (int k = 0; given && status == DLS_OK && k < frames; k++) {
    status = dls_packing_read(job->folder, k, &g);
    for (int side = 0; status == DLS_OK && side < 2; side++) {
      const double off = fabs(g.time - wanted[side]);
      if (isnan(wanted[side]) || !(off < best[side])) continue;
      best[side] = off, nearest[side] = k;
    }
  }
  for (int side = 0; status == DLS_OK && side < 2; side++) {
    status = dls_packing_read(job->folder, nearest[side], &g);
    if (status == DLS_OK) status = dls_tracks_add(&job->tracks, &g);
  }
  dls_packing_clear(&g);
  DLS_TRY(status);
  DLS_CHECK(nearest[0] < nearest[1], DLS_ERR_ARGUMENT,
            "%s: the frames at both ends are the same one, at t = %g s; give a longer time, or "
            "write more frames (output.every)",
            job->folder, job->tracks.time[0]);
  return DLS_OK;
}

static DlsStatus take_strobe(Job *job, int frames) {
  const double near = 1e-3 * job->period;
  DlsPacking g = {0};
  DlsStatus status = DLS_OK;
  double first = job->from;
  for (int k = 0; status == DLS_OK && k < frames; k++) {
    status = dls_packing_read(job->folder, k, &g);
    if (status != DLS_OK) break;
    if (isnan(first)) first = g.time;
    const double wanted = first + job->tracks.moments * job->period;
    if (!isnan(job->to) && wanted > job->to + near) break;
    if (job->count && job->tracks.moments > job->count) break;
    if (g.time < wanted - near) continue;
    if (g.time > wanted + near)
      status = dls_fail(DLS_ERR_ARGUMENT,
                        "%s: there is no frame at t = %.9g s, and the next is at %.9g s; write "
                        "frames at a time (output.every) of which the period %g s is a multiple",
                        job->folder, wanted, g.time, job->period);
    else
      status = dls_tracks_add(&job->tracks, &g);
  }
  dls_packing_clear(&g);
  DLS_TRY(status);
  DLS_CHECK(job->tracks.moments >= 2, DLS_ERR_ARGUMENT,
            "%s: only %d frames are a whole number of periods of %g s behind t = %g s; run for "
            "longer",
            job->folder, job->tracks.moments, job->period, first);
  return DLS_OK;
}

static DlsStatus read_profile(Job *job) {
  char axis = 0;
  if (!job->profile_text) return DLS_OK;
  const char *axes = job->meridian ? "rz" : "xyz";
  if (sscanf(job->profile_text, "%c:%d", &axis, &job->bins) != 2 || !strchr(axes, axis) ||
      job->bins < 1 || job->bins > 1000 || (int)(strchr(axes, axis) - axes) >= job->tracks.dim)
    return dls_fail(DLS_ERR_ARGUMENT,
                    "--profile %s: is written AXIS:N, an axis of %s and 1 to 1000 layers",
                    job->profile_text, job->meridian ? "r, z" : "x, y, z");
  job->axis = (int)(strchr(axes, axis) - axes);
  return DLS_OK;
}

static DlsStatus read_grid(Job *job) {
  char rest = 0;
  if (!job->grid_text) return DLS_OK;
  if (sscanf(job->grid_text, "%dx%d%c", &job->grid[0], &job->grid[1], &rest) != 2 ||
      job->grid[0] < 2 || job->grid[1] < 2 || job->grid[0] > 1000 || job->grid[1] > 1000)
    return dls_fail(DLS_ERR_ARGUMENT, "--grid %s: is written NxM, 2 to 1000 cells either way",
                    job->grid_text);
  return DLS_OK;
}

static DlsStatus take(Job *job) {
  int frames;
  DLS_TRY(read_grid(job));
  DLS_TRY(dls_packing_frames(job->folder, &frames));
  DLS_CHECK(frames > 1, DLS_ERR_FILE, "%s: has %d frames; give `output: every` of its deck",
            job->folder, frames);
  DLS_TRY(isnan(job->period) ? take_two(job, frames) : take_strobe(job, frames));
  DLS_TRY(
      dls_probe_read(job->region_text ? job->region_text : "all", job->tracks.dim, &job->region));
  dls_tracks_keep(&job->tracks, &job->region);
  DLS_CHECK(job->tracks.bodies > 0, DLS_ERR_ARGUMENT,
            "%s: no body that moves is in the region at all moments", job->folder);
  dls_tracks_box(&job->tracks, job->low, job->high);
  if (job->meridian) {
    DLS_CHECK(job->tracks.dim == 3, DLS_ERR_ARGUMENT, "--meridian: %s is 2-D", job->folder);
    const double centre[3] = {0.5 * (job->low[0] + job->high[0]),
                              0.5 * (job->low[1] + job->high[1]), 0};
    dls_tracks_meridian(&job->tracks, centre);
    dls_tracks_box(&job->tracks, job->low, job->high);
  }
  return read_profile(job);
}

/* The vertical axis of what is looked at: y of a plane, z of space. */
static int upright(const Job *job) { return job->tracks.dim == 2 ? 1 : 2; }

/* The turning of the left and of the right half, of the meridian plane of the whole: where a flow
 * rises in the middle and sinks at the walls, counter-clockwise on the left and clockwise on the
 * right. */
static void measure_turns(Job *job) {
  double low[3], high[3];
  const double middle = 0.5 * (job->low[0] + job->high[0]);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++) low[k] = job->low[k], high[k] = nextafter(job->high[k], INFINITY);
    if (!job->meridian) (side ? low : high)[0] = middle;
    job->half[side] = dls_tracks_turn(&job->tracks, 0, upright(job), low, high);
  }
}

/* One loop of cells in each half, as high as bodies are everywhere in it most of the time. */
static DlsStatus measure_flow(Job *job) {
  if (!job->grid[0]) return DLS_OK;
  const int half = job->grid[0] / 2, last = job->grid[0] - 1;
  DLS_TRY(dls_flow_take(&job->tracks, 0, upright(job), job->grid[0], job->grid[1], job->low,
                        job->high, &job->flow));
  job->rows = dls_flow_rows(&job->flow, 0, last);
  DLS_CHECK(job->rows >= 2 && (job->meridian || half >= 2), DLS_ERR_ARGUMENT, "--grid %s: %s",
            job->grid_text,
            job->rows < 2 ? "too few rows from below have bodies in each cell in half of the "
                            "intervals; take larger cells"
                          : "a loop in each half needs four cells across");
  if (job->meridian) {
    job->loop[0] = dls_flow_circulation(&job->flow, 0, last, job->rows);
  } else {
    job->loop[0] = dls_flow_circulation(&job->flow, 0, half - 1, job->rows);
    job->loop[1] = dls_flow_circulation(&job->flow, last + 1 - half, last, job->rows);
  }
  return DLS_OK;
}

static DlsTrackMove layer(const Job *job, int n, double *place) {
  double low[3], high[3];
  const double from = job->low[job->axis], width = (job->high[job->axis] - from) / job->bins;
  for (int k = 0; k < 3; k++) low[k] = -INFINITY, high[k] = INFINITY;
  low[job->axis] = from + n * width;
  high[job->axis] = n + 1 < job->bins ? from + (n + 1) * width : INFINITY;
  *place = from + (n + 0.5) * width;
  return dls_tracks_move(&job->tracks, low, high);
}

static DlsTrackMove move_of_all(const Job *job) {
  const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
  return dls_tracks_move(&job->tracks, low, high);
}

static void print_loops(const Job *job) {
  if (!job->grid[0]) return;
  for (int side = 0; side < (job->meridian ? 1 : 2); side++)
    printf("circulates     %s %.4g +- %.2g m2 from one moment to the next, around %.4g m2\n",
           job->meridian ? "meridian plane"
           : side        ? "right half"
                         : "left half ",
           job->loop[side].mean, job->loop[side].error, job->loop[side].area);
  printf("               up to %c = %.4g m, where cells hold bodies half of the time\n",
         job->tracks.dim == 2 && !job->meridian ? 'y' : 'z',
         job->flow.low[1] + job->rows * job->flow.width[1]);
}

static void print_page(const Job *job) {
  const DlsTracks *t = &job->tracks;
  const DlsTrackMove all = move_of_all(job);
  const char *axes = job->meridian ? "rz" : "xyz";
  printf("moments        %d, from t = %.9g to %.9g s\nbodies         %d at all of them\n",
         t->moments, t->time[0], t->time[t->moments - 1], t->bodies);
  printf("moved          ");
  for (int k = 0; k < t->dim; k++)
    printf("%s%c %.4g +- %.2g", k ? ", " : "", axes[k], all.mean[k], all.error[k]);
  printf(" m from one moment to the next\n");
  for (int side = 0; side < (job->meridian ? 1 : 2); side++)
    printf("turns          %s %.4g +- %.2g rad from one moment to the next, %.0f bodies\n",
           job->meridian ? "meridian plane"
           : side        ? "right half"
                         : "left half ",
           job->half[side].mean, job->half[side].error, job->half[side].bodies);
  print_loops(job);
  for (int n = 0; n < job->bins; n++) {
    double place;
    const DlsTrackMove m = layer(job, n, &place);
    printf("%c = %-10.4g  ", axes[job->axis], place);
    for (int k = 0; k < t->dim; k++)
      printf("%s%c %.4g +- %.2g", k ? ", " : "", axes[k], m.mean[k], m.error[k]);
    printf(" m, %.1f bodies\n", m.bodies);
  }
}

static void print_numbers(DlsJson *json, const char *key, const double *value, int count) {
  dls_json_open(json, key, '[');
  for (int k = 0; k < count; k++) dls_json_real(json, NULL, value[k]);
  dls_json_close(json, ']');
}

static void print_move(DlsJson *json, const DlsTrackMove *m, int dim) {
  print_numbers(json, "moved", m->mean, dim);
  print_numbers(json, "moved_error", m->error, dim);
  dls_json_real(json, "bodies", m->bodies);
}

static void print_json(const Job *job) {
  const DlsTracks *t = &job->tracks;
  const DlsTrackMove all = move_of_all(job);
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_integer(&json, "moments", t->moments);
  dls_json_real(&json, "from", t->time[0]);
  dls_json_real(&json, "to", t->time[t->moments - 1]);
  print_move(&json, &all, t->dim);
  dls_json_open(&json, "turns", '[');
  for (int side = 0; side < (job->meridian ? 1 : 2); side++) {
    dls_json_open(&json, NULL, '{');
    dls_json_real(&json, "mean", job->half[side].mean);
    dls_json_real(&json, "error", job->half[side].error);
    dls_json_real(&json, "bodies", job->half[side].bodies);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_open(&json, "circulation", '[');
  for (int side = 0; job->grid[0] && side < (job->meridian ? 1 : 2); side++) {
    dls_json_open(&json, NULL, '{');
    dls_json_real(&json, "mean", job->loop[side].mean);
    dls_json_real(&json, "error", job->loop[side].error);
    dls_json_real(&json, "area", job->loop[side].area);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_open(&json, "profile", '[');
  for (int n = 0; n < job->bins; n++) {
    double place;
    const DlsTrackMove m = layer(job, n, &place);
    dls_json_open(&json, NULL, '{');
    dls_json_real(&json, "place", place);
    print_move(&json, &m, t->dim);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

static DlsStatus write_layers(const Job *job, DlsCsv *csv) {
  for (int n = 0; n < job->bins; n++) {
    double row[8];
    const DlsTrackMove m = layer(job, n, &row[0]);
    for (int k = 0; k < 3; k++) row[1 + k] = m.mean[k], row[4 + k] = m.error[k];
    row[7] = m.bodies;
    DLS_TRY(dls_csv_row(csv, row));
  }
  return DLS_OK;
}

static DlsStatus write_bodies(const Job *job, DlsCsv *csv) {
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

static DlsStatus write_csv(const Job *job) {
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
static DlsStatus write_vtu(const Job *job) {
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
static void place_cell(const Job *job, int column, int row, double (*corner)[3]) {
  static const int step[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
  const DlsFlow *f = &job->flow;
  for (int n = 0; n < 4; n++) {
    for (int k = 0; k < 3; k++) corner[n][k] = 0.5 * (job->low[k] + job->high[k]);
    corner[n][f->axis[0]] = f->low[0] + (column + step[n][0]) * f->width[0];
    corner[n][f->axis[1]] = f->low[1] + (row + step[n][1]) * f->width[1];
  }
}

static DlsStatus write_field(const Job *job) {
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

static DlsStatus draw(const Job *job) {
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
      .up = upright(job),
      .outlines = !job->meridian,
      .title = title,
      .across_label = job->meridian ? "distance from the axis, m" : "x, m",
      .up_label = upright(job) == 1 && !job->meridian ? "y, m" : "z, m"};
  return dls_track_picture_write(&picture, job->svg);
}

static DlsStatus work(Job *job) {
  DLS_TRY(take(job));
  measure_turns(job);
  DLS_TRY(measure_flow(job));
  if (job->json)
    print_json(job);
  else
    print_page(job);
  DLS_TRY(write_csv(job));
  DLS_TRY(write_vtu(job));
  DLS_TRY(write_field(job));
  return draw(job);
}

static int check(const Job *job) {
  if (!job->folder)
    return app_refuse(job->command, "which result? delassus %s FOLDER, the folder of a run",
                      job->command->name);
  if (job->count && isnan(job->period))
    return app_refuse(job->command, "--count is of periods; give --period too");
  if (job->field && !job->grid_text)
    return app_refuse(job->command, "--field is of --grid; give that too, such as --grid 10x8");
  if (job->from >= job->to)
    return app_refuse(job->command, "--from %g is not before --to %g", job->from, job->to);
  return APP_GO_ON;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self, .from = NAN, .to = NAN, .period = NAN};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = check(&job);
  if (status == APP_GO_ON) status = work(&job) == DLS_OK ? APP_DONE : app_refuse_status(self);
  dls_flow_clear(&job.flow);
  dls_tracks_clear(&job.tracks);
  return status;
}

static const char details[] =
    "With --period the frames of one phase of what repeats: what is left of the motion is the "
    "slow\n"
    "flow. Means are over bodies, errors from the scatter among intervals.\n"
    "\n"
    "  delassus post displacements out/shaken --period 0.05 --from 0.5 --svg flow.svg\n"
    "  delassus post displacements out/vessel --period 0.04 --meridian --profile r:8\n"
    "  delassus post displacements out/shaken --period 0.05 --grid 10x8 --field flow.vtu\n";

const AppCommand app_post_displacements = {
    .name = "post displacements",
    .usage = "RESULT [options]",
    .summary = "What bodies move between two moments, or from period to period; how halves turn",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
