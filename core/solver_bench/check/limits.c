/* Limits of iterations and of time are kept, and the monitor is heard and told the truth. */
#include "solver_bench/solver_bench_impl.h"

#include <delassus/sample.h>

#include "base/clock.h"
#include "base/memory.h"
#include "solver_bench/judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* What a monitor heard. */
typedef struct {
  long calls, after, last; /* calls; those after it said stop; the largest iteration */
  double least;            /* error */
  bool nan, stops, said;   /* a number that is none; it is to stop at once; it has */
} Ear;

static int hear(void *context, long iteration, double time_s, double error) {
  Ear *ear = context;
  (void)time_s;
  ear->calls++;
  ear->after += ear->said;
  ear->last = iteration > ear->last ? iteration : ear->last;
  ear->nan |= isnan(error);
  ear->least = fmin(ear->least, error);
  ear->said |= ear->stops && iteration > 0;
  return ear->said;
}

static double processor_time(void) {
  struct timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void keep_iterations(BenchCase *c) {
  static const long limits[] = {1, 2, 3, 7, 20, 100};
  BenchDrawn t = {0};
  double r[BENCH_ROWS];
  DlsReport report;
  if (!bench_case_draw(c, &t)) return;
  Ear ear = {.least = INFINITY};
  const DlsMonitor monitor = {hear, &ear};
  t.limits.tolerance = 1e-300;
  t.limits.max_iterations = limits[dls_random_below(&c->bench.random, DLS_COUNT(limits))];
  memcpy(r, t.guess, sizeof r);
  if (bench_solve(c, t.problem, NULL, &t.limits, &monitor, r, &report)) {
    const double most = (double)t.limits.max_iterations;
    bench_compare(c, (double)report.iterations, most, "%s: %ld iterations, where %ld are allowed",
                  bench_case_kind(c), report.iterations, t.limits.max_iterations);
    bench_compare(c, (double)ear.last, most,
                  "%s: the monitor hears of iteration %ld, where %ld are allowed",
                  bench_case_kind(c), ear.last, t.limits.max_iterations);
  }
  bench_drawn_clear(&t);
}

/* Processor time: a busy machine is no fault. A wait counts by the clock, ten times. */
static void keep_time(BenchCase *c) {
  const DlsLimits limits = {.tolerance = 1e-300, .max_time = 0.05};
  const double most = limits.max_time + 1;
  DlsProblem *problem = NULL;
  DlsReport report;
  const DlsSample *sample = NULL;
  if (dls_sample_find(c->bench.number / 50 % 2 ? "wall" : "box", &sample) != DLS_OK ||
      dls_sample_create(sample->name, NULL, &problem, NULL) != DLS_OK) {
    bench_broken(c, "the problem was not made: %s", dls_error_message());
    return;
  }
  double *r = dls_memory_array(
      (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem) + 1, sizeof *r);
  const double begin = processor_time(), clock = dls_clock_now();
  if (r && bench_solve(c, problem, NULL, &limits, NULL, r, &report)) {
    const double spent = processor_time() - begin, waited = dls_clock_now() - clock;
    bench_compare(c, spent, most, "%s: %.3g s of processor time, where %g s are allowed",
                  sample->name, spent, limits.max_time);
    bench_compare(c, waited, 10 * most, "%s: %.3g s pass, where %g s are allowed", sample->name,
                  waited, limits.max_time);
  }
  free(r);
  dls_problem_destroy(&problem);
}

static void check_limits(BenchCase *c) {
  if (c->bench.number % 50 == 0)
    keep_time(c);
  else
    keep_iterations(c);
}

const BenchCheck bench_limits = {
    .name = "limits",
    .question = "Are the limits of iterations and of time kept?",
    .cases = 300,
    .run = check_limits,
};

/* Odd cases stop at the first word after the guess. */
static void check_monitor(BenchCase *c) {
  BenchDrawn t = {0};
  double r[BENCH_ROWS];
  DlsReport report;
  if (!bench_case_draw(c, &t)) return;
  Ear ear = {.least = INFINITY, .stops = c->bench.number / 20 % 2};
  const DlsMonitor monitor = {hear, &ear};
  const char *kind = bench_case_kind(c);
  memcpy(r, t.guess, sizeof r);
  if (bench_solve(c, t.problem, NULL, &t.limits, &monitor, r, &report) &&
      bench_finite(c, kind, t.mechanism.planted.rows, r)) {
    const BenchVerdict v = bench_judge(&t.mechanism.planted, r);
    const double error = (double)bench_judge_error(&v, t.limits.measure, 0);
    bench_say(c, "%ld calls, the least error told %.17g, that of the answer %.17g\n", ear.calls,
              ear.least, error);
    if (ear.calls == 0)
      bench_broken(c, "%s: the monitor is never called: nobody can stop the solve", kind);
    else if (ear.nan)
      bench_broken(c, "%s: the monitor is told an error that is no number", kind);
    else if (isfinite(error))
      bench_compare(c, error - ear.least, 1e-6 * error + (double)v.rounding,
                    "%s: the monitor is told an error of %.3g; the answer's is %.3g", kind,
                    ear.least, error);
    if (ear.after) bench_broken(c, "%s: goes on for %ld measures after stop", kind, ear.after);
    if (ear.said && report.outcome != DLS_STOPPED && report.outcome != DLS_CONVERGED)
      bench_broken(c, "%s: was stopped, and says %s", kind, dls_outcome_text(report.outcome));
  }
  bench_drawn_clear(&t);
}

const BenchCheck bench_monitor = {
    .name = "monitor",
    .question = "Is the monitor told the truth, and does the solve stop at its word?",
    .cases = 600,
    .run = check_monitor,
};
