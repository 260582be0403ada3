/* The four errors that a tolerance may be of: by hand on one contact, and for every solver that the
 * one that was asked for is what it stops by. */
#include "tests/solving.h"

/* W = 1, q = (-1, 0, 0), mu = 0.5: r = (1, 0, 0) solves. */
static DlsProblem *make_contact(void) {
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_dense(3, 1, 3, W, q, &relation, NULL, &problem));
  return problem;
}

typedef DlsStatus (*Error)(const DlsProblem *, const double *, double *, double *);

static double error_at(Error error, double normal, double tangent) {
  DlsProblem *problem = make_contact();
  const double r[3] = {normal, tangent, 0};
  double u[3], value = -1;
  CHECK_OK(error(problem, r, u, &value));
  dls_problem_destroy(&problem);
  return value;
}

TEST(natural_q_by_hand) {
  CHECK_NEAR(error_at(dls_errors_natural_q, 1, 0), 0, 1e-15);
  CHECK_NEAR(error_at(dls_errors_natural_q, 0, 0), 1, 1e-15); /* e = -1, |q| = 1 */
  CHECK_NEAR(error_at(dls_errors_natural_q, 3, 0), 2, 1e-15); /* u = 2, r - u = 1, e = 2 */
  CHECK_NEAR(error_at(dls_errors_natural, 3, 0), 2.0 / 3, 1e-15);
}

/* No reaction at all has no bi-potential, and is no answer: u_N = -1 is what is not admissible. */
TEST(bipotential_by_hand) {
  CHECK_NEAR(error_at(dls_errors_bipotential, 1, 0), 0, 1e-15);
  CHECK_NEAR(error_at(dls_errors_bipotential, 0, 0), 1, 1e-15);
  CHECK_NEAR(error_at(dls_errors_bipotential, 0.5, 0), 0.5, 1e-15); /* u = -1/2 */
  /* u = 1, r = 2: admissible both, G = 2 J of a load |q||r| = 2 */
  CHECK_NEAR(error_at(dls_errors_bipotential, 2, 0), 1, 1e-15);
  /* r = (1, 1): u = (0, 1). P_K r = (1.2, 0.6): 0.2 √5 away beside |r| = √2.
   * G = mu |u_T| s_N + u_T s_T = 0.5 1.2 + 0.6 = 1.2 beside |q||r| = √2. */
  CHECK_NEAR(error_at(dls_errors_bipotential, 1, 1), 1.2 / sqrt(2), 1e-14);
}

/* In other units of mass and length the errors without units stay. */
TEST(bipotential_has_no_units) {
  const double mass = 1e3, length = 1e-2, r[6] = {0.7, 0.2, 0.1, 0.1, 0.3, 0};
  double W[36] = {0}, q[6] = {-1, 0.3, 0, -0.4, 0.1, 0.2}, other[36], q_other[6], r_other[6];
  const DlsRelation relations[2] = {{.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                                    {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}}};
  double u[6], first, second;
  DlsProblem *problem = NULL;
  for (int k = 0; k < 36; k++) W[k] = k % 7 == 0 ? 2 : 0.2, other[k] = W[k] / mass;
  for (int k = 0; k < 6; k++) q_other[k] = length * q[k], r_other[k] = length * mass * r[k];
  CHECK_OK(dls_sample_dense(3, 2, 3, W, q, relations, NULL, &problem));
  CHECK_OK(dls_errors_bipotential(problem, r, u, &first));
  dls_problem_destroy(&problem);
  CHECK_OK(dls_sample_dense(3, 2, 3, other, q_other, relations, NULL, &problem));
  CHECK_OK(dls_errors_bipotential(problem, r_other, u, &second));
  dls_problem_destroy(&problem);
  CHECK(first > 0.01);
  CHECK_NEAR(second / first, 1, 1e-13);
}

/* The error of an answer by its definition, in standard form here: no b, a or C. */
static double measured(DlsMeasure measure, const DlsProblem *problem, const double *r) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *u = calloc(n, sizeof *u), bipotential;
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, r, u, &errors));
  CHECK_OK(dls_errors_bipotential(problem, r, u, &bipotential));
  free(u);
  return measure == DLS_MEASURE_NATURAL     ? errors.natural
         : measure == DLS_MEASURE_NATURAL_Q ? errors.natural_q
         : measure == DLS_MEASURE_SCALED    ? errors.scaled
                                            : bipotential;
}

