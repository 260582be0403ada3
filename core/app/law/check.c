/* delassus law check: the bench for one contact. */
#include <delassus/laws.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/app.h"
#include "app/law/report.h"
#include "app/options.h"
#include "base/json.h"
#include "base/nearest.h"

static const char details[] =
    "Drives the law through random and nasty kinematics, at its defaults (or --set) and at random\n"
    "parameters, and tests what every law must obey and what this one claims. The checks run in\n"
    "processes of their own: a law that crashes, hangs or exits fails its check. "
    "docs/law-check.md\n"
    "tells what each means.\n"
    "Exit status: 0 all passed, 1 a check failed, 2 wrong input.\n"
    "\n"
    "  delassus law check coulomb --set mu=0.5 --report coulomb.html\n"
    "  delassus law check ./mine.so --only frame --case 17\n";

enum { MAX_CHECKS = 64, SETTINGS_BYTES = 1024 };

typedef struct {
  const AppCommand *command;
  DlsLawBenchOptions law_case;
  const char *law, *report, *only;
  AppTexts set;
  long seed, starts, cases, number;
  double limit;
  bool json, list;
  char settings[SETTINGS_BYTES];
  DlsLawBenchResult results[MAX_CHECKS];
  int count;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, law, "law"),
    APP_TEXTS_ROW(Job, set, "set", "P=V", "holds a parameter at a value; repeats"),
    APP_TEXT_ROW(Job, report, "report", "FILE.html", "writes the results as one page"),
    APP_INTEGER_ROW(Job, seed, "seed", "N", 0, APP_ANY, "of the random numbers (default 1)"),
    APP_TEXT_ROW(Job, only, "only", "CHECK", "runs one check"),
    APP_INTEGER_ROW(Job, number, "case", "K", 0, APP_ANY,
                    "with --only: runs one case and tells all of it"),
    APP_INTEGER_ROW(Job, starts, "starts", "N", 1, APP_ANY,
                    "cases of the check `solve` (default 1000000)"),
    APP_INTEGER_ROW(Job, cases, "cases", "N", 1, APP_ANY,
                    "at most N cases of every other check (default: up to 4000)"),
    APP_REAL_ROW(Job, limit, "limit", "S", 0, APP_ANY,
                 "seconds that a check may take (default 300)"),
    APP_FLAG_ROW(Job, json, "json", "prints an object"),
    APP_FLAG_ROW(Job, list, "list", "the checks there are"),
};

static void mark_pinned(Job *job, const char *text) {
  const DlsLaw *law = job->law_case.law;
  char name[64];
  if (sscanf(text, " %63[^= \t]", name) != 1) return;
  for (int i = 0; i < law->nparams; i++)
    if (strcmp(law->params[i].name, name) == 0) job->law_case.pinned[i] = true;
}

/* Finds the law, sets its parameters. Returns the exit status. */
static int make_ready(Job *job) {
  const DlsLaw *law;
  if (!job->law)
    return app_refuse(job->command, "give a law: a name of delassus law list, or a file");
  if (dls_law_find(job->law, &law) != DLS_OK) return app_refuse_status(job->command);
  dls_law_bench_defaults(law, &job->law_case);
  job->law_case.seed = (uint64_t)job->seed;
  if (job->starts > 0) job->law_case.starts = job->starts;
  job->law_case.cases = job->cases;
  if (job->limit > 0) job->law_case.time_limit = job->limit;
  for (int k = 0; k < job->set.count; k++) {
    if (dls_law_set_text(law, job->law_case.params, job->set.item[k]) != DLS_OK)
      return app_refuse_status(job->command);
    mark_pinned(job, job->set.item[k]);
    const size_t used = strlen(job->settings);
    snprintf(job->settings + used, sizeof job->settings - used, " --set %s", job->set.item[k]);
  }
  if (job->only && dls_law_bench_find(job->only) < 0) {
    const char *names[MAX_CHECKS];
    for (int k = 0; k < dls_law_bench_count(); k++) names[k] = dls_law_bench_name(k);
    const char *near = dls_nearest(job->only, names, dls_law_bench_count());
    return app_refuse(job->command, "--only %s: there is no such check%s%s; see --list", job->only,
                      near ? ", did you mean " : "", near ? near : "");
  }
  if (job->number >= 0 && !job->only)
    return app_refuse(job->command, "--case needs --only CHECK: cases are numbered in each check");
  return APP_DONE;
}

