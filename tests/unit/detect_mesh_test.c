/* What detection tells of surfaces: nearest places on curved quadrilaterals against a scan, names
 * that stay, areas, sides that nothing hides. */
#include "tests/meshed_block.h"

#include "detect/detect.h"

static void hills(double x[3]) {
  if (x[2] > 0.5) x[2] += 0.08 * sin(5 * x[0]) * cos(4 * x[1]);
}

/* m: the least distance of a place from the top of the block, by a fine scan of its bilinear
 * faces. */
static double scan(const BlockSetup *s, const Block *b, const double x[3]) {
  enum { FINE = 60 };
  double least = INFINITY;
  for (int j = 0; j < s->cells[1]; j++)
    for (int i = 0; i < s->cells[0]; i++)
      for (int n = 0; n <= FINE; n++)
        for (int m = 0; m <= FINE; m++) {
          const double p = (double)m / FINE, q = (double)n / FINE;
          double square = 0;
          for (int e = 0; e < 3; e++) {
            const double *c[4] = {b->X[block_node(s, 3, i, j, s->cells[2])],
                                  b->X[block_node(s, 3, i + 1, j, s->cells[2])],
                                  b->X[block_node(s, 3, i, j + 1, s->cells[2])],
                                  b->X[block_node(s, 3, i + 1, j + 1, s->cells[2])]};
            const double y =
                (1 - q) * ((1 - p) * c[0][e] + p * c[1][e]) + q * ((1 - p) * c[2][e] + p * c[3][e]);
            square += (x[e] - y) * (x[e] - y);
          }
          least = fmin(least, sqrt(square));
        }
  return least;
}

static bool above(const double X[3]) { return X[2] > 0.8; }

/* A ball above hills: one contact, its gap that of the nearest place: along a normal that is a mean
 * of faces, so that it is shorter by the angle between both, a few degrees. */
TEST(a_ball_finds_the_nearest_face) {
  TestScene scene;
  const double radius = 0.05;
  const BlockSetup setup = {.cells = {6, 6, 1},
                            .length = {1, 1, 1},
                            .E = 1e9,
                            .density = 1000,
                            .meets = above,
                            .bend = hills};
  DlsDetector *detector;
  DlsContactSet set = {0};
  const DlsDetection where = {.alert = 1};
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "signorini");
  Block b = block_add(&scene, &setup);
  const int ball = test_scene_sphere(&scene, radius, 0.5, 0.5, 1.3);
  CHECK_OK(dls_detector_create(&detector));
  for (int n = 0; n < 25; n++) {
    double *x = scene.world->position[ball];
    x[0] = 0.12 + 0.19 * (n % 5), x[1] = 0.12 + 0.19 * (n / 5);
    x[2] = 1.18;
    CHECK_OK(dls_detect(detector, scene.world, &where, &set));
    CHECK_INT(set.count, 1);
    const double exact = scan(&setup, &b, x) - radius;
    CHECK_NEAR(set.gap[0], exact, 0.02 * (exact + radius) + 1e-3);
    double whole = 0;
    const DlsContactMean mean = set.mean[0][0];
    CHECK_INT(mean.count, 4);
    for (int k = mean.start; k < mean.start + mean.count; k++) {
      CHECK(set.weight[k] >= 0);
      whole += set.weight[k];
    }
    CHECK_NEAR(whole, 1, 1e-14);
    CHECK(set.key[0].feature == (uint64_t)DLS_FEATURE_FACE << 32); /* the same wherever it is */
  }
  dls_contact_set_clear(&set);
  dls_detector_destroy(&detector);
  test_scene_close(&scene);
  block_clear(&b);
}

/* Two blocks face to face, the upper one narrower: the areas of its contacts add up to the area
 * that both share, by nodes, points and means, and names are those of its nodes or points. */
TEST(areas_add_up) {
  for (int dim = 2; dim <= 3; dim++)
    for (int meet = 0; meet < 3; meet++) {
      TestScene scene;
      const DlsDetection where = {.alert = 1e-6};
      DlsDetector *detector;
      DlsContactSet set = {0};
      BlockSetup low = {.cells = {3, dim == 2 ? 1 : 3, 1},
                        .length = {1, 1, 1},
                        .E = 1e9,
                        .density = 1000,
                        .meet = (DlsMeetBy)meet};
      BlockSetup up = low;
      up.cells[0] = 5, up.length[0] = 0.6, up.low[0] = 0.21, up.low[dim - 1] = 1;
      if (dim == 3) up.cells[1] = 4, up.length[1] = 0.7, up.low[1] = 0.11;
      test_scene_open(&scene, dim, &dls_scheme_moreau, 1e-3, "signorini");
      Block b[2] = {block_add(&scene, &low), block_add(&scene, &up)};
      CHECK_OK(dls_detector_create(&detector));
      CHECK_OK(dls_detect(detector, scene.world, &where, &set));
      double area = 0;
      for (int c = 0; c < set.count; c++) {
        area += set.area[c];
        CHECK_NEAR(set.gap[c], 0, 1e-14);
        CHECK_NEAR(set.frame[c][dim - 1], -1, 1e-12); /* from the upper, the second, to the lower */
        for (int other = 0; other < c; other++) CHECK(set.key[c].feature != set.key[other].feature);
      }
      const int nodes = dim == 2 ? 6 : 30, points = dim == 2 ? 10 : 80;
      CHECK_INT(set.count, meet == DLS_MEET_BY_QUADRATURE ? points : nodes);
      /* Nodes on the rim have shares of the sides as well. */
      const double whole = dim == 2 ? 0.6 : 0.42;
      if (meet == DLS_MEET_BY_NODES)
        CHECK(area > whole);
      else
        CHECK_NEAR(area, whole, 1e-12);
      dls_contact_set_clear(&set);
      dls_detector_destroy(&detector);
      test_scene_close(&scene);
      for (int k = 0; k < 2; k++) block_clear(&b[k]);
    }
}
