/* delassus solver check: the bench of a solver. */
#include <delassus/solver.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/check_page.h"
#include "app/options.h"
#include "base/json.h"
#include "base/nearest.h"
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

enum { MAX_CHECKS = 32, SETTINGS_BYTES = 1024 };

typedef struct {
  const AppCommand *command;
  DlsSolverBenchOptions bench;
  const char *solver, *report, *only;
  AppTexts option;
  long seed, cases, number;
  double limit;
  bool json, list;
  char *options; /* of the solver */
  char settings[SETTINGS_BYTES];
  DlsSolverBenchResult results[MAX_CHECKS];
  int count;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, solver, "solver"),
    APP_TEXTS_ROW(Job, option, "option", "K=V", "sets an option of the solver; repeats"),
    APP_TEXT_ROW(Job, report, "report", "FILE.html", "writes the results as one page"),
    APP_INTEGER_ROW(Job, seed, "seed", "N", 0, APP_ANY, "of the random numbers (default 1)"),
    APP_TEXT_ROW(Job, only, "only", "CHECK", "runs one check"),
    APP_INTEGER_ROW(Job, number, "case", "K", 0, APP_ANY,
                    "with --only: runs one case and tells all of it"),
    APP_INTEGER_ROW(Job, cases, "cases", "N", 1, APP_ANY,
                    "at most N cases of every check (default: up to 2000)"),
    APP_REAL_ROW(Job, limit, "limit", "S", 0, APP_ANY,
                 "seconds that a check may take (default 300)"),
    APP_FLAG_ROW(Job, json, "json", "prints an object"),
    APP_FLAG_ROW(Job, list, "list", "the checks there are"),
};

static const char *outcome_text(DlsSolverBenchOutcome outcome) {
  static const char *const texts[] = {"passed", "FAILED", "not asked", "reported"};
  return texts[outcome];
}

/* The command that shows the worst case of a check; "" when it has none. */
static void write_command(const Job *job, const DlsSolverBenchResult *result, char *out,
                          size_t bytes) {
  out[0] = '\0';
  if (result->worst_case < 0) return;
  snprintf(out, bytes, "delassus solver check %s%s --only %s --case %ld --seed %ld", job->solver,
           job->settings, result->name, result->worst_case, job->seed);
}

static int count_failures(const Job *job) {
  int failures = 0;
  for (int k = 0; k < job->count; k++)
    failures += job->results[k].outcome == DLS_SOLVER_BENCH_FAILED;
  return failures;
}

static int set_options(Job *job, const DlsSolver *solver) {
  job->options = calloc(1, solver->option_bytes + 1);
  if (!job->options) return app_refuse(job->command, "out of memory");
  dls_solver_defaults(solver, job->options);
  for (int k = 0; k < job->option.count; k++) {
    char key[64];
    const char *text = job->option.item[k], *value = strchr(text, '=');
    if (!value || value - text >= (long)sizeof key)
      return app_refuse(job->command, "--option %s: give key=value", text);
    snprintf(key, sizeof key, "%.*s", (int)(value - text), text);
    if (dls_solver_set_option(solver, job->options, key, value + 1) != DLS_OK)
      return app_refuse_status(job->command);
    const size_t used = strlen(job->settings);
    snprintf(job->settings + used, sizeof job->settings - used, " --option %s", text);
  }
  return APP_DONE;
}

/* Finds the solver, sets its options. Returns the exit status. */
static int make_ready(Job *job) {
  const DlsSolver *solver;
  if (!job->solver)
    return app_refuse(job->command, "give a solver: a name of delassus solver list, or a file");
  if (dls_solver_find(job->solver, &solver) != DLS_OK) return app_refuse_status(job->command);
  if (set_options(job, solver) != APP_DONE) return APP_WRONG_INPUT;
  job->bench = (DlsSolverBenchOptions){.solver = solver,
                                       .options = job->options,
                                       .seed = (uint64_t)job->seed,
                                       .cases = job->cases,
                                       .time_limit = job->limit > 0 ? job->limit : 300};
  if (job->only && dls_solver_bench_find(job->only) < 0) {
    const char *names[MAX_CHECKS];
    for (int k = 0; k < dls_solver_bench_count(); k++) names[k] = dls_solver_bench_name(k);
    const char *near = dls_nearest(job->only, names, dls_solver_bench_count());
    return app_refuse(job->command, "--only %s: there is no such check%s%s; see --list", job->only,
                      near ? ", did you mean " : "", near ? near : "");
  }
  if (job->number >= 0 && !job->only)
    return app_refuse(job->command, "--case needs --only CHECK: cases are numbered in each check");
  return APP_DONE;
}

static void print_result(const Job *job, const DlsSolverBenchResult *result) {
  char command[2048];
  write_command(job, result, command, sizeof command);
  printf("%-10s %-11s", outcome_text(result->outcome), result->name);
  if (result->outcome == DLS_SOLVER_BENCH_NOT_ASKED) {
    printf(" %s\n", result->sentence);
    return;
  }
  printf(" %5ld cases %5ld converged %5ld compared, worst %8.2g of the tolerance, %.1f s",
         result->cases, result->converged, result->measured, result->worst, result->seconds);
  if (result->refused > 0) printf(" (%ld refused)", result->refused);
  printf("\n");
  if (result->outcome == DLS_SOLVER_BENCH_PASSED) return;
  printf("           %s\n", result->sentence);
  if (command[0]) printf("           %s\n", command);
}

