/* A race as CSV files, and back, so that a race that was interrupted goes on. Commas and quotes in
 * words are written as semicolons and apostrophes; a number that is not finite is an empty cell.
 *   runs.csv     one row per run and tolerance
 *     problem,contacts,dimension,solver,tolerance,status
 *     iterations,time_s,wall_s,cpu_s,work
 *                                of the solve that counts for the tolerance; where none does of
 *                                the one that the row is of. time_s is by the clock of the
 *                                race, one of the two beside it; work is in products with W
 *     error_natural,error_bipotential,peak_rss_mb,error_scaled,error_natural_q,amplification,open,
 *     slip,stick                 of the answer of the solve that the row is of: the one to its
 *                                tolerance; in one pass that to the tightest
 *     total_iterations,total_s,total_wall_s,total_cpu_s,total_work
 *                                of the solve to the tightest tolerance
 *     said,measured,claim_iterations,claim_s,claim_wall_s,claim_cpu_s,claim_work
 *                                the solve to the tolerance, in one pass the first claim of it: the
 *                                error that the solver told (or "converged"), what was measured
 *                                there, and when
 *     limit_s,limit_work,limit_mb   that the solve had
 *     measure,clock,pass,hash,form,start
 *                                the error meant; wall or cpu; each or one; of the problem, of W,
 *                                where solves begin: with the solver they tell runs apart
 *     reason                     why the solve that the row is of ended so
 *     sweeps,partial_sweeps ... factor_flops   what it did: DlsWork of delassus/solver.h
 *     note
 *   convergence.csv  what solvers said on the way to the tightest tolerance, and last the measure
 *                    of the answer; times and work never fall within a run
 *     problem,solver,iteration,time_s,wall_s,cpu_s,work,error,measure,clock,pass,hash,form,start,
 *     tolerance */
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
const char *dls_race_convergence_head(void);

/* A character as it stands in a table. */
static inline char dls_race_plain(char c) {
  return c == ',' ? ';' : c == '"' ? '\'' : (unsigned char)c < 32 ? ' ' : c;
}

#endif
