/* What a run writes: before the first step, after each, and behind the last. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <delassus/fclib.h>

#include "base/clock.h"
#include "base/file.h"
#include "base/guard.h"
#include "law/failure.h"
#include "law_bench/failure_file.h"
#include "post/quantity.h"
#include "run/certificate.h"
#include "run/run_impl.h"

DlsStatus dls_run_check_capture(const DlsRun *run) {
  const DlsInteractions *laws = &run->scene->simulation->settings.laws;
  if (run->capture <= 0) return DLS_OK;
  for (int k = 0; k < laws->count; k++) {
    const DlsLaw *law = laws->item[k].law;
    for (int n = 0; law; law = n < DLS_MAX_LAWS ? laws->item[k].then[n++] : NULL) {
      DLS_CHECK((!law->residual && !law->traction) || law->prepare, DLS_ERR_UNSUPPORTED,
                "the deck has the custom law `%s`, which no file can hold; leave out `capture`",
                law->name);
      if (law->residual)
        dls_run_tell(run, DLS_RUN_NOTICE,
                     "the law `%s` may be custom, which no file can hold; steps with such a "
                     "contact are not captured",
                     law->name);
    }
  }
  return DLS_OK;
}

static bool has_custom(const DlsProblem *problem) {
  for (int i = 0; i < dls_problem_contacts(problem); i++)
    if (dls_problem_relation(problem, i)->cone == DLS_CONE_CUSTOM) return true;
  return false;
}

static DlsStatus capture(DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  char path[DLS_RUN_PATH + 64], name[40], title[128];
  if (run->capture <= 0 || s->state.step % run->capture || !s->last.report.contacts) return DLS_OK;
  DLS_CHECK(dls_simulation_problem(s), DLS_ERR_ARGUMENT,
            "the scheme %s solves no problem that could be captured; leave out `capture`",
            s->settings.scheme->name);
  if (has_custom(dls_simulation_problem(s))) {
    run->not_captured++;
    return DLS_OK;
  }
  snprintf(name, sizeof name, "capture_%06ld.hdf5", s->state.step);
  snprintf(title, sizeof title, "step %ld at t = %.9g s", s->state.step, s->state.time);
  dls_run_path(run, name, path);
  return dls_fclib_write(path, dls_simulation_problem(s), title, s->last.assembly.solve.r,
                         s->last.assembly.solve.u, s->last.guess);
}

/* Whether frames of this moment are wanted. */
static bool within_output(const DlsRun *run) {
  const DlsSceneOutput *output = &run->scene->data.output;
  const double t = run->scene->simulation->state.time;
  const double slack = dls_run_nearly * run->scene->simulation->settings.h;
  return !(t < output->from - slack) && !(t > output->to + slack); /* to may be NaN */
}

static DlsStatus write_frame(DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  run->marks.last_frame = s->state.time;
  const DlsStatus status = dls_frames_write(run->frames, s);
  const DlsDeckNode *output = dls_deck_find(dls_deck_root(run->deck), "output");
  if (status == DLS_ERR_ARGUMENT && output && run->scene->data.output.arrays.count)
    return dls_fail_context(status, "%.300s:%d: output.arrays", dls_deck_path(run->deck),
                            output->line);
  return status;
}

/* Frames at multiples of `every`, at the first step that reaches them. */
static DlsStatus frame_if_due(DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.every;
  if (!(every > 0) || s->state.time < run->next_frame - dls_run_nearly * s->settings.h)
    return DLS_OK;
  run->next_frame = (floor((s->state.time + dls_run_nearly * s->settings.h) / every) + 1) * every;
  return within_output(run) ? write_frame(run) : DLS_OK;
}

/* The state between two steps; the rows of the history and the frames that it counts are on the
 * disk before. */
DlsStatus dls_run_write_checkpoint(DlsRun *run, const char *path) {
  DlsCheckpointExtra extra = {0};
  if (run->history) DLS_TRY(dls_history_sync(run->history));
  DLS_TRY(dls_frames_flush(run->frames));
  if (run->folder) DLS_TRY(dls_file_settle(run->folder));
  DlsStatus status = dls_run_keep(run, &extra);
  if (status == DLS_OK) status = dls_checkpoint_write(path, run->scene->simulation, &extra);
  dls_checkpoint_extra_clear(&extra);
  return status;
}

