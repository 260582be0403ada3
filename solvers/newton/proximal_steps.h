/* The proximal point iteration on one island,
 *
 *   r_{k+1} solves  u = W' r + q' + alpha_k (r - r_k),  (u, r) in the relation of each contact,
 *
 * each step by semismooth Newton. W' + alpha is regular where W' is not, and a step moves little
 * when alpha is large, so Newton's method converges; as it does so with ease alpha falls, and the
 * steps turn into Newton's method on the problem itself. Where W' is singular the limit depends on
 * r_0: it is one of the many reactions. Acary, Brémond and Huber 2018, sec. 5.4 (PPA). */
#ifndef DELASSUS_SOLVERS_NEWTON_PROXIMAL_STEPS_H
#define DELASSUS_SOLVERS_NEWTON_PROXIMAL_STEPS_H

#include "solvers/newton/first_order_phase.h"
#include "solvers/newton/step.h"

/* How far along an island is; kept between calls. */
typedef struct {
  double alpha;   /* 0 before the first step */
  int hold;       /* steps before alpha may fall again */
  int failures;   /* steps that failed */
  double seconds; /* of wall clock: the longest Newton iteration so far */
  bool solved, stuck;
} NewtonProgress;

typedef struct {
  long steps, failures; /* proximal steps that converged, and those that did not */
  long first_order;     /* iterations of the first-order phase */
  long phases;          /* and how often there were any */
} NewtonCounts;

typedef struct {
  NewtonRules newton;
  double alpha, alpha_min, alpha_max; /* where alpha begins, its bounds */
  double fall, rise;                  /* its factors after a good step and after a failed one */
  int easy, hard;               /* Newton iterations of a step that lets alpha fall, and rise */
  int hold;                     /* steps after a failure before alpha falls again */
  int patience;                 /* steps without a better error before the island is stuck */
  int first_order_after;        /* failures that call for the first-order phase */
  NewtonFirstOrder first_order; /* its rules; of 0 iterations: never */
  double eta;                   /* |F| of a step, relative to the error before it */
  double target;                /* of the natural map of the island, in physical units */
  double tolerance;             /* of the same in scaled units, relative */
  /* After each step, with its Newton iterations, r', which has moved if the step converged, and how
   * many steps did not better the error; nonzero ends the run. */
  int (*after)(void *context, const NewtonIsland *island, const double *r, int iterations,
               bool moved, int idle);
  void *context;
} NewtonProximalRules;

/* Runs until the island is solved, stuck, or `after` says so; `system` of the algebra solves the
 * steps. r [contacts][block] is r'; work is of three times its size. The counts go on from what
 * they are. */
DlsStatus newton_proximal_steps(const NewtonProximalRules *rules, const NewtonIsland *island,
                                const DlsNewtonAlgebra *algebra, void *system,
                                NewtonProgress *progress, double *r, double *work,
                                NewtonCounts *counts);

#endif
