/* What a solver's measure of the error costs: a law of one's own is asked no more often than the
 * sums need it, and a pair beyond the tolerance is not asked about at all. */
#include "tests/solving.h"

#include <delassus/errors.h>

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
