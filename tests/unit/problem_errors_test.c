/* Errors against numbers worked out by hand, and the standard form against the relation it comes
 * from. */
#include "tests/test.h"

#include <delassus/errors.h>
#include <delassus/problem.h>
#include <float.h>

/* One contact, W = identity. */
static DlsProblem *unit_problem(const double *q, const DlsRelation *relation) {
  const int start[] = {0, 1}, column[] = {0};
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  DlsOperator *W_of = NULL;
  DlsProblem *problem = NULL;
  CHECK_OK(dls_operator_create_assembled(1, 3, start, column, W, &W_of));
  CHECK_OK(dls_problem_create(3, &W_of, q, relation, NULL, &problem));
  CHECK(W_of == NULL);
  return problem;
}

TEST(natural_error_by_hand) {
  /* r = 0: u = q = (-1, 3, 4), Γ = 5 mu; x = -(u + Γ n) = (1 - 2.5, -3, -4) with mu = 1/2: P has
   * N = (-1.5 + 2.5) / 1.25 = 0.8, |T| = 0.4; e = P. */
  const double q[3] = {-1, 3, 4}, zero[3] = {0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = unit_problem(q, &relation);
  DlsErrors errors;
  double u[3];
  CHECK_OK(dls_errors_measure(problem, zero, u, &errors));
  const double e = hypot(0.8, 0.4), size = sqrt(26.0);
  CHECK_NEAR(errors.natural, e / size, 1e-15);
  CHECK_NEAR(errors.natural_q, e / size, 1e-15);
  CHECK_NEAR(errors.scaled, e / size, 1e-15); /* W_NN = 1 */
  CHECK_NEAR(errors.penetration, 1, 0);
  CHECK_NEAR(u[2], 4, 0);
  /* The solution: stick needs r = (1, -3, -4), outside; slip: r_N = 1, r_T = -(0.3, 0.4). */
  const double r[3] = {1, -0.3, -0.4};
  CHECK_OK(dls_errors_measure(problem, r, u, &errors));
  CHECK_BELOW(errors.natural, 1e-16);
  CHECK_BELOW(errors.bipotential, 1e-15);
  CHECK_BELOW(errors.stagnation, 1e-15);
  CHECK_INT(errors.slip, 1);
  CHECK_INT(errors.open + errors.stick + errors.undecided, 0);
  dls_problem_destroy(&problem);
}

/* `natural` is relative to the physical velocity, whatever the law adds: with C = 20 and b = 3
 * along the normal, r = 1 and q = -5 give u = -4, û = 19, e = r - max(0, r - û) = 1, over |q| =
 * 5. */
TEST(natural_error_is_relative_to_the_physical_pair) {
  const double q[3] = {-5, 0, 0}, r[3] = {1, 0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_SIGNORINI, .C = {20}, .b = {3}};
  DlsProblem *problem = unit_problem(q, &relation);
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  CHECK_NEAR(errors.natural, 1.0 / 5, 1e-15);
  dls_problem_destroy(&problem);
}

/* The limit of friction is mu r_N, along an ellipse that of the direction, and none where the
 * contact would pull. */
TEST(limit_of_friction_by_hand) {
  const double q[3] = {0}, u[3] = {0}, pushes[3] = {2, 0.3, 0}, pulls[3] = {-2, 0.3, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.25}};
  DlsProblem *problem = unit_problem(q, &relation);
  CHECK_NEAR(dls_errors_limit(problem, 0, pushes, u), 1, 1e-15);
  CHECK_NEAR(dls_errors_limit(problem, 0, pulls, u), 0, 0);
  dls_problem_destroy(&problem);
}

/* What moves is faster than contacts that stick are seen to move: one of two sticks with û_T = s,
 * so e = s and v = s / sqrt(2), rho = 1; the other, exactly at its limit, slips at 3 v, not at v /
 * 2. */
