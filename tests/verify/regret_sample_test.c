/* What `auto` costs from zero beside the best of our solvers with hindsight, on one problem of each
 * family of tests/bench/families.c. Work is counted (dls_work_units), no clock is asked. */
#include "tests/solving.h"

#include <delassus/sample.h>

static const char *const names[] = {"momentum", "nsgs", "apgd", "bb", "admm", "cpg", "proximal"};

static const DlsSolver *find(const char *name) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find(name, &solver));
  return solver;
}

/* Products with W until it is solved; INFINITY where it is not within `most`. */
static double work_of(const char *name, const DlsProblem *problem, double tolerance, double most) {
  const DlsLimits limits = {.tolerance = tolerance, .max_work = most};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n + 1, sizeof *r);
  DlsWorkPrice price;
  DlsReport report;
  CHECK_OK(dls_work_price(problem, &price));
  CHECK_OK(dls_solve(find(name), problem, NULL, &limits, NULL, r, NULL, &report));
  free(r);
  return report.outcome == DLS_CONVERGED ? dls_work_units(&price, &report.work) : INFINITY;
}

/* Sizes at which one solve takes milliseconds. */
static const struct {
  const char *sample;
  int size;
} families[] = {
    {"wall", 3},   {"column", 60}, {"pile", 3},           {"table", 20},
    {"box", 25},   {"disks", 60},  {"rolling", 12},       {"torsion", 8},
    {"slope", 30}, {"random", 60}, {"rolling-disks", 12},
};

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Half of the problems within 1.5 of the best, each within 5. Counted work knows flops alone: a
 * step of admm is worth half of what it takes by the clock, a sweep over rolling contacts a
 * fifth. */
TEST(auto_works_little_more_than_the_best_with_hindsight) {
  static const double tolerances[] = {1e-4, 1e-8};
  double regret[2 * DLS_COUNT(families)];
  int count = 0;
  for (int k = 0; k < DLS_COUNT(families); k++) {
    const DlsSampleParams params = {
        .size = families[k].size, .seed = 7, .mu = 0.4, .h = 1e-3, .tilt = 0.1};
    DlsProblem *problem = NULL;
    CHECK_OK(dls_sample_create(families[k].sample, &params, &problem, NULL));
    for (int t = 0; t < DLS_COUNT(tolerances); t++) {
      const double ours = work_of("auto", problem, tolerances[t], 1e6);
      double best = ours;
      const char *who = "auto";
      CHECK(isfinite(ours));
      for (int s = 0; s < DLS_COUNT(names); s++) {
        const double its = work_of(names[s], problem, tolerances[t], best);
        if (its >= best) continue;
        best = its;
        who = names[s];
      }
      regret[count++] = ours / best;
      if (ours > 5 * best)
        test_fail(__FILE__, __LINE__, "%s to %g: %g products of auto, %g of %s", families[k].sample,
                  tolerances[t], ours, best, who);
    }
    dls_problem_destroy(&problem);
  }
  qsort(regret, (size_t)count, sizeof *regret, ascending);
  CHECK_BELOW(regret[count / 2], 1.5);
}
