/* What sweeps and direct solves of a problem are estimated to cost, so that a solver can choose
 * between them by work and never by the clock: the same problem has the same prices everywhere. */
#ifndef DELASSUS_SOLVERS_KIT_PRICE_H
#define DELASSUS_SOLVERS_KIT_PRICE_H

#include <delassus/problem.h>

/* Seconds are those of a model fitted to one core of one machine; only their ratios count. */
typedef struct {
  double sweep;    /* s: one sweep, its share of the measures included */
  double step;     /* s: one step of all contacts together, by W and projections (apgd, bb) */
  double split;    /* s: the same by a factor that is there (admm) */
  double direct;   /* s: one Newton iteration of each island of more than one contact, in all */
  double largest;  /* s: one Newton iteration of the largest island */
  double interior; /* s: one iteration of interior points on the bodies; 0: not for this problem */
  double blocks;   /* of a row of W, in the mean */
  int islands;     /* of more than one contact */
  int most;        /* contacts of the largest island */
} DlsPrice;

/* Flops of the factors of a sparse matrix that has the pattern of W on an island, for libraries
 * that do not tell them: by the same model, at 1e9 a second. Those of UMFPACK are 0.3 to 1.6 times
 * that on boxes, walls, disks and piles of 100 to 1500 contacts. */
double dls_price_factor_flops(int contacts, int block, double blocks_per_row);

/* Of one sweep: cheap to ask. */
double dls_price_sweep(const DlsProblem *problem);

/* All of it: looks at the islands, the cost of about a sweep. */
DlsStatus dls_price_estimate(const DlsProblem *problem, DlsPrice *out);

#endif
