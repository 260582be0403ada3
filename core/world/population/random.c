/* Random sequential addition, the largest grains first: a place is drawn until it is free. */
#include <stdlib.h>
#include <string.h>

#include "world/population/cells.h"
#include "world/population/population_impl.h"

enum { TRIES = 20000 }; /* for one grain: beyond, the region counts as full */

/* The sentence that says how far it came, with what to do. */
static DlsStatus full(const DlsRegion *region, const DlsPopulation *p, const int *order,
                      int placed) {
  const double room = dls_region_volume(region, p->dim);
  double volume = 0;
  for (int i = 0; i < placed; i++) volume += dls_ball_volume(p->dim, p->radius[order[i]]);
  return dls_fail(
      DLS_ERR_ARGUMENT,
      "random: %d of %d grains placed, solid fraction %.3f of %.3f: no free place found "
      "for a grain of radius %g in %d tries. Drawing places one by one ends near %s with "
      "equal grains: ask for less, or take the generator `packed`",
      placed, p->count, volume / room, dls_population_volume(p) / room, p->radius[order[placed]],
      (int)TRIES, p->dim == 2 ? "0.52 (disks)" : "0.35 (spheres)");
}

static int place(const DlsRegion *region, DlsCells *cells, int id, double radius, DlsRandom *random,
                 double *x) {
  for (int t = 0; t < TRIES; t++) {
    dls_region_try(region, cells->dim, radius, random, x);
    if (dls_region_depth(region, cells->dim, x) < radius) continue;
    if (dls_cells_hits(cells, x, radius)) continue;
    dls_cells_add(cells, id, x, radius);
    return 1;
  }
  return 0;
}

static DlsStatus place_all(const DlsRegion *region, DlsCells *cells, const int *order,
                           uint64_t seed, DlsPopulation *p) {
  DlsRandom random;
  dls_random_stream(&random, seed, DLS_STREAM_PLACES);
  for (int i = 0; i < p->count; i++) {
    const int g = order[i];
    if (!place(region, cells, g, p->radius[g], &random, p->centre + 3 * (size_t)g))
      return full(region, p, order, i);
  }
  return DLS_OK;
}

DlsStatus dls_population_random(const DlsRegion *region, int dim, const DlsSizes *sizes,
                                DlsAmount amount, uint64_t seed, DlsPopulation *out) {
  double low[3], high[3];
  DlsCells cells;
  int *order = NULL;
  memset(&cells, 0, sizeof cells);
  DLS_TRY(dls_population_draw("random", region, dim, sizes, amount, seed, out));
  dls_region_bounds(region, dim, low, high);
  DlsStatus status = dls_population_by_size(out, &order);
  if (status == DLS_OK)
    status = dls_cells_create(&cells, dim, low, high, 0, out->count, out->radius);
  if (status == DLS_OK) status = place_all(region, &cells, order, seed, out);
  dls_cells_clear(&cells);
  free(order);
  if (status != DLS_OK) dls_population_clear(out);
  return status;
}
