/* Units do not matter: masses times 2^±20 (1e±6), lengths times 2^±10 (1e±3) leave the number of
 * iterations to a `scaled` error as it is, for every solver there is, in 2-D, 3-D and with rolling.
 * Powers of two are multiplied without rounding, so that the numbers are the same; other factors
 * perturb a problem by round-off, to which the way of some methods (cpg, bb, tresca) is sensitive
 * as it is to any. core/solver_bench/units.h has the factors. */
#include "solver_bench/units.h"
#include "tests/solving.h"

#include <stdio.h>

enum { MOST = 100000 };

/* The problem in other units, assembled. */
static DlsProblem *in_units(const DlsProblem *problem, double mass, double length) {
  DlsProblem *out = NULL;
  CHECK_OK(bench_in_units(problem, (BenchUnits){mass, length, 1}, &out));
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
