/* The overlap of a population, by cells: each grain is compared with the larger ones around it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "world/population/cells.h"
#include "world/population/population_impl.h"

typedef struct {
  const double *x;
  double radius, tolerance;
  int id;
  DlsOverlap *out;
} Look;

static int look(void *context, const DlsCellsGrain *grain) {
  const Look *me = context;
  DlsOverlap *out = me->out;
  const double a = grain->x[0] - me->x[0], b = grain->x[1] - me->x[1], c = grain->x[2] - me->x[2];
  const double smaller = fmin(grain->radius, me->radius);
  const double depth = grain->radius + me->radius - sqrt(a * a + b * b + c * c);
  if (depth > me->tolerance * smaller) out->pairs++;
  if (depth > 0 && depth / smaller > out->relative) {
    out->relative = depth / smaller;
    out->depth = depth;
    out->first = me->id < grain->id ? me->id : grain->id;
    out->second = me->id < grain->id ? grain->id : me->id;
  }
  return 0;
}

static DlsStatus find_bounds(const DlsPopulation *p, double *low, double *high) {
  for (int i = 0; i < 3; i++) {
    low[i] = p->centre[i];
    high[i] = p->centre[i];
  }
  for (int g = 0; g < p->count; g++) {
    for (int i = 0; i < 3; i++) {
      const double x = p->centre[3 * (size_t)g + (size_t)i];
      DLS_CHECK(isfinite(x), DLS_ERR_NUMERIC, "population: coordinate %c of grain %d is not finite",
                "xyz"[i], g);
      low[i] = fmin(low[i], x);
      high[i] = fmax(high[i], x);
    }
    DLS_CHECK(p->radius[g] > 0 && isfinite(p->radius[g]), DLS_ERR_NUMERIC,
              "population: the radius of grain %d is %g", g, p->radius[g]);
  }
  return DLS_OK;
}

DlsStatus dls_population_overlap(const DlsPopulation *p, double tolerance, DlsOverlap *out) {
  double low[3], high[3];
  DlsCells cells;
  int *order;
  *out = (DlsOverlap){.first = -1, .second = -1};
  if (p->count == 0) return DLS_OK;
  DLS_TRY(find_bounds(p, low, high));
  DLS_TRY(dls_population_by_size(p, &order));
  DlsStatus status = dls_cells_create(&cells, p->dim, low, high, 0, p->count, p->radius);
  for (int i = 0; status == DLS_OK && i < p->count; i++) {
    const int g = order[i];
    const double *x = p->centre + 3 * (size_t)g;
    Look me = {x, p->radius[g], tolerance, g, out};
    dls_cells_near(&cells, x, me.radius, look, &me);
    dls_cells_add(&cells, g, x, me.radius);
  }
  dls_cells_clear(&cells);
  free(order);
  return status;
}