TEST(slip_is_faster_than_what_sticks_is_seen_to_move) {
  const int start[] = {0, 1, 2}, column[] = {0, 1};
  const double s = 1e-3, v = s / sqrt(2), q[6] = {-1, 0, 0, -1, 0, 0};
  double W[18] = {0};
  const DlsRelation relations[2] = {{.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}},
                                    {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}}};
  DlsOperator *W_of = NULL;
  DlsProblem *problem = NULL;
  for (int k = 0; k < 6; k++) W[k / 3 * 9 + k % 3 * 4] = 1;
  CHECK_OK(dls_operator_create_assembled(2, 3, start, column, W, &W_of));
  CHECK_OK(dls_problem_create(3, &W_of, q, relations, NULL, &problem));
  for (int fast = 0; fast < 2; fast++) {
    const double r[6] = {1, 0, 0, 1, -0.5, 0}, u[6] = {0, s, 0, 0, fast ? 3 * v : v / 2, 0};
    DlsContactStatus status[2];
    dls_errors_status(problem, r, u, status);
    CHECK_INT(status[0], DLS_STICK);
    CHECK_INT(status[1], fast ? DLS_SLIP : DLS_STICK);
  }
  dls_problem_destroy(&problem);
}

/* Statuses at their borders: r on the cone and yet no slip; a contact that opens with no speed
 * while it slides. Half a unit inside, nothing is undecided. */
TEST(contacts_at_a_border_are_undecided) {
  const DlsRelation coulomb = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  const DlsRelation ellipse = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.25}};
  const DlsRelation smooth = {.cone = DLS_CONE_SIGNORINI}, tied = {.cone = DLS_CONE_BILATERAL};
  const DlsRelation none = {.cone = DLS_CONE_FREE};
  const struct {
    const DlsRelation *relation;
    double q[3], r[3];
    int open, stick, undecided;
  } cases[] = {
      {&coulomb, {-1, 0.5, 0}, {1, -0.5, 0}, 0, 1, 1},
      {&coulomb, {-2, 0.5, 0}, {2, -0.5, 0}, 0, 1, 0},
      {&coulomb, {0, 3, 4}, {0, 0, 0}, 1, 0, 1},
      {&coulomb, {0.5, 3, 4}, {0, 0, 0}, 1, 0, 0},
      {&ellipse, {-1, 0, 0.25}, {1, 0, -0.25}, 0, 1, 1},
      {&ellipse, {0, 4, 0}, {0, 0, 0}, 1, 0, 1},
      {&smooth, {0, 1, 0}, {0, 0, 0}, 1, 0, 1},
      {&smooth, {-1, 1e-9, 0}, {1, 0, 0}, 0, 0, 0},
      {&tied, {-1, 0, 0}, {1, 0, 0}, 0, 1, 0},
      {&none, {0, 0, 0}, {0, 0, 0}, 1, 0, 0},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    DlsProblem *problem = unit_problem(cases[k].q, cases[k].relation);
    DlsErrors errors;
    CHECK_OK(dls_errors_measure(problem, cases[k].r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1e-16);
    CHECK_INT(errors.open, cases[k].open);
    CHECK_INT(errors.stick, cases[k].stick);
    CHECK_INT(errors.undecided, cases[k].undecided);
    dls_problem_destroy(&problem);
  }
}

