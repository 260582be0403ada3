/* delassus solver check: the bench of a solver. */
#include <delassus/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/check.h"
#include "app/check_load.h"
#include "solver_bench/solver_bench.h"

static const char details[] =
    "Puts the solver to problems whose answers are known, that tempt it to say `converged`, and "
    "that\n"
    "have no solution, and tests what every solver must obey; says where this one converges, "
    "which\n"
    "is a result and no fault. The checks run in processes of their own: a solver that crashes,\n"
    "hangs or exits fails its check. docs/solver-check.md tells what each means.\n"
    "Exit status: 0 all passed, 1 a check failed, 2 wrong input.\n"
    "\n"
    "  delassus solver check nsgs --option omega=1.2 --report nsgs.html\n"
    "  delassus solver check ./mine.so --only honesty --case 17\n";

typedef struct {
  AppCheck check;
  DlsSolverBenchOptions bench;
  AppTexts option;
  char *options; /* of the solver */
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, check.subject, "solver"),
    APP_TEXTS_ROW(Job, option, "option", "K=V", "sets an option of the solver; repeats"),
    APP_INTEGER_ROW(Job, check.cases, "cases", "N", 1, APP_ANY,
                    "at most N cases of every check (default: up to 2000)"),
    APP_CHECK_ROWS(Job, check),
};

static void print_limits(const void *bench_options) {
  const DlsSolverBenchOptions *bench = bench_options;
  printf("%g s a check", bench->time_limit);
}

static void print_counts(const DlsBenchResult *result) {
  printf("%5ld cases %5ld converged %5ld", result->cases, result->converged, result->measured);
}

static void write_counts(DlsJson *json, const DlsBenchResult *result) {
  dls_json_integer(json, "converged", result->converged);
}

static const AppCheckKind kind = {.bench = &dls_solver_bench,
                                  .command = "solver",
                                  .not_asked = "not asked",
                                  .manual = "docs/solver-check.md",
                                  .widths = {10, 11},
                                  .print_limits = print_limits,
                                  .print_counts = print_counts,
                                  .write_counts = write_counts};

static int set_options(const AppCommand *self, Job *job, const DlsSolver *solver) {
  job->options = calloc(1, solver->option_bytes + 1);
  if (!job->options) return app_refuse(self, "out of memory");
  dls_solver_defaults(solver, job->options);
  for (int k = 0; k < job->option.count; k++) {
    char key[64];
    const char *text = job->option.item[k], *value = strchr(text, '=');
    if (!value || value - text >= (long)sizeof key)
      return app_refuse(self, "--option %s: give key=value", text);
    snprintf(key, sizeof key, "%.*s", (int)(value - text), text);
    if (dls_solver_set_option(solver, job->options, key, value + 1) != DLS_OK)
      return app_refuse_status(self);
    app_check_setting(&job->check, "option", text);
  }
  return APP_DONE;
}

static DlsStatus find(const char *subject) {
  const DlsSolver *solver;
  return dls_solver_find(subject, &solver);
}

/* Finds the solver, sets its options, and checks it. Returns the exit status. */
static int check_solver(const AppCommand *self, Job *job) {
  const DlsSolver *solver;
  AppCheck *check = &job->check;
  if (!check->subject)
    return app_refuse(self, "give a solver: a name of delassus solver list, or a file");
  int status = app_check_load(self, &kind, check, find);
  if (status != APP_GO_ON) return status;
  if (dls_solver_find(check->subject, &solver) != DLS_OK) return app_refuse_status(self);
  status = set_options(self, job, solver);
  if (status != APP_DONE) return status;
  job->bench = (DlsSolverBenchOptions){.solver = solver,
                                       .options = job->options,
                                       .seed = (uint64_t)check->seed,
                                       .cases = check->cases,
                                       .time_limit = check->limit > 0 ? check->limit : 300};
  check->options = &job->bench;
  check->name = solver->name;
  check->summary = solver->summary;
  check->references = solver->references;
  check->file = dls_solver_path(solver);
  return app_check_run(self, &kind, check);
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job *job = calloc(1, sizeof *job);
  if (!job) return app_refuse(self, "out of memory");
  app_check_begin(&job->check);
  int status = app_options_read(self, argc, argv, job);
  if (status == APP_GO_ON)
    status = job->check.list ? app_check_list(&kind) : check_solver(self, job);
  app_options_clear(self, job);
  free(job->options);
  free(job);
  return status;
}

const AppCommand app_solver_check = {
    .name = "solver check",
    .usage = "NAME|FILE.so [options]",
    .summary = "Puts a solver to the test",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
