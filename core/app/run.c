/* delassus run: a simulation from a deck. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/arguments.h"
#include "app/progress.h"
#include "app/run_impl.h"
#include "law_bench/failure_file.h"

enum {
  SET,
  OUT,
  RESTART,
  CHANGE,
  STAGE,
  OVERWRITE,
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
    [OUT] = {"out", "DIR",
             "folder of the results (default: the deck's name, without .yaml; of a restart: where "
             "its checkpoint is)"},
    [RESTART] =
        {"restart", "FILE",
         "goes on from a checkpoint, such as DIR/checkpoint.h5; without a deck, with its own"},
    [CHANGE] =
        {"change", "KEY",
         "with --restart: this key, and all below it, may differ from the checkpoint's deck; "
         "repeats"},
    [STAGE] = {"stage", "DECK",
               "with --restart: another deck, from t = 0 on, with the bodies of the checkpoint"},
    [OVERWRITE] = {"overwrite", NULL, "also where a longer run is lost by it"},
    [CAPTURE] = {"capture", "N", "writes the problem of every N-th step as capture_STEP.hdf5"},
    [SHADOW] = {"shadow", "a,b|all",
                "solves steps with these solvers too, and compares; see docs/run.md"},
    [SHADOW_EVERY] = {"shadow-every", "N", "every N-th step, for --shadow (default 50)"},
    [EQUILIBRIUM] =
        {"equilibrium", NULL,
         "tells whether the bodies, at rest where they are, would stay so; runs nothing"},
    [MAX_TIME] = {"max-time", "S", "stops after so many seconds of wall clock, also within a step"},
    [THREADS] = {"threads", "N", "accepted; one thread works today"},
    [SCHEMA] = {"schema", NULL, "prints all keys of a deck as Markdown, and runs nothing"},
    [QUIET] = {"quiet", NULL, "no progress"},
};

static void say(const AppRun *run) {
  const DlsSimulation *s = run->scene->simulation;
  if (run->quiet) return;
  printf("%s after %ld steps at t = %.6g s, %.2f s of wall clock\n",
         run->stopped ? "stopped" : "done", s->step, s->time, app_clock() - run->began);
  printf("worst error %.2e, %ld steps not converged, deepest penetration %.3g m, energy balance "
         "%.2e J\n",
         s->worst_error, s->unconverged, s->worst_penetration, s->ledger.balance);
  if (s->squeezed) printf("%ld steps had no solution: no motion was possible\n", s->squeezed);
  if (run->not_captured)
    printf("%ld steps not captured: a contact had a custom law\n", run->not_captured);
  if (run->stopped) app_run_say_how(run);
  printf("open in ParaView: %s/bodies.pvd, contacts.pvd, chains.pvd\n", run->folder);
  app_averages_say(run->averages, run->folder);
  printf("picture: %s/picture.svg   table: %s/history.csv   certificate: %s/summary.json\n",
         run->folder, run->folder, run->folder);
}

static int finish(AppRun *run, int status) {
  app_shadow_end(&run->shadow);
  dls_entrants_clear(&run->shadows);
  dls_frames_destroy(&run->frames);
  app_averages_close(&run->averages);
  if (app_history_close(&run->history) != DLS_OK) status = app_refuse_status(run->command);
  dls_scene_destroy(&run->scene);
  dls_deck_destroy(&run->deck);
  dls_restart_close(&run->from);
  free(run->name);
  dls_folder_unlock(&run->lock);
  return status;
}

/* One problem from rest: exit status 0 where the bodies stay. */
static int judge_equilibrium(AppRun *run) {
  const double tolerance = 1e-3; /* of the largest acceleration without contacts */
  DlsSimulation *s = run->scene->simulation;
  DlsEquilibrium verdict;
  if (app_run_bring(run) != DLS_OK) return app_refuse_status(run->command);
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
  if (verdict.solver.outcome == DLS_NO_SOLUTION)
    printf("there is no answer: %s\n", verdict.solver.note);
  else if (verdict.solver.outcome != DLS_CONVERGED)
    printf("the solver did not converge; raise solver.max_iterations before believing a no\n");
  return verdict.holds ? APP_DONE : APP_NOT_CONVERGED;
}

