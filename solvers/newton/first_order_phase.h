/* A first-order phase for islands on which Newton's method fails: the alternating direction method
 * of multipliers (solvers/kit/admm_iteration.h), De Saxcé's shift brought up to date in every
 * iteration. One factorisation serves all iterations, each of which costs a solve: some hundreds
 * come at the price of a few steps of Newton's method, and bring most contacts to their status. */
#ifndef DELASSUS_SOLVERS_NEWTON_FIRST_ORDER_PHASE_H
#define DELASSUS_SOLVERS_NEWTON_FIRST_ORDER_PHASE_H

#include "solvers/newton/island.h"

typedef struct {
  double rho;      /* relative to the diagonal of W, which is 1 */
  double relax;    /* of r, 1 to 1.8 */
  int most;        /* iterations */
  double target;   /* of the physical error, which ends the phase */
  double deadline; /* s, by dls_ledger_now() */
} NewtonFirstOrder;

/* Replaces r [contacts][block] by the iterate with the least physical error, unless r itself has
 * it; *iterations counts on. An island with a custom law is left alone: it has no projection. */
DlsStatus newton_first_order_run(const NewtonFirstOrder *rules, const NewtonIsland *island,
                                 double *r, long *iterations);

#endif