static DlsStatus write_checkpoint(DlsRun *run) {
  char path[DLS_RUN_PATH + 64];
  dls_run_path(run, "checkpoint.h5", path);
  return dls_run_write_checkpoint(run, path);
}

DlsStatus dls_run_save(DlsRun *run, const char *path) {
  DLS_CHECK(run, DLS_ERR_ARGUMENT, "there is no run: it was not opened, or is closed");
  DLS_CHECK(run->state != DLS_RUN_FAILED, DLS_ERR_ARGUMENT,
            "%s: the run has failed, and its state is none to go on from", path);
  return dls_run_write_checkpoint(run, path);
}

/* Not at the end, which has its own behind everything else. */
static DlsStatus checkpoint_if_due(DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.checkpoint;
  if (!(every > 0) || s->state.time < run->next_checkpoint - 1e-9 * s->settings.h) return DLS_OK;
  if (s->state.time >= run->scene->data.time.end - dls_run_nearly * s->settings.h) return DLS_OK;
  run->next_checkpoint = (floor(s->state.time / every + 1e-9) + 1) * every;
  return write_checkpoint(run);
}

/* A frame comes before the checkpoint of the same moment: contacts are there only after a step. */
DlsStatus dls_run_results_step(DlsRun *run) {
  if (!run->folder) return DLS_OK;
  DLS_TRY(dls_history_row(run->history, run->scene));
  DLS_TRY(capture(run));
  DLS_TRY(dls_averages_step(run->averages, run->scene->simulation));
  DLS_TRY(frame_if_due(run));
  return checkpoint_if_due(run);
}

void dls_run_keep_problem(DlsRun *run) {
  const DlsProblem *problem = dls_simulation_problem(run->scene->simulation);
  char path[DLS_RUN_PATH + 64];
  snprintf(run->impossible, sizeof run->impossible, "%s", dls_error_message());
  if (!run->folder) return;
  dls_run_path(run, "no-solution.hdf5", path);
  run->problem_kept = dls_fclib_write(path, problem, run->impossible, NULL, NULL, NULL) == DLS_OK;
}

static DlsStatus choose_quantities(const DlsRun *run) {
  const DlsDeckStrings *words = &run->scene->data.output.post;
  unsigned mask = 0;
  for (int k = 0; k < words->count; k++) DLS_TRY(dls_quantity_add(words->values[k], &mask));
  dls_frames_post(run->frames, mask);
  return DLS_OK;
}

/* What a restart changed, also of those before it. */
static DlsStatus write_changes(const DlsRun *run, const char *changes) {
  char path[DLS_RUN_PATH + 64];
  DlsFile *file = NULL;
  if (!*changes) return DLS_OK;
  dls_run_path(run, "changes.txt", path);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "%s", changes);
  return dls_file_commit(&file);
}

static DlsStatus write_deck(const DlsRun *run, const char *changes) {
  char path[DLS_RUN_PATH + 64];
  dls_run_path(run, "resolved.yaml", path);
  return dls_deck_write(dls_scene_section(), &run->scene->data,
                        *changes ? "the deck of this run with every default; it goes on from a "
                                   "checkpoint, see changes.txt"
                                 : "the deck of this run with every default",
                        path);
}

static DlsStatus write_certificate(const DlsRun *run) {
  return dls_certificate_write(run->scene, run->name, dls_run_changes(run),
                               run->state == DLS_RUN_FINISHED, run->impossible, run->lasted,
                               run->folder);
}

static void remove_of_earlier_run(const DlsRun *run, const char *name) {
  char path[DLS_RUN_PATH + 64];
  dls_run_path(run, name, path);
  (void)remove(path);
}

static bool asked(void *run) { return dls_run_is_asked(run); }

static DlsStatus begin_shadow(DlsRun *run) {
  DlsSimulation *s = run->scene->simulation;
  if (!run->shadows.count) return DLS_OK;
  const double steps =
      fmin(1e9, fmax(0, (run->scene->data.time.end - s->state.time) / s->settings.h));
  return dls_shadow_begin(s, &run->shadows, run->shadow_every, (long)steps, run->folder,
                          (DlsShadowStop){asked, run}, &run->shadow);
}

