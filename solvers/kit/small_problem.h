/* Small problems without ceremony: a few sweeps and, where those are slow, semismooth Newton on one
 * dense system that lies on the stack. No islands, no sparse factors. Meant for the first attempt
 * of `auto`, which goes on where this ends without an answer. */
#ifndef DELASSUS_SOLVERS_KIT_SMALL_PROBLEM_H
#define DELASSUS_SOLVERS_KIT_SMALL_PROBLEM_H

#include <delassus/solver.h>

enum { DLS_SMALL_PROBLEM_ROWS = 36 }; /* contacts times block, at most */

typedef struct {
  long sweeps, newtons; /* done */
  long slow;            /* sweeps that were still needed when Newton began, at most a million */
} DlsSmallProblemCounts;

/* From r, whose error is report->error, to the best iterate seen, both physical, with at most
 * DLS_SMALL_PROBLEM_ROWS rows. The outcome is CONVERGED, STOPPED by the monitor, ITERATION_LIMIT,
 * or STALLED: not this way. Limits of time are not looked at: it takes less than a millisecond. */
DlsStatus dls_small_problem_solve(const DlsProblem *problem, const DlsLimits *limits,
                                  const DlsMonitor *monitor, double *r, DlsReport *report,
                                  DlsSmallProblemCounts *counts);

/* What was done, in a sentence of at most 120 characters. */
void dls_small_problem_describe(const DlsSmallProblemCounts *counts, char *note);

#endif
