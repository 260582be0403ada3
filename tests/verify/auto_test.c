/* The default solver: a good guess comes back at once, slow sweeps are handed over, the answer does
 * not depend on the clock, and units do not matter to the solvers that count in `scaled`. */
#include "tests/decks.h"
#include "tests/solving.h"

#include <delassus/fclib.h>
#include <stdio.h>

static const DlsSolver *find(const char *name) {
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find(name, &solver));
  return solver;
}

TEST(a_good_guess_comes_back_at_once) {
  DlsProblem *problem = test_sample("box", 100);
  TestRun first = test_solve(find("auto"), problem, 1e-6);
  CHECK(first.report.outcome == DLS_CONVERGED && first.report.iterations > 0);
  TestRun second = test_solve_from(find("auto"), problem, 1e-6, first.r, NULL, NULL);
  CHECK(second.report.outcome == DLS_CONVERGED);
  CHECK_INT(second.report.iterations, 0);
  CHECK_INT(second.report.reason, DLS_REASON_GOOD_GUESS);
  CHECK(memcmp(first.r, second.r, first.n * sizeof *first.r) == 0);
  test_end(&first);
  test_end(&second);
  dls_problem_destroy(&problem);
}

/* A few grains, one above the other: sweeps alone need dozens to thousands, a dense system a few
 * steps. The certificate is measured anew. */
TEST(a_handful_of_contacts_takes_a_handful_of_iterations) {
  for (int size = 2; size <= 8; size++) {
    DlsProblem *problem = test_sample("column", size);
    TestRun run = test_solve(find("auto"), problem, 1e-12);
    CHECK(run.report.outcome == DLS_CONVERGED);
    CHECK_BELOW(run.errors.natural, 1e-12);
    CHECK(run.report.iterations <= 30);
    CHECK_INT(run.report.work.sweeps + run.report.work.newton_steps, run.report.iterations);
    test_end(&run);
    dls_problem_destroy(&problem);
  }
}

/* The limit counts sweeps and Newton iterations of small problems too, and the monitor hears of
 * each. */
static int count_calls(void *context, long iteration, double time_s, double error) {
  long *calls = context;
  CHECK(time_s >= 0 && error > 0);
  CHECK_INT(iteration, ++*calls);
  return 0;
}

TEST(a_small_problem_keeps_its_limit_and_is_heard) {
  DlsProblem *problem = test_sample("column", 6);
  for (long most = 1; most <= 3; most++) {
    const DlsLimits limits = {.tolerance = 1e-30, .max_iterations = most};
    long calls = 0;
    const DlsMonitor monitor = {count_calls, &calls};
    double r[18] = {0};
    DlsReport report;
    CHECK_INT(dls_problem_contacts(problem) * dls_problem_block(problem), DLS_COUNT(r));
    CHECK_OK(dls_solve(find("auto"), problem, NULL, &limits, &monitor, r, NULL, &report));
    CHECK(report.outcome == DLS_ITERATION_LIMIT);
    CHECK_INT(report.iterations, most);
    CHECK_INT(calls, most);
  }
  dls_problem_destroy(&problem);
}

/* With patience 0 sweeps are handed over soon. */
TEST(slow_sweeps_are_handed_over_and_the_answer_is_the_same_every_time) {
  DlsProblem *problem = test_sample("pile", 5);
  double *chosen = calloc(1, find("auto")->option_bytes);
  dls_solver_defaults(find("auto"), chosen);
  CHECK_OK(dls_solver_set_option(find("auto"), chosen, "patience", "0"));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const DlsLimits limits = {.tolerance = 1e-10};
  double *r[2];
  for (int k = 0; k < 2; k++) {
    DlsReport report;
    DlsErrors errors;
    r[k] = calloc(n, sizeof *r[k]);
    CHECK_OK(dls_solve(find("auto"), problem, chosen, &limits, NULL, r[k], NULL, &report));
    CHECK_OK(dls_errors_measure(problem, r[k], NULL, &errors));
    CHECK(report.outcome == DLS_CONVERGED);
    CHECK_BELOW(errors.natural, 1e-10);
    CHECK(strstr(report.note, "by turns") != NULL);
  }
  CHECK(memcmp(r[0], r[1], n * sizeof *r[0]) == 0);
  free(r[0]);
  free(r[1]);
  free(chosen);
  dls_problem_destroy(&problem);
}

