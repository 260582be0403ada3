/* Dense random packings by a force-biased relaxation (Moscinski and Bargiel 1989): grains of full
 * size begin at random places; pair after pair, those that overlap are moved apart along their line
 * of centres, the lighter one more, and back into the region, until no pair overlaps.
 *
 * Radii are taken larger by the part `inflation` in the moves and as they are in the test: the end
 * comes after finitely many sweeps, and leaves no overlap at all. Moves are over-relaxed, which
 * takes a tenth of the sweeps near jamming; where that stalls, less so. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "world/population/cells.h"
#include "world/population/population_impl.h"

static const double inflation = 2e-3;
enum { MOST_SWEEPS = 20000, PATIENCE = 150 };

typedef struct {
  int first, second;
} Pair;

typedef struct {
  const DlsRegion *region;
  int dim, count;
  int *order;            /* order[i]: the grain of the population that is i here */
  double *x, *at_build;  /* [count][3]: now, and when the pairs were looked for */
  double *radius, *mass; /* [count]; mass as r^dim, of the largest */
  double skin;           /* m: pairs nearer than this are kept */
  double omega;          /* over-relaxation of the moves */
  DlsCells cells;
  Pair *pair;
  int64_t pairs, room;
} Packing;

/* Grains by octave of size, the largest first, and then cell by cell: neighbours in space become
 * neighbours in memory, and every pair is found once, from its later member. */
typedef struct {
  int64_t key;
  int index;
} Place;

static int by_key(const void *a, const void *b) {
  const Place *p = a, *q = b;
  if (p->key != q->key) return p->key < q->key ? -1 : 1;
  return (p->index > q->index) - (p->index < q->index);
}

static int64_t place_key(const DlsPopulation *p, int g, const double *low, double largest,
                         double side) {
  const double *x = p->centre + 3 * (size_t)g;
  int64_t key = ilogb(largest / p->radius[g]) & 63;
  for (int a = p->dim - 1; a >= 0; a--)
    key = (key << 18) | ((int64_t)fmin((x[a] - low[a]) / side, 0x3ffff) & 0x3ffff);
  return key;
}

static DlsStatus arrange(const DlsPopulation *p, const double *low, Packing *packing) {
  double largest = 0, mean = 0;
  Place *place;
  for (int i = 0; i < p->count; i++) {
    largest = fmax(largest, p->radius[i]);
    mean += p->radius[i] / p->count;
  }
  packing->skin = 0.4 * mean;
  DLS_NEW(place, p->count);
  for (int i = 0; i < p->count; i++) place[i] = (Place){place_key(p, i, low, largest, 4 * mean), i};
  qsort(place, (size_t)p->count, sizeof *place, by_key);
  for (int i = 0; i < p->count; i++) {
    const int g = packing->order[i] = place[i].index;
    packing->radius[i] = p->radius[g];
    packing->mass[i] = pow(p->radius[g] / largest, p->dim);
    memcpy(packing->x + 3 * (size_t)i, p->centre + 3 * (size_t)g, 3 * sizeof(double));
  }
  free(place);
  return DLS_OK;
}

static DlsStatus create(const DlsRegion *region, const DlsPopulation *p, Packing *packing) {
  double low[3], high[3];
  const size_t count = (size_t)p->count;
  packing->region = region;
  packing->dim = p->dim;
  packing->count = p->count;
  packing->omega = 1.8;
  packing->room = 8 * (int64_t)count + 64;
  DLS_NEW(packing->order, count);
  DLS_NEW(packing->x, 3 * count);
  DLS_NEW(packing->at_build, 3 * count);
  DLS_NEW(packing->radius, count);
  DLS_NEW(packing->mass, count);
  DLS_NEW(packing->pair, packing->room);
  dls_region_bounds(region, p->dim, low, high);
  DLS_TRY(arrange(p, low, packing));
  return dls_cells_create(&packing->cells, p->dim, low, high, packing->skin, p->count, p->radius);
}

static void destroy(Packing *packing) {
  free(packing->order);
  free(packing->x);
  free(packing->at_build);
  free(packing->radius);
  free(packing->mass);
  free(packing->pair);
  dls_cells_clear(&packing->cells);
}

static double distance(const double *x, const double *y) {
  const double a = x[0] - y[0], b = x[1] - y[1], c = x[2] - y[2];
  return sqrt(a * a + b * b + c * c);
}

typedef struct {
  Packing *packing;
  int id;
} Search;

/* Keeps a near pair; ends the search when the room is used up. */
static int keep(void *context, const DlsCellsGrain *grain) {
  const Search *search = context;
  Packing *p = search->packing;
  const double reach = grain->radius + p->radius[search->id] + p->skin;
  if (distance(grain->x, p->x + 3 * (size_t)search->id) >= reach) return 0;
  if (p->pairs == p->room) return 1;
  p->pair[p->pairs++] = (Pair){grain->id, search->id};
  return 0;
}

static DlsStatus more_room(Packing *p) {
  Pair *pair;
  DLS_NEW(pair, 2 * p->room);
  memcpy(pair, p->pair, (size_t)p->pairs * sizeof *pair);
  free(p->pair);
  p->pair = pair;
  p->room *= 2;
  return DLS_OK;
}

