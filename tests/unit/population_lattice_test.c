/* Lattices, pyramids, the deposit: numbers and distances by crystallography; regions; overlap by
 * hand. */
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"
#include "world/population/population.h"

static const double pi = 3.14159265358979323846;
static const DlsSizes one = {.kind = DLS_SIZES_FIXED, .radius = 0.5};

/* The shortest distance between centres, and how many have exactly it around grain i. */
static double distance(const DlsPopulation *p, int i, int j) {
  const double *x = p->centre + 3 * i, *y = p->centre + 3 * j;
  return sqrt((x[0] - y[0]) * (x[0] - y[0]) + (x[1] - y[1]) * (x[1] - y[1]) +
              (x[2] - y[2]) * (x[2] - y[2]));
}

static int most_neighbours(const DlsPopulation *p, double reach) {
  int most = 0;
  for (int i = 0; i < p->count; i++) {
    int near = 0;
    for (int j = 0; j < p->count; j++) near += j != i && distance(p, i, j) < reach;
    most = near > most ? near : most;
  }
  return most;
}

static void check_clear(const DlsPopulation *p, const DlsRegion *region) {
  DlsOverlap overlap;
  CHECK_OK(dls_population_overlap(p, 1e-9, &overlap));
  CHECK_INT(overlap.pairs, 0);
  for (int i = 0; region && i < p->count; i++)
    CHECK(dls_region_depth(region, p->dim, p->centre + 3 * i) >= p->radius[i] * (1 - 1e-8));
}

TEST(lattices_have_their_coordination_and_density) {
  static const struct {
    DlsLatticeKind kind;
    int dim, neighbours;
    double fraction; /* of touching grains, without end */
  } cases[] = {{DLS_LATTICE_SQUARE, 2, 4, 0.78539816339744831},
               {DLS_LATTICE_HEXAGONAL, 2, 6, 0.90689968211710893},
               {DLS_LATTICE_CUBIC, 3, 6, 0.52359877559829887},
               {DLS_LATTICE_FCC, 3, 12, 0.74048048969306104},
               {DLS_LATTICE_HCP, 3, 12, 0.74048048969306104}};
  for (int c = 0; c < DLS_COUNT(cases); c++) {
    const int dim = cases[c].dim;
    const double L = dim == 2 ? 30 : 11;
    const DlsRegion box = {
        .kind = DLS_REGION_BOX, .low = {-1, 2, 3}, .high = {L - 1, L + 2, L + 3}};
    const DlsLattice lattice = {.kind = cases[c].kind, .pitch = 1};
    DlsPopulation p = {0};
    CHECK_OK(dls_population_lattice(&lattice, &box, dim, &one, 1, &p));
    CHECK_INT(most_neighbours(&p, 1 + 1e-9), cases[c].neighbours);
    CHECK_INT(most_neighbours(&p, 1 - 1e-9), 0);
    /* The sites miss less than one layer at each pair of walls. */
    const double fraction = dls_population_volume(&p) / dls_region_volume(&box, dim);
    CHECK_BELOW(fraction, cases[c].fraction * (1 + 1e-12));
    CHECK(fraction > cases[c].fraction * pow(1 - 1.0 / L, dim));
    check_clear(&p, &box);
    dls_population_clear(&p);
  }
}

TEST(lattices_fill_every_region_without_overlap) {
  const DlsRegion regions[] = {
      {.kind = DLS_REGION_BOX, .low = {0, 0, 0}, .high = {10, 9, 8}},
      {.kind = DLS_REGION_CYLINDER, .centre = {1, 2, 3}, .radius = 6, .height = 9},
      {.kind = DLS_REGION_SPHERE, .centre = {1, 2, 3}, .radius = 6},
      {.kind = DLS_REGION_FRUSTUM, .centre = {1, 2, 3}, .radius = 2, .radius_top = 7, .height = 8}};
  const DlsSizes sizes = {.kind = DLS_SIZES_UNIFORM, .min = 0.2, .max = 0.4};
  for (int i = 0; i < DLS_COUNT(regions); i++)
    for (int dim = 2; dim <= 3; dim++) {
      const DlsLattice lattice = {
          .kind = dim == 2 ? DLS_LATTICE_HEXAGONAL : DLS_LATTICE_HCP, .pitch = 1, .jitter = 0.1};
      DlsPopulation p = {0}, again = {0};
      CHECK_OK(dls_population_lattice(&lattice, &regions[i], dim, &sizes, 5, &p));
      CHECK_OK(dls_population_lattice(&lattice, &regions[i], dim, &sizes, 5, &again));
      CHECK(p.count > 20 && p.count == again.count);
      CHECK(memcmp(p.centre, again.centre, 3 * sizeof(double) * (size_t)p.count) == 0);
      CHECK(memcmp(p.radius, again.radius, sizeof(double) * (size_t)p.count) == 0);
      check_clear(&p, &regions[i]);
      dls_population_clear(&p);
      dls_population_clear(&again);
    }
}

