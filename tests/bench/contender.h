/* Who takes part in the benchmark: a solver of ours, or one of Siconos', on one problem. Every
 * attempt runs in a child process, starts from r = 0, and is judged there by both errors. */
#ifndef DELASSUS_TESTS_CONTENDER_H
#define DELASSUS_TESTS_CONTENDER_H

#include <delassus/problem.h>
#include <delassus/solver.h>

#include "base/child.h"
#include "solvers/siconos/peer.h"

typedef struct {
  const char *name;
  const DlsProblem *problem;
  Peer *peer;              /* the same problem for Siconos; NULL where it cannot state it */
  const DlsSolver *solver; /* ours, with the options below; NULL: Siconos' variant */
  const void *options, *options_without_errors;
  PeerVariant variant;
} Contender;

typedef struct {
  double tolerance; /* 0: sweeps alone, no errors measured between them */
  long max_iterations;
  double limit_s; /* of one solve; Siconos obeys none and is ended from outside */
  double slice_s; /* short solves are repeated for so long, and the best one counts */
  double cpu_s;   /* processor time after which either side is ended, whoever else uses the core; 0:
                     no limit */
  bool warm;      /* one iteration first that does not count: libraries are loaded, MPI started */
} Task;

typedef struct {
  DlsChildOutcome outcome;
  DlsStatus status; /* ours; DLS_OK for Siconos */
  bool converged;   /* as it says itself */
  long iterations;
  double time_s; /* of the whole call, allocations included, the best: wall clock, or CPU time where
                    that is less because another process had the core meanwhile */
  double natural; /* error of the answer, measured by us ... */
  double siconos; /* ... and by Siconos; NaN where it cannot state the problem */
} Attempt;

Attempt contender_try(const Contender *contender, const Task *task);

/* The same, `repeat` times in turn with the others, the best time of each in attempts [count]. A
 * solve of more than half a second is not repeated. */
void contenders_try(const Contender *contenders, int count, const Task *tasks, int repeat,
                    Attempt *attempts);

typedef struct {
  double ns;     /* per contact and sweep; NaN: it crashed or stopped before */
  double error;  /* natural, after the sweeps; not finite where the sweeps went nowhere */
  double call_s; /* the whole call for one sweep: what set-up and the last error cost */
} Rate;

/* Rates [count]: the time of `sweeps` + 1 sweeps less that of one, so that allocations, set-up and
 * the last error do not count; best of `repeat`, in turn. */
void contenders_rate(const Contender *contenders, int count, int sweeps, int repeat, Rate *rates);

/* It reached the tolerance, by its own word and by both errors. */
bool attempt_reached(const Attempt *attempt, double tolerance);

/* Both errors of the answer are the same to 1e-10 relative, or rounding. */
bool attempt_agrees(const Attempt *attempt);

#endif
