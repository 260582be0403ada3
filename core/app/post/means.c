/* Means over the frames of a run: what every `delassus post` command does with --mean and
 * --phase. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/post/post.h"
#include "base/json.h"
#include "record/draw.h"
#include "record/packing_read.h"
#include "record/time_average_write.h"
#include "run/averages.h"

typedef struct {
  AppPost *post;
  DlsObservableRequest request;
  DlsTimeAverage *average;
  DlsDeck *deck; /* what the run resolved its deck to; NULL: not read */
  DlsSceneData data;
  const char **labels; /* NULL: numbers */
} Job;

/* Names of boundaries, from the resolved deck beside the frames; without it they keep their
 * numbers. */
static void read_names(Job *job) {
  char path[2300];
  snprintf(path, sizeof path, "%s/resolved.yaml", job->post->folder);
  if (job->request.kind != DLS_OBSERVABLE_WALLS || access(path, R_OK) != 0) return;
  if (dls_deck_open(path, &job->deck) != DLS_OK ||
      dls_deck_read(job->deck, dls_scene_section(), &job->data) != DLS_OK)
    return;
  const DlsObservable *r = dls_time_average_observable(job->average);
  if (r && r->boundaries == job->data.boundaries.count)
    (void)dls_averages_walls(&job->data, &job->labels);
}

/* All frames of the window, one after the other; the first tells the dimension. */
static DlsStatus add_frames(Job *job, int first, int last) {
  DlsPacking g = {0};
  DlsStatus status = DLS_OK;
  for (int k = first; k <= last && status == DLS_OK; k++) {
    status = dls_packing_read(job->post->folder, k, &g);
    if (status == DLS_OK && !job->average)
      status = dls_time_average_create(&job->request, g.dim, &job->post->window, &job->average);
    if (status == DLS_OK) status = dls_time_average_add(job->average, &g);
  }
  dls_packing_clear(&g);
  return status;
}

/* The window that is not given: all frames, or the one of --frame. */
static DlsStatus set_window(Job *job, int *first, int *last) {
  AppPost *post = job->post;
  DlsWindow *w = &post->window;
  DlsPacking g = {0};
  int frames;
  DLS_TRY(dls_packing_frames(post->folder, &frames));
  DLS_CHECK(!post->mean || post->frame < 0, DLS_ERR_ARGUMENT,
            "--frame is one moment; leave it out, or --mean and --phase");
  DLS_CHECK(post->frame < frames, DLS_ERR_ARGUMENT, "%s: has the frames 0 to %d, none of number %d",
            post->folder, frames - 1, post->frame);
  *first = post->mean ? 0 : post->frame < 0 ? frames - 1 : post->frame;
  *last = post->mean ? frames - 1 : *first;
  w->blocks = post->blocks ? (int)post->blocks : DLS_MEAN_BLOCKS;
  if (w->bins == 0) w->bins = 1;
  if (w->to > 0) return DLS_OK;
  DLS_TRY(dls_packing_read(post->folder, *last, &g));
  w->to = g.time + g.h;
  w->from = post->mean ? 0 : g.time - g.h;
  dls_packing_clear(&g);
  return DLS_OK;
}

static void print_value(const char *name, const char *unit, const DlsMeanValue *v) {
  printf("%-26s % .6e", name, v->mean);
  if (isfinite(v->error)) printf(" +- %.1e", v->error);
  printf(" %s", unit);
  if (isfinite(v->correlation) && v->correlation > 0.5)
    printf("  (blocks correlated: %.2f)", v->correlation);
  printf("\n");
}

static void print_row(const Job *job, int row) {
  const DlsObservable *r = dls_time_average_observable(job->average);
  DlsObservableArray arrays[DLS_OBSERVABLE_ARRAYS];
  const int count = dls_observable_arrays(r->kind, r->dim, arrays, NULL);
  int column = 0;
  if (r->kind == DLS_OBSERVABLE_CUT) printf("%s\n", job->request.cuts[row]);
  if (r->kind == DLS_OBSERVABLE_WALLS && job->labels) printf("%s\n", job->labels[row]);
  if (r->kind == DLS_OBSERVABLE_WALLS && !job->labels) printf(row ? "boundary %d\n" : "all\n", row);
  for (int k = 0; k < count; k++)
    for (int c = 0; c < arrays[k].components; c++, column++) {
      char name[64];
      if (arrays[k].components > 9 ||
          !dls_time_average_component(&arrays[k], r->dim, c, name, sizeof name))
        continue;
      const DlsMeanValue v = dls_mean_value(dls_time_average_mean(job->average), 0, row, column);
      print_value(name, arrays[k].unit, &v);
    }
}

static void print_page(const Job *job) {
  const DlsObservable *r = dls_time_average_observable(job->average);
  const DlsMean *mean = dls_time_average_mean(job->average);
  const DlsWindow *w = dls_mean_window(mean);
  double first, last;
  dls_mean_span(mean, &first, &last);
  printf("instants       %lld, from %.6g s to %.6g s", (long long)dls_mean_instants(mean, -1),
         first, last);
  if (w->period > 0)
    printf("; %d phases of %g s", w->bins, w->period);
  else if (job->post->mean)
    printf("; +- is the standard error from %d blocks", dls_mean_value(mean, 0, 0, 0).blocks);
  printf("\n");
  if (w->period > 0 || dls_time_average_is_spatial(job->average)) return;
  if (r->kind == DLS_OBSERVABLE_PROFILE || r->kind == DLS_OBSERVABLE_FLOOR) return;
  for (int row = 0; row < dls_mean_rows(mean); row++) print_row(job, row);
}

