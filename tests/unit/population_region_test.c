/* A region within a closed mesh: an L upright, which is not convex, against its walls one by
 * one. */
#include "tests/facets.h"
#include "tests/test.h"

#include <math.h>

#include "base/random.h"
#include "world/population/population.h"

enum { CORNERS = 6 };
static const double ell[CORNERS][2] = {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}}; /* m */

/* The L from z = 0 to 1; `inward`: its front is within. */
static DlsFacets *ell_facets(bool inward) {
  static const int cap[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  double node[2 * CORNERS][3];
  int corner[20][3], count = 0;
  DlsFacets *out = NULL;
  for (int n = 0; n < 2 * CORNERS; n++) {
    node[n][0] = ell[n % CORNERS][0], node[n][1] = ell[n % CORNERS][1];
    node[n][2] = n / CORNERS;
  }
  for (int k = 0; k < 4; k++)
    for (int i = 0; i < 3; i++) {
      corner[count][i] = cap[k][2 - i];
      corner[count + 1][i] = cap[k][i] + CORNERS;
      if (i == 2) count += 2;
    }
  for (int k = 0; k < CORNERS; k++) {
    const int next = (k + 1) % CORNERS;
    const int two[2][3] = {{k, next, next + CORNERS}, {k, next + CORNERS, k + CORNERS}};
    memcpy(corner[count], two, sizeof two);
    count += 2;
  }
  for (int t = 0; t < count && inward; t++) {
    const int first = corner[t][0];
    corner[t][0] = corner[t][1], corner[t][1] = first;
  }
  CHECK_OK(dls_facets_make(3, false, "ell", 2 * CORNERS, (const double(*)[3])node, count,
                           (const int(*)[3])corner, &out));
  return out;
}

/* m: to the nearest wall, below 0 outside; of a place outside only the sign is right. */
static double ell_depth(const double *x) {
  const bool within = x[0] > 0 && x[1] > 0 && x[0] < 2 && x[1] < 2 && (x[0] < 1 || x[1] < 1);
  double least = fmin(x[2], 1 - x[2]);
  for (int k = 0; k < CORNERS; k++) {
    const double *p = ell[k], *q = ell[(k + 1) % CORNERS];
    const double u[2] = {q[0] - p[0], q[1] - p[1]}, w[2] = {x[0] - p[0], x[1] - p[1]};
    const double t = (u[0] * w[0] + u[1] * w[1]) / (u[0] * u[0] + u[1] * u[1]);
    const double s = fmin(1, fmax(0, t));
    least = fmin(least, hypot(w[0] - s * u[0], w[1] - s * u[1]));
  }
  return within ? least : -1;
}

static DlsRegion ell_region(DlsFacets *facets) {
  return (DlsRegion){.kind = DLS_REGION_MESH,
                     .centre = {10, -5, 2},
                     .facets = facets,
                     .volume = dls_facets_volume(facets)};
}

TEST(a_mesh_knows_how_deep_a_place_is_within) {
  for (int inward = 0; inward < 2; inward++) {
    DlsFacets *facets = ell_facets(inward);
    const DlsRegion region = ell_region(facets);
    DlsRandom random;
    double low[3], high[3];
    int within = 0;
    dls_random_seed(&random, 7);
    CHECK_OK(dls_region_check(&region, 3));
    CHECK_NEAR(region.volume, inward ? -3 : 3, 1e-14);
    CHECK_NEAR(dls_region_volume(&region, 3), 3, 1e-14);
    dls_region_bounds(&region, 3, low, high);
    CHECK_NEAR(low[0], 10, 0);
    CHECK_NEAR(high[1], -3, 0);
    for (int n = 0; n < 20000; n++) {
      double x[3], place[3];
      for (int k = 0; k < 3; k++) {
        x[k] = dls_random_between(&random, -0.5, 2.5);
        place[k] = region.centre[k] + x[k];
      }
      const double depth = dls_region_depth(&region, 3, place), known = ell_depth(x);
      CHECK((depth > 0) == (known > 0));
      if (known > 0) CHECK_NEAR(depth, known, 1e-14 * 10);
      within += known > 0;
    }
    CHECK(within > 1000); /* 3 of 27 m3 */
    dls_facets_release(&facets);
  }
}

TEST(grains_are_placed_within_a_mesh) {
  DlsFacets *facets = ell_facets(true);
  const DlsRegion region = ell_region(facets);
  const DlsSizes sizes = {.kind = DLS_SIZES_FIXED, .radius = 0.08};
  DlsPopulation grains = {0};
  int corner = 0;
  CHECK_OK(dls_population_random(&region, 3, &sizes, (DlsAmount){.count = 200}, 3, &grains));
  CHECK_INT(grains.count, 200);
  for (int i = 0; i < grains.count; i++) {
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = grains.centre[3 * i + k] - region.centre[k];
    CHECK(ell_depth(x) >= 0.08 - 1e-12);
    corner += x[0] > 1;
  }
  CHECK(corner > 30); /* one of three arms, of as much room */
  dls_population_clear(&grains);
  CHECK_FAILS(dls_population_packed(&region, 3, &sizes, (DlsAmount){.count = 200}, 3, &grains),
              DLS_ERR_ARGUMENT, "not written for a mesh");
  dls_facets_release(&facets);
}
