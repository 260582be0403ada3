/* What a solver says of itself is judged by other code than the core's, in long double: see
 * solver_bench/judge.h. The solver's own word counts, not what dls_solve() makes of it. */
#include "solver_bench/solver_bench_impl.h"

#include "solver_bench/judge.h"
#include "solver_bench/squeezed.h"

#include <math.h>
#include <string.h>

static double judged(const BenchDrawn *t, const double *r, double *rounding) {
  const BenchVerdict v = bench_judge(&t->mechanism.planted, r);
  *rounding = (double)v.rounding;
  return (double)bench_judge_error(&v, t->limits.measure, t->limits.tolerance);
}

/* "Converged" and the error that is reported. */
static void check_honesty(BenchCase *c) {
  BenchDrawn t = {0};
  double r[BENCH_ROWS], rounding;
  DlsReport report;
  if (!bench_case_draw(c, &t)) return;
  memcpy(r, t.guess, sizeof r);
  if (bench_solve(c, t.problem, NULL, &t.limits, NULL, r, &report) &&
      bench_finite(c, bench_case_kind(c), t.mechanism.planted.rows, r)) {
    const double error = judged(&t, r, &rounding), tolerance = t.limits.tolerance;
    bench_say(c, "judged %.17g, round-off %.3g%s\n", error, rounding,
              t.mechanism.impossible ? "; there is no solution" : "");
    if (report.outcome == DLS_CONVERGED)
      bench_compare(c, error, tolerance * (1 + 1e-6) + rounding,
                    "%s: says converged at a tolerance of %.0e; the error is %.3g",
                    bench_case_kind(c), tolerance, error);
    /* A number that is too large misleads nobody. */
    bench_compare(c, error - report.error, 1e-6 * error + rounding,
                  "%s: reports an error of %.3g; it is %.3g", bench_case_kind(c), report.error,
                  error);
  }
  bench_drawn_clear(&t);
}

const BenchCheck bench_honesty = {
    .name = "honesty",
    .question = "Is `converged` true, and the error that is reported that of the answer?",
    .cases = 2000,
    .run = check_honesty,
};

/* Bodies that squeeze each other, or do not. */
static void check_impossible(BenchCase *c) {
  static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8};
  const int kind = (int)(c->bench.number % BENCH_SQUEEZED_KINDS),
            round = (int)(c->bench.number / 6);
  const bool solvable = round % 2;
  const DlsLimits limits = {.tolerance = tolerances[round / 2 % 4], .max_iterations = 12};
  BenchSqueezed *s = &(BenchSqueezed){0};
  double r[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK] = {0};
  DlsProblem *problem = NULL;
  DlsReport report;
  if (bench_make_squeezed(&c->bench.random, (BenchSqueezedKind)kind, solvable,
                          c->bench.number % 5 == 0, s, &problem) != DLS_OK) {
    bench_broken(c, "the problem was not made: %s", dls_error_message());
    return;
  }
  if (bench_solve(c, problem, NULL, &limits, NULL, r, &report)) {
    if (solvable && report.outcome == DLS_NO_SOLUTION)
      bench_broken(c, "says that there is no solution where one is planted");
    else
      bench_compare(c, 0, 1, "no word of it");
    memset(r, 0, sizeof r);
    if (bench_solve_certified(c, problem, &limits, r, &report) &&
        (report.outcome == DLS_NO_SOLUTION) == solvable)
      bench_broken(c, "dls_solve() ends %s where %s, closing at %.3g m/s",
                   dls_outcome_text(report.outcome),
                   solvable ? "a solution is planted" : "no motion is possible", s->closing);
  }
  dls_problem_destroy(&problem);
}

const BenchCheck bench_impossible = {
    .name = "impossible",
    .question = "Is a problem without a solution told from one that has one?",
    .cases = 600,
    .run = check_impossible,
};

/* The best iterate seen comes back, the guess being one. */
static void check_guess(BenchCase *c) {
  BenchDrawn t = {0};
  double r[BENCH_ROWS], rounding, first;
  DlsReport report;
  if (!bench_case_draw(c, &t)) return;
  const double before = judged(&t, t.guess, &first), tolerance = t.limits.tolerance;
  memcpy(r, t.guess, sizeof r);
  if (isfinite(before) && bench_solve(c, t.problem, NULL, &t.limits, NULL, r, &report) &&
      bench_finite(c, bench_case_kind(c), t.mechanism.planted.rows, r)) {
    const double after = judged(&t, r, &rounding);
    bench_say(c, "judged: the guess %.17g, the answer %.17g\n", before, after);
    bench_compare(c, after, fmax(before * (1 + 1e-6) + rounding + first, tolerance),
                  "%s: the answer, of an error of %.3g, is worse than the guess, of %.3g",
                  bench_case_kind(c), after, before);
  }
  bench_drawn_clear(&t);
}

const BenchCheck bench_guess = {
    .name = "guess",
    .question = "Is the answer never worse than the guess?",
    .cases = 1000,
    .run = check_guess,
};

static bool is_whole(const DlsWork *work) {
#define LEAST(name)                                                                                \
  if (work->name < 0) return false;
  DLS_WORK_LIST(LEAST)
#undef LEAST
  return true;
}

/* What dls_solve() alone may say. */
static bool is_reserved(DlsReason reason) {
  return reason == DLS_REASON_CERTIFIED || reason == DLS_REASON_OVERRULED ||
         reason == DLS_REASON_UNPROVED;
}

static void check_report(BenchCase *c) {
  BenchDrawn t = {0};
  double r[BENCH_ROWS];
  DlsReport report;
  if (!bench_case_draw(c, &t)) return;
  memcpy(r, t.guess, sizeof r);
  if (bench_solve(c, t.problem, NULL, &t.limits, NULL, r, &report)) {
    const char *kind = bench_case_kind(c);
    bench_compare(c, 0, 1, "whole");
    (void)bench_finite(c, kind, t.mechanism.planted.rows, r);
    if (isnan(report.error) || report.error < 0)
      bench_broken(c, "%s: the error is %g", kind, report.error);
    if ((int)report.outcome < 0 || report.outcome >= DLS_OUTCOME_COUNT)
      bench_broken(c, "%s: the outcome is %d, which is none", kind, (int)report.outcome);
    else if ((int)report.reason <= DLS_REASON_UNTOLD || report.reason >= DLS_REASON_COUNT)
      bench_broken(c, "%s: no reason is given; call dls_report_end()", kind);
    else if (dls_reason_outcome(report.reason) != report.outcome || is_reserved(report.reason))
      bench_broken(c, "%s: ends %s by the reason \"%s\"", kind, dls_outcome_text(report.outcome),
                   dls_reason_text(report.reason));
    if (report.iterations < 0 || !is_whole(&report.work))
      bench_broken(c, "%s: counts less than nothing", kind);
    if (!memchr(report.note, '\0', sizeof report.note))
      bench_broken(c, "%s: the note does not end", kind);
  }
  bench_drawn_clear(&t);
}

const BenchCheck bench_report = {
    .name = "report",
    .question = "Is the report whole: finite numbers, a reason that fits the outcome?",
    .cases = 1000,
    .run = check_report,
};