/* Limits hold for all phases together. */
TEST(auto_keeps_its_limits) {
  DlsProblem *problem = test_sample("pile", 6);
  const DlsLimits limits = {.tolerance = 1e-14, .max_iterations = 57};
  double *r = calloc((size_t)dls_problem_contacts(problem) * 3, sizeof *r);
  DlsReport report;
  CHECK_OK(dls_solve(find("auto"), problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome == DLS_ITERATION_LIMIT);
  CHECK_INT(report.iterations, 57);
  free(r);
  dls_problem_destroy(&problem);
}

/* Elastic bodies pressed on each other with friction: W is so ill-conditioned that sweeps need
 * thousands, and a step has 1000 iterations. Direct solves need a dozen, and have to be asked
 * before sweeps have spent the limit: in the run, and on the problem of its eleventh step alone. */
TEST(sweeps_leave_direct_solves_what_they_need_of_the_limit) {
  TestDeck deck;
  test_deck_open(&deck, "hertz-cylinder.yaml",
                 (const char *[]){"laws[0].parameters.mu=0.1", "solver={tolerance: 1e-8}", NULL});
  test_deck_run(&deck, 1.1);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  const DlsProblem *problem = dls_simulation_problem(deck.simulation);
  double *r = calloc((size_t)dls_problem_contacts(problem) * 2, sizeof *r);
  DlsReport direct = {0}, own = {0};
  DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 100, .measure = DLS_MEASURE_SCALED};
  CHECK_OK(dls_solve(find("proximal"), problem, NULL, &limits, NULL, r, NULL, &direct));
  CHECK(direct.outcome == DLS_CONVERGED);
  for (limits.max_iterations = 300; limits.max_iterations <= 4800; limits.max_iterations *= 2) {
    memset(r, 0, (size_t)dls_problem_contacts(problem) * 2 * sizeof *r);
    CHECK_OK(dls_solve(find("auto"), problem, NULL, &limits, NULL, r, NULL, &own));
    CHECK(own.outcome == DLS_CONVERGED);
    CHECK(own.work.factorisations > 0 && own.iterations <= limits.max_iterations);
  }
  free(r);
  test_deck_close(&deck);
}

