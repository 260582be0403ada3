/* Tables of laws: interpolation, what a loader refuses, who is told of which, what a failure
 * keeps. */
#include "tests/test.h"

#include "law/failure.h"

#include <math.h>
#include <string.h>

static const double speeds[] = {0, 1, 3}, coefficients[] = {0.5, 0.3, 0.7};
static const double depths[] = {0, 2}, forces[] = {0, 8};
static const DlsTableParam both[] = {
    {.name = "friction",
     .meaning = "friction coefficient against speed",
     .x = {"speed", "m/s", "of sliding", .min = 0, .max = DLS_NO_BOUND},
     .y = {"mu", "1", "friction coefficient", .min = 0, .max = 2},
     .standard = {3, DLS_TABLE_HOLD, speeds, coefficients}},
    {.name = "normal",
     .meaning = "normal force against overlap",
     .x = {"overlap", "m", "", .min = 0, .max = DLS_NO_BOUND},
     .y = {"force", "N", "", .min = 0, .max = DLS_NO_BOUND},
     .rising = 1,
     .optional = 1,
     .standard = {2, DLS_TABLE_LINE, depths, forces}},
};

/* mu[1] says how many rows the law was told of, mu[0] what its first table is at 1.5. */
static DlsStatus prepare(const DlsContact *c, const double *params, const double *state,
                         DlsRelation *out) {
  (void)params, (void)state;
  out->cone = DLS_CONE_COULOMB;
  out->mu[0] += dls_law_table_at(&c->tables[0], 1.5, NULL);
  out->mu[1] += 10 * out->mu[1] + c->tables[0].rows;
  return c->tables[0].y[0] > 1 ? DLS_ERR_LAW : DLS_OK;
}

static double range(const DlsPair *pair, const double *params) {
  (void)params;
  return dls_law_table_at(&pair->tables[0], 0.5, NULL);
}

#define LAW(name_, tables_, count_)                                                                \
  {                                                                                                \
    DLS_LAW_HEAD, .name = name_, .summary = "for tests", .references = "", .tables = (tables_),    \
                  .ntables = (count_), .composes = 1, .range = range, .prepare = prepare           \
  }
static const DlsLaw two = LAW("two", both, 2), other = LAW("other", both, 1);

TEST(a_table_is_read_by_straight_lines) {
  double slope;
  const DlsLawTable *held = &both[0].standard, *line = &both[1].standard;
  CHECK_NEAR(dls_law_table_at(held, 0.25, &slope), 0.45, 1e-15);
  CHECK_NEAR(slope, -0.2, 1e-15);
  CHECK_NEAR(dls_law_table_at(held, 1, &slope), 0.3, 0); /* at a row: the line to its right */
  CHECK_NEAR(slope, 0.2, 1e-15);
  CHECK_NEAR(dls_law_table_at(held, -1, &slope), 0.5, 0);
  CHECK_NEAR(slope, 0, 0);
  CHECK_NEAR(dls_law_table_at(held, 3, &slope), 0.7, 0);
  CHECK_NEAR(slope, 0, 0);
  CHECK_NEAR(dls_law_table_at(line, 5, &slope), 20, 0);
  CHECK_NEAR(slope, 4, 0);
  CHECK_NEAR(dls_law_table_at(line, -1, &slope), -4, 0);
  CHECK_NEAR(dls_law_table_at(&(DlsLawTable){0}, 1, &slope), 0, 0); /* none */
}

/* On every row of a long table, and between. */
TEST(the_right_line_is_found_in_a_long_table) {
  enum { ROWS = 257 };
  double x[ROWS], y[ROWS];
  for (int i = 0; i < ROWS; i++) {
    x[i] = i * i;
    y[i] = i % 2 ? i : -i;
  }
  const DlsLawTable table = {ROWS, DLS_TABLE_HOLD, x, y};
  for (int i = 0; i < ROWS; i++) CHECK_NEAR(dls_law_table_at(&table, x[i], NULL), y[i], 0);
  for (int i = 1; i < ROWS; i++)
    CHECK_NEAR(dls_law_table_at(&table, 0.5 * (x[i - 1] + x[i]), NULL), 0.5 * (y[i - 1] + y[i]),
               1e-12);
}

static void refused(const DlsTableParam *tables, int count, const char *sentence) {
  const DlsLaw law = LAW("two", tables, count);
  CHECK_FAILS(dls_law_check(&law, "here"), DLS_ERR_PLUGIN, sentence);
}

