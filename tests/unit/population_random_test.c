/* Random, packed and raining populations, and those of files: inside their region, free of overlap,
 * as many as were asked for, the same for the same seed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/files.h"
#include "world/population/population.h"

static const DlsRegion regions[] = {
    {.kind = DLS_REGION_BOX, .low = {-1, -2, -3}, .high = {7, 6, 5}},
    {.kind = DLS_REGION_CYLINDER, .centre = {1, 2, 3}, .radius = 4, .height = 8},
    {.kind = DLS_REGION_SPHERE, .centre = {1, 2, 3}, .radius = 5},
    {.kind = DLS_REGION_FRUSTUM, .centre = {1, 2, 3}, .radius = 1, .radius_top = 6, .height = 8},
    {.kind = DLS_REGION_FRUSTUM, .centre = {1, 2, 3}, .radius = 6, .radius_top = 2, .height = 8}};
static const DlsSizes equal = {.kind = DLS_SIZES_FIXED, .radius = 0.5};
static const DlsSizes mixed = {.kind = DLS_SIZES_POWER, .min = 0.2, .max = 0.8, .exponent = 0};

static void check_clear(const DlsPopulation *p) {
  DlsOverlap overlap;
  CHECK_OK(dls_population_overlap(p, 1e-12, &overlap));
  CHECK_INT(overlap.pairs, 0);
}

static void check_inside(const DlsPopulation *p, const DlsRegion *region) {
  for (int i = 0; i < p->count; i++)
    CHECK(dls_region_depth(region, p->dim, p->centre + 3 * i) >= p->radius[i] * (1 - 1e-12));
}

static void check_same(const DlsPopulation *p, const DlsPopulation *q) {
  CHECK_INT(p->count, q->count);
  if (p->count != q->count || p->count == 0) return;
  CHECK(memcmp(p->centre, q->centre, 3 * sizeof(double) * (size_t)p->count) == 0);
  CHECK(memcmp(p->radius, q->radius, sizeof(double) * (size_t)p->count) == 0);
  CHECK(memcmp(p->kind, q->kind, sizeof(int) * (size_t)p->count) == 0);
}

static double largest_volume(const DlsPopulation *p) {
  double r = 0;
  for (int i = 0; i < p->count; i++) r = fmax(r, p->radius[i]);
  return p->dim == 2 ? 3.2 * r * r : 4.2 * r * r * r;
}

typedef DlsStatus Generator(const DlsRegion *, int, const DlsSizes *, DlsAmount, uint64_t,
                            DlsPopulation *);

static void check_generator(Generator *generate, int dim, double fraction) {
  DlsPopulation p = {0}, q = {0};
  for (int i = 0; i < DLS_COUNT(regions); i++)
    for (int s = 0; s < 2; s++) {
      const DlsSizes *sizes = s == 0 ? &equal : &mixed;
      const DlsAmount amount = {.fraction = fraction};
      const double room = dls_region_volume(&regions[i], dim);
      CHECK_OK(generate(&regions[i], dim, sizes, amount, 11, &p));
      CHECK_OK(generate(&regions[i], dim, sizes, amount, 11, &q));
      check_inside(&p, &regions[i]);
      check_clear(&p);
      check_same(&p, &q);
      /* From above, by less than a grain. */
      CHECK(dls_population_volume(&p) >= fraction * room * (1 - 1e-9));
      CHECK_BELOW(dls_population_volume(&p), fraction * room + largest_volume(&p));
      CHECK_OK(generate(&regions[i], dim, sizes, (DlsAmount){.count = 7}, 12, &q));
      CHECK_INT(q.count, 7);
    }
  dls_population_clear(&p);
  dls_population_clear(&q);
}

TEST(random_places_in_every_region) {
  check_generator(dls_population_random, 2, 0.35);
  check_generator(dls_population_random, 3, 0.15);
}

TEST(packed_places_in_every_region) {
  check_generator(dls_population_packed, 2, 0.68);
  check_generator(dls_population_packed, 3, 0.46);
}

