/* Answers known in closed form, by every solver. */
#include "tests/solving.h"

/* A block of mass m on a slope of angle a, one contact, W = I / m: held when tan a <= mu, and then
 * r = h m g (cos a, sin a); else it slides with r_T = mu r_N and u_T = h g (sin a - mu cos a). */
static DlsProblem *slope(double a, double mu, double h, double m) {
  const double g = 9.81, W[4] = {1 / m, 0, 0, 1 / m};
  const double q[2] = {-h * g * cos(a), -h * g * sin(a)}; /* t up the slope */
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {mu, mu}};
  return test_dense_problem(2, 1, 2, W, q, &relation);
}

TEST(block_is_held_below_the_friction_angle) {
  const double mu = 0.5, a = 0.9 * atan(mu), h = 1e-3, m = 2, hmg = h * m * 9.81;
  DlsProblem *problem = slope(a, mu, h, m);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-10);
    CHECK_NEAR(run.r[0], hmg * cos(a), 1e-9 * hmg);
    CHECK_NEAR(run.r[1], hmg * sin(a), 1e-9 * hmg);
    CHECK_BELOW(run.errors.natural, 1e-10);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

TEST(block_slides_above_the_friction_angle) {
  const double mu = 0.5, a = 1.2 * atan(mu), h = 1e-3, m = 2, hmg = h * m * 9.81;
  DlsProblem *problem = slope(a, mu, h, m);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-12);
    CHECK_NEAR(run.r[0], hmg * cos(a), 1e-9 * hmg);
    CHECK_NEAR(run.r[1], mu * hmg * cos(a), 1e-9 * hmg);
    CHECK_NEAR(run.u[0], 0, 1e-9 * h); /* slides without an artificial gap */
    CHECK_NEAR(run.u[1], -h * 9.81 * (sin(a) - mu * cos(a)), 1e-9 * h);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

/* A column of n equal spheres: contact k from the floor carries the weight of the n - k above. */
TEST(column_carries_the_weight_above) {
  DlsProblem *problem = NULL;
  double *exact = NULL;
  CHECK_OK(dls_sample_create("column", NULL, &problem, &exact));
  CHECK(exact != NULL);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-10);
    CHECK_BELOW(run.errors.natural, 1e-10);
    CHECK_BELOW(test_apart(run.n, run.r, exact), 1e-6 * test_size(run.n, exact));
    test_end(&run);
  }
  free(exact);
  dls_problem_destroy(&problem);
}

/* Restitution by b = rho u⁻: a ball that falls at v leaves at rho v (Moreau 1994, eq. 6.3),
 * tangential restitution reverses the slip where friction suffices (eq. 6.4). */
TEST(restitution_reverses_the_velocity) {
  const double m = 0.1, rho = 0.7, tau = 0.5, before[3] = {-3, 0.2, -0.1};
  const double W[9] = {1 / m, 0, 0, 0, 1 / m, 0, 0, 0, 1 / m};
  DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  relation.b[0] = rho * before[0];
  relation.b[1] = tau * before[1];
  relation.b[2] = tau * before[2];
  DlsProblem *problem = test_dense_problem(3, 1, 3, W, before, &relation);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-12);
    CHECK_NEAR(run.u[0], rho * 3, 1e-10);
    CHECK_NEAR(run.u[1], -tau * 0.2, 1e-10);
    CHECK_NEAR(run.u[2], tau * 0.1, 1e-10);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

