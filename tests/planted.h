/* Problems of the solver bench in tests. */
#ifndef DELASSUS_TESTS_PLANTED_H
#define DELASSUS_TESTS_PLANTED_H

#include "solver_bench/planted.h"
#include "tests/solving.h"

/* The problem; *p is lent to it. */
static inline DlsProblem *make_planted(BenchPlanted *p) {
  DlsProblem *problem = NULL;
  CHECK_OK(bench_make_planted(p, &problem));
  return problem;
}

#endif
