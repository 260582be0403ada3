/* Tables read back: CSV files with a header `name [unit]` and rows of cells, as this program writes
 * them (history.csv, average_NAME.csv, results.csv ...). A cell that is no number is NaN among the
 * numbers, and is kept as text. */
#ifndef DELASSUS_RECORD_COLUMNS_H
#define DELASSUS_RECORD_COLUMNS_H

#include <stddef.h>

#include <delassus/status.h>

typedef struct {
  char *path;
  int columns, rows;
  const char **name, **unit; /* [columns]; "" where there is none */
  const char **cell;         /* [rows][columns] */
  double *value;             /* [rows][columns] */
  char *text;                /* the file, that names and cells lie in */
} DlsColumns;

/* DLS_ERR_FILE or DLS_ERR_FORMAT with file and line: no header, a row of another length. A last
 * line without its end, of a run that was killed or still goes on, is left out. The caller ends
 * *out with dls_columns_clear(). */
DlsStatus dls_columns_read(const char *path, DlsColumns *out);
void dls_columns_clear(DlsColumns *columns);

/* The number of a column, -1 where there is none; where it must be there, a sentence that names the
 * nearest. */
int dls_columns_find(const DlsColumns *columns, const char *name);
DlsStatus dls_columns_need(const DlsColumns *columns, const char *name, int *out);

static inline double dls_columns_at(const DlsColumns *c, int row, int column) {
  return c->value[(size_t)row * (size_t)c->columns + (size_t)column];
}

#endif
