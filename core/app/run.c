/* delassus run: a simulation from a deck. */
#define _GNU_SOURCE /* program_invocation_name */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <delassus/run.h>

#include "app/app.h"
#include "app/halved.h"
#include "app/options.h"
#include "app/ranks.h"
#include "base/pool.h"
#include "base/team.h"
#include "run/scene.h"

enum { LONGEST_PATH = 2048 };

typedef struct {
  const AppCommand *command;
  const char *deck, *stage;
  AppTexts set, change;
  DlsRunOptions options;
  bool quiet, equilibrium, halve, schema;
  long threads;
  char folder[LONGEST_PATH];
  DlsRun *run;
  AppHalved *halved; /* with --halve */
  double last_line;  /* s, when the progress was last told */
  double before_s;   /* s of wall clock of the run at some line before, */
  long before_step;  /* and its step */
  int mistakes;      /* of the deck, told */
  long squeezes;     /* steps without a solution that were told */
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, deck, "deck"),
    APP_TEXTS_ROW(Job, set, "set", "KEY=VALUE",
                  "overrides a key of the deck, such as time.end=2; repeats"),
    APP_TEXT_ROW(Job, options.out, "out", "DIR",
                 "folder of the results (default: the deck's name, without .yaml; of a restart: "
                 "where its checkpoint is)"),
    APP_TEXT_ROW(
        Job, options.restart, "restart", "FILE",
        "goes on from a checkpoint, such as DIR/checkpoint.h5; without a deck, with its own"),
    APP_TEXTS_ROW(
        Job, change, "change", "KEY",
        "with --restart: this key, and all below it, may differ from the checkpoint's deck; "
        "repeats"),
    APP_TEXT_ROW(Job, stage, "stage", "DECK",
                 "with --restart: another deck, from t = 0 on, with the bodies of the checkpoint"),
    APP_FLAG_ROW(Job, options.overwrite, "overwrite", "also where a longer run is lost by it"),
    APP_INTEGER_ROW(Job, options.capture, "capture", "N", 1, APP_ANY,
                    "writes the problem of every N-th step as capture_STEP.hdf5"),
    APP_TEXT_ROW(Job, options.shadow, "shadow", "a,b|all",
                 "solves steps with these solvers too, and compares; see docs/run.md"),
    APP_INTEGER_ROW(Job, options.shadow_every, "shadow-every", "N", 1, APP_ANY,
                    "every N-th step, for --shadow (default 50)"),
    APP_FLAG_ROW(Job, equilibrium, "equilibrium",
                 "tells whether the bodies, at rest where they are, would stay so; runs nothing"),
    APP_FLAG_ROW(Job, halve, "halve",
                 "runs the deck once more with half the step, beside the run, and tells what "
                 "differs"),
    APP_REAL_ROW(Job, options.max_time, "max-time", "S", 0, APP_ANY,
                 "stops after so many seconds of wall clock, also within a step"),
    APP_THREADS_ROW(Job, threads),
    APP_FLAG_ROW(Job, schema, "schema", "prints all keys of a deck as Markdown, and runs nothing"),
    APP_FLAG_ROW(Job, quiet, "quiet", "no progress"),
};

static bool is_terminal(void) { return isatty(STDERR_FILENO) != 0; }

/* The first steps without a solution are told as they come, and all are counted. */
static void tell_squeezed(Job *job, const char *text) {
  const long most = 3;
  if (job->quiet || ++job->squeezes > most) return;
  fprintf(stderr, "%s%s%s\n", is_terminal() ? "\r\033[K" : "", text,
          job->squeezes == most ? " (more are counted, not told)" : "");
}

static void tell(void *context, DlsRunEvent event, const char *text) {
  Job *job = context;
  switch (event) {
  case DLS_RUN_PLACED:
    app_prepare_end();
    if (!job->equilibrium) app_catch_signals();
    break;
  case DLS_RUN_NOTICE:
    fprintf(stderr, "delassus run: %s\n", text);
    break;
  case DLS_RUN_MISTAKE:
    job->mistakes++;
    fprintf(stderr, "%s\n", text);
    break;
  case DLS_RUN_CHANGE:
    fprintf(stderr, "%s\n", text);
    break;
  case DLS_RUN_SQUEEZED:
    tell_squeezed(job, text);
    break;
  }
}

/* Steps a second of the last steps, which cost more or less than those before: since a line that is
 * two seconds old or older; of the whole run until there is one. */
static double recent_rate(Job *job, const DlsRunReport *r) {
  if (job->before_step < r->first_step) job->before_step = r->first_step;
  const double rate = (double)(r->step - job->before_step) / (r->wall_clock - job->before_s + 1e-9);
  if (r->wall_clock - job->before_s >= 2) {
    job->before_s = r->wall_clock;
    job->before_step = r->step;
  }
  return rate;
}

