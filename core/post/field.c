#include "post/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "post/field_deposit.h"

/* The sums, in this order. */
enum {
  DENSITY = 0,
  SOLID = 1,
  MOMENTUM = 2,
  FLUX = 5,
  STRESS = 11,
  CONTACTS = 20,
  FABRIC = 21,
  WALL = 27,
  SUMS = 30
};
static const int row[6] = {0, 1, 2, 0, 1, 0},
                 column[6] = {0, 1, 2, 1, 2, 2}; /* xx yy zz xy yz xz */

void dls_field_clear(DlsField *f) {
  free(f->density);
  free(f->solid);
  free(f->contacts);
  free(f->velocity);
  free(f->stress);
  free(f->kinetic);
  free(f->fabric);
  free(f->wall_force);
  memset(f, 0, sizeof *f);
}

static DlsStatus make(DlsField *f) {
  DLS_NEW(f->density, f->nodes);
  DLS_NEW(f->solid, f->nodes);
  DLS_NEW(f->contacts, f->nodes);
  DLS_NEW(f->velocity, f->nodes);
  DLS_NEW(f->stress, f->nodes);
  DLS_NEW(f->kinetic, f->nodes);
  DLS_NEW(f->fabric, f->nodes);
  DLS_NEW(f->wall_force, f->nodes);
  return DLS_OK;
}

static void add_grain(const DlsGranulate *g, int i, DlsDeposit *d) {
  const double *v = g->velocity[i], m = g->mass[i];
  double value[STRESS] = {m, g->volume[i], m * v[0], m * v[1], m * v[2]};
  for (int k = 0; k < 6; k++) value[FLUX + k] = m * v[row[k]] * v[column[k]];
  dls_deposit_point(d, g->centre[i], DENSITY, STRESS, value);
}

/* The force of a contact along the way from `from` to `to`: the tensor f (x) (to - from). */
static void add_way(const double f[3], const double from[3], const double to[3], DlsDeposit *d) {
  double way[3], value[9] = {0};
  for (int k = 0; k < 3; k++) way[k] = to[k] - from[k];
  dls_tensor_add(1, f, way, value);
  dls_deposit_line(d, from, to, STRESS, 9, value);
}

static void add_contact(const DlsGranulate *g, int c, DlsDeposit *d) {
  const double *f = g->force[c], *n = g->normal[c], *p = g->point[c];
  const int i = g->candidate[c], j = g->antagonist[c];
  const bool first = !g->held[i], second = dls_granulate_is_free(g, j);
  double value[7] = {1}, against[3];
  for (int k = 0; k < 6; k++) value[1 + k] = n[row[k]] * n[column[k]];
  for (int k = 0; k < 3; k++) against[k] = -f[k];
  dls_deposit_point(d, p, CONTACTS, 7, value);
  if (first && second) {
    /* Of balls the two arms lie on one line: one way from centre to centre, with half the points. */
    double arm[2][3], across[3];
    dls_granulate_arm(g, c, 0, arm[0]);
    dls_granulate_arm(g, c, 1, arm[1]);
    dls_vector_cross(arm[0], arm[1], across);
    if (dls_vector_norm(across) <= 1e-6 * dls_vector_norm(arm[0]) * dls_vector_norm(arm[1])) {
      add_way(f, g->centre[i], g->centre[j], d);
      return;
    }
  }
  if (first) add_way(f, g->centre[i], p, d);
  if (second) add_way(against, g->centre[j], p, d);
  if (first != second) dls_deposit_point(d, p, WALL, 3, first ? f : against);
}

/* The sides of the box around the grains at which boundaries are touched; the others are infinitely far. */
static void find_walls(const DlsGranulate *g, double low[3], double high[3]) {
  double from[3], to[3];
  const double near = 0.1 * dls_granulate_diameter(g);
  dls_granulate_box(g, from, to);
  for (int k = 0; k < 3; k++) low[k] = -INFINITY, high[k] = INFINITY;
  for (int c = 0; c < g->contacts; c++)
    for (int k = 0; k < g->dim; k++) {
      if (g->antagonist[c] >= 0 || fabs(g->normal[c][k]) < 0.9) continue;
      if (g->point[c][k] < from[k] + near) low[k] = from[k];
      if (g->point[c][k] > to[k] - near) high[k] = to[k];
    }
}

/* Of one node, from the sums over `share` of the kernel. */
static void finish(const DlsDeposit *d, int node, double share, DlsField *f) {
  double s[SUMS];
  for (int k = 0; k < SUMS; k++)
    s[k] = share > 1e-3 ? d->sum[(size_t)node * SUMS + (size_t)k] / share : 0;
  f->density[node] = s[DENSITY];
  f->solid[node] = s[SOLID];
  f->contacts[node] = s[CONTACTS];
  memcpy(f->stress[node], s + STRESS, sizeof f->stress[node]);
  memcpy(f->wall_force[node], s + WALL, sizeof f->wall_force[node]);
  for (int k = 0; k < 3 && s[DENSITY] > 0; k++) f->velocity[node][k] = s[MOMENTUM + k] / s[DENSITY];
  for (int k = 0; k < 6; k++) {
    const double *v = f->velocity[node];
    const double flux = s[FLUX + k] - s[DENSITY] * v[row[k]] * v[column[k]];
    f->kinetic[node][3 * row[k] + column[k]] = f->kinetic[node][3 * column[k] + row[k]] = -flux;
    if (s[CONTACTS] > 0)
      f->fabric[node][3 * row[k] + column[k]] = f->fabric[node][3 * column[k] + row[k]] =
          s[FABRIC + k] / s[CONTACTS];
  }
}

static DlsStatus compute(const DlsGranulate *g, int walls, DlsDeposit *d, DlsField *f) {
  double low[3], high[3], x[3];
  DLS_TRY(make(f));
  DLS_TRY(dls_deposit_begin(d, g->dim, &f->grid, &f->kernel, SUMS));
  for (int i = 0; i < g->grains; i++)
    if (!g->held[i]) add_grain(g, i, d);
  for (int c = 0; c < g->contacts; c++)
    if (dls_granulate_active(g, c)) add_contact(g, c, d);
  find_walls(g, low, high);
  for (int node = 0; node < f->nodes; node++) {
    dls_field_place(&f->grid, node, x);
    finish(d, node, walls ? dls_kernel_inside(&f->kernel, g->dim, x, low, high) : 1, f);
  }
  return DLS_OK;
}

DlsStatus dls_field(const DlsGranulate *g, const DlsFieldGrid *grid, const DlsKernel *kernel,
                    int walls, DlsField *out) {
  double nodes = 1;
  DlsDeposit deposit = {0};
  for (int k = 0; k < 3; k++) {
    DLS_CHECK(grid->points[k] >= 1 && (k < g->dim || grid->points[k] == 1), DLS_ERR_ARGUMENT,
              "field: a grid of %d x %d x %d points in %d-D", grid->points[0], grid->points[1],
              grid->points[2], g->dim);
    nodes *= grid->points[k];
  }
  DLS_CHECK(nodes <= 5e7, DLS_ERR_ARGUMENT, "field: %g points; at most 5e7", nodes);
  DLS_CHECK(kernel->width > 0, DLS_ERR_ARGUMENT, "field: the width of the kernel is %g m",
            kernel->width);
  *out = (DlsField){.dim = g->dim, .nodes = (int)nodes, .grid = *grid, .kernel = *kernel};
  const DlsStatus status = compute(g, walls, &deposit, out);
  dls_deposit_end(&deposit);
  if (status != DLS_OK) dls_field_clear(out);
  return status;
}
