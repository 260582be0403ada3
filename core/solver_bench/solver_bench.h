/* The bench of a solver: what every solver must obey, and where this one converges, on problems
 * whose answers are known or that have none. docs/solver-check.md says what each check means. */
#ifndef DELASSUS_SOLVER_BENCH_SOLVER_BENCH_H
#define DELASSUS_SOLVER_BENCH_SOLVER_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/solver.h>

#include "bench/bench.h"

typedef struct {
  const DlsSolver *solver;
  const void *options; /* of the solver, option_bytes; NULL: its defaults */
  uint64_t seed;
  long cases;        /* at most so many of every check; 0: as many as it has */
  double time_limit; /* s, of one check */
} DlsSolverBenchOptions;

/* Its options are DlsSolverBenchOptions. REPORTED: what the solver can do. */
extern const DlsBench dls_solver_bench;

#endif