/* The fractions that are promised, where walls are some grains away. */
TEST(packed_reaches_its_fractions) {
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {24, 24, 12}};
  const struct {
    int dim;
    double fraction;
    const DlsSizes *sizes;
  } cases[] = {{2, 0.80, &equal}, {2, 0.80, &mixed}, {3, 0.55, &equal}, {3, 0.58, &mixed}};
  DlsPopulation p = {0};
  for (int i = 0; i < DLS_COUNT(cases); i++) {
    const DlsAmount amount = {.fraction = cases[i].fraction};
    CHECK_OK(dls_population_packed(&box, cases[i].dim, cases[i].sizes, amount, 3, &p));
    check_inside(&p, &box);
    check_clear(&p);
  }
  dls_population_clear(&p);
}

/* Uniform: the mean of each coordinate is that of the region, within five deviations. */
TEST(random_places_are_uniform) {
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {40, 40, 40}};
  const DlsSizes small = {.kind = DLS_SIZES_FIXED, .radius = 0.1};
  DlsPopulation p = {0};
  CHECK_OK(dls_population_random(&box, 3, &small, (DlsAmount){.count = 5000}, 1, &p));
  for (int a = 0; a < 3; a++) {
    double sum = 0, square = 0;
    for (int i = 0; i < p.count; i++) {
      sum += p.centre[3 * i + a] / 40;
      square += pow(p.centre[3 * i + a] / 40 - 0.5, 2);
    }
    CHECK_NEAR(sum / p.count, 0.5, 5 * sqrt(1.0 / 12 / p.count));
    CHECK_NEAR(square / p.count, 39.8 * 39.8 / 1600 / 12, 5 * sqrt(1.0 / 180 / p.count));
  }
  dls_population_clear(&p);
}

TEST(random_holds_a_ratio_of_sizes_of_a_hundred) {
  const double values[] = {2, 0.02}, shares[] = {0.5, 0.5};
  const DlsSizes sizes = {
      .kind = DLS_SIZES_SHARES, .count = 2, .values = values, .shares = shares, .by_volume = 0};
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {40, 40, 40}};
  DlsPopulation p = {0};
  CHECK_OK(dls_population_random(&box, 3, &sizes, (DlsAmount){.count = 400}, 1, &p));
  check_clear(&p);
  check_inside(&p, &box);
  dls_population_clear(&p);
}

TEST(too_much_is_refused_with_the_fraction_reached) {
  const DlsRegion box = {.kind = DLS_REGION_BOX, .high = {8, 8, 8}};
  DlsPopulation p = {0};
  CHECK_FAILS(dls_population_random(&box, 3, &equal, (DlsAmount){.fraction = 0.5}, 1, &p),
              DLS_ERR_ARGUMENT, "of 0.500");
  CHECK_FAILS(dls_population_random(&box, 2, &equal, (DlsAmount){.fraction = 0.7}, 1, &p),
              DLS_ERR_ARGUMENT, "take the generator `packed`");
  CHECK_FAILS(dls_population_packed(&box, 3, &equal, (DlsAmount){.fraction = 0.72}, 1, &p),
              DLS_ERR_ARGUMENT, "an overlap of");
  CHECK_FAILS(dls_population_random(&box, 3, &equal, (DlsAmount){.count = 5000}, 1, &p),
              DLS_ERR_ARGUMENT, "fewer or smaller");
  CHECK_FAILS(dls_population_random(&box, 3, &equal, (DlsAmount){5, 0.1}, 1, &p), DLS_ERR_ARGUMENT,
              "either");
  CHECK_FAILS(dls_population_random(&box, 3, &equal, (DlsAmount){0, 0}, 1, &p), DLS_ERR_ARGUMENT,
              "either");
  CHECK_FAILS(dls_population_random(&box, 3, &equal, (DlsAmount){0, 1.5}, 1, &p), DLS_ERR_ARGUMENT,
              "below 1");
  const DlsSizes big = {.kind = DLS_SIZES_FIXED, .radius = 4.5};
  CHECK_FAILS(dls_population_random(&box, 3, &big, (DlsAmount){.count = 1}, 1, &p),
              DLS_ERR_ARGUMENT, "no place");
  CHECK(p.count == 0 && p.centre == NULL);
}

