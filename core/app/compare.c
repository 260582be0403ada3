/* delassus compare: solvers raced on problems, and the report. */
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "app/app.h"
#include "app/heat.h"
#include "app/options.h"
#include "app/problem_argument.h"
#include "app/progress.h"
#include "app/scoreboard.h"
#include "base/choices.h"
#include "base/file.h"
#include "base/folder_lock.h"
#include "compare/entrants.h"
#include "compare/libraries.h"
#include "compare/machine.h"
#include "compare/page.h"
#include "compare/problems.h"
#include "compare/race/csv.h"
#include "compare/redraw.h"
#include "compare/reported.h"

#include <delassus/analytic.h>
#include <delassus/version.h>

typedef struct {
  const AppCommand *command;
  AppProblemNames problems;
  const char *solver_list, *guess, *out;
  const char *redraw, *names; /* a folder that is drawn anew, the problems wanted of it */
  int argc;                   /* the command line, for the page */
  char **argv;
  DlsEntrants field;
  DlsRace race;
  double tolerance[DLS_RACE_TOLERANCES];
  int tolerances;
  double max_time, max_work;
  long max_memory, repeat, jobs;
  DlsMeasure measure;
  DlsClock clock;
  AppForm form;
  AppTexts joined; /* files of results of others */
  bool one_pass, resume, analytic, quiet;
  DlsFolderLock *lock;   /* on the folder, for the whole race */
  double began, written; /* s, of the clock */
  long done, kept;
} Job;

static bool read_tolerances(const AppCommand *command, const AppOption *option, const char *value,
                            void *field) {
  Job *job = field;
  (void)option;
  job->tolerances = 0;
  for (const char *at = value; *at;) {
    char *end;
    const double tolerance = strtod(at, &end);
    const bool good =
        end != at && (*end == ',' || *end == '\0') && tolerance > 0 && isfinite(tolerance);
    if (!good || job->tolerances == DLS_RACE_TOLERANCES) {
      app_refuse(command, "--tolerance %s: positive numbers with commas, at most %d", value,
                 (int)DLS_RACE_TOLERANCES);
      return false;
    }
    job->tolerance[job->tolerances++] = tolerance;
    at = *end ? end + 1 : end;
  }
  return true;
}

static const AppOption options[] = {
    APP_PROBLEMS_ROW(Job, problems),
    APP_TEXT_ROW(Job, solver_list, "solvers", "a,b|all",
                 "see delassus solver list; a solver with options is name:key=value:..., a choice "
                 "may stand alone as in siconos:nsn_ac, siconos:all is each (default all)"),
    APP_READ_ROW(read_tolerances, "tolerance", "t1,t2",
                 "errors to reach, up to 8 (default 1e-4,1e-8)"),
    APP_REAL_ROW(Job, max_time, "max-time", "S", 1e-3, APP_ANY,
                 "seconds for each solve, by the clock (default 60)"),
    APP_CHOICE_ROW(Job, clock, "clock", "NAME", DLS_CHOICES(DLS_CLOCK_LIST),
                   "wall (default), or cpu: the processor's, which stands still while other "
                   "programs have it; limits and figures go by it, tables have both"),
    APP_REAL_ROW(Job, max_work, "budget", "WORK", 0, APP_ANY,
                 "products with W that a solve may cost, all it does counted; 0 for no limit "
                 "(default)"),
    APP_FLAG_ROW(Job, one_pass, "one-pass",
                 "one solve for all tolerances, looser ones where it passes them (default: a "
                 "solve for each)"),
    APP_INTEGER_ROW(Job, max_memory, "max-memory", "MB", 0, APP_ANY,
                    "that a solver may take (default 4000; 0: no limit)"),
    APP_CHOICE_ROW(Job, measure, "measure", "NAME", DLS_CHOICES(DLS_MEASURE_LIST),
                   "the error meant: natural (default), natural_q, scaled or bipotential; see "
                   "docs/theory.md"),
    APP_SAMPLE_ROW(Job, problems, "a problem built here, see delassus sample list; repeats"),
    APP_FORM_ROW(Job, form),
    APP_ASSOCIATED_ROW(Job, problems),
    APP_TEXT_ROW(Job, guess, "guess", "WHERE",
                 "zero (default), file, or guess number K of each file"),
    APP_INTEGER_ROW(Job, repeat, "repeat", "N", 1, INT_MAX,
                    "the fastest of so many runs, where they take less than 0.5 s (default 1)"),
    APP_INTEGER_ROW(Job, jobs, "jobs", "N", 1, APP_HEAT_JOBS,
                    "solvers side by side on a problem (default 1): sooner done, but each may wait "
                    "for the others, as the report then says"),
    APP_TEXT_ROW(Job, out, "out", "DIR", "folder of the report (default compare)"),
    APP_FLAG_ROW(Job, resume, "resume", "keep the runs that the folder holds already"),
    APP_TEXT_ROW(Job, redraw, "redraw", "DIR",
                 "no solve: the report of the race in DIR anew, of --solvers, --tolerance and "
                 "--problems alone where they are given; into DIR, or with its tables into --out"),
    APP_TEXT_ROW(Job, names, "problems", "REGEX", "with --redraw: problems whose names match"),
    APP_TEXTS_ROW(Job, joined, "join", "FILE.csv",
                  "results of others beside ours, shown as reported: columns solver, problem or "
                  "hash, tolerance, time_s; repeats"),
    APP_FLAG_ROW(Job, analytic, "analytic",
                 "the scoreboard: problems with known answers, and how far solvers are from them"),
    APP_FLAG_ROW(Job, quiet, "quiet", "no progress"),
};

