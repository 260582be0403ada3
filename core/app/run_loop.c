/* The steps of a run, and what is written between them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "app/progress.h"
#include "app/run_impl.h"
#include "app/summary.h"
#include "base/file.h"
#include "post/quantity.h"

#include <delassus/fclib.h>

static void progress(AppRun *run, bool last) {
  const DlsSimulation *s = run->scene->simulation;
  const double now = app_clock(), end = run->scene->data.time.end;
  const bool terminal = isatty(STDERR_FILENO);
  if (run->quiet || (!last && now - run->last_line < (terminal ? 0.2 : 10))) return;
  const double rate = (double)(s->step - run->first_step) / (now - run->began + 1e-9);
  const double left = (end - s->time) / s->h / (rate > 0 ? rate : 1);
  fprintf(
      stderr,
      "%st = %.4g of %.4g s  %.0f steps/s  %d contacts  %ld iterations  error %.1e  %.0f s left%s",
      terminal ? "\r\033[K" : "", s->time, end, rate, s->report.contacts,
      s->report.solver.iterations, s->report.solver.error, left > 0 ? left : 0,
      terminal && !last ? "" : "\n");
  run->last_line = now;
}

DlsStatus app_run_check_capture(const AppRun *run) {
  const DlsInteractions *laws = &run->scene->simulation->laws;
  if (run->capture <= 0) return DLS_OK;
  for (int k = 0; k < laws->count; k++) {
    const DlsLaw *law = laws->item[k].law;
    for (int n = 0; law; law = n < DLS_MAX_LAWS ? laws->item[k].then[n++] : NULL) {
      DLS_CHECK(!law->residual || law->prepare, DLS_ERR_UNSUPPORTED,
                "the deck has the custom law `%s`, which no file can hold; leave out --capture",
                law->name);
      if (law->residual)
        fprintf(stderr,
                "delassus run: the law `%s` may be custom, which no file can hold; steps with such "
                "a contact are not captured\n",
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

static DlsStatus capture(AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  char path[2200], title[128];
  if (run->capture <= 0 || s->step % run->capture || !s->report.contacts) return DLS_OK;
  DLS_CHECK(dls_simulation_problem(s), DLS_ERR_ARGUMENT,
            "the scheme %s solves no problem that could be captured; leave out --capture",
            dls_scheme_text(s->scheme));
  if (has_custom(dls_simulation_problem(s))) {
    run->not_captured++;
    return DLS_OK;
  }
  snprintf(path, sizeof path, "%s/capture_%06ld.hdf5", run->folder, s->step);
  snprintf(title, sizeof title, "step %ld at t = %.9g s", s->step, s->time);
  return dls_fclib_write(path, dls_simulation_problem(s), title, s->assembly.r, s->assembly.u,
                         s->guess);
}

/* Frames at multiples of `every`, at the first step that reaches them. */
static DlsStatus frame_if_due(AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.every;
  if (!(every > 0) || s->time < run->next_frame - app_run_nearly * s->h) return DLS_OK;
  run->next_frame = (floor((s->time + app_run_nearly * s->h) / every) + 1) * every;
  run->marks.last_frame = s->time;
  return dls_frames_write(run->frames, s);
}

/* The state between two steps; the rows of the history that it counts are on the disk before. */
static DlsStatus write_checkpoint(AppRun *run) {
  char path[2200];
  DlsCheckpointExtra extra = {0};
  snprintf(path, sizeof path, "%s/checkpoint.h5", run->folder);
  DLS_TRY(app_history_sync(run->history));
  DlsStatus status = app_run_keep(run, &extra);
  if (status == DLS_OK) status = dls_checkpoint_write(path, run->scene->simulation, &extra);
  dls_checkpoint_extra_clear(&extra);
  return status;
}

/* Not at the end, which has its own behind everything else. */
static DlsStatus checkpoint_if_due(AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.checkpoint;
  if (!(every > 0) || s->time < run->next_checkpoint - 1e-9 * s->h) return DLS_OK;
  if (s->time >= run->scene->data.time.end - app_run_nearly * s->h) return DLS_OK;
  run->next_checkpoint = (floor(s->time / every + 1e-9) + 1) * every;
  return write_checkpoint(run);
}

