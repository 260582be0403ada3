/* v+ = v_free + M^-1 H^T r: an operator that cannot tell the second term fails the step, and does
 * not leave the bodies with the free velocity. */
#include "assemble/assemble.h"

#include "tests/test.h"

TEST(an_operator_without_bodies_does_not_pass_for_one_that_moves_nothing) {
  const int start[] = {0, 1}, column[] = {0};
  const double value[] = {1, 0, 0, 1}, q[] = {-1, 0}, free_velocity[6] = {0, -1};
  const DlsRelation relation = {.cone = DLS_CONE_SIGNORINI};
  double r[] = {1, 0}, velocity[6];
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  const DlsWorld world = {.dim = 2, .count = 1};
  CHECK_OK(dls_operator_create_assembled(1, 2, start, column, value, &W));
  CHECK_OK(dls_problem_create(2, &W, q, &relation, NULL, &problem));
  const DlsAssembly assembly = {
      .step.count = 1, .run.block = 2, .run.dof = 3, .solve.r = r, .solve.problem = problem};
  CHECK_FAILS(dls_assemble_velocity(&assembly, &world, free_velocity, velocity), DLS_ERR_ARGUMENT,
              "no bodies to move");
  dls_problem_destroy(&problem);
}