static LawReport report_of(const Job *job) {
  return (LawReport){.options = &job->law_case,
                     .given = job->law,
                     .settings = job->settings,
                     .results = job->results,
                     .count = job->count};
}

static void print_result(const Job *job, const DlsLawBenchResult *result) {
  char command[2048];
  const LawReport report = report_of(job);
  law_report_command(&report, result, command, sizeof command);
  printf("%-12s %-12s", law_report_outcome(result->outcome), result->name);
  if (result->outcome == DLS_LAW_BENCH_NOT_CLAIMED) {
    printf(" %s\n", result->sentence);
    return;
  }
  printf(" %8ld cases %9ld compared, worst %8.2g of the tolerance, %.1f s", result->cases,
         result->measured, result->worst, result->seconds);
  if (result->refused > 0) printf(" (%ld refused)", result->refused);
  if (result->unsolved > 0) printf(" (%ld without a solution)", result->unsolved);
  printf("\n");
  if (result->outcome == DLS_LAW_BENCH_PASSED) return;
  printf("             %s\n", result->sentence);
  if (command[0]) printf("             %s\n", command);
}

static void print_json(const Job *job) {
  DlsJson json = {.file = stdout};
  const LawReport report = report_of(job);
  const char *path = dls_law_path(job->law_case.law);
  dls_json_open(&json, NULL, '{');
  dls_json_text(&json, "law", job->law_case.law->name);
  dls_json_text(&json, "file", path);
  dls_json_integer(&json, "seed", job->seed);
  dls_json_integer(&json, "failed", law_report_failures(&report));
  dls_json_open(&json, "checks", '[');
  for (int k = 0; k < job->count; k++) {
    const DlsLawBenchResult *result = &job->results[k];
    char command[2048];
    law_report_command(&report, result, command, sizeof command);
    dls_json_open(&json, NULL, '{');
    dls_json_text(&json, "check", result->name);
    dls_json_text(&json, "outcome", law_report_outcome(result->outcome));
    dls_json_integer(&json, "cases", result->cases);
    dls_json_integer(&json, "refused", result->refused);
    dls_json_integer(&json, "unsolved", result->unsolved);
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

/* One case, told. */
static int tell(Job *job) {
  static char story[DLS_LAW_BENCH_STORY];
  DlsLawBenchResult *result = &job->results[0];
  if (dls_law_bench_tell(&job->law_case, dls_law_bench_find(job->only), job->number, result,
                         story) != DLS_OK)
    return app_refuse_status(job->command);
  job->count = 1;
  if (job->json)
    print_json(job);
  else
    printf("%s, check %s, case %ld, seed %ld\n%s", job->law_case.law->name, job->only, job->number,
           job->seed, story);
  if (!job->json && (result->outcome != DLS_LAW_BENCH_FAILED || result->cases == 0))
    printf("%s: %s\n", law_report_outcome(result->outcome), result->sentence);
  return result->outcome == DLS_LAW_BENCH_FAILED ? APP_NOT_CONVERGED : APP_DONE;
}

static int run_checks(Job *job) {
  if (!job->json) printf("%s: %s\n\n", job->law_case.law->name, job->law_case.law->summary);
  for (int k = 0; k < dls_law_bench_count() && job->count < MAX_CHECKS; k++) {
    if (job->only && strcmp(job->only, dls_law_bench_name(k)) != 0) continue;
    DlsLawBenchResult *result = &job->results[job->count];
    if (dls_law_bench_run(&job->law_case, k, result) != DLS_OK)
      return app_refuse_status(job->command);
    job->count++;
    if (!job->json) print_result(job, result);
    fflush(stdout);
  }
  const LawReport report = report_of(job);
  const int failures = law_report_failures(&report);
  if (job->report && law_report_write(&report, job->report) != DLS_OK)
    return app_refuse_status(job->command);
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
  for (int k = 0; k < dls_law_bench_count(); k++)
    printf("%-12s %s\n", dls_law_bench_name(k), dls_law_bench_question(k));
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
  free(job);
  return status;
}

const AppCommand app_law_check = {
    .name = "law check",
    .usage = "NAME|FILE.so [options]",
    .summary = "Puts a contact law to the test",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
