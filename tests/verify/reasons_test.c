/* Why a solve ended and what it did are fields of its report: the reason fits the outcome for every
 * solver, whatever ended it, and the work counts what the solver does. */
#include "tests/solving.h"

static int stop_at_once(void *context, long iteration, double time_s, double error) {
  (void)context, (void)time_s, (void)error;
  return iteration > 0;
}

/* What the solver itself says, before dls_solve() judges it. */
static DlsReport solve_bare(const DlsSolver *solver, const DlsProblem *problem,
                            const DlsLimits *limits, const DlsMonitor *monitor, double *r) {
  static const DlsMonitor silent = {NULL, NULL};
  DlsReport report = {.outcome = DLS_DIVERGED, .error = INFINITY};
  double options[512];
  void *self = NULL;
  CHECK(solver->option_bytes <= sizeof options);
  dls_solver_defaults(solver, options);
  CHECK_OK(solver->create(problem, options, &self));
  if (self) CHECK_OK(solver->solve(self, problem, limits, monitor ? monitor : &silent, r, &report));
  solver->destroy(self);
  return report;
}

static long work_of(const DlsWork *work) {
  return work->sweeps + work->partial_sweeps + work->products + work->factorisations +
         work->newton_steps + work->cases;
}

static void check(const DlsSolver *solver, const char *what, const DlsReport *report,
                  DlsReason reason) {
  if (report->reason != reason || report->outcome != dls_reason_outcome(reason))
    test_fail(__FILE__, __LINE__, "%s, %s: %s by %s, not by %s", solver->name, what,
              dls_outcome_text(report->outcome), dls_reason_text(report->reason),
              dls_reason_text(reason));
}

TEST(every_solver_says_why_it_ended) {
  DlsProblem *problem = test_sample("box", 30);
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n + 1, sizeof *r);
  FOR_EACH_SOLVER (solver) {
    DlsLimits limits = {.tolerance = 1e-4, .max_iterations = 100000};
    const DlsMonitor monitor = {stop_at_once, NULL};
    memset(r, 0, n * sizeof *r);
    DlsReport report = solve_bare(solver, problem, &limits, NULL, r);
    check(solver, "solved", &report, DLS_REASON_WITHIN_TOLERANCE);
    CHECK(report.iterations > 0 && work_of(&report.work) > 0);
    report = solve_bare(solver, problem, &limits, NULL, r);
    check(solver, "solved before", &report, DLS_REASON_GOOD_GUESS);
    CHECK_INT(report.iterations, 0);
    memset(r, 0, n * sizeof *r);
    limits = (DlsLimits){.tolerance = 1e-14, .max_iterations = 1};
    report = solve_bare(solver, problem, &limits, NULL, r);
    check(solver, "one iteration", &report, DLS_REASON_ITERATION_LIMIT);
    memset(r, 0, n * sizeof *r);
    limits.max_iterations = 1000;
    report = solve_bare(solver, problem, &limits, &monitor, r);
    check(solver, "told to stop", &report, DLS_REASON_MONITOR);
  }
  free(r);
  dls_problem_destroy(&problem);
}

/* Sweeps of nsgs are its iterations; projections take products, ADMM factors, Newton's method
 * both of its own. */
TEST(the_work_is_what_the_solver_does) {
  static const struct {
    const char *solver;
    size_t field;
  } does[] = {
      {"nsgs", offsetof(DlsWork, sweeps)},      {"momentum", offsetof(DlsWork, sweeps)},
      {"jacobi", offsetof(DlsWork, products)},  {"uzawa", offsetof(DlsWork, products)},
      {"apgd", offsetof(DlsWork, products)},    {"bb", offsetof(DlsWork, products)},
      {"cpg", offsetof(DlsWork, products)},     {"aclm", offsetof(DlsWork, products)},
      {"tresca", offsetof(DlsWork, products)},  {"admm", offsetof(DlsWork, factorisations)},
      {"alm", offsetof(DlsWork, newton_steps)}, {"proximal", offsetof(DlsWork, newton_steps)},
      {"auto", offsetof(DlsWork, sweeps)},
  };
  DlsProblem *problem = test_sample("box", 30);
  for (int k = 0; k < DLS_COUNT(does); k++) {
    const DlsSolver *solver = NULL;
    CHECK_OK(dls_solver_find(does[k].solver, &solver));
    TestRun run = test_solve(solver, problem, 1e-4);
    const long count =
        *(const long *)(const void *)((const char *)&run.report.work + does[k].field);
    if (count < 1)
      test_fail(__FILE__, __LINE__, "%s: its own kind of work is not counted", solver->name);
    if (strcmp(solver->name, "nsgs") == 0) CHECK_INT(run.report.work.sweeps, run.report.iterations);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

/* u_N = -1 whatever r. */
TEST(what_dls_solve_finds_is_its_reason) {
  const double W[4] = {0, 0, 0, 1}, q[2] = {-1, 0.5};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = test_dense_problem(2, 1, 2, W, q, &relation);
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 50};
  FOR_EACH_SOLVER (solver) {
    double r[2] = {0};
    DlsReport report;
    CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
    check(solver, "no solution", &report, DLS_REASON_NO_SOLUTION);
  }
  dls_problem_destroy(&problem);
}

/* One state serves many solves, as delassus/solver.h says. */
TEST(every_solver_may_be_asked_again) {
  static const DlsMonitor silent = {NULL, NULL};
  DlsProblem *problem = test_sample("box", 30);
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const DlsLimits limits = {.tolerance = 1e-4, .max_iterations = 100000};
  double *r = calloc(n + 1, sizeof *r), options[512];
  FOR_EACH_SOLVER (solver) {
    void *self = NULL;
    dls_solver_defaults(solver, options);
    CHECK_OK(solver->create(problem, options, &self));
    for (int k = 0; k < 3 && self; k++) {
      DlsReport report = {.error = INFINITY};
      memset(r, 0, n * sizeof *r);
      CHECK_OK(solver->solve(self, problem, &limits, &silent, r, &report));
      check(solver, "asked again", &report, DLS_REASON_WITHIN_TOLERANCE);
    }
    solver->destroy(self);
  }
  free(r);
  dls_problem_destroy(&problem);
}
