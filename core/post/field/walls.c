#include "post/field/walls.h"

#include <math.h>
#include <string.h>

#include "base/checked.h"
#include "world/rotation.h"

static const double pi = 3.14159265358979323846;

enum { MOST = 32 }; /* walls within reach of one place */

/* The box around the grains, open where no boundary is touched. */
static void find_box(const DlsPacking *g, DlsFieldWalls *out) {
  double low[3], high[3];
  const double near = 0.1 * dls_packing_diameter(g);
  unsigned touched = 0;
  dls_packing_box(g, low, high);
  for (int c = 0; c < g->contacts; c++)
    for (int k = 0; k < g->dim; k++) {
      if (g->antagonist[c] >= 0 || fabs(g->normal[c][k]) < 0.9) continue;
      if (g->point[c][k] < low[k] + near) touched |= 1u << (2 * k);
      if (g->point[c][k] > high[k] - near) touched |= 2u << (2 * k);
    }
  out->box = (DlsBoundary){.kind = DLS_BOUNDARY_BOX,
                           .inside = true,
                           .open = ~touched & (g->dim == 3 ? 63u : 15u),
                           .orientation = {1, 0, 0, 0}};
  for (int k = 0; k < 3; k++) {
    out->box.length[k] = k < g->dim ? high[k] - low[k] : HUGE_VAL;
    out->box.position[k] = 0.5 * (low[k] + high[k]);
  }
  out->wall = &out->box;
  out->count = touched != 0;
}

static void set_directions(DlsFieldWalls *w) {
  w->directions = w->dim == 3 ? DLS_WALL_DIRECTIONS : 360;
  for (int i = 0; i < w->directions; i++) {
    const double share = (i + 0.5) / w->directions;
    const double z = w->dim == 3 ? 1 - 2 * share : 0, rho = sqrt(1 - z * z);
    const double angle = w->dim == 3 ? pi * (3 - sqrt(5)) * i : 2 * pi * share;
    w->direction[i][0] = rho * cos(angle);
    w->direction[i][1] = rho * sin(angle);
    w->direction[i][2] = z;
  }
}

/* Before a flat wall at a distance: one half is free, of the other K(distance / cosine). */
static double half_space(const DlsKernel *kernel, int dim, double distance) {
  enum { POINTS = 64 };
  double sum = 0;
  for (int i = 0; i < POINTS; i++) {
    const double at = (i + 0.5) / POINTS, cosine = dim == 3 ? at : cos(0.5 * pi * at);
    sum += dls_kernel_within(kernel, dim, distance / cosine) / POINTS;
  }
  return 0.5 + 0.5 * sum;
}

void dls_field_walls(const DlsPacking *g, const DlsKernel *kernel, DlsFieldWalls *out) {
  memset(out, 0, sizeof *out);
  out->dim = g->dim;
  out->reach = dls_kernel_reach(kernel);
  out->slack = 0.25 * kernel->width;
  out->wall = g->wall;
  out->count = g->walls;
  if (g->walls == 0) find_box(g, out);
  set_directions(out);
  for (int i = 0; i < DLS_WALL_STEPS + 2; i++) {
    const double distance = i * out->reach / DLS_WALL_STEPS;
    out->within[i] = dls_kernel_within(kernel, g->dim, distance);
    out->half[i] = half_space(kernel, g->dim, distance);
  }
}

static double look_up(const DlsFieldWalls *w, const double *table, double distance) {
  const double at = distance * DLS_WALL_STEPS / w->reach;
  if (at >= DLS_WALL_STEPS) return 1;
  const int step = dls_checked_cell(at, DLS_WALL_STEPS);
  return table[step] + (at - step) * (table[step + 1] - table[step]);
}

static double within(const DlsFieldWalls *w, double distance) {
  return look_up(w, w->within, distance);
}

/* What of the kernel is free along a direction: up to the nearest wall, without what lies in solids
 * before it. */
static double free_along(const DlsFieldWalls *w, const DlsBoundary *const *near, int count,
                         const double x[3], const double e[3]) {
  double end = w->reach, in[MOST], out[MOST], sum;
  int solids = 0;
  for (int b = 0; b < count; b++) {
    const double meets = dls_boundary_ray(w->dim, near[b], x, e, w->slack, &out[solids]);
    if (meets >= w->reach) continue;
    in[solids] = meets;
    if (out[solids] >= w->reach)
      end = fmin(end, meets);
    else
      solids++;
  }
  sum = within(w, end);
  for (int b = 0; b < solids; b++)
    sum -= within(w, fmin(out[b], end)) - within(w, fmin(in[b], end));
  return sum;
}

double dls_field_share(const DlsFieldWalls *w, const double x[3]) {
  const DlsBoundary *near[MOST];
  DlsNear found[DLS_MAX_FEATURES];
  int count = 0, features = 0;
  double sum = 0, distance = 0;
  for (int b = 0; b < w->count; b++) {
    if (dls_boundary_behind(w->dim, &w->wall[b], x, w->slack)) return 0;
    const int met = dls_boundary_near(w->dim, &w->wall[b], x, w->reach, found);
    if (met > 0 && count < MOST) near[count++] = &w->wall[b];
    if (met > 0) distance = found[0].distance;
    features += met;
  }
  if (features == 1 && dls_boundary_flat(w->dim, near[0], x, w->reach))
    return look_up(w, w->half, fmax(0, distance));
  for (int i = 0; i < w->directions && count; i++)
    sum += free_along(w, near, count, x, w->direction[i]);
  return count ? sum / w->directions : 1;
}
