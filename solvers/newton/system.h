/* One proximal step of an island as a system of equations: find r with
 *
 *   F_i(u_i, r_i) = 0 for each contact,   u = W' r + q' + alpha (r - centre)
 *
 * by semismooth Newton: J = A + B (W' + alpha), A = dF/dr and B = dF/du block by block. J is an AIJ
 * matrix with the block size of the problem and the pattern of W'; for small islands it is dense.
 */
#ifndef DELASSUS_SOLVERS_NEWTON_SYSTEM_H
#define DELASSUS_SOLVERS_NEWTON_SYSTEM_H

#include "solvers/newton/island.h"

typedef struct NewtonSystem NewtonSystem;

typedef struct {
  NewtonResidual residual;
  int watch;       /* first iterations in which the residual may grow */
  double growth;   /* ... up to so many times */
  int memory;      /* past residuals that a step is compared with */
  int patience;    /* iterations without progress before a step is given up */
  int most;        /* iterations of a step */
  double deadline; /* s, by dls_clock_now(); INFINITY: none */
} NewtonRules;

/* A system for islands of the size of this one when `dense`, for this island alone otherwise. */
DlsStatus newton_system_create(const NewtonIsland *island, bool dense, NewtonSystem **out);
void newton_system_destroy(NewtonSystem **system); /* NULL is fine; sets it to NULL */

/* Solves from r, which receives the solution when *converged and is left alone otherwise; stops
 * when |F| <= tolerance. *iterations counts Newton's. Fails where a law fails. */
DlsStatus newton_system_solve(NewtonSystem *system, const NewtonIsland *island,
                              const NewtonRules *rules, double alpha, const double *centre,
                              double tolerance, double *r, int *iterations, bool *converged);

#endif
