#include "run/averages.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/draw.h"
#include "record/time_average_write.h"

struct DlsAverages {
  const DlsScene *scene;
  int count;
  const DlsSceneAverage *item;   /* [count], of the scene */
  DlsTimeAverage **time_average; /* [count] */
  const char **walls;            /* [boundaries + 1] */
};

static DlsObservableRequest request_of(const DlsSceneAverage *a) {
  const bool lines = a->by < 0 ? a->of == DLS_OBSERVABLE_PROFILE : a->by == DLS_AVERAGE_LINES;
  return (DlsObservableRequest){.kind = (DlsObservableKind)a->of,
                                .region = a->region,
                                .average = lines ? DLS_AVERAGE_LINES : DLS_AVERAGE_CENTRES,
                                .along = a->along,
                                .cuts = (const char *const *)a->cuts.values,
                                .ncuts = a->cuts.count,
                                .grid = a->grid,
                                .kernel = a->kernel,
                                .plain = !a->walls,
                                .centre = isnan(a->centre[0]) ? NULL : a->centre};
}

/* One that ends with a run that is over before it begins is empty, which is no mistake: runs are
 * cut short by --set time.end. */
static DlsWindow window_of(const DlsSceneAverage *a, double end) {
  return (DlsWindow){.from = a->from,
                     .to = isnan(a->to) ? fmax(end, nextafter(a->from, INFINITY)) : a->to,
                     .period = a->period,
                     .blocks = a->blocks,
                     .bins = a->period > 0 ? a->bins : 1};
}

/* Keys that only some kinds look at. */
static void check_keys(DlsDeck *deck, const DlsSceneAverage *a) {
  const bool field = a->of == DLS_OBSERVABLE_FIELD, floor = a->of == DLS_OBSERVABLE_FLOOR;
  const struct {
    const char *key;
    bool given, good;
  } keys[] = {
      {"along", a->along, floor || a->of == DLS_OBSERVABLE_PROFILE},
      {"grid", a->grid, field},
      {"kernel", a->kernel, field},
      {"cuts", a->cuts.count > 0, a->of == DLS_OBSERVABLE_CUT},
      {"centre", !isnan(a->centre[0]), floor},
      {"region", a->region, a->of != DLS_OBSERVABLE_CUT && a->of != DLS_OBSERVABLE_GRAINS},
  };
  for (int k = 0; k < DLS_COUNT(keys); k++)
    if (keys[k].given && !keys[k].good)
      dls_deck_problem(deck, a->node, keys[k].key, "%s has no use for it; take it away",
                       dls_observable_text((DlsObservableKind)a->of));
}

void dls_averages_check(DlsDeck *deck, const DlsScene *scene) {
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
  const DlsSceneAverage *items = scene->data.output.averages.items;
  for (int k = 0; k < scene->data.output.averages.count; k++) {
    const DlsSceneAverage *a = &items[k];
    const DlsObservableRequest request = request_of(a);
    const DlsWindow window = window_of(a, scene->data.time.end);
    const char *key = NULL;
    if (strspn(a->name, letters) != strlen(a->name) || strlen(a->name) > 40)
      dls_deck_problem(deck, a->node, NULL,
                       "the name goes into that of a file; take up to 40 letters, digits, - and _");
    if (!(window.from < window.to))
      dls_deck_problem(deck, a->node, "from",
                       "the average is from %g s to %g s; let it begin before it ends", window.from,
                       window.to);
    if (dls_observable_check(&request, scene->data.dimension, &key) != DLS_OK)
      dls_deck_problem(deck, a->node, key, "%s", dls_error_message());
    check_keys(deck, a);
  }
}

DlsStatus dls_averages_walls(const DlsSceneData *data, const char ***out) {
  const DlsSceneBoundary *items = data->boundaries.items;
  *out = calloc((size_t)data->boundaries.count + 1, sizeof **out);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory for the names of boundaries");
  (*out)[0] = "all";
  for (int k = 0; k < data->boundaries.count; k++) (*out)[k + 1] = items[k].name;
  return DLS_OK;
}

static DlsStatus fill(DlsAverages *a, const DlsScene *scene) {
  const DlsSceneData *data = &scene->data;
  a->scene = scene;
  a->item = data->output.averages.items;
  a->time_average = calloc((size_t)data->output.averages.count, sizeof *a->time_average);
  DLS_CHECK(a->time_average, DLS_ERR_MEMORY, "out of memory for the averages");
  DLS_TRY(dls_averages_walls(data, &a->walls));
  for (; a->count < data->output.averages.count; a->count++) {
    const DlsObservableRequest request = request_of(&a->item[a->count]);
    const DlsWindow window = window_of(&a->item[a->count], data->time.end);
    DLS_TRY(
        dls_time_average_create(&request, data->dimension, &window, &a->time_average[a->count]));
  }
  return DLS_OK;
}

DlsStatus dls_averages_open(const DlsScene *scene, DlsAverages **out) {
  *out = NULL;
  if (!scene->data.output.averages.count) return DLS_OK;
  DlsAverages *a = calloc(1, sizeof *a);
  DLS_CHECK(a, DLS_ERR_MEMORY, "out of memory for the averages");
  const DlsStatus status = fill(a, scene);
  if (status == DLS_OK)
    *out = a;
  else
    dls_averages_close(&a);
  return status;
}

void dls_averages_close(DlsAverages **averages) {
  DlsAverages *a = *averages;
  if (!a) return;
  for (int k = 0; k < a->count; k++) dls_time_average_destroy(&a->time_average[k]);
  free(a->time_average);
  free(a->walls);
  free(a);
  *averages = NULL;
}

