/* delassus solve: one or several problems, one solver. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/options.h"
#include "app/result.h"
#include "base/choices.h"
#include "base/file.h"
#include "base/pool.h"

static const char details[] =
    "Exit status: 0 converged, 1 not converged, 2 wrong input, 3 interrupted or out of time.\n"
    "Ctrl-C stops at the next measure of the error and reports the best iterate; where that does\n"
    "not come within two seconds, as in a long factorisation, the program ends with a sentence,\n"
    "and so it does two seconds after --max-time. A second one ends it at once.\n"
    "What follows -- goes to PETSc, for the solvers that stand on it.\n"
    "\n"
    "  delassus solve problem.hdf5 --tolerance 1e-8 --json\n"
    "  delassus solve --sample box:500 --sample wall --solver nsgs\n"
    "  delassus solve problem.hdf5 --solver newton -- -ksp_type gmres -snes_monitor\n";

typedef struct {
  const AppCommand *command;
  const DlsSolver *solver;
  void *solver_options;
  const char *solver_name;
  DlsLimits limits;
  AppTexts settings; /* key=value */
  AppProblemNames problems;
  AppForm form;
  const char *guess, *convergence_path, *write_path;
  bool json, quiet;
  long threads;
  AppRemainder petsc;
  FILE *convergence;
} Job;

static const AppOption options[] = {
    APP_PROBLEMS_ROW(Job, problems),
    APP_TEXT_ROW(Job, solver_name, "solver", "NAME", "see delassus solver list (default auto)"),
    APP_REAL_ROW(Job, limits.tolerance, "tolerance", "T", 0, APP_ANY,
                 "error to reach (default 1e-6)"),
    APP_CHOICE_ROW(Job, limits.measure, "measure", "NAME", DLS_CHOICES(DLS_MEASURE_LIST),
                   "the error meant: natural (default), natural_q, scaled or bipotential; see "
                   "docs/theory.md"),
    APP_REAL_ROW(Job, limits.max_work, "budget", "WORK", 0, APP_ANY,
                 "products with W that the solve may cost, all it does counted; 0 for no limit "
                 "(default)"),
    APP_REAL_ROW(Job, limits.max_time, "max-time", "S", 0, APP_ANY,
                 "seconds of wall clock, 0 for no limit (default 60)"),
    APP_INTEGER_ROW(Job, limits.max_iterations, "max-iterations", "N", 0, APP_ANY,
                    "0 for no limit (default)"),
    APP_TEXTS_ROW(Job, settings, "option", "KEY=VALUE",
                  "of the solver, see delassus solver show NAME; repeats"),
    APP_SAMPLE_ROW(Job, problems, "a problem built here, see delassus sample list; repeats"),
    APP_FORM_ROW(Job, form),
    APP_ASSOCIATED_ROW(Job, problems),
    APP_TEXT_ROW(Job, guess, "guess", "WHERE",
                 "zero (default), file (its solution), or guess number K of it"),
    APP_TEXT_ROW(Job, convergence_path, "convergence", "FILE.csv",
                 "error against iterations and time"),
    APP_TEXT_ROW(Job, write_path, "write", "FILE", "the problem with its solution, FCLIB form"),
    APP_THREADS_ROW(Job, threads),
    APP_FLAG_ROW(Job, json, "json", "print an object (an array of them for several problems)"),
    APP_FLAG_ROW(Job, quiet, "quiet", "no progress, no report: the exit status tells"),
    APP_REMAINDER_ROW(Job, petsc),
};

/* PETSc options after `--` travel in PETSC_OPTIONS, behind those that are there. */
static bool pass_to_petsc(const AppRemainder *rest) {
  const char *given = getenv("PETSC_OPTIONS");
  size_t bytes = (given ? strlen(given) : 0) + 1;
  for (int i = 0; i < rest->argc; i++) bytes += strlen(rest->argv[i]) + 1;
  char *text = malloc(bytes);
  if (!text) return false;
  strcpy(text, given ? given : "");
  for (int i = 0; i < rest->argc; i++) {
    if (text[0]) strcat(text, " ");
    strcat(text, rest->argv[i]);
  }
  const bool done = setenv("PETSC_OPTIONS", text, 1) == 0;
  free(text);
  return done;
}

/* What the rows alone cannot say: APP_GO_ON, otherwise the exit status. */
static int check_job(const Job *job) {
  for (int i = 0; i < job->settings.count; i++)
    if (!strchr(job->settings.item[i], '='))
      return app_refuse(job->command, "--option %s: write key=value", job->settings.item[i]);
  if (job->petsc.argc > 0 && !pass_to_petsc(&job->petsc))
    return app_refuse(job->command, "no memory for the options of PETSc");
  if (job->problems.count == 0)
    return app_refuse(job->command, "no problem given; name a file, or --sample box");
  if (job->write_path && job->problems.count > 1)
    return app_refuse(job->command, "--write takes the answer of one problem; %d are given",
                      job->problems.count);
  return APP_GO_ON;
}

