/* The checks of a law, and how one of them is run. */
#include "law_bench/law_bench_impl.h"

static const LawCaseCheck *const checks[] = {
    &law_case_complete,    &law_case_distance,   &law_case_dissipation, &law_case_energy,
    &law_case_frame,       &law_case_turn,       &law_case_swap,        &law_case_homogeneous,
    &law_case_units,       &law_case_clock,      &law_case_plain,       &law_case_drag,
    &law_case_solve,       &law_case_limits,     &law_case_parameters,  &law_case_state,
    &law_case_derivatives, &law_case_projection, &law_case_force,       &law_case_loops,
    &law_case_solvers,     &law_case_step,
};

static const char *name_of(int check) { return checks[check]->name; }
static const char *question_of(int check) { return checks[check]->question; }
static const char *tolerance_of(int check) { return checks[check]->tolerance; }

void dls_law_bench_defaults(const DlsLaw *law, DlsLawBenchOptions *out) {
  *out = (DlsLawBenchOptions){
      .law = law, .seed = 1, .starts = 1000000, .time_limit = 300, .case_limit = 30};
  dls_law_defaults(law, out->params);
}

typedef struct {
  const DlsLawBenchOptions *options;
  const LawCaseCheck *check;
  const DlsLaw *first; /* as in LawCase */
} Call;

static void run_case(const DlsBenchCase *start, const void *context) {
  const Call *call = context;
  LawCase law_case = {
      .bench = *start, .options = call->options, .law = call->options->law, .first = call->first};
  call->check->run(&law_case);
}

static void conclude(DlsBenchResult *result, const void *notes, const void *context) {
  const Call *call = context;
  if (call->check->conclude) call->check->conclude(call->options->law, result, notes);
}

static long count_cases(const LawCaseCheck *check, const DlsLawBenchOptions *options) {
  if (check->cases == 0) return options->starts;
  return options->cases > 0 && options->cases < check->cases ? options->cases : check->cases;
}

static DlsStatus run(const void *bench_options, int number, long only, DlsBenchResult *out,
                     char *story) {
  const DlsLawBenchOptions *options = bench_options;
  DLS_CHECK(number >= 0 && number < DLS_COUNT(checks), DLS_ERR_ARGUMENT, "there is no check %d",
            number);
  Call call = {.options = options, .check = checks[number]};
  if (options->law->composes && dls_law_find("coulomb", &call.first) != DLS_OK) call.first = NULL;
  const DlsBenchCheck check = {.noun = dls_law_bench.noun,
                               .name = call.check->name,
                               .question = call.check->question,
                               .reason =
                                   call.check->applies ? call.check->applies(options->law) : NULL,
                               .seed = options->seed,
                               .cases = count_cases(call.check, options),
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

const DlsBench dls_law_bench = {.noun = "law",
                                .count = DLS_COUNT(checks),
                                .name = name_of,
                                .question = question_of,
                                .tolerance = tolerance_of,
                                .run = run};
