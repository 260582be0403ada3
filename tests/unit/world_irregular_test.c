/* Irregular solids drawn at random: what their numbers promise, whatever is drawn. */
#include "tests/test.h"

#include "world/irregular.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static DlsSolid solid_of(int dim, const DlsConvexNumbers *n) {
  return (DlsSolid){
      .dim = dim, .kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number, .scale = 1};
}

/* Every corner drawn is a corner; the centre of mass is the origin; the farthest point is at the
 * radius; the core alone where it is rounded. */
static void check_one(int dim, const DlsIrregular *s, uint64_t seed) {
  DlsRandom random;
  DlsConvexNumbers numbers;
  DlsMoments m;
  dls_random_seed(&random, seed);
  CHECK_OK(dls_convex_irregular(dim, s, &random, &numbers));
  if (!numbers.number) return;
  const DlsSolid solid = solid_of(dim, &numbers);
  const DlsConvex c = dls_convex_view(&solid);
  CHECK_OK(dls_shape_convex.check(&solid));
  CHECK(c.vertices >= s->least && c.vertices <= (s->most ? s->most : s->least));
  if (dim == 3) CHECK_INT(c.vertices - c.edges + c.faces, 2);
  CHECK_NEAR(dls_shape_convex.reach(&solid), s->radius, 1e-12 * s->radius);
  dls_shape_convex.moments(&solid, &m);
  CHECK(m.volume > 0);
  for (int k = 0; k < dim; k++) CHECK_NEAR(m.first[k] / m.volume, 0, 1e-12 * s->radius);
  free(numbers.number);
}

TEST(each_holds_all_its_corners_and_reaches_its_radius_from_its_centre_of_mass) {
  for (uint64_t seed = 0; seed < 200; seed++)
    for (int dim = 2; dim <= 3; dim++) {
      const double a = (double)(seed % 5) / 4;
      const DlsIrregular sharp = {.least = dim + 1 + (int)seed % 9,
                                  .most = dim + 12,
                                  .elongation = 0.1 + 0.9 * (double)(seed % 3) / 2,
                                  .flatness = 0.1 + 0.9 * (double)(seed % 4) / 3,
                                  .irregularity = a,
                                  .radius = 0.02};
      DlsIrregular rounded = sharp;
      rounded.rounding = 0.004;
      check_one(dim, &sharp, seed);
      check_one(dim, &rounded, seed);
    }
}

/* Irregularity 0 in 2-D is the regular polygon: area n/2 R^2 sin(2 pi / n). */
TEST(no_irregularity_gives_the_regular_polygon) {
  for (int n = 3; n < 12; n++) {
    const DlsIrregular s = {.least = n, .elongation = 1, .flatness = 1, .radius = 2};
    DlsRandom random;
    DlsConvexNumbers numbers;
    DlsMoments m;
    dls_random_seed(&random, 5);
    CHECK_OK(dls_convex_irregular(2, &s, &random, &numbers));
    const DlsSolid solid = solid_of(2, &numbers);
    dls_shape_convex.moments(&solid, &m);
    const double area = n / 2.0 * 4 * sin(2 * 3.14159265358979323846 / n);
    CHECK_NEAR(m.volume, area, 1e-12 * area);
    free(numbers.number);
  }
}

/* Many corners: the ellipsoid itself, whose inertias over the mass go as b^2 + c^2, a^2 + c^2. The
 * hull of n points lacks a share of order 1/n of the volume; 10 % are allowed at n = 128. */
TEST(many_corners_come_near_the_ellipsoid) {
  const double e = 0.7, f = 0.5;
  const DlsIrregular s = {.least = 128, .elongation = e, .flatness = f, .radius = 1};
  DlsRandom random;
  DlsConvexNumbers numbers;
  DlsMoments m;
  dls_random_seed(&random, 3);
  CHECK_OK(dls_convex_irregular(3, &s, &random, &numbers));
  const DlsSolid solid = solid_of(3, &numbers);
  dls_shape_convex.moments(&solid, &m);
  CHECK_NEAR(m.volume, 4.18879020478639 * e * e * f, 0.1 * 4.18879 * e * e * f);
  CHECK_NEAR(sqrt(m.second[1] / m.second[0]), e, 0.05 * e);
  CHECK_NEAR(sqrt(m.second[2] / m.second[1]), f, 0.05 * f);
  free(numbers.number);
}

TEST(the_same_seed_gives_the_same_bits_and_another_another_solid) {
  const DlsIrregular s = {
      .least = 5, .most = 9, .elongation = 0.8, .flatness = 0.6, .irregularity = 1, .radius = 1};
  for (int dim = 2; dim <= 3; dim++) {
    DlsRandom random;
    DlsConvexNumbers n[3];
    for (int k = 0; k < 3; k++) {
      dls_random_seed(&random, k == 2 ? 8 : 7);
      CHECK_OK(dls_convex_irregular(dim, &s, &random, &n[k]));
    }
    CHECK_INT(n[0].count, n[1].count);
    CHECK(memcmp(n[0].number, n[1].number, (size_t)n[0].count * sizeof(double)) == 0);
    CHECK(n[0].count != n[2].count ||
          memcmp(n[0].number, n[2].number, (size_t)n[0].count * sizeof(double)) != 0);
    for (int k = 0; k < 3; k++) free(n[k].number);
  }
}

/* The mean of the third column of the rotation matrix of a uniform turn is 0, of its squares 1/3;
 * four deviations of N draws (variances 1/3 and 4/45). */
TEST(turns_are_uniform) {
  enum { N = 20000 };
  DlsRandom random;
  double sum[3] = {0}, square[3] = {0};
  dls_random_seed(&random, 11);
  for (int k = 0; k < N; k++) {
    const double z[3] = {0, 0, 1};
    double q[4], v[3];
    dls_rotation_draw(3, &random, q);
    dls_rotation_apply(q, z, v);
    for (int i = 0; i < 3; i++) sum[i] += v[i] / N, square[i] += v[i] * v[i] / N;
  }
  for (int i = 0; i < 3; i++) {
    CHECK_NEAR(sum[i], 0, 4 * sqrt(1.0 / 3 / N));
    CHECK_NEAR(square[i], 1.0 / 3, 4 * sqrt(4.0 / 45 / N));
  }
}

TEST(what_cannot_be_drawn_is_refused) {
  const DlsIrregular good = {.least = 6, .elongation = 1, .flatness = 1, .radius = 1};
  DlsRandom random;
  DlsConvexNumbers numbers;
  dls_random_seed(&random, 1);
  DlsIrregular bad = good;
  bad.least = 3;
  CHECK_FAILS(dls_convex_irregular(3, &bad, &random, &numbers), DLS_ERR_ARGUMENT, "from 4 to 128");
  bad = good, bad.most = 5;
  CHECK_FAILS(dls_convex_irregular(2, &bad, &random, &numbers), DLS_ERR_ARGUMENT, "lesser number");
  bad = good, bad.elongation = 0;
  CHECK_FAILS(dls_convex_irregular(2, &bad, &random, &numbers), DLS_ERR_ARGUMENT, "elongation 0");
  bad = good, bad.rounding = 1;
  CHECK_FAILS(dls_convex_irregular(2, &bad, &random, &numbers), DLS_ERR_ARGUMENT, "needs a radius");
}
