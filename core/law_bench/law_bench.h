/* The bench of a contact law: one contact, driven through random and nasty kinematics, against what
 * every law must obey and what this one claims. docs/law-check.md has the equations. */
#ifndef DELASSUS_LAW_BENCH_LAW_BENCH_H
#define DELASSUS_LAW_BENCH_LAW_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/laws.h>

#include "bench/bench.h"

typedef struct {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS]; /* the values of cases that do not draw their own */
  bool pinned[DLS_MAX_PARAMS];   /* given by the user: never drawn */
  uint64_t seed;
  long starts;       /* cases of the check `solve` */
  long cases;        /* at most so many of every other check; 0: as many as it has */
  double time_limit; /* s, of one check: no case begins later */
  double case_limit; /* s of processor time, of one case: a law that takes longer fails */
} DlsLawBenchOptions;

/* The defaults of the law, seed 1, a million starts, five minutes a check, 30 s a case. */
void dls_law_bench_defaults(const DlsLaw *law, DlsLawBenchOptions *out);

/* Its options are DlsLawBenchOptions. NOT_ASKED: the law does not claim it, or has no such
 * function. */
extern const DlsBench dls_law_bench;

#endif
