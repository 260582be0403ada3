/* delassus post trajectory: where chosen bodies are, frame by frame. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "app/post/post.h"
#include "plot/panel.h"
#include "plot/runner.h"
#include "record/csv.h"
#include "record/packing_read.h"

enum { MOST = 8, NUMBERS = 6, HEAD = 2 }; /* bodies; x v of each; time and frame */

typedef struct {
  const AppCommand *command;
  const char *folder, *csv, *svg;
  int64_t body[MOST];
  int bodies;
  double *row; /* [frames][1 + bodies * NUMBERS]: time, then each body; NaN: not there */
  int frames, dim;
} Job;

static bool add_bodies(const AppCommand *command, const AppOption *option, const char *value,
                       void *field) {
  Job *job = field;
  (void)option;
  for (const char *next = value;;) {
    char *end;
    errno = 0;
    const long long id = strtoll(next, &end, 10);
    if (end == next || errno || id < 0 || (*end && *end != ',')) {
      app_refuse(command, "--body %s: are ids of bodies with commas, as 17,4", value);
      return false;
    }
    if (job->bodies == MOST) {
      app_refuse(command, "--body: %d bodies at most; ask again for the others", MOST);
      return false;
    }
    job->body[job->bodies++] = id;
    if (!*end) return true;
    next = end + 1;
  }
}

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, folder, "result"),
    {.name = "body",
     .value = "ID,ID",
     .meaning = "ids of bodies, the array `id` of frames; repeats",
     .kind = APP_READ,
     .repeats = true,
     .read = add_bodies},
    APP_TEXT_ROW(Job, csv, "csv", "FILE", "the table; RESULT/trajectory.csv unless given"),
    APP_TEXT_ROW(Job, svg, "svg", "FILE", "coordinates over time, a picture"),
};

static int find(const DlsPacking *g, int64_t id) {
  int low = 0, high = g->grains;
  while (low < high) {
    const int middle = low + (high - low) / 2;
    if (g->id[middle] < id)
      low = middle + 1;
    else
      high = middle;
  }
  return low < g->grains && g->id[low] == id ? low : -1;
}

static int width(const Job *job) { return 1 + job->bodies * NUMBERS; }

static DlsStatus read_frames(Job *job) {
  bool found[MOST] = {false};
  DlsPacking g = {0};
  DlsStatus status = DLS_OK;
  DLS_TRY(dls_packing_frames(job->folder, &job->frames));
  job->row = calloc((size_t)job->frames * (size_t)width(job) + 1, sizeof *job->row);
  DLS_CHECK(job->row, DLS_ERR_MEMORY, "out of memory for %d frames", job->frames);
  for (int k = 0; status == DLS_OK && k < job->frames; k++) {
    double *row = job->row + (size_t)k * (size_t)width(job);
    status = dls_packing_read(job->folder, k, &g);
    if (status != DLS_OK) break;
    job->dim = g.dim;
    row[0] = g.time;
    for (int b = 0; b < job->bodies; b++) {
      const int i = find(&g, job->body[b]);
      found[b] = found[b] || i >= 0;
      for (int e = 0; e < 3; e++) {
        row[1 + b * NUMBERS + e] = i < 0 ? NAN : g.position[i][e];
        row[4 + b * NUMBERS + e] = i < 0 ? NAN : g.velocity[i][e];
      }
    }
  }
  dls_packing_clear(&g);
  for (int b = 0; status == DLS_OK && b < job->bodies; b++)
    if (!found[b])
      status = dls_fail(DLS_ERR_ARGUMENT, "%s: no frame has a body %" PRId64 "; see the array `id`",
                        job->folder, job->body[b]);
  return status;
}

static DlsStatus write_table(const Job *job, const char *path) {
  static const char *const words[NUMBERS] = {"x", "y", "z", "vx", "vy", "vz"};
  char name[MOST * NUMBERS][40];
  DlsCsvColumn columns[1 + MOST * NUMBERS] = {{"time", "s"}};
  for (int b = 0; b < job->bodies; b++)
    for (int e = 0; e < NUMBERS; e++) {
      char *text = name[b * NUMBERS + e];
      snprintf(text, sizeof name[0], "%s_%" PRId64, words[e], job->body[b]);
      columns[1 + b * NUMBERS + e] = (DlsCsvColumn){text, e < 3 ? "m" : "m/s"};
    }
  DlsCsv *csv = NULL;
  DLS_TRY(dls_csv_create(path, columns, width(job), NULL, &csv));
  DlsStatus status = DLS_OK;
  for (int k = 0; status == DLS_OK && k < job->frames; k++)
    status = dls_csv_row(csv, job->row + (size_t)k * (size_t)width(job));
  const DlsStatus closed = dls_csv_close(&csv);
  return status != DLS_OK ? status : closed;
}

static DlsStatus draw(const Job *job) {
  static const char *const labels[3] = {"x, m", "y, m", "z, m"};
  DlsPlotPanel panels[3];
  DlsPlotCurve curves[3][MOST];
  char name[MOST][40];
  const size_t frames = (size_t)job->frames;
  double *room = calloc(frames * (1 + 3 * MOST) + 1, sizeof *room);
  DLS_CHECK(room, DLS_ERR_MEMORY, "out of memory for a picture of %d frames", job->frames);
  for (size_t k = 0; k < frames; k++) room[k] = job->row[k * (size_t)width(job)];
  for (int b = 0; b < job->bodies; b++) {
    snprintf(name[b], sizeof name[b], "body %" PRId64, job->body[b]);
    for (int e = 0; e < job->dim; e++) {
      double *y = room + frames * (size_t)(1 + 3 * b + e);
      for (size_t k = 0; k < frames; k++)
        y[k] = job->row[k * (size_t)width(job) + (size_t)(1 + b * NUMBERS + e)];
      curves[e][b] = (DlsPlotCurve){.label = name[b],
                                    .x = room,
                                    .y = y,
                                    .count = job->frames,
                                    .ink = dls_plot_inks[b % DLS_PLOT_INKS]};
    }
  }
  for (int e = 0; e < job->dim; e++)
    panels[e] = (DlsPlotPanel){
        .x_label = "time, s", .y_label = labels[e], .curves = curves[e], .count = job->bodies};
  const DlsStatus status = dls_plot_panels(panels, job->dim, 1, 640, 260, job->svg);
  free(room);
  return status;
}

static DlsStatus work(Job *job) {
  char path[2300];
  DLS_TRY(read_frames(job));
  snprintf(path, sizeof path, "%s%s", job->csv ? job->csv : job->folder,
           job->csv ? "" : "/trajectory.csv");
  DLS_TRY(write_table(job, path));
  printf("%d frames: %s\n", job->frames, path);
  return job->svg ? draw(job) : DLS_OK;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON && !job.folder)
    status = app_refuse(self, "which result? delassus %s FOLDER --body ID", self->name);
  if (status == APP_GO_ON && !job.bodies)
    status = app_refuse(self, "which bodies? --body ID, as the array `id` of frames has them");
  if (status == APP_GO_ON) status = work(&job) == DLS_OK ? APP_DONE : app_refuse_status(self);
  free(job.row);
  return status;
}

const AppCommand app_post_trajectory = {
    .name = "post trajectory",
    .usage = "RESULT --body ID[,ID] [options]",
    .summary = "Places and velocities of chosen bodies, frame by frame",
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
