/* Checks in child processes: memory shared with the child holds the result as it grows, so that a
 * solver that dies leaves the number of the case it died in. */
#include "solver_bench/solver_bench_impl.h"

#include "base/child.h"
#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const BenchCheck *const checks[] = {
    &bench_honesty,  &bench_impossible,  &bench_guess,   &bench_report,   &bench_units,
    &bench_repeat,   &bench_limits,      &bench_monitor, &bench_bounds,   &bench_leaks,
    &bench_refusals, &bench_option_ends, &bench_planted, &bench_analytic,
};

int dls_solver_bench_count(void) { return DLS_COUNT(checks); }
const char *dls_solver_bench_name(int check) { return checks[check]->name; }
const char *dls_solver_bench_question(int check) { return checks[check]->question; }

int dls_solver_bench_find(const char *name) {
  for (int k = 0; k < DLS_COUNT(checks); k++)
    if (strcmp(checks[k]->name, name) == 0) return k;
  return -1;
}

/* What comes back from the child. */
typedef struct {
  DlsSolverBenchResult result;
  BenchTally tally[BENCH_TALLIES];
  long current;
  int finished;
  char story[DLS_SOLVER_BENCH_STORY];
} Shared;

typedef struct {
  const DlsSolverBenchOptions *options;
  const void *chosen; /* options of the solver */
  int check;
  long only, cases;
} Call;

/* The random numbers of a case depend on seed, check and number alone. */
static void seed_case(BenchCase *c, const char *check) {
  uint64_t mixed = c->seed * 0x9e3779b97f4a7c15u;
  for (const char *at = check; *at; at++)
    mixed = (mixed ^ (uint64_t)(unsigned char)*at) * 0x100000001b3u;
  dls_random_seed(&c->random, mixed + (uint64_t)c->number * 0xd1342543de82ef95u);
}

static void run_case(const Call *call, long number, Shared *shared) {
  BenchCase c = {.solver = call->options->solver,
                 .options = call->chosen,
                 .seed = call->options->seed,
                 .number = number,
                 .result = &shared->result,
                 .tally = shared->tally,
                 .story = call->only >= 0 ? shared->story : NULL};
  shared->current = number;
  seed_case(&c, checks[call->check]->name);
  checks[call->check]->run(&c);
  shared->result.cases++;
}

/* The child: all cases, or the one that is told. */
static void run_cases(void *context, void *result) {
  const Call *call = context;
  Shared *shared = result;
  if (call->only >= 0) run_case(call, call->only, shared);
  for (long number = 0; number < call->cases && call->only < 0; number++)
    run_case(call, number, shared);
  shared->finished = 1;
}

static void say_dead(const Shared *shared, const DlsChildEnd *end, double limit,
                     DlsSolverBenchResult *out) {
  out->outcome = DLS_SOLVER_BENCH_FAILED;
  out->worst = INFINITY;
  out->worst_case = shared->current;
  if (end->outcome == DLS_CHILD_TIMEOUT)
    snprintf(out->sentence, sizeof out->sentence,
             "not done within %g s; the solver hangs, or is slow, in case %ld", limit,
             shared->current);
  else if (end->signal)
    snprintf(out->sentence, sizeof out->sentence, "the solver died in case %ld: %s",
             shared->current, strsignal(end->signal));
  else
    snprintf(out->sentence, sizeof out->sentence, "the solver ended the process in case %ld",
             shared->current);
}

/* "strictly convex 40 of 40, ..." */
static void write_tallies(const BenchTally *tally, DlsSolverBenchResult *out) {
  size_t used = 0;
  for (int k = 0; k < BENCH_TALLIES && tally[k].tried; k++) {
    const int more =
        snprintf(out->sentence + used, sizeof out->sentence - used, "%s%s %ld of %ld",
                 used ? "; " : "solved: ", tally[k].name, tally[k].reached, tally[k].tried);
    used =
        used + (size_t)more < sizeof out->sentence ? used + (size_t)more : sizeof out->sentence - 1;
  }
}

