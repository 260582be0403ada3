/* Finds the law `wall`, which is not of this program, prepares two contacts with it and solves.
 * Each presses with q_N = -1 m/s and slides at q_T = 1 m/s on a body of 1 kg, so with c = 1/(h² k):
 *   r_N = 1/(1 + c),  r_T = -mu r_N          exits 0 when that comes out. */
#include <delassus/laws.h>
#include <delassus/solver.h>

#include <math.h>
#include <stdio.h>

enum { CONTACTS = 2, BLOCK = 3 };

static DlsStatus make_problem(const DlsLaw *law, const double *params, DlsProblem **out) {
  const int start[] = {0, 1, 2}, column[] = {0, 1};
  const double W[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double q[] = {-1, 1, 0, -1, 0, 1};
  DlsContact contact = dls_contact_default(3);
  DlsRelation relations[CONTACTS];
  DlsOperator *W_operator = NULL;
  contact.h = 1e-2;
  for (int i = 0; i < CONTACTS; i++) {
    DlsLawUse use = dls_law_use_default(law);
    use.contact = i;
    use.kinematics = &contact;
    use.params = params;
    DLS_TRY(dls_law_prepare(&use, &relations[i]));
  }
  DLS_TRY(dls_operator_create_assembled(CONTACTS, BLOCK, start, column, W, &W_operator));
  return dls_problem_create(3, &W_operator, q, relations, NULL, out);
}

static DlsStatus press(double *r, double *expected) {
  const DlsLaw *law;
  const DlsSolver *solver;
  DlsProblem *problem = NULL;
  DlsReport report;
  double params[2];
  DlsLimits limits = dls_limits_default();
  limits.tolerance = 1e-10;
  DLS_TRY(dls_law_find("wall", &law));
  dls_law_defaults(law, params);
  DLS_TRY(dls_law_set_text(law, params, "k=1e4"));
  expected[0] = 0.5;
  expected[1] = -0.25;
  DLS_TRY(dls_solver_find("nsgs", &solver));
  DLS_TRY(make_problem(law, params, &problem));
  const DlsStatus status = dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report);
  dls_problem_destroy(&problem);
  if (status == DLS_OK) printf("%s: %s\n", dls_law_path(law), dls_outcome_text(report.outcome));
  return status;
}

int main(void) {
  double r[CONTACTS * BLOCK] = {0}, expected[2];
  if (press(r, expected) != DLS_OK) {
    fprintf(stderr, "%s\n", dls_error_message());
    return 2;
  }
  const double error = fabs(r[0] - expected[0]) + fabs(r[1] - expected[1]) + fabs(r[2]) +
                       fabs(r[3] - expected[0]) + fabs(r[4]) + fabs(r[5] - expected[1]);
  printf("r = %g %g %g, %g %g %g\n", r[0], r[1], r[2], r[3], r[4], r[5]);
  return error < 1e-8 ? 0 : 1;
}
