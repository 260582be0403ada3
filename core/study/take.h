/* One number of a run, taken from a file of its folder: a row of a column of a table, or a value of
 * summary.json. */
#ifndef DELASSUS_STUDY_TAKE_H
#define DELASSUS_STUDY_TAKE_H

#include "study/schema.h"

enum { DLS_STUDY_UNIT = 24 };

/* The file that `of` names: "history" is history.csv, "series" series.csv, "solve" solve.csv. */
void dls_study_file(const char *of, const char *folder, char *path, size_t bytes);

/* `unit` is that of the column, "" where it is not told. Rows whose number is not finite do not
 * count; where none is left the value is NaN. */
DlsStatus dls_study_take(const DlsStudyResult *result, const char *folder, double *value,
                         char unit[DLS_STUDY_UNIT]);

#endif
