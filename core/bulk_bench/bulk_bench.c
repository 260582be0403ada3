/* The checks of a bulk law, and how one of them is run. */
#include "bulk_bench/bulk_bench_impl.h"

static const BulkCaseCheck *const checks[] = {
    &bulk_case_rest,   &bulk_case_tangent,    &bulk_case_symmetric, &bulk_case_isotropic,
    &bulk_case_linear, &bulk_case_rate,       &bulk_case_measures,  &bulk_case_dissipation,
    &bulk_case_energy, &bulk_case_steps,      &bulk_case_state,     &bulk_case_bounds,
    &bulk_case_limits, &bulk_case_parameters,
};

static const char *name_of(int check) { return checks[check]->name; }
static const char *question_of(int check) { return checks[check]->question; }
static const char *tolerance_of(int check) { return checks[check]->tolerance; }

void dls_bulk_bench_defaults(const DlsBulk *law, DlsBulkBenchOptions *out) {
  *out = (DlsBulkBenchOptions){.law = law, .seed = 1, .time_limit = 300, .case_limit = 30};
  dls_bulk_defaults(law, out->params);
}

typedef struct {
  const DlsBulkBenchOptions *options;
  const BulkCaseCheck *check;
} Call;

static void run_case(const DlsBenchCase *start, const void *context) {
  const Call *call = context;
  BulkCase c = {.bench = *start, .options = call->options, .law = call->options->law};
  call->check->run(&c);
}

static void conclude(DlsBenchResult *result, const void *notes, const void *context) {
  const Call *call = context;
  if (call->check->conclude) call->check->conclude(call->options->law, result, notes);
}

static DlsStatus run(const void *bench_options, int number, long only, DlsBenchResult *out,
                     char *story) {
  const DlsBulkBenchOptions *options = bench_options;
  DLS_CHECK(number >= 0 && number < DLS_COUNT(checks), DLS_ERR_ARGUMENT, "there is no check %d",
            number);
  const Call call = {options, checks[number]};
  const long cases = call.check->cases;
  const DlsBenchCheck check = {
      .noun = dls_bulk_bench.noun,
      .name = call.check->name,
      .question = call.check->question,
      .reason = call.check->applies ? call.check->applies(options->law) : NULL,
      .seed = options->seed,
      .cases = options->cases > 0 && options->cases < cases ? options->cases : cases,
      .only = only,
      .time_limit = options->time_limit,
      .case_limit = options->case_limit,
      .loud = true, /* who looks for an error in a law may print from it */
      .run = run_case,
      .context = &call,
      .conclude = conclude,
      .note_bytes = call.check->note_bytes};
  return dls_bench_run(&check, out, story);
}

const DlsBench dls_bulk_bench = {.noun = "bulk law",
                                 .count = DLS_COUNT(checks),
                                 .name = name_of,
                                 .question = question_of,
                                 .tolerance = tolerance_of,
                                 .run = run};
