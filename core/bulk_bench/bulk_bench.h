/* The bench of a bulk law: one material point, strained at random, against what every law must obey
 * and what this one claims. docs/bulk-check.md has the equations. */
#ifndef DELASSUS_BULK_BENCH_BULK_BENCH_H
#define DELASSUS_BULK_BENCH_BULK_BENCH_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/bench.h"
#include "bulk/bulk.h"

typedef struct {
  const DlsBulk *law;
  double params[DLS_MAX_PARAMS]; /* the values of cases that do not draw their own */
  bool pinned[DLS_MAX_PARAMS];   /* given by the user: never drawn */
  uint64_t seed;
  long cases;        /* at most so many of every check; 0: as many as it has */
  double time_limit; /* s, of one check: no case begins later */
  double case_limit; /* s of processor time, of one case: a law that takes longer fails */
} DlsBulkBenchOptions;

/* The defaults of the law, seed 1, five minutes a check, 30 s a case. */
void dls_bulk_bench_defaults(const DlsBulk *law, DlsBulkBenchOptions *out);

/* Its options are DlsBulkBenchOptions. NOT_ASKED: the law does not claim it. */
extern const DlsBench dls_bulk_bench;

#endif
