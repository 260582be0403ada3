/* Rows of runs.csv and convergence.csv as they stand in a folder, kept so that what a race does not
 * run again stays. */
#ifndef DELASSUS_COMPARE_RACE_ROW_H
#define DELASSUS_COMPARE_RACE_ROW_H

#include "compare/race/race.h"

typedef enum { DLS_RACE_RUNS, DLS_RACE_CONVERGENCE, DLS_RACE_TABLES } DlsRaceTable;

struct DlsRaceRow {
  DlsRaceTable table;
  int run;          /* among those of the race; -1: none of them */
  double tolerance; /* of the row; in convergence.csv the tightest of its solve */
  char *line;       /* without its end */
};

/* Copies the line. */
DlsStatus dls_race_rows_add(DlsRace *race, DlsRaceTable table, int run, double tolerance,
                            const char *line);
/* Whether the race has written the row anew. */
bool dls_race_rows_replaced(const DlsRace *race, const struct DlsRaceRow *row);
void dls_race_rows_clear(DlsRace *race);

/* The number of a tolerance among those of the race; -1 when it is none. */
int dls_race_tolerance(const DlsRace *race, double tolerance);

#endif
