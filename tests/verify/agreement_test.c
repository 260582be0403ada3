/* Where the solvers must agree, and where they need not.
 *
 *   W definite, friction small   the solution is unique: reactions agree
 *   W singular, no friction      a convex quadratic programme: velocities are unique, reactions not
 *   W singular, friction         velocities of these samples agree; reactions are each a true
 *                                solution by the error measured from scratch
 *   large friction               several solutions may exist, with different velocities: each one
 *                                found is a true one */
#include "tests/solving.h"

#include "base/random.h"

#include <stdio.h>

/* W = B B^T + shift I, dense, contacts of 3. */
static DlsProblem *random_problem(int contacts, int rank, double shift, double skew, DlsCone cone,
                                  double mu, uint64_t seed) {
  const int rows = 3 * contacts;
  DlsRandom random;
  dls_random_seed(&random, seed);
  double *B = calloc((size_t)(rows * rank), sizeof *B),
         *W = calloc((size_t)(rows * rows), sizeof *W);
  double *q = calloc((size_t)rows, sizeof *q), *v = calloc((size_t)rank, sizeof *v);
  DlsRelation *relations = calloc((size_t)contacts, sizeof *relations);
  for (int k = 0; k < rows * rank; k++) B[k] = dls_random_normal(&random) / sqrt(rank);
  for (int k = 0; k < rank; k++) v[k] = dls_random_normal(&random);
  for (int i = 0; i < rows; i++) {
    for (int j = 0; j < rows; j++) {
      W[i * rows + j] = (i == j) * shift + (i < j ? skew : i > j ? -skew : 0);
      for (int k = 0; k < rank; k++) W[i * rows + j] += B[i * rank + k] * B[j * rank + k];
    }
    for (int k = 0; k < rank; k++) q[i] += B[i * rank + k] * v[k]; /* in the range: solvable */
  }
  for (int i = 0; i < contacts; i++) relations[i] = (DlsRelation){.cone = cone, .mu = {mu, mu}};
  DlsProblem *problem = test_dense_problem(3, contacts, 3, W, q, relations);
  free(B);
  free(W);
  free(q);
  free(v);
  free(relations);
  return problem;
}

typedef enum { REACTIONS, VELOCITIES, NOTHING } Unique;

static void check_agreement(const char *what, const DlsProblem *problem, Unique unique) {
  TestRun first = {0};
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-10);
    if (run.report.outcome != DLS_CONVERGED)
      test_fail(__FILE__, __LINE__, "%s: %s %s at %.2e after %ld", what, solver->name,
                dls_outcome_text(run.report.outcome), run.report.error, run.report.iterations);
    CHECK_BELOW(run.errors.natural, 1e-10);
    if (!first.r) {
      first = run;
      continue;
    }
    if (unique == REACTIONS)
      CHECK_BELOW(test_apart(run.n, run.r, first.r), 1e-7 * (1 + test_size(run.n, first.r)));
    if (unique != NOTHING)
      CHECK_BELOW(test_apart(run.n, run.u, first.u), 1e-7 * (1 + test_size(run.n, first.u)));
    test_end(&run);
  }
  test_end(&first);
}

TEST(reactions_agree_where_the_solution_is_unique) {
  for (uint64_t seed = 1; seed <= 8; seed++) {
    DlsProblem *problem = random_problem(6, 18, 1.0, 0, DLS_CONE_COULOMB, 0.2, seed);
    check_agreement("definite", problem, REACTIONS);
    dls_problem_destroy(&problem);
    problem = random_problem(6, 18, 1.0, 0.05, DLS_CONE_COULOMB, 0.2, seed + 100);
    check_agreement("definite, unsymmetric", problem, REACTIONS);
    dls_problem_destroy(&problem);
  }
}

TEST(velocities_agree_without_friction) {
  for (uint64_t seed = 1; seed <= 5; seed++) {
    DlsProblem *problem = random_problem(8, 7, 0, 0, DLS_CONE_SIGNORINI, 0, seed);
    check_agreement("frictionless, singular", problem, VELOCITIES);
    dls_problem_destroy(&problem);
  }
}

/* Four legs on a floor: three unknown combinations too many, and still one motion. */
TEST(velocities_agree_on_hyperstatic_samples) {
  const char *const names[] = {"table", "wall", "column", "pile"};
  for (int k = 0; k < DLS_COUNT(names); k++) {
    const DlsSample *sample = NULL;
    DlsProblem *problem = NULL;
    CHECK_OK(dls_sample_find(names[k], &sample));
    DlsSampleParams params = sample->defaults;
    if (params.size > 4) params.size = 4;
    CHECK_OK(dls_sample_create(names[k], &params, &problem, NULL));
    check_agreement(names[k], problem, VELOCITIES);
    dls_problem_destroy(&problem);
  }
}

/* One contact, W = (1 w; w 1) with w = 0.8 and mu = 2 > 1/w, q = (0.28, 0.8): open with u = q, and
 * stick with r = (1, -1.6), both obey Coulomb's law (so does a slip between them). */
TEST(several_solutions_are_each_true) {
  const double W[4] = {1, 0.8, 0.8, 1}, q[2] = {0.28, 0.8}, stick[2] = {1, -1.6}, open[2] = {0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {2, 2}};
  DlsProblem *problem = test_dense_problem(2, 1, 2, W, q, &relation);
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, stick, NULL, &errors));
  CHECK_BELOW(errors.natural, 1e-15);
  CHECK_OK(dls_errors_measure(problem, open, NULL, &errors));
  CHECK_BELOW(errors.natural, 1e-15);
  FOR_EACH_SOLVER (solver) {
    for (int start = 0; start < 5; start++) {
      const double t = start / 4.0, guess[2] = {t * stick[0], t * stick[1]};
      TestRun run = test_solve_from(solver, problem, 1e-12, guess, NULL, NULL);
      CHECK_INT(run.report.outcome, DLS_CONVERGED);
      CHECK_BELOW(run.errors.natural, 1e-12);
      test_end(&run);
    }
  }
  dls_problem_destroy(&problem);
}

/* Large friction on random hyperstatic problems: whatever is found is a solution. */
TEST(whatever_converges_is_a_solution) {
  int runs = 0, converged = 0;
  for (uint64_t seed = 1; seed <= 10; seed++) {
    DlsProblem *problem = random_problem(5, 6, 0, 0, DLS_CONE_COULOMB, 1.5, seed);
    FOR_EACH_SOLVER (solver) {
      TestRun run = test_solve(solver, problem, 1e-8);
      runs++;
      converged += run.report.outcome == DLS_CONVERGED;
      if (run.report.outcome == DLS_CONVERGED) CHECK_BELOW(run.errors.natural, 1e-8);
      CHECK_NEAR(run.errors.natural, run.report.error, 1e-12 + 1e-9 * run.report.error);
      test_end(&run);
    }
    dls_problem_destroy(&problem);
  }
  CHECK(2 * converged > runs); /* else nothing was seen */
}
