/* What the generators of populations share. */
#ifndef DELASSUS_WORLD_POPULATION_POPULATION_IMPL_H
#define DELASSUS_WORLD_POPULATION_POPULATION_IMPL_H

#include "base/random.h"
#include "world/population/population.h"

enum { DLS_POPULATION_MOST = 1 << 28 }; /* grains: indices of contacts stay within an int */

enum { DLS_STREAM_SIZES, DLS_STREAM_PLACES, DLS_STREAM_JITTER };

/* Volume of the unit ball: area of the unit disk in 2-D. */
static inline double dls_ball_volume(int dim, double radius) {
  const double pi = 3.14159265358979323846;
  return dim == 2 ? pi * radius * radius : 4.0 / 3.0 * pi * radius * radius * radius;
}

/* Frees what *out holds and makes room for `count` grains, all zero. `what` begins the sentence. */
DlsStatus dls_population_create(const char *what, int dim, int64_t count, DlsPopulation *out);

/* The room and the sizes of an amount of grains for a region: centres are left at 0. Refuses an
 * amount that is none, a grain that has no place, and more volume than the region has. */
DlsStatus dls_population_draw(const char *what, const DlsRegion *region, int dim,
                              const DlsSizes *sizes, DlsAmount amount, uint64_t seed,
                              DlsPopulation *out);

/* Indices of the grains by falling radius, equal ones in their order. */
DlsStatus dls_population_by_size(const DlsPopulation *population, int **order);

/* x uniform in the part of the bounding box where a ball of this radius can have its centre. */
void dls_region_try(const DlsRegion *region, int dim, double radius, DlsRandom *random, double *x);

#endif
