/* What sweeps and direct solves of a problem are estimated to cost, so that a solver can choose
 * between them by work and never by the clock: the same problem has the same prices everywhere. */
#ifndef DELASSUS_SOLVERS_KIT_PRICE_H
#define DELASSUS_SOLVERS_KIT_PRICE_H

#include <delassus/problem.h>

/* Seconds are those of a model fitted to one core of one machine; only their ratios count. */
typedef struct {
  double sweep;   /* s: one sweep, its share of the measures included */
  double direct;  /* s: one Newton iteration of each island of more than one contact, in all */
  double largest; /* s: one Newton iteration of the largest island */
  int islands;    /* of more than one contact */
  int most;       /* contacts of the largest island */
} DlsPrice;

/* Of one sweep: cheap to ask. */
double dls_price_sweep(const DlsProblem *problem);

/* All of it: looks at the islands, the cost of about a sweep. */
DlsStatus dls_price_estimate(const DlsProblem *problem, DlsPrice *out);

#endif
