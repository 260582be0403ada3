/* A run that goes on from a checkpoint: whose deck, what may differ, and the line that does it. */
#define _GNU_SOURCE /* program_invocation_name */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/run_impl.h"
#include "app/summary.h"
#include "record/bodies_read.h"

/* All mistakes of the deck, one a line. */
static int refuse_deck(const AppRun *run) {
  const int count = run->deck ? dls_deck_problem_count(run->deck) : 0;
  if (!count) return app_refuse_status(run->command);
  for (int k = 0; dls_deck_problem_text(run->deck, k); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(run->deck, k));
  fprintf(stderr, "delassus run: %d mistake%s in %s; nothing was run\n", count,
          count == 1 ? "" : "s", dls_deck_path(run->deck));
  return APP_WRONG_INPUT;
}

/* What stands in the way of a restart, key by key, and then the sentence. */
static int refuse_changes(const AppRun *run) {
  for (int k = 0; k < dls_restart_count(run->from); k++) {
    const DlsChange *c = dls_restart_change(run->from, k);
    if (c->verdict != DLS_CHANGE_UNASKED && c->verdict != DLS_CHANGE_IMPOSSIBLE) continue;
    fprintf(stderr, "%s: %s: %s -> %s%s%s\n", c->what.place, c->what.key, c->what.then, c->what.now,
            c->reason ? ": " : "", c->reason ? c->reason : "");
  }
  return app_refuse_status(run->command);
}

/* The name that the certificate gives to the deck: also that of a restart without one. */
static bool keep_name(AppRun *run) {
  if (run->deck_path) run->name = strdup(run->deck_path);
  return !run->deck_path || run->name;
}

static DlsStatus open_deck(AppRun *run) {
  if (run->restart) DLS_TRY(dls_restart_open(run->restart, &run->from));
  if (run->deck_path) {
    DLS_TRY(dls_deck_open(run->deck_path, &run->deck));
    for (int k = 0; k < run->nsettings; k++) DLS_TRY(dls_deck_set(run->deck, run->settings[k]));
  } else {
    DLS_TRY(dls_restart_deck(run->from, &run->deck));
    DLS_TRY(dls_restart_set(run->deck, run->settings, run->nsettings));
  }
  if (run->from) DLS_TRY(dls_restart_lend(run->from, run->deck));
  DLS_CHECK(keep_name(run), DLS_ERR_MEMORY, "out of memory for a path");
  return DLS_OK;
}

bool app_run_read(AppRun *run, int *status) {
  const DlsSceneOptions options = {.reader = dls_bodies_read, .restart = run->restart != NULL};
  if (open_deck(run) != DLS_OK ||
      dls_scene_build_with(run->deck, &options, &run->scene) != DLS_OK) {
    *status = refuse_deck(run);
    return false;
  }
  app_averages_check(run->deck, run->scene);
  if (dls_deck_problem_count(run->deck)) {
    *status = refuse_deck(run);
    return false;
  }
  if (run->from && dls_restart_compare(run->from, run->deck, run->scene, run->stage != NULL,
                                       run->change, run->nchange) != DLS_OK) {
    *status = refuse_changes(run);
    return false;
  }
  return true;
}

/* The name of the deck is none of the state: the certificate beside the checkpoint has it. */
static DlsStatus bring_name(AppRun *run) {
  char path[2200];
  const char *slash = strrchr(run->restart, '/');
  if (run->name) return DLS_OK;
  snprintf(path, sizeof path, "%.*s/summary.json", slash ? (int)(slash - run->restart) : 1,
           slash ? run->restart : ".");
  run->name = app_summary_deck(path);
  if (!run->name) run->name = strdup(run->restart);
  DLS_CHECK(run->name, DLS_ERR_MEMORY, "out of memory for a path");
  return DLS_OK;
}

static void say_dropped(const AppRun *run) {
  const int dropped = dls_restart_dropped(run->from);
  if (dropped > 0)
    fprintf(stderr,
            "delassus run: the laws or materials are others than those of %s: what %d contacts "
            "remembered (impulses, states) is dropped, and they begin anew\n",
            run->restart, dropped);
}

/* How many steps had no solution; a checkpoint without any does not say. */
static DlsStatus keep_squeezed(const AppRun *run, DlsCheckpointExtra *extra) {
  const int64_t count = run->scene->simulation->squeezed;
  return count ? dls_checkpoint_extra_put(extra, "squeezed", &count, sizeof count) : DLS_OK;
}

static void bring_squeezed(const AppRun *run, const DlsCheckpointExtra *extra) {
  const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, "squeezed");
  int64_t count = 0;
  if (blob && blob->size == sizeof count) memcpy(&count, blob->bytes, sizeof count);
  run->scene->simulation->squeezed = count > 0 ? (long)count : 0;
}

DlsStatus app_run_bring(AppRun *run) {
  DlsCheckpointExtra extra = {0};
  if (!run->from) return DLS_OK;
  DlsStatus status = dls_restart_apply(run->from, run->scene, &extra);
  if (status == DLS_OK) say_dropped(run);
  if (status == DLS_OK && run->in_place)
    status = dls_checkpoint_extra_get(&extra, "marks", &run->marks, sizeof run->marks);
  if (status == DLS_OK && !run->stage) /* those of a stage begin with it */
    status = app_averages_restore(run->averages, run->from, &extra, run->scene->simulation->time);
  if (status == DLS_OK) status = bring_name(run);
  if (status == DLS_OK && !run->stage) bring_squeezed(run, &extra);
  dls_checkpoint_extra_clear(&extra);
  run->first_step = run->scene->simulation->step;
  if (!run->in_place) run->marks.first_step = (double)run->first_step;
  const bool sane = run->marks.first_step >= 0 &&
                    run->marks.first_step <= (double)run->first_step &&
                    !isnan(run->marks.last_frame);
  DLS_CHECK(status != DLS_OK || sane, DLS_ERR_FORMAT,
            "%s: /extra/marks: are impossible; go on from another checkpoint", run->restart);
  return status;
}

DlsStatus app_run_keep(const AppRun *run, DlsCheckpointExtra *extra) {
  const char *changes = run->from ? dls_restart_changes(run->from) : "";
  DLS_TRY(dls_checkpoint_extra_put(extra, "marks", &run->marks, sizeof run->marks));
  DLS_TRY(dls_restart_save(run->scene, changes, extra));
  DLS_TRY(keep_squeezed(run, extra));
  return app_averages_save(run->averages, extra);
}

/* A word as the shell takes it: plain where it can be, else in single quotes. */
static void put_word(const char *word) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                              "_./:,+@%-=";
  if (*word && strspn(word, plain) == strlen(word)) {
    printf(" %s", word);
    return;
  }
  fputs(" '", stdout);
  for (; *word; word++) fputs(*word == '\'' ? "'\\''" : (char[]){*word, '\0'}, stdout);
  fputc('\'', stdout);
}

void app_run_say_how(const AppRun *run) {
  char path[2200];
  /* A folder whose name begins with a dash is no option. */
  snprintf(path, sizeof path, "%s%s/checkpoint.h5", run->folder[0] == '-' ? "./" : "", run->folder);
  fputs("go on with:", stdout);
  put_word(program_invocation_name);
  fputs(" run --restart", stdout);
  put_word(path);
  if (run->capture > 0) printf(" --capture %ld", run->capture);
  if (run->shadow_list) {
    fputs(" --shadow", stdout);
    put_word(run->shadow_list);
    printf(" --shadow-every %ld", run->shadow_every);
  }
  fputc('\n', stdout);
}
