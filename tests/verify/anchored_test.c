/* Sweeps in proximal steps (`momentum` with `anchor`): a step solves the problem with
 * û + alpha W_NN (r - r_0), and where the steps come to rest the problem itself is solved, in every
 * form of W and with every law that has a sample. */
#include "tests/solving.h"

#include <delassus/fclib.h>
#include <stdio.h>

/* Solves from r, sweeps at most; with an anchor of alpha for `hold` sweeps, none where alpha is
 * "0". */
static void sweep(const DlsProblem *problem, const char *alpha, const char *hold, const char *form,
                  long most, double *r, DlsReport *report) {
  const DlsSolver *solver = NULL;
  double chosen[32];
  CHECK_OK(dls_solver_find("momentum", &solver));
  CHECK(solver->option_bytes <= sizeof chosen);
  dls_solver_defaults(solver, chosen);
  CHECK_OK(dls_solver_set_option(solver, chosen, "anchor", alpha));
  CHECK_OK(dls_solver_set_option(solver, chosen, "hold", hold));
  CHECK_OK(dls_solver_set_option(solver, chosen, "form", form));
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = most};
  CHECK_OK(dls_solve(solver, problem, chosen, &limits, NULL, r, NULL, report));
}

static double *zeros(const DlsProblem *problem) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  return calloc(n, sizeof(double));
}

static void check_rest(const char *name, int size, const char *form) {
  DlsProblem *problem = test_sample(name, size);
  double *r = zeros(problem);
  DlsReport report = {0};
  sweep(problem, "1e-2", "20", form, 20000, r, &report);
  CHECK(report.outcome == DLS_CONVERGED);
  CHECK(report.iterations > 20); /* more than one step */
  free(r);
  dls_problem_destroy(&problem);
}

TEST(proximal_steps_of_sweeps_come_to_rest_at_an_answer) {
  check_rest("box", 100, "auto");
  check_rest("box", 100, "assembled");
  check_rest("disks", 20, "auto");
  check_rest("disks", 20, "assembled");
  check_rest("torsion", 10, "auto");
}

/* Far from the anchor the problem is another: one step alone, of any length, does not arrive. */
TEST(one_proximal_step_alone_stays_away) {
  DlsProblem *problem = test_sample("box", 100);
  double *r = zeros(problem);
  DlsReport report = {0};
  sweep(problem, "1e-2", "1000000", "auto", 2000, r, &report);
  CHECK(report.outcome == DLS_ITERATION_LIMIT);
  CHECK(report.error > 1e-5);
  free(r);
  dls_problem_destroy(&problem);
}

TEST(proximal_steps_arrive_where_sweeps_go_round) {
  const char *shared = test_shared();
  if (!shared) test_skip("the public problems are absent; set DELASSUS_SHARED to their folder");
  char path[4200];
  snprintf(path, sizeof path, "%s/fclib/local/fc2d_granularflowonwall_07002_00801.hdf5", shared);
  DlsProblem *problem = NULL;
  CHECK_OK(dls_fclib_read(path, &problem, NULL));
  if (!problem) return;
  double *r = zeros(problem), *plain = zeros(problem);
  DlsReport report = {0};
  sweep(problem, "0", "100", "auto", 3000, plain, &report);
  CHECK(report.outcome != DLS_CONVERGED);
  sweep(problem, "3e-3", "100", "auto", 3000, r, &report);
  CHECK(report.outcome == DLS_CONVERGED);
  free(plain);
  free(r);
  dls_problem_destroy(&problem);
}
