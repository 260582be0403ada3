/* The work of one row, in a process of its own: its stages one after the other, each from the
 * checkpoint it left when it was killed, if there is one; then the table of its frames, and the
 * numbers that results.csv has of it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/run.h>
#include <delassus/version.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/hash.h"
#include "record/series_write.h"
#include "study/study_impl.h"

enum { SHORT = 4096 }; /* bytes of a small file */

typedef struct {
  const DlsStudy *study;
  int row, stage;
  char folder[DLS_STUDY_PATH], mistake[DLS_STUDY_NOTE];
  double began; /* s, of the clock */
  long unconverged;
} Work;

/* The text of a small file; "" where there is none. */
static void read_small(const char *folder, const char *name, char text[SHORT]) {
  char path[DLS_STUDY_PATH + 64];
  FILE *file;
  text[0] = '\0';
  snprintf(path, sizeof path, "%s/%s", folder, name);
  if (access(path, R_OK) != 0 || dls_file_open(path, &file) != DLS_OK) return;
  text[fread(text, 1, SHORT - 1, file)] = '\0';
  fclose(file);
}

static DlsStatus write_small(const char *folder, const char *name, const char *text) {
  char path[DLS_STUDY_PATH + 64];
  DlsFile *file = NULL;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_put(file, text, strlen(text));
  return dls_file_commit(&file);
}

static void remove_file(const char *folder, const char *name) {
  char path[DLS_STUDY_PATH + 64];
  snprintf(path, sizeof path, "%s/%s", folder, name);
  (void)unlink(path);
}

/* What a run is: program, decks and settings. A folder of another one is begun anew. */
static DlsStatus identify(const Work *w, char text[SHORT]) {
  const DlsStudy *s = w->study;
  uint64_t hash = DLS_HASH_BEGIN;
  for (int stage = 0; stage < s->data.deck.count; stage++) {
    DlsStudySettings settings;
    char bytes[4096];
    size_t count;
    FILE *file;
    DLS_TRY(dls_file_open(s->path[stage], &file));
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0) dls_hash_mix(&hash, bytes, count);
    fclose(file);
    DLS_TRY(dls_study_settings(s, w->row, stage, &settings));
    for (int k = 0; k < settings.count; k++)
      dls_hash_mix(&hash, settings.item[k], strlen(settings.item[k]) + 1);
    dls_study_settings_clear(&settings);
  }
  for (int c = 0; c < s->table.columns && s->data.kind == DLS_STUDY_SOLVE; c++) {
    const char *const parts[] = {s->table.column[c].keys[0], dls_study_cell(&s->table, w->row, c)};
    for (int p = 0; p < 2; p++) dls_hash_mix(&hash, parts[p], strlen(parts[p]) + 1);
  }
  snprintf(text, SHORT, "delassus %s, decks and settings %016" PRIx64 "\n", DLS_VERSION, hash);
  return DLS_OK;
}

/* Nothing of another run is taken for one of this: its marks and checkpoints go first, then the
 * folder is named. */
static DlsStatus enter(const Work *w) {
  static const char *const marks[] = {"finished.txt", "checkpoint.h5", "checkpoint.prev.h5",
                                      "series.txt"};
  const DlsStudy *s = w->study;
  char folder[DLS_STUDY_PATH], is[SHORT], was[SHORT];
  dls_study_row_folder(s, w->row, folder);
  DLS_TRY(dls_file_make_folder(folder));
  DLS_TRY(identify(w, is));
  read_small(folder, "study.txt", was);
  if (strcmp(is, was) == 0) return DLS_OK;
  const int stages = s->data.deck.count ? s->data.deck.count : 1;
  for (int stage = 0; stage < stages; stage++) {
    char below[DLS_STUDY_PATH];
    dls_study_stage_folder(s, w->row, stage, below);
    for (int k = 0; k < DLS_COUNT(marks); k++) remove_file(below, marks[k]);
  }
  return write_small(folder, "study.txt", is);
}

static bool asked_to_stop(void *context) {
  const Work *w = context;
  return atomic_load(&w->study->board->stop);
}

static void hear(void *context, DlsRunEvent event, const char *text) {
  Work *w = context;
  if ((event == DLS_RUN_MISTAKE || event == DLS_RUN_CHANGE) && !w->mistake[0])
    snprintf(w->mistake, sizeof w->mistake, "%s", text);
}

static double limit_of(const DlsStudy *s) {
  return s->options.limit > 0 ? s->options.limit : s->data.limit;
}

/* From its own checkpoint; or from the last one of the stage before; or from the deck. */
static DlsStatus open_run(Work *w, DlsRun **run) {
  const DlsStudy *s = w->study;
  DlsRunOptions o = dls_run_options_default();
  char checkpoint[DLS_STUDY_PATH + 64], before[DLS_STUDY_PATH];
  const double limit = limit_of(s);
  o.out = w->folder;
  o.overwrite = true;
  o.stop = asked_to_stop;
  o.tell = hear;
  o.context = w;
  if (limit > 0) o.max_time = limit - (dls_clock_now() - w->began);
  if (limit > 0 && o.max_time < 1e-3) o.max_time = 1e-3;
  snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint.h5", w->folder);
  o.restart = checkpoint;
  if (access(checkpoint, R_OK) == 0 && dls_run_open(NULL, &o, run) == DLS_OK) return DLS_OK;
  w->mistake[0] = '\0';
  o.restart = NULL;
  if (w->stage > 0) {
    dls_study_stage_folder(s, w->row, w->stage - 1, before);
    snprintf(checkpoint, sizeof checkpoint, "%s/checkpoint.h5", before);
    o.restart = checkpoint;
    o.stage = true;
  }
  DlsStudySettings settings;
  DLS_TRY(dls_study_settings(s, w->row, w->stage, &settings));
  o.set = (const char *const *)settings.item;
  o.nset = settings.count;
  const DlsStatus status = dls_run_open(s->path[w->stage], &o, run);
  dls_study_settings_clear(&settings);
  return status;
}

