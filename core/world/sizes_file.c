/* Sizes that were measured: a column of a CSV file. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/nearest.h"
#include "base/table.h"
#include "world/sizes.h"

void dls_sizes_clear(DlsSizes *sizes) {
  if (!sizes) return;
  free((void *)(size_t)sizes->values);
  free((void *)(size_t)sizes->shares);
  memset(sizes, 0, sizeof *sizes);
}

static DlsStatus find_column(const char *path, const DlsTable *table, const char *column,
                             int *out) {
  *out = 0;
  if (!column) {
    DLS_CHECK(table->columns == 1, DLS_ERR_ARGUMENT,
              "%s: has %d columns: say which one holds the sizes", path, table->columns);
    return DLS_OK;
  }
  DLS_CHECK(table->named, DLS_ERR_FORMAT,
            "%s: the first line holds no names, so there is no column '%s'", path, column);
  *out = dls_table_find(table, column);
  if (*out >= 0) return DLS_OK;
  const char *names[DLS_TABLE_COLUMNS];
  for (int i = 0; i < table->columns; i++) names[i] = table->name[i];
  const char *nearest = dls_nearest(column, names, table->columns);
  return dls_fail(DLS_ERR_ARGUMENT, "%s: there is no column '%s'%s%s%s", path, column,
                  nearest ? "; is '" : "", nearest ? nearest : "", nearest ? "' meant?" : "");
}

static DlsStatus copy_column(const char *path, const DlsTable *table, int column, double factor,
                             double *values) {
  for (int i = 0; i < table->rows; i++) {
    const double size = table->value[(size_t)i * (size_t)table->columns + (size_t)column];
    values[i] = factor * size;
    DLS_CHECK(values[i] > 0 && isfinite(values[i]), DLS_ERR_FORMAT,
              "%s:%d: the size %g is not positive", path, table->line[i], size);
  }
  return DLS_OK;
}

DlsStatus dls_sizes_read(const char *path, const char *column, double factor, DlsSizes *out) {
  DlsTable table;
  int index;
  memset(out, 0, sizeof *out);
  DLS_CHECK(factor > 0 && isfinite(factor), DLS_ERR_ARGUMENT,
            "sizes of %s: the factor is %g: it must be positive", path, factor);
  DLS_TRY(dls_table_read(path, &table));
  DlsStatus status = find_column(path, &table, column, &index);
  double *values = status == DLS_OK ? dls_memory_array((size_t)table.rows, sizeof *values) : NULL;
  if (status == DLS_OK && !values) status = dls_fail(DLS_ERR_MEMORY, "%s: out of memory", path);
  if (status == DLS_OK) status = copy_column(path, &table, index, factor, values);
  if (status == DLS_OK) {
    *out = (DlsSizes){.kind = DLS_SIZES_LIST, .count = table.rows, .values = values};
    values = NULL;
  }
  free(values);
  dls_table_clear(&table);
  return status;
}
