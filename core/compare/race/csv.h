/* A race as CSV files, and back, so that a race that was interrupted goes on. Commas and quotes in
 * words are written as semicolons and apostrophes; a number that is not finite is an empty cell.
 *   runs.csv     one row per run and tolerance
 *     problem,contacts,dimension,solver,tolerance,status
 *     iterations,time_s          of the solve that counts for the tolerance; of the whole one where
 *                                none does
 *     error_natural,error_bipotential,peak_rss_mb,error_scaled,amplification,open,slip,stick
 *                                of the answer
 *     total_iterations,total_s   of the solve to the tightest tolerance
 *     said,measured,claim_iterations,claim_s
 *                                the first claim of the tolerance: the error that the solver told
 *                                (or "converged"), what was measured there, and when
 *     limit_s,limit_mb           that the solve had
 *     hash,form,start            of the problem, of W, where solves begin: with the solver they
 *                                tell runs apart
 *     reason                     why the solve to the tightest tolerance ended so
 *     sweeps,partial_sweeps ... newton_fallbacks   what it did: DlsWork of delassus/solver.h
 *     note
 *   convergence.csv  what solvers said on the way to the tightest tolerance, and last the measure
 *                    of the answer
 *     problem,solver,iteration,time_s,error_natural (error_scaled for that measure),hash,form,
 *     start,tolerance */
#ifndef DELASSUS_COMPARE_RACE_CSV_H
#define DELASSUS_COMPARE_RACE_CSV_H

#include "compare/race/race.h"

/* Rows that dls_race_resume() found and that this race has not run follow its own. */
DlsStatus dls_race_write(const DlsRace *race, const char *folder);

/* Fails where the folder cannot take the tables and the page. */
DlsStatus dls_race_can_write(const char *folder);

/* Takes over what runs.csv and convergence.csv of the folder know of the race's problems and
 * solvers, all named already, with the same form of W, start and tolerances; a run that was cut by
 * a smaller limit of time or memory is left to be done again. *found: how many runs were taken.
 * Missing files give 0; a file of another kind is refused. */
DlsStatus dls_race_resume(DlsRace *race, const char *folder, int *found);

/* The first lines of both tables. */
const char *dls_race_runs_head(void);
const char *dls_race_convergence_head(DlsMeasure measure);

/* A character as it stands in a table. */
static inline char dls_race_plain(char c) {
  return c == ',' ? ';' : c == '"' ? '\'' : (unsigned char)c < 32 ? ' ' : c;
}

#endif
