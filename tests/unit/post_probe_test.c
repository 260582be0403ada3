/* Probes: what they hold, how much of a line, their volume, and what is written of them. */
#include "tests/test.h"

#include "base/random.h"
#include "post/cut.h"
#include "post/probe.h"

/* Two grains make the box from 0 to 1 (in 2-D the square). */
static void fill_box(DlsPacking *g, int dim) {
  CHECK_OK(dls_packing_reserve(g, 2, 0));
  g->dim = dim;
  for (int i = 0; i < 2; i++) {
    g->radius[i] = 0.25;
    for (int k = 0; k < dim; k++) g->centre[i][k] = i ? 0.75 : 0.25;
  }
}

static const char *const solid[] = {"all",
                                    "sphere:0.5,0.4,0.6:0.3",
                                    "box:0.1,0.2,0.3:0.7,0.8,0.9",
                                    "half:0.4,0.5,0.5:1,2,-0.5",
                                    "cylinder:0.5,0.5,0.5:1,1,0:0.2:0.5",
                                    "layer:0.5,0.5,0.4:1,-1,3:0.2",
                                    "half:0.5,0.5,0.3:0,0,1",
                                    "layer:0.5,0.5,0.5:0,1,0:0.5"};
static const char *const plane[] = {"all", "sphere:0.5,0.4:0.3", "box:0.1,0.2:0.7,0.8",
                                    "half:0.4,0.5:1,2", "layer:0.5,0.5:1,-1:0.2"};

/* Both against a count of random points: 3e5 of them know a volume to four standard deviations,
 * 0.004. */
static void check_volumes(int dim, const char *const *texts, int count) {
  DlsPacking g = {0};
  DlsRandom random;
  fill_box(&g, dim);
  for (int n = 0; n < count; n++) {
    DlsProbe probe;
    int held = 0;
    dls_random_seed(&random, 3);
    CHECK_OK(dls_probe_read(texts[n], dim, &probe));
    for (int k = 0; k < 300000; k++) {
      double x[3] = {0};
      for (int i = 0; i < dim; i++) x[i] = dls_random_unit(&random);
      held += dls_probe_holds(&probe, dim, x);
    }
    CHECK_NEAR(dls_probe_volume(&probe, &g), held / 300000.0, 0.004);
  }
  dls_packing_clear(&g);
}

TEST(volumes_are_those_of_random_points) {
  check_volumes(3, solid, DLS_COUNT(solid));
  check_volumes(2, plane, DLS_COUNT(plane));
}

/* The share of a line against a count of its points. */
TEST(shares_of_lines_are_those_of_their_points) {
  DlsRandom random;
  dls_random_seed(&random, 5);
  for (int n = 0; n < DLS_COUNT(solid); n++) {
    DlsProbe probe;
    CHECK_OK(dls_probe_read(solid[n], 3, &probe));
    for (int line = 0; line < 20; line++) {
      double a[3], b[3];
      int held = 0;
      for (int k = 0; k < 3; k++) a[k] = dls_random_unit(&random), b[k] = dls_random_unit(&random);
      for (int i = 0; i < 1000; i++) {
        double x[3];
        for (int k = 0; k < 3; k++) x[k] = a[k] + (i + 0.5) / 1000 * (b[k] - a[k]);
        held += dls_probe_holds(&probe, 3, x);
      }
      CHECK_NEAR(dls_probe_share(&probe, 3, a, b), held / 1000.0, 2e-3);
    }
  }
}

TEST(wrong_words_are_refused_with_the_right_ones) {
  DlsProbe probe;
  DlsCut cut;
  CHECK_FAILS(dls_probe_read("ball:0,0,0:1", 3, &probe), DLS_ERR_ARGUMENT,
              "no region is called ball");
  CHECK_FAILS(dls_probe_read("sphere:0,0:1", 3, &probe), DLS_ERR_ARGUMENT, "sphere:CENTRE:RADIUS");
  CHECK_FAILS(dls_probe_read("sphere:0,0,0:-1", 3, &probe), DLS_ERR_ARGUMENT, "above 0");
  CHECK_FAILS(dls_probe_read("sphere:0,0,a:1", 3, &probe), DLS_ERR_ARGUMENT, "no number");
  CHECK_FAILS(dls_probe_read("box:0,0,0:1,0,1", 3, &probe), DLS_ERR_ARGUMENT, "empty along y");
  CHECK_FAILS(dls_probe_read("half:0,0,0:0,0,0", 3, &probe), DLS_ERR_ARGUMENT, "direction is zero");
  CHECK_FAILS(dls_probe_read("sphere:1,1,1,1:2", 3, &probe), DLS_ERR_ARGUMENT, "fourth");
  CHECK_FAILS(dls_cut_read("segment:0,0,0:1,1,1", 3, &cut), DLS_ERR_ARGUMENT, "take a disk");
  CHECK_FAILS(dls_cut_read("knife:0,0,0:1,1,1", 3, &cut), DLS_ERR_ARGUMENT, "no cut is called");
  CHECK_FAILS(dls_cut_read("plane:0,0,0", 3, &cut), DLS_ERR_ARGUMENT, "plane:POINT:NORMAL");
}

/* Left of the way from (0, 0) to (2, 0) is up. */
TEST(the_normal_of_a_segment_points_to_its_left) {
  DlsCut cut;
  CHECK_OK(dls_cut_read("segment:0,0:2,0", 2, &cut));
  CHECK_NEAR(cut.normal[1], 1, 1e-15);
  CHECK_NEAR(cut.centre[0], 1, 1e-15);
  CHECK_NEAR(cut.radius, 1, 1e-15);
}
