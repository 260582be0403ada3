#include "post/field/field.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/memory.h"
#include "post/field/deposit.h"
#include "post/field/walls.h"

/* The sums of grains and of contacts, in this order. */
enum { GRAINS, OF_CONTACTS };
enum { DENSITY = 0, SOLID = 1, MOMENTUM = 2, FLUX = 5, WALL = 12 };
enum { STRESS = 0, CONTACTS = 9, FABRIC = 10, SUMS = DLS_DEPOSIT_LANES };
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

static DlsSpread spread_of(const double a[3], const double b[3]) {
  DlsSpread out = {.value = {0}};
  memcpy(out.a, a, sizeof out.a);
  memcpy(out.b, b, sizeof out.b);
  return out;
}

static void add_grain(const DlsPacking *g, int i, DlsDeposit *d) {
  const double *v = g->velocity[i], m = g->mass[i], *x = g->centre[i];
  if (!dls_deposit_reaches(d, x, x)) return;
  DlsSpread grain = spread_of(x, x);
  grain.value[DENSITY] = m;
  grain.value[SOLID] = g->volume[i];
  for (int k = 0; k < 3; k++) grain.value[MOMENTUM + k] = m * v[k];
  for (int k = 0; k < 6; k++) grain.value[FLUX + k] = m * v[row[k]] * v[column[k]];
  dls_deposit_add(d, GRAINS, 0, &grain);
}

/* The force of a contact along the way from `from` to `to`: the tensor f (x) (to - from). */
static DlsSpread way_of(const double f[3], const double from[3], const double to[3]) {
  DlsSpread out = spread_of(from, to);
  double way[3];
  for (int k = 0; k < 3; k++) way[k] = to[k] - from[k];
  dls_tensor_add(1, f, way, out.value + STRESS);
  return out;
}

/* Of balls the two arms lie on one line: one way from centre to centre, with half the points. */
static bool is_straight(const DlsPacking *g, int c) {
  double arm[2][3], across[3];
  dls_packing_arm(g, c, 0, arm[0]);
  dls_packing_arm(g, c, 1, arm[1]);
  dls_vector_cross(arm[0], arm[1], across);
  return dls_vector_norm(across) <= 1e-6 * dls_vector_norm(arm[0]) * dls_vector_norm(arm[1]);
}

/* What the forces and arms of a cell leave of its inner moment. */
static void add_moment(const DlsPacking *g, int i, DlsDeposit *d) {
  DlsSpread point = spread_of(g->centre[i], g->centre[i]);
  if (!dls_deposit_reaches(d, g->centre[i], g->centre[i])) return;
  memcpy(point.value + STRESS, g->moment[i], sizeof g->moment[i]);
  dls_deposit_add(d, OF_CONTACTS, 0, &point);
}

/* The contact itself: that it is there, and where it points to. */
static void add_point(const DlsPacking *g, int c, DlsDeposit *d) {
  const double *n = g->normal[c], *p = g->point[c];
  if (!dls_deposit_reaches(d, p, p)) return;
  DlsSpread point = spread_of(p, p);
  point.value[CONTACTS] = 1;
  for (int k = 0; k < 6; k++) point.value[FABRIC + k] = n[row[k]] * n[column[k]];
  dls_deposit_add(d, OF_CONTACTS, 1, &point);
}

/* `itself`: with what add_point() adds. */
static void add_contact(const DlsPacking *g, int c, bool itself, DlsDeposit *d) {
  const double *f = g->force[c], *p = g->point[c];
  const int i = g->candidate[c], j = g->antagonist[c];
  const bool first = !g->held[i], second = dls_packing_is_free(g, j);
  const double against[3] = {-f[0], -f[1], -f[2]};
  if (!dls_deposit_reaches(d, g->centre[i], j >= 0 ? g->centre[j] : p) &&
      !dls_deposit_reaches(d, p, p))
    return;
  if (first && second && is_straight(g, c)) {
    const DlsSpread way = way_of(f, g->centre[i], g->centre[j]);
    dls_deposit_add(d, OF_CONTACTS, 0, &way);
    if (itself) add_point(g, c, d);
    return;
  }
  if (first) {
    const DlsSpread way = way_of(f, g->centre[i], p);
    dls_deposit_add(d, OF_CONTACTS, 0, &way);
  }
  if (second) {
    const DlsSpread way = way_of(against, g->centre[j], p);
    dls_deposit_add(d, OF_CONTACTS, 0, &way);
  }
  if (itself) add_point(g, c, d);
  if (first == second) return;
  DlsSpread wall = spread_of(p, p);
  memcpy(wall.value + WALL, first ? f : against, 3 * sizeof *f);
  dls_deposit_add(d, GRAINS, 1, &wall);
}

