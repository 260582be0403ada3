/* What a solver's measure of the error costs: a law of one's own is asked no more often than the
 * sums need it, and a pair beyond the tolerance is not asked about at all. */
#include "tests/solving.h"

#include <delassus/errors.h>

#include "base/ledger.h"

static int asked;

/* Contact without friction, F = r - P(r - u), P on r_N >= 0, r_T = 0. */
static DlsStatus residual(void *context, const double *u, const double *r, double *F, double *dF_du,
                          double *dF_dr) {
  (void)context, (void)dF_du, (void)dF_dr;
  asked++;
  F[0] = r[0] - fmax(0, r[0] - u[0]);
  F[1] = r[1];
  return DLS_OK;
}

enum { CONTACTS = 3, ROWS = 2 * CONTACTS };

/* W = 1 and q_N = -1: r_N = 1 solves. */
static DlsProblem *make_problem(void) {
  double W[ROWS * ROWS] = {0}, q[ROWS] = {0};
  DlsRelation relations[CONTACTS] = {{.cone = DLS_CONE_CUSTOM}};
  DlsCustomRelation custom[CONTACTS] = {{0}};
  for (int i = 0; i < CONTACTS; i++) {
    q[2 * i] = -1;
    relations[i].cone = DLS_CONE_CUSTOM;
    custom[i] = (DlsCustomRelation){.law = "own", .residual = residual};
  }
  for (int e = 0; e < ROWS; e++) W[e * ROWS + e] = 1;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_dense(2, CONTACTS, 2, W, q, relations, custom, &problem));
  return problem;
}

static int count(DlsMeasure measure, double r_normal) {
  DlsProblem *problem = make_problem();
  const DlsLimits limits = {.tolerance = 1e-6, .measure = measure};
  double r[ROWS] = {0}, u[ROWS], error;
  for (int i = 0; i < CONTACTS; i++) r[2 * i] = r_normal;
  asked = 0;
  CHECK_OK(dls_solver_measure(problem, &limits, r, u, &error));
  CHECK_NEAR(error, r_normal == 1 ? 0 : fabs(r_normal - 1) / fmax(1, r_normal), 1e-12);
  dls_problem_destroy(&problem);
  return asked / CONTACTS;
}

/* Beyond the tolerance the error alone is summed. */
TEST(a_law_is_asked_once_while_the_error_is_large) {
  CHECK_INT(count(DLS_MEASURE_NATURAL, 0.9), 1);
  CHECK_INT(count(DLS_MEASURE_SCALED, 0.9), 1);
}

/* Within it: the load it asks for at rest; the error in impulses beside that load, where `natural`
 * was asked for; and one pass for the error as velocities and of islands, which needs the pair and
 * what is asked for at rest. */
TEST(a_law_is_asked_in_one_pass_once_the_error_is_small) {
  CHECK_INT(count(DLS_MEASURE_NATURAL, 1), 1 + 1 + 1 + 2);
  CHECK_INT(count(DLS_MEASURE_SCALED, 1), 1 + 1 + 2);
}

/* Two contacts, four decades of weight apart: foresight tells of all that is asked, at any distance
 * from the answer, without changing the error; both are within what is asked together. */
TEST(foresight_tells_of_all_that_is_asked_and_changes_no_error) {
  enum { BALLS = 2, NUMBERS = 3 * BALLS };
  double W[NUMBERS * NUMBERS] = {0}, q[NUMBERS] = {0}, u[NUMBERS];
  DlsRelation relations[BALLS] = {{.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}},
                                  {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}}};
  const double weight[BALLS] = {1, 1e4};
  for (int e = 0; e < NUMBERS; e++) W[e * NUMBERS + e] = 1 / weight[e / 3];
  for (int i = 0; i < BALLS; i++) q[3 * i] = -1;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_sample_dense(3, BALLS, 3, W, q, relations, NULL, &problem));
  const DlsLimits limits = {.tolerance = 1e-4, .measure = DLS_MEASURE_NATURAL};
  double last = INFINITY;
  for (int k = 1; k < 40; k++) {
    const double wrong = pow(0.6, k);
    const double r[NUMBERS] = {weight[0] * (1 - wrong), 0, 0, weight[1] * (1 - wrong), 0, 0};
    double plain, error;
    CHECK_OK(dls_solver_measure(problem, &limits, r, u, &plain));
    dls_ledger_rules.foresee = DLS_FORESEEN;
    CHECK_OK(dls_solver_measure(problem, &limits, r, u, &error));
    const double times = dls_ledger_rules.times;
    dls_ledger_rules.foresee = DLS_SEEN;
    CHECK(error == plain);
    CHECK((times <= 1) == (error <= limits.tolerance));
    CHECK(times * limits.tolerance >= error * (1 - 1e-12));
    CHECK_BELOW(times, last);
    last = times;
  }
  CHECK_BELOW(last, 1);
  dls_problem_destroy(&problem);
}
