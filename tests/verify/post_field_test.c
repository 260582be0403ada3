/* Coarse-grained fields: integrals, balance of forces at every point, walls. */
#include "tests/packing.h"

#include "post/average.h"
#include "post/field/field.h"

static const char *const kernels[] = {"gauss:1d", "lucy:1.5d", "top-hat:1.5d"};

static double largest(const double *x, int n) {
  double most = 0;
  for (int k = 0; k < n; k++) most = fmax(most, fabs(x[k]));
  return most;
}

/* A grid around the grains and `more` beyond, with `points` along x. */
static DlsFieldGrid grid_about(const DlsPacking *g, double more, int points) {
  DlsFieldGrid grid = {.points = {1, 1, 1}};
  dls_packing_box(g, grid.low, grid.high);
  for (int k = 0; k < g->dim; k++) grid.low[k] -= more, grid.high[k] += more;
  const double step = (grid.high[0] - grid.low[0]) / (points - 1);
  for (int k = 0; k < g->dim; k++) {
    grid.points[k] = (int)ceil((grid.high[k] - grid.low[k]) / step) + 1;
    grid.high[k] = grid.low[k] + (grid.points[k] - 1) * step;
  }
  return grid;
}

/* Integrals over all space: of density the mass, of stress the sum of the internal moments, for
 * every kernel. The sum over a grid of a smooth kernel is nearly exact; a top-hat is counted to a
 * cell of its rim. */