static void print_json(const Job *job) {
  DlsJson json = {.file = stdout};
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, "solver", job->bench.solver->name);
  dls_json_text(&json, "file", dls_solver_path(job->bench.solver));
  dls_json_integer(&json, "seed", job->seed);
  dls_json_integer(&json, "failed", count_failures(job));
  dls_json_open(&json, "checks", '[');
  for (int k = 0; k < job->count; k++) {
    const DlsSolverBenchResult *result = &job->results[k];
    char command[2048];
    write_command(job, result, command, sizeof command);
    dls_json_open(&json, NULL, '{');
    dls_json_text(&json, "check", result->name);
    dls_json_text(&json, "outcome", outcome_text(result->outcome));
    dls_json_integer(&json, "cases", result->cases);
    dls_json_integer(&json, "refused", result->refused);
    dls_json_integer(&json, "converged", result->converged);
    dls_json_integer(&json, "compared", result->measured);
    dls_json_real(&json, "worst", result->worst);
    dls_json_integer(&json, "worst_case", result->worst_case);
    dls_json_text(&json, "sentence", result->sentence);
    dls_json_text(&json, "reproduce", command);
    dls_json_real(&json, "time_s", result->seconds);
    dls_json_close(&json, '}');
  }
  dls_json_close(&json, ']');
  dls_json_close(&json, '}');
}

static DlsStatus write_report(const Job *job) {
  const DlsSolver *solver = job->bench.solver;
  AppCheckRow *rows = calloc((size_t)job->count + 1, sizeof *rows);
  DLS_CHECK(rows, DLS_ERR_MEMORY, "out of memory for %s", job->report);
  for (int k = 0; k < job->count; k++) {
    const DlsSolverBenchResult *result = &job->results[k];
    rows[k] = (AppCheckRow){.outcome = outcome_text(result->outcome),
                            .passed = result->outcome == DLS_SOLVER_BENCH_PASSED,
                            .failed = result->outcome == DLS_SOLVER_BENCH_FAILED,
                            .name = result->name,
                            .question = result->question,
                            .sentence = result->sentence,
                            .worst = result->worst,
                            .cases = result->cases,
                            .measured = result->measured};
    write_command(job, result, rows[k].command, sizeof rows[k].command);
  }
  const AppCheckPage page = {.what = "solver check",
                             .name = solver->name,
                             .summary = solver->summary,
                             .references = solver->references,
                             .manual = "docs/solver-check.md",
                             .seed = (unsigned long long)job->seed,
                             .rows = rows,
                             .count = job->count};
  const DlsStatus status = app_check_page_write(&page, job->report);
  free(rows);
  return status;
}

/* One case, told. */
static int tell(Job *job) {
  static char story[DLS_SOLVER_BENCH_STORY];
  DlsSolverBenchResult *result = &job->results[0];
  if (dls_solver_bench_tell(&job->bench, dls_solver_bench_find(job->only), job->number, result,
                            story) != DLS_OK)
    return app_refuse_status(job->command);
  job->count = 1;
  if (job->json)
    print_json(job);
  else
    printf("%s, check %s, case %ld, seed %ld\n%s", job->bench.solver->name, job->only, job->number,
           job->seed, story);
  if (!job->json && (result->outcome != DLS_SOLVER_BENCH_FAILED || result->cases == 0))
    printf("%s: %s\n", outcome_text(result->outcome), result->sentence);
  return result->outcome == DLS_SOLVER_BENCH_FAILED ? APP_NOT_CONVERGED : APP_DONE;
}

static int run_checks(Job *job) {
  if (!job->json) printf("%s: %s\n\n", job->bench.solver->name, job->bench.solver->summary);
  for (int k = 0; k < dls_solver_bench_count() && job->count < MAX_CHECKS; k++) {
    if (job->only && strcmp(job->only, dls_solver_bench_name(k)) != 0) continue;
    DlsSolverBenchResult *result = &job->results[job->count];
    if (dls_solver_bench_run(&job->bench, k, result) != DLS_OK)
      return app_refuse_status(job->command);
    job->count++;
    if (!job->json) print_result(job, result);
    fflush(stdout);
  }
  const int failures = count_failures(job);
  if (job->report && write_report(job) != DLS_OK) return app_refuse_status(job->command);
  if (job->json) {
    print_json(job);
  } else {
    if (failures)
      printf("\n%d of %d checks FAILED\n", failures, job->count);
    else
      printf("\nall checks passed\n");
    if (job->report) printf("report: %s\n", job->report);
  }
  return failures ? APP_NOT_CONVERGED : APP_DONE;
}

static int list_checks(void) {
  for (int k = 0; k < dls_solver_bench_count(); k++)
    printf("%-12s %s\n", dls_solver_bench_name(k), dls_solver_bench_question(k));
  return APP_DONE;
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job *job = calloc(1, sizeof *job);
  if (!job) return app_refuse(self, "out of memory");
  job->command = self;
  job->seed = 1;
  job->number = -1;
  int status = app_options_read(self, argc, argv, job);
  if (status == APP_GO_ON && job->list) {
    status = list_checks();
  } else if (status == APP_GO_ON) {
    status = make_ready(job);
    if (status == APP_DONE) status = job->number >= 0 ? tell(job) : run_checks(job);
  }
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
