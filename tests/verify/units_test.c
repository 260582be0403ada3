/* Units do not matter: masses times 2^±20 (1e±6), lengths times 2^±10 (1e±3) leave the number of iterations to
 * a `scaled` error as it is, for every solver there is, in 2-D, 3-D and with rolling. Powers of two are
 * multiplied without rounding, so that the numbers are the same; other factors perturb a problem by
 * round-off, to which the way of some methods (cpg, bb, tresca) is sensitive as it is to any.
 *
 * With masses m and lengths l in other units velocities are l, spins 1, impulses m l and torques m l² times
 * what they were, so that a row of W takes the factor of its velocity and a column that of its reaction
 * undone; lengths of a rolling cone take l. */
#include "tests/solving.h"

#include <stdio.h>

enum { MOST = 100000 };

/* The problem in other units, assembled. */
static DlsProblem *in_units(const DlsProblem *problem, double mass, double length) {
  DlsOperator *W = NULL, *copy = NULL;
  DlsProblem *out = NULL;
  CHECK_OK(dls_operator_assemble(dls_problem_operator(problem), &W));
  const DlsBlockRows rows = dls_operator_block_rows(W);
  const int block = rows.block, dim = dls_problem_dim(problem);
  const size_t square = (size_t)(block * block);
  const size_t numbers = (size_t)rows.start[rows.contacts] * square;
  const size_t n = (size_t)rows.contacts * (size_t)block;
  double *value = calloc(numbers + 1, sizeof *value), *q = calloc(n + 1, sizeof *q);
  for (size_t k = 0; k < numbers; k++) {
    const int row = (int)(k % square) / block, column = (int)(k % square) % block;
    const double velocity = row < dim ? length : 1;
    const double reaction = mass * length * (column < dim ? 1 : length);
    value[k] = rows.value[k] * velocity / reaction;
  }
  for (size_t k = 0; k < n; k++)
    q[k] = dls_problem_q(problem)[k] * ((int)(k % (size_t)block) < dim ? length : 1);
  CHECK_OK(
      dls_operator_create_assembled(rows.contacts, block, rows.start, rows.column, value, &copy));
  DlsRelation *relations = calloc((size_t)rows.contacts + 1, sizeof *relations);
  for (int i = 0; i < rows.contacts; i++) {
    relations[i] = *dls_problem_relation(problem, i);
    relations[i].mu[DLS_MU_ROLL] *= length;
    relations[i].mu[DLS_MU_TORSION] *= length;
  }
  CHECK_OK(dls_problem_create(dim, &copy, q, relations, NULL, &out));
  dls_operator_destroy(&W);
  free(value);
  free(relations);
  free(q);
  return out;
}

typedef struct {
  long iterations;
  bool converged;
} Effort;

static Effort solve(const DlsSolver *solver, const DlsProblem *problem, double tolerance) {
  const DlsLimits limits = {
      .tolerance = tolerance, .max_iterations = MOST, .measure = DLS_MEASURE_SCALED};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n + 1, sizeof *r);
  DlsReport report;
  if (dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report) != DLS_OK)
    test_fail(__FILE__, __LINE__, "%s: %s", solver->name, dls_error_message());
  free(r);
  return (Effort){report.iterations, report.outcome == DLS_CONVERGED};
}

static void check(const DlsSolver *solver, const char *name, const DlsProblem *problem,
                  double tolerance) {
  static const double units[][2] = {{0x1p20, 1}, {0x1p-20, 1}, {1, 0x1p10}, {1, 0x1p-10}};
  DlsProblem *same = in_units(problem, 1, 1);
  const Effort expected = solve(solver, same, tolerance);
  dls_problem_destroy(&same);
  for (int k = 0; k < DLS_COUNT(units); k++) {
    DlsProblem *other = in_units(problem, units[k][0], units[k][1]);
    const Effort found = solve(solver, other, tolerance);
    dls_problem_destroy(&other);
    if (found.converged != expected.converged || found.iterations != expected.iterations)
      test_fail(__FILE__, __LINE__, "%s on %s: %ld iterations%s, %ld%s with masses %g, lengths %g",
                solver->name, name, expected.iterations, expected.converged ? "" : " (in vain)",
                found.iterations, found.converged ? "" : " (in vain)", units[k][0], units[k][1]);
  }
}

TEST(units_do_not_change_the_iterations) {
  static const struct {
    const char *name;
    int size;
  } samples[] = {{"box", 60},     {"disks", 60}, {"rolling", 20}, {"rolling-disks", 20},
                 {"torsion", 10}, {"wall", 2},   {"column", 6}};
  for (int p = 0; p < DLS_COUNT(samples); p++) {
    DlsProblem *problem = test_sample(samples[p].name, samples[p].size);
    FOR_EACH_SOLVER (solver) check(solver, samples[p].name, problem, 1e-4);
    dls_problem_destroy(&problem);
  }
}

TEST(units_do_not_change_the_cases_that_are_tried) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("enumerate", &solver));
  DlsProblem *column = test_sample("column", 4), *table = test_sample("table", 3);
  check(solver, "column", column, 1e-10);
  check(solver, "table", table, 1e-10);
  dls_problem_destroy(&column);
  dls_problem_destroy(&table);
}