/* Of one node, from the sums over `share` of the kernel. */
static void finish(const DlsDeposit *d, int node, double share, DlsField *f) {
  double s[SUMS], c[SUMS];
  const double *grains = d->sum[GRAINS] + (size_t)node * SUMS;
  const double *contacts = d->sum[OF_CONTACTS] + (size_t)node * SUMS;
  for (int k = 0; k < SUMS; k++) {
    s[k] = share > 1e-3 ? grains[k] / share : 0;
    c[k] = share > 1e-3 ? contacts[k] / share : 0;
  }
  f->density[node] = s[DENSITY];
  f->solid[node] = s[SOLID];
  f->contacts[node] = c[CONTACTS];
  memcpy(f->stress[node], c + STRESS, sizeof f->stress[node]);
  memcpy(f->wall_force[node], s + WALL, sizeof f->wall_force[node]);
  for (int k = 0; k < 3 && s[DENSITY] > 0; k++) f->velocity[node][k] = s[MOMENTUM + k] / s[DENSITY];
  for (int k = 0; k < 6; k++) {
    const double *v = f->velocity[node];
    const double flux = s[FLUX + k] - s[DENSITY] * v[row[k]] * v[column[k]];
    f->kinetic[node][3 * row[k] + column[k]] = f->kinetic[node][3 * column[k] + row[k]] = -flux;
    if (c[CONTACTS] > 0)
      f->fabric[node][3 * row[k] + column[k]] = f->fabric[node][3 * column[k] + row[k]] =
          c[FABRIC + k] / c[CONTACTS];
  }
}

static DlsStatus compute(const DlsPacking *packing, int walls, DlsDeposit *d, DlsField *f) {
  const DlsPacking *g = dls_packing_fine(packing);
  double x[3];
  DlsFieldWalls seen;
  DLS_TRY(make(f));
  DLS_TRY(dls_deposit_begin(d, g->dim, &f->grid, &f->kernel));
  for (int tile = 0; tile < d->tiles; tile++) {
    dls_deposit_tile(d, tile);
    for (int i = 0; i < g->grains; i++)
      if (!g->held[i] && dls_packing_part(g, i) != DLS_PART_NODE) add_grain(g, i, d);
    for (int i = 0; i < g->grains && g->moment; i++)
      if (dls_packing_part(g, i) == DLS_PART_CELL) add_moment(g, i, d);
    for (int c = 0; c < g->contacts; c++)
      if (dls_packing_active(g, c)) add_contact(g, c, g == packing, d);
    for (int c = 0; c < packing->contacts && g != packing; c++)
      if (dls_packing_active(packing, c)) add_point(packing, c, d);
    dls_deposit_flush(d);
  }
  dls_field_walls(packing, &f->kernel, &seen);
  for (int node = 0; node < f->nodes; node++) {
    dls_field_place(&f->grid, node, x);
    finish(d, node, walls ? dls_field_share(&seen, x) : 1, f);
  }
  return DLS_OK;
}

/* An arm is cut into pieces of about a width: one that is thousands of widths long never ends. */
static DlsStatus check_arms(const DlsPacking *g, const DlsKernel *kernel) {
  enum { LONGEST = 2000 };
  for (int c = 0; c < g->contacts; c++)
    for (int side = 0; side < 2; side++) {
      double arm[3];
      const int grain = side ? g->antagonist[c] : g->candidate[c];
      if (!dls_packing_active(g, c) || !dls_packing_is_free(g, grain)) continue;
      dls_packing_arm(g, c, side, arm);
      const double widths = dls_vector_norm(arm) / kernel->width;
      DLS_CHECK(widths <= LONGEST, DLS_ERR_ARGUMENT,
                "field: contact %d is %g widths of the kernel from its grain, at most %d; take a "
                "wider kernel",
                c, widths, LONGEST);
    }
  return DLS_OK;
}

DlsStatus dls_field(const DlsPacking *packing, const DlsFieldGrid *grid, const DlsKernel *kernel,
                    int walls, DlsField *out) {
  const DlsPacking *g = dls_packing_fine(packing);
  size_t nodes = 1;
  DlsDeposit deposit = {0};
  DLS_CHECK(!g->cell.axes, DLS_ERR_UNSUPPORTED,
            "field: kernels do not reach across a periodic cell; take profile or stress");
  for (int k = 0; k < 3; k++) {
    DLS_CHECK(grid->points[k] >= 1 && (k < g->dim || grid->points[k] == 1), DLS_ERR_ARGUMENT,
              "field: a grid of %d x %d x %d points in %d-D", grid->points[0], grid->points[1],
              grid->points[2], g->dim);
    DLS_CHECK(dls_checked_product(nodes, (size_t)grid->points[k], DLS_FIELD_MOST, &nodes),
              DLS_ERR_ARGUMENT, "field: %d x %d x %d points; at most %d in all", grid->points[0],
              grid->points[1], grid->points[2], DLS_FIELD_MOST);
  }
  DLS_CHECK(kernel->width > 0 && isfinite(kernel->width), DLS_ERR_ARGUMENT,
            "field: the width of the kernel is %g m", kernel->width);
  DLS_TRY(check_arms(g, kernel));
  *out = (DlsField){.dim = g->dim, .nodes = (int)nodes, .grid = *grid, .kernel = *kernel};
  const DlsStatus status = compute(packing, walls, &deposit, out);
  dls_deposit_end(&deposit);
  if (status != DLS_OK) dls_field_clear(out);
  return status;
}