/* Every grain lies above the floor, within the side walls, and apart from the others. */
TEST(rain_falls_into_every_region) {
  DlsPopulation p = {0}, q = {0};
  for (int dim = 2; dim <= 3; dim++)
    for (int i = 0; i < DLS_COUNT(regions); i++) {
      const DlsRegion *region = &regions[i];
      const int count = region->kind == DLS_REGION_SPHERE ? 12 : 400;
      const int up = dim - 1;
      double low[3], high[3], top = -INFINITY;
      dls_region_bounds(region, dim, low, high);
      CHECK_OK(dls_population_rain(region, dim, &mixed, count, 0.1, 5, &p));
      CHECK_OK(dls_population_rain(region, dim, &mixed, count, 0.1, 5, &q));
      CHECK_INT(p.count, count);
      check_clear(&p);
      check_same(&p, &q);
      for (int g = 0; g < p.count; g++) {
        double *x = p.centre + 3 * g;
        top = fmax(top, x[up]);
        CHECK(x[up] - p.radius[g] >= low[up] - 1e-12);
        /* The section that goes on: as deep below the lid as there is room for. */
        const double lid = region->kind == DLS_REGION_SPHERE ? INFINITY : high[up] - p.radius[g];
        if (x[up] <= lid) CHECK(dls_region_depth(region, dim, x) >= p.radius[g] * (1 - 1e-9));
        for (int a = 0; a < up; a++)
          CHECK(x[a] >= low[a] + p.radius[g] - 1e-12 && x[a] <= high[a] - p.radius[g] + 1e-12);
      }
      if (region->kind != DLS_REGION_SPHERE) CHECK(top > high[up]);
    }
  CHECK_FAILS(dls_population_rain(&regions[2], 3, &equal, 5000, 0, 5, &p), DLS_ERR_ARGUMENT,
              "of 5000 grains placed");
  const DlsRegion tube = {.kind = DLS_REGION_CYLINDER, .radius = 0.4, .height = 9};
  CHECK_FAILS(dls_population_rain(&tube, 3, &equal, 5, 0, 5, &p), DLS_ERR_ARGUMENT, "no room");
  dls_population_clear(&p);
  dls_population_clear(&q);
}

static const char *file(const char *name, const char *text) {
  return test_file("population_random", name, text);
}

TEST(grains_of_a_file) {
  DlsPopulation p = {0};
  CHECK_OK(dls_population_read(file("a.csv", "d,x,y,z,kind\n2,1,2,3,1\n4,5,6,7,0\n"), 3, &p));
  CHECK_INT(p.count, 2);
  CHECK(p.radius[0] == 1 && p.radius[1] == 2 && p.kind[0] == 1 && p.centre[5] == 7);
  CHECK_OK(dls_population_read(file("b.csv", "# no names\n1 2 0.5\n3 4 0.25\n"), 2, &p));
  CHECK(p.count == 2 && p.dim == 2 && p.radius[1] == 0.25 && p.centre[5] == 0);
  CHECK_OK(dls_population_read(file("c.csv", "1,2,3,0.5,4\n"), 3, &p));
  CHECK(p.kind[0] == 4);
  CHECK_FAILS(dls_population_read(file("d.csv", "x,y,z,r\n1,2,3,1\n1,2,3,0\n"), 3, &p),
              DLS_ERR_FORMAT, "d.csv:3: the size 0");
  CHECK(p.count == 0 && p.centre == NULL);
  CHECK_FAILS(dls_population_read(file("e.csv", "x,y,r\n1,2,3\n"), 3, &p), DLS_ERR_FORMAT,
              "no column 'z'");
  CHECK_FAILS(dls_population_read(file("f.csv", "x,y,z\n1,2,3\n"), 3, &p), DLS_ERR_FORMAT,
              "'r' (radius)");
  CHECK_FAILS(dls_population_read(file("g.csv", "x,y,z,r\n1,2,3,1\n\n1,2,x,1\n"), 3, &p),
              DLS_ERR_FORMAT, "g.csv:4: column 3 is 'x'");
  CHECK_FAILS(dls_population_read(file("h.csv", "x,y,z,r,kind\n1,2,3,1,0.5\n"), 3, &p),
              DLS_ERR_FORMAT, "h.csv:2: the kind is 0.5");
  CHECK_FAILS(dls_population_read(file("i.csv", "x,y,z,r\n1,2,3,1\n"), 2, &p), DLS_ERR_FORMAT,
              "i.csv:2: z = 3");
  CHECK_FAILS(dls_population_read(file("j.csv", "x,y,z,r,d\n1,2,3,1,2\n"), 3, &p), DLS_ERR_FORMAT,
              "both give the size");
  CHECK_FAILS(dls_population_read(file("k.csv", "1,2,3\n"), 3, &p), DLS_ERR_FORMAT,
              "3 columns without names");
}
