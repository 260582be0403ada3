/* A fingerprint tells problems apart by what they hold, and by nothing else. */
#include "tests/test.h"

#include <delassus/problem.h>

#include <string.h>

typedef struct {
  double W[9], q[3];
  DlsRelation relation;
  const char *name;
} Parts;

static const Parts plain = {.W = {2, 0, 0, 0, 3, 0, 0, 0, 3},
                            .q = {-1, 0.5, 0},
                            .relation = {.cone = DLS_CONE_COULOMB, .mu = {0.3, 0.3}},
                            .name = "plain"};

static void print_of(const Parts *parts, char out[DLS_FINGERPRINT]) {
  const int start[] = {0, 1}, column[] = {0};
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  out[0] = '\0';
  CHECK_OK(dls_operator_create_assembled(1, 3, start, column, parts->W, &W));
  CHECK_OK(dls_problem_create(3, &W, parts->q, &parts->relation, NULL, &problem));
  CHECK_OK(dls_problem_set_name(problem, parts->name));
  CHECK_OK(dls_problem_fingerprint(problem, out));
  dls_problem_destroy(&problem);
}

static void check_differs(const Parts *other, const char *what) {
  char a[DLS_FINGERPRINT], b[DLS_FINGERPRINT];
  print_of(&plain, a);
  print_of(other, b);
  if (strcmp(a, b) == 0) test_fail(__FILE__, __LINE__, "another %s has the same fingerprint", what);
}

TEST(the_name_does_not_count) {
  char a[DLS_FINGERPRINT], b[DLS_FINGERPRINT];
  Parts renamed = plain;
  renamed.name = "renamed";
  print_of(&plain, a);
  print_of(&renamed, b);
  CHECK_INT((int)strlen(a), DLS_FINGERPRINT - 1);
  CHECK(strcmp(a, b) == 0);
}

TEST(every_number_counts) {
  Parts dilatant = plain;
  dilatant.relation.associated = 1e-15;
  check_differs(&dilatant, "associated");
  for (int k = 0; k < 3; k++) {
    Parts other = plain;
    other.q[k] += 1e-15;
    check_differs(&other, "q");
    other = plain;
    other.W[4 * k] += 1e-15;
    check_differs(&other, "W");
    other = plain;
    other.relation.a[k] = 1e-300;
    check_differs(&other, "a");
    other = plain;
    other.relation.b[k] = 1e-300;
    check_differs(&other, "b");
    other = plain;
    other.relation.C[k] = 1e-300;
    check_differs(&other, "C");
  }
  Parts other = plain;
  other.relation.mu[DLS_MU_2] = 0.31;
  check_differs(&other, "mu");
  other = plain;
  other.relation.cone = DLS_CONE_SIGNORINI;
  check_differs(&other, "cone");
}
