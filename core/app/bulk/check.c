/* delassus bulk check: the bench for one material point. */
#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/check.h"
#include "app/check_load.h"
#include "app/params.h"
#include "bulk_bench/bulk_bench.h"

static const char details[] =
    "Strains one point at random, with the law at its defaults (or --set) and at random\n"
    "parameters, and tests what every bulk law must obey and what this one claims. The checks run\n"
    "in processes of their own: a law that crashes, hangs or exits fails its check.\n"
    "docs/bulk-check.md tells what each means.\n"
    "Exit status: 0 all passed, 1 a check failed, 2 wrong input.\n"
    "\n"
    "  delassus bulk check j2 --set hardening=1e8 --report j2.html\n"
    "  delassus bulk check ./mine.so --only tangent --case 17\n";

typedef struct {
  AppCheck check;
  DlsBulkBenchOptions bench;
  AppTexts set;
  double case_limit;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, check.subject, "law"),
    APP_TEXTS_ROW(Job, set, "set", "P=V", "holds a parameter at a value; repeats"),
    APP_INTEGER_ROW(Job, check.cases, "cases", "N", 1, APP_ANY,
                    "at most N cases of every check (default: up to 2000)"),
    APP_REAL_ROW(Job, case_limit, "case-limit", "S", 0.001, APP_ANY,
                 "seconds of processor time that a case may take (default 30)"),
    APP_CHECK_ROWS(Job, check),
};

static void print_limits(const void *bench_options) {
  const DlsBulkBenchOptions *bench = bench_options;
  printf("%g s a check, %g s of processor time a case", bench->time_limit, bench->case_limit);
}

static void print_counts(const DlsBenchResult *result) {
  printf("%8ld cases %9ld", result->cases, result->measured);
}

static void write_counts(DlsJson *json, const DlsBenchResult *result) { (void)json, (void)result; }

static const AppCheckKind kind = {.bench = &dls_bulk_bench,
                                  .command = "bulk",
                                  .not_asked = "not claimed",
                                  .manual = "docs/bulk-check.md",
                                  .widths = {12, 12},
                                  .print_limits = print_limits,
                                  .print_counts = print_counts,
                                  .write_counts = write_counts};

static void write_params(DlsFile *file, const void *context) {
  const DlsBulkBenchOptions *bench = context;
  app_params_write(file, bench->law->params, bench->law->nparams, bench->params, bench->pinned);
}

static DlsStatus find(const char *subject) {
  const DlsBulk *law;
  return dls_bulk_find(subject, &law);
}

/* Finds the law, sets its parameters, and checks it. Returns the exit status. */
static int check_law(const AppCommand *self, Job *job) {
  const DlsBulk *law;
  AppCheck *check = &job->check;
  if (!check->subject)
    return app_refuse(self, "give a bulk law: a name of delassus bulk list, or a file");
  const int status = app_check_load(self, &kind, check, find);
  if (status != APP_GO_ON) return status;
  if (dls_bulk_find(check->subject, &law) != DLS_OK) return app_refuse_status(self);
  dls_bulk_bench_defaults(law, &job->bench);
  job->bench.seed = (uint64_t)check->seed;
  job->bench.cases = check->cases;
  if (check->limit > 0) job->bench.time_limit = check->limit;
  if (job->case_limit > 0) job->bench.case_limit = job->case_limit;
  for (int k = 0; k < job->set.count; k++) {
    if (dls_bulk_set_text(law, job->bench.params, job->set.item[k]) != DLS_OK)
      return app_refuse_status(self);
    app_params_pin(law->params, law->nparams, job->set.item[k], job->bench.pinned);
    app_check_setting(check, "set", job->set.item[k]);
  }
  app_check_limit(check, "limit", check->limit);
  app_check_limit(check, "case-limit", job->case_limit);
  check->options = &job->bench;
  check->name = law->name;
  check->summary = law->summary;
  check->references = law->references;
  check->file = dls_bulk_path(law);
  check->more = write_params;
  return app_check_run(self, &kind, check);
}

static int run(const AppCommand *self, int argc, char **argv) {
  Job *job = calloc(1, sizeof *job);
  if (!job) return app_refuse(self, "out of memory");
  app_check_begin(&job->check);
  int status = app_options_read(self, argc, argv, job);
  if (status == APP_GO_ON) status = job->check.list ? app_check_list(&kind) : check_law(self, job);
  app_options_clear(self, job);
  free(job);
  return status;
}

const AppCommand app_bulk_check = {
    .name = "bulk check",
    .usage = "NAME|FILE.so [options]",
    .summary = "Puts a bulk law to the test",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
