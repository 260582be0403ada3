/* problems.csv: what was measured of the problems of a race, so that its page can be made again.
 *   problem,hash,form,contacts,dimension,block,family,hyperstaticity, then the numbers of
 *   DlsStatistics; rank_is: numerical, or bound where some island was too large to factor;
 *   condition: from below, empty where it is not known. Empty cells where nothing was measured. */
#ifndef DELASSUS_COMPARE_PROBLEMS_H
#define DELASSUS_COMPARE_PROBLEMS_H

#include "compare/race/race.h"

/* In the place of what is there; where the race took over rows of the folder, rows of problems that
 * are not in it stay. */
DlsStatus dls_problems_write(const DlsRace *race, const char *folder);

/* The caller frees *out. */
DlsStatus dls_problems_read(const char *folder, DlsRaceProblem **out, int *count);

#endif
