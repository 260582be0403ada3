/* Pouring: every grain has a generator of its own, made from the seed and its number, so that a
 * source keeps no generator between calls. */
#include "world/source.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/population/population_impl.h"

enum { TRIES = 64 }; /* places for one grain in one call */

/* Streams of one grain; places take one for each call that tries. */
enum { STREAM_VELOCITY, STREAM_PLACES };

DlsStatus dls_source_check(const DlsSource *source, int dim) {
  DLS_TRY(dls_region_check(&source->region, dim));
  DLS_TRY(dls_sizes_check(&source->sizes));
  DLS_CHECK(source->rate >= 0 && source->mass_rate >= 0 && isfinite(source->rate) &&
                isfinite(source->mass_rate) && (source->rate > 0) != (source->mass_rate > 0),
            DLS_ERR_ARGUMENT,
            "source: rate %g /s and mass rate %g kg/s: one of them must be positive, the other 0",
            source->rate, source->mass_rate);
  DLS_CHECK(source->rate > 0 || (source->density > 0 && isfinite(source->density)),
            DLS_ERR_ARGUMENT, "source: a mass rate needs a density, it is %g", source->density);
  DLS_CHECK(isfinite(source->begin) && source->end > source->begin, DLS_ERR_ARGUMENT,
            "source: pours from %g to %g: the first must be the smaller", source->begin,
            source->end);
  DLS_CHECK(source->limit >= 0, DLS_ERR_ARGUMENT, "source: the limit is %lld grains",
            (long long)source->limit);
  for (int a = 0; a < dim; a++)
    DLS_CHECK(isfinite(source->velocity[a]), DLS_ERR_ARGUMENT,
              "source: the velocity along %c is not finite", "xyz"[a]);
  DLS_CHECK(source->spread >= 0 && isfinite(source->spread), DLS_ERR_ARGUMENT,
            "source: the spread of velocities is %g: it must not be negative", source->spread);
  const double largest = dls_sizes_max(&source->sizes);
  DLS_CHECK(dls_region_fits(&source->region, dim, largest), DLS_ERR_ARGUMENT,
            "source: a grain of radius %g has no place in the region: widen it", largest);
  return DLS_OK;
}

/* Whether the grain after `poured` others, of this mass together, is due. */
static bool due(const DlsSource *source, int64_t poured, double mass, double time) {
  if (source->limit > 0 && poured >= source->limit) return false;
  const double moment =
      source->begin + (source->rate > 0 ? (double)poured / source->rate : mass / source->mass_rate);
  return moment <= time && moment < source->end;
}

double dls_source_most(const DlsSource *source, int dim) {
  if (source->rate > 0) return source->rate;
  return source->mass_rate /
         (source->density * dls_ball_volume(dim, dls_sizes_min(&source->sizes)));
}

int64_t dls_source_due(const DlsSource *source, double time) {
  if (!(source->rate > 0)) return -1;
  const double span = fmin(time, source->end) - source->begin;
  if (!(span >= 0)) return 0;
  /* Beyond this a count is no longer told from the next one: the caller sees that it is too
   * many. */
  const double most = 0x1p52;
  if (span * source->rate >= most) return source->limit > 0 ? source->limit : (int64_t)most;
  int64_t count = (int64_t)(span * source->rate);
  if (source->limit > 0 && count > source->limit) count = source->limit;
  /* The quotient may be off by a rounding: the rule itself decides. */
  while (count > 0 && !due(source, count - 1, 0, time)) count--;
  while (due(source, count, 0, time)) count++;
  return count;
}

/* What one call has poured so far, with room to grow. */
typedef struct {
  DlsPopulation grains;
  double *velocity;
  int room;
} Batch;

static void clear_batch(Batch *batch) {
  dls_population_clear(&batch->grains);
  free(batch->velocity);
  batch->velocity = NULL;
}

