/* Making room for grains, giving them sizes, and telling how much of a region they fill. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/population/population_impl.h"

void dls_population_clear(DlsPopulation *population) {
  if (!population) return;
  free(population->centre);
  free(population->radius);
  free(population->kind);
  memset(population, 0, sizeof *population);
}

double dls_population_volume(const DlsPopulation *population) {
  double volume = 0;
  for (int i = 0; i < population->count; i++)
    volume += dls_ball_volume(population->dim, population->radius[i]);
  return volume;
}

static DlsStatus make_room(int count, DlsPopulation *out) {
  DLS_NEW(out->centre, 3 * (size_t)count);
  DLS_NEW(out->radius, count);
  DLS_NEW(out->kind, count);
  return DLS_OK;
}

/* A grain takes about 1 kB in a run: itself, its place in the grids, three contacts with what the
 * solver knows of them. */
static DlsStatus check_memory(const char *what, int64_t count) {
  const double bytes = 1000.0 * (double)count, there = (double)dls_memory_physical();
  DLS_CHECK(there == 0 || bytes <= there, DLS_ERR_MEMORY,
            "%s: %lld grains want about %.0f GB of memory, this machine has %.0f: fewer grains",
            what, (long long)count, bytes / 1e9, there / 1e9);
  return DLS_OK;
}

DlsStatus dls_population_create(const char *what, int dim, int64_t count, DlsPopulation *out) {
  dls_population_clear(out);
  DLS_CHECK(dim == 2 || dim == 3, DLS_ERR_ARGUMENT, "%s: dimension %d: 2 or 3", what, dim);
  DLS_CHECK(count > 0, DLS_ERR_ARGUMENT, "%s: %lld grains: ask for one at least", what,
            (long long)count);
  DLS_CHECK(count <= DLS_POPULATION_MOST, DLS_ERR_ARGUMENT, "%s: %lld grains are more than %d",
            what, (long long)count, (int)DLS_POPULATION_MOST);
  DLS_TRY(check_memory(what, count));
  const DlsStatus status = make_room((int)count, out);
  if (status != DLS_OK) {
    dls_population_clear(out);
    return status;
  }
  out->dim = dim;
  out->count = (int)count;
  return DLS_OK;
}

/* The number of grains that meets a fraction on average. */
static DlsStatus count_of(const char *what, const DlsRegion *region, int dim, const DlsSizes *sizes,
                          DlsAmount amount, int64_t *count) {
  DLS_CHECK(amount.count >= 0 && amount.fraction >= 0 && isfinite(amount.fraction),
            DLS_ERR_ARGUMENT, "%s: %d grains, solid fraction %g: none may be negative", what,
            amount.count, amount.fraction);
  DLS_CHECK((amount.count > 0) != (amount.fraction > 0), DLS_ERR_ARGUMENT,
            "%s: give either a number of grains or a solid fraction", what);
  *count = amount.count;
  if (amount.count > 0) return DLS_OK;
  DLS_CHECK(amount.fraction < 1, DLS_ERR_ARGUMENT, "%s: a solid fraction of %g: it must be below 1",
            what, amount.fraction);
  const double mean = dls_ball_volume(dim, 1) * dls_sizes_mean_volume(sizes, dim);
  const double number = ceil(amount.fraction * dls_region_volume(region, dim) / mean);
  DLS_CHECK(number <= DLS_POPULATION_MOST, DLS_ERR_ARGUMENT,
            "%s: a solid fraction of %g takes %.3g grains, more than %d", what, amount.fraction,
            number, (int)DLS_POPULATION_MOST);
  *count = number < 1 ? 1 : (int64_t)number;
  return DLS_OK;
}

/* Draws are independent: the mean's number of grains has more or less volume by chance. Twice as
 * many, and more when they are few, is enough but for freak draws; the surplus is cut off. */
static DlsStatus draw_fraction(const char *what, const DlsRegion *region, int dim,
                               const DlsSizes *sizes, double fraction, uint64_t seed,
                               int64_t expected, DlsPopulation *out) {
  const double wanted = fraction * dls_region_volume(region, dim);
  for (int64_t room = expected + expected / 8 + 64;; room *= 2) {
    double volume = 0;
    int count = 0;
    DLS_TRY(dls_population_create(what, dim, room, out));
    DLS_TRY(dls_sizes_fill(sizes, dim, seed, out->count, out->radius, out->kind));
    /* Round-off of the sum must not add a grain to a fraction that was met. */
    while (count < out->count && volume < wanted * (1 - 1e-12))
      volume += dls_ball_volume(dim, out->radius[count++]);
    if (volume < wanted * (1 - 1e-12)) continue;
    out->count = count;
    return DLS_OK;
  }
}

static DlsStatus check_room(const char *what, const DlsRegion *region, const DlsPopulation *p) {
  double largest = 0;
  for (int i = 0; i < p->count; i++) largest = fmax(largest, p->radius[i]);
  DLS_CHECK(
      dls_region_fits(region, p->dim, largest), DLS_ERR_ARGUMENT,
      "%s: a grain of radius %g has no place in the region: smaller grains or a larger region",
      what, largest);
  const double volume = dls_population_volume(p), room = dls_region_volume(region, p->dim);
  DLS_CHECK(volume < room, DLS_ERR_ARGUMENT,
            "%s: %d grains fill %.3g, the region has %.3g: fewer or smaller grains", what, p->count,
            volume, room);
  return DLS_OK;
}

DlsStatus dls_population_draw(const char *what, const DlsRegion *region, int dim,
                              const DlsSizes *sizes, DlsAmount amount, uint64_t seed,
                              DlsPopulation *out) {
  int64_t count = 0;
  dls_population_clear(out);
  DLS_TRY(dls_region_check(region, dim));
  DLS_TRY(dls_sizes_check(sizes));
  DLS_TRY(count_of(what, region, dim, sizes, amount, &count));
  DlsStatus status;
  if (amount.count > 0 || sizes->kind == DLS_SIZES_SHARES) {
    DLS_TRY(dls_population_create(what, dim, count, out));
    status = dls_sizes_fill(sizes, dim, seed, out->count, out->radius, out->kind);
  } else
    status = draw_fraction(what, region, dim, sizes, amount.fraction, seed, count, out);
  if (status == DLS_OK) status = check_room(what, region, out);
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}

typedef struct {
  double radius;
  int index;
} Sized;

static int larger_first(const void *a, const void *b) {
  const Sized *p = a, *q = b;
  if (p->radius != q->radius) return p->radius > q->radius ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

DlsStatus dls_population_by_size(const DlsPopulation *p, int **order) {
  Sized *sized;
  *order = NULL;
  DLS_NEW(sized, p->count);
  for (int i = 0; i < p->count; i++) sized[i] = (Sized){p->radius[i], i};
  qsort(sized, (size_t)p->count, sizeof *sized, larger_first);
  int *result = dls_memory_array((size_t)p->count, sizeof *result);
  for (int i = 0; result && i < p->count; i++) result[i] = sized[i].index;
  free(sized);
  DLS_CHECK(result, DLS_ERR_MEMORY, "out of memory: %d indices", p->count);
  *order = result;
  return DLS_OK;
}
