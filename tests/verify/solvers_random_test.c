/* No solver ever says converged with an error above the tolerance. Every solver on thousands of
 * small random problems (core/solver_bench/planted.h), in every corner: masses times 1e±6,
 * velocities times 1e±3, tolerances 1e-2 to 1e-12, a limit of 1 to 300 iterations, guesses that are
 * zero, right, near, huge or wild, contacts there twice, a law of its own. The error is judged here
 * (core/solver_bench/judge.h) by other code, and what the solver itself says is judged, not what
 * dls_solve() makes of it. SHOW=1 prints how many converged. */
#include "solver_bench/drawn.h"
#include "solver_bench/judge.h"
#include "tests/planted.h"

#include <stdio.h>

enum { SOLVERS = 32, PROBLEMS = 300 };

/* One trial, and what its guess is worth. */
typedef struct {
  BenchDrawn trial;
  int corner, number;
  BenchLong before, before_rounding; /* error of the guess */
} Trial;

static BenchLong error_of(const Trial *t, const double *r, BenchLong *rounding) {
  const BenchVerdict verdict = bench_judge(&t->trial.mechanism.planted, r);
  *rounding = verdict.rounding;
  return bench_judge_error(&verdict, t->trial.limits.measure, t->trial.limits.tolerance);
}

static void draw_trial(DlsRandom *random, int corner, int number, Trial *t) {
  t->corner = corner;
  t->number = number;
  CHECK_OK(bench_draw_corner(random, corner, number, &t->trial));
  t->before = error_of(t, t->trial.guess, &t->before_rounding);
}

static void fail(const Trial *t, const DlsSolver *solver, const char *what, double is,
                 double should) {
  test_fail(__FILE__, __LINE__, "%s %d: %s %s: %.6e against %.6e", bench_corner_names[t->corner],
            t->number, solver->name, what, is, should);
}

/* create + solve + destroy, without the certificate of dls_solve(). False: refused. */
static bool solve_bare(const DlsSolver *solver, const Trial *t, double *r, DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  double options[512];
  void *self = NULL;
  *report = (DlsReport){.outcome = DLS_DIVERGED, .error = INFINITY};
  CHECK(solver->option_bytes <= sizeof options);
  dls_solver_defaults(solver, options);
  const DlsStatus status = solver->create(t->trial.problem, options, &self);
  if (status == DLS_ERR_SOLVER && t->corner == BENCH_CORNER_FILM &&
      test_contains(dls_error_message(), "film"))
    return false;
  CHECK_OK(status);
  if (self) CHECK_OK(solver->solve(self, t->trial.problem, &t->trial.limits, &silent, r, report));
  solver->destroy(self);
  return self != NULL;
}

/* Returns whether it converged. */
static bool try_solver(const Trial *t, const DlsSolver *solver) {
  const DlsLimits *limits = &t->trial.limits;
  double r[BENCH_ROWS];
  DlsReport report;
  BenchLong rounding;
  memcpy(r, t->trial.guess, sizeof r);
  if (!solve_bare(solver, t, r, &report)) return false;
  const BenchLong error = error_of(t, r, &rounding);
  const bool converged = report.outcome == DLS_CONVERGED;
  if (!isfinite(test_size((size_t)t->trial.mechanism.planted.rows, r)))
    fail(t, solver, "returns", NAN, 0);
  if (converged && !(error <= limits->tolerance * (1 + 1e-6L) + rounding))
    fail(t, solver, "says converged", (double)error, limits->tolerance);
  if (!(fabsl(error - report.error) <= 1e-6L * error + rounding))
    fail(t, solver, "reports an error", report.error, (double)error);
  if (!(error <= t->before * (1 + 1e-6L) + rounding + t->before_rounding))
    fail(t, solver, "loses what it was given", (double)error, (double)t->before);
  if (report.iterations > limits->max_iterations)
    fail(t, solver, "iterates on", (double)report.iterations, (double)limits->max_iterations);
  return converged;
}

static void check_corner(int corner, uint64_t seed) {
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  int converged[SOLVERS] = {0};
  DlsRandom random;
  CHECK(count <= SOLVERS);
  dls_random_seed(&random, seed);
  for (int number = 0; number < PROBLEMS; number++) {
    Trial trial;
    draw_trial(&random, corner, number, &trial);
    for (int k = 0; k < count && k < SOLVERS; k++) converged[k] += try_solver(&trial, solvers[k]);
    bench_drawn_clear(&trial.trial);
  }
  for (int k = 0; k < count && getenv("SHOW"); k++)
    printf("%-14s %-10s %4d of %4d\n", bench_corner_names[corner], solvers[k]->name, converged[k],
           PROBLEMS);
}

TEST(no_solver_says_converged_where_it_is_not) {
  for (int k = 0; k < BENCH_CORNERS; k++) check_corner(k, 1000 + (uint64_t)k);
}

/* The judge finds what is planted right, and what is not wrong, as errors.c does. */
TEST(the_judge_agrees_with_the_errors) {
  DlsRandom random;
  dls_random_seed(&random, 7);
  for (int number = 0; number < 70 * BENCH_CORNERS; number++) {
    Trial trial;
    DlsErrors errors;
    draw_trial(&random, number % BENCH_CORNERS, number, &trial);
    const BenchVerdict right =
        bench_judge(&trial.trial.mechanism.planted, trial.trial.mechanism.planted.r);
    CHECK_BELOW((double)right.natural, 1e-13 + (double)right.rounding);
    const BenchVerdict guess = bench_judge(&trial.trial.mechanism.planted, trial.trial.guess);
    CHECK_OK(dls_errors_measure(trial.trial.problem, trial.trial.guess, NULL, &errors));
    CHECK_NEAR(errors.natural, (double)guess.natural,
               1e-9 * errors.natural + (double)guess.rounding);
    CHECK_NEAR(errors.scaled, (double)guess.scaled, 1e-9 * errors.scaled + (double)guess.rounding);
    bench_drawn_clear(&trial.trial);
  }
}

/* A guess that is not finite is refused; without contacts there is nothing to do. */
TEST(guesses_of_nan_are_refused_and_no_contacts_are_solved) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 1};
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 10};
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  for (int contacts = 0; contacts < 2; contacts++) {
    DlsProblem *problem = test_dense_problem(2, contacts, 2, W, q, &relation);
    for (int k = 0; k < count; k++) {
      double r[2] = {NAN, 0};
      DlsReport report;
      const DlsStatus status =
          dls_solve(solvers[k], problem, NULL, &limits, NULL, r, NULL, &report);
      if (contacts)
        CHECK_FAILS(status, DLS_ERR_ARGUMENT, "is not finite");
      else
        CHECK_INT(report.outcome, DLS_CONVERGED);
    }
    dls_problem_destroy(&problem);
  }
}
