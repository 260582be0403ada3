/* Rain: grains in loose layers above each other, ready to fall. Each stays within a square column
 * and a layer of its own: no two can overlap. */
#include <math.h>
#include <stddef.h>

#include "world/population/population_impl.h"

enum { TRIES = 20 };

/* A grain that is smaller than this part of the coordinates around it has no place of its own among
 * the doubles. */
static const double resolved = 1e-9;
/* Columns in a row without a place for a grain: from here on there is none to be found in any
 * time. */
static const int64_t patience = 20000000;

typedef struct {
  const DlsRegion *region;
  int dim;
  double low[3], high[3]; /* of the region */
  double pitch, gap, corner[2];
  int64_t columns[2]; /* along x and, in 3-D, y */
} Rain;

/* Distance to the walls that stand: a region without its lid. Above a frustum stands a shaft of its
 * top radius; a frustum that narrows is taken as that shaft altogether, so that nothing has to fall
 * through a neck. */
static double open_depth(const Rain *rain, const double *x) {
  DlsRegion open = *rain->region;
  const int up = rain->dim - 1;
  open.high[up] = INFINITY;
  if (open.kind != DLS_REGION_FRUSTUM) {
    if (open.kind == DLS_REGION_CYLINDER) open.height = INFINITY;
    return dls_region_depth(&open, rain->dim, x);
  }
  const double k = (open.radius_top - open.radius) / open.height, s = x[up] - open.centre[up];
  const double a = x[0] - open.centre[0], b = rain->dim == 2 ? 0 : x[1] - open.centre[1];
  const double rho = hypot(a, b), shaft = fmin(s, open.radius_top - rho);
  return k > 0 ? fmin(shaft, (open.radius + k * s - rho) / sqrt(1 + k * k)) : shaft;
}

static void begin(Rain *rain, double largest) {
  dls_region_bounds(rain->region, rain->dim, rain->low, rain->high);
  rain->pitch = 2 * largest + rain->gap;
  for (int a = 0; a < 2; a++) {
    const double width = rain->high[a] - rain->low[a];
    const double columns =
        a < rain->dim - 1 ? fmax(floor(width / rain->pitch * (1 + 1e-12)), 1) : 1;
    rain->columns[a] = (int64_t)fmin(columns, DLS_POPULATION_MOST);
    rain->corner[a] = rain->low[a] + 0.5 * (width - columns * rain->pitch);
  }
}

/* A place for a ball in a column of the layer [bottom, bottom + thickness]: at random, at last in
 * the middle. */
static int place(const Rain *rain, int64_t column, double bottom, double thickness, double radius,
                 DlsRandom *random, double *x) {
  const int up = rain->dim - 1;
  const double play = 0.5 * rain->pitch - radius;
  const int64_t at[2] = {column % rain->columns[0], column / rain->columns[0]};
  for (int t = 0; t <= TRIES; t++) {
    const double amount = t < TRIES ? 1 : 0;
    x[2] = 0;
    for (int a = 0; a < up; a++)
      x[a] = rain->corner[a] + ((double)at[a] + 0.5) * rain->pitch +
             amount * dls_random_between(random, -play, play);
    x[up] = dls_random_between(random, bottom + radius, bottom + thickness - radius);
    if (open_depth(rain, x) >= radius) return 1;
  }
  return 0;
}

static DlsStatus fall(const Rain *rain, uint64_t seed, DlsPopulation *p) {
  const int64_t columns = rain->columns[0] * rain->columns[1];
  double bottom = rain->low[rain->dim - 1];
  int placed = 0;
  int64_t missed = 0;
  DlsRandom random;
  dls_random_stream(&random, seed, DLS_STREAM_PLACES);
  while (placed < p->count) {
    const int before = placed;
    double largest = 0;
    for (int64_t i = placed; i < p->count && i < placed + columns; i++)
      largest = fmax(largest, p->radius[i]);
    const double thickness = 2 * largest + rain->gap;
    for (int64_t c = 0; c < columns && placed < p->count && missed < patience; c++) {
      const int found = place(rain, c, bottom, thickness, p->radius[placed], &random,
                              p->centre + 3 * (size_t)placed);
      missed = found ? 0 : missed + 1;
      placed += found;
    }
    DLS_CHECK(
        missed < patience, DLS_ERR_ARGUMENT,
        "rain: %d of %d grains placed, and %lld columns tried without room for the next, of radius "
        "%g: larger grains, or a smaller region",
        placed, p->count, (long long)missed, p->radius[placed]);
    /* Layers near the tip of a funnel may be empty; one above the region's top may not. */
    DLS_CHECK(placed > before || bottom < rain->high[rain->dim - 1], DLS_ERR_ARGUMENT,
              "rain: %d of %d grains placed, no room for one of radius %g: a wider region, smaller "
              "or fewer grains",
              placed, p->count, p->radius[placed]);
    bottom += thickness;
  }
  return DLS_OK;
}

static DlsStatus check_resolution(const Rain *rain, const DlsPopulation *p) {
  double low[3] = {0}, high[3] = {0}, reach = 0, smallest = INFINITY;
  dls_region_bounds(rain->region, rain->dim, low, high);
  for (int a = 0; a < rain->dim; a++) reach = fmax(reach, fmax(fabs(low[a]), fabs(high[a])));
  for (int i = 0; i < p->count; i++) smallest = fmin(smallest, p->radius[i]);
  DLS_CHECK(
      smallest >= resolved * reach, DLS_ERR_ARGUMENT,
      "rain: a grain of radius %g m in a region that reaches to %g m: less than %g of it cannot be "
      "told apart; check the unit of sizes or of region",
      smallest, reach, resolved);
  return DLS_OK;
}

DlsStatus dls_population_rain(const DlsRegion *region, int dim, const DlsSizes *sizes, int count,
                              double gap, uint64_t seed, DlsPopulation *out) {
  Rain rain = {.region = region, .dim = dim, .gap = gap};
  double largest = 0;
  dls_population_clear(out);
  DLS_TRY(dls_region_check(region, dim));
  DLS_TRY(dls_sizes_check(sizes));
  DLS_CHECK(gap >= 0 && isfinite(gap), DLS_ERR_ARGUMENT,
            "rain: the gap is %g: it must not be negative", gap);
  DLS_TRY(dls_population_create("rain", dim, count, out));
  DlsStatus status = dls_sizes_fill(sizes, dim, seed, count, out->radius, out->kind);
  for (int i = 0; status == DLS_OK && i < count; i++) largest = fmax(largest, out->radius[i]);
  if (status == DLS_OK) status = check_resolution(&rain, out);
  if (status == DLS_OK) {
    begin(&rain, largest);
    status = fall(&rain, seed, out);
  }
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}