static void progress(Job *job, bool last) {
  const double now = app_clock();
  if (job->quiet || (!last && now - job->last_line < (is_terminal() ? 0.2 : 10))) return;
  const DlsRunReport r = dls_run_report(job->run);
  const double rate = recent_rate(job, &r);
  const double left = (r.end_time - r.time) / r.step_length / (rate > 0 ? rate : 1);
  fprintf(
      stderr,
      "%st = %.4g of %.4g s  %.0f steps/s  %d contacts  %ld iterations  error %.1e  %.0f s left%s",
      is_terminal() ? "\r\033[K" : "", r.time, r.end_time, rate, r.contacts, r.iterations, r.error,
      left > 0 ? left : 0, is_terminal() && !last ? "" : "\n");
  job->last_line = now;
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

/* "go on with: ...", a line that the shell takes as it stands. */
static void say_how(const Job *job) {
  const DlsRunOptions *o = &job->options;
  char path[LONGEST_PATH + 32];
  /* A folder whose name begins with a dash is no option. */
  snprintf(path, sizeof path, "%s%s/checkpoint.h5", job->folder[0] == '-' ? "./" : "", job->folder);
  fputs("go on with:", stdout);
  if (dls_team_ranks(NULL) > 1) printf(" mpirun -n %d", dls_team_ranks(NULL));
  put_word(program_invocation_name);
  fputs(" run --restart", stdout);
  put_word(path);
  if (o->capture > 0) printf(" --capture %ld", o->capture);
  if (o->shadow) {
    fputs(" --shadow", stdout);
    put_word(o->shadow);
    printf(" --shadow-every %ld", o->shadow_every);
  }
  fputc('\n', stdout);
}

static void say(const Job *job) {
  const DlsRunReport r = dls_run_report(job->run);
  if (job->quiet) return;
  if (job->options.shadow)
    printf("shadow solvers on %d steps: %s/shadow/index.html; where they disagree: "
           "%s/shadow/disagree.pvd\n",
           r.shadowed, r.folder, r.folder);
  printf("%s after %ld steps at t = %.6g s, %.2f s of wall clock\n",
         r.state == DLS_RUN_FINISHED ? "done" : "stopped", r.step, r.time, r.wall_clock);
  printf("worst error %.2e, %ld steps not converged, deepest penetration %.3g m, energy balance "
         "%.2e J\n",
         r.worst_error, r.not_converged, r.worst_penetration, r.energy.balance);
  if (r.without_solution)
    printf("%ld steps had no solution: no motion was possible\n", r.without_solution);
  if (r.not_captured)
    printf("%ld steps not captured: a contact had a custom law\n", r.not_captured);
  if (r.state != DLS_RUN_FINISHED) say_how(job);
  printf("open in ParaView: %s/bodies.pvd, contacts.pvd, chains.pvd\n", r.folder);
  for (int k = 0; dls_run_average(job->run, k); k++) puts(dls_run_average(job->run, k));
  printf("picture: %s/picture.svg   table: %s/history.csv   certificate: %s/summary.json\n",
         r.folder, r.folder, r.folder);
}

/* One problem from rest: exit status 0 where the bodies stay. */
static int judge_equilibrium(const Job *job) {
  const double tolerance = 1e-3; /* of the largest acceleration without contacts */
  const DlsScene *scene = dls_run_scene(job->run);
  DlsSimulation *s = scene->simulation;
  DlsEquilibrium verdict;
  if (scene->data.cell && scene->data.cell->stress[0])
    return app_refuse(job->command, "cell.stress: equilibrium is asked of bodies in a cell that "
                                    "stays as it is; leave `stress` out, or run until it rests");
  if (dls_simulation_equilibrium(s, tolerance, &verdict) != DLS_OK)
    return app_refuse_status(job->command);
  double largest = 0;
  for (int i = 0; i < s->last.assembly.step.count; i++)
    largest =
        fmax(largest, s->last.assembly.solve.r[(size_t)i * (size_t)s->last.assembly.run.block] /
                          s->settings.h);
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

/* A run that failed: of a law, how to ask it again. */
static int refuse_failure(const Job *job) {
  if (!dls_run_report(job->run).failure_kept) return app_refuse_status(job->command);
  fprintf(stderr,
          "delassus run: %s\nthe contact is kept; to ask the law again: delassus law path --replay "
          "%s/law-failure.yaml\n",
          dls_error_message(), job->folder);
  return APP_NOT_CONVERGED;
}

/* Who is squeezed, and what can be done. */
static int say_impossible(const DlsRunReport *report) {
  fprintf(stderr, "delassus run: %s\n", report->reason);
  if (report->problem_kept)
    fprintf(stderr, "the problem of that step is kept: delassus solve %s/no-solution.hdf5\n",
            report->folder);
  fprintf(stderr, "to go on all the same, with overlaps: --set solver.no_solution=continue\n");
  return APP_NO_SOLUTION;
}

static int simulate(Job *job) {
  bool more = true;
  while (more) {
    if (dls_run_step(job->run, &more) != DLS_OK) return refuse_failure(job);
    if (job->halved && app_halved_follow(job->halved) != DLS_OK)
      return app_refuse_status(job->command);
    progress(job, !more);
  }
  const DlsRunReport report = dls_run_report(job->run);
  say(job);
  bool whole = true;
  if (job->halved && app_halved_say(job->halved, job->quiet, &whole) != DLS_OK)
    return app_refuse_status(job->command);
  if (report.state == DLS_RUN_IMPOSSIBLE) return say_impossible(&report);
  if (report.state == DLS_RUN_STOPPED) return APP_INTERRUPTED;
  return report.not_converged || !whole ? APP_NOT_CONVERGED : APP_DONE;
}

/* --out; that of the checkpoint; the name of the deck without its suffix. */
static const char *name_folder(Job *job) {
  const char *out = job->options.out, *restart = job->options.restart;
  if (out && strlen(out) < sizeof job->folder) strcpy(job->folder, out); /* else it is refused */
  if (out) return out;
  if (restart && !job->stage) {
    const char *slash = strrchr(restart, '/');
    const int length = slash ? (int)(slash - restart) : 1;
    snprintf(job->folder, sizeof job->folder, "%.*s", length ? length : 1, slash ? restart : ".");
    return job->folder;
  }
  const char *name = strrchr(job->deck, '/');
  snprintf(job->folder, sizeof job->folder, "%s", name ? name + 1 : job->deck);
  char *dot = strrchr(job->folder, '.');
  if (dot && dot != job->folder) *dot = '\0';
  return job->folder;
}

static int open_and_run(Job *job) {
  DlsRunOptions *o = &job->options;
  o->set = job->set.item;
  o->nset = job->set.count;
  o->change = job->change.item;
  o->nchange = job->change.count;
  o->stage = job->stage != NULL;
  o->stop = app_stop_asked;
  o->tell = tell;
  o->context = job;
  o->out = name_folder(job);
  if (job->equilibrium) o->out = o->shadow = NULL, o->capture = 0; /* nothing is written */
  app_prepare_begin(o->max_time, job->quiet);
  const DlsStatus opened = dls_run_open(job->deck, o, &job->run);
  app_prepare_end();
  if (opened != DLS_OK) return job->mistakes ? app_refused() : app_refuse_status(job->command);
  int status = APP_DONE;
  if (job->halve && app_halved_open(job->run, job->deck, o, &job->halved) != DLS_OK)
    status = app_refuse_status(job->command);
  else
    status = job->equilibrium ? judge_equilibrium(job) : simulate(job);
  if (app_halved_close(&job->halved) != DLS_OK) status = app_refuse_status(job->command);
  if (dls_run_close(&job->run) != DLS_OK) status = app_refuse_status(job->command);
  return status;
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

/* What the rows alone cannot say, and the run. */
static int run_job(Job *job) {
  const AppCommand *self = job->command;
  const bool restarts = job->options.restart != NULL;
  if (job->schema) return print_schema(self);
  dls_pool_set((int)job->threads);
  if (job->halve && job->equilibrium)
    return app_refuse(self, "--equilibrium runs nothing whose step could be halved; leave one out");
  if (job->stage && job->deck)
    return app_refuse(self, "%s and --stage %s are two decks; leave one out", job->deck,
                      job->stage);
  if (!restarts && (job->stage || job->change.count))
    return app_refuse(self, "%s goes with --restart FILE, the checkpoint to begin from",
                      job->stage ? "--stage" : "--change");
  if (job->stage && job->change.count)
    return app_refuse(self, "--stage may change all; leave --change out");
  if (job->halve && dls_team_ranks(NULL) > 1)
    return app_refuse(self, "--halve is a second run beside the first; leave mpirun out");
  if (job->stage) job->deck = job->stage;
  if (!job->deck && !restarts)
    return app_refuse(self, "which deck? delassus run DECK.yaml; examples are in input/");
  const int met = app_ranks_join(self);
  return met == APP_GO_ON ? open_and_run(job) : met;
}

static int run_command(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self, .options = dls_run_options_default()};
  int status = app_options_read(self, argc, argv, &job);
  if (status == APP_GO_ON) status = run_job(&job);
  app_options_clear(self, &job);
  return status;
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
