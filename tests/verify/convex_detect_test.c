/* Detection among solids with corners: every pair that all pairs would give, and little else. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/random.h"
#include "detect/detect.h"
#include "detect/meeting.h"
#include "tests/test.h"
#include "world/convex.h"

static void shape_of(int dim, DlsConvexNumbers *n, DlsShape *out) {
  const DlsShapePart part = {.kind = DLS_SHAPE_CONVEX, .count = n->count, .number = n->number};
  CHECK_OK(dls_shape_compose(dim, 1, &part, out));
  free(n->number);
}

static void make_hull(DlsRandom *random, DlsShape *out) {
  enum { POINTS = 20 };
  double point[POINTS][3];
  DlsConvexNumbers n;
  for (int p = 0; p < POINTS; p++)
    for (int k = 0; k < 3; k++) point[p][k] = dls_random_normal(random) / 2;
  CHECK_OK(dls_convex_hull(3, 0, POINTS, (const double(*)[3])point, &n));
  shape_of(3, &n, out);
}

/* Body i at this moment, as meeting functions want it, with nothing kept. */
static DlsSide side_of(const DlsWorld *w, int i, DlsBall *ball) {
  DlsSide side = {.ball = ball, .solid = dls_world_solid(w, w->first[i])};
  *ball = (DlsBall){.radius = w->element[w->first[i]].radius};
  memcpy(ball->x, w->position[i], sizeof ball->x);
  dls_world_element_pose(w, w->first[i], w->position[i], w->orientation[i], &side.pose);
  return side;
}

/* All pairs, one by one: how many points, and the sum of what they say. */
static int all_pairs(const DlsWorld *w, double alert, double *sum) {
  const DlsMeeting meeting = {.dim = 3, .alert = alert};
  int count = 0;
  *sum = 0;
  for (int i = 0; i < w->count; i++)
    for (int j = i + 1; j < w->count; j++) {
      DlsBall one, other;
      DlsManifold m = {0};
      const DlsSide a = side_of(w, i, &one), b = side_of(w, j, &other);
      dls_meet_convex(&meeting, &a, &b, &m);
      for (int k = 0; k < m.count; k++) *sum += m.point[k].gap + m.point[k].normal[0];
      count += m.count;
    }
  return count;
}

/* Hulls and plates of sizes 1 to 100 that tumble. */
TEST(boxes_miss_no_pair_of_solids_whose_sizes_are_a_hundred_apart) {
  enum { COUNT = 160, STEPS = 12 };
  DlsWorld *world;
  DlsDetector *detector;
  DlsShape hull, plate;
  DlsConvexNumbers numbers;
  DlsContactSet set = {0};
  DlsRandom random;
  const double length[3] = {2, 2, 0.1};
  const DlsDetection where = {.alert = 1e-4};
  long found = 0;
  dls_random_seed(&random, 5);
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_detector_create(&detector));
  make_hull(&random, &hull);
  CHECK_OK(dls_convex_box(3, 0, length, &numbers));
  shape_of(3, &numbers, &plate);
  for (int n = 0; n < COUNT; n++) {
    DlsBody body = {.shape = n % 2 ? &hull : &plate,
                    .scale = 1e-3 * (n < 2 ? 100 : pow(10, 2 * pow(dls_random_unit(&random), 3))),
                    .density = 2500};
    for (int k = 0; k < 3; k++) {
      body.position[k] = dls_random_between(&random, -0.12, 0.12);
      body.velocity[k] = dls_random_between(&random, -0.02, 0.02);
      body.velocity[3 + k] = dls_random_between(&random, -3, 3);
    }
    for (int k = 0; k < 4; k++) body.orientation[k] = dls_random_normal(&random);
    CHECK_OK(dls_world_add_body(world, &body));
  }
  for (int step = 0; step < STEPS; step++) {
    double expected, sum = 0;
    const int count = all_pairs(world, where.alert, &expected);
    CHECK_OK(dls_detect(detector, world, &where, &set));
    CHECK_INT(set.count, count);
    for (int c = 0; c < set.count; c++) sum += set.gap[c] + set.frame[c][0];
    CHECK_NEAR(sum, expected, 1e-12 * (1 + count));
    found += count;
    dls_world_drift(world, 1e-2);
  }
  CHECK(found > 20 * STEPS);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_shape_clear(&hull);
  dls_shape_clear(&plate);
  dls_world_destroy(&world);
}

