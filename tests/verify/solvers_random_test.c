/* No solver ever says converged with an error above the tolerance. Every solver on thousands of small random
 * problems (tests/random_problem.h), in every corner: masses times 1e±6, velocities times 1e±3, tolerances
 * 1e-2 to 1e-12, a limit of 1 to 300 iterations, guesses that are zero, right, near, huge or wild, contacts
 * there twice, a law of its own. The error is judged here (tests/judge.h) by other code, and what the
 * solver itself says is judged, not what dls_solve() makes of it. SHOW=1 prints how many converged. */
#include "tests/judge.h"

#include <stdio.h>

enum { SOLVERS = 32, PROBLEMS = 300 };

typedef struct {
  const char *name;
  Kind kind;
  int film; /* contact 0 has a law of its own */
} Class;

static const Class classes[] = {
    {"definite", {.matrix = DEFINITE, .mu_most = 5}, 0},
    {"frictionless", {.matrix = SINGULAR, .frictionless = 1}, 0},
    {"hyperstatic", {.matrix = SINGULAR, .mu_most = 5}, 0},
    {"unsymmetric", {.matrix = UNSYMMETRIC, .mu_most = 1}, 0},
    {"worst", {.matrix = WORST, .mu_most = 5}, 0},
    {"twins", {.matrix = SINGULAR, .mu_most = 1, .twins = 1}, 0},
    {"film", {.matrix = DEFINITE, .mu_most = 1}, 1},
};

/* One trial: the problem, and how it is asked for. */
typedef struct {
  const Class *class;
  int number;
  Planted planted;
  DlsProblem *problem;
  DlsLimits limits;
  double guess[MOST_ROWS];
  Long before, before_rounding; /* error of the guess */
} Trial;

static void draw_guess(DlsRandom *random, Trial *t) {
  const int kind = dls_random_below(random, 5), n = t->planted.rows;
  const double size = 1e-300 + test_size((size_t)n, t->planted.r);
  for (int k = 0; k < n; k++) {
    const double noise = size * dls_random_normal(random), r = t->planted.r[k];
    t->guess[k] = kind == 0   ? 0
                  : kind == 1 ? r
                  : kind == 2 ? r + 1e-4 * noise
                  : kind == 3 ? noise
                              : 1e12 * noise;
  }
}

static Long error_of(const Trial *t, const double *r, Long *rounding) {
  const Verdict verdict = judge(&t->planted, r);
  *rounding = verdict.rounding;
  return judge_error(&verdict, t->limits.measure, t->limits.tolerance);
}

static void draw_trial(DlsRandom *random, const Class *class, int number, Trial *t) {
  static const double masses[] = {1, 1, 1e-6, 1e6}, speeds[] = {1, 1, 1e-3, 1e3};
  static const double tolerances[] = {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12};
  static const long most[] = {1, 3, 30, 300};
  t->class = class;
  t->number = number;
  t->planted = draw_planted(random, &class->kind);
  if (class->film) plant_film(random, &t->planted);
  scale_planted(&t->planted, masses[dls_random_below(random, 4)],
                speeds[dls_random_below(random, 4)]);
  t->limits = (DlsLimits){.tolerance = tolerances[dls_random_below(random, 6)],
                          .max_iterations = most[dls_random_below(random, 4)],
                          .measure = number % 2 ? DLS_MEASURE_SCALED : DLS_MEASURE_NATURAL};
  draw_guess(random, t);
  t->before = error_of(t, t->guess, &t->before_rounding);
  t->problem = make_planted(&t->planted);
}

static void fail(const Trial *t, const DlsSolver *solver, const char *what, double is,
                 double should) {
  test_fail(__FILE__, __LINE__, "%s %d: %s %s: %.6e against %.6e", t->class->name, t->number,
            solver->name, what, is, should);
}

/* create + solve + destroy, without the certificate of dls_solve(). False: refused. */
static bool solve_bare(const DlsSolver *solver, const Trial *t, double *r, DlsReport *report) {
  static const DlsMonitor silent = {NULL, NULL};
  double options[512];
  void *self = NULL;
  *report = (DlsReport){.outcome = DLS_DIVERGED, .error = INFINITY};
  CHECK(solver->option_bytes <= sizeof options);
  dls_solver_defaults(solver, options);
  const DlsStatus status = solver->create(t->problem, options, &self);
  if (status == DLS_ERR_SOLVER && t->class->film && test_contains(dls_error_message(), "film"))
    return false;
  CHECK_OK(status);
  if (self) CHECK_OK(solver->solve(self, t->problem, &t->limits, &silent, r, report));
  solver->destroy(self);
  return self != NULL;
}

/* Returns whether it converged. */
static bool try_solver(const Trial *t, const DlsSolver *solver) {
  const DlsLimits *limits = &t->limits;
  double r[MOST_ROWS];
  DlsReport report;
  Long rounding;
  memcpy(r, t->guess, sizeof r);
  if (!solve_bare(solver, t, r, &report)) return false;
  const Long error = error_of(t, r, &rounding);
  const bool converged = report.outcome == DLS_CONVERGED;
  if (!isfinite(test_size((size_t)t->planted.rows, r))) fail(t, solver, "returns", NAN, 0);
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

static void check_class(const Class *class, uint64_t seed) {
  const DlsSolver *const *solvers = NULL;
  const int count = test_solvers(&solvers);
  int converged[SOLVERS] = {0};
  DlsRandom random;
  CHECK(count <= SOLVERS);
  dls_random_seed(&random, seed);
  for (int number = 0; number < PROBLEMS; number++) {
    Trial trial;
    draw_trial(&random, class, number, &trial);
    for (int k = 0; k < count && k < SOLVERS; k++) converged[k] += try_solver(&trial, solvers[k]);
    dls_problem_destroy(&trial.problem);
  }
  for (int k = 0; k < count && getenv("SHOW"); k++)
    printf("%-14s %-10s %4d of %4d\n", class->name, solvers[k]->name, converged[k], PROBLEMS);
}

TEST(no_solver_says_converged_where_it_is_not) {
  for (int k = 0; k < DLS_COUNT(classes); k++) check_class(&classes[k], 1000 + (uint64_t)k);
}

/* The judge finds what is planted right, and what is not wrong, as errors.c does. */
TEST(the_judge_agrees_with_the_errors) {
  DlsRandom random;
  dls_random_seed(&random, 7);
  for (int number = 0; number < 70 * DLS_COUNT(classes); number++) {
    Trial trial;
    DlsErrors errors;
    draw_trial(&random, &classes[number % DLS_COUNT(classes)], number, &trial);
    const Verdict right = judge(&trial.planted, trial.planted.r);
    CHECK_BELOW((double)right.natural, 1e-13 + (double)right.rounding);
    const Verdict guess = judge(&trial.planted, trial.guess);
    CHECK_OK(dls_errors_measure(trial.problem, trial.guess, NULL, &errors));
    CHECK_NEAR(errors.natural, (double)guess.natural,
               1e-9 * errors.natural + (double)guess.rounding);
    CHECK_NEAR(errors.scaled, (double)guess.scaled, 1e-9 * errors.scaled + (double)guess.rounding);
    dls_problem_destroy(&trial.problem);
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
