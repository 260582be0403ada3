/* What a run keeps of a law that failed or died: the call, in law-failure.yaml of its folder. */
#include <stdio.h>
#include <string.h>

#include "base/file.h"
#include "base/guard.h"
#include "law/failure.h"
#include "law_bench/failure_file.h"
#include "run/run_impl.h"

/* Which of the deck's laws it is; -1: that is not known. */
static int find_law(const DlsInteractions *laws, const DlsLawFailure *failure) {
  const DlsLawUse use = {.law = failure->law[0], .then = failure->law + 1};
  const size_t bytes = (size_t)dls_law_count_params(&use) * sizeof *failure->params;
  int found = -1, alike = 0;
  for (int k = 0; k < laws->count; k++) {
    bool same = laws->item[k].law == failure->law[0];
    for (int n = 1; n < DLS_MAX_LAWS && same; n++)
      same = laws->item[k].then[n - 1] == failure->law[n];
    if (!same) continue;
    double params[DLS_MAX_PARAMS]; /* formulas have given what they gave */
    memcpy(params, laws->item[k].params, bytes);
    for (int f = 0; f < laws->item[k].formulas; f++) {
      const int p = laws->item[k].formula[f].param;
      params[p] = failure->params[p];
    }
    if (memcmp(params, failure->params, bytes) == 0) return k;
    found = k;
    alike++;
  }
  return alike == 1 ? found : -1;
}

/* "deck.yaml:7: laws[0]: " before the sentence, where the law stands in the deck. */
static void say_where(const DlsRun *run, const DlsLawFailure *failure) {
  const DlsDeckList *list = &run->scene->data.laws;
  const int k = find_law(&run->scene->simulation->settings.laws, failure);
  if (k < 0 || k >= list->count) return;
  const DlsDeckNode *place = ((const DlsSceneLaw *)list->items)[k].place;
  if (place && !place->set)
    dls_fail_context(DLS_ERR_LAW, "%.300s:%d: laws[%d]", dls_deck_path(run->deck), place->line, k);
}

DlsStatus dls_run_keep_failure(DlsRun *run) {
  DlsLawFailure failure;
  char path[DLS_RUN_PATH + 64], sentence[DLS_FAILURE_TEXT];
  if (!dls_law_failure_last(&failure)) return DLS_ERR_LAW;
  say_where(run, &failure);
  if (!run->folder) return DLS_ERR_LAW;
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  if (!failure.local)
    failure.local = dls_assemble_local(&run->scene->simulation->last.assembly, failure.contact,
                                       failure.D, failure.q);
  dls_run_path(run, "law-failure.yaml", path);
  DLS_TRY(dls_failure_write(&failure, path));
  run->failure_kept = true;
  return dls_fail(DLS_ERR_LAW, "%s", sentence);
}

DlsStatus dls_run_mind_death(DlsRun *run, DlsStatus status) {
  if (!dls_guard.dead || run->failure_kept) return status;
  (void)dls_law_dead();
  return dls_run_keep_failure(run);
}

/* The folder is made for this alone; one in which another run is at work is left in peace. */
static DlsStatus keep_in_folder(DlsRun *run, const DlsLawFailure *failure) {
  char path[DLS_RUN_PATH + 64];
  DLS_TRY(dls_file_make_folder(run->folder));
  DLS_TRY(dls_folder_lock(run->folder, &run->lock));
  dls_run_path(run, "law-failure.yaml", path);
  DLS_TRY(dls_failure_write(failure, path));
  dls_run_tell(run, DLS_RUN_NOTICE, "what the law was asked is kept in %s", path);
  return DLS_OK;
}

DlsStatus dls_run_keep_early(DlsRun *run, DlsStatus status) {
  DlsLawFailure failure;
  char sentence[4096];
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  if (status == DLS_OK || !run->folder) return status;
  bool there = dls_law_failure_last(&failure);
  if (!there && dls_guard.dead) {
    (void)dls_law_dead();
    there = dls_law_failure_last(&failure);
  }
  if (!there) there = dls_law_failure_load(&failure);
  if (there) (void)keep_in_folder(run, &failure); /* the sentence that counts is the first */
  return dls_fail(status, "%s", sentence);
}
