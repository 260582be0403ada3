/* Hulls above rough ground against all triangles one by one: the least gap of the manifold is their
 * distance, features are told once, normals look up from the ground. */
#include <math.h>

#include "detect/convex/nearest.h"
#include "detect/detect.h"
#include "tests/blocks.h"
#include "tests/facets.h"

static DlsRandom shape_random;
static double rough(double x, double y) {
  (void)x, (void)y;
  return dls_random_between(&shape_random, -0.25, 0.25);
}

/* The least distance of a body's solid to the triangles, one by one. */
static double least_of_all(const DlsWorld *world, const DlsFacets *f) {
  static DlsPosed solid, triangle;
  const double origin[3] = {0};
  const DlsSolid own = dls_world_solid(world, 0);
  DlsPose pose;
  double least = HUGE_VAL;
  dls_world_element_pose(world, 0, world->position[0], world->orientation[0], &pose);
  dls_posed_solid(&own, &pose, origin, &solid);
  for (int t = 0; t < f->count; t++) {
    double corner[3][3];
    DlsNearest nearest;
    for (int k = 0; k < 3; k++) memcpy(corner[k], f->node[f->corner[t][k]], sizeof corner[k]);
    dls_posed_triangle((const double(*)[3])corner, origin, &triangle);
    dls_convex_nearest(&solid, &triangle, HUGE_VAL, &nearest);
    least = fmin(least, nearest.distance);
  }
  return least;
}

TEST(the_least_gap_of_a_solid_over_rough_ground_is_its_distance) {
  DlsRandom random;
  int apart = 0;
  dls_random_seed(&random, 23);
  dls_random_seed(&shape_random, 29);
  for (int n = 0; n < 2000; n++) {
    TestScene scene;
    DlsContactSet set = {0};
    DlsDetector *detector;
    DlsConvexNumbers numbers;
    double point[10][3], x[3], q[4], norm = 0;
    test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb");
    const DlsFacets *f =
        test_scene_facets(&scene, test_ground(8, 2, rough, (uint64_t)n + 1))->facets;
    for (int k = 0; k < 30; k++) point[k / 3][k % 3] = dls_random_between(&random, -0.4, 0.4);
    for (int k = 0; k < 2; k++) x[k] = dls_random_between(&random, -1, 1);
    x[2] = dls_random_between(&random, 0.3, 0.9);
    for (int k = 0; k < 4; k++) q[k] = dls_random_between(&random, -1, 1), norm += q[k] * q[k];
    for (int k = 0; k < 4; k++) q[k] /= sqrt(norm);
    CHECK_OK(dls_convex_hull(3, 0, 10, (const double(*)[3])point, &numbers));
    test_scene_convex(&scene, &numbers, x, q, 0);
    const double distance = least_of_all(scene.world, f);
    CHECK_OK(dls_detector_create(&detector));
    const DlsDetection where = {.alert = fmax(0, distance) + 0.05};
    CHECK_OK(dls_detect(detector, scene.world, &where, &set));
    double least = HUGE_VAL;
    for (int c = 0; c < set.count; c++) {
      least = fmin(least, set.gap[c]);
      CHECK(isfinite(set.gap[c]) && isfinite(set.point[c][0] + set.point[c][1] + set.point[c][2]));
      for (int k = 0; k < c; k++) CHECK(set.key[c].feature != set.key[k].feature);
    }
    if (distance > 1e-6) {
      apart++;
      /* Faces within 3 degrees of each other are one direction: heights by its cosine. */
      CHECK_TOLD(fabs(least - distance) <= 1e-9 + 0.0014 * distance, "hull %d: %g, not %g", n,
                 least, distance);
    } else {
      CHECK_TOLD(least < 0, "hull %d overlaps by %g and has a gap of %g", n, -distance, least);
    }
    dls_contact_set_clear(&set);
    dls_detector_destroy(&detector);
    dls_simulation_destroy(&scene.simulation);
  }
  CHECK(apart > 100 && apart < 1990);
}