static void say_progress(const Job *job, int p, int s, const DlsRaceRun *run) {
  if (job->quiet) return;
  const long all = (long)job->problems.count * job->field.count, ran = job->done - job->kept;
  const double spent = app_clock() - job->began;
  const double left = ran > 0 ? spent / (double)ran * (double)(all - job->done) : 0;
  printf("%ld of %ld  %-36.36s %-14.14s %-15s %9.3g s  error %.1e  %.0f s left\n", job->done, all,
         job->race.problem[p].name, job->race.solver[s],
         dls_race_status(&job->race, run, dls_race_last(&job->race)),
         isfinite(run->time_s) ? run->time_s : 0, run->errors.natural, left);
  fflush(stdout);
}

static DlsStatus write_tables(Job *job) {
  job->written = app_clock();
  return dls_race_write(&job->race, job->out);
}

static DlsStatus tell_run(void *context, int p, int s, bool kept) {
  const double often = 10; /* s: what is done is on the disk so soon */
  Job *job = context;
  const DlsRaceRun *run = dls_race_at(&job->race, p, s);
  job->done++;
  job->kept += kept;
  if (!kept && run->end != DLS_RACE_NONE) say_progress(job, p, s, run);
  return app_clock() - job->written > often ? write_tables(job) : DLS_OK;
}

/* All solvers on one problem. */
static DlsStatus race_problem(Job *job, int p, const AppProblem *problem) {
  double *guess = NULL;
  DLS_TRY(app_problem_guess(problem, job->guess, &guess));
  const DlsStatus status = app_heat_run(&(AppHeat){.race = &job->race,
                                                   .field = &job->field,
                                                   .number = p,
                                                   .problem = problem->problem,
                                                   .guess = guess,
                                                   .jobs = (int)job->jobs,
                                                   .tell = tell_run,
                                                   .context = job});
  free(guess);
  return status == DLS_OK ? write_tables(job) : status;
}

/* Files of one name in two folders are two problems: their fingerprints follow the names. The same
 * problem twice is told. */
static void tell_twins(Job *job) {
  DlsRace *race = &job->race;
  for (int p = race->problems - 1; p >= 0; p--) {
    DlsRaceProblem *problem = &race->problem[p];
    bool shared = false;
    for (int k = 0; k < race->problems; k++) {
      const DlsRaceProblem *other = &race->problem[k];
      const bool same = strcmp(problem->hash, other->hash) == 0;
      shared = shared || (k != p && !same && strcmp(problem->name, other->name) == 0);
      if (k < p && same && !job->quiet)
        printf("%s and %s are the same problem\n", other->name, race->problem[p].name);
    }
    if (!shared) continue;
    problem->name[sizeof problem->name - DLS_FINGERPRINT - 2] = '\0';
    const size_t length = strlen(problem->name);
    snprintf(problem->name + length, sizeof problem->name - length, " %s", problem->hash);
  }
}

