/* Where a solver converges: problems with a planted solution, and those whose answer is known in
 * closed form. Not to converge is no fault; to end elsewhere than at the one solution is. */
#include "solver_bench/solver_bench_impl.h"

#include <delassus/analytic.h>

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
  const char *name;
  BenchKind kind;
  bool unique; /* the planted solution is the only one */
} Class;

static const BenchShape plane = {2, 2, DLS_CONE_COULOMB}, torsion = {3, 6, DLS_CONE_ROLLING};

static const Class classes[] = {
    {"definite without friction", {.matrix = BENCH_DEFINITE, .frictionless = 1}, true},
    {"any rank without friction", {.matrix = BENCH_SINGULAR, .frictionless = 1}, false},
    {"definite, mu to 0.3", {.matrix = BENCH_DEFINITE, .mu_most = 0.3}, true},
    {"unsymmetric without friction", {.matrix = BENCH_UNSYMMETRIC, .frictionless = 1}, true},
    {"unsymmetric, mu to 0.3", {.matrix = BENCH_UNSYMMETRIC, .mu_most = 0.3}, true},
    {"definite in 2-D, mu to 5", {.matrix = BENCH_DEFINITE, .mu_most = 5, .only = &plane}, false},
    {"definite, mu to 5", {.matrix = BENCH_DEFINITE, .mu_most = 5}, false},
    {"any rank, mu to 1", {.matrix = BENCH_SINGULAR, .mu_most = 1}, false},
    {"any rank, mu to 5", {.matrix = BENCH_SINGULAR, .mu_most = 5}, false},
    {"rolling and torsion", {.matrix = BENCH_DEFINITE, .mu_most = 1, .only = &torsion}, false},
};

static void check_planted(BenchCase *c) {
  const Class *class = &classes[c->bench.number % DLS_COUNT(classes)];
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 20000, .max_time = 2};
  BenchPlanted p = bench_draw_planted(&c->bench.random, &class->kind);
  DlsProblem *problem = NULL;
  double r[BENCH_ROWS] = {0}, apart = 0, size = 0;
  DlsReport report;
  if (bench_make_planted(&p, &problem) != DLS_OK) {
    bench_broken(c, "the problem was not made: %s", dls_error_message());
    return;
  }
  if (bench_solve_certified(c, problem, &limits, r, &report) &&
      bench_finite(c, class->name, p.rows, r)) {
    const bool converged = report.outcome == DLS_CONVERGED;
    for (int k = 0; k < p.rows; k++) {
      apart = fmax(apart, fabs(r[k] - p.r[k]));
      size = fmax(size, fabs(p.r[k]));
    }
    bench_say_vector(c, "planted", p.r, p.rows);
    bench_count(c, class->name, converged);
    /* Condition below 10, mu below 0.3: the error bounds the distance to a hundred times. */
    if (converged && class->unique)
      bench_compare(c, apart, 100 * limits.tolerance * (1 + size),
                    "%s: %.3g from the one solution, at a tolerance of %.0e", class->name, apart,
                    limits.tolerance);
  }
  dls_problem_destroy(&problem);
}

const BenchCheck bench_planted = {
    .name = "planted",
    .question = "Which problems with a planted solution are solved to 1e-8?",
    .cases = 500,
    .run = check_planted,
    .reports = true,
};

static long count_analytic(const DlsSolver *solver) {
  (void)solver;
  return dls_analytic_count();
}

static void check_analytic(BenchCase *c) {
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 100000, .max_time = 1};
  const double right = 1e-4;
  DlsAnalytic analytic = {0};
  DlsAnalyticError error;
  DlsReport report;
  if (c->bench.number >= dls_analytic_count()) return;
  if (dls_analytic_create((int)c->bench.number, &analytic) != DLS_OK) {
    bench_broken(c, "the problem was not made: %s", dls_error_message());
    return;
  }
  const size_t n =
      (size_t)dls_problem_contacts(analytic.problem) * (size_t)dls_problem_block(analytic.problem);
  double *r = dls_memory_array(n + 1, sizeof *r);
  bench_say(c, "%s: %s, %s\n", analytic.name, analytic.title, analytic.setting);
  if (r && bench_solve_certified(c, analytic.problem, &limits, r, &report) &&
      dls_analytic_judge(&analytic, r, &error) == DLS_OK) {
    bench_say(c, "velocity %.3g and impulse %.3g from the answer\n", error.velocity, error.impulse);
    bench_count(c, "converged", report.outcome == DLS_CONVERGED);
    bench_count(c, "right to 1e-4", error.worst <= right);
  }
  free(r);
  dls_analytic_clear(&analytic);
}

const BenchCheck bench_analytic = {
    .name = "analytic",
    .question = "Which problems of docs/scoreboard.md, with an answer in closed form, are solved?",
    .count = count_analytic,
    .run = check_analytic,
    .reports = true,
};