/* Cohesion a_N = h F_C holds a pull up to F_C and no more; compliance C leaves u_N = -C r. */
TEST(cohesion_and_compliance) {
  const double W[4] = {1, 0, 0, 1}, pull[2] = {0.8, 0}, tear[2] = {1.2, 0}, push[2] = {-1, 0};
  DlsRelation glue = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}, .a = {1.0}};
  DlsRelation soft = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}, .C = {0.25}};
  DlsProblem *held = test_dense_problem(2, 1, 2, W, pull, &glue);
  DlsProblem *torn = test_dense_problem(2, 1, 2, W, tear, &glue);
  DlsProblem *elastic = test_dense_problem(2, 1, 2, W, push, &soft);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, held, 1e-12);
    CHECK_NEAR(run.r[0], -0.8, 1e-10);
    CHECK_NEAR(run.u[0], 0, 1e-10);
    test_end(&run);
    run = test_solve(solver, torn, 1e-12);
    CHECK_NEAR(run.r[0], -1, 1e-10);
    CHECK_NEAR(run.u[0], 0.2, 1e-10);
    test_end(&run);
    run = test_solve(solver, elastic, 1e-12);
    CHECK_NEAR(run.r[0], 0.8, 1e-10);
    CHECK_NEAR(run.u[0], -0.2, 1e-10);
    test_end(&run);
  }
  dls_problem_destroy(&held);
  dls_problem_destroy(&torn);
  dls_problem_destroy(&elastic);
}

/* Glued and at rest, nothing loads the contact: r = u = 0, and what is left is the round-off of
 * Ŵ a, which is no error. */
TEST(glue_without_a_load_is_at_rest) {
  const double W[4] = {6.7, -2.1, -2.1, 2.2}, q[2] = {0, 0};
  const DlsRelation glue = {
      .cone = DLS_CONE_COULOMB, .mu = {2.2, 2.2}, .a = {1.37, -0.94}, .C = {0.53, 0}};
  DlsProblem *problem = test_dense_problem(2, 1, 2, W, q, &glue);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-12);
    CHECK_INT(run.report.outcome, DLS_CONVERGED);
    CHECK_BELOW(test_size(2, run.r), 1e-10);
    CHECK_BELOW(test_size(2, run.u), 1e-10);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}

/* Every cone in one problem of block 6, definite W: each solver obeys each relation. */
TEST(all_cones_side_by_side) {
  enum { CONTACTS = 6, ROWS = 6 * CONTACTS };
  static double W[ROWS * ROWS], q[ROWS];
  const DlsCone cones[CONTACTS] = {DLS_CONE_FREE,      DLS_CONE_BILATERAL, DLS_CONE_SLIDER,
                                   DLS_CONE_SIGNORINI, DLS_CONE_COULOMB,   DLS_CONE_ROLLING};
  DlsRelation relations[CONTACTS] = {{0}};
  for (int i = 0; i < ROWS; i++) {
    q[i] = i % 6 == 0 ? -1 : 0.3 * cos(i);
    for (int j = 0; j < ROWS; j++) W[i * ROWS + j] = (i == j) + 0.02 * cos(i - j);
  }
  for (int k = 0; k < CONTACTS; k++)
    relations[k] = (DlsRelation){.cone = cones[k], .mu = {0.3, 0.6, 0.1, 0.05}};
  relations[5].mu[1] = 0.3;
  DlsProblem *problem = test_dense_problem(3, CONTACTS, 6, W, q, relations);
  FOR_EACH_SOLVER (solver) {
    TestRun run = test_solve(solver, problem, 1e-10);
    CHECK_INT(run.report.outcome, DLS_CONVERGED);
    CHECK_BELOW(run.errors.natural, 1e-10);
    for (int k = 0; k < 6; k++) CHECK_NEAR(run.r[k], 0, 0);     /* free */
    for (int k = 6; k < 12; k++) CHECK_NEAR(run.u[k], 0, 1e-8); /* tied */
    CHECK_NEAR(run.u[12], 0, 1e-8);                             /* slider */
    for (int k = 13; k < 18; k++) CHECK_NEAR(run.r[k], 0, 0);
    const double *r = run.r + 24;
    CHECK_BELOW(hypot(r[1] / 0.3, r[2] / 0.6) - r[0], 1e-8); /* the ellipse */
    r = run.r + 30;
    CHECK_BELOW(hypot(r[1], r[2]) - 0.3 * r[0], 1e-8);
    CHECK_BELOW(hypot(r[3], r[4]) - 0.1 * r[0], 1e-8);
    CHECK_BELOW(fabs(r[5]) - 0.05 * r[0], 1e-8);
    test_end(&run);
  }
  dls_problem_destroy(&problem);
}
