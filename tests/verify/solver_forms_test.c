/* The form of the operator is no matter: on bodies with their own mass (factored), with a mass that
 * couples them (coupled), symmetric or not, every solver gives the velocities that it gives on
 * block rows of W. */
#include "tests/solving.h"

#include "base/random.h"

enum { CONTACTS = 4, BLOCK = 3, DOF = 12, ROWS = CONTACTS * BLOCK };

/* Two bodies of six velocities; `couple` ties neighbouring velocities, `skew` makes M
 * unsymmetric. */
static DlsOperator *draw_operator(uint64_t seed, double couple, double skew) {
  int M_start[DOF + 1], M_column[DOF * DOF], H_start[ROWS + 1], H_column[ROWS * DOF];
  double M_value[DOF * DOF], H_value[ROWS * DOF];
  DlsRandom random;
  DlsOperator *W = NULL;
  int count = 0;
  dls_random_seed(&random, seed);
  for (int i = 0; i < DOF; i++) {
    M_start[i] = count;
    for (int j = 0; j < DOF; j++) {
      const int same = i / 6 == j / 6, next = j == i + 1 || j == i - 1;
      const double value = (i == j ? 2.0 + 0.1 * i : 0) +
                           (next && (same || couple > 0) ? couple : 0) +
                           (next && same ? (i < j ? skew : -skew) : 0);
      if (value == 0) continue;
      M_column[count] = j;
      M_value[count++] = value;
    }
  }
  M_start[DOF] = count;
  for (int i = 0; i < ROWS; i++) {
    H_start[i] = i * DOF;
    for (int j = 0; j < DOF; j++) {
      H_column[i * DOF + j] = j;
      H_value[i * DOF + j] = dls_random_normal(&random);
    }
  }
  H_start[ROWS] = ROWS * DOF;
  const DlsSparse M = {DOF, DOF, M_start, M_column, M_value};
  const DlsSparse H = {ROWS, DOF, H_start, H_column, H_value};
  CHECK_OK(dls_operator_create_global(CONTACTS, BLOCK, &M, &H, &W));
  return W;
}

/* With compliance, which no form holds in itself. */
static DlsProblem *make_problem(DlsOperator **W, uint64_t seed) {
  DlsRelation relations[CONTACTS] = {{0}};
  double q[ROWS];
  DlsProblem *problem = NULL;
  DlsRandom random;
  dls_random_seed(&random, seed);
  for (int k = 0; k < ROWS; k++) q[k] = dls_random_normal(&random) - (k % BLOCK == 0);
  for (int i = 0; i < CONTACTS; i++)
    relations[i] = (DlsRelation){.cone = DLS_CONE_COULOMB,
                                 .mu = {0.2, i % 2 ? 0.2 : 0.1},
                                 .C = {0.5, 0.3, 0.3},
                                 .a = {0.1 * i}};
  CHECK_OK(dls_problem_create(3, W, q, relations, NULL, &problem));
  return problem;
}

static void check_forms(const char *form, double couple, double skew) {
  for (uint64_t seed = 1; seed <= 3; seed++) {
    DlsOperator *W = draw_operator(seed, couple, skew), *rows = NULL;
    CHECK(strcmp(dls_operator_form(W), form) == 0);
    CHECK_OK(dls_operator_assemble(W, &rows));
    DlsProblem *bodies = make_problem(&W, seed), *assembled = make_problem(&rows, seed);
    FOR_EACH_SOLVER (solver) {
      TestRun a = test_solve(solver, bodies, 1e-10), b = test_solve(solver, assembled, 1e-10);
      if (a.report.outcome != DLS_CONVERGED || b.report.outcome != DLS_CONVERGED)
        test_fail(__FILE__, __LINE__, "form %s, %s: %s and %s", form, solver->name,
                  dls_outcome_text(a.report.outcome), dls_outcome_text(b.report.outcome));
      CHECK_BELOW(test_apart(a.n, a.u, b.u), 1e-7 * (1 + test_size(a.n, b.u)));
      test_end(&a);
      test_end(&b);
    }
    dls_problem_destroy(&bodies);
    dls_problem_destroy(&assembled);
  }
}

TEST(bodies_with_their_own_mass) { check_forms("factored", 0, 0); }
TEST(bodies_with_a_gyroscopic_mass) { check_forms("factored", 0, 0.3); }
TEST(bodies_coupled_by_their_mass) { check_forms("coupled", 0.3, 0); }
TEST(bodies_coupled_without_symmetry) { check_forms("coupled", 0.3, 0.2); }

/* The factors of admm, in reactions and in velocities, are of the same method. */
TEST(both_factors_of_admm_agree) {
  const DlsSolver *admm = NULL;
  DlsOperator *W = draw_operator(7, 0, 0);
  DlsProblem *problem = make_problem(&W, 7);
  CHECK_OK(dls_solver_find("admm", &admm));
  TestRun a = test_solve_from(admm, problem, 1e-8, NULL, "form", "reactions");
  TestRun b = test_solve_from(admm, problem, 1e-8, NULL, "form", "velocities");
  CHECK_INT(a.report.outcome, DLS_CONVERGED);
  CHECK_INT(b.report.outcome, DLS_CONVERGED);
  CHECK_NEAR((double)a.report.iterations, (double)b.report.iterations, /* but for round-off */
             0.05 * (double)b.report.iterations);
  CHECK_BELOW(test_apart(a.n, a.u, b.u), 1e-6 * test_size(a.n, b.u) + 1e-8);
  test_end(&a);
  test_end(&b);
  dls_problem_destroy(&problem);
}
