/* delassus post displacements: what bodies move between moments: two of them, or those of a
 * stroboscope. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/post/displacements_impl.h"
#include "base/json.h"
#include "record/packing_read.h"

static const AppOption options[] = {
    APP_OPERAND_ROW(AppDisplacements, folder, "result"),
    APP_REAL_ROW(AppDisplacements, from, "from", "S", 0, APP_ANY,
                 "time of the first frame; that of the run"),
    APP_REAL_ROW(AppDisplacements, to, "to", "S", 0, APP_ANY,
                 "time of the last frame; that of the run"),
    APP_REAL_ROW(AppDisplacements, period, "period", "S", APP_ABOVE_0, APP_ANY,
                 "a stroboscope: the frames at --from and whole periods behind it"),
    APP_INTEGER_ROW(AppDisplacements, count, "count", "N", 1, INT_MAX,
                    "of periods; as many as there are"),
    APP_TEXT_ROW(AppDisplacements, region_text, "region", "WORD:...",
                 "bodies that begin there: as of post stress; all unless given"),
    APP_TEXT_ROW(AppDisplacements, profile_text, "profile", "AXIS:N",
                 "means in N layers along x, y or z; with --meridian r or z"),
    APP_TEXT_ROW(AppDisplacements, grid_text, "grid", "NxM",
                 "the mean flow in N cells across and M up, and how it circulates"),
    APP_FLAG_ROW(AppDisplacements, meridian, "meridian",
                 "3-D: distances from the vertical axis, and heights, in the place of x, y, z"),
    APP_TEXT_ROW(AppDisplacements, svg, "svg", "FILE", "lines from place to place, a picture"),
    APP_TEXT_ROW(AppDisplacements, csv, "csv", "FILE",
                 "a table with a row for each body, or of the profile"),
    APP_TEXT_ROW(AppDisplacements, vtu, "vtu", "FILE", "the lines, for ParaView"),
    APP_TEXT_ROW(AppDisplacements, field, "field", "FILE", "the flow of --grid, for ParaView"),
    APP_FLAG_ROW(AppDisplacements, json, "json", "print an object"),
};

/* What to take: a frame at each of these times, to `near`. */
typedef struct {
  double from, period, near; /* s */
  int count;                 /* moments; INT_MAX: all that come */
} Strobe;

/* Two moments of a run without a stroboscope: the frames nearest to `from` and `to`. */
static DlsStatus take_two(AppDisplacements *job, int frames) {
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

static DlsStatus take_strobe(AppDisplacements *job, int frames) {
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

static DlsStatus read_profile(AppDisplacements *job) {
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

static DlsStatus read_grid(AppDisplacements *job) {
  char rest = 0;
  if (!job->grid_text) return DLS_OK;
  if (sscanf(job->grid_text, "%dx%d%c", &job->grid[0], &job->grid[1], &rest) != 2 ||
      job->grid[0] < 2 || job->grid[1] < 2 || job->grid[0] > 1000 || job->grid[1] > 1000)
    return dls_fail(DLS_ERR_ARGUMENT, "--grid %s: is written NxM, 2 to 1000 cells either way",
                    job->grid_text);
  return DLS_OK;
}

static DlsStatus take(AppDisplacements *job) {
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

/* The turning of the left and of the right half, of the meridian plane of the whole: where a flow
 * rises in the middle and sinks at the walls, counter-clockwise on the left and clockwise on the
 * right. */
static void measure_turns(AppDisplacements *job) {
  double low[3], high[3];
  const double middle = 0.5 * (job->low[0] + job->high[0]);
  for (int side = 0; side < 2; side++) {
    for (int k = 0; k < 3; k++) low[k] = job->low[k], high[k] = nextafter(job->high[k], INFINITY);
    if (!job->meridian) (side ? low : high)[0] = middle;
    job->half[side] = dls_tracks_turn(&job->tracks, 0, app_displacements_upright(job), low, high);
  }
}

/* One loop of cells in each half, as high as bodies are everywhere in it most of the time. */
static DlsStatus measure_flow(AppDisplacements *job) {
  if (!job->grid[0]) return DLS_OK;
  const int half = job->grid[0] / 2, last = job->grid[0] - 1;
  DLS_TRY(dls_flow_take(&job->tracks, 0, app_displacements_upright(job), job->grid[0], job->grid[1],
                        job->low, job->high, &job->flow));
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

DlsTrackMove app_displacements_layer(const AppDisplacements *job, int n, double *place) {
  double low[3], high[3];
  const double from = job->low[job->axis], width = (job->high[job->axis] - from) / job->bins;
  for (int k = 0; k < 3; k++) low[k] = -INFINITY, high[k] = INFINITY;
  low[job->axis] = from + n * width;
  high[job->axis] = n + 1 < job->bins ? from + (n + 1) * width : INFINITY;
  *place = from + (n + 0.5) * width;
  return dls_tracks_move(&job->tracks, low, high);
}

static DlsTrackMove move_of_all(const AppDisplacements *job) {
  const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
  return dls_tracks_move(&job->tracks, low, high);
}

static void print_loops(const AppDisplacements *job) {
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

static void print_page(const AppDisplacements *job) {
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
    const DlsTrackMove m = app_displacements_layer(job, n, &place);
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

static void print_json(const AppDisplacements *job) {
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
    const DlsTrackMove m = app_displacements_layer(job, n, &place);
    dls_json_open(&json, NULL, '{');
    dls_json_real(&json, "place", place);
    print_move(&json, &m, t->dim);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

static DlsStatus work(AppDisplacements *job) {
  DLS_TRY(take(job));
  measure_turns(job);
  DLS_TRY(measure_flow(job));
  if (job->json)
    print_json(job);
  else
    print_page(job);
  return app_displacements_write(job);
}

static int check(const AppDisplacements *job) {
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
  AppDisplacements job = {.command = self, .from = NAN, .to = NAN, .period = NAN};
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