/* Names are known before the first run, so that a folder's runs can be taken over. */
static DlsStatus name_all(Job *job) {
  for (int s = 0; s < job->field.count; s++)
    snprintf(job->race.solver[s], sizeof job->race.solver[s], "%s", job->field.entrant[s].label);
  for (int p = 0; p < job->problems.count && !app_interrupted(); p++) {
    AppProblem problem = {0};
    DLS_TRY(app_problem_load(&job->problems.item[p], job->form, &problem));
    const DlsStatus status = dls_race_describe(&job->race, p, problem.problem);
    app_problem_clear(&problem);
    DLS_TRY(status);
  }
  tell_twins(job);
  int found = 0;
  if (job->resume) DLS_TRY(dls_race_resume(&job->race, job->out, &found));
  if (found && !job->quiet) printf("%d runs are there already\n", found);
  return DLS_OK;
}

static DlsStatus open_race(Job *job, int problems) {
  DLS_TRY(dls_race_create(problems, job->field.count, &job->race));
  job->race.max_time = job->max_time;
  job->race.max_memory = job->max_memory;
  job->race.max_work = job->max_work;
  job->race.clock = job->clock;
  job->race.one_pass = job->one_pass;
  job->race.measure = job->measure;
  job->race.repeat = (int)job->repeat;
  job->race.stop = app_stop_asked;
  snprintf(job->race.start, sizeof job->race.start, "%s", job->guess);
  job->race.tolerances = job->tolerances;
  memcpy(job->race.tolerance, job->tolerance, sizeof job->tolerance);
  dls_race_sort_tolerances(&job->race);
  return DLS_OK;
}

/* What can go wrong with the folder goes wrong before the first solve. */
static DlsStatus open_folder(Job *job) {
  char path[PATH_MAX];
  DLS_TRY(dls_file_make_folder(job->out));
  DLS_TRY(dls_folder_lock(job->out, &job->lock));
  DLS_TRY(dls_race_can_write(job->out));
  snprintf(path, sizeof path, "%s/runs.csv", job->out);
  if (!job->resume && !job->analytic && !job->quiet && access(path, F_OK) == 0)
    printf("%s is of an earlier race and will be replaced; --resume would keep its runs\n", path);
  return DLS_OK;
}

static DlsStatus judge_all(Job *job) {
  DLS_TRY(open_race(job, dls_analytic_count()));
  job->race.tolerance[0] = job->race.tolerance[dls_race_last(&job->race)]; /* the one it asks for */
  job->race.tolerances = 1;
  DLS_TRY(open_folder(job));
  return app_scoreboard(&job->field, &job->race, job->out, job->quiet);
}

/* The limits of a solve, and what figures go by. */
static void tell_limits(const Job *job, DlsAbout *about) {
  char memory[48] = "no limit of memory", budget[64] = "";
  if (job->max_memory) snprintf(memory, sizeof memory, "%ld MB", job->max_memory);
  if (job->max_work > 0)
    snprintf(budget, sizeof budget, ", the work of %g products with W", job->max_work);
  dls_about_put(about, "limits of a solve", "%g s, %s%s", job->max_time, memory, budget);
  dls_about_put(about, "solves", "%s",
                job->one_pass
                    ? "in one pass: the solve to the tightest tolerance, stopped where it passed "
                      "looser ones, which it did not know of"
                    : "one for each tolerance");
  dls_about_put(about, "clock",
                "the %s clock with set-up, the fastest of %ld run%s, each solve in a process of "
                "its own on one core; the loading of libraries is not counted",
                job->clock == DLS_CLOCK_CPU ? "processor's" : "wall", job->repeat,
                job->repeat > 1 ? "s" : "");
  if (job->jobs > 1)
    dls_about_put(about, "side by side",
                  "%ld solves at a time: they shared the memory of the machine, and where it has "
                  "fewer cores these too, so that times are longer than of one alone",
                  job->jobs);
  dls_about_put(about, "work", "all that a solver does, measures included, in products with W");
}

/* The head of the page. */
static void tell_how(const Job *job, DlsAbout *about) {
  static const char *const errors[] = {
      [DLS_MEASURE_NATURAL] = "natural, |e| / max(|q|, |r|, |u|)",
      [DLS_MEASURE_SCALED] = "scaled, free of units",
      [DLS_MEASURE_NATURAL_Q] = "natural_q, |e| / |q|",
      [DLS_MEASURE_BIPOTENTIAL] = "that of the bi-potential, relative to the work of the load"};
  char machine[384], blas[256], libraries[1024];
  dls_machine_describe(machine, sizeof machine);
  dls_about_command(about, "delassus compare", job->argc, job->argv);
  dls_about_put(about, "program", "delassus %s", DLS_VERSION);
  dls_about_put(about, "machine", "%s", machine);
  dls_about_put(about, "race", "%d problems, %d solvers", job->problems.count, job->field.count);
  tell_limits(job, about);
  dls_about_put(about, "error", "%s", errors[job->measure]);
  dls_about_put(about, "start", "%s", job->guess);
  dls_about_put(about, "reached",
                "a tolerance counts as reached by a solve that ended within the limits and whose "
                "answer, measured apart from the solver, is within it");
  dls_libraries_blas(blas, sizeof blas);
  dls_libraries_describe(libraries, sizeof libraries);
  dls_about_put(about, "BLAS", "%s", blas);
  dls_about_put(about, "libraries", "%s", libraries);
  dls_about_put(about, "PETSc options", "%s",
                getenv("PETSC_OPTIONS") ? getenv("PETSC_OPTIONS") : "");
}

