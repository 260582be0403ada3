/* delassus solve: one or several problems, one solver. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/arguments.h"
#include "app/result.h"
#include "base/file.h"

enum {
  SOLVER,
  TOLERANCE,
  MAX_TIME,
  MAX_ITERATIONS,
  OPTION,
  SAMPLE,
  FORM,
  GUESS,
  HISTORY,
  WRITE,
  JSON,
  QUIET
};

static const AppOption options[] = {
    [SOLVER] = {"solver", "NAME", "see delassus solver list (default auto)"},
    [TOLERANCE] = {"tolerance", "T", "natural error to reach (default 1e-6)"},
    [MAX_TIME] = {"max-time", "S", "seconds of wall clock, 0 for no limit (default 60)"},
    [MAX_ITERATIONS] = {"max-iterations", "N", "0 for no limit (default)"},
    [OPTION] = {"option", "KEY=VALUE", "of the solver, see delassus solver show NAME; repeats"},
    [SAMPLE] = {"sample", "NAME[:SIZE]", "a problem built here, see delassus sample list; repeats"},
    [FORM] = {"form", "FORM", "of W: auto (as it comes), assembled, factored"},
    [GUESS] = {"guess", "WHERE", "zero (default), file (its solution), or guess number K of it"},
    [HISTORY] = {"history", "FILE.csv", "error against iterations and time"},
    [WRITE] = {"write", "FILE", "the problem with its solution, FCLIB form"},
    [JSON] = {"json", NULL, "print an object (an array of them for several problems)"},
    [QUIET] = {"quiet", NULL, "no progress, no report: the exit status tells"},
};

static const char details[] =
    "Exit status: 0 converged, 1 not converged, 2 wrong input, 3 interrupted or out of time.\n"
    "Ctrl-C stops at the next measure of the error and reports the best iterate; a second\n"
    "one ends the program at once.\n"
    "What follows -- goes to PETSc, for the solvers that stand on it.\n"
    "\n"
    "  delassus solve problem.hdf5 --tolerance 1e-8 --json\n"
    "  delassus solve --sample box:500 --sample wall --solver nsgs\n"
    "  delassus solve problem.hdf5 --solver newton -- -ksp_type gmres -snes_monitor\n";

enum { MAX_SETTINGS = 64 };

typedef struct {
  const AppCommand *command;
  const DlsSolver *solver;
  void *solver_options;
  const char *solver_name;
  DlsLimits limits;
  const char *settings[MAX_SETTINGS]; /* key=value */
  int nsettings;
  AppSources sources;
  AppForm form;
  const char *guess, *history_path, *write_path;
  bool json, quiet;
  FILE *history;
} Job;

/* PETSc options after `--` travel in PETSC_OPTIONS, behind those that are there. */
static bool pass_to_petsc(int argc, char **argv) {
  const char *given = getenv("PETSC_OPTIONS");
  size_t bytes = (given ? strlen(given) : 0) + 1;
  for (int i = 0; i < argc; i++) bytes += strlen(argv[i]) + 1;
  char *text = malloc(bytes);
  if (!text) return false;
  strcpy(text, given ? given : "");
  for (int i = 0; i < argc; i++) {
    if (text[0]) strcat(text, " ");
    strcat(text, argv[i]);
  }
  const bool done = setenv("PETSC_OPTIONS", text, 1) == 0;
  free(text);
  return done;
}

static bool add_setting(Job *job, AppArguments *arguments) {
  if (job->nsettings < MAX_SETTINGS && strchr(arguments->value, '=')) {
    job->settings[job->nsettings++] = arguments->value;
    return true;
  }
  arguments->status = app_refuse(job->command, "--option %s: write key=value, at most %d times",
                                 arguments->value, MAX_SETTINGS);
  return false;
}

