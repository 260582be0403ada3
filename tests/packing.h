/* A packing at rest, for the tests of post-processing: grains of random sizes that fell from a
 * lattice into a box. */
#ifndef DELASSUS_TESTS_PACKING_H
#define DELASSUS_TESTS_PACKING_H

#include "tests/simulating.h"

#include "base/random.h"
#include "post/packing.h"

/* `wide` grains along each horizontal axis, `high` layers, radii 4 to 6 mm; a closed box without a
 * lid, walls from coordinate 0 on. h = 1 ms, `steps` of them. */
static inline void test_packing(TestScene *scene, int dim, int wide, int high, double mu,
                                long steps) {
  const double pitch = 0.0125, width = wide * pitch, up = 4 * high * pitch;
  const int deep = dim == 3 ? wide : 1;
  DlsRandom random;
  dls_random_seed(&random, 7);
  test_scene_open(scene, dim, &dls_scheme_moreau, 1e-3, "coulomb");
  test_scene_set(scene, 0, "mu", mu);
  scene->simulation->settings.limits.tolerance = 1e-9;
  const DlsBoundary box = {
      .kind = DLS_BOUNDARY_BOX,
      .inside = true,
      .open = dim == 3 ? DLS_OPEN_Z1 : DLS_OPEN_Y1,
      .length = {width, dim == 3 ? width : up, up},
      .position = {width / 2, dim == 3 ? width / 2 : up / 2, dim == 3 ? up / 2 : 0},
      .depth = 5e-3,
      .orientation = {1, 0, 0, 0}};
  CHECK_OK(dls_world_add_boundary(scene->world, &box));
  for (int k = 0; k < high; k++)
    for (int j = 0; j < deep; j++)
      for (int i = 0; i < wide; i++) {
        const double r = 4e-3 + 2e-3 * dls_random_unit(&random);
        const double x = (i + 0.5) * pitch, y = (j + 0.5) * pitch, z = (k + 0.5) * pitch;
        test_scene_sphere(scene, r, x, dim == 3 ? y : z, dim == 3 ? z : 0);
      }
  test_scene_run(scene, steps);
}

#endif