/* The last frame. One of a run that was stopped is for the eye: a restart drops it, so its
 * checkpoint does not know it. */
static DlsStatus end_series(AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  if (run->stopped) DLS_TRY(write_checkpoint(run));
  if (run->marks.last_frame != s->time) {
    run->marks.last_frame = s->time;
    DLS_TRY(dls_frames_write(run->frames, s));
  }
  return DLS_OK;
}

/* Ctrl-C, a kill, or the end of the time that the run may take. */
static bool is_over(const AppRun *run) {
  return app_interrupted() || (run->max_time > 0 && app_clock() - run->began > run->max_time);
}

static int on_measure(void *context, long iteration, double time_s, double error) {
  (void)iteration, (void)time_s, (void)error;
  return is_over(context);
}

/* A step in which no motion is possible. The run stops there, its problem kept; the state is that
 * of the step before. */
static void stop_squeezed(AppRun *run) {
  const DlsProblem *problem = dls_simulation_problem(run->scene->simulation);
  char path[2200];
  run->stopped = true;
  snprintf(run->impossible, sizeof run->impossible, "%s", dls_error_message());
  snprintf(path, sizeof path, "%s/no-solution.hdf5", run->folder);
  run->kept = dls_fclib_write(path, problem, run->impossible, NULL, NULL, NULL) == DLS_OK;
}

/* With solver.no_solution = continue the first of them are told as they come, and all are
 * counted. */
static DlsStatus tell_squeezed(AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  const long most = 3;
  char text[600];
  if (s->report.solver.outcome != DLS_NO_SOLUTION || run->quiet) return DLS_OK;
  if (++run->squeezes > most) return DLS_OK;
  DLS_TRY(dls_scene_describe_squeeze(run->scene, text, sizeof text));
  fprintf(stderr, "%sstep %ld, t = %.6g s: no motion is possible: %s%s\n",
          isatty(STDERR_FILENO) ? "\r\033[K" : "", s->step, s->time - s->h, text,
          run->squeezes == most ? " (more are counted, not told)" : "");
  return DLS_OK;
}

/* A frame comes before the checkpoint of the same moment: contacts are there only after a step.
 * A step that is cut in its solve has not been: what is saved is the state before it. */
static DlsStatus loop(AppRun *run) {
  DlsSimulation *s = run->scene->simulation;
  const double end = run->scene->data.time.end;
  s->keep_guess = run->capture > 0;
  s->monitor = (DlsMonitor){on_measure, run};
  if (!run->in_place) DLS_TRY(frame_if_due(run));
  while (s->time < end - app_run_nearly * s->h && !run->stopped) {
    const DlsStatus status = dls_scene_step(run->scene);
    if (status == DLS_ERR_NO_SOLUTION) stop_squeezed(run);
    if (status == DLS_ERR_NO_SOLUTION) break;
    DLS_TRY(status);
    run->stopped = s->cut;
    if (s->cut) break;
    DLS_TRY(tell_squeezed(run));
    DLS_TRY(app_history_row(run->history, run->scene));
    DLS_TRY(capture(run));
    DLS_TRY(app_averages_step(run->averages, s));
    DLS_TRY(frame_if_due(run));
    DLS_TRY(checkpoint_if_due(run));
    progress(run, false);
    run->stopped = is_over(run);
  }
  s->monitor = (DlsMonitor){0};
  progress(run, true);
  return end_series(run);
}

static DlsStatus choose_quantities(const AppRun *run) {
  const DlsDeckStrings *words = &run->scene->data.output.post;
  unsigned mask = 0;
  for (int k = 0; k < words->count; k++) DLS_TRY(dls_quantity_add(words->values[k], &mask));
  dls_frames_post(run->frames, mask);
  return DLS_OK;
}

/* What a restart changed, also of those before it. */
static DlsStatus write_changes(const AppRun *run, const char *changes) {
  char path[2200];
  DlsFile *file = NULL;
  if (!*changes) return DLS_OK;
  snprintf(path, sizeof path, "%s/changes.txt", run->folder);
  DLS_TRY(dls_file_begin(path, &file));
  dls_file_print(file, "%s", changes);
  return dls_file_commit(&file);
}

