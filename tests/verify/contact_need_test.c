/* Guesses that are wrong at a few spots: those are solved by themselves. */
#include "tests/solving.h"

#include <stdio.h>

static const DlsSolver *find(const char *name) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find(name, &solver));
  return solver;
}

static DlsProblem *box(int size) {
  const DlsSample *found = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_find("box", &found));
  DlsSampleParams params = found->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create("box", &params, &problem, NULL));
  return problem;
}

/* The answer with every four hundredth reaction made half as large. */
static double *guess(const DlsProblem *problem, double tolerance) {
  TestRun exact = test_solve(find("auto"), problem, tolerance);
  CHECK(exact.report.outcome == DLS_CONVERGED);
  double *r = malloc(exact.n * sizeof *r);
  for (size_t e = 0; e < exact.n; e++) r[e] = (e / 3) % 400 == 50 ? 0.5 * exact.r[e] : exact.r[e];
  test_end(&exact);
  return r;
}

/* Iterations count contacts solved, in sweeps: a few spots cost less than sweeps over all. */
TEST(spots_cost_less_than_sweeps) {
  DlsProblem *problem = box(600);
  double *r = guess(problem, 1e-5);
  TestRun some = test_solve_from(find("momentum"), problem, 1e-3, r, NULL, NULL);
  TestRun all = test_solve_from(find("momentum"), problem, 1e-3, r, "spots", "0");
  if (getenv("SHOW"))
    printf("%d contacts: %ld sweeps' worth (%s), %ld sweeps\n", dls_problem_contacts(problem),
           some.report.iterations, some.report.note, all.report.iterations);
  CHECK(some.report.outcome == DLS_CONVERGED && all.report.outcome == DLS_CONVERGED);
  CHECK_BELOW(some.errors.natural, 1e-3);
  CHECK(some.report.work.partial_sweeps > 0 && all.report.work.partial_sweeps == 0);
  CHECK(some.report.iterations < all.report.iterations);
  test_end(&some);
  test_end(&all);
  free(r);
  dls_problem_destroy(&problem);
}

/* The error is measured before it is believed: no solve ends above its tolerance, from any
 * guess. */
TEST(what_is_not_measured_is_not_claimed) {
  DlsProblem *problem = box(200);
  double *r = guess(problem, 1e-6);
  for (int k = 2; k < 11; k++) {
    const double tolerance = pow(10, -0.5 * k);
    TestRun run = test_solve_from(find("momentum"), problem, tolerance, r, "spots", "1");
    CHECK(run.report.outcome == DLS_CONVERGED);
    CHECK_BELOW(run.errors.natural, tolerance);
    test_end(&run);
  }
  free(r);
  dls_problem_destroy(&problem);
}