/* Plates on edge, side by side: the balls about them overlap many times over, their boxes only
 * where they are neighbours, and so many the narrow phase is asked for. */
TEST(a_row_of_plates_asks_for_its_neighbours_alone) {
  enum { COUNT = 30 };
  DlsWorld *world;
  DlsDetector *detector;
  DlsShape plate;
  DlsConvexNumbers numbers;
  DlsContactSet set = {0};
  const double length[3] = {0.1, 1, 1};
  const DlsDetection where = {.alert = 1e-3};
  CHECK_OK(dls_world_create(3, &world));
  CHECK_OK(dls_detector_create(&detector));
  CHECK_OK(dls_convex_box(3, 0, length, &numbers));
  shape_of(3, &numbers, &plate);
  for (int n = 0; n < COUNT; n++) {
    const DlsBody body = {.shape = &plate, .density = 2500, .position = {0.1 * n}};
    CHECK_OK(dls_world_add_body(world, &body));
  }
  CHECK_OK(dls_detect(detector, world, &where, &set));
  CHECK_INT((int)dls_detector_report(detector).near, COUNT - 1);
  CHECK_INT(set.count, 4 * (COUNT - 1));
  /* A plate that comes on is near before it arrives, and no other is. */
  world->position[COUNT - 1][0] += 0.5;
  world->velocity[COUNT - 1][0] = -1;
  const DlsDetection soon = {.alert = 1e-3, .horizon = 0.5}, late = {.alert = 1e-3, .horizon = 0.4};
  CHECK_OK(dls_detect(detector, world, &soon, &set));
  CHECK_INT((int)dls_detector_report(detector).near, COUNT - 1);
  CHECK_INT(set.count, 4 * (COUNT - 1));
  CHECK_OK(dls_detect(detector, world, &late, &set));
  CHECK_INT((int)dls_detector_report(detector).near, COUNT - 2);
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  dls_shape_clear(&plate);
  dls_world_destroy(&world);
}

/* Boxes and squares one upon the other, edges along edges but for turns and shifts of 1e-14 to
 * 1e-8 of their size: points stay where both are, and stand for the whole face. Where edges are so
 * nearly on one line, the place at which they cross is round-off. */
TEST(points_of_aligned_faces_lie_on_both) {
  enum { TRIALS = 20000 };
  DlsRandom random;
  dls_random_seed(&random, 11);
  for (int dim = 2; dim <= 3; dim++) {
    const double length[3] = {1, 1, 1};
    const DlsMeeting meeting = {.dim = dim, .alert = 1e-3};
    const int up = dim - 1;
    DlsShape box;
    DlsConvexNumbers numbers;
    DlsWorld *world;
    CHECK_OK(dls_convex_box(dim, 0, length, &numbers));
    shape_of(dim, &numbers, &box);
    CHECK_OK(dls_world_create(dim, &world));
    for (int n = 0; n < 2; n++) {
      DlsBody body = {.shape = &box, .density = 1};
      body.position[up] = n;
      CHECK_OK(dls_world_add_body(world, &body));
    }
    for (int trial = 0; trial < TRIALS; trial++) {
      const double tiny = pow(10, -dls_random_between(&random, 8, 14));
      const double turn = dls_random_between(&random, -tiny, tiny);
      double *x = world->position[1], *q = world->orientation[1];
      for (int k = 0; k < dim - 1; k++) x[k] = dls_random_between(&random, -tiny, tiny);
      q[0] = 1, q[1] = q[2] = 0, q[3] = dim == 3 ? turn / 2 : 0;
      DlsBall one, other;
      DlsManifold m = {0};
      const DlsSide a = side_of(world, 0, &one), b = side_of(world, 1, &other);
      double area = 0;
      dls_meet_convex(&meeting, &a, &b, &m);
      for (int c = 0; c < m.count; c++) {
        area += m.point[c].area;
        for (int k = 0; k < dim - 1; k++)
          CHECK_BELOW(fabs(m.point[c].point[k]), 0.5 + 2 * tiny + 1e-11);
        CHECK_NEAR(m.point[c].point[up], 0.5, 1e-11);
      }
      CHECK(m.count >= (dim == 2 ? 2 : 4));
      CHECK_NEAR(area, 1, 1e-7);
    }
    dls_shape_clear(&box);
    dls_world_destroy(&world);
  }
}