TEST(jitter_is_uniform_in_its_ball) {
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {40, 40, 10}};
  const DlsLattice lattice = {.kind = DLS_LATTICE_CUBIC, .pitch = 1, .jitter = 0.2};
  const DlsSizes small = {.kind = DLS_SIZES_FIXED, .radius = 0.3};
  DlsPopulation p = {0};
  double sum = 0;
  CHECK_OK(dls_population_lattice(&lattice, &box, 3, &small, 5, &p));
  CHECK_INT(p.count, 16000);
  for (int i = 0; i < p.count; i++) {
    double square = 0;
    for (int a = 0; a < 3; a++) {
      const double d = p.centre[3 * i + a] - floor(p.centre[3 * i + a]) - 0.5;
      square += d * d;
    }
    CHECK_BELOW(square, 0.04 * (1 + 1e-9));
    sum += square;
  }
  /* <d^2> = 3/5 jitter^2, deviation of d^2 is jitter^2 sqrt(3/7 - 9/25). */
  CHECK_NEAR(sum / p.count, 0.6 * 0.04, 5 * 0.04 * sqrt(3.0 / 7 - 9.0 / 25) / sqrt(p.count));
  dls_population_clear(&p);
}

TEST(lattices_refuse_what_does_not_fit) {
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {4, 4, 4}};
  DlsPopulation p = {0};
  DlsLattice lattice = {.kind = DLS_LATTICE_CUBIC, .pitch = 1, .jitter = 0.1};
  CHECK_FAILS(dls_population_lattice(&lattice, &box, 3, &one, 1, &p), DLS_ERR_ARGUMENT,
              "need a pitch of 1.2");
  lattice.jitter = 0;
  CHECK_FAILS(dls_population_lattice(&lattice, &box, 2, &one, 1, &p), DLS_ERR_ARGUMENT,
              "cubic is for 3-D");
  lattice.count = 65;
  CHECK_FAILS(dls_population_lattice(&lattice, &box, 3, &one, 1, &p), DLS_ERR_ARGUMENT, "64 sites");
  lattice.count = 64;
  CHECK_OK(dls_population_lattice(&lattice, &box, 3, &one, 1, &p));
  CHECK_INT(p.count, 64);
  lattice = (DlsLattice){.kind = DLS_LATTICE_CUBIC, .pitch = 9};
  CHECK_FAILS(dls_population_lattice(&lattice, &box, 3, &one, 1, &p), DLS_ERR_ARGUMENT, "no site");
  CHECK(p.count == 0 && p.centre == NULL);
}

TEST(pyramids_have_their_numbers_and_heights) {
  const double foot[3] = {1, 2, 3};
  DlsPopulation p = {0};
  for (int n = 1; n <= 8; n++) {
    CHECK_OK(dls_population_pyramid(DLS_PYRAMID_SQUARE, 3, n, 0.5, 0, foot, &p));
    CHECK_INT(p.count, n * (n + 1) * (2 * n + 1) / 6);
    CHECK_NEAR(p.centre[3 * p.count - 1], 3.5 + (n - 1) * sqrt(0.5), 1e-12);
    CHECK_INT(most_neighbours(&p, 1 - 1e-12), 0);
    if (n >= 5) CHECK_INT(most_neighbours(&p, 1 + 1e-12), 12);
    CHECK_OK(dls_population_pyramid(DLS_PYRAMID_TRIANGULAR, 3, n, 0.5, 0, foot, &p));
    CHECK_INT(p.count, n * (n + 1) * (n + 2) / 6);
    CHECK_NEAR(p.centre[3 * p.count - 1], 3.5 + (n - 1) * sqrt(2.0 / 3), 1e-12);
    CHECK_NEAR(p.centre[3 * p.count - 3], 1, 1e-12);
    CHECK_NEAR(p.centre[3 * p.count - 2], 2, 1e-12);
    CHECK_INT(most_neighbours(&p, 1 - 1e-12), 0);
    if (n >= 6) CHECK_INT(most_neighbours(&p, 1 + 1e-12), 12);
    CHECK_OK(dls_population_pyramid(DLS_PYRAMID_SQUARE, 2, n, 0.5, 0.1, foot, &p));
    CHECK_INT(p.count, n * (n + 1) / 2);
    CHECK_NEAR(p.centre[3 * p.count - 2], 2.5 + 1.1 * (n - 1) * sqrt(0.75), 1e-12);
    CHECK_INT(most_neighbours(&p, 1.1 - 1e-12), 0);
  }
  /* Four balls of a tetrahedron all touch. */
  CHECK_OK(dls_population_pyramid(DLS_PYRAMID_TRIANGULAR, 3, 2, 0.5, 0, foot, &p));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < i; j++) CHECK_NEAR(distance(&p, i, j), 1, 1e-12);
  CHECK_FAILS(dls_population_pyramid(DLS_PYRAMID_SQUARE, 3, 0, 0.5, 0, foot, &p), DLS_ERR_ARGUMENT,
              "0 layers");
  dls_population_clear(&p);
}

