/* A column of grains at rest between smooth upright walls, from coordinate 0 to `width` on each
 * horizontal axis: layer by layer the vertical stress is the weight above over the area, and the
 * horizontal one K times that. */
#ifndef DELASSUS_TESTS_COLUMN_H
#define DELASSUS_TESTS_COLUMN_H

#include "tests/decks.h"

#include "post/profile.h"

enum { TEST_COLUMN_LAYERS = 6 };

/* Sums over samples; ratios are K. */
typedef struct {
  double vertical[2], horizontal[2]; /* Pa, of the lower and the upper half */
  double contacts;
  double moving;   /* sum m |a| / weight of the sample that moves most, a as a vector */
  double unsolved; /* of the same: the most that the solver's tolerance leaves of it */
} TestColumn;

static inline double test_column_ratio(const TestColumn *column) {
  return (column->horizontal[0] + column->horizontal[1]) /
         (column->vertical[0] + column->vertical[1]);
}

static inline double test_column_half(const TestColumn *column, int upper) {
  return column->horizontal[upper] / column->vertical[upper];
}

/* Of the grains above the middle of a layer, each by the share of the layer that is below its
 * centre: what their contacts give them, their weight, and the sum m |a| that is left between the
 * two, N. */
static inline void test_column_above(const DlsPacking *g, double low, double high,
                                     double *resultant, double *weight, double *moving) {
  const int up = g->dim - 1;
  *resultant = *weight = *moving = 0;
  for (int i = 0; i < g->grains; i++) {
    const double share = fmin(fmax((g->centre[i][up] - low) / (high - low), 0), 1);
    const double own = -g->mass[i] * g->gravity[up];
    *resultant += share * g->resultant[i][up];
    *weight += share * own;
    *moving += share * fabs(g->resultant[i][up] - own);
  }
}

/* The accelerations of a column at rest are those that the solver leaves: a `scaled` error of e
 * lets the n forces f be wrong by e |f| as a vector, so the sum of their sizes by e sqrt(n) |f|,
 * and each acts on two grains. Both over the weight. */
static inline void test_column_motion(const DlsPacking *g, double tolerance, double weight,
                                      TestColumn *out) {
  double moving = 0, square = 0;
  for (int i = 0; i < g->grains; i++) {
    double ma[3];
    for (int k = 0; k < 3; k++) ma[k] = g->resultant[i][k] + g->mass[i] * g->gravity[k];
    moving += dls_vector_norm(ma);
  }
  for (int c = 0; c < g->contacts; c++) square += dls_vector_dot(g->force[c], g->force[c]);
  if (moving / weight < out->moving) return;
  out->moving = moving / weight;
  out->unsolved = 2 * tolerance * sqrt(g->contacts * square) / weight;
}

/* Adds a sample, and checks its balance: to round-off with the accelerations that are left, and
 * without them to their size. The surface is where it would be if the column were of one density:
 * at twice the height of its centre. */
static inline void test_column_add(const DlsPacking *g, double width, double tolerance,
                                   TestColumn *out) {
  const int up = g->dim - 1;
  const double area = g->dim == 3 ? width * width : width;
  DlsProbe region = {.kind = DLS_PROBE_BOX, .high = {width, width, width}};
  DlsProfileGrid grid;
  DlsLayer layer[TEST_COLUMN_LAYERS];
  double mass = 0, first = 0, resultant, weight, moving, all;
  for (int i = 0; i < g->grains; i++) {
    mass += g->mass[i];
    first += g->mass[i] * g->centre[i][up];
  }
  region.low[up] = 1e-4; /* contacts with the floor, a hair above it or below, are below */
  region.high[up] = 2 * first / mass;
  CHECK_OK(dls_profile_grid(g, &region, DLS_AVERAGE_LINES, up, TEST_COLUMN_LAYERS, &grid));
  CHECK_OK(dls_profile(g, &grid, layer));
  test_column_above(g, -2, -1, &resultant, &all, &moving);
  test_column_motion(g, tolerance, all, out);
  out->contacts += g->contacts;
  for (int n = 0; n < TEST_COLUMN_LAYERS; n++) {
    const double step = (region.high[up] - region.low[up]) / TEST_COLUMN_LAYERS;
    const double low = region.low[up] + n * step;
    const double *stress = layer[n].stress, force = -stress[4 * up] * area;
    const int upper = n >= TEST_COLUMN_LAYERS / 2;
    test_column_above(g, low, low + step, &resultant, &weight, &moving);
    CHECK_NEAR(force, resultant, 1e-10 * all);
    CHECK_NEAR(force, weight, moving + 1e-10 * all);
    out->vertical[upper] -= stress[4 * up];
    out->horizontal[upper] -= g->dim == 3 ? (stress[0] + stress[4]) / 2 : stress[0];
  }
}

#endif
