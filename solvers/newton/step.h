/* One proximal step of an island as equations, F_i(u_i, r_i) = 0 for each contact with
 * u = W' r + q' + alpha (r - centre), and the rules by which its iterations go on, stop and are
 * searched. Public as the opaque DlsNewtonStep: delassus/newton.h. */
#ifndef DELASSUS_SOLVERS_NEWTON_STEP_H
#define DELASSUS_SOLVERS_NEWTON_STEP_H

#include <delassus/newton.h>

#include "solvers/newton/jacobian.h"

enum { NEWTON_MOST_MEMORY = 32 };

typedef struct {
  NewtonResidual residual;
  int may_grow;    /* first iterations in which the residual may grow */
  double growth;   /* ... up to so many times */
  int memory;      /* past residuals that a step is compared with, at most NEWTON_MOST_MEMORY */
  int patience;    /* iterations without progress before a step is given up */
  int most;        /* iterations of a step */
  double deadline; /* s, by dls_ledger_now(); INFINITY: none */
} NewtonRules;

struct DlsNewtonStep {
  NewtonStep equations;
  const NewtonRules *rules;
  double tolerance;                /* of |F| */
  double *u;                       /* [contacts][block]: scratch, lent */
  double past[NEWTON_MOST_MEMORY]; /* |F| of the last iterations, in a ring */
  double best;                     /* least |F| so far, at iteration best_at */
  int best_at;
  double now, longest; /* s: of the last judgement, and the longest iteration */
};

/* A step that begins now. The island, the rules, centre and u are lent for its life. */
DlsNewtonStep newton_step_begin(const NewtonIsland *island, const NewtonRules *rules, double alpha,
                                const double *centre, double tolerance, double *u);

#endif