static DlsStatus write_deck(const AppRun *run, const char *changes) {
  char path[2200];
  snprintf(path, sizeof path, "%s/resolved.yaml", run->folder);
  return dls_deck_write(dls_scene_section(), &run->scene->data,
                        *changes ? "the deck of this run with every default; it goes on from a "
                                   "checkpoint, see changes.txt"
                                 : "the deck of this run with every default",
                        path);
}

static DlsStatus open_results(AppRun *run) {
  char path[2200];
  const DlsSceneOutput *output = &run->scene->data.output;
  const DlsVtuOptions vtu = {.zlib = output->compress ? 1 : 0};
  const DlsSimulation *s = run->scene->simulation;
  const char *changes = run->from ? dls_restart_changes(run->from) : "";
  DLS_TRY(app_averages_open(run->scene, &run->averages));
  DLS_TRY(app_run_bring(run));
  /* A restart without frames so far begins its series anew. */
  const double resume = run->in_place ? run->marks.last_frame : -INFINITY;
  if (output->checkpoint > 0)
    run->next_checkpoint = (floor(s->time / output->checkpoint + 1e-9) + 1) * output->checkpoint;
  run->next_frame = s->time;
  if (run->in_place && output->every > 0)
    run->next_frame =
        (floor((s->time + app_run_nearly * s->h) / output->every) + 1) * output->every;
  /* Before the frames: where its columns are others, nothing has been cut. */
  snprintf(path, sizeof path, "%s/history.csv", run->folder);
  const long rows = run->in_place ? run->first_step - (long)run->marks.first_step : -1;
  DLS_TRY(app_history_open(path, run->scene, rows, &run->history));
  DLS_TRY(dls_frames_create(run->folder, &vtu, resume, &run->frames));
  DLS_TRY(choose_quantities(run));
  DLS_TRY(write_changes(run, changes));
  DLS_TRY(write_deck(run, changes));
  /* From the start on, so that a run that is killed does not go without: it is not finished. */
  return app_summary_write(run->scene, run->name, changes, false, "", 0, run->folder);
}

static DlsStatus draw(const AppRun *run) {
  char path[2200];
  /* A restart at the very end has nothing new to show. */
  if (run->in_place && run->scene->simulation->step == run->first_step) return DLS_OK;
  snprintf(path, sizeof path, "%s/picture.svg", run->folder);
  return dls_frames_picture(run->scene->simulation, run->scene->data.title, path);
}

static DlsStatus begin_shadow(AppRun *run) {
  DlsSimulation *s = run->scene->simulation;
  if (!run->shadows.count) return DLS_OK;
  const double steps = fmin(1e9, fmax(0, (run->scene->data.time.end - s->time) / s->h));
  return app_shadow_begin(s, &run->shadows, run->shadow_every, (long)steps, run->folder,
                          &run->shadow);
}

static DlsStatus end_shadow(AppRun *run) {
  int raced = 0;
  const char *folder = NULL;
  if (!run->shadow) return DLS_OK;
  DLS_TRY(app_shadow_report(run->shadow, &raced, &folder));
  if (!run->quiet)
    printf("shadow solvers on %d steps: %s/index.html; where they disagree: %s/disagree.pvd\n",
           raced, folder, folder);
  return DLS_OK;
}

/* The checkpoint of the end comes last: what goes on from it finds all the rest there. */
DlsStatus app_run_simulate(AppRun *run) {
  char stale[2200];
  snprintf(stale, sizeof stale, "%s/law-failure.yaml", run->folder);
  (void)remove(stale); /* of an earlier run */
  snprintf(stale, sizeof stale, "%s/no-solution.hdf5", run->folder);
  (void)remove(stale);
  DLS_TRY(open_results(run));
  DLS_TRY(begin_shadow(run));
  run->began = app_clock();
  DLS_TRY(loop(run));
  DLS_TRY(app_history_flush(run->history));
  DLS_TRY(app_summary_write(run->scene, run->name, run->from ? dls_restart_changes(run->from) : "",
                            !run->stopped, run->impossible, app_clock() - run->began, run->folder));
  DLS_TRY(draw(run));
  DLS_TRY(app_averages_write(run->averages, run->folder, run->scene->data.output.compress ? 1 : 0));
  DLS_TRY(end_shadow(run));
  return run->stopped ? DLS_OK : write_checkpoint(run);
}
