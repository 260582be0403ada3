/* Fixed points x = g(x) of maps that draw near them slowly, faster: from the last rounds of x,
 * g(x) the combination whose f = g(x) - x is least, if g were linear (Anderson 1965; Walker and Ni
 * 2011),
 *
 *   x+ = g - dG c,   c = arg min |f - dF c|,
 *
 * with the differences of the last rounds in the columns of dF and dG. Where |f| has grown the
 * past is dropped: the map was another one there. */
#ifndef DELASSUS_STEP_MIXING_H
#define DELASSUS_STEP_MIXING_H

#include <delassus/status.h>

enum { DLS_MIXING_ROUNDS = 6 };

typedef struct {
  int n, count, next;  /* numbers; columns there are; the one to be written next */
  double *all, *f, *g; /* of the last round, [n] */
  double *df, *dg;     /* [DLS_MIXING_ROUNDS][n] */
  double size;         /* |f| */
  int rounds;
} DlsMixing;

/* Ended with dls_mixing_clear(). */
DlsStatus dls_mixing_open(int n, DlsMixing *out);
void dls_mixing_clear(DlsMixing *mixing);

/* x [n] -> g(x) [n] was a round; g becomes the next x. */
void dls_mixing_round(DlsMixing *mixing, const double *x, double *g);

#endif