static DlsStatus find_pairs(Packing *p) {
  p->pairs = 0;
  dls_cells_empty(&p->cells);
  for (int i = 0; i < p->count; i++) {
    const double *x = p->x + 3 * (size_t)i;
    Search search = {p, i};
    const int64_t before = p->pairs;
    while (dls_cells_near(&p->cells, x, p->radius[i], keep, &search)) {
      p->pairs = before;
      DLS_TRY(more_room(p));
    }
    dls_cells_add(&p->cells, i, x, p->radius[i]);
  }
  memcpy(p->at_build, p->x, 3 * (size_t)p->count * sizeof *p->x);
  return DLS_OK;
}

/* Pairs are good as long as no grain has moved by half the skin. */
static bool has_moved_far(const Packing *p) {
  for (int i = 0; i < p->count; i++)
    if (2 * distance(p->x + 3 * (size_t)i, p->at_build + 3 * (size_t)i) > p->skin) return true;
  return false;
}

/* The largest overlap over the smaller radius. */
static double worst(const Packing *p) {
  double most = -1;
  for (int64_t k = 0; k < p->pairs; k++) {
    const int i = p->pair[k].first, j = p->pair[k].second;
    const double depth =
        p->radius[i] + p->radius[j] - distance(p->x + 3 * (size_t)i, p->x + 3 * (size_t)j);
    most = fmax(most, depth / fmin(p->radius[i], p->radius[j]));
  }
  return most;
}

/* Moves a pair apart; returns its overlap before, over the smaller radius. Centres that coincide
 * part along x. */
static double part(Packing *p, Pair pair) {
  double *x = p->x + 3 * (size_t)pair.first, *y = p->x + 3 * (size_t)pair.second;
  const double sum = p->radius[pair.first] + p->radius[pair.second], d = distance(x, y);
  const double smaller = fmin(p->radius[pair.first], p->radius[pair.second]);
  const double excess = sum * (1 + inflation) - d, depth = (sum - d) / smaller;
  if (excess <= 0) return depth;
  const double total = p->mass[pair.first] + p->mass[pair.second];
  const double share = p->mass[pair.second] / total; /* of the first grain */
  for (int a = 0; a < p->dim; a++) {
    const double n = d > 0 ? (x[a] - y[a]) / d : a == 0;
    x[a] += share * p->omega * excess * n;
    y[a] -= (1 - share) * p->omega * excess * n;
  }
  return depth;
}

/* One sweep over all pairs, there or back, then all grains into the region. */
static double sweep(Packing *p, bool back) {
  double most = -1;
  for (int64_t k = 0; k < p->pairs; k++)
    most = fmax(most, part(p, p->pair[back ? p->pairs - 1 - k : k]));
  for (int i = 0; i < p->count; i++)
    dls_region_push(p->region, p->dim, p->radius[i], p->x + 3 * (size_t)i);
  return most;
}

/* Sweeps until no pair overlaps, or until PATIENCE sweeps in a row did not help even without
 * over-relaxation. */
static DlsStatus relax(Packing *p, double *left) {
  double best = INFINITY, seen = INFINITY;
  int last_gain = 0;
  DLS_TRY(find_pairs(p));
  for (int k = 0; k < MOST_SWEEPS && p->omega >= 1; k++) {
    if (has_moved_far(p)) DLS_TRY(find_pairs(p));
    if (seen <= 0) {
      *left = worst(p);
      if (*left <= 0) return DLS_OK;
    }
    seen = sweep(p, k & 1);
    if (seen < 0.98 * best || k - last_gain > PATIENCE) {
      if (seen >= 0.98 * best) p->omega -= 0.1;
      best = seen;
      last_gain = k;
    }
  }
  DLS_TRY(find_pairs(p));
  *left = worst(p);
  return DLS_OK;
}

static DlsStatus pack(const DlsRegion *region, DlsPopulation *out) {
  Packing packing = {0};
  double left = 0;
  DlsStatus status = create(region, out, &packing);
  if (status == DLS_OK) status = relax(&packing, &left);
  for (int i = 0; status == DLS_OK && i < out->count; i++)
    memcpy(out->centre + 3 * (size_t)packing.order[i], packing.x + 3 * (size_t)i,
           3 * sizeof(double));
  destroy(&packing);
  DLS_TRY(status);
  DLS_CHECK(
      left <= 0, DLS_ERR_ARGUMENT,
      "packed: at a solid fraction of %.3f an overlap of %.2g radii is left: equal %s jam near "
      "%s, and earlier between near walls: ask for less, or for more different sizes",
      dls_population_volume(out) / dls_region_volume(region, out->dim), left,
      out->dim == 2 ? "disks" : "spheres", out->dim == 2 ? "0.84" : "0.64");
  return DLS_OK;
}

DlsStatus dls_population_packed(const DlsRegion *region, int dim, const DlsSizes *sizes,
                                DlsAmount amount, uint64_t seed, DlsPopulation *out) {
  DlsRandom random;
  DLS_CHECK(region->kind != DLS_REGION_MESH, DLS_ERR_ARGUMENT,
            "packed: grains are pushed back into their region, which is not written for a mesh; "
            "take random, or rain");
  DLS_TRY(dls_population_draw("packed", region, dim, sizes, amount, seed, out));
  dls_random_stream(&random, seed, DLS_STREAM_PLACES);
  for (int i = 0; i < out->count; i++) {
    double *x = out->centre + 3 * (size_t)i;
    dls_region_try(region, dim, out->radius[i], &random, x);
    dls_region_push(region, dim, out->radius[i], x);
  }
  const DlsStatus status = pack(region, out);
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}
