/* Statistics of the public problems against the table that came with them: contacts, islands and
 * friction exactly; rank within what another threshold changes; asymmetry, which that table
 * measures in another norm, within a factor of six. */
#include <delassus/fclib.h>
#include <delassus/statistics.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

typedef struct {
  char name[128];
  int dim, contacts, rows, rank, islands;
  double mu, asymmetry;
} Row;

/* | name | dim | contacts | rows | rank | mu | asym | islands | what | */
static bool read_row(const char *line, Row *row) {
  return sscanf(line, "| %127s | %d | %d | %d | %d | %lf | %lf | %d |", row->name, &row->dim,
                &row->contacts, &row->rows, &row->rank, &row->mu, &row->asymmetry,
                &row->islands) == 8;
}

static void check_row(const char *shared, const Row *row) {
  char path[4096];
  DlsProblem *problem = NULL;
  DlsStatistics s;
  snprintf(path, sizeof path, "%s/fclib/local/%s.hdf5", shared, row->name);
  CHECK_OK(dls_fclib_read(path, &problem, NULL));
  if (!problem) return;
  CHECK_OK(dls_statistics_measure(problem, &s));
  const int apart = abs(s.rank - row->rank), most = 3 + row->rows / 300;
  const bool round_off = row->asymmetry < 1e-11 && s.asymmetry < 1e-11;
  const double ratio = round_off ? 1 : s.asymmetry / row->asymmetry;
  const bool right = s.dim == row->dim && s.contacts == row->contacts && s.rows == row->rows &&
                     s.islands == row->islands && apart <= most && fabs(s.mu_min - row->mu) < 1e-12;
  if (!right || s.rank_is_bound)
    test_fail(path, 0, "dim %d contacts %d rows %d islands %d rank %d (table %d) mu %g", s.dim,
              s.contacts, s.rows, s.islands, s.rank, row->rank, s.mu_min);
  if (!(ratio > 1.0 / 6 && ratio < 6))
    test_fail(path, 0, "asymmetry %g, table %g", s.asymmetry, row->asymmetry);
  dls_problem_destroy(&problem);
}

TEST(public_problems_have_the_statistics_of_their_table) {
  const char *shared = test_shared();
  if (!shared) test_skip("the public problems are not here");
  char path[4096], line[1024];
  int rows = 0;
  snprintf(path, sizeof path, "%s/fclib/README.md", shared);
  FILE *table = fopen(path, "r");
  if (!table) test_skip("the table of the public problems is not here");
  for (Row row; fgets(line, sizeof line, table);) {
    if (!read_row(line, &row)) continue;
    rows++;
    check_row(shared, &row);
  }
  fclose(table);
  CHECK(rows >= 30);
}
