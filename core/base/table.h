/* Tables of numbers from CSV files. Separators are commas, semicolons, tabs or blanks; lines that
 * are empty or begin with # are passed over; the first line may hold the names of the columns. */
#ifndef DELASSUS_BASE_TABLE_H
#define DELASSUS_BASE_TABLE_H

#include <delassus/status.h>

enum { DLS_TABLE_COLUMNS = 64, DLS_TABLE_NAME = 64 };

typedef struct {
  int columns, rows;
  int named; /* 1 when the first line held names */
  char name[DLS_TABLE_COLUMNS][DLS_TABLE_NAME];
  char unit[DLS_TABLE_COLUMNS][DLS_TABLE_NAME]; /* "" where none is given */
  int header;                                   /* the line of the names, from 1 */
  double *value;                                /* [rows][columns] */
  int *line;                                    /* [rows], counted from 1, for messages */
} DlsTable;

/* DLS_ERR_FILE or DLS_ERR_FORMAT, with the file and the line: a row of another length, a word that
 * is no finite number, no row at all. The caller ends *out with dls_table_clear(). */
DlsStatus dls_table_read(const char *path, DlsTable *out);
/* The same of a file whose names may have units behind them: "speed [m/s], mu [1]". The numbers are
 * those of the file. Elsewhere a unit is no name and is refused: numbers are SI there. */
DlsStatus dls_table_read_units(const char *path, DlsTable *out);
void dls_table_clear(DlsTable *table);

/* The number of the column called `name` (case is free), or -1. */
int dls_table_find(const DlsTable *table, const char *name);

#endif