TEST(declarations_of_tables_are_checked) {
  static const double equal[] = {0, 1, 1}, falling[] = {1, 0}, negative[] = {-1, 1, 2};
  DlsTableParam bad[2];
  CHECK_OK(dls_law_check(&two, "here"));
  refused(both, 9, "it declares 9 tables, 8 are allowed");
  refused(NULL, 2, "its table of 2 tables is NULL");
#define BAD(change, sentence)                                                                      \
  memcpy(bad, both, sizeof bad);                                                                   \
  change;                                                                                          \
  refused(bad, 2, sentence)
  BAD(bad[1].name = "friction", "tables 0 and 1 are both called 'friction'");
  BAD(bad[0].name = "1st", "the name of table 0 is not of the form");
  BAD(bad[0].meaning = NULL, "table 'friction' has no meaning");
  BAD(bad[0].x.unit = NULL, "column 'speed' has no unit");
  BAD(bad[0].y.name = "speed", "the columns of table 'friction' are called 'speed' and 'speed'");
  BAD(bad[0].x.name = "file", "other than file");
  BAD(bad[0].standard.beyond = 7, "table 'friction' goes on by 7, not known");
  BAD(bad[0].standard.rows = 1, "table 'friction' has no default of 2 rows or more");
  BAD(bad[1].standard.x = NULL, "table 'normal' has no default");
  BAD(bad[0].standard.x = equal, "speed = 1 follows 1; it grows from row to row");
  BAD(bad[0].standard.x = negative, "speed = -1 is not within 0 and inf m/s");
  BAD(bad[1].standard.y = falling, "force falls from 1 to 0");
#undef BAD
}

TEST(a_table_that_a_law_cannot_take_is_refused_with_its_row) {
  const double x[] = {0, 1, 2}, high[] = {0, 3, 1}, none[] = {0, NAN, 1};
  int row;
  CHECK_FAILS(dls_law_table_check(&two, 0, &(DlsLawTable){3, 0, x, high}, &row), DLS_ERR_ARGUMENT,
              "contact law 'two': table friction: mu = 3 is not within 0 and 2 1");
  CHECK_INT(row, 1);
  CHECK_FAILS(dls_law_table_check(&two, 0, &(DlsLawTable){3, 0, none, x}, &row), DLS_ERR_ARGUMENT,
              "speed = nan is no finite number");
  CHECK_INT(row, 1);
  CHECK_FAILS(dls_law_table_check(&two, 0, &(DlsLawTable){0}, &row), DLS_ERR_ARGUMENT,
              "table friction has 0 rows");
  CHECK_INT(row, -1);
  CHECK_OK(dls_law_table_check(&two, 1, &(DlsLawTable){0}, NULL)); /* it is optional */
}

TEST(optional_tables_are_absent_unless_all_are_wanted) {
  DlsLawTable tables[2];
  dls_law_default_tables(&two, 0, tables);
  CHECK_INT(tables[0].rows, 3);
  CHECK_INT(tables[1].rows, 0);
  CHECK_INT(tables[1].beyond, DLS_TABLE_LINE);
  dls_law_default_tables(&two, 1, tables);
  CHECK_INT(tables[1].rows, 2);
}

/* Each law of a list sees its own. */
TEST(laws_of_a_list_have_their_own_tables) {
  static const double x[] = {0, 1}, y[] = {0.125, 0.125};
  const DlsLaw *const then[] = {&other, NULL};
  const DlsLawTable tables[] = {both[0].standard, both[1].standard, {2, 0, x, y}};
  DlsContact contact = dls_contact_default(3);
  DlsLawUse use = {.law = &two, .contact = 7, .kinematics = &contact, .then = then};
  DlsRelation relation;
  double reach;
  CHECK_INT(dls_law_count_tables(&use), 3);
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW,
              "it wants 2 tables, of which it is told nothing");
  CHECK_FAILS(dls_law_range(&use, &(DlsPair){.dim = 3}, &reach), DLS_ERR_LAW,
              "it wants 2 tables, of which its range is told nothing");
  contact.tables = tables;
  CHECK_OK(dls_law_prepare(&use, &relation));
  CHECK_NEAR(relation.mu[0], 0.4 + 0.125, 1e-15);
  CHECK_NEAR(relation.mu[1], 3 + 10 * 3 + 2, 0);
  const DlsPair pair = dls_law_pair(&contact);
  CHECK_OK(dls_law_range(&use, &pair, &reach));
  CHECK_NEAR(reach, 0.4, 1e-15); /* the farthest */
}

/* A failure holds the numbers, and repeats it when those that were lent have gone. */
TEST(a_failure_keeps_the_tables) {
  double x[] = {0, 1}, y[] = {1.5, 1};
  DlsLawTable tables[2] = {{2, DLS_TABLE_HOLD, x, y}};
  DlsContact contact = dls_contact_default(3);
  DlsLawFailure failure;
  DlsRelation relation;
  contact.tables = tables;
  const DlsLawUse use = {.law = &two, .contact = 7, .kinematics = &contact};
  CHECK_FAILS(dls_law_prepare(&use, &relation), DLS_ERR_LAW, "prepare failed");
  CHECK(dls_law_failure_last(&failure));
  memset(x, 0, sizeof x);
  memset(y, 0, sizeof y);
  memset(tables, 0, sizeof tables);
  const DlsLawUse kept = dls_law_failure_use(&failure);
  CHECK_INT(kept.kinematics->tables[0].rows, 2);
  CHECK_NEAR(kept.kinematics->tables[0].x[1], 1, 0);
  CHECK_NEAR(kept.kinematics->tables[0].y[0], 1.5, 0);
  CHECK_INT(kept.kinematics->tables[1].rows, 0);
  CHECK_FAILS(dls_law_failure_repeat(&failure), DLS_ERR_LAW, "prepare failed");
}
