/* Tables read back: names and units, cells in quotes, torn and wrong rows; formulas of columns. */
#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "record/columns.h"
#include "record/columns_formula.h"

static const char *put(const char *text) {
  static char path[600];
  mkdir(TEST_BINARY_DIR "/tests/tmp", 0777);
  snprintf(path, sizeof path, "%s/tests/tmp/columns.csv", TEST_BINARY_DIR);
  FILE *file = fopen(path, "w");
  CHECK(file != NULL);
  if (file) {
    fputs(text, file);
    fclose(file);
  }
  return path;
}

TEST(names_units_and_cells) {
  DlsColumns c;
  CHECK_OK(dls_columns_read(put("time [s],\"a, \"\"b\"\" [J]\",word\n"
                                "0.5,2e3,\"x, y\"\n\n"
                                "1,nan,plain\n"
                                "2,to"),
                            &c));
  CHECK_INT(c.columns, 3);
  CHECK_INT(c.rows, 2); /* the third is torn */
  CHECK(strcmp(c.name[0], "time") == 0 && strcmp(c.unit[0], "s") == 0);
  CHECK(strcmp(c.name[1], "a, \"b\"") == 0 && strcmp(c.unit[1], "J") == 0);
  CHECK(strcmp(c.name[2], "word") == 0 && strcmp(c.unit[2], "") == 0);
  CHECK(dls_columns_at(&c, 0, 0) == 0.5 && dls_columns_at(&c, 0, 1) == 2000);
  CHECK(isnan(dls_columns_at(&c, 1, 1)) && isnan(dls_columns_at(&c, 0, 2)));
  CHECK(strcmp(c.cell[2], "x, y") == 0 && strcmp(c.cell[5], "plain") == 0);
  CHECK_INT(dls_columns_find(&c, "word"), 2);
  CHECK_INT(dls_columns_find(&c, "time [s]"), -1);
  int column;
  CHECK_FAILS(dls_columns_need(&c, "tine", &column), DLS_ERR_ARGUMENT, "did you mean `time`?");
  dls_columns_clear(&c);
}

TEST(wrong_tables_are_refused_with_their_line) {
  DlsColumns c;
  CHECK_FAILS(dls_columns_read(put("a,b\n1,2\n3\n"), &c), DLS_ERR_FORMAT, "columns.csv:3: has 1");
  CHECK_FAILS(dls_columns_read(put("no end of line"), &c), DLS_ERR_FORMAT, "columns.csv:1: is no");
  CHECK_FAILS(dls_columns_read("/nowhere/at.csv", &c), DLS_ERR_FILE, "/nowhere/at.csv");
}

TEST(formulas_are_columns_or_expressions_of_them) {
  DlsColumns c;
  DlsColumnsFormula *f = NULL;
  CHECK_OK(dls_columns_read(put("time [s],force_x_top [N],e\n1,2,3\n2,5,7\n"), &c));
  CHECK_OK(dls_columns_formula_create("force_x_top", &c, &f));
  CHECK(dls_columns_formula_at(f, 1) == 5 && strcmp(dls_columns_formula_unit(f), "N") == 0);
  dls_columns_formula_destroy(&f);
  CHECK_OK(dls_columns_formula_create("t", &c, &f)); /* the time */
  CHECK(dls_columns_formula_at(f, 1) == 2 && strcmp(dls_columns_formula_unit(f), "s") == 0);
  dls_columns_formula_destroy(&f);
  /* The e of a number is no column, the one by itself is. */
  CHECK_OK(dls_columns_formula_create("1e1*force_x_top - e/t", &c, &f));
  CHECK_NEAR(dls_columns_formula_at(f, 0), 17, 1e-12);
  CHECK_NEAR(dls_columns_formula_at(f, 1), 46.5, 1e-12);
  CHECK(strcmp(dls_columns_formula_unit(f), "") == 0);
  dls_columns_formula_destroy(&f);
  CHECK_FAILS(dls_columns_formula_create("force_x_topp", &c, &f), DLS_ERR_ARGUMENT,
              "`force_x_top`?");
  CHECK_FAILS(dls_columns_formula_create("2*3", &c, &f), DLS_ERR_ARGUMENT, "names none");
  CHECK_FAILS(dls_columns_formula_create("e+(t", &c, &f), DLS_ERR_ARGUMENT, "columns.csv");
  dls_columns_clear(&c);
}
