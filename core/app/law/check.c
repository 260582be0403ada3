/* delassus law check: the bench for one contact. */
#include <delassus/laws.h>

#include <stdio.h>
#include <stdlib.h>

#include "app/app.h"
#include "app/check.h"
#include "app/check_load.h"
#include "app/params.h"
#include "law_bench/law_bench.h"

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

typedef struct {
  AppCheck check;
  DlsLawBenchOptions bench;
  AppTexts set;
  long starts;
  double case_limit;
} Job;

static const AppOption options[] = {
    APP_OPERAND_ROW(Job, check.subject, "law"),
    APP_TEXTS_ROW(Job, set, "set", "P=V", "holds a parameter at a value; repeats"),
    APP_INTEGER_ROW(Job, starts, "starts", "N", 1, APP_ANY,
                    "cases of the check `solve` (default 1000000)"),
    APP_INTEGER_ROW(Job, check.cases, "cases", "N", 1, APP_ANY,
                    "at most N cases of every check (default: up to 4000)"),
    APP_REAL_ROW(Job, case_limit, "case-limit", "S", 0.001, APP_ANY,
                 "seconds of processor time that a case may take (default 30)"),
    APP_CHECK_ROWS(Job, check),
};

static void print_limits(const void *bench_options) {
  const DlsLawBenchOptions *bench = bench_options;
  printf("%g s a check, %g s of processor time a case, %ld starts of solve", bench->time_limit,
         bench->case_limit, bench->starts);
}

static void print_counts(const DlsBenchResult *result) {
  printf("%8ld cases %9ld", result->cases, result->measured);
}

static void write_counts(DlsJson *json, const DlsBenchResult *result) {
  dls_json_integer(json, "unsolved", result->unsolved);
}

static const AppCheckKind kind = {.bench = &dls_law_bench,
                                  .command = "law",
                                  .not_asked = "not claimed",
                                  .manual = "docs/law-check.md",
                                  .widths = {12, 12},
                                  .print_limits = print_limits,
                                  .print_counts = print_counts,
                                  .write_counts = write_counts};

static void write_params(DlsFile *file, const void *context) {
  const DlsLawBenchOptions *bench = context;
  app_params_write(file, bench->law->params, bench->law->nparams, bench->params, bench->pinned);
}

static DlsStatus find(const char *subject) {
  const DlsLaw *law;
  return dls_law_find(subject, &law);
}

/* Finds the law, sets its parameters, and checks it. Returns the exit status. */
static int check_law(const AppCommand *self, Job *job) {
  const DlsLaw *law;
  AppCheck *check = &job->check;
  if (!check->subject)
    return app_refuse(self, "give a law: a name of delassus law list, or a file");
  const int status = app_check_load(self, &kind, check, find);
  if (status != APP_GO_ON) return status;
  if (dls_law_find(check->subject, &law) != DLS_OK) return app_refuse_status(self);
  dls_law_bench_defaults(law, &job->bench);
  job->bench.seed = (uint64_t)check->seed;
  if (job->starts > 0 || check->cases > 0)
    job->bench.starts = job->starts > 0 ? job->starts : check->cases;
  job->bench.cases = check->cases;
  if (check->limit > 0) job->bench.time_limit = check->limit;
  if (job->case_limit > 0) job->bench.case_limit = job->case_limit;
  for (int k = 0; k < job->set.count; k++) {
    if (dls_law_set_text(law, job->bench.params, job->set.item[k]) != DLS_OK)
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
  check->file = dls_law_path(law);
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

const AppCommand app_law_check = {
    .name = "law check",
    .usage = "NAME|FILE.so [options]",
    .summary = "Puts a contact law to the test",
    .details = details,
    .options = options,
    .noptions = DLS_COUNT(options),
    .run = run,
};