static void check_integrals(int dim, int points) {
  TestScene scene;
  DlsPacking g = {0};
  DlsAverage average;
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  test_packing(&scene, dim, dim == 3 ? 3 : 6, dim == 3 ? 3 : 6, 0.3, 300);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  CHECK_OK(dls_average(&g, &all, DLS_AVERAGE_CENTRES, &average));
  double mass = 0;
  for (int i = 0; i < g.grains; i++) mass += g.mass[i];
  for (int n = 0; n < DLS_COUNT(kernels); n++) {
    DlsKernel kernel;
    DlsField field = {0};
    double total = 0, moment[9] = {0}, cell = 1;
    CHECK_OK(dls_kernel_read(kernels[n], dls_packing_diameter(&g), &kernel));
    const DlsFieldGrid grid = grid_about(&g, dls_kernel_reach(&kernel), points);
    CHECK_OK(dls_field(&g, &grid, &kernel, 0, &field));
    for (int k = 0; k < dim; k++) cell *= (grid.high[k] - grid.low[k]) / (grid.points[k] - 1);
    for (int i = 0; i < field.nodes; i++) {
      total += field.density[i] * cell;
      for (int k = 0; k < 9; k++) moment[k] += field.stress[i][k] * cell;
    }
    const double tolerance = kernel.kind == DLS_KERNEL_TOP_HAT ? 2e-2 : 2e-3;
    CHECK_NEAR(total, mass, tolerance * mass);
    const double size = largest(average.stress, 9) * average.volume;
    for (int k = 0; k < 9; k++)
      CHECK_NEAR(moment[k], average.stress[k] * average.volume, 1.5 * tolerance * size);
    dls_field_clear(&field);
  }
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

TEST(integrals_in_the_plane) { check_integrals(2, 60); }
TEST(integrals_in_space) { check_integrals(3, 36); }

/* The balance holds whatever the width, as far as differences on a grid of 0.12 widths, the cut-off
 * tails and the solver let it: with the force of walls everywhere, without it where none is in
 * reach. */
TEST(the_field_is_in_equilibrium_at_every_point) {
  static const char *const texts[] = {"gauss:0.3d", "gauss:0.5d", "gauss:0.8d", "lucy:0.8d",
                                      "lucy:1.2d"};
  TestScene scene;
  DlsPacking g = {0};
  test_packing(&scene, 2, 16, 14, 0.5, 900);
  CHECK_OK(dls_packing_take(scene.simulation, &g));
  for (int k = 0; k < DLS_COUNT(texts); k++) {
    DlsKernel kernel;
    DlsField field = {0};
    double low[3], high[3];
    CHECK_OK(dls_kernel_read(texts[k], dls_packing_diameter(&g), &kernel));
    const double reach = dls_kernel_reach(&kernel);
    dls_packing_box(&g, low, high);
    const int points = (int)((high[0] - low[0] + 2 * reach) / (0.12 * kernel.width));
    const DlsFieldGrid grid = grid_about(&g, reach, points);
    CHECK_OK(dls_field(&g, &grid, &kernel, 0, &field));
    const DlsFieldBalance balance = dls_field_balance(&field, g.gravity);
    CHECK(balance.bulk_nodes > 500 && balance.nodes > balance.bulk_nodes);
    CHECK_BELOW(balance.bulk, 5e-3);
    CHECK_BELOW(balance.everywhere, 1.5e-2);
    for (int i = 0; i < field.nodes; i++) /* must be able to fail: a stress too large by a tenth */
      for (int c = 0; c < 9; c++) field.stress[i][c] *= 1.1;
    CHECK(dls_field_balance(&field, g.gravity).bulk > 0.01);
    dls_field_clear(&field);
  }
  dls_packing_clear(&g);
  test_scene_close(&scene);
}

/* A square lattice of balls between walls: with the correction the density at the walls is that of
 * the inside. */
TEST(density_at_walls_is_that_of_the_inside) {
  enum { SIDE = 20 };
  DlsPacking g = {0};
  DlsKernel kernel;
  CHECK_OK(dls_packing_reserve(&g, SIDE * SIDE, 4));
  g.dim = 2;
  for (int i = 0; i < SIDE * SIDE; i++) {
    const int column = i % SIDE, row = i / SIDE;
    g.centre[i][0] = column + 0.5, g.centre[i][1] = row + 0.5;
    g.radius[i] = 0.5;
    g.volume[i] = g.mass[i] = 1;
  }
  for (int c = 0; c < 4; c++) { /* one touch of each wall tells where it is */
    g.antagonist[c] = -1;
    g.candidate[c] = c % 2 ? SIDE * SIDE - 1 : 0;
    g.normal[c][c / 2] = c % 2 ? -1 : 1;
    g.point[c][c / 2] = c % 2 ? SIDE : 0;
    g.point[c][1 - c / 2] = c % 2 ? SIDE - 0.5 : 0.5;
  }
  const DlsFieldGrid grid = {{9, 9, 1}, {0, 0, 0}, {SIDE, SIDE, 0}};
  for (int n = 0; n < 2; n++) {
    DlsField with = {0}, without = {0};
    CHECK_OK(dls_kernel_read(n ? "lucy:2" : "gauss:1.5", 1, &kernel));
    CHECK_OK(dls_field(&g, &grid, &kernel, 1, &with));
    CHECK_OK(dls_field(&g, &grid, &kernel, 0, &without));
    for (int i = 0; i < with.nodes; i++) CHECK_NEAR(with.density[i], 1, 0.02);
    CHECK_NEAR(without.density[0], 0.25, 0.01); /* a corner loses three quarters */
    dls_field_clear(&with);
    dls_field_clear(&without);
  }
  dls_packing_clear(&g);
}

TEST(kernels_have_integral_one_and_are_named) {
  DlsKernel kernel;
  CHECK_FAILS(dls_kernel_read("box:1d", 1, &kernel), DLS_ERR_ARGUMENT,
              "none of gauss, lucy, top-hat");
  CHECK_FAILS(dls_kernel_read("gauss:-1d", 1, &kernel), DLS_ERR_ARGUMENT, "above 0");
  CHECK_FAILS(dls_kernel_read("gauss:1q", 1, &kernel), DLS_ERR_ARGUMENT, "gauss:1.5d");
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 0; n < DLS_COUNT(kernels); n++) {
      enum { SIDE = 60 };
      double sum = 0;
      CHECK_OK(dls_kernel_read(kernels[n], 1, &kernel));
      const double reach = dls_kernel_reach(&kernel), step = 2 * reach / SIDE;
      for (int i = 0; i < (dim == 3 ? SIDE : 1) * SIDE * SIDE; i++) {
        const int place[3] = {i % SIDE, i / SIDE % SIDE, i / SIDE / SIDE};
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = (place[k] + 0.5) * step - reach;
        sum += dls_kernel_value(&kernel, dim, x) * pow(step, dim);
      }
      CHECK_NEAR(sum, 1, kernel.kind == DLS_KERNEL_TOP_HAT ? 5e-3 : 1e-3);
    }
}
