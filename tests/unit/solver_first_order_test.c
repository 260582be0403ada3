/* The loop that first-order solvers share, on a method made here whose every iterate is known: one
 * contact with W = 1 and q = (-1, 0), solved by r = (1, 0); an iteration multiplies the distance
 * from it. */
#include "solvers/kit/first_order.h"

#include "tests/solving.h"

typedef struct {
  double unused;
} Options;

typedef struct {
  DlsFirstOrder base;
  Options options;
  double *r;
  double factor; /* of the distance, in each iteration */
  int iterated, left;
} Toy;

static double first_factor = 0.5;
static int turn_at, every; /* from iteration turn_at on the distance doubles; 0: never */
static Toy last;           /* as the solve left it */

static DlsStatus prepare(void *self, const DlsProblem *problem) {
  Toy *s = self;
  (void)problem;
  s->base.check_every = every;
  s->base.rescue = 1;
  s->r = dls_first_order_array(&s->base);
  return DLS_OK;
}

static DlsStatus begin(void *self, const DlsProblem *problem) {
  Toy *s = self;
  (void)problem;
  memcpy(s->r, s->base.r_hat, 2 * sizeof *s->r);
  s->base.r = s->r;
  s->factor = first_factor;
  return DLS_OK;
}

static DlsStatus iterate(void *self, const DlsProblem *problem, long k) {
  Toy *s = self;
  (void)problem;
  CHECK_INT(k, s->iterated);
  s->iterated++;
  s->r[0] = 1 + (turn_at && k >= turn_at ? 2 : s->factor) * (s->r[0] - 1);
  return DLS_OK;
}

static void leave_cycle(void *self) {
  Toy *s = self;
  s->left++;
  s->factor = 0.5;
}

static void describe(const void *self, DlsReport *report) {
  last = *(const Toy *)self;
  strcpy(report->note, "a toy");
}

static DlsStatus create(const DlsProblem *problem, const void *options, void **out) {
  static const DlsFirstOrderMethod method = {.name = "toy",
                                             .bytes = sizeof(Toy),
                                             .options_at = offsetof(Toy, options),
                                             .option_bytes = sizeof(Options),
                                             .laws = DLS_LAWS_ANY,
                                             .few = 10,
                                             .arrays = 1,
                                             .prepare = prepare,
                                             .begin = begin,
                                             .iterate = iterate,
                                             .leave_cycle = leave_cycle,
                                             .describe = describe};
  return dls_first_order_create(&method, problem, options, out);
}

static const DlsSolver toy = {DLS_SOLVER_HEAD,
                              .name = "toy",
                              .summary = "",
                              .references = "",
                              .option_bytes = sizeof(Options),
                              .create = create,
                              .solve = dls_first_order_solve,
                              .destroy = dls_first_order_destroy};

static DlsProblem *make_problem(void) {
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  return test_dense_problem(2, 1, 2, W, q, &relation);
}

/* From r = 0 the distance after k iterations is 2^-k: 1e-6 is reached at k = 20. */
TEST(iterations_end_where_the_tolerance_is_met) {
  DlsProblem *problem = make_problem();
  first_factor = 0.5;
  turn_at = 0;
  every = 1;
  TestRun run = test_solve(&toy, problem, 1e-6);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  CHECK_INT(run.report.iterations, 20);
  CHECK_INT(last.iterated, 20);
  CHECK_INT(last.left, 0);
  CHECK_NEAR(run.r[0], 1 - ldexp(1, -20), 0);
  CHECK(strcmp(run.report.note, "a toy") == 0);
  test_end(&run);
  dls_problem_destroy(&problem);
}

/* After iteration 6 it runs away, and is stopped by its limit: what is returned is the best,
 * 2^-6. */
TEST(the_best_iterate_is_returned_not_the_last) {
  DlsProblem *problem = make_problem();
  const DlsLimits limits = {.tolerance = 1e-12, .max_iterations = 9};
  DlsReport report;
  double r[2] = {0};
  Options options = {0};
  first_factor = 0.5;
  turn_at = 6;
  every = 1;
  CHECK_OK(dls_solve(&toy, problem, &options, &limits, NULL, r, NULL, &report));
  CHECK_INT(report.outcome, DLS_ITERATION_LIMIT);
  CHECK_INT(report.iterations, 9);
  CHECK_INT(last.iterated, 9);
  CHECK_NEAR(r[0], 1 - ldexp(1, -6), 0);
  dls_problem_destroy(&problem);
}

/* Standing still is a cycle: it is told once, after `few` iterations doubled, and then it
 * converges. */
TEST(a_cycle_is_left_and_counted) {
  DlsProblem *problem = make_problem();
  first_factor = 1;
  turn_at = 0;
  every = 1;
  TestRun run = test_solve(&toy, problem, 1e-6);
  CHECK_INT(run.report.outcome, DLS_CONVERGED);
  CHECK_INT(last.left, 1);
  CHECK_INT(last.base.rescues, 1);
  CHECK_INT(run.report.iterations, 20 + 20); /* found at 20 = 2 x few, and 20 halvings */
  test_end(&run);
  dls_problem_destroy(&problem);
}

/* A good guess is measured as it was given, and no iteration is made. */
TEST(a_solution_as_guess_needs_no_iteration) {
  DlsProblem *problem = make_problem();
  const double guess[2] = {1, 0};
  first_factor = 0.5;
  turn_at = every = 0;
  TestRun run = test_solve_from(&toy, problem, 1e-6, guess, NULL, NULL);
  CHECK_INT(run.report.iterations, 0);
  CHECK_INT(last.iterated, 0);
  CHECK_NEAR(run.r[0], 1, 0);
  test_end(&run);
  dls_problem_destroy(&problem);
}