static DlsStatus open_files(DlsRun *run) {
  char path[DLS_RUN_PATH + 64];
  const DlsSceneOutput *output = &run->scene->data.output;
  const bool single = output->precision == DLS_SCENE_FLOAT32;
  const DlsFramesOptions options = {.series = {.vtu = {.zlib = output->compress ? 1 : 0,
                                                       .single_points = single,
                                                       .single_data = single},
                                               .csv = output->csv,
                                               .pieces = output->pieces,
                                               .arrays = output->arrays.count,
                                               .array = (const char *const *)output->arrays.values},
                                    .walls = output->walls,
                                    .gauss = output->gauss};
  const DlsSimulation *s = run->scene->simulation;
  /* A restart without frames so far begins its series anew. */
  const double resume = run->in_place ? run->marks.last_frame : -INFINITY;
  if (output->checkpoint > 0)
    run->next_checkpoint =
        (floor(s->state.time / output->checkpoint + 1e-9) + 1) * output->checkpoint;
  run->next_frame = s->state.time;
  if (run->in_place && output->every > 0)
    run->next_frame =
        (floor((s->state.time + dls_run_nearly * s->settings.h) / output->every) + 1) *
        output->every;
  /* Before the frames: where its columns are others, nothing has been cut. */
  dls_run_path(run, "history.csv", path);
  const long rows = run->in_place ? run->first_step - (long)run->marks.first_step : -1;
  DLS_TRY(dls_history_open(path, run->scene, rows, &run->history));
  DLS_TRY(dls_frames_create(run->folder, &options, resume, &run->frames));
  DLS_TRY(choose_quantities(run));
  DLS_TRY(write_changes(run, dls_run_changes(run)));
  DLS_TRY(write_deck(run, dls_run_changes(run)));
  /* From the start on, so that a run that is killed does not go without: it is not finished. */
  return write_certificate(run);
}

DlsStatus dls_run_results_begin(DlsRun *run) {
  if (!run->folder) {
    DLS_TRY(dls_run_bring(run));
    run->began = dls_clock_now();
    return DLS_OK;
  }
  remove_of_earlier_run(run, "law-failure.yaml");
  remove_of_earlier_run(run, "no-solution.hdf5");
  DLS_TRY(dls_averages_open(run->scene, &run->averages));
  DLS_TRY(dls_run_bring(run));
  DLS_TRY(open_files(run));
  DLS_TRY(begin_shadow(run));
  run->scene->simulation->settings.keep_guess = run->capture > 0;
  run->began = dls_clock_now();
  return run->in_place ? DLS_OK : frame_if_due(run);
}

/* The last frame. One of a run that was stopped is for the eye: a restart drops it, so its
 * checkpoint does not know it. */
static DlsStatus end_series(DlsRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  if (run->state != DLS_RUN_FINISHED) DLS_TRY(write_checkpoint(run));
  return run->marks.last_frame != s->state.time && within_output(run) ? write_frame(run) : DLS_OK;
}

static DlsStatus draw(const DlsRun *run) {
  char path[DLS_RUN_PATH + 64];
  /* A restart at the very end has nothing new to show. */
  if (run->in_place && run->scene->simulation->state.step == run->first_step) return DLS_OK;
  dls_run_path(run, "picture.svg", path);
  return dls_frames_picture(run->scene->simulation, run->scene->data.title, path);
}

/* The checkpoint of the end comes last: what goes on from it finds all the rest there. */
DlsStatus dls_run_results_end(DlsRun *run) {
  run->lasted = dls_clock_now() - run->began;
  if (!run->folder) return DLS_OK;
  DLS_TRY(end_series(run));
  DLS_TRY(dls_frames_flush(run->frames));
  DLS_TRY(dls_history_flush(run->history));
  run->lasted = dls_clock_now() - run->began;
  DLS_TRY(write_certificate(run));
  DLS_TRY(draw(run));
  DLS_TRY(dls_averages_write(run->averages, run->folder, run->scene->data.output.compress ? 1 : 0));
  if (run->shadow) DLS_TRY(dls_shadow_report(run->shadow, &run->shadowed));
  return run->state == DLS_RUN_FINISHED ? write_checkpoint(run) : DLS_OK;
}
