/* What cases of laws of any kind are made of: numbers over decades, parameters within their
 * bounds, rotations. Exact bounds come often. */
#ifndef DELASSUS_BENCH_DRAW_H
#define DELASSUS_BENCH_DRAW_H

#include <stdbool.h>

#include <delassus/law.h>

#include "base/random.h"

bool dls_bench_chance(DlsRandom *random, double probability);

/* Powers of ten, from 10^low to 10^high. */
double dls_bench_log_uniform(DlsRandom *random, double low, double high);

/* Rows of a random rotation, right-handed. */
void dls_bench_draw_rotation(DlsRandom *random, double axes[3][3]);

/* A value of that row of a table: between finite bounds evenly, else by decades around the default;
 * a tenth, or with at_bounds most, exactly on a bound (far out where there is none). */
double dls_bench_draw_value(DlsRandom *random, const DlsParam *p, bool at_bounds);

/* Three parameters of five, unless pinned (NULL: none is), the others as given; false where all
 * are. */
bool dls_bench_draw_params(DlsRandom *random, const DlsParam *rows, int count, const double *given,
                           const bool *pinned, bool at_bounds, double *params);

#endif