/* Eq. 32 of Sanni et al.: r = (1, 0, 0), u = (0, 3, 4): mu r_N |u_T| + u·r = 2.5. */
TEST(bipotential_by_hand) {
  const double q[3] = {-1, 3, 4}, r[3] = {1, 0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = unit_problem(q, &relation);
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
  CHECK_NEAR(errors.bipotential, 2.5, 1e-15);
  CHECK_NEAR(errors.stagnation, 0.5, 1e-15); /* r moves to (1, -0.3, -0.4) */
  /* û + Γ n = (2.5, 3, 4): the power 2.5 against |(2.5, 3, 4)| |r| = sqrt(31.25). */
  CHECK_NEAR(errors.energy, 2.5 / sqrt(31.25), 1e-15);
  dls_problem_destroy(&problem);
}

/* û = u + b + C r, r̂ = r + a: an elastic, cohesive, restituting contact solved by hand. */
TEST(standard_form_carries_b_a_and_C) {
  const double q[3] = {-1, 0, 0};
  DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  relation.b[0] = -0.5; /* restitution 1/2 of u⁻ = -1 */
  relation.C[0] = 0.25;
  relation.a[0] = 0.1;
  DlsProblem *problem = unit_problem(q, &relation);
  /* û_N = r - 1 - 0.5 + 0.25 r = 0: r_N = 1.2, u_N = 0.2, r̂_N = 1.3 > 0. */
  const double r[3] = {1.2, 0, 0};
  double u[3];
  DlsErrors errors;
  CHECK_OK(dls_errors_measure(problem, r, u, &errors));
  CHECK_BELOW(errors.natural, 1e-15);
  CHECK_NEAR(u[0], 0.2, 1e-15);
  double r_hat[3] = {1.2, 0, 0}, u_hat[3];
  dls_problem_to_standard(problem, r_hat);
  CHECK_NEAR(r_hat[0], 1.3, 1e-15);
  dls_problem_standard_velocity(problem, r_hat, u_hat);
  CHECK_NEAR(u_hat[0], 0, 1e-15);
  dls_problem_from_standard(problem, r_hat);
  CHECK_NEAR(r_hat[0], 1.2, 1e-15);
  dls_problem_destroy(&problem);
}

TEST(numbers_that_are_not_finite_give_an_infinite_error) {
  const double q[3] = {-1, 0, 0}, r[3] = {NAN, 0, 0};
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  DlsProblem *problem = unit_problem(q, &relation);
  DlsErrors errors;
  dls_errors_measure(problem, r, NULL, &errors);
  CHECK(isinf(errors.natural));
  dls_problem_destroy(&problem);
}

/* u = inf - inf although r is finite and its square too; no cone may take that for a solution. */
TEST(velocities_that_are_not_finite_give_an_infinite_error) {
  const int start[] = {0, 1}, column[] = {0};
  const double W[25] = {1e160, -1e160, 0, 0, 0, -1e160, 1e160, [12] = 1, [18] = 1, [24] = 1};
  const double q[5] = {0}, r[5] = {1e150, 1e150, 0, 0, 0};
  const DlsCone cones[] = {DLS_CONE_SIGNORINI, DLS_CONE_COULOMB, DLS_CONE_ROLLING};
  for (int c = 0; c < DLS_COUNT(cones); c++) {
    DlsRelation relation = {.cone = cones[c], .mu = {1, 1, 1}};
    DlsOperator *W_of = NULL;
    DlsProblem *problem = NULL;
    DlsErrors errors;
    CHECK_OK(dls_operator_create_assembled(1, 5, start, column, W, &W_of));
    CHECK_OK(dls_problem_create(3, &W_of, q, &relation, NULL, &problem));
    CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
    CHECK(isinf(errors.natural) && isinf(errors.scaled));
    dls_problem_destroy(&problem);
    /* The same as a cohesion: q̂ = -W a is refused, before r̂ = 0 reads as a solution. */
    relation.a[0] = relation.a[1] = 1e150;
    CHECK_OK(dls_operator_create_assembled(1, 5, start, column, W, &W_of));
    CHECK_FAILS(dls_problem_create(3, &W_of, q, &relation, NULL, &problem), DLS_ERR_NUMERIC,
                "too large");
  }
}

TEST(without_contacts_all_is_well) {
  const int start[] = {0};
  const double none[1] = {0};
  DlsOperator *W_of = NULL;
  DlsProblem *problem = NULL;
  DlsErrors errors;
  CHECK_OK(dls_operator_create_assembled(0, 3, start, start, none, &W_of));
  CHECK_OK(dls_problem_create(3, &W_of, none, NULL, NULL, &problem));
  CHECK_OK(dls_errors_measure(problem, none, NULL, &errors));
  CHECK_NEAR(errors.natural, 0, 0);
  dls_problem_destroy(&problem);
}

TEST(impossible_relations_are_refused) {
  const double q[3] = {-1, 0, 0};
  const int start[] = {0, 1}, column[] = {0};
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const struct {
    DlsRelation relation;
    const char *sentence;
  } cases[] = {
      {{.cone = DLS_CONE_COULOMB, .mu = {-1, -1}}, "negative friction"},
      {{.cone = DLS_CONE_COULOMB, .mu = {NAN, 0}}, "not finite"},
      {{.cone = DLS_CONE_COULOMB, .C = {-1}}, "negative compliance"},
      {{.cone = (DlsCone)99}, "does not exist"},
      {{.cone = DLS_CONE_ROLLING}, "rolling cone"},
      {{.cone = DLS_CONE_CUSTOM}, "no functions"},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    DlsOperator *W_of = NULL;
    DlsProblem *problem = NULL;
    CHECK_OK(dls_operator_create_assembled(1, 3, start, column, W, &W_of));
    const DlsStatus status = dls_problem_create(3, &W_of, q, &cases[k].relation, NULL, &problem);
    CHECK(status != DLS_OK && problem == NULL && W_of == NULL);
    CHECK(test_contains(dls_error_message(), cases[k].sentence));
  }
}
