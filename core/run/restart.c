/* A run that goes on from a checkpoint: what may differ, and what it brings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "run/certificate.h"
#include "run/run_impl.h"

const char *dls_run_changes(const DlsRun *run) {
  return run->from ? dls_restart_changes(run->from) : "";
}

/* What stands in the way is told, key by key. */
DlsStatus dls_run_compare(const DlsRun *run, const DlsRunOptions *options) {
  const DlsStatus status = dls_restart_compare(run->from, run->deck, run->scene, options->stage,
                                               options->change, options->nchange);
  for (int k = 0; status != DLS_OK && k < dls_restart_count(run->from); k++) {
    const DlsChange *c = dls_restart_change(run->from, k);
    if (c->verdict != DLS_CHANGE_UNASKED && c->verdict != DLS_CHANGE_IMPOSSIBLE) continue;
    dls_run_tell(run, DLS_RUN_CHANGE, "%s: %s: %s -> %s%s%s", c->what.place, c->what.key,
                 c->what.then, c->what.now, c->reason ? ": " : "", c->reason ? c->reason : "");
  }
  return status;
}

/* The name of the deck is none of the state: the certificate beside the checkpoint has it. */
static DlsStatus bring_name(DlsRun *run) {
  char path[DLS_RUN_PATH + 64];
  const char *slash = strrchr(run->restart, '/');
  if (run->name) return DLS_OK;
  snprintf(path, sizeof path, "%.*s/summary.json", slash ? (int)(slash - run->restart) : 1,
           slash ? run->restart : ".");
  run->name = dls_certificate_deck(path);
  if (!run->name) run->name = strdup(run->restart);
  DLS_CHECK(run->name, DLS_ERR_MEMORY, "out of memory for a path");
  return DLS_OK;
}

static void tell_dropped(const DlsRun *run) {
  const int dropped = dls_restart_dropped(run->from);
  if (dropped > 0)
    dls_run_tell(run, DLS_RUN_NOTICE,
                 "the laws or materials are others than those of %s: what %d contacts remembered "
                 "(impulses, states) is dropped, and they begin anew",
                 run->restart, dropped);
}

static void tell_anew(void *run, const char *sentence) {
  dls_run_tell(run, DLS_RUN_NOTICE, "%s", sentence);
}

/* How many steps had no solution; a checkpoint without any does not say. */
static DlsStatus keep_squeezed(const DlsRun *run, DlsCheckpointExtra *extra) {
  const int64_t count = run->scene->simulation->state.squeezed;
  return count ? dls_checkpoint_extra_put(extra, "squeezed", &count, sizeof count) : DLS_OK;
}

static void bring_squeezed(const DlsRun *run, const DlsCheckpointExtra *extra) {
  const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, "squeezed");
  int64_t count = 0;
  if (blob && blob->size == sizeof count) memcpy(&count, blob->bytes, sizeof count);
  run->scene->simulation->state.squeezed = count > 0 ? (long)count : 0;
}

DlsStatus dls_run_bring(DlsRun *run) {
  DlsCheckpointExtra extra = {0};
  if (!run->from) return DLS_OK;
  DlsStatus status = dls_restart_apply(run->from, run->scene, &extra);
  if (status == DLS_OK) tell_dropped(run);
  if (status == DLS_OK && run->in_place)
    status = dls_checkpoint_extra_get(&extra, "marks", &run->marks, sizeof run->marks);
  if (status == DLS_OK && !run->stage) /* those of a stage begin with it */
    status =
        dls_averages_restore(run->averages, run->from, &extra, run->scene->simulation->state.time,
                             &(DlsAveragesListener){run, tell_anew});
  if (status == DLS_OK) status = bring_name(run);
  if (status == DLS_OK && !run->stage) bring_squeezed(run, &extra);
  dls_checkpoint_extra_clear(&extra);
  run->first_step = run->scene->simulation->state.step;
  if (!run->in_place) run->marks.first_step = (double)run->first_step;
  const bool sane = run->marks.first_step >= 0 &&
                    run->marks.first_step <= (double)run->first_step &&
                    !isnan(run->marks.last_frame);
  DLS_CHECK(status != DLS_OK || sane, DLS_ERR_FORMAT,
            "%s: /extra/marks: are impossible; go on from another checkpoint", run->restart);
  return status;
}

DlsStatus dls_run_keep(const DlsRun *run, DlsCheckpointExtra *extra) {
  if (run->folder)
    DLS_TRY(dls_checkpoint_extra_put(extra, "marks", &run->marks, sizeof run->marks));
  DLS_TRY(dls_restart_save(run->scene, dls_run_changes(run), extra));
  DLS_TRY(keep_squeezed(run, extra));
  return dls_averages_save(run->averages, extra);
}