/* What others report of these problems; of an earlier race too where it goes on. */
static DlsStatus join_all(Job *job) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s/reported.csv", job->out);
  if (!job->resume) unlink(path);
  for (int k = 0; k < job->joined.count; k++) {
    int taken, left;
    DLS_TRY(dls_reported_join(&job->race, job->joined.item[k], job->out, k == 0, &taken, &left));
    if (!job->quiet)
      printf("%s: %d rows joined as reported, %d on other problems left out\n", job->joined.item[k],
             taken, left);
  }
  return DLS_OK;
}

static DlsStatus race_all(Job *job) {
  DLS_TRY(open_race(job, job->problems.count));
  DLS_TRY(open_folder(job));
  DLS_TRY(name_all(job));
  DLS_TRY(join_all(job));
  job->began = job->written = app_clock();
  for (int p = 0; p < job->problems.count && !app_interrupted(); p++) {
    AppProblem problem = {0};
    DLS_TRY(app_problem_load(&job->problems.item[p], job->form, &problem));
    const DlsStatus status = race_problem(job, p, &problem);
    app_problem_clear(&problem);
    DLS_TRY(status);
  }
  DLS_TRY(write_tables(job));
  DlsAbout about = {.title = "Comparison of contact solvers"};
  tell_how(job, &about);
  DLS_TRY(dls_problems_write(&job->race, job->out));
  DLS_TRY(dls_about_write(&about, job->out));
  return dls_race_page(&job->race, &about, job->out, true);
}

static DlsStatus redraw_all(Job *job) {
  const DlsRedraw what = {.solvers = job->solver_list,
                          .problems = job->names,
                          .tolerances = job->tolerances,
                          .tolerance = job->tolerance};
  DlsAbout about;
  DLS_TRY(dls_redraw_open(job->redraw, &what, &job->race, &about));
  DLS_TRY(dls_redraw_write(&job->race, &about, job->redraw, job->out));
  return DLS_OK;
}

/* Solvers whose word is not true somewhere. */
static void say_mistaken(const DlsRace *race) {
  for (int p = 0; p < race->problems; p++)
    for (int s = 0; s < race->solvers; s++) {
      char claim[64];
      const DlsRaceRun *run = dls_race_at(race, p, s);
      for (int t = 0; t < race->tolerances; t++) {
        if (!dls_race_claim(race, run, t, claim)[0]) continue;
        printf("%s on %s, to %g: %s\n", race->solver[s], race->problem[p].name, race->tolerance[t],
               claim);
        break;
      }
    }
}

/* Problems of which some solve found the proof that they have no solution. */
static int count_impossible(const DlsRace *race) {
  int count = 0;
  for (int p = 0; p < race->problems; p++) {
    bool proved = false;
    for (int s = 0; s < race->solvers; s++) {
      const DlsRaceRun *run = dls_race_at(race, p, s);
      proved = proved || (run->end == DLS_RACE_ENDED && run->outcome == DLS_NO_SOLUTION);
    }
    count += proved;
  }
  return count;
}

static void say_summary(const Job *job) {
  const DlsRace *race = &job->race;
  printf("\n%-24s", "solver");
  for (int t = 0; t < race->tolerances; t++)
    printf("  solved to %-7g    time_s", race->tolerance[t]);
  printf("\n");
  for (int s = 0; s < race->solvers; s++) {
    printf("%-24.24s", race->solver[s]);
    for (int t = 0; t < race->tolerances; t++) {
      int count = 0;
      double total = 0;
      for (int p = 0; p < race->problems; p++) {
        const double time = dls_race_time(race, dls_race_at(race, p, s), race->tolerance[t]);
        count += isfinite(time);
        total += isfinite(time) ? time : 0;
      }
      printf("  %6d of %-6d  %10.4g", count, race->problems, total);
    }
    printf("\n");
  }
  if (dls_reported_print(race, job->out, stdout) != DLS_OK) app_refuse_status(job->command);
  say_mistaken(race);
  const int none = count_impossible(race);
  if (none) printf("%d of %d problems have no solution, which was proved\n", none, race->problems);
  if (app_interrupted()) printf("interrupted; go on with --resume\n");
  printf("report: %s/index.html   tables: %s/runs.csv, %s/convergence.csv\n", job->out, job->out,
         job->out);
}

