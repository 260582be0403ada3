/* What post-processing costs: a lattice of balls with random forces, three contacts for each ball.
 *
 *   delassus_bench_post [SIDE [POINTS]]     SIDE^3 balls (46: 1e5), a field of POINTS^3 (64) */
#include <stdio.h>
#include <stdlib.h>

#include "base/random.h"
#include "post/average.h"
#include "post/chains.h"
#include "post/fabric.h"
#include "post/field/field.h"
#include "tests/bench/cost.h"

static const double pi = 3.14159265358979323846;

static void fail(void) {
  fprintf(stderr, "%s\n", dls_error_message());
  exit(1);
}

static void make(DlsPacking *g, int side) {
  DlsRandom random;
  dls_random_seed(&random, 1);
  const int count = side * side * side;
  if (dls_packing_reserve(g, count, 3 * side * side * (side - 1)) != DLS_OK) fail();
  g->dim = 3;
  int c = 0;
  for (int i = 0; i < count; i++) {
    const int at[3] = {i % side, i / side % side, i / side / side};
    const int next[3] = {1, side, side * side};
    g->id[i] = i + 1;
    g->mass[i] = 1;
    g->radius[i] = 0.5;
    g->volume[i] = pi / 6;
    for (int k = 0; k < 3; k++) {
      g->centre[i][k] = at[k];
      g->velocity[i][k] = dls_random_normal(&random);
    }
    for (int k = 0; k < 3; k++) {
      if (at[k] + 1 == side) continue;
      g->candidate[c] = i;
      g->antagonist[c] = i + next[k];
      for (int e = 0; e < 3; e++) g->point[c][e] = at[e] + (e == k ? 0.5 : 0);
      g->normal[c][k] = -1;
      g->normal_force[c] = -log(1 - dls_random_unit(&random));
      g->friction_limit[c] = 0.5 * g->normal_force[c];
      for (int e = 0; e < 3; e++)
        g->force[c][e] = e == k ? -g->normal_force[c] : 0.1 * dls_random_normal(&random);
      g->tangential_force[c++] = 0.1;
    }
  }
}

static void measure_grains(const DlsPacking *g) {
  DlsGrainStress stress = {0};
  DlsChains chains = {0};
  double share[3], began = now();
  double(*fabric)[9] = calloc((size_t)g->grains, sizeof *fabric);
  int32_t *number = calloc((size_t)g->grains, sizeof *number);
  const double start = began;
  if (!fabric || !number || dls_grain_stress(g, 1, &stress) != DLS_OK) fail();
  printf("stress of grains, splits, principal values  %.3f s\n", now() - began);
  began = now();
  dls_fabric_grains(g, number, fabric);
  printf("fabric and coordination of grains           %.3f s\n", now() - began);
  began = now();
  if (dls_chains(g, &stress, NULL, &chains) != DLS_OK || dls_percolation(g, share) != DLS_OK)
    fail();
  printf("force chains, percolation                   %.3f s\n", now() - began);
  printf("all of these                                %.3f s\n", now() - start);
  dls_chains_clear(&chains);
  dls_grain_stress_clear(&stress);
  free(fabric);
  free(number);
}

static void measure_field(const DlsPacking *g, int points, const char *text) {
  DlsFieldGrid grid = {.points = {points, points, points}};
  DlsKernel kernel;
  DlsField field = {0};
  dls_packing_box(g, grid.low, grid.high);
  if (dls_kernel_read(text, 1, &kernel) != DLS_OK) fail();
  const double began = now();
  if (dls_field(g, &grid, &kernel, 1, &field) != DLS_OK) fail();
  printf("field of %d^3 points, %-12s           %.2f s\n", points, text, now() - began);
  dls_field_clear(&field);
}

int main(int argc, char **argv) {
  static const char *const kernels[] = {"gauss:0.5d", "gauss:1d", "gauss:1.5d", "gauss:2d",
                                        "lucy:1d",    "lucy:2d",  "top-hat:1d", "top-hat:2d"};
  const int side = argc > 1 ? atoi(argv[1]) : 46, points = argc > 2 ? atoi(argv[2]) : 64;
  DlsPacking g = {0};
  if (side < 2 || side > 500 || points < 2 || points > 500) return 2;
  setvbuf(stdout, NULL, _IOLBF, 0);
  make(&g, side);
  printf("%d grains, %d contacts\n", g.grains, g.contacts);
  measure_grains(&g);
  for (int k = 0; k < DLS_COUNT(kernels); k++) measure_field(&g, points, kernels[k]);
  dls_packing_clear(&g);
  return 0;
}