/* Takes one option; false when it is wrong, with the status in `arguments`. */
static bool take(Job *job, AppArguments *arguments, int option) {
  switch (option) {
  case APP_OPERAND:
    return app_sources_add(&job->sources, arguments, false);
  case SAMPLE:
    return app_sources_add(&job->sources, arguments, true);
  case SOLVER:
    job->solver_name = arguments->value;
    return true;
  case TOLERANCE:
    return app_arguments_real(arguments, "tolerance", 0, &job->limits.tolerance);
  case MAX_TIME:
    return app_arguments_real(arguments, "max-time", 0, &job->limits.max_time);
  case MAX_ITERATIONS:
    return app_arguments_count(arguments, "max-iterations", 0, &job->limits.max_iterations);
  case OPTION:
    return add_setting(job, arguments);
  case FORM:
    return app_form_read(arguments, &job->form);
  case GUESS:
    job->guess = arguments->value;
    return true;
  case HISTORY:
    job->history_path = arguments->value;
    return true;
  case WRITE:
    job->write_path = arguments->value;
    return true;
  case JSON:
    job->json = true;
    return true;
  default:
    job->quiet = true;
    return true;
  }
}

/* The arguments into the job; -1 to go on, otherwise the exit status. */
static int read_arguments(Job *job, int argc, char **argv) {
  AppArguments arguments = app_arguments(job->command, argc, argv);
  for (int option; (option = app_arguments_next(&arguments)) != APP_END;) {
    if (option == APP_STOP) return arguments.status;
    if (option == APP_REST) {
      if (!pass_to_petsc(argc - arguments.at, argv + arguments.at))
        return app_refuse(job->command, "no memory for the options of PETSc");
      break;
    }
    if (!take(job, &arguments, option)) return arguments.status;
  }
  if (job->sources.count == 0)
    return app_refuse(job->command, "no problem given; name a file, or --sample box");
  if (job->write_path && job->sources.count > 1)
    return app_refuse(job->command, "--write takes the answer of one problem; %d are given",
                      job->sources.count);
  return -1;
}

static DlsStatus prepare_solver(Job *job) {
  DLS_TRY(dls_solver_find(job->solver_name, &job->solver));
  const size_t bytes = job->solver->option_bytes;
  job->solver_options = calloc(1, bytes ? bytes : 1);
  DLS_CHECK(job->solver_options, DLS_ERR_MEMORY, "no memory for the options of the solver");
  dls_solver_defaults(job->solver, job->solver_options);
  for (int i = 0; i < job->nsettings; i++) {
    char key[64];
    const char *equals = strchr(job->settings[i], '=');
    snprintf(key, sizeof key, "%.*s", (int)(equals - job->settings[i]), job->settings[i]);
    DLS_TRY(dls_solver_set_option(job->solver, job->solver_options, key, equals + 1));
  }
  return DLS_OK;
}

static DlsStatus solve_loaded(Job *job, AppProblem *loaded, double *r, double *u,
                              AppResult *result) {
  AppProgress progress = {.quiet = job->quiet, .history = job->history};
  return app_result_solve(loaded->problem, job->solver, job->solver_options, &job->limits,
                          &progress, r, u, result);
}

/* The start goes with the answer, unless it is zero. */
static DlsStatus solve_and_write(Job *job, AppProblem *loaded, size_t rows, double *r, double *u,
                                 AppResult *result) {
  double *guess = NULL;
  if (strcmp(job->guess, "zero") != 0) {
    guess = malloc((rows + 1) * sizeof *guess);
    DLS_CHECK(guess, DLS_ERR_MEMORY, "no memory for a guess of %zu numbers", rows);
    memcpy(guess, r, rows * sizeof *guess);
  }
  DlsStatus status = solve_loaded(job, loaded, r, u, result);
  const char *title = loaded->extra.title ? loaded->extra.title : dls_problem_name(loaded->problem);
  if (status == DLS_OK)
    status = dls_fclib_write(job->write_path, loaded->problem, title, r, u, guess);
  free(guess);
  return status;
}

/* `loaded` stays with the caller: the result lends its name. */
static DlsStatus solve_source(Job *job, const AppSource *source, AppProblem *loaded,
                              AppResult *result) {
  double *r = NULL, *u = NULL;
  DLS_TRY(app_source_load(source, job->form, loaded));
  DlsStatus status = app_problem_guess(loaded, job->guess, &r);
  const size_t rows =
      (size_t)dls_problem_contacts(loaded->problem) * (size_t)dls_problem_block(loaded->problem);
  if (status == DLS_OK) {
    u = calloc(rows ? rows : 1, sizeof *u);
    if (!u) status = dls_fail(DLS_ERR_MEMORY, "no memory for %zu velocities", rows);
  }
  if (status == DLS_OK)
    status = job->write_path ? solve_and_write(job, loaded, rows, r, u, result)
                             : solve_loaded(job, loaded, r, u, result);
  free(r);
  free(u);
  return status;
}

