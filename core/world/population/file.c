/* Grains from a CSV file. */
#include <limits.h>
#include <stddef.h>

#include "base/checked.h"
#include "base/table.h"
#include "world/population/population_impl.h"

/* Which columns hold what: -1 for one that is not there. */
typedef struct {
  int x[3], size, kind;
  double factor; /* radius over size: 1, or 0.5 where the column holds diameters */
} Columns;

static DlsStatus find_named(const char *path, const DlsTable *table, int dim, Columns *columns) {
  static const struct {
    const char *name;
    double factor;
  } sizes[] = {{"r", 1}, {"radius", 1}, {"d", 0.5}, {"diameter", 0.5}};
  for (int a = 0; a < 3; a++) {
    const char name[2] = {"xyz"[a], '\0'};
    columns->x[a] = dls_table_find(table, name);
    DLS_CHECK(a >= dim || columns->x[a] >= 0, DLS_ERR_FORMAT,
              "%s: there is no column '%s': x, y%s and r are wanted", path, name,
              dim == 3 ? ", z" : "");
  }
  columns->size = -1;
  for (int i = 0; i < DLS_COUNT(sizes); i++) {
    const int found = dls_table_find(table, sizes[i].name);
    if (found < 0) continue;
    DLS_CHECK(columns->size < 0, DLS_ERR_FORMAT,
              "%s: the columns '%s' and '%s' both give the size: leave one out", path,
              table->name[columns->size], table->name[found]);
    columns->size = found;
    columns->factor = sizes[i].factor;
  }
  DLS_CHECK(columns->size >= 0, DLS_ERR_FORMAT,
            "%s: there is no column 'r' (radius) or 'd' (diameter)", path);
  columns->kind = dls_table_find(table, "kind");
  return DLS_OK;
}

/* x, y, (z,) r and perhaps kind, in this order. */
static DlsStatus find_columns(const char *path, const DlsTable *table, int dim, Columns *columns) {
  if (table->named) return find_named(path, table, dim, columns);
  DLS_CHECK(table->columns == dim + 1 || table->columns == dim + 2, DLS_ERR_FORMAT,
            "%s: %d columns without names: %s wanted, and perhaps kind", path, table->columns,
            dim == 2 ? "x, y, r are" : "x, y, z, r are");
  *columns = (Columns){.x = {0, 1, dim == 3 ? 2 : -1}, .size = dim, .factor = 1};
  columns->kind = table->columns == dim + 2 ? dim + 1 : -1;
  return DLS_OK;
}

static DlsStatus take_row(const char *path, const DlsTable *table, const Columns *columns, int i,
                          DlsPopulation *p) {
  const double *row = table->value + (size_t)i * (size_t)table->columns;
  const int line = table->line[i];
  for (int a = 0; a < 3; a++)
    p->centre[3 * (size_t)i + (size_t)a] = columns->x[a] >= 0 ? row[columns->x[a]] : 0;
  DLS_CHECK(p->dim == 3 || p->centre[3 * (size_t)i + 2] == 0, DLS_ERR_FORMAT,
            "%s:%d: z = %g: in 2-D it must be 0, or not there", path, line,
            p->centre[3 * (size_t)i + 2]);
  p->radius[i] = columns->factor * row[columns->size];
  DLS_CHECK(p->radius[i] > 0, DLS_ERR_FORMAT, "%s:%d: the size %g is not positive", path, line,
            row[columns->size]);
  if (columns->kind < 0) return DLS_OK;
  const double kind = row[columns->kind];
  DLS_CHECK(dls_checked_real(kind, 0, INT_MAX, &p->kind[i]), DLS_ERR_FORMAT,
            "%s:%d: the kind is %g: a whole number from 0 is wanted", path, line, kind);
  return DLS_OK;
}

DlsStatus dls_population_read(const char *path, int dim, DlsPopulation *out) {
  DlsTable table;
  Columns columns = {.kind = -1};
  dls_population_clear(out);
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "%s: dimension %d: 2 or 3", path, dim);
  DLS_TRY(dls_table_read(path, &table));
  DlsStatus status = find_columns(path, &table, dim, &columns);
  if (status == DLS_OK) status = dls_population_create(path, dim, table.rows, out);
  for (int i = 0; status == DLS_OK && i < table.rows; i++)
    status = take_row(path, &table, &columns, i, out);
  dls_table_clear(&table);
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}
