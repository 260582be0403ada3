/* enumerate: all solutions of problems that have several, the sentence where there are too many
 * contacts, and honest outcomes where no case holds. */
#include "tests/solving.h"

static const DlsSolver *find(void) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("enumerate", &solver));
  return solver;
}

/* W = (1 w; w 1), w = 0.8, mu = 2 > 1/w, q = (0.28, 0.8): open, stick with r = (1, -1.6), and a
 * slip between the two, all obey Coulomb's law. */
TEST(three_solutions_are_counted) {
  const double W[4] = {1, 0.8, 0.8, 1}, q[2] = {0.28, 0.8};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {2, 2}};
  DlsProblem *problem = test_dense_problem(2, 1, 2, W, q, &relation);
  TestRun run = test_solve_from(find(), problem, 1e-12, NULL, "all", "yes");
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  CHECK_INT(run.report.work.solutions, 3);
  CHECK_BELOW(run.errors.natural, 1e-14);
  test_end(&run);
  dls_problem_destroy(&problem);
}

/* A slip in 3-D has its direction to be found: isotropic W = I gives r_T against q_T. */
TEST(the_direction_of_slip_is_found) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 3, 4};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = test_dense_problem(3, 1, 3, W, q, &relation);
  TestRun run = test_solve_from(find(), problem, 1e-12, NULL, "sweeps", "0");
  CHECK_NEAR(run.r[0], 1, 1e-14);
  CHECK_NEAR(run.r[1], -0.3, 1e-14);
  CHECK_NEAR(run.r[2], -0.4, 1e-14);
  test_end(&run);
  dls_problem_destroy(&problem);
}

/* Islands count one by one: the wall of the sample is one island, and too large. */
TEST(too_many_contacts_are_refused) {
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_create("wall", NULL, &problem, NULL));
  double *r = calloc((size_t)dls_problem_contacts(problem) * 3, sizeof *r);
  const DlsLimits limits = {.tolerance = 1e-8};
  DlsReport report;
  CHECK_FAILS(dls_solve(find(), problem, NULL, &limits, NULL, r, NULL, &report), DLS_ERR_SOLVER,
              "enumerate takes islands of 6 contacts");
  free(r);
  dls_problem_destroy(&problem);
}

/* u_N = -1 whatever r: no reaction can help, and no case holds. */
TEST(no_solution_is_said_to_be_none) {
  const double W[4] = {0, 0, 0, 1}, q[2] = {-1, 0.5};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = test_dense_problem(2, 1, 2, W, q, &relation);
  TestRun run = test_solve(find(), problem, 1e-8);
  CHECK_INT(run.report.outcome, DLS_NO_SOLUTION);
  CHECK(test_contains(run.report.note, "contact 0 closes at 1 m/s, and no reaction moves it"));
  CHECK(run.report.work.cases > 0 && run.report.work.solutions == 0);
  test_end(&run);
  dls_problem_destroy(&problem);
}
