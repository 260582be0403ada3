/* Relations that contacts share: the problem is the one with a relation for each contact. */
#include <delassus/errors.h>
#include <delassus/problem.h>

#include "tests/test.h"

#include <stdlib.h>

enum { CONTACTS = 4, ROWS = 3 * CONTACTS };

/* A diagonal W of ones. */
static DlsOperator *identity(void) {
  const int start[CONTACTS + 1] = {0, 1, 2, 3, 4}, column[CONTACTS] = {0, 1, 2, 3};
  double value[9 * CONTACTS] = {0};
  DlsOperator *W = NULL;
  for (int i = 0; i < CONTACTS; i++)
    for (int k = 0; k < 3; k++) value[9 * i + 4 * k] = 1;
  CHECK_OK(dls_operator_create_assembled(CONTACTS, 3, start, column, value, &W));
  return W;
}

static const double q[ROWS] = {-1, 0.3, 0, -2, 0, 0.1, 1, 0, 0, -3, 2, 1};
static const int which[CONTACTS] = {0, 1, 0, 1};
static const DlsRelation table[2] = {
    {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}, .b = {0.1}},
    {.cone = DLS_CONE_COULOMB, .mu = {0.2, 0.2}, .a = {0.4}, .C = {0.01, 0.02, 0.02}}};

TEST(shared_relations_make_the_problem_of_separate_ones) {
  DlsRelation each[CONTACTS];
  DlsProblem *shared = NULL, *separate = NULL, *like = NULL;
  DlsOperator *W = identity();
  double r[ROWS], u[ROWS];
  DlsErrors expected, errors;
  for (int i = 0; i < CONTACTS; i++) each[i] = table[which[i]];
  for (int k = 0; k < ROWS; k++) r[k] = 0.1 * k;
  CHECK_OK(dls_problem_create_shared(3, &W, q, table, which, NULL, DLS_USE, &shared));
  W = identity();
  CHECK_OK(dls_problem_create(3, &W, q, each, NULL, &separate));
  W = identity();
  CHECK_OK(dls_problem_set_name(shared, "two relations"));
  CHECK_OK(dls_problem_create_like(shared, &W, &like));
  CHECK(strcmp(dls_problem_name(like), "two relations") == 0);
  CHECK_OK(dls_errors_measure(separate, r, u, &expected));
  CHECK(expected.scaled > 1e-3);
  const DlsProblem *problems[] = {shared, like};
  for (int p = 0; p < 2; p++) {
    CHECK_OK(dls_errors_measure(problems[p], r, u, &errors));
    CHECK_NEAR(errors.scaled, expected.scaled, 0);
    CHECK_NEAR(errors.natural, expected.natural, 0);
    for (int k = 0; k < ROWS; k++)
      CHECK_NEAR(dls_problem_standard_q(problems[p])[k], dls_problem_standard_q(separate)[k], 0);
    for (int i = 0; i < CONTACTS; i++)
      CHECK_NEAR(dls_problem_relation(problems[p], i)->mu[0], each[i].mu[0], 0);
  }
  dls_problem_destroy(&shared);
  dls_problem_destroy(&separate);
  dls_problem_destroy(&like);
}

/* A mistake in a shared relation is told for the first contact that has it. */
TEST(a_wrong_shared_relation_is_refused) {
  DlsRelation wrong[2] = {table[0], table[1]};
  DlsProblem *problem = NULL;
  DlsOperator *W = identity();
  wrong[1].mu[0] = -1;
  CHECK_FAILS(dls_problem_create_shared(3, &W, q, wrong, which, NULL, DLS_USE, &problem),
              DLS_ERR_ARGUMENT, "contact 1 has a negative friction coefficient");
  CHECK(!W && !problem);
}

/* Copied, lent and taken over, the arrays make one problem; only lent ones are the caller's own. */
TEST(arrays_are_copied_lent_or_taken_over) {
  static const DlsOwnership all[] = {DLS_COPY, DLS_USE, DLS_TAKE};
  for (int k = 0; k < 3; k++)
    for (int fails = 0; fails < 2; fails++) {
      DlsProblem *problem = NULL;
      DlsOperator *W = identity();
      double *own_q = malloc(sizeof q);
      DlsRelation *own_relations = malloc(sizeof table);
      int *own_which = malloc(sizeof which);
      memcpy(own_q, q, sizeof q);
      memcpy(own_relations, table, sizeof table);
      memcpy(own_which, which, sizeof which);
      const DlsStatus status = dls_problem_create_shared(fails ? 4 : 3, &W, own_q, own_relations,
                                                         own_which, NULL, all[k], &problem);
      CHECK_INT(status == DLS_OK, !fails);
      CHECK(!W && (problem != NULL) == !fails);
      if (!fails) {
        CHECK_INT(dls_problem_q(problem) == own_q, all[k] != DLS_COPY);
        CHECK_NEAR(dls_problem_relation(problem, 3)->mu[0], 0.2, 0);
      }
      if (all[k] == DLS_COPY && problem) own_q[0] = 7; /* of no effect */
      if (all[k] == DLS_COPY && problem) CHECK_NEAR(dls_problem_q(problem)[0], q[0], 0);
      dls_problem_destroy(&problem);
      if (all[k] == DLS_TAKE) continue;
      free(own_q);
      free(own_relations);
      free(own_which);
    }
}
