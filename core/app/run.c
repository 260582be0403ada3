/* delassus run: a simulation from a deck. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/arguments.h"
#include "app/averages.h"
#include "app/history.h"
#include "app/progress.h"
#include "app/shadow.h"
#include "app/summary.h"
#include "base/file.h"
#include "post/quantity.h"
#include "record/checkpoint.h"
#include "record/frames.h"
#include "step/scene.h"
#include "trial/failure_file.h"

#include <delassus/fclib.h>

enum {
  SET,
  OUT,
  RESTART,
  CAPTURE,
  SHADOW,
  SHADOW_EVERY,
  EQUILIBRIUM,
  MAX_TIME,
  THREADS,
  SCHEMA,
  QUIET
};

static const AppOption options[] = {
    [SET] = {"set", "KEY=VALUE", "overrides a key of the deck, such as time.end=2; repeats"},
    [OUT] = {"out", "DIR", "folder of the results (default: the deck's name, without .yaml)"},
    [RESTART] = {"restart", "FILE", "goes on from a checkpoint, such as DIR/checkpoint.h5"},
    [CAPTURE] = {"capture", "N", "writes the problem of every N-th step as capture_STEP.hdf5"},
    [SHADOW] = {"shadow", "a,b|all",
                "solves steps with these solvers too, and compares; see docs/run.md"},
    [SHADOW_EVERY] = {"shadow-every", "N", "every N-th step, for --shadow (default 50)"},
    [EQUILIBRIUM] =
        {"equilibrium", NULL,
         "tells whether the bodies, at rest where they are, would stay so; runs nothing"},
    [MAX_TIME] = {"max-time", "S", "ends well after so many seconds of wall clock"},
    [THREADS] = {"threads", "N", "accepted; one thread works today"},
    [SCHEMA] = {"schema", NULL, "prints all keys of a deck as Markdown, and runs nothing"},
    [QUIET] = {"quiet", NULL, "no progress"},
};

enum { MAX_SETTINGS = 256 };
static const double nearly =
    1e-3; /* of a step: times so near are the same, whatever h adds up to */

/* Where the results stand, kept with a checkpoint: a restart cuts them back to it. */
typedef struct {
  double next_frame, last_frame; /* s */
} Marks;

typedef struct {
  const AppCommand *command;
  const char *deck_path, *out, *restart;
  const char *settings[MAX_SETTINGS];
  int nsettings;
  long capture, shadow_every;
  AppEntrants shadows;
  AppShadow *shadow;
  double max_time;
  bool quiet, equilibrium;

  DlsDeck *deck;
  DlsScene *scene;
  DlsFrames *frames;
  AppHistory *history;
  AppAverages *averages;
  char folder[2048];
  double began, last_line, next_checkpoint;
  Marks marks;
  long first_step; /* 0, or the step of the restart */
  bool stopped, shown;
} Run;

