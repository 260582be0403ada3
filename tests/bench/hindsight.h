/* The best solver of Siconos for each problem, chosen with hindsight, against our default: the
 * table that a single solver has to win. */
#ifndef DELASSUS_TESTS_HINDSIGHT_H
#define DELASSUS_TESTS_HINDSIGHT_H

#include "tests/bench/entry.h"

typedef struct {
  double budget; /* s of one solve */
  int repeat;
  const char *csv; /* NULL: none */
} HindsightSettings;

/* Ours is `auto`; where there is none, the quicker of nsgs and newton on each problem, which is
 * hindsight too, and said so. Prints a row per problem, totals and the worst ratio, for each of the
 * tolerances. */
DlsStatus hindsight_run(const HindsightSettings *settings, const Entry *entries, int count,
                        const double *tolerances, int ntolerances);

#endif
