/* Tables of a law: what it declares, what it brings with it, whether it can take another. */
#include <string.h>

#include "law/declared.h"
#include "law/law_impl.h"

void dls_law_default_tables(const DlsLaw *law, int all, DlsLawTable *tables) {
  for (int k = 0; k < law->ntables; k++) {
    const DlsTableParam *own = &law->tables[k];
    tables[k] = own->standard;
    if (own->optional && !all) tables[k] = (DlsLawTable){.beyond = own->standard.beyond};
  }
}

/* One number of a row, x or y. */
static DlsStatus check_number(const DlsLaw *law, const DlsTableParam *own, const DlsParam *column,
                              double value) {
  DLS_CHECK(isfinite(value), DLS_ERR_ARGUMENT,
            "contact law '%s': table %s: %s = %g is no finite number", law->name, own->name,
            column->name, value);
  DLS_CHECK(value >= column->min && value <= column->max, DLS_ERR_ARGUMENT,
            "contact law '%s': table %s: %s = %g is not within %g and %g %s", law->name, own->name,
            column->name, value, column->min, column->max, column->unit);
  return DLS_OK;
}

DlsStatus dls_law_table_check(const DlsLaw *law, int k, const DlsLawTable *table, int *row) {
  const DlsTableParam *own = &law->tables[k];
  int nowhere;
  if (!row) row = &nowhere;
  *row = -1;
  if (table->rows == 0 && own->optional) return DLS_OK;
  DLS_CHECK(table->rows >= 2 && table->rows <= DLS_MAX_ROWS, DLS_ERR_ARGUMENT,
            "contact law '%s': table %s has %d rows; 2 to %d are possible", law->name, own->name,
            table->rows, (int)DLS_MAX_ROWS);
  for (*row = 0; *row < table->rows; ++*row) {
    const double *x = table->x + *row, *y = table->y + *row;
    DLS_TRY(check_number(law, own, &own->x, *x));
    DLS_TRY(check_number(law, own, &own->y, *y));
    if (*row == 0) continue;
    DLS_CHECK(x[0] > x[-1], DLS_ERR_ARGUMENT,
              "contact law '%s': table %s: %s = %g follows %g; it grows from row to row: sort the "
              "rows, and keep one of those that are equal",
              law->name, own->name, own->x.name, x[0], x[-1]);
    DLS_CHECK(!own->rising || y[0] >= y[-1], DLS_ERR_ARGUMENT,
              "contact law '%s': table %s: %s falls from %g to %g, which this law cannot follow; "
              "let it rise or stay",
              law->name, own->name, own->y.name, y[-1], y[0]);
  }
  *row = -1;
  return DLS_OK;
}

#define REFUSE_UNLESS(condition, ...) DLS_CHECK(condition, DLS_ERR_PLUGIN, __VA_ARGS__)

/* What a table is called, and its columns, as rows of a table of their own. */
static DlsStatus check_names(const DlsLaw *law, const char *who, const char *from, int k) {
  const DlsTableParam *own = &law->tables[k];
  DlsParam rows[3] = {
      {own->name, "1", own->meaning, 0, -DLS_NO_BOUND, DLS_NO_BOUND, 0}, own->x, own->y};
  static const char *const what[] = {"table", "column", "column"};
  for (int i = 1; i < 3; i++) /* .value is not read */
    rows[i].value = rows[i].min > 0 ? rows[i].min : rows[i].max < 0 ? rows[i].max : 0;
  for (int i = 0; i < 3; i++) DLS_TRY(dls_declared_row(who, what[i], &rows[i], 0));
  REFUSE_UNLESS(strcmp(own->x.name, own->y.name) != 0 && strcmp(own->x.name, "file") != 0 &&
                    strcmp(own->y.name, "file") != 0,
                "contact law %s: the columns of table '%s' are called '%s' and '%s'; give each a "
                "name of its own, other than file",
                from, own->name, own->x.name, own->y.name);
  for (int i = 0; i < k; i++)
    REFUSE_UNLESS(strcmp(law->tables[i].name, own->name) != 0,
                  "contact law %s: tables %d and %d are both called '%s'; rename one", from, i, k,
                  own->name);
  return DLS_OK;
}

DlsStatus dls_law_check_tables(const DlsLaw *law, const char *who, const char *from) {
  int all = 0;
  REFUSE_UNLESS(law->ntables >= 0 && law->ntables <= DLS_MAX_TABLES,
                "contact law %s: it declares %d tables, %d are allowed", from, law->ntables,
                (int)DLS_MAX_TABLES);
  REFUSE_UNLESS(law->ntables == 0 || law->tables,
                "contact law %s: its table of %d tables is NULL; set the pointer", from,
                law->ntables);
  for (int k = 0; k < law->ntables; k++) {
    const DlsTableParam *own = &law->tables[k];
    const DlsLawTable *standard = &own->standard;
    DLS_TRY(check_names(law, who, from, k));
    REFUSE_UNLESS(standard->beyond == DLS_TABLE_HOLD || standard->beyond == DLS_TABLE_LINE,
                  "contact law %s: table '%s' goes on by %d, not known; take DLS_TABLE_HOLD or "
                  "DLS_TABLE_LINE",
                  from, own->name, standard->beyond);
    REFUSE_UNLESS(standard->rows >= 2 && standard->x && standard->y,
                  "contact law %s: table '%s' has no default of 2 rows or more; set .standard",
                  from, own->name);
    if (dls_law_table_check(law, k, standard, NULL) != DLS_OK)
      return dls_fail_context(DLS_ERR_PLUGIN, "contact law %s: the default of a table", from);
    all += standard->rows;
  }
  REFUSE_UNLESS(all <= DLS_MAX_ROWS, "contact law %s: its tables have %d rows, %d are allowed",
                from, all, (int)DLS_MAX_ROWS);
  return DLS_OK;
}
