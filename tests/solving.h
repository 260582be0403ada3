/* Solving in tests: every solver there is, on problems made here, with the error measured by the
 * test. */
#ifndef DELASSUS_TESTS_SOLVING_H
#define DELASSUS_TESTS_SOLVING_H

#include "tests/test.h"

#include <delassus/errors.h>
#include <delassus/sample.h>
#include <delassus/solver.h>
#include <stdlib.h>
#include <string.h>

#include "sample/dense.h"

typedef struct {
  double *r, *u;
  size_t n;
  DlsReport report;
  DlsErrors errors; /* from scratch */
} TestRun;

/* The solvers there are that take every cone: not interior, which has tests of its own. The array
 * stays valid until the list is asked for again. */
static inline int test_solvers(const DlsSolver *const **solvers) {
  enum { MOST = 64 };
  static const DlsSolver *taken[MOST];
  const DlsSolver *const *all = NULL;
  int count = 0, kept = 0;
  CHECK_OK(dls_solver_list(&all, &count));
  CHECK(count >= 2 && count <= MOST);
  for (int k = 0; k < count && k < MOST; k++)
    if (strcmp(all[k]->name, "interior") != 0) taken[kept++] = all[k];
  *solvers = taken;
  return kept;
}

/* Solvers for problems of any size: all of these but enumerate, which refuses more than a handful
 * of contacts and has tests of its own. */
static inline bool test_is_general(const DlsSolver *solver) {
  return strcmp(solver->name, "enumerate") != 0;
}

#define FOR_EACH_SOLVER(solver)                                                                    \
  const DlsSolver *const *solver##_list = NULL;                                                    \
  const int solver##_count = test_solvers(&solver##_list);                                         \
  for (int solver##_k = 0; solver##_k < solver##_count; solver##_k++)                              \
    for (const DlsSolver *solver = solver##_list[solver##_k]; solver && test_is_general(solver);   \
         solver = NULL)

/* From the guess (NULL: zero), with one option set unless name is NULL. */
static inline TestRun test_solve_from(const DlsSolver *solver, const DlsProblem *problem,
                                      double tolerance, const double *guess, const char *name,
                                      const char *value) {
  TestRun run = {.n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem)};
  const DlsLimits limits = {
      .tolerance = tolerance, .max_time = 60, .clock = DLS_CLOCK_CPU, .max_iterations = 1000000};
  void *options = calloc(1, solver->option_bytes + 1);
  run.r = calloc(run.n + 1, sizeof *run.r);
  run.u = calloc(run.n + 1, sizeof *run.u);
  if (guess) memcpy(run.r, guess, run.n * sizeof *guess);
  dls_solver_defaults(solver, options);
  if (name) CHECK_OK(dls_solver_set_option(solver, options, name, value));
  if (dls_solve(solver, problem, options, &limits, NULL, run.r, run.u, &run.report) != DLS_OK)
    test_fail(__FILE__, __LINE__, "%s: %s", solver->name, dls_error_message());
  CHECK_OK(dls_errors_measure(problem, run.r, NULL, &run.errors));
  free(options);
  return run;
}

static inline TestRun test_solve(const DlsSolver *solver, const DlsProblem *problem,
                                 double tolerance) {
  return test_solve_from(solver, problem, tolerance, NULL, NULL, NULL);
}

static inline void test_end(TestRun *run) {
  free(run->r);
  free(run->u);
}

/* max |x - y|, y NULL for 0; infinite where a number is not finite, which fmax would pass over. */
static inline double test_apart(size_t n, const double *x, const double *y) {
  double worst = 0;
  for (size_t k = 0; k < n; k++) {
    const double d = fabs(x[k] - (y ? y[k] : 0.0));
    worst = fmax(worst, isfinite(d) ? d : INFINITY);
  }
  return worst;
}

static inline double test_size(size_t n, const double *x) { return test_apart(n, x, NULL); }

/* An assembled problem of `contacts` blocks from a dense W. */
static inline DlsProblem *test_dense_problem(int dim, int contacts, int block, const double *W,
                                             const double *q, const DlsRelation *relations) {
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_dense(dim, contacts, block, W, q, relations, NULL, &problem));
  return problem;
}

/* A sample of this size, all else as it comes; r, unless NULL, receives its reactions. */
static inline DlsProblem *test_sample_solved(const char *name, int size, double **r) {
  const DlsSample *found = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_find(name, &found));
  DlsSampleParams params = found->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(name, &params, &problem, r));
  return problem;
}

static inline DlsProblem *test_sample(const char *name, int size) {
  return test_sample_solved(name, size, NULL);
}

#endif
