#include "post/floor.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* Whether contact c rests on the floor, and what it gives to it. */
static bool rests(const DlsPacking *g, const DlsFloorGrid *grid, int c, double force[3]) {
  const int i = g->candidate[c], j = g->antagonist[c];
  const bool first = !g->held[i], second = dls_packing_is_free(g, j);
  if (first == second || !dls_packing_active(g, c)) return false;
  const double sign = first ? -1 : 1; /* force is on the candidate */
  for (int k = 0; k < 3; k++) force[k] = sign * g->force[c][k];
  if (j < 0 && dls_vector_dot(g->normal[c], grid->up) < 0.5) return false;
  return dls_probe_holds(&grid->region, g->dim, g->point[c]);
}

/* Where a point counts, and the direction of its shear. */
static double place_of(const DlsFloorGrid *grid, const double x[3], double along[3]) {
  double offset[3];
  memset(along, 0, 3 * sizeof *along);
  if (!grid->rings) {
    along[grid->axis] = 1;
    return x[grid->axis];
  }
  for (int k = 0; k < 3; k++) offset[k] = x[k] - grid->centre[k];
  const double height = dls_vector_dot(offset, grid->up);
  for (int k = 0; k < 3; k++) offset[k] -= height * grid->up[k];
  const double radius = dls_vector_norm(offset);
  for (int k = 0; k < 3 && radius > 0; k++) along[k] = offset[k] / radius;
  return radius;
}

static void set_upward(const DlsPacking *g, DlsFloorGrid *grid) {
  const double weight = dls_vector_norm(g->gravity);
  for (int k = 0; k < 3; k++) grid->up[k] = weight > 0 ? -g->gravity[k] / weight : k == g->dim - 1;
}

static void set_rings(const DlsPacking *g, const double *centre, DlsFloorGrid *grid) {
  double mass = 0, force[3], along[3];
  for (int i = 0; i < g->grains && !centre; i++) {
    if (g->held[i]) continue;
    mass += g->mass[i];
    for (int k = 0; k < 3; k++) grid->centre[k] += g->mass[i] * g->centre[i][k];
  }
  for (int k = 0; k < 2; k++)
    if (centre)
      grid->centre[k] = centre[k];
    else
      grid->centre[k] = mass > 0 ? grid->centre[k] / mass : 0;
  grid->centre[2] = 0;
  for (int c = 0; c < g->contacts; c++)
    if (rests(g, grid, c, force)) grid->high = fmax(grid->high, place_of(grid, g->point[c], along));
  grid->high *= 1 + 1e-9; /* the farthest is in */
}

DlsStatus dls_floor_grid(const DlsPacking *g, const DlsProbe *region, char letter, int count,
                         const double *centre, DlsFloorGrid *out) {
  double low[3], high[3];
  memset(out, 0, sizeof *out);
  out->region = *region;
  out->rings = letter == 'r';
  out->axis = letter == 'y';
  out->count = count;
  out->across = 1;
  set_upward(g, out);
  DLS_CHECK(g->dim == 3 || letter == 'x', DLS_ERR_ARGUMENT,
            "floor: along %c, but the run is in 2-D; take x", letter);
  if (out->rings) {
    set_rings(g, centre, out);
    DLS_CHECK(out->high > 0, DLS_ERR_ARGUMENT,
              "floor: no contact with a floor at %g s that tells how far the rings reach", g->time);
    return DLS_OK;
  }
  dls_packing_box(g, low, high);
  const bool boxed = region->kind == DLS_PROBE_BOX;
  out->low = boxed ? region->low[out->axis] : low[out->axis];
  out->high = boxed ? region->high[out->axis] : high[out->axis];
  if (g->dim == 3) {
    const int other = 1 - out->axis;
    out->across = boxed ? region->high[other] - region->low[other] : high[other] - low[other];
  }
  DLS_CHECK(out->high > out->low && out->across > 0, DLS_ERR_ARGUMENT,
            "floor: the region has no width");
  return DLS_OK;
}

void dls_floor(const DlsPacking *g, const DlsFloorGrid *grid, DlsFloorPart *out) {
  const double step = (grid->high - grid->low) / grid->count;
  memset(out, 0, (size_t)grid->count * sizeof *out);
  for (int n = 0; n < grid->count; n++) {
    const double from = grid->low + n * step, to = from + step;
    out[n].place = 0.5 * (from + to);
    out[n].area = grid->rings ? pi * (to * to - from * from) : step * grid->across;
  }
  for (int c = 0; c < g->contacts; c++) {
    double force[3], along[3];
    if (!rests(g, grid, c, force)) continue;
    const double at = (place_of(grid, g->point[c], along) - grid->low) / step;
    if (!(at >= 0 && at < grid->count)) continue;
    DlsFloorPart *part = &out[(int)at];
    const double down = -dls_vector_dot(force, grid->up) / part->area;
    const double shear = dls_vector_dot(force, along) / part->area;
    part->contacts++;
    part->pressure += down;
    part->shear += shear;
    part->error += down * down;
    part->shear_error += shear * shear;
  }
  for (int n = 0; n < grid->count; n++) {
    out[n].error = sqrt(out[n].error);
    out[n].shear_error = sqrt(out[n].shear_error);
  }
}
