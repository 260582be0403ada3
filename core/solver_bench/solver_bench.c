/* The checks of a solver, and how one of them is run. */
#include "solver_bench/solver_bench_impl.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const BenchCheck *const checks[] = {
    &bench_honesty,  &bench_impossible,  &bench_guess,   &bench_report,   &bench_units,
    &bench_repeat,   &bench_limits,      &bench_monitor, &bench_bounds,   &bench_leaks,
    &bench_refusals, &bench_option_ends, &bench_planted, &bench_analytic,
};

static const char *name_of(int check) { return checks[check]->name; }
static const char *question_of(int check) { return checks[check]->question; }

typedef struct {
  const DlsSolver *solver;
  const void *chosen; /* options of the solver */
  const BenchCheck *check;
} Call;

static void run_case(const DlsBenchCase *start, const void *context) {
  const Call *call = context;
  BenchCase c = {.bench = *start, .solver = call->solver, .options = call->chosen};
  call->check->run(&c);
}

/* "strictly convex 40 of 40, ..." */
static void write_scores(const BenchScore *score, DlsBenchResult *out) {
  size_t used = 0;
  for (int k = 0; k < BENCH_SCORES && score[k].tried; k++) {
    const int more =
        snprintf(out->sentence + used, sizeof out->sentence - used, "%s%s %ld of %ld",
                 used ? "; " : "solved: ", score[k].name, score[k].reached, score[k].tried);
    used =
        used + (size_t)more < sizeof out->sentence ? used + (size_t)more : sizeof out->sentence - 1;
  }
}

static void conclude(DlsBenchResult *out, const void *notes, const void *context) {
  const Call *call = context;
  if (out->outcome == DLS_BENCH_FAILED) return;
  if (call->check->reports) {
    out->outcome = DLS_BENCH_REPORTED;
    out->worst_case = -1;
    out->sentence[0] = '\0';
    write_scores(notes, out);
  } else if (out->outcome == DLS_BENCH_NOT_ASKED && out->refused) {
    snprintf(out->sentence, sizeof out->sentence, "every problem was refused");
  }
}

static long count_cases(const BenchCheck *check, const DlsSolverBenchOptions *options) {
  const long own = check->count ? check->count(options->solver) : check->cases;
  return options->cases > 0 && options->cases < own ? options->cases : own;
}

static DlsStatus run(const void *bench_options, int number, long only, DlsBenchResult *out,
                     char *story) {
  const DlsSolverBenchOptions *options = bench_options;
  DLS_CHECK(number >= 0 && number < DLS_COUNT(checks), DLS_ERR_ARGUMENT, "there is no check %d",
            number);
  char *chosen = dls_memory_array(options->solver->option_bytes + 1, 1);
  DLS_CHECK(chosen, DLS_ERR_MEMORY, "out of memory for the options of %s", options->solver->name);
  dls_solver_defaults(options->solver, chosen);
  if (options->options) memcpy(chosen, options->options, options->solver->option_bytes);
  const Call call = {.solver = options->solver, .chosen = chosen, .check = checks[number]};
  const DlsBenchCheck check = {.noun = dls_solver_bench.noun,
                               .name = call.check->name,
                               .question = call.check->question,
                               .reason = call.check->applies ? call.check->applies(options->solver)
                                                             : NULL,
                               .seed = options->seed,
                               .cases = count_cases(call.check, options),
                               .only = only,
                               .time_limit = options->time_limit,
                               .run = run_case,
                               .context = &call,
                               .conclude = conclude,
                               .note_bytes = BENCH_SCORES * sizeof(BenchScore)};
  const DlsStatus status = dls_bench_run(&check, out, story);
  free(chosen);
  return status;
}

const DlsBench dls_solver_bench = {.noun = "solver",
                                   .count = DLS_COUNT(checks),
                                   .name = name_of,
                                   .question = question_of,
                                   .run = run};
