/* What the checks share: a case and its judge, one solve as the core calls it, and the story of a
 * case that is told. */
#ifndef DELASSUS_SOLVER_BENCH_SOLVER_BENCH_IMPL_H
#define DELASSUS_SOLVER_BENCH_SOLVER_BENCH_IMPL_H

#include "solver_bench/solver_bench.h"

#include "base/random.h"
#include "solver_bench/drawn.h"

/* What is counted for the sentence of a check that reports. */
enum { BENCH_SCORES = 16 };
typedef struct {
  char name[40];
  long tried, reached;
} BenchScore;

/* One case of one check. */
typedef struct {
  DlsBenchCase bench; /* its notes: BenchScore [BENCH_SCORES] */
  const DlsSolver *solver;
  const void *options;
} BenchCase;

/* A check: `applies` returns NULL, or why it does not; NULL stands for always. `count` returns how
 * many cases there are for the solver; NULL: `cases`. */
typedef struct {
  const char *name, *question;
  long cases;
  long (*count)(const DlsSolver *solver);
  const char *(*applies)(const DlsSolver *solver);
  void (*run)(BenchCase *c);
  bool reports;
} BenchCheck;

extern const BenchCheck bench_honesty, bench_impossible, bench_guess, bench_report, bench_planted,
    bench_analytic, bench_units, bench_repeat, bench_limits, bench_monitor, bench_bounds,
    bench_leaks, bench_option_ends, bench_refusals;

/* The judge and the story, as in bench.h. */
#define bench_compare(c, ...) dls_bench_judge(&(c)->bench, __VA_ARGS__)
#define bench_broken(c, ...)  dls_bench_broken(&(c)->bench, __VA_ARGS__)
#define bench_say(c, ...)     dls_bench_say(&(c)->bench, __VA_ARGS__)

/* One more of the row `name` was tried, and reached or not. */
void bench_count(BenchCase *c, const char *name, bool reached);

void bench_say_vector(BenchCase *c, const char *name, const double *x, int count);
void bench_say_problem(BenchCase *c, const DlsProblem *problem, const DlsLimits *limits,
                       const double *guess);
void bench_say_end(BenchCase *c, const DlsProblem *problem, const DlsReport *report,
                   const double *r);

/* create + solve + destroy, without the certificate of dls_solve(). `options` NULL: those of the
 * case; monitor may be NULL. False where the solver refused the problem (counted), or failed
 * otherwise (judged). The case tells problem and end. */
bool bench_solve(BenchCase *c, const DlsProblem *problem, const void *options,
                 const DlsLimits *limits, const DlsMonitor *monitor, double *r, DlsReport *report);

/* The same by dls_solve(). */
bool bench_solve_certified(BenchCase *c, const DlsProblem *problem, const DlsLimits *limits,
                           double *r, DlsReport *report);

/* Whether r is all numbers; else judged, with the sentence that says so: no error is measured of
 * what holds NaN or infinity, since maxima and comparisons pass over them. */
bool bench_finite(BenchCase *c, const char *kind, int rows, const double *r);

/* The status of a solve is in order: DLS_OK: true. A refusal is counted, anything else judged. */
bool bench_status(BenchCase *c, DlsStatus status, const char *what);

/* The drawn of case number `number`: kinds and corners by turns, drawn from the case's random
 * numbers; false where the bench is out of memory (judged). */
bool bench_case_draw(BenchCase *c, BenchDrawn *drawn);
const char *bench_case_kind(const BenchCase *c);

#endif