static void json_row(const Job *job, DlsJson *json, int bin, int row) {
  const DlsObservable *r = dls_time_average_observable(job->average);
  DlsObservableArray arrays[DLS_OBSERVABLE_ARRAYS];
  const int count = dls_observable_arrays(r->kind, r->dim, arrays, NULL);
  double place[3];
  int first = 0;
  dls_json_open(json, NULL, '{');
  if (job->labels) dls_json_text(json, "name", job->labels[row]);
  dls_observable_place(r, row, place);
  if (r->kind == DLS_OBSERVABLE_PROFILE || r->kind == DLS_OBSERVABLE_FLOOR)
    dls_json_real(json, "place", place[0]);
  for (int k = 0; k < count; first += arrays[k++].components)
    for (int error = 0; error < 2; error++) {
      char name[64];
      snprintf(name, sizeof name, "%s%s", arrays[k].name, error ? "_error" : "");
      if (arrays[k].components > 1) dls_json_open(json, name, '[');
      for (int c = 0; c < arrays[k].components; c++) {
        const DlsMeanValue v =
            dls_mean_value(dls_time_average_mean(job->average), bin, row, first + c);
        dls_json_real(json, arrays[k].components > 1 ? NULL : name, error ? v.error : v.mean);
      }
      if (arrays[k].components > 1) dls_json_close(json, ']');
    }
  dls_json_close(json, '}');
}

static void print_json(const Job *job) {
  const DlsMean *mean = dls_time_average_mean(job->average);
  DlsJson json = {.file = stdout};
  double first, last;
  dls_mean_span(mean, &first, &last);
  dls_json_open(&json, NULL, '{');
  dls_json_integer(&json, "instants", (long)dls_mean_instants(mean, -1));
  dls_json_real(&json, "first", first);
  dls_json_real(&json, "last", last);
  dls_json_open(&json, "bins", '[');
  for (int bin = 0; bin < dls_mean_window(mean)->bins; bin++) {
    dls_json_open(&json, NULL, '{');
    dls_json_real(&json, "time", dls_time_average_moment(job->average, bin));
    dls_json_integer(&json, "instants", (long)dls_mean_instants(mean, bin));
    dls_json_open(&json, "rows", '[');
    for (int row = 0; row < dls_mean_rows(mean); row++) json_row(job, &json, bin, row);
    dls_json_close(&json, ']');
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

/* "a/b/c.vtu" is the stem c in a/b. */
static DlsStatus write_files(const Job *job) {
  char folder[2300], stem[300];
  const char *out = job->post->out, *slash = out ? strrchr(out, '/') : NULL;
  static const char *const ends[] = {".csv", ".vtu", ".pvd"};
  snprintf(folder, sizeof folder, "%s", out ? "." : job->post->folder);
  snprintf(stem, sizeof stem, "mean_%s", dls_observable_text(job->request.kind));
  if (out) snprintf(stem, sizeof stem, "%s", slash ? slash + 1 : out);
  if (slash) snprintf(folder, sizeof folder, "%.*s", (int)(slash == out ? 1 : slash - out), out);
  for (int k = 0; k < DLS_COUNT(ends); k++) {
    char *end = strstr(stem, ends[k]);
    if (end && end > stem && end[4] == '\0') *end = '\0';
  }
  DLS_TRY(
      dls_time_average_write(job->average, job->labels, folder, stem, &(DlsVtuOptions){.zlib = 1}));
  if (!job->post->json)
    printf("file           %s/%s.%s\n", folder, stem,
           !dls_time_average_is_spatial(job->average) ? "csv"
           : job->post->window.period > 0             ? "pvd"
                                                      : "vtu");
  return DLS_OK;
}

static DlsStatus work(Job *job) {
  const AppPost *post = job->post;
  char title[120];
  int first = 0, last = -1;
  DLS_TRY(set_window(job, &first, &last));
  DLS_TRY(add_frames(job, first, last));
  DLS_CHECK(dls_time_average_observable(job->average), DLS_ERR_ARGUMENT,
            "%s: no frame with forces between %g s and %g s; the deck's output: every: tells when "
            "there are frames",
            post->folder, post->window.from, post->window.to);
  read_names(job);
  DLS_CHECK(!post->json || !dls_time_average_is_spatial(job->average), DLS_ERR_ARGUMENT,
            "%s: has no JSON form; it goes to VTU files", dls_observable_text(job->request.kind));
  if (post->json)
    print_json(job);
  else
    print_page(job);
  if (post->mean || post->out) DLS_TRY(write_files(job));
  if (post->mean)
    snprintf(title, sizeof title, "%s, mean of %lld instants",
             dls_observable_text(job->request.kind),
             (long long)dls_mean_instants(dls_time_average_mean(job->average), -1));
  else
    snprintf(title, sizeof title, "%s", dls_observable_text(job->request.kind));
  return post->svg ? dls_draw_means(job->average, job->labels, title, post->svg) : DLS_OK;
}

int app_post_means(const AppCommand *self, AppPost *post, DlsObservableRequest request) {
  Job job = {.post = post, .request = request};
  if (!post->folder)
    return app_refuse(self, "which result? delassus %s FOLDER, the folder of a run", self->name);
  job.request.region = post->region_text;
  const DlsStatus status = work(&job);
  const int result = status == DLS_OK ? APP_DONE : app_refuse_status(self);
  free(job.labels);
  if (job.deck) dls_deck_release(dls_scene_section(), &job.data);
  dls_deck_destroy(&job.deck);
  dls_time_average_destroy(&job.average);
  return result;
}