static int finish(Job *job, int status) {
  dls_entrants_clear(&job->field);
  dls_race_clear(&job->race);
  dls_folder_unlock(&job->lock);
  app_problem_names_clear(&job->problems);
  app_options_clear(job->command, job);
  return status;
}

/* What --redraw takes from the folder. */
static void take_defaults(Job *job) {
  if (!job->solver_list) job->solver_list = "all";
  if (!job->out) job->out = "compare";
  if (!job->tolerances) {
    job->tolerances = 2;
    job->tolerance[0] = 1e-4, job->tolerance[1] = 1e-8;
  }
}

static int run_redraw(Job *job) {
  if (job->problems.count || job->analytic || job->resume)
    return app_refuse(job->command, "--redraw takes the problems of the folder: leave out PROBLEM, "
                                    "--sample, --analytic and --resume; --problems REGEX chooses");
  if (!job->out) job->out = job->redraw;
  if (redraw_all(job) != DLS_OK) return app_refuse_status(job->command);
  say_summary(job);
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self,
             .argc = argc,
             .argv = argv,
             .guess = "zero",
             .max_time = 60,
             .max_memory = 4000,
             .repeat = 1,
             .jobs = 1};
  const int status = app_options_read(self, argc, argv, &job);
  if (status != APP_GO_ON) return finish(&job, status);
  if (job.redraw) return finish(&job, run_redraw(&job));
  if (job.names)
    return finish(&job, app_refuse(self, "--problems goes with --redraw; files are given as they "
                                         "are"));
  take_defaults(&job);
  if (job.analytic && (job.problems.count || job.problems.laws || job.resume))
    return finish(&job, app_refuse(self, "--analytic brings its own problems, and runs them all: "
                                         "leave out PROBLEM, --sample, --associated and --resume"));
  if (app_problem_names_spread(&job.problems) != DLS_OK)
    return finish(&job, app_refuse_status(self));
  if (!job.problems.count && !job.analytic)
    return finish(
        &job, app_refuse(self, "which problems? delassus compare FILE.hdf5 ... or --sample NAME"));
  if (dls_entrants_read("solvers", job.solver_list, &job.field) != DLS_OK)
    return finish(&job, app_refuse_status(self));
  app_catch_signals();
  if ((job.analytic ? judge_all : race_all)(&job) != DLS_OK)
    return finish(&job, app_refuse_status(self));
  if (!job.analytic) say_summary(&job);
  return finish(&job, app_interrupted() ? APP_INTERRUPTED : APP_DONE);
}

static const char details[] =
    "Each solve runs in a process of its own with limits of time and memory: a crash or a hang is "
    "a row\n"
    "of the table. Each tolerance is a solve of its own; with --one-pass one solve goes to the "
    "tightest\n"
    "tolerance, and where it claims to pass a looser one it is solved again up to there. Answers "
    "are\n"
    "measured apart from the solver, and a claim that is not true is a row with status mistaken.\n"
    "Ctrl-C keeps what is finished and ends with status 3.\n"
    "\n"
    "  delassus compare problems/*.hdf5 --solvers nsgs,newton --tolerance 1e-4,1e-8 --max-time 10\n"
    "  delassus compare --sample box:500 --sample wall --solvers nsgs,nsgs:omega=1.2\n"
    "  delassus compare --sample box:500 --associated 0,1      Coulomb's law beside the convex "
    "one\n"
    "  delassus compare --redraw compare --solvers nsgs,newton --problems '^Rover' --out rovers\n"
    "  delassus compare --sample box:500 --clock cpu --budget 2000 --measure natural_q\n"
    "  delassus compare --analytic --solvers nsgs,newton --tolerance 1e-8 --max-time 5\n";

const AppCommand app_compare = {
    .name = "compare",
    .usage = "PROBLEM... [options]",
    .summary = "Races solvers on problems and writes a report",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
