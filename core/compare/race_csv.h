/* A race as CSV files, and back, so that a race that was interrupted goes on.
 *   runs.csv     problem,contacts,dimension,solver,tolerance,status,iterations,time_s,error_natural,
 *                error_bipotential,peak_rss_mb,error_scaled,note: one row per run and tolerance
 *   history.csv  problem,solver,iteration,time_s,error_natural (error_scaled for that measure) */
#ifndef DELASSUS_COMPARE_RACE_CSV_H
#define DELASSUS_COMPARE_RACE_CSV_H

#include "compare/race.h"

DLS_EXPORT DlsStatus dls_race_write(const DlsRace *race, const char *folder);

/* Takes over what runs.csv and history.csv of the folder know of the race's problems and solvers, both named already. *found:
 * how many runs. Missing files give 0; a file of another kind is refused. Runs with other tolerances do not count. */
DLS_EXPORT DlsStatus dls_race_resume(DlsRace *race, const char *folder, int *found);

#endif