static void tell_progress(const Work *w, const DlsRunReport *r) {
  const double share = r->end_time > 0 ? r->time / r->end_time : 1;
  atomic_store(&w->study->board->progress[w->row],
               (w->stage + (share < 1 ? share : 1)) / w->study->data.deck.count);
}

static DlsStatus step_through(Work *w, DlsRun *run, DlsStudyOutcome *out) {
  bool more = true;
  while (more) {
    DLS_TRY(dls_run_step(run, &more));
    const DlsRunReport report = dls_run_report(run);
    tell_progress(w, &report);
  }
  const DlsRunReport report = dls_run_report(run);
  w->unconverged = report.not_converged;
  if (report.state == DLS_RUN_IMPOSSIBLE) {
    out->state = DLS_STUDY_IMPOSSIBLE;
    snprintf(out->note, sizeof out->note, "%s", report.reason);
  } else if (report.state != DLS_RUN_FINISHED) {
    out->state = asked_to_stop(w) ? DLS_STUDY_WAITING : DLS_STUDY_TIMEOUT;
  }
  return DLS_OK;
}

/* A stage that is not finished yet; `out` stays DONE where it is in the end. The mark is the last
 * thing that is written. */
static DlsStatus run_stage(Work *w, DlsStudyOutcome *out) {
  char mark[SHORT];
  DlsRun *run = NULL;
  read_small(w->folder, "finished.txt", mark);
  if (sscanf(mark, "steps not converged: %ld", &w->unconverged) == 1) return DLS_OK;
  DLS_TRY(open_run(w, &run));
  DlsStatus status = step_through(w, run, out);
  const DlsStatus closed = dls_run_close(&run);
  DLS_TRY(status != DLS_OK ? status : closed);
  if (out->state != DLS_STUDY_DONE) return DLS_OK;
  snprintf(mark, sizeof mark, "steps not converged: %ld\n", w->unconverged);
  return write_small(w->folder, "finished.txt", mark);
}

/* series.csv, unless it is there with the same region, average and axis. */
static DlsStatus make_series(const Work *w) {
  const DlsStudySeries *wish = &w->study->data.series;
  char is[SHORT], was[SHORT], path[DLS_STUDY_PATH + 64];
  snprintf(is, sizeof is, "region %s, average %d, axis %d\n", wish->region, wish->average,
           wish->axis);
  read_small(w->folder, "series.txt", was);
  if (strcmp(is, was) == 0) return DLS_OK;
  snprintf(path, sizeof path, "%s/series.csv", w->folder);
  DLS_TRY(dls_series_write(w->folder, wish->region, (DlsAverageKind)wish->average, wish->axis, path,
                           NULL));
  return write_small(w->folder, "series.txt", is);
}

static DlsStatus take_results(const Work *w, DlsStudyOutcome *out) {
  const DlsStudyData *d = &w->study->data;
  const DlsStudyResult *results = d->results.items;
  for (int k = 0; k < d->results.count; k++) {
    char folder[DLS_STUDY_PATH];
    dls_study_stage_folder(w->study, w->row, dls_study_stage(w->study, results[k].stage), folder);
    if (dls_study_take(&results[k], folder, &out->value[k].value, out->value[k].unit) != DLS_OK)
      return dls_fail_context(DLS_ERR_ARGUMENT, "results.%s", results[k].name);
  }
  return DLS_OK;
}

static DlsStatus do_stages(Work *w, DlsStudyOutcome *out) {
  const DlsStudy *s = w->study;
  long unconverged = 0;
  DLS_TRY(enter(w));
  for (w->stage = 0; w->stage < s->data.deck.count; w->stage++) {
    dls_study_stage_folder(s, w->row, w->stage, w->folder);
    DLS_TRY(run_stage(w, out));
    if (out->state != DLS_STUDY_DONE) return DLS_OK;
    unconverged += w->unconverged;
    if (dls_study_wants_series(s, w->stage)) DLS_TRY(make_series(w));
  }
  if (s->data.kind == DLS_STUDY_SOLVE) {
    dls_study_row_folder(s, w->row, w->folder);
    DLS_TRY(dls_study_solve(s, w->row, w->folder, out));
    if (out->state > DLS_STUDY_UNCONVERGED) return DLS_OK;
  }
  if (unconverged) {
    out->state = DLS_STUDY_UNCONVERGED;
    snprintf(out->note, sizeof out->note, "%ld steps not converged", unconverged);
  }
  return take_results(w, out);
}

void dls_study_work(const DlsStudy *study, int row, DlsStudyOutcome *out) {
  Work w = {.study = study, .row = row, .began = dls_clock_now()};
  out->state = DLS_STUDY_DONE;
  out->note[0] = '\0';
  if (do_stages(&w, out) == DLS_OK) return;
  out->state = DLS_STUDY_FAILED;
  snprintf(out->note, sizeof out->note, "%s", w.mistake[0] ? w.mistake : dls_error_message());
}