static DlsStatus prepare_solver(Job *job) {
  DLS_TRY(dls_solver_find(job->solver_name, &job->solver));
  const size_t bytes = job->solver->option_bytes;
  job->solver_options = calloc(1, bytes ? bytes : 1);
  DLS_CHECK(job->solver_options, DLS_ERR_MEMORY, "no memory for the options of the solver");
  dls_solver_defaults(job->solver, job->solver_options);
  for (int i = 0; i < job->settings.count; i++) {
    char key[64];
    const char *setting = job->settings.item[i], *equals = strchr(setting, '=');
    snprintf(key, sizeof key, "%.*s", (int)(equals - setting), setting);
    DLS_TRY(dls_solver_set_option(job->solver, job->solver_options, key, equals + 1));
  }
  return DLS_OK;
}

static DlsStatus solve_loaded(Job *job, AppProblem *loaded, double *r, double *u,
                              AppResult *result) {
  AppProgress progress = {.quiet = job->quiet, .convergence = job->convergence};
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
static DlsStatus solve_one(Job *job, const AppProblemName *name, AppProblem *loaded,
                           AppResult *result) {
  double *r = NULL, *u = NULL;
  DLS_TRY(app_problem_load(name, job->form, loaded));
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
  for (int i = 0; i < job->problems.count; i++) {
    const char *text = job->problems.item[i].text, *slash = strrchr(text, '/');
    const int law = job->problems.item[i].changed ? (int)strlen(" associated 0.25") : 0;
    const int length = (int)strlen(slash ? slash + 1 : text) + law;
    if (length > width) width = length;
  }
  return width < 48 ? width : 48;
}

static void print_result(const Job *job, const AppResult *result, const AppProblem *loaded,
                         DlsJson *json) {
  if (job->json)
    app_result_json(result, json, loaded->extra.title);
  else if (job->quiet)
    return;
  else if (job->problems.count == 1)
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
  const bool cut = outcome == DLS_STOPPED || outcome == DLS_TIME_LIMIT || outcome == DLS_WORK_LIMIT;
  return cut ? APP_INTERRUPTED : APP_NOT_CONVERGED;
}

static int solve_all(Job *job) {
  DlsJson json = {.file = stdout};
  int status = APP_DONE, i = 0;
  if (job->problems.count > 1 && job->json) dls_json_open(&json, NULL, '[');
  if (job->problems.count > 1 && !job->json && !job->quiet) app_result_table_head(name_width(job));
  for (; i < job->problems.count && !app_interrupted(); i++) {
    AppProblem loaded;
    AppResult result;
    if (solve_one(job, &job->problems.item[i], &loaded, &result) == DLS_OK) {
      print_result(job, &result, &loaded, &json);
      status = graver(status, status_of(result.report.outcome));
    } else {
      status = graver(status, app_refuse_status(job->command));
    }
    app_problem_clear(&loaded);
  }
  if (job->problems.count > 1 && job->json) dls_json_close(&json, ']');
  if (i < job->problems.count) {
    fprintf(stderr, "delassus solve: stopped, %d of %d problems not begun\n",
            job->problems.count - i, job->problems.count);
    status = graver(status, APP_INTERRUPTED);
  }
  return status;
}

/* A row may have failed long before: the stream remembers that, but not why. */
static DlsStatus close_convergence(Job *job) {
  const bool failed = ferror(job->convergence) != 0;
  const bool closed = fclose(job->convergence) == 0;
  if (failed || !closed) return dls_file_fail(job->convergence_path, closed ? EIO : errno);
  return DLS_OK;
}

static int run_job(Job *job, int argc, char **argv) {
  int status = app_options_read(job->command, argc, argv, job);
  if (status == APP_GO_ON && app_problem_names_spread(&job->problems) != DLS_OK)
    return app_refuse_status(job->command);
  if (status == APP_GO_ON) status = check_job(job);
  if (status != APP_GO_ON) return status;
  dls_pool_set((int)job->threads);
  if (prepare_solver(job) != DLS_OK) return app_refuse_status(job->command);
  app_catch_signals();
  if (job->convergence_path) {
    job->convergence = fopen(job->convergence_path, "w");
    if (!job->convergence)
      return app_refuse(job->command, "--convergence %s: %s", job->convergence_path,
                        strerror(errno));
    setvbuf(job->convergence, NULL, _IOLBF, 0); /* rows are there as they are told, and whole */
    app_progress_head(job->convergence, job->limits.measure);
  }
  status = solve_all(job);
  if (job->convergence && close_convergence(job) != DLS_OK)
    status = app_refuse_status(job->command);
  return status;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job job = {
      .command = self, .solver_name = "auto", .limits = dls_limits_default(), .guess = "zero"};
  const int status = run_job(&job, argc, argv);
  app_options_clear(self, &job);
  app_problem_names_clear(&job.problems);
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