static void progress(Run *run, bool last) {
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

static DlsStatus capture(const Run *run) {
  const DlsSimulation *s = run->scene->simulation;
  char path[2200], title[128];
  if (run->capture <= 0 || s->step % run->capture || !s->report.contacts) return DLS_OK;
  DLS_CHECK(dls_simulation_problem(s), DLS_ERR_ARGUMENT,
            "the scheme %s solves no problem that could be captured; leave out --capture",
            dls_scheme_text(s->scheme));
  snprintf(path, sizeof path, "%s/capture_%06ld.hdf5", run->folder, s->step);
  snprintf(title, sizeof title, "step %ld at t = %.9g s", s->step, s->time);
  return dls_fclib_write(path, dls_simulation_problem(s), title, s->assembly.r, s->assembly.u,
                         s->guess);
}

/* Frames at multiples of `every`, at the first step that reaches them. */
static DlsStatus frame_if_due(Run *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.every;
  if (!(every > 0) || s->time < run->marks.next_frame - nearly * s->h) return DLS_OK;
  run->marks.next_frame = (floor((s->time + nearly * s->h) / every) + 1) * every;
  run->marks.last_frame = s->time;
  return dls_frames_write(run->frames, s);
}

/* What the scene itself remembers: who is here, what has been poured. */
static DlsStatus put_scene(const Run *run, DlsCheckpointExtra *extra) {
  const size_t size = dls_scene_state_size(run->scene);
  char *bytes = malloc(size + 1);
  DLS_CHECK(bytes, DLS_ERR_MEMORY, "out of memory for the state of the scene");
  dls_scene_state_save(run->scene, bytes);
  const DlsStatus status = dls_checkpoint_extra_put(extra, "scene", bytes, size);
  free(bytes);
  return status;
}

static DlsStatus get_scene(const Run *run, const DlsCheckpointExtra *extra) {
  const DlsCheckpointBlob *blob = dls_checkpoint_extra_find(extra, "scene");
  DLS_CHECK(blob, DLS_ERR_FORMAT, "%s: /extra/scene: is missing; go on with a checkpoint of a run",
            run->restart);
  const DlsStatus status = dls_scene_state_restore(run->scene, blob->bytes, blob->size);
  if (status != DLS_OK) dls_fail_context(status, "%s: /extra/scene", run->restart);
  return status;
}

/* The state between two steps; the rows of the history that it counts are on the disk before. */
static DlsStatus write_checkpoint(Run *run) {
  char path[2200];
  DlsCheckpointExtra extra = {0};
  snprintf(path, sizeof path, "%s/checkpoint.h5", run->folder);
  DLS_TRY(app_history_sync(run->history));
  DlsStatus status = dls_checkpoint_extra_put(&extra, "marks", &run->marks, sizeof run->marks);
  if (status == DLS_OK) status = put_scene(run, &extra);
  if (status == DLS_OK) status = app_averages_save(run->averages, &extra);
  if (status == DLS_OK) status = dls_checkpoint_write(path, run->scene->simulation, &extra);
  dls_checkpoint_extra_clear(&extra);
  return status;
}

/* Not at the end, which has its own behind everything else. */
static DlsStatus checkpoint_if_due(Run *run) {
  const DlsSimulation *s = run->scene->simulation;
  const double every = run->scene->data.output.checkpoint;
  if (!(every > 0) || s->time < run->next_checkpoint - 1e-9 * s->h) return DLS_OK;
  if (s->time >= run->scene->data.time.end - nearly * s->h) return DLS_OK;
  run->next_checkpoint = (floor(s->time / every + 1e-9) + 1) * every;
  return write_checkpoint(run);
}

static DlsStatus read_checkpoint(Run *run) {
  DlsCheckpointExtra extra = {0};
  DlsStatus status = dls_checkpoint_read(run->restart, run->scene->simulation, false, &extra);
  if (status == DLS_OK)
    status = dls_checkpoint_extra_get(&extra, "marks", &run->marks, sizeof run->marks);
  if (status == DLS_OK) status = get_scene(run, &extra);
  if (status == DLS_OK)
    status = app_averages_restore(run->averages, &extra, run->scene->simulation->time);
  dls_checkpoint_extra_clear(&extra);
  run->first_step = run->scene->simulation->step;
  return status;
}

/* The last frame. One of a run that was stopped is for the eye: a restart drops it, so its checkpoint does not
 * know it. */
static DlsStatus end_series(Run *run) {
  const DlsSimulation *s = run->scene->simulation;
  if (run->stopped) DLS_TRY(write_checkpoint(run));
  if (run->marks.last_frame != s->time) {
    run->marks.last_frame = s->time;
    DLS_TRY(dls_frames_write(run->frames, s));
  }
  return DLS_OK;
}

/* A frame comes before the checkpoint of the same moment: contacts are there only after a step. */
static DlsStatus loop(Run *run) {
  DlsSimulation *s = run->scene->simulation;
  const double end = run->scene->data.time.end;
  s->keep_guess = run->capture > 0;
  if (s->step == 0) DLS_TRY(frame_if_due(run));
  while (s->time < end - nearly * s->h && !run->stopped) {
    DLS_TRY(dls_scene_step(run->scene));
    DLS_TRY(app_history_row(run->history, run->scene));
    DLS_TRY(capture(run));
    DLS_TRY(app_averages_step(run->averages, s));
    DLS_TRY(frame_if_due(run));
    DLS_TRY(checkpoint_if_due(run));
    progress(run, false);
    run->stopped =
        app_interrupted() || (run->max_time > 0 && app_clock() - run->began > run->max_time);
  }
  progress(run, true);
  return end_series(run);
}

static DlsStatus choose_quantities(const Run *run) {
  const DlsDeckStrings *words = &run->scene->data.output.post;
  unsigned mask = 0;
  for (int k = 0; k < words->count; k++) DLS_TRY(dls_quantity_add(words->values[k], &mask));
  dls_frames_post(run->frames, mask);
  return DLS_OK;
}

static DlsStatus open_results(Run *run) {
  char path[2200];
  const DlsVtuOptions vtu = {.zlib = run->scene->data.output.compress ? 1 : 0};
  DLS_TRY(app_averages_open(run->scene, &run->averages));
  if (run->restart) DLS_TRY(read_checkpoint(run));
  /* A restart without frames so far begins its series anew. */
  const double resume = run->restart ? run->marks.last_frame : -INFINITY;
  const double every = run->scene->data.output.checkpoint;
  if (every > 0)
    run->next_checkpoint = (floor(run->scene->simulation->time / every + 1e-9) + 1) * every;
  DLS_TRY(dls_frames_create(run->folder, &vtu, resume, &run->frames));
  DLS_TRY(choose_quantities(run));
  snprintf(path, sizeof path, "%s/history.csv", run->folder);
  DLS_TRY(app_history_open(path, run->scene, run->restart ? run->first_step : -1, &run->history));
  snprintf(path, sizeof path, "%s/resolved.yaml", run->folder);
  return dls_deck_write(dls_scene_section(), &run->scene->data,
                        "the deck of this run with every default", path);
}

static DlsStatus draw(const Run *run) {
  char path[2200];
  /* A restart at the very end has nothing new to show. */
  if (run->restart && run->scene->simulation->step == run->first_step) return DLS_OK;
  snprintf(path, sizeof path, "%s/picture.svg", run->folder);
  return dls_frames_picture(run->scene->simulation, run->scene->data.title, path);
}

static DlsStatus begin_shadow(Run *run) {
  DlsSimulation *s = run->scene->simulation;
  if (!run->shadows.count) return DLS_OK;
  const double steps = fmin(1e9, fmax(0, (run->scene->data.time.end - s->time) / s->h));
  return app_shadow_begin(s, &run->shadows, run->shadow_every, (long)steps, run->folder,
                          &run->shadow);
}

static DlsStatus end_shadow(Run *run) {
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
static DlsStatus simulate(Run *run) {
  char stale[2200];
  snprintf(stale, sizeof stale, "%s/law-failure.yaml", run->folder);
  (void)remove(stale); /* of an earlier run */
  DLS_TRY(open_results(run));
  DLS_TRY(begin_shadow(run));
  run->began = app_clock();
  DLS_TRY(loop(run));
  DLS_TRY(app_history_flush(run->history));
  DLS_TRY(app_summary_write(run->scene, run->deck_path, !run->stopped, app_clock() - run->began,
                            run->folder));
  DLS_TRY(draw(run));
  DLS_TRY(app_averages_write(run->averages, run->folder, run->scene->data.output.compress ? 1 : 0));
  DLS_TRY(end_shadow(run));
  return run->stopped ? DLS_OK : write_checkpoint(run);
}

static void say(const Run *run) {
  const DlsSimulation *s = run->scene->simulation;
  if (run->quiet) return;
  printf("%s after %ld steps at t = %.6g s, %.2f s of wall clock\n",
         run->stopped ? "stopped" : "done", s->step, s->time, app_clock() - run->began);
  printf("worst error %.2e, %ld steps not converged, deepest penetration %.3g m, energy balance "
         "%.2e J\n",
         s->worst_error, s->unconverged, s->worst_penetration, s->ledger.balance);
  if (run->stopped)
    printf("go on with: delassus run %s --restart %s/checkpoint.h5 --out %s\n", run->deck_path,
           run->folder, run->folder);
  printf("open in ParaView: %s/bodies.pvd, contacts.pvd, chains.pvd\n", run->folder);
  app_averages_say(run->averages, run->folder);
  printf("picture: %s/picture.svg   table: %s/history.csv   certificate: %s/summary.json\n",
         run->folder, run->folder, run->folder);
}

/* All mistakes of the deck, one a line. */
static int refuse_deck(const Run *run) {
  const int count = run->deck ? dls_deck_problem_count(run->deck) : 0;
  if (!count) return app_refuse_status(run->command);
  for (int k = 0; dls_deck_problem_text(run->deck, k); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(run->deck, k));
  fprintf(stderr, "delassus run: %d mistake%s in %s; nothing was run\n", count,
          count == 1 ? "" : "s", run->deck_path);
  return APP_WRONG_INPUT;
}

static bool read_deck(Run *run) {
  if (dls_deck_open(run->deck_path, &run->deck) != DLS_OK) return false;
  for (int k = 0; k < run->nsettings; k++)
    if (dls_deck_set(run->deck, run->settings[k]) != DLS_OK) return false;
  if (dls_scene_build(run->deck, &run->scene) != DLS_OK) return false;
  app_averages_check(run->deck, run->scene);
  return dls_deck_problem_count(run->deck) == 0;
}

static void name_folder(Run *run) {
  if (run->out) {
    snprintf(run->folder, sizeof run->folder, "%s", run->out);
    return;
  }
  const char *name = strrchr(run->deck_path, '/');
  snprintf(run->folder, sizeof run->folder, "%s", name ? name + 1 : run->deck_path);
  char *dot = strrchr(run->folder, '.');
  if (dot && dot != run->folder) *dot = '\0';
}

static int finish(Run *run, int status) {
  app_shadow_end(&run->shadow);
  app_entrants_clear(&run->shadows);
  dls_frames_destroy(&run->frames);
  app_averages_close(&run->averages);
  if (app_history_close(&run->history) != DLS_OK) status = app_refuse_status(run->command);
  dls_scene_destroy(&run->scene);
  dls_deck_destroy(&run->deck);
  return status;
}

/* One problem from rest: exit status 0 where the bodies stay. */
static int judge_equilibrium(Run *run) {
  const double tolerance = 1e-3; /* of the largest acceleration without contacts */
  DlsSimulation *s = run->scene->simulation;
  DlsEquilibrium verdict;
  if (run->restart && read_checkpoint(run) != DLS_OK) return app_refuse_status(run->command);
  if (dls_simulation_equilibrium(s, tolerance, &verdict) != DLS_OK)
    return app_refuse_status(run->command);
  double largest = 0;
  for (int i = 0; i < s->assembly.count; i++)
    largest = fmax(largest, s->assembly.r[(size_t)i * (size_t)s->assembly.block] / s->h);
  printf("%s: %d bodies, %d contacts, largest normal force %.4g N\n",
         verdict.holds ? "in equilibrium" : "not in equilibrium", s->world->count, verdict.contacts,
         largest);
  if (verdict.body >= 0)
    printf("acceleration left %.3g m/s2 (body %llu), without contacts %.3g m/s2; solver: %ld "
           "iterations, error %.1e\n",
           verdict.acceleration, (unsigned long long)s->world->id[verdict.body], verdict.load,
           verdict.solver.iterations, verdict.solver.error);
  if (verdict.solver.outcome != DLS_CONVERGED)
    printf("the solver did not converge; raise solver.max_iterations before believing a no\n");
  return verdict.holds ? APP_DONE : APP_NOT_CONVERGED;
}

/* What a law was asked when it stopped the run, and how to ask it again. */
static int stop_by_law(const Run *run) {
  DlsLawFailure failure;
  char path[2200], sentence[DLS_FAILURE_TEXT];
  if (!dls_law_failure_last(&failure)) return app_refuse_status(run->command);
  snprintf(sentence, sizeof sentence, "%s", dls_error_message());
  if (!failure.local)
    failure.local = dls_assemble_local(&run->scene->simulation->assembly, failure.contact,
                                       failure.D, failure.q);
  snprintf(path, sizeof path, "%s/law-failure.yaml", run->folder);
  if (dls_failure_write(&failure, path) != DLS_OK) return app_refuse_status(run->command);
  fprintf(stderr,
          "delassus run: %s\nthe contact is kept; to ask the law again: delassus law path --replay "
          "%s\n",
          sentence, path);
  return APP_NOT_CONVERGED;
}

static int run_deck(Run *run) {
  if (!read_deck(run)) return finish(run, refuse_deck(run));
  if (run->equilibrium) return finish(run, judge_equilibrium(run));
  name_folder(run);
  app_catch_signals();
  const DlsStatus status = simulate(run);
  if (status != DLS_OK)
    return finish(run, status == DLS_ERR_LAW ? stop_by_law(run) : app_refuse_status(run->command));
  say(run);
  return finish(run, run->scene->simulation->unconverged ? APP_NOT_CONVERGED : APP_DONE);
}

/* docs/deck-keys.md is this text. */
static int print_schema(const AppCommand *self) {
  char *text = NULL;
  if (dls_deck_describe(dls_scene_section(), &text) != DLS_OK) return app_refuse_status(self);
  printf("# Keys of a deck\n\n"
         "Made from the tables of the program by `delassus run --schema > docs/deck-keys.md`. How "
         "a deck "
         "is\nwritten, with units and expressions: [deck.md](deck.md). What a run does with it: "
         "[run.md](run.md).\n\n%s",
         text);
  free(text);
  return APP_DONE;
}

static int run_command(const AppCommand *self, int argc, char **argv) {
  Run run = {.command = self, .shadow_every = 50, .marks = {.last_frame = -INFINITY}};
  long threads;
  AppArguments arguments = app_arguments(self, argc, argv);
  for (int met; (met = app_arguments_next(&arguments)) != APP_END;) {
    bool good = true;
    switch (met) {
    case APP_STOP:
      return arguments.status;
    case APP_REST:
      return app_refuse(self, "nothing follows --; see delassus run --help");
    case APP_OPERAND:
      if (run.deck_path)
        return app_refuse(self, "one deck at a time; %s is the second", arguments.value);
      run.deck_path = arguments.value;
      break;
    case SET:
      if (run.nsettings == MAX_SETTINGS)
        return app_refuse(self, "more than %d --set", MAX_SETTINGS);
      run.settings[run.nsettings++] = arguments.value;
      break;
    case RESTART:
      run.restart = arguments.value;
      break;
    case OUT:
      run.out = arguments.value;
      break;
    case CAPTURE:
      good = app_arguments_count(&arguments, "capture", 1, &run.capture);
      break;
    case SHADOW:
      if (!app_entrants_read(self, "shadow", arguments.value, &run.shadows))
        return finish(&run, APP_WRONG_INPUT);
      break;
    case SHADOW_EVERY:
      good = app_arguments_count(&arguments, "shadow-every", 1, &run.shadow_every);
      break;
    case EQUILIBRIUM:
      run.equilibrium = true;
      break;
    case MAX_TIME:
      good = app_arguments_real(&arguments, "max-time", 0, &run.max_time);
      break;
    case THREADS:
      good = app_arguments_count(&arguments, "threads", 1, &threads);
      break;
    case SCHEMA:
      return print_schema(self);
    case QUIET:
    default:
      run.quiet = true;
      break;
    }
    if (!good) return arguments.status;
  }
  if (!run.deck_path)
    return app_refuse(self, "which deck? delassus run DECK.yaml; examples are in input/");
  return run_deck(&run);
}

static const char details[] =
    "Exit status: 0 done, 1 some step did not converge or a law failed, 2 wrong input;\n"
    "with --equilibrium 0 in equilibrium, 1 not.\n"
    "Ctrl-C ends after the step at hand, with all files whole and a checkpoint.\n"
    "\n"
    "  delassus run input/silo.yaml --set time.end=0.5 --out out/silo\n"
    "  delassus run input/silo.yaml --restart out/silo/checkpoint.h5 --out out/silo\n";

const AppCommand app_run = {
    .name = "run",
    .usage = "DECK [options]",
    .summary = "Simulates what a deck says, and writes files for ParaView",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run_command,
};