/* What a law was asked when it stopped the run, and how to ask it again. */
static int stop_by_law(const AppRun *run) {
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

/* Who is squeezed, and what can be done. */
static int say_impossible(const AppRun *run) {
  fprintf(stderr, "delassus run: %s\n", run->impossible);
  if (run->kept)
    fprintf(stderr, "the problem of that step is kept: delassus solve %s/no-solution.hdf5\n",
            run->folder);
  fprintf(stderr, "to go on all the same, with overlaps: --set solver.no_solution=continue\n");
  return APP_NO_SOLUTION;
}

static int run_deck(AppRun *run) {
  int status;
  app_prepare_begin(run->max_time, run->quiet);
  const bool good = app_run_read(run, &status);
  app_prepare_end();
  if (!good) return finish(run, status);
  if (run->equilibrium) return finish(run, judge_equilibrium(run));
  if (app_run_check_capture(run) != DLS_OK) return finish(run, app_refuse_status(run->command));
  app_catch_signals();
  if (app_run_enter(run) != DLS_OK) return finish(run, app_refuse_status(run->command));
  const DlsStatus done = app_run_simulate(run);
  if (done != DLS_OK)
    return finish(run, done == DLS_ERR_LAW ? stop_by_law(run) : app_refuse_status(run->command));
  say(run);
  if (run->impossible[0]) return finish(run, say_impossible(run));
  if (run->stopped) return finish(run, APP_INTERRUPTED);
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
  AppRun run = {.command = self, .shadow_every = 50, .marks = {.last_frame = -INFINITY}};
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
      if (run.nsettings == APP_RUN_SETTINGS)
        return app_refuse(self, "more than %d --set", APP_RUN_SETTINGS);
      run.settings[run.nsettings++] = arguments.value;
      break;
    case RESTART:
      run.restart = arguments.value;
      break;
    case CHANGE:
      if (run.nchange == APP_RUN_SETTINGS)
        return app_refuse(self, "more than %d --change", APP_RUN_SETTINGS);
      run.change[run.nchange++] = arguments.value;
      break;
    case STAGE:
      run.stage = arguments.value;
      break;
    case OVERWRITE:
      run.overwrite = true;
      break;
    case OUT:
      run.out = arguments.value;
      break;
    case CAPTURE:
      good = app_arguments_count(&arguments, "capture", 1, &run.capture);
      break;
    case SHADOW:
      run.shadow_list = arguments.value;
      if (dls_entrants_read("shadow", arguments.value, &run.shadows) != DLS_OK)
        return finish(&run, app_refuse_status(self));
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
  if (run.stage && run.deck_path)
    return app_refuse(self, "%s and --stage %s are two decks; leave one out", run.deck_path,
                      run.stage);
  if (!run.restart && (run.stage || run.nchange))
    return app_refuse(self, "%s goes with --restart FILE, the checkpoint to begin from",
                      run.stage ? "--stage" : "--change");
  if (run.stage && run.nchange)
    return app_refuse(self, "--stage may change all; leave --change out");
  if (run.stage) run.deck_path = run.stage;
  if (!run.deck_path && !run.restart)
    return app_refuse(self, "which deck? delassus run DECK.yaml; examples are in input/");
  return run_deck(&run);
}

static const char details[] =
    "Exit status: 0 done, 1 some step did not converge or a law failed, 2 wrong input,\n"
    "3 stopped (Ctrl-C, SIGTERM, --max-time) with its state saved, 4 stopped at a step in\n"
    "which no motion is possible; with --equilibrium 0 in\n"
    "equilibrium, 1 not. A run that stops has all its files whole, and prints the command that "
    "goes\n"
    "on; a second Ctrl-C ends it at once, at the last checkpoint.\n"
    "\n"
    "  delassus run input/silo.yaml --set time.end=0.5 --out out/silo\n"
    "  delassus run --restart out/silo/checkpoint.h5 --set time.end=0.8\n"
    "  delassus run --restart out/silo/checkpoint.h5 --set gravity=[0,0,-1.62] --change gravity\n"
    "               --set time.end=1 --out out/moon\n"
    "  delassus run --restart out/isotropic/checkpoint.h5 --stage input/triaxial.yaml\n";

const AppCommand app_run = {
    .name = "run",
    .usage = "[DECK] [options]",
    .summary = "Simulates what a deck says, and writes files for ParaView",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run_command,
};
