/* A source pours grains into a region at a rate; a sink removes them.
 *
 * Grain k = 0, 1 ... is due at begin + k / rate, or, with a mass flow, when the mass of those
 * before it has flown: begin + (m_0 + ... + m_{k-1}) / mass_rate. Its size, and the places tried
 * for it, come from a generator of (seed, k, tries so far): what a source does depends on its
 * state, the time and the obstacles alone, so a restart goes on bit for bit. A grain that finds no
 * free place waits, and those behind it; what is due stays due. */
#ifndef DELASSUS_WORLD_SOURCE_H
#define DELASSUS_WORLD_SOURCE_H

#include "world/population/population.h"

typedef struct {
  DlsRegion region;
  DlsSizes sizes;
  uint64_t seed;
  double rate;        /* grains per s; 0 where mass_rate counts */
  double mass_rate;   /* kg/s; 0 where rate counts */
  double density;     /* kg/m^3 (kg/m^2 in 2-D); needed with mass_rate */
  double begin, end;  /* s: pours for begin <= t < end; end may be infinite */
  int64_t limit;      /* at most so many grains; 0: no limit */
  double velocity[3]; /* m/s, of every new grain */
  double spread;      /* m/s: each component varies uniformly by +- this */
} DlsSource;

/* All that a checkpoint must keep; all zero at the start. */
typedef struct {
  int64_t poured; /* grains so far */
  int64_t tries;  /* places tried, in earlier calls, for the next one */
  double mass;    /* kg, of those so far (with mass_rate) */
} DlsSourceState;

/* 1 when a ball at x hits something that is there already. */
typedef int DlsSourceBlocked(void *context, const double *x, double radius);

DlsStatus dls_source_check(const DlsSource *source, int dim);

/* The grains due up to `time` that find a place, free of each other and of what `blocked` (NULL:
 * nothing is there) knows. *out and *velocity, [count][3], NULL or owned, are replaced; the caller
 * ends them with dls_population_clear() and free(). At most `most` grains a call (0: no bound). On
 * failure the state is as before. */
DlsStatus dls_source_pour(const DlsSource *source, int dim, double time, int most,
                          DlsSourceBlocked *blocked, void *context, DlsSourceState *state,
                          DlsPopulation *out, double **velocity);

/* Grains a second, at most: by mass, if all were of the smallest size. */
double dls_source_most(const DlsSource *source, int dim);

/* How many grains are due up to `time` in all, with `rate`; -1 with mass_rate, where sizes decide.
 */
int64_t dls_source_due(const DlsSource *source, double time);

/* A sink takes what has its centre in the region, or, with `outside`, what has left it. */
typedef struct {
  DlsRegion region;
  int outside;
} DlsSink;

int dls_sink_takes(const DlsSink *sink, int dim, const double *x);

#endif
