/* Powers by least squares, and the groups of a race. */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

#include "compare/groups.h"
#include "compare/power.h"

/* On a power law the fit is that law, without error. */
TEST(a_power_is_found) {
  double point[6][2];
  DlsPower power;
  for (int k = 0; k < 6; k++) point[k][0] = pow(3, k), point[k][1] = 2e-5 * pow(point[k][0], 1.25);
  CHECK(dls_power_fit((const double(*)[2])point, 6, &power));
  CHECK_NEAR(power.exponent, 1.25, 1e-13);
  CHECK_NEAR(power.factor, 2e-5, 1e-17);
  CHECK_BELOW(power.error, 1e-7);
}

/* ln x = -1, 0, 1 and ln y = 0, 0, 3: slope 3/2, intercept 1, residuals 1/2, -1, 1/2, so that the
 * error is sqrt((3/2) / 1 / 2). */
TEST(the_standard_error_is_that_of_the_formula) {
  const double point[3][2] = {{exp(-1), 1}, {1, 1}, {exp(1), exp(3)}};
  DlsPower power;
  CHECK(dls_power_fit(point, 3, &power));
  CHECK_NEAR(power.exponent, 1.5, 1e-14);
  CHECK_NEAR(power.factor, exp(1), 1e-13);
  CHECK_NEAR(power.error, sqrt(0.75), 1e-14);
  CHECK(!dls_power_fit(point, 2, &power) && power.count == 2);
  const double one_size[3][2] = {{7, 1}, {7, 2}, {7, 3}};
  CHECK(!dls_power_fit(one_size, 3, &power));
}

TEST(families_are_what_stands_before_the_number) {
  static const char *const names[][2] = {
      {"Rover1039", "Rover"},
      {"Capsules-i100-1090", "Capsules"},
      {"spheres-in-a-box-98-i10000-256-10", "spheres-in-a-box"},
      {"fc2d_granularflowonwall_00667_00000", "fc2d_granularflowonwall"},
      {"box:500", "box"},
      {"wall", "wall"},
      {"step 120", "step"},
      {"007", "007"}};
  for (int k = 0; k < (int)(sizeof names / sizeof *names); k++) {
    char family[DLS_RACE_NAME];
    dls_problem_family(names[k][0], family);
    CHECK(strcmp(family, names[k][1]) == 0);
  }
}

/* Nine problems: three of each family, sizes 5, 50, 500, five in 2-D; hyperstaticity of seven. */
TEST(groups_hold_what_they_say) {
  static const char *const families[] = {"a", "b", "c"};
  DlsRace race;
  DlsGroups groups;
  CHECK_OK(dls_race_create(9, 1, &race));
  for (int p = 0; p < 9; p++) {
    DlsRaceProblem *problem = &race.problem[p];
    snprintf(problem->name, sizeof problem->name, "%s-%d", families[p % 3], p);
    problem->contacts = p < 3 ? 5 : p < 6 ? 50 : 500;
    problem->dim = problem->block = p < 5 ? 2 : 3;
    problem->measured = p < 7;
    problem->statistics.rows = p < 4 ? 30 : 10;
    problem->statistics.freedom = 10;
  }
  CHECK_OK(dls_groups_find(&race, 3, &groups));
  CHECK(groups.count == 3 + 2 + 3 + 2);
  int member = 0;
  for (int k = 0; k < groups.count; k++) member += groups.group[k].count;
  CHECK(member == 9 + 9 + 9 + 7);
  CHECK(strcmp(groups.group[1].word, "family-b") == 0 && groups.group[1].member[2] == 7);
  CHECK(strcmp(groups.group[3].label, "2-D") == 0 && groups.group[3].count == 5);
  CHECK(strcmp(groups.group[6].label, "10 to 99 contacts") == 0);
  CHECK(strcmp(groups.group[9].word, "hyperstaticity-high") == 0 && groups.group[9].count == 4);
  dls_groups_clear(&groups);
  dls_race_clear(&race);
}