static void conclude(const Shared *shared, int check, DlsSolverBenchResult *out) {
  out->outcome = out->worst > 1 ? DLS_SOLVER_BENCH_FAILED : DLS_SOLVER_BENCH_PASSED;
  if (out->outcome == DLS_SOLVER_BENCH_FAILED) return;
  if (checks[check]->reports) {
    out->outcome = DLS_SOLVER_BENCH_REPORTED;
    out->worst_case = -1;
    out->sentence[0] = '\0';
    write_tallies(shared->tally, out);
  } else if (out->measured == 0) {
    out->outcome = DLS_SOLVER_BENCH_NOT_ASKED;
    snprintf(out->sentence, sizeof out->sentence, "%s",
             out->refused ? "every problem was refused" : "no case had anything to compare");
  }
}

static DlsStatus run_in_child(Call *call, Shared *shared, DlsSolverBenchResult *out) {
  const double limit = call->options->time_limit, start = dls_clock_now();
  const DlsChildLimits limits = {.seconds = limit};
  const BenchCheck *check = checks[call->check];
  call->cases = check->count ? check->count(call->options->solver) : check->cases;
  if (call->options->cases > 0 && call->options->cases < call->cases)
    call->cases = call->options->cases;
  shared->result = *out;
  const DlsChildEnd end = dls_child_run(run_cases, call, &limits, shared, sizeof *shared);
  DLS_CHECK(end.outcome != DLS_CHILD_NOT_STARTED, DLS_ERR_UNSUPPORTED,
            "no process for the check %s", out->name);
  *out = shared->result;
  out->name = check->name;
  out->question = check->question;
  out->sentence[sizeof out->sentence - 1] = '\0';
  out->seconds = dls_clock_now() - start;
  if (shared->finished)
    conclude(shared, call->check, out);
  else
    say_dead(shared, &end, limit, out);
  return DLS_OK;
}

static DlsStatus run(const DlsSolverBenchOptions *options, int check, long only,
                     DlsSolverBenchResult *out, char *story) {
  DLS_CHECK(check >= 0 && check < DLS_COUNT(checks), DLS_ERR_ARGUMENT, "there is no check %d",
            check);
  *out = (DlsSolverBenchResult){
      .name = checks[check]->name, .question = checks[check]->question, .worst_case = -1};
  const char *reason = checks[check]->applies ? checks[check]->applies(options->solver) : NULL;
  if (reason) {
    out->outcome = DLS_SOLVER_BENCH_NOT_ASKED;
    snprintf(out->sentence, sizeof out->sentence, "%s", reason);
    return DLS_OK;
  }
  Shared *shared;
  char *chosen = dls_memory_array(options->solver->option_bytes + 1, 1);
  DLS_CHECK(chosen, DLS_ERR_MEMORY, "out of memory for the options of %s", options->solver->name);
  shared = dls_memory_array(1, sizeof *shared);
  DlsStatus status =
      shared ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for the check %s", out->name);
  if (status == DLS_OK) {
    dls_solver_defaults(options->solver, chosen);
    if (options->options) memcpy(chosen, options->options, options->solver->option_bytes);
    Call call = {.options = options, .chosen = chosen, .check = check, .only = only};
    status = run_in_child(&call, shared, out);
    if (story) memcpy(story, shared->story, DLS_SOLVER_BENCH_STORY);
  }
  free(shared);
  free(chosen);
  return status;
}

DlsStatus dls_solver_bench_run(const DlsSolverBenchOptions *options, int check,
                               DlsSolverBenchResult *out) {
  return run(options, check, -1, out, NULL);
}

DlsStatus dls_solver_bench_tell(const DlsSolverBenchOptions *options, int check, long number,
                                DlsSolverBenchResult *out, char *story) {
  story[0] = '\0';
  return run(options, check, number, out, story);
}