static DlsStatus grow(int dim, Batch *batch) {
  Batch larger = {.room = batch->room ? 2 * batch->room : 64};
  const size_t count = (size_t)batch->grains.count;
  DLS_CHECK(batch->room < DLS_POPULATION_MOST / 2, DLS_ERR_ARGUMENT,
            "source: more than %d grains are due at once: a lower rate", batch->room);
  DLS_TRY(dls_population_create("source", dim, larger.room, &larger.grains));
  larger.velocity = dls_memory_array(3 * (size_t)larger.room, sizeof(double));
  if (!larger.velocity) {
    clear_batch(&larger);
    return dls_fail(DLS_ERR_MEMORY, "source: out of memory for %d grains", larger.room);
  }
  if (count > 0) {
    memcpy(larger.grains.centre, batch->grains.centre, 3 * count * sizeof(double));
    memcpy(larger.grains.radius, batch->grains.radius, count * sizeof(double));
    memcpy(larger.grains.kind, batch->grains.kind, count * sizeof(int));
    memcpy(larger.velocity, batch->velocity, 3 * count * sizeof(double));
  }
  larger.grains.count = (int)count;
  Batch old = *batch;
  *batch = larger;
  clear_batch(&old);
  return DLS_OK;
}

static bool hits(const DlsPopulation *p, const double *x, double radius) {
  for (int i = 0; i < p->count; i++) {
    const double *y = p->centre + 3 * (size_t)i, sum = radius + p->radius[i];
    const double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
    if (a * a + b * b + c * c < sum * sum) return true;
  }
  return false;
}

typedef struct {
  const DlsSource *source;
  int dim;
  DlsSourceBlocked *blocked;
  void *context;
} Pour;

/* A free place for the next grain, or false. */
static bool find_place(const Pour *pour, uint64_t seed, int64_t tries, double radius,
                       const DlsPopulation *batch, double *x) {
  const DlsRegion *region = &pour->source->region;
  DlsRandom random;
  dls_random_stream(&random, seed, STREAM_PLACES + (uint64_t)tries);
  for (int t = 0; t < TRIES; t++) {
    dls_region_try(region, pour->dim, radius, &random, x);
    if (dls_region_depth(region, pour->dim, x) < radius || hits(batch, x, radius)) continue;
    if (!pour->blocked || !pour->blocked(pour->context, x, radius)) return true;
  }
  return false;
}

/* Pours the next grain; *placed is false where it found no place. */
static DlsStatus pour_one(const Pour *pour, DlsSourceState *state, Batch *batch, bool *placed) {
  const DlsSource *source = pour->source;
  DlsRandom random;
  double radius, x[3];
  int kind;
  dls_random_stream(&random, source->seed, (uint64_t)state->poured);
  const uint64_t seed = dls_random_bits(&random);
  DLS_TRY(dls_sizes_fill(&source->sizes, pour->dim, seed, 1, &radius, &kind));
  *placed = find_place(pour, seed, state->tries, radius, &batch->grains, x);
  if (!*placed) {
    state->tries += TRIES;
    return DLS_OK;
  }
  if (batch->grains.count == batch->room) DLS_TRY(grow(pour->dim, batch));
  const size_t i = (size_t)batch->grains.count++;
  memcpy(batch->grains.centre + 3 * i, x, sizeof x);
  batch->grains.radius[i] = radius;
  batch->grains.kind[i] = kind;
  dls_random_stream(&random, seed, STREAM_VELOCITY);
  for (int a = 0; a < pour->dim; a++)
    batch->velocity[3 * i + (size_t)a] =
        source->velocity[a] + source->spread * dls_random_between(&random, -1, 1);
  state->poured++;
  state->tries = 0;
  if (source->mass_rate > 0) state->mass += source->density * dls_ball_volume(pour->dim, radius);
  return DLS_OK;
}

DlsStatus dls_source_pour(const DlsSource *source, int dim, double time, int most,
                          DlsSourceBlocked *blocked, void *context, DlsSourceState *state,
                          DlsPopulation *out, double **velocity) {
  const Pour pour = {source, dim, blocked, context};
  DlsSourceState next = *state;
  Batch batch = {.grains = {.dim = dim}};
  DlsStatus status = dls_source_check(source, dim);
  bool placed = true;
  dls_population_clear(out);
  free(*velocity);
  *velocity = NULL;
  while (status == DLS_OK && placed && (most <= 0 || batch.grains.count < most) &&
         due(source, next.poured, next.mass, time))
    status = pour_one(&pour, &next, &batch, &placed);
  if (status != DLS_OK) {
    clear_batch(&batch);
    return status;
  }
  *state = next;
  *out = batch.grains;
  *velocity = batch.velocity;
  return DLS_OK;
}

int dls_sink_takes(const DlsSink *sink, int dim, const double *x) {
  const int inside = dls_region_depth(&sink->region, dim, x) >= 0;
  return sink->outside ? !inside : inside;
}