/* Squares of 1e200 are infinite: no error can be measured, no way takes a step, and it is said. */
TEST(numbers_beyond_all_measure_end_at_once) {
  enum { CONTACTS = 12, ROWS = 3 * CONTACTS };
  double W[ROWS * ROWS] = {0}, q[ROWS];
  DlsRelation relations[CONTACTS];
  for (int i = 0; i < ROWS; i++) {
    W[i * (ROWS + 1)] = 2;
    if (i >= 3) W[i * ROWS + i - 3] = W[(i - 3) * ROWS + i] = -0.9;
    q[i] = -1e200 * (i % 5 - 1);
    relations[i / 3] = (DlsRelation){.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  }
  DlsProblem *problem = test_dense_problem(3, CONTACTS, 3, W, q, relations);
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 30};
  double r[ROWS] = {0};
  DlsReport report;
  CHECK_OK(dls_solve(find("auto"), problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_STALLED);
  dls_problem_destroy(&problem);
}

/* Sweeps first, then solves by factors: converged by both, as the note tells, and right by a
 * measure of the test's own. */
static void check_needs_both(const DlsProblem *problem) {
  TestRun run = test_solve(find("auto"), problem, 1e-8);
  CHECK(run.report.outcome == DLS_CONVERGED);
  CHECK_BELOW(run.errors.natural, 1e-8);
  CHECK(run.report.work.sweeps > 0 && run.report.work.factorisations > 0);
  const DlsLimits limits = {.tolerance = 1e-8, .max_iterations = 20 * run.report.iterations};
  DlsReport alone;
  memset(run.r, 0, run.n * sizeof *run.r);
  CHECK_OK(dls_solve(find("nsgs"), problem, NULL, &limits, NULL, run.r, NULL, &alone));
  CHECK_INT(alone.outcome, DLS_ITERATION_LIMIT);
  test_end(&run);
}

/* A column of 200 spheres at rest, in both forms: sweeps alone do not reach 1e-8 in twenty times
 * the iterations. */
TEST(a_column_needs_both) {
  DlsProblem *problem = test_sample("column", 200), *rows = NULL;
  DlsOperator *W = NULL;
  CHECK(dls_operator_has_parts(dls_problem_operator(problem)));
  CHECK_OK(dls_operator_assemble(dls_problem_operator(problem), &W));
  CHECK_OK(dls_problem_create_like(problem, &W, &rows));
  check_needs_both(problem);
  check_needs_both(rows);
  dls_problem_destroy(&problem);
  dls_problem_destroy(&rows);
}

/* The same of a public problem, which comes in both forms. */
static void check_public(const char *name) {
  const char *shared = test_shared();
  char path[1024];
  DlsProblem *problem = NULL;
  if (!shared) test_skip("the public problems are not there: set DELASSUS_SHARED");
  snprintf(path, sizeof path, "%s/fclib/%s/spheres-in-a-box-98-i10000-256-10.hdf5", shared, name);
  CHECK_OK(dls_fclib_read(path, &problem, NULL));
  if (!problem) return; /* said above */
  check_needs_both(problem);
  dls_problem_destroy(&problem);
}

TEST(a_public_problem_needs_both) { check_public("local"); }
TEST(the_same_with_its_bodies_needs_both) { check_public("global"); }

/* The problem with W times `mass` and q times `length`: masses divided by the one, lengths
 * multiplied by the other. */
static DlsProblem *scaled(const DlsProblem *problem, double mass, double length) {
  DlsOperator *W = NULL, *copy = NULL;
  DlsProblem *out = NULL;
  CHECK_OK(dls_operator_assemble(dls_problem_operator(problem), &W));
  const DlsBlockRows rows = dls_operator_block_rows(W);
  const size_t square = (size_t)(rows.block * rows.block);
  const size_t numbers = (size_t)rows.start[rows.contacts] * square;
  const size_t n = (size_t)rows.contacts * (size_t)rows.block;
  double *value = calloc(numbers, sizeof *value), *q = calloc(n, sizeof *q);
  for (size_t k = 0; k < numbers; k++) value[k] = mass * rows.value[k];
  for (size_t k = 0; k < n; k++) q[k] = length * dls_problem_q(problem)[k];
  CHECK_OK(dls_operator_create_assembled(rows.contacts, rows.block, rows.start, rows.column, value,
                                         &copy));
  DlsRelation *relations = calloc((size_t)rows.contacts, sizeof *relations);
  for (int i = 0; i < rows.contacts; i++) relations[i] = *dls_problem_relation(problem, i);
  CHECK_OK(dls_problem_create(dls_problem_dim(problem), &copy, q, relations, NULL, &out));
  dls_operator_destroy(&W);
  free(value);
  free(relations);
  free(q);
  return out;
}

static long iterations(const DlsSolver *solver, const DlsProblem *problem, double tolerance) {
  const DlsLimits limits = {
      .tolerance = tolerance, .max_iterations = 100000, .measure = DLS_MEASURE_SCALED};
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  DlsReport report;
  CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
  CHECK(report.outcome == DLS_CONVERGED);
  free(r);
  return report.iterations;
}

TEST(units_do_not_change_the_iterations) {
  static const char *const names[] = {"auto", "momentum", "nsgs", "proximal"};
  static const double scales[][2] = {{1e6, 1}, {1e-6, 1}, {1, 1e3}, {1, 1e-3}};
  static const char *const samples[] = {"box", "disks"};
  for (int p = 0; p < DLS_COUNT(samples); p++) {
    DlsProblem *problem = test_sample(samples[p], 60), *base = scaled(problem, 1, 1);
    for (int s = 0; s < DLS_COUNT(names); s++) {
      const double expected = (double)iterations(find(names[s]), base, 1e-6);
      for (int k = 0; k < DLS_COUNT(scales); k++) {
        DlsProblem *other = scaled(problem, scales[k][0], scales[k][1]);
        const double found = (double)iterations(find(names[s]), other, 1e-6);
        if (fabs(found - expected) > 0.1 * expected)
          test_fail(__FILE__, __LINE__, "%s on %s: %g iterations, %g with W %g, q %g", names[s],
                    samples[p], expected, found, scales[k][0], scales[k][1]);
        dls_problem_destroy(&other);
      }
    }
    dls_problem_destroy(&base);
    dls_problem_destroy(&problem);
  }
}

/* A column of N spheres at rest: nsgs needs sweeps like N^2 (001 eq. 1.34), momentum clearly
 * fewer. */
TEST(sweeps_with_momentum_grow_less_with_a_column) {
  double sweeps[2][2];
  for (int k = 0; k < 2; k++) {
    DlsProblem *problem = test_sample("column", 20 << k);
    sweeps[0][k] = (double)iterations(find("nsgs"), problem, 1e-6);
    sweeps[1][k] = (double)iterations(find("momentum"), problem, 1e-6);
    dls_problem_destroy(&problem);
  }
  CHECK(sweeps[0][1] > 2.5 * sweeps[0][0]);
  CHECK(sweeps[1][1] < 2.5 * sweeps[1][0]);
  CHECK(sweeps[1][1] < 0.4 * sweeps[0][1]);
}