TEST(the_deposit_is_the_one_of_the_benchmark) {
  for (int n = 1; n <= 1001; n += 100) {
    DlsPopulation p = {0};
    double side;
    const double r = 0.005;
    CHECK_OK(dls_population_deposit(n, r, 42, &p, &side));
    const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {side, side, side}};
    CHECK_INT(p.count, n);
    CHECK_NEAR(side, ceil(cbrt(n) - 1e-9) * 2.2 * r, 1e-12);
    check_clear(&p, &box);
    dls_population_clear(&p);
  }
}

/* A million grains take a moment; the deposit of all sizes is a prefix of nothing but itself. */
TEST(a_million_grains_on_a_lattice) {
  DlsPopulation p = {0};
  DlsOverlap overlap;
  double side;
  CHECK_OK(dls_population_deposit(1000000, 0.005, 1, &p, &side));
  CHECK_INT(p.count, 1000000);
  CHECK_OK(dls_population_overlap(&p, 1e-12, &overlap));
  CHECK_INT(overlap.pairs, 0);
  dls_population_clear(&p);
}

TEST(regions_know_their_volume_and_depth) {
  const DlsRegion frustum = {
      .kind = DLS_REGION_FRUSTUM, .radius = 1, .radius_top = 4, .height = 4}; /* slope 3 : 4 */
  const DlsRegion cylinder = {.kind = DLS_REGION_CYLINDER, .radius = 2, .height = 5};
  const DlsRegion sphere = {.kind = DLS_REGION_SPHERE, .centre = {1, 1, 1}, .radius = 2};
  const double x[3] = {0, 0, 2}, y[3] = {1, 2, 0};
  CHECK_NEAR(dls_region_volume(&frustum, 3), pi / 3 * 4 * (1 + 4 + 16), 1e-12);
  CHECK_NEAR(dls_region_volume(&frustum, 2), 20, 1e-12);
  CHECK_NEAR(dls_region_volume(&cylinder, 3), 20 * pi, 1e-12);
  CHECK_NEAR(dls_region_volume(&cylinder, 2), 20, 1e-12);
  CHECK_NEAR(dls_region_volume(&sphere, 2), 4 * pi, 1e-12);
  /* On the axis at half height: 2.5 to the side, times 4/5; the ends are 2 away. */
  CHECK_NEAR(dls_region_depth(&frustum, 3, x), 2, 1e-12);
  CHECK_NEAR(dls_region_depth(&frustum, 2, y), (2.5 - 1) * 0.8, 1e-12);
  CHECK_NEAR(dls_region_depth(&cylinder, 3, x), 2, 1e-12);
  CHECK_NEAR(dls_region_depth(&sphere, 3, x), 2 - sqrt(3), 1e-12);
  /* The largest ball of the frustum touches top and side, at least: 4 s = ... by bisection. */
  double low = 0, high = 2;
  for (int i = 0; i < 60; i++) {
    const double mid = 0.5 * (low + high);
    *(dls_region_fits(&frustum, 3, mid) ? &low : &high) = mid;
  }
  /* Centre at height 4 - r, where the radius is 4 - 3/4 r: (4 - 3/4 r) 0.8 = r. */
  CHECK_NEAR(low, 2, 1e-9);
}