TEST(every_solver_stops_by_the_measure_that_was_asked_for) {
  DlsProblem *problem = NULL;
  const DlsSample *sample;
  CHECK_OK(dls_sample_find("box", &sample));
  DlsSampleParams params = sample->defaults;
  params.size = 20;
  CHECK_OK(dls_sample_create("box", &params, &problem, NULL));
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *r = calloc(n, sizeof *r);
  FOR_EACH_SOLVER (solver) {
    for (int m = 0; m < DLS_MEASURE_COUNT; m++) {
      const DlsLimits limits = {.tolerance = 1e-4,
                                .measure = (DlsMeasure)m,
                                .max_iterations = 100000,
                                .max_time = 30,
                                .clock = DLS_CLOCK_CPU};
      DlsReport report;
      memset(r, 0, n * sizeof *r);
      CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
      const double error = measured((DlsMeasure)m, problem, r);
      if (report.outcome != DLS_CONVERGED || !(error <= 1e-4))
        test_fail(__FILE__, __LINE__, "%s by %s: %s, %g", solver->name,
                  dls_measure_word((DlsMeasure)m), dls_outcome_text(report.outcome), error);
    }
  }
  free(r);
  dls_problem_destroy(&problem);
}

enum { COLUMN = 20 };

/* nsgs by a tolerance that no sweep meets, until it changes so little, or so many times. */
static DlsReport sweep_until(const DlsProblem *problem, const char *change, long most, double *r) {
  const DlsLimits limits = {.tolerance = 1e-15, .max_iterations = most};
  const DlsSolver *nsgs = NULL;
  double options[64];
  DlsReport report;
  CHECK_OK(dls_solver_find("nsgs", &nsgs));
  CHECK(nsgs->option_bytes <= sizeof options);
  dls_solver_defaults(nsgs, options);
  CHECK_OK(dls_solver_set_option(nsgs, options, "change", change));
  memset(r, 0, 2 * COLUMN * sizeof *r);
  CHECK_OK(dls_solve(nsgs, problem, options, &limits, NULL, r, NULL, &report));
  return report;
}

static double apart(const double *x, const double *y) {
  double d2 = 0;
  for (int k = 0; k < 2 * COLUMN; k++) d2 += (x[k] - (y ? y[k] : 0)) * (x[k] - (y ? y[k] : 0));
  return sqrt(d2);
}

/* A column of equal balls, the first on the floor: W = tridiag(-1, 2, -1) but for W_11 = 1, and
 * contact n bears what is above it, r_n = N - n + 1. Jacobi's modes are cos((n - 1) θ) with
 * cos(N θ) = 0; sweeps close in by the square of the largest, λ = cos²(π / 2N), each, so that one
 * which changes r by δ leaves it λ/(1 - λ) δ away: Moreau's rule stops where it should, as sweeps
 * taken one by one show, and far from the answer. */
TEST(sweeps_stop_by_their_change_far_from_the_answer) {
  double W[4 * COLUMN * COLUMN] = {0}, q[2 * COLUMN] = {0}, exact[2 * COLUMN] = {0};
  double r[2 * COLUMN], last[2 * COLUMN], before[2 * COLUMN];
  DlsRelation relations[COLUMN] = {{0}};
  for (int n = 0; n < COLUMN; n++) {
    double *row = W + (size_t)(2 * n) * 2 * COLUMN;
    row[2 * n] = n ? 2 : 1;
    if (n) row[2 * (n - 1)] = -1;
    if (n + 1 < COLUMN) row[2 * (n + 1)] = -1;
    row[2 * COLUMN + 2 * n + 1] = 1;
    q[2 * n] = n ? 0 : -1;
    exact[2 * n] = COLUMN - n;
    relations[n].cone = DLS_CONE_COULOMB;
  }
  DlsProblem *problem = test_dense_problem(2, COLUMN, 2, W, q, relations);
  const double change = 1e-8, rate = pow(cos(acos(-1) / (2 * COLUMN)), 2);
  const DlsReport report = sweep_until(problem, "1e-8", 100000, r);
  const long sweeps = report.iterations;
  CHECK_INT(report.reason, DLS_REASON_LITTLE_CHANGE);
  CHECK_INT(report.outcome, DLS_STALLED);
  sweep_until(problem, "0", sweeps, last);
  CHECK_INT(memcmp(r, last, sizeof r), 0);
  sweep_until(problem, "0", sweeps - 1, last);
  CHECK(apart(r, last) <= change * apart(r, NULL));
  sweep_until(problem, "0", sweeps - 2, before);
  CHECK(apart(last, before) > change * apart(last, NULL));
  const double times = apart(r, exact) / apart(r, last), expected = rate / (1 - rate);
  CHECK_NEAR(times, expected, 0.01 * expected);
  CHECK(expected > 100);
  dls_problem_destroy(&problem);
}
