/* Patches of surfaces: cells of direction have equal areas, are compact and follow the body; the
 * grid of a boundary is in its own axes. */
#include "tests/simulating.h"

#include "base/random.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* A third of a million directions at random: each of `cells` cells gets its share, to within five
 * standard deviations of a binomial. */
TEST(cells_of_direction_have_equal_areas) {
  static const int sizes[] = {2, 3, 4, 6, 17, 100, 1000};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(sizes); k++) {
      const int cells = sizes[k], draws = 300000;
      int met[1000] = {0};
      DlsDirections d;
      DlsRandom random;
      dls_random_seed(&random, 7);
      dls_directions_make(dim, cells, &d);
      for (int n = 0; n < draws; n++) {
        double x[3] = {0};
        for (int e = 0; e < dim; e++) x[e] = dls_random_normal(&random);
        const int cell = dls_directions_find(&d, x);
        CHECK(cell >= 0 && cell < cells);
        if (cell >= 0 && cell < cells) met[cell]++;
      }
      const double share = (double)draws / cells;
      for (int cell = 0; cell < cells; cell++) CHECK_NEAR(met[cell], share, 5 * sqrt(share) + 1);
    }
}

/* The middle of a cell is in it, and no direction of it is farther away than a few widths; of three
 * cells one is a ring around the middle of the ball. */
TEST(cells_of_direction_are_compact) {
  static const int sizes[] = {2, 6, 17, 100, 10000};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(sizes); k++) {
      const int cells = sizes[k];
      const double width = dim == 2 ? 2 * pi / cells : sqrt(4 * pi / cells);
      DlsDirections d;
      DlsRandom random;
      dls_random_seed(&random, 11);
      dls_directions_make(dim, cells, &d);
      for (int cell = 0; cell < cells; cell++) {
        double middle[3];
        dls_directions_centre(&d, cell, middle);
        CHECK_NEAR(dls_vector_norm(middle), 1, 1e-12);
        CHECK_INT(dls_directions_find(&d, middle), cell);
      }
      for (int n = 0; n < 10000; n++) {
        double x[3] = {0}, middle[3];
        for (int e = 0; e < dim; e++) x[e] = dls_random_normal(&random);
        dls_directions_centre(&d, dls_directions_find(&d, x), middle);
        const double cosine = dls_vector_dot(x, middle) / dls_vector_norm(x);
        CHECK(acos(fmin(fmax(cosine, -1), 1)) <= (dim == 2 ? 0.5001 : 1.5) * width);
      }
    }
}

/* A ball on a floor, both turned and moved together: the patches stay the same, and are where the
 * contact is. */
TEST(patches_move_with_bodies_and_boundaries) {
  const double radius = 0.05, cell = 0.01;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    DlsDirections d;
    DlsDetection where = {.alert = 1e-3};
    DlsContactSet *set;
    DlsPatch before[2] = {{0}};
    test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
    dls_directions_make(dim, 100, &d);
    DlsBoundary *floor = test_scene_boundary(&scene, 0);
    const double at[3] = {0.124, dim == 2 ? radius : -0.233, dim == 2 ? 0 : radius};
    const int ball = test_scene_sphere(&scene, radius, at[0], at[1], at[2]);
    for (int turned = 0; turned < 2; turned++) {
      const double angle[3] = {dim == 3 ? 0.3 : 0, dim == 3 ? -0.7 : 0, 1.1};
      const double way[3] = {0.3, -2, dim == 3 ? 0.7 : 0};
      if (turned) {
        double q[4], x[3];
        dls_rotation_exp(angle, q);
        dls_rotation_apply(q, at, x);
        for (int k = 0; k < 3; k++) scene.world->position[ball][k] = x[k] + way[k];
        memcpy(floor->position, way, sizeof way);
        memcpy(floor->orientation, q, sizeof q);
        memcpy(scene.world->orientation[ball], q, sizeof q);
      }
      set = &scene.simulation->last.contacts;
      CHECK_OK(dls_detect(scene.simulation->detector, scene.world, &where, set));
      CHECK_INT(set->count, 1);
      if (set->count != 1) break;
      for (int side = 0; side < 2; side++) {
        const DlsPatch patch = dls_patch_find(&d, cell, scene.world, set, 0, side);
        double point[3], normal[3], area, away[3];
        CHECK(
            dls_patch_place(&d, cell, scene.world, side ? ball : -1, &patch, point, normal, &area));
        for (int k = 0; k < 3; k++) away[k] = point[k] - set->point[0][k];
        CHECK(dls_vector_norm(away) < (side ? (dim == 2 ? 0.032 : 0.3) * radius : 0.75 * cell));
        CHECK((side ? -1 : 1) * dls_vector_dot(normal, set->frame[0]) > 0.95);
        CHECK_NEAR(area,
                   !side      ? pow(cell, dim - 1)
                   : dim == 3 ? 4 * pi * radius * radius / 100
                              : 2 * pi * radius / 100,
                   1e-12);
        if (turned) CHECK(patch.number == before[side].number);
        before[side] = patch;
      }
    }
    test_scene_close(&scene);
  }
}
