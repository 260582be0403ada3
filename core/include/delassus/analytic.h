/* Contact problems whose answer is known in closed form, and how far an answer is from it.
 *
 * An error such as `natural` tells how well (u, r) obeys the relations; this tells how wrong the
 * numbers are. Only what is unique is judged: where bodies touch at more points than they have
 * freedom, reactions are not, but velocities and resultants are; where a problem has several
 * solutions, the nearest counts. docs/scoreboard.md derives the answers. */
#ifndef DELASSUS_ANALYTIC_H
#define DELASSUS_ANALYTIC_H

#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  char name[48];       /* "slope-0.9" */
  const char *title;   /* the family, in words */
  const char *setting; /* this row of it, in words */
  const char *judged;  /* what is compared */
  const char *because; /* where the answer comes from */
  DlsProblem *problem;

  int answers;           /* solutions that there are, >= 1 */
  double *u, *r;         /* [answers][contacts][block]; NaN where it is not unique */
  double u_size, r_size; /* m/s and N s: what errors are relative to */
  double length;         /* m: spins count times, torques over it */

  int totals; /* linear functions of r that are unique though r is not */
  double *total /* [totals][contacts][block] */, *sum, *total_size; /* [totals] */
} DlsAnalytic;

typedef struct {
  double velocity, impulse; /* largest deviations, relative to the sizes; impulse counts totals */
  double worst;             /* the larger of the two; infinite where numbers are not finite */
  int answer;               /* which solution was nearest */
} DlsAnalyticError;

/* How many problems there are; builds number `number`, ended with dls_analytic_clear(). */
DLS_EXPORT int dls_analytic_count(void);
DLS_EXPORT DlsStatus dls_analytic_create(int number, DlsAnalytic *out);
DLS_EXPORT void dls_analytic_clear(DlsAnalytic *analytic);

/* Judges r [contacts][block] and the u = W r + q that follows from it. */
DLS_EXPORT DlsStatus dls_analytic_judge(const DlsAnalytic *analytic, const double *r,
                                        DlsAnalyticError *out);

#ifdef __cplusplus
}
#endif
#endif