/* At the first step that reaches a multiple of `every`, as frames are. */
static bool is_due(const DlsSceneAverage *item, const DlsTimeAverage *time_average,
                   const DlsSimulation *s) {
  const double nearly =
      1e-3 * s->settings.h; /* times so near are the same, whatever h adds up to */
  if (!dls_window_takes(dls_mean_window(dls_time_average_mean(time_average)), s->state.time,
                        s->last.report.h))
    return false;
  if (!(item->every > 0)) return true;
  return floor((s->state.time + nearly) / item->every) >
         floor((s->state.time - s->settings.h + nearly) / item->every);
}

DlsStatus dls_averages_step(DlsAverages *a, const DlsSimulation *s) {
  DlsPacking packing = {0};
  DlsStatus status = DLS_OK;
  bool taken = false;
  for (int k = 0; a && k < a->count && status == DLS_OK; k++) {
    if (!is_due(&a->item[k], a->time_average[k], s)) continue;
    if (!taken) status = dls_packing_take(s, &packing);
    taken = true;
    if (status == DLS_OK) status = dls_time_average_add(a->time_average[k], &packing);
    if (status != DLS_OK) dls_fail_context(status, "output.averages.%s", a->item[k].name);
  }
  dls_packing_clear(&packing);
  return status;
}

static void blob_name(const DlsSceneAverage *item, char out[64]) {
  snprintf(out, 64, "average.%.50s", item->name);
}

DlsStatus dls_averages_save(const DlsAverages *a, DlsCheckpointExtra *extra) {
  for (int k = 0; a && k < a->count; k++) {
    char name[64];
    const size_t size = dls_time_average_bytes(a->time_average[k]);
    char *bytes = malloc(size);
    DLS_CHECK(bytes, DLS_ERR_MEMORY, "out of memory for the average %s", a->item[k].name);
    dls_time_average_save(a->time_average[k], bytes);
    blob_name(&a->item[k], name);
    const DlsStatus status = dls_checkpoint_extra_put(extra, name, bytes, size);
    free(bytes);
    DLS_TRY(status);
  }
  return DLS_OK;
}

/* Why an average of the checkpoint cannot go on; NULL where it can. */
static const char *change_of(const DlsSceneAverage *item, const DlsRestart *restart) {
  char key[400];
  snprintf(key, sizeof key, "output.averages.%.300s", item->name);
  for (int k = 0; k < dls_restart_count(restart); k++) {
    const char *changed = dls_restart_change(restart, k)->what.key;
    if (dls_deck_covers(key, changed)) return "the deck says something else of it now";
    if (isnan(item->to) && strcmp(changed, "time.end") == 0)
      return "it ends with the run, which ends at another time now (give it `to` to keep it)";
  }
  return NULL;
}

DlsStatus dls_averages_restore(DlsAverages *a, const DlsRestart *restart,
                               const DlsCheckpointExtra *extra, double time,
                               const DlsAveragesListener *listener) {
  for (int k = 0; a && k < a->count; k++) {
    char name[64];
    const char *why = change_of(&a->item[k], restart);
    if (why) {
      char sentence[1024];
      snprintf(sentence, sizeof sentence, "average %s begins anew at t = %g s: %s", a->item[k].name,
               time, why);
      listener->tell(listener->context, sentence);
      continue;
    }
    blob_name(&a->item[k], name);
    const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, name);
    if (!blob) {
      DLS_CHECK(a->item[k].from >= time - 1e-3 * a->scene->data.time.step, DLS_ERR_ARGUMENT,
                "output.averages.%s: begins at %g s, before the checkpoint at %g s, which does not "
                "know it; set from to that time or later",
                a->item[k].name, a->item[k].from, time);
      continue;
    }
    const DlsStatus status = dls_time_average_restore(a->time_average[k], blob->bytes, blob->size);
    if (status != DLS_OK) {
      dls_fail_context(status, "output.averages.%s", a->item[k].name);
      return status;
    }
  }
  return DLS_OK;
}

bool dls_averages_describe(const DlsAverages *a, int k, const char *folder, char *text,
                           size_t bytes) {
  if (!a || k < 0 || k >= a->count) return false;
  const DlsTimeAverage *time_average = a->time_average[k];
  const DlsWindow *w = dls_mean_window(dls_time_average_mean(time_average));
  if (!dls_time_average_observable(time_average))
    snprintf(text, bytes, "average %s: begins at %g s; none yet", a->item[k].name, w->from);
  else
    snprintf(text, bytes, "average %s: %lld instants, %s/average_%s.%s", a->item[k].name,
             (long long)dls_mean_instants(dls_time_average_mean(time_average), -1), folder,
             a->item[k].name,
             !dls_time_average_is_spatial(time_average) ? "csv"
             : w->period > 0                            ? "pvd"
                                                        : "vtu");
  return true;
}

DlsStatus dls_averages_write(const DlsAverages *a, const char *folder, int zlib) {
  const DlsVtuOptions options = {.zlib = zlib};
  for (int k = 0; a && k < a->count; k++) {
    char stem[64], path[2300];
    const DlsTimeAverage *time_average = a->time_average[k];
    if (!dls_time_average_observable(time_average)) continue; /* stopped before its time */
    const char *const *labels = a->item[k].of == DLS_OBSERVABLE_WALLS ? a->walls : NULL;
    snprintf(stem, sizeof stem, "average_%.40s", a->item[k].name);
    snprintf(path, sizeof path, "%s/%s.svg", folder, stem);
    DLS_TRY(dls_time_average_write(time_average, labels, folder, stem, &options));
    DLS_TRY(dls_draw_means(time_average, labels, a->item[k].name, path));
  }
  return DLS_OK;
}