static int name_width(const Job *job) {
  int width = 7;
  for (int i = 0; i < job->sources.count; i++) {
    const char *text = job->sources.item[i].text, *slash = strrchr(text, '/');
    const int length = (int)strlen(slash ? slash + 1 : text);
    if (length > width) width = length;
  }
  return width < 48 ? width : 48;
}

static void print_result(const Job *job, const AppResult *result, const AppProblem *loaded,
                         Json *json) {
  if (job->json)
    app_result_json(result, json, loaded->extra.title);
  else if (job->quiet)
    return;
  else if (job->sources.count == 1)
    app_result_print(result);
  else
    app_result_table_row(result, name_width(job));
  fflush(stdout);
}

/* What a script must know first of two statuses: wrong input, an interruption, an answer that is
 * not within its tolerance. */
static int graver(int a, int b) {
  static const int order[] = {APP_WRONG_INPUT, APP_INTERRUPTED, APP_NOT_CONVERGED};
  for (int k = 0; k < DLS_COUNT(order); k++)
    if (a == order[k] || b == order[k]) return order[k];
  return APP_DONE;
}

static int status_of(DlsOutcome outcome) {
  if (outcome == DLS_CONVERGED) return APP_DONE;
  return outcome == DLS_STOPPED || outcome == DLS_TIME_LIMIT ? APP_INTERRUPTED : APP_NOT_CONVERGED;
}

static int solve_all(Job *job) {
  Json json = {.file = stdout};
  int status = APP_DONE, i = 0;
  if (job->sources.count > 1 && job->json) json_open(&json, NULL, '[');
  if (job->sources.count > 1 && !job->json && !job->quiet) app_result_table_head(name_width(job));
  for (; i < job->sources.count && !app_interrupted(); i++) {
    AppProblem loaded;
    AppResult result;
    if (solve_source(job, &job->sources.item[i], &loaded, &result) == DLS_OK) {
      print_result(job, &result, &loaded, &json);
      status = graver(status, status_of(result.report.outcome));
    } else {
      status = graver(status, app_refuse_status(job->command));
    }
    app_problem_clear(&loaded);
  }
  if (job->sources.count > 1 && job->json) json_close(&json, ']');
  if (i < job->sources.count) {
    fprintf(stderr, "delassus solve: stopped, %d of %d problems not begun\n",
            job->sources.count - i, job->sources.count);
    status = graver(status, APP_INTERRUPTED);
  }
  return status;
}

/* A row may have failed long before: the stream remembers that, but not why. */
static DlsStatus close_history(Job *job) {
  const bool failed = ferror(job->history) != 0;
  const bool closed = fclose(job->history) == 0;
  if (failed || !closed) return dls_file_fail(job->history_path, closed ? EIO : errno);
  return DLS_OK;
}

static int run_job(Job *job, int argc, char **argv) {
  int status = read_arguments(job, argc, argv);
  if (status >= 0) return status;
  if (prepare_solver(job) != DLS_OK) return app_refuse_status(job->command);
  app_catch_signals();
  if (job->history_path) {
    job->history = fopen(job->history_path, "w");
    if (!job->history)
      return app_refuse(job->command, "--history %s: %s", job->history_path, strerror(errno));
    setvbuf(job->history, NULL, _IOLBF, 0); /* rows are there as they are told, and whole */
    app_history_head(job->history);
  }
  status = solve_all(job);
  if (job->history && close_history(job) != DLS_OK) status = app_refuse_status(job->command);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {.command = self,
             .solver_name = "auto",
             .limits = {.tolerance = 1e-6, .max_time = 60},
             .guess = "zero"};
  const int status = run_job(&job, argc, argv);
  app_sources_clear(&job.sources);
  free(job.solver_options);
  return status;
}

const AppCommand app_solve = {
    .name = "solve",
    .usage = "PROBLEM.hdf5... [--sample NAME[:SIZE]]... [options] [-- PETSc options]",
    .summary = "Solve contact problems and measure the errors of the answer from scratch",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
