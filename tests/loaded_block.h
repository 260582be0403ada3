/* Elastic blocks that carry something, for tests of what files and averages say of them. Steps are
 * long and theta is 1, so that what rings dies out. */
#ifndef DELASSUS_TESTS_LOADED_BLOCK_H
#define DELASSUS_TESTS_LOADED_BLOCK_H

#include "tests/fem_block.h"
#include "tests/simulating.h"

static const double block_size = 0.02, block_radius = 1e-3, block_density = 1500;

/* Lying on a floor, by all nodes of its lower face. */
static inline FemBlock block_lying(TestScene *scene, int dim, double poisson) {
  FemBlock block = {.dim = dim,
                    .cells = {4, dim == 2 ? 3 : 2, dim == 2 ? 0 : 3},
                    .size = block_size,
                    .young = 1e7,
                    .poisson = poisson,
                    .density = block_density,
                    .radius = block_radius};
  test_scene_open(scene, dim, &dls_scheme_moreau, 0.01, "signorini");
  scene->simulation->settings.theta = 1;
  test_scene_boundary(scene, 0);
  block.low[dim - 1] = block_radius;
  fem_block_add(scene->world, &block, NULL);
  return block;
}

/* Held below, with two grains in saddles between nodes of its upper face. */
static inline FemBlock block_carrying(TestScene *scene, int dim) {
  const FemBlock block = {.dim = dim,
                          .cells = {5, dim == 2 ? 4 : 2, dim == 2 ? 0 : 4},
                          .size = block_size,
                          .young = 1e7,
                          .poisson = 0.3,
                          .density = block_density,
                          .radius = block_radius,
                          .all_round = true,
                          .held = 7};
  const double r = 0.019, half = block_size / 2, away = r + block_radius;
  const double up = sqrt(away * away - (dim - 1) * half * half);
  DlsShape ball;
  test_scene_open(scene, dim, &dls_scheme_moreau, 0.01, "coulomb");
  scene->simulation->settings.theta = 1;
  fem_block_add(scene->world, &block, NULL);
  CHECK_OK(dls_shape_sphere(dim, r, &ball));
  for (int i = 0; i < 2; i++) {
    DlsBody grain = {.shape = &ball, .density = 2500};
    grain.position[0] = (1.5 + 2 * i) * block_size;
    grain.position[1] = dim == 2 ? 4 * block_size + up : half;
    grain.position[2] = dim == 2 ? 0 : 4 * block_size + up;
    CHECK_OK(dls_world_add_body(scene->world, &grain));
  }
  dls_shape_clear(&ball);
  return block;
}

/* N: of the block above so many layers of cells, masses lumped to nodes. */
static inline double block_above(const FemBlock *b, int layers) {
  double section = b->size * b->size * b->density * test_g;
  if (b->dim == 3) section *= b->size * b->cells[1];
  return section * b->cells[0] * (b->cells[b->dim - 1] - layers - 0.5);
}

#endif
