/* Frictionless grains under their weight (input/hydrostatic.yaml, hydrostatic-3d.yaml): the
 * vertical stress is the weight above, exactly; the horizontal one is nearly the same.
 *
 * K = 1 in a liquid. Frictionless grains resist shear a little: sin(phi) = 0.10 (Peyneau and Roux
 * 2008, spheres; disks alike), so that K lies between 1 - sin(phi) (Jaky) and 1. A sample of n
 * contacts tells K to c / sqrt(n) of it: c measured, docs/validation.md. Three times that is
 * allowed. */
#include "tests/column.h"

static const double sin_phi = 0.10;

/* Runs until the grains rest, as far as K is told, and adds the sample; the deck's own end is the
 * limit. Frictionless grains creep for long, in bursts, and their m |a| are far above what the
 * solver leaves. By the balance of each layer (tests/column.h) they change the vertical stress by
 * at most their share of the weight, and the horizontal one alike where the column is as wide as
 * high: so K by that share, which must be below the statistical error c / sqrt(contacts) of all
 * samples together. */
static void add_sample(TestDeck *deck, double width, double c, int samples, TestColumn *column) {
  const double end = deck->scene->data.time.end,
               tolerance = deck->simulation->settings.limits.tolerance;
  TestColumn now = {.moving = INFINITY};
  double error = 0;
  for (double until = 0.4; now.moving > error && until <= end + 1e-9; until += 0.05) {
    test_deck_run(deck, until);
    dls_packing_clear(&deck->packing);
    test_deck_take(deck);
    now = (TestColumn){0};
    test_column_add(&deck->packing, width, tolerance, &now);
    error = c / sqrt(samples * now.contacts);
  }
  CHECK_BELOW(now.moving, error);
  test_column_add(&deck->packing, width, tolerance, column);
}

static void check_ratio(const TestColumn *column, double c) {
  const double K = test_column_ratio(column), error = c / sqrt(column->contacts);
  CHECK(K > 1 - sin_phi - 3 * error);
  CHECK(K < 1 + 3 * error);
  /* Each half has half of the contacts. */
  CHECK_NEAR(test_column_half(column, 1), test_column_half(column, 0), 3 * 2 * error);
}

TEST(disks_without_friction_press_like_a_liquid) {
  enum { SAMPLES = 3 };
  const double c = 3.3;
  TestColumn column = {0};
  for (int seed = 1; seed <= SAMPLES; seed++) {
    TestDeck deck;
    char drawn[32];
    snprintf(drawn, sizeof drawn, "grains[0].seed=%d", seed);
    const char *const sets[] = {"grains[0].count=400", "grains[0].region.high=[0.2, 0.16]",
                                "boundaries.right.position=[0.2, 0]", drawn, NULL};
    test_deck_open(&deck, "hydrostatic.yaml", sets);
    add_sample(&deck, 0.2, c, SAMPLES, &column);
    test_deck_close(&deck);
  }
  check_ratio(&column, c);
}

TEST(spheres_without_friction_press_like_a_liquid) {
  static const char *const sets[] = {
      "grains[0].count=500", "grains[0].region.high=[0.07, 0.07, 0.08]",
      "boundaries.right.position=[0.07, 0, 0]", "boundaries.back.position=[0, 0.07, 0]", NULL};
  const double c = 2.8;
  TestColumn column = {0};
  TestDeck deck;
  test_deck_open(&deck, "hydrostatic-3d.yaml", sets);
  add_sample(&deck, 0.07, c, 1, &column);
  test_deck_close(&deck);
  check_ratio(&column, c);
}
