/* Statistics and islands on problems whose numbers are known by counting. */
#include <delassus/islands.h>
#include <delassus/sample.h>
#include <delassus/statistics.h>

#include <stdlib.h>

#include "tests/test.h"

static DlsStatistics measure(const char *name, int size) {
  const DlsSample *sample;
  DlsProblem *problem = NULL;
  DlsStatistics out = {0};
  CHECK_OK(dls_sample_find(name, &sample));
  DlsSampleParams params = sample->defaults;
  params.size = size;
  CHECK_OK(dls_sample_create(name, &params, &problem, NULL));
  CHECK_OK(dls_statistics_measure(problem, &out));
  dls_problem_destroy(&problem);
  return out;
}

TEST(particles_apart_are_islands) {
  const DlsStatistics s = measure("slope", 20);
  CHECK_INT(s.islands, 20);
  CHECK_INT(s.largest_island, 1);
  CHECK_INT(s.bodies, 20);
  CHECK_NEAR(s.contacts_per_body, 1, 0);
  CHECK_NEAR(s.density, 1.0 / 20, 1e-15);
  CHECK_INT(s.rank, 60);
  CHECK_NEAR(s.w_min, 0.5, 1e-15);
  CHECK_NEAR(s.w_max, 0.5, 1e-15);
  CHECK_NEAR(s.mu_min, 0.5 / 20, 1e-15);
  CHECK_NEAR(s.mu_max, 0.5, 1e-15);
  CHECK_INT(s.cones[DLS_CONE_COULOMB], 20);
}

/* A rigid body has six degrees of freedom, so n legs give rank 6 from three legs on. */
TEST(rank_of_a_table_is_six) {
  for (int legs = 3; legs <= 20; legs++) {
    const DlsStatistics s = measure("table", legs);
    CHECK_INT(s.rank, 6);
    CHECK_INT(s.rows, 3 * legs);
    CHECK_INT(s.islands, 1);
    CHECK(!s.rank_is_bound);
    CHECK_BELOW(s.asymmetry, 1e-15);
  }
}

/* Spheres of a column: W is block tridiagonal; the contact rows are independent but for the spins
 * about the axis, which no contact holds. */
TEST(column_is_block_tridiagonal) {
  const DlsStatistics s = measure("column", 10);
  CHECK_INT(s.blocks_per_row_max, 3);
  CHECK_NEAR(s.blocks_per_row, 2.8, 1e-14);
  CHECK_INT(s.islands, 1);
  CHECK_INT(s.rank, 30);
  CHECK_INT(s.contacts_per_body_max, 2);
  CHECK_INT(s.freedom, 60);
}

/* A wall cannot have more rank than its bricks have freedom. */
TEST(wall_is_hyperstatic) {
  const DlsStatistics s = measure("wall", 4);
  CHECK_INT(s.bodies, 18);
  CHECK_INT(s.contacts, 112);
  CHECK(s.rank <= s.freedom);
  CHECK(s.rank < s.rows);
  CHECK(strcmp(s.form, "factored") == 0);
}

/* The same numbers on the assembled form, which knows no bodies. */
TEST(assembled_form_gives_the_same_rank_and_islands) {
  DlsProblem *factored = NULL, *assembled = NULL;
  DlsOperator *W = NULL;
  DlsStatistics a, b;
  CHECK_OK(dls_sample_create("wall", &(DlsSampleParams){.size = 3, .mu = 0.5, .h = 1e-3}, &factored,
                             NULL));
  CHECK_OK(dls_operator_assemble(dls_problem_operator(factored), &W));
  CHECK_OK(dls_problem_create_like(factored, &W, &assembled));
  CHECK_OK(dls_statistics_measure(factored, &a));
  CHECK_OK(dls_statistics_measure(assembled, &b));
  CHECK_INT(a.rank, b.rank);
  CHECK_INT(a.islands, b.islands);
  CHECK_INT(a.blocks_per_row_max, b.blocks_per_row_max);
  CHECK_INT(b.bodies, 0);
  CHECK_NEAR(a.w_median, b.w_median, 0);
  dls_problem_destroy(&factored);
  dls_problem_destroy(&assembled);
}

/* Three contacts, W couples 0 and 2 only, and a stored block of zeros couples nothing. An
 * unsymmetric entry of 3 against 1 with largest entry 5 gives 2/5. */
TEST(islands_and_asymmetry_of_a_written_matrix) {
  const int start[] = {0, 3, 4, 6}, column[] = {0, 1, 2, 1, 0, 2};
  const double value[] = {5, 0, 0, 5, /**/ 0, 0, 0, 0, /**/ 3, 0, 0, 0,
                          5, 0, 0, 5, /**/ 1, 0, 0, 0, /**/ 5, 0, 0, 5};
  const double q[6] = {0};
  const DlsRelation relations[3] = {{.cone = DLS_CONE_COULOMB, .mu = {0.2}},
                                    {.cone = DLS_CONE_SIGNORINI},
                                    {.cone = DLS_CONE_COULOMB, .mu = {0.7}}};
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  DlsStatistics s;
  int island[3], count;
  CHECK_OK(dls_operator_create_assembled(3, 2, start, column, value, &W));
  CHECK_OK(dls_islands_find(W, island, &count));
  CHECK_INT(count, 2);
  CHECK(island[0] == 0 && island[1] == 1 && island[2] == 0);
  CHECK_OK(dls_problem_create(2, &W, q, relations, NULL, &problem));
  CHECK_OK(dls_statistics_measure(problem, &s));
  CHECK_NEAR(s.asymmetry, 0.4, 1e-15);
  CHECK_INT(s.islands, 2);
  CHECK_INT(s.rank, 6);
  CHECK_NEAR(s.mu_min, 0.2, 0);
  CHECK_NEAR(s.mu_max, 0.7, 0);
  CHECK_INT(s.cones[DLS_CONE_SIGNORINI], 1);
  dls_problem_destroy(&problem);
}
