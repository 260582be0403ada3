/* Forces that are not unique. With rigid bodies the velocities of a contact problem are given by
 * the loads, the reactions often are not: W is singular, and whatever r' leaves W r' = W r and
 * obeys the laws with the same û answers as well (Brendel, Unger and Wolf 2004, sec. 1.9; Radjai,
 * Brendel and Roux 1996; Unger, Wolf and Kertész 2004).
 *
 *   open      r = 0                    û_N > 0
 *   slips     r = λ r_given, λ >= 0    û_T given
 *   sticks    r in its cone            û = 0
 *
 * The set of these r is convex. Its dimension, without the cones, is that of the self-stresses: of
 * the r with W r = 0 on what carries. For each contact the normal reaction has an interval in it,
 * found by linear programmes: exactly in 2-D and without friction; in 3-D, where a polygon stands
 * for the circle of friction, from within (corners on the circle) and from without (sides touch
 * it). */
#ifndef DELASSUS_INDETERMINACY_H
#define DELASSUS_INDETERMINACY_H

#include <stdint.h>

#include <delassus/errors.h>
#include <delassus/problem.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
  int edges;     /* of the polygon in the place of a circle of friction, 3-D; 4 to 64 */
  int most;      /* contacts whose interval is found: drawn at random where there are more */
  uint64_t seed; /* of the draw */
} DlsIndeterminacyOptions;

DLS_EXPORT DlsIndeterminacyOptions dls_indeterminacy_options_default(void); /* 16, 100, 1 */

/* N s. -INFINITY and INFINITY: no limit; NaN: not looked for. */
typedef struct {
  double low, high;             /* what the normal reaction can be: from within in 3-D */
  double outer_low, outer_high; /* bounds from without; the same in 2-D */
} DlsForceInterval;

typedef struct {
  int contacts, open, slip, stick;
  int unknowns;    /* components of reactions that carry: 1 where it slips or has no friction */
  int rank;        /* of the equations for these; -1: too many to count */
  int self_stress; /* unknowns - rank; -1 likewise */
  int bounded;     /* contacts whose interval was found */
  int decided;     /* of these: equilibrium leaves one value, to 1e-5 of the mean */
  int unlimited;   /* of these: without an upper limit */
  double mean;     /* N s: normal reaction of contacts that carry */
  double width;    /* mean of high - low over `mean`, of those with both limits */
  double outer_width;
} DlsIndeterminacy;

/* r [contacts][block]: an answer, well converged. interval [contacts], status [contacts]; status
 * may be NULL. Torques (rolling) and custom laws are not taken. */
DLS_EXPORT DlsStatus dls_indeterminacy_measure(const DlsProblem *problem, const double *r,
                                               const DlsIndeterminacyOptions *options,
                                               DlsIndeterminacy *out, DlsForceInterval *interval,
                                               DlsContactStatus *status);

#ifdef __cplusplus
}
#endif
#endif
