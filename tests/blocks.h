/* Blocks with corners in simulations of tests: bodies of one convex part. */
#ifndef DELASSUS_TESTS_BLOCKS_H
#define DELASSUS_TESTS_BLOCKS_H

#include <stdlib.h>

#include "tests/simulating.h"
#include "world/convex.h"

/* A body of one convex part, its numbers freed. Their origin is at x; NULL: that of space. */
static inline int test_scene_convex(TestScene *scene, DlsConvexNumbers *n, const double *x,
                                    const double *q, uint8_t fixed) {
  const DlsShapePart part = {.kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number};
  DlsShape shape;
  CHECK_OK(dls_shape_compose(scene->world->dim, 1, &part, &shape));
  DlsBody body = {.shape = &shape, .density = 2500, .fixed = fixed};
  if (x) memcpy(body.position, x, sizeof body.position);
  if (q) memcpy(body.orientation, q, sizeof body.orientation);
  CHECK_OK(dls_world_add_body(scene->world, &body));
  dls_shape_clear(&shape);
  free(n->number);
  return scene->world->count - 1;
}

static inline int test_scene_box(TestScene *scene, const double length[3], const double x[3],
                                 const double *q, uint8_t fixed) {
  DlsConvexNumbers n;
  CHECK_OK(dls_convex_box(scene->world->dim, 0, length, &n));
  return test_scene_convex(scene, &n, x, q, fixed);
}

#endif
