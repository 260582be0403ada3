/* Answers of one problem from random first guesses: how many different ones a solver finds. */
#ifndef DELASSUS_APP_FORCE_STARTS_H
#define DELASSUS_APP_FORCE_STARTS_H

#include <delassus/indeterminacy.h>

typedef struct {
  int starts, converged;
  int networks;   /* answers whose normal reactions differ by more than 1e-4 of the mean */
  int motions;    /* answers with other velocities than the given one; not unique by friction */
  double outside; /* largest way out of an interval, over the mean reaction: of answers with the
                     given velocities; 0 up to their errors */
  double covered; /* mean share of the intervals that these answers span */
} AppForceStarts;

/* Solves `starts` times by nsgs, which stays near its guess, to `tolerance`. r, found, interval: of
 * dls_indeterminacy_measure(). */
DlsStatus app_force_starts(const DlsProblem *problem, const double *r,
                           const DlsIndeterminacy *found, const DlsForceInterval *interval,
                           int starts, uint64_t seed, double tolerance, double max_time,
                           AppForceStarts *out);

#endif
