/* The runs of a study: a row for each, with the text of every value that varies.
 *
 *   rows = combinations of values (grid: all, the first key slowest; rows: side by side)
 *          x draws x seeds, the last fastest
 *
 * The j-th draw of a key depends on the seed of the study, the name of the key and j alone: it is
 * the same in every combination, and stays when other keys come or go. */
#ifndef DELASSUS_STUDY_TABLE_H
#define DELASSUS_STUDY_TABLE_H

#include "study/schema.h"

enum { DLS_STUDY_ROWS_MOST = 1000000 };

typedef enum { DLS_STUDY_VALUES, DLS_STUDY_DRAWN, DLS_STUDY_SEEDED } DlsStudyRole;

typedef struct {
  const char *name;        /* of the column */
  const char *const *keys; /* [nkeys] that take its value */
  int nkeys, stage;        /* from 1; 0: all */
  DlsStudyRole role;
  const DlsDeckNode *place;
  char **value; /* [values] texts that rows take */
  int values;
} DlsStudyColumn;

typedef struct {
  int columns, rows;
  DlsStudyColumn *column;
  int *pick; /* [rows][columns]: number of the value */
} DlsStudyTable;

/* Lends texts of `data`, which lives longer. Ended with dls_study_table_clear(). */
DlsStatus dls_study_table(const DlsStudyData *data, DlsStudyTable *out);
void dls_study_table_clear(DlsStudyTable *table);

/* The text of a cell; the column of a name, -1 where there is none. */
const char *dls_study_cell(const DlsStudyTable *table, int row, int column);
int dls_study_column(const DlsStudyTable *table, const char *name);

/* A name for the folder of a row: "mu=0.3,seed=2"; what a file name should not hold becomes '_',
 * and then, or where it is long, a hash of the whole follows. */
enum { DLS_STUDY_NAME = 120 };
void dls_study_row_name(const DlsStudyTable *table, int row, char out[DLS_STUDY_NAME]);

#endif