TEST(push_brings_every_ball_inside) {
  const DlsRegion regions[] = {
      {.kind = DLS_REGION_BOX, .low = {-2, -2, 0}, .high = {2, 2, 4}},
      {.kind = DLS_REGION_CYLINDER, .radius = 2, .height = 4},
      {.kind = DLS_REGION_SPHERE, .radius = 2},
      {.kind = DLS_REGION_FRUSTUM, .radius = 0, .radius_top = 3, .height = 4},
      {.kind = DLS_REGION_FRUSTUM, .radius = 3, .radius_top = 0.5, .height = 4},
      {.kind = DLS_REGION_FRUSTUM, .radius = 2, .radius_top = 2, .height = 4}};
  for (int i = 0; i < DLS_COUNT(regions); i++)
    for (int dim = 2; dim <= 3; dim++)
      for (int k = 0; k < 1000; k++) {
        const int at[3] = {k % 10, k / 10 % 10, k / 100};
        double x[3] = {at[0] - 4.5, at[1] - 3.5, dim == 3 ? at[2] - 2.5 : 0};
        const double before = dls_region_depth(&regions[i], dim, x);
        const double y[3] = {x[0], x[1], x[2]};
        dls_region_push(&regions[i], dim, 0.7, x);
        CHECK(dls_region_depth(&regions[i], dim, x) >= 0.7 * (1 - 1e-12));
        for (int a = 0; before >= 0.7 && a < 3; a++) CHECK(x[a] == y[a]);
      }
}

TEST(regions_that_are_none_are_refused) {
  const struct {
    DlsRegion region;
    const char *text;
  } cases[] = {
      {{.kind = DLS_REGION_BOX, .low = {0, 1, 0}, .high = {1, 1, 1}}, "along y"},
      {{.kind = DLS_REGION_CYLINDER, .radius = 0, .height = 1}, "radius of the cylinder is 0"},
      {{.kind = DLS_REGION_CYLINDER, .radius = 1, .height = -1}, "height of the cylinder"},
      {{.kind = DLS_REGION_SPHERE, .radius = NAN}, "radius of the sphere"},
      {{.kind = DLS_REGION_FRUSTUM, .radius = -1, .radius_top = 1, .height = 1}, "negative"},
      {{.kind = DLS_REGION_SPHERE, .centre = {INFINITY}, .radius = 1}, "not finite"},
      {{.kind = (DlsRegionKind)7}, "no kind 7"}};
  for (int i = 0; i < DLS_COUNT(cases); i++)
    CHECK_FAILS(dls_region_check(&cases[i].region, 3), DLS_ERR_ARGUMENT, cases[i].text);
}

TEST(overlap_finds_the_deepest_pair_of_any_sizes) {
  double centre[] = {0, 0, 0, 1.5, 0, 0, 0, 1.005, 0, 5, 0, 0, 5.018, 0, 0};
  double radius[] = {1, 0.7, 0.01, 0.01, 0.01};
  int kind[5] = {0};
  const DlsPopulation p = {.dim = 3, .count = 5, .centre = centre, .radius = radius, .kind = kind};
  DlsOverlap overlap;
  CHECK_OK(dls_population_overlap(&p, 0, &overlap));
  CHECK_INT(overlap.pairs, 3);
  CHECK(overlap.first == 0 && overlap.second == 2); /* half the small radius */
  CHECK_NEAR(overlap.relative, 0.5, 1e-12);
  CHECK_NEAR(overlap.depth, 0.005, 1e-14);
  CHECK_OK(dls_population_overlap(&p, 0.25, &overlap));
  CHECK_INT(overlap.pairs, 2);
  /* Against all pairs, on a heap of mixed sizes over two decades. */
  enum { M = 600 };
  static double many[3 * M], radii[M];
  uint64_t seed = 1;
  for (int i = 0; i < 3 * M; i++) {
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    many[i] = (double)(seed >> 40) * 0x1p-24 * 10;
    if (i < M) radii[i] = 0.01 * pow(100, (double)(seed >> 44) * 0x1p-20);
  }
  const DlsPopulation heap = {.dim = 3, .count = M, .centre = many, .radius = radii};
  int64_t pairs = 0;
  for (int i = 0; i < M; i++)
    for (int j = 0; j < i; j++) pairs += distance(&heap, i, j) < radii[i] + radii[j];
  CHECK_OK(dls_population_overlap(&heap, 0, &overlap));
  CHECK(pairs > 100);
  CHECK_INT(overlap.pairs, pairs);
  many[5] = NAN;
  CHECK_FAILS(dls_population_overlap(&heap, 0, &overlap), DLS_ERR_NUMERIC, "grain 1");
}
