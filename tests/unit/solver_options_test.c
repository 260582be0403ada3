/* Options by their table, and the run with its certificate. */
#include "tests/test.h"

#include <delassus/errors.h>
#include <delassus/sample.h>
#include <delassus/solver.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  double gain;
  int count, colour;
} Options;

static const DlsOption table[] = {
    DLS_REAL_OPTION(Options, gain, 1.5, 0, 2, "a gain"),
    DLS_INT_OPTION(Options, count, 7, 1, 100, "a count"),
    DLS_CHOICE_OPTION(Options, colour, 1, "red|green|blue", "a colour"),
};

static DlsStatus create(const DlsProblem *problem, const void *options, void **out) {
  (void)problem;
  (void)options;
  *out = NULL;
  return DLS_OK;
}

/* Claims convergence without having done anything. */
static DlsStatus boast(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  (void)self;
  (void)problem;
  (void)limits;
  (void)monitor;
  (void)r;
  report->outcome = DLS_CONVERGED;
  report->error = 0;
  return DLS_OK;
}

/* Keeps what it was given, and says that time was short. */
static DlsStatus doubt(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  DLS_TRY(boast(self, problem, limits, monitor, r, report));
  report->outcome = DLS_TIME_LIMIT;
  return DLS_OK;
}

static void destroy(void *self) { (void)self; }

static const DlsSolver solver = {DLS_SOLVER_HEAD,
                                 .name = "boaster",
                                 .summary = "",
                                 .references = "",
                                 .options = table,
                                 .noptions = DLS_COUNT(table),
                                 .option_bytes = sizeof(Options),
                                 .create = create,
                                 .solve = boast,
                                 .destroy = destroy};

TEST(options_have_defaults_and_bounds) {
  Options o;
  dls_solver_defaults(&solver, &o);
  CHECK_NEAR(o.gain, 1.5, 0);
  CHECK_INT(o.count, 7);
  CHECK_INT(o.colour, 1);
  CHECK_OK(dls_solver_set_option(&solver, &o, "gain", "0.25"));
  CHECK_OK(dls_solver_set_option(&solver, &o, "count", "1e2"));
  CHECK_OK(dls_solver_set_option(&solver, &o, "colour", "blue"));
  CHECK_NEAR(o.gain, 0.25, 0);
  CHECK_INT(o.count, 100);
  CHECK_INT(o.colour, 2);
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "gain", "3"), DLS_ERR_ARGUMENT, "from 0 to 2");
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "gain", "nan"), DLS_ERR_ARGUMENT, "a number");
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "gain", "1x"), DLS_ERR_ARGUMENT, "a number");
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "count", "2.5"), DLS_ERR_ARGUMENT, "whole");
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "colour", "gre"), DLS_ERR_ARGUMENT, "red|green");
  CHECK_FAILS(dls_solver_set_option(&solver, &o, "color", "red"), DLS_ERR_ARGUMENT, "'colour'?");
}

/* Whatever a solver says of itself, the error is measured again. */
TEST(a_boast_is_not_believed) {
  DlsProblem *problem = NULL;
  const DlsLimits limits = {.tolerance = 1e-8};
  CHECK_OK(dls_sample_create("column", NULL, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  DlsReport report;
  CHECK_OK(dls_solve(&solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome != DLS_CONVERGED);
  CHECK(report.error > 1e-3);
  /* Nor is a doubt, where the error is within the tolerance. */
  DlsSolver modest = solver;
  double *exact = NULL;
  dls_problem_destroy(&problem);
  CHECK_OK(dls_sample_create("column", NULL, &problem, &exact));
  modest.solve = doubt;
  CHECK_OK(dls_solve(&modest, problem, NULL, &limits, NULL, exact, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  free(exact);
  r[0] = NAN;
  CHECK_FAILS(dls_solve(&solver, problem, NULL, &limits, NULL, r, NULL, &report), DLS_ERR_ARGUMENT,
              "guess");
  free(r);
  dls_problem_destroy(&problem);
}

/* The quick measures are those of the full report; `scaled` may be what is driven below the
 * tolerance. */
TEST(scaled_is_a_measure_too) {
  DlsProblem *problem = NULL;
  const DlsSolver *nsgs = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK_OK(dls_sample_create("random", NULL, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u), natural, scaled;
  const DlsLimits limits = {
      .tolerance = 1e-5, .max_iterations = 100000, .measure = DLS_MEASURE_SCALED};
  DlsReport report;
  DlsErrors errors;
  CHECK_OK(dls_solve(nsgs, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_CONVERGED);
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  CHECK_BELOW(errors.scaled, 1e-5);
  CHECK_OK(dls_errors_natural(problem, r, u, &natural)); /* no cohesion: r̂ = r */
  CHECK_OK(dls_errors_scaled(problem, r, u, &scaled));
  CHECK_NEAR(natural, errors.natural, 1e-12 * natural);
  CHECK_NEAR(scaled, errors.scaled, 1e-12 * scaled);
  CHECK_NEAR(report.error, scaled, 1e-12 * scaled);
  free(r);
  free(u);
  dls_problem_destroy(&problem);
}

static int stop_at_three(void *context, long iteration, double time_s, double error) {
  (void)time_s;
  (void)error;
  *(int *)context += 1;
  return iteration >= 3;
}

TEST(limits_and_the_monitor_end_a_solve) {
  DlsProblem *problem = NULL;
  const DlsSolver *nsgs = NULL;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK_OK(dls_sample_create("wall", NULL, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  DlsReport report;
  int calls = 0;
  const DlsMonitor monitor = {stop_at_three, &calls};
  const DlsLimits limits = {.tolerance = 1e-14, .max_iterations = 5};
  CHECK_OK(dls_solve(nsgs, problem, NULL, &limits, &monitor, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_STOPPED);
  CHECK(calls > 0);
  memset(r, 0, n * sizeof *r);
  CHECK_OK(dls_solve(nsgs, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_ITERATION_LIMIT);
  CHECK_INT(report.iterations, 5);
  free(r);
  dls_problem_destroy(&problem);
}

/* Rare measures do not outrun the clock: without the limit these sweeps would take years. */
TEST(a_time_limit_holds_between_rare_measures) {
  const char *const names[] = {"nsgs", "uzawa"};
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_create("wall", NULL, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  for (int k = 0; k < DLS_COUNT(names); k++) {
    const DlsSolver *some = NULL;
    const DlsLimits limits = {.tolerance = 0, .max_time = 0.05};
    DlsReport report;
    CHECK_OK(dls_solver_find(names[k], &some));
    void *chosen = calloc(1, some->option_bytes);
    dls_solver_defaults(some, chosen);
    CHECK_OK(dls_solver_set_option(some, chosen, "check_every", "2147483647"));
    memset(r, 0, n * sizeof *r);
    CHECK_OK(dls_solve(some, problem, chosen, &limits, NULL, r, NULL, &report));
    CHECK_INT(report.outcome, DLS_TIME_LIMIT);
    free(chosen);
  }
  free(r);
  dls_problem_destroy(&problem);
}
