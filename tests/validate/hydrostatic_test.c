/* Frictionless grains under their weight (input/hydrostatic.yaml, hydrostatic-3d.yaml): the vertical stress is the
 * weight above, exactly; the horizontal one is nearly the same.
 *
 * K = 1 in a liquid. Frictionless grains resist shear a little: sin(phi) = 0.10 (Peyneau and Roux 2008, spheres; disks
 * alike), so that K lies between 1 - sin(phi) (Jaky) and 1. A sample of n contacts tells K to c / sqrt(n) of it: c measured,
 * docs/validation.md. Three times that is allowed. */
#include "tests/column.h"

static const double sin_phi = 0.10;

static void check_ratio(const TestColumn *column, double c) {
  const double K = test_column_ratio(column), error = c / sqrt(column->contacts);
  CHECK(K > 1 - sin_phi - 3 * error);
  CHECK(K < 1 + 3 * error);
  /* Each half has half of the contacts. */
  CHECK_NEAR(test_column_half(column, 1), test_column_half(column, 0), 3 * 2 * error);
  CHECK_BELOW(column->moving, 0.2);
}

TEST(disks_without_friction_press_like_a_liquid) {
  TestColumn column = {0};
  for (int seed = 1; seed <= 3; seed++) {
    TestDeck deck;
    char drawn[32];
    snprintf(drawn, sizeof drawn, "grains[0].seed=%d", seed);
    const char *const sets[] = {"grains[0].count=400", "grains[0].region.high=[0.2, 0.16]",
                                "boundaries.right.position=[0.2, 0]", drawn, NULL};
    test_deck_open(&deck, "hydrostatic.yaml", sets);
    test_deck_run(&deck, 0.5);
    test_deck_take(&deck);
    test_column_add(&deck.packing, 0.2, &column);
    test_deck_close(&deck);
  }
  check_ratio(&column, 3.3);
}

TEST(spheres_without_friction_press_like_a_liquid) {
  static const char *const sets[] = {
      "grains[0].count=500", "grains[0].region.high=[0.07, 0.07, 0.08]",
      "boundaries.right.position=[0.07, 0, 0]", "boundaries.back.position=[0, 0.07, 0]", NULL};
  TestColumn column = {0};
  TestDeck deck;
  test_deck_open(&deck, "hydrostatic-3d.yaml", sets);
  test_deck_run(&deck, 0.4);
  test_deck_take(&deck);
  test_column_add(&deck.packing, 0.07, &column);
  test_deck_close(&deck);
  check_ratio(&column, 2.8);
}
