/* Every Coulomb problem with symmetric W has an answer to any `scaled` tolerance: that of the same
 * contacts with the compliance C = eps W_NN, which exists for each eps > 0 (Brouwer's theorem; see
 * docs/notes/dense-packings.md), has `scaled` of at most (1 + mu) eps as an answer of the rigid
 * ones. */
#include "tests/solving.h"

/* The problem with C = eps W_NN in all directions of each contact. */
static DlsProblem *soften(const DlsProblem *rigid, double eps) {
  const int contacts = dls_problem_contacts(rigid), block = dls_problem_block(rigid);
  double *D = calloc((size_t)(contacts * block * block), sizeof *D);
  DlsRelation *relations = calloc((size_t)contacts, sizeof *relations);
  DlsOperator *W = NULL;
  DlsProblem *out = NULL;
  dls_problem_standard_diagonal(rigid, D);
  for (int i = 0; i < contacts; i++) {
    relations[i] = *dls_problem_relation(rigid, i);
    for (int k = 0; k < block; k++) relations[i].C[k] = eps * D[i * block * block];
  }
  CHECK_OK(dls_operator_assemble(dls_problem_operator(rigid), &W));
  CHECK_OK(
      dls_problem_create(dls_problem_dim(rigid), &W, dls_problem_q(rigid), relations, NULL, &out));
  free(D);
  free(relations);
  return out;
}

static void check_bound(const char *name, int size, double eps) {
  DlsProblem *rigid = test_sample(name, size), *soft = soften(rigid, eps);
  const double mu = dls_problem_relation(rigid, 0)->mu[0], tolerance = 1e-3 * eps;
  const DlsSolver *solver = NULL;
  CHECK_OK(dls_solver_find("auto", &solver));
  TestRun run = test_solve(solver, soft, tolerance);
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(rigid, run.r, NULL, &errors));
  CHECK_BELOW(run.errors.scaled, eps);
  CHECK_BELOW(errors.scaled, (1 + mu) * eps + 2 * run.errors.scaled);
  CHECK(errors.scaled > run.errors.scaled); /* the compliance is felt */
  test_end(&run);
  dls_problem_destroy(&soft);
  dls_problem_destroy(&rigid);
}

TEST(an_answer_of_soft_contacts_is_one_of_rigid_contacts_to_their_softness) {
  check_bound("box", 100, 1e-2);
  check_bound("box", 100, 1e-4);
  check_bound("disks", 100, 1e-3);
  check_bound("pile", 4, 1e-2);
}
