/* Results of others beside a race: rows that were measured elsewhere, by whoever made them, and are
 * shown as reported. They enter no count, no profile and no best time: nothing here has checked
 * them. FOLDER/reported.csv holds them:
 *   source,problem,hash,solver,tolerance,status,iterations,time_s,error */
#ifndef DELASSUS_COMPARE_REPORTED_H
#define DELASSUS_COMPARE_REPORTED_H

#include "base/file.h"
#include "compare/race/race.h"

/* Adds the rows of a CSV file to FOLDER/reported.csv, which is begun anew where `first`. Its head
 * names the columns, in any order: solver; problem (a name of the race) or hash, or both;
 * tolerance; time_s, time or cpu_s; and where there are any iterations, error or error_natural,
 * status. So a runs.csv of another machine can be joined as it is. Rows on problems that are not in
 * the race are left out: *taken and *left tell how many. */
DlsStatus dls_reported_join(const DlsRace *race, const char *path, const char *folder, bool first,
                            int *taken, int *left);

/* What was reported, for each solver and tolerance, printed: "as reported, not measured here". No
 * file: nothing. */
DlsStatus dls_reported_print(const DlsRace *race, const char *folder, FILE *out);

/* The same as a section of the page. */
DlsStatus dls_reported_page(DlsFile *page, const DlsRace *race, const char *folder);

#endif
