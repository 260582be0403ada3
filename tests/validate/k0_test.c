/* Grains with friction in a wide box with smooth sides, under their own weight (input/k0.yaml): the
 * vertical stress is the weight above, exactly; the horizontal one is K0 times that, K0 = 1 -
 * sin(phi) (Jaky 1944).
 *
 * phi is that of the same disks in a biaxial test to failure (input/strength.yaml). Measured K0
 * scatter about Jaky's formula by 0.05 (Mayne and Kulhawy 1982). A sample of n contacts tells K0 to
 * c / sqrt(n) of it; over 16 samples of 400 disks c was 3.8, and is 2.9 now: docs/validation.md. */
#include "tests/column.h"

static const double c = 3.8, jaky_scatter = 0.05;

/* The mean of sin(phi) from the first strains of 0.05 on, and its error from the means of 6
 * blocks. */
static double friction_angle(double *error) {
  enum { BLOCKS = 6, STEPS = 200 };
  static const char *const sets[] = {NULL};
  TestDeck deck;
  double sum = 0, squares = 0;
  test_deck_open(&deck, "strength.yaml", sets);
  test_deck_run(&deck, 0.7);
  for (int block = 0; block < BLOCKS; block++) {
    double vertical = 0, horizontal = 0;
    for (int k = 0; k < STEPS; k++) {
      const double(*force)[6] = (const double(*)[6])deck.simulation->state.boundary_force;
      const DlsBoundary *wall = deck.simulation->world->boundary;
      CHECK_OK(dls_scene_step(deck.scene));
      horizontal += force[2][0] / wall[3].position[1]; /* right: its height is where the top is */
      vertical += force[3][1] / wall[2].position[0];
    }
    const double value = (vertical - horizontal) / (vertical + horizontal);
    sum += value / BLOCKS;
    squares += value * value / BLOCKS;
  }
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
  *error = sqrt((squares - sum * sum) / (BLOCKS - 1));
  return sum;
}

TEST(earth_pressure_at_rest_is_that_of_jaky) {
  TestColumn column = {0};
  double unsure;
  for (int seed = 1; seed <= 4; seed++) {
    TestDeck deck;
    char drawn[32];
    snprintf(drawn, sizeof drawn, "grains[0].seed=%d", seed);
    const char *const sets[] = {"grains[0].count=400", "grains[0].region.high=[0.2, 0.16]",
                                "boundaries.right.position=[0.2, 0]", drawn, NULL};
    test_deck_open(&deck, "k0.yaml", sets);
    test_deck_run(&deck, 0.7);
    test_deck_take(&deck);
    test_column_add(&deck.packing, 0.2, deck.simulation->settings.limits.tolerance, &column);
    CHECK_INT(deck.simulation->state.unconverged, 0);
    test_deck_close(&deck);
  }
  const double sin_phi = friction_angle(&unsure), K = test_column_ratio(&column);
  const double error = K * c / sqrt(column.contacts);
  CHECK_BELOW(column.moving, column.unsolved); /* at rest, as far as forces are solved for */
  /* Disks of mu = 0.5: sin(phi) = 0.25 to 0.35, as published. */
  CHECK(sin_phi > 0.25 && sin_phi < 0.35);
  /* From Jaky's to that of a soil that has borne twice what it does now, (1 - sin phi) 2^sin phi
   * (Mayne and Kulhawy 1982): rigid grains lock as the filling ends. Over 16 samples K is 0.89 +-
   * 0.025, with either of two libraries of linear algebra, whose round-off draws them anew. */
  const double slack = 3 * sqrt(error * error + unsure * unsure) + jaky_scatter;
  CHECK(K > 1 - sin_phi - slack && K < (1 - sin_phi) * pow(2, sin_phi) + slack);
  CHECK(K > (1 - sin_phi) / (1 + sin_phi)); /* it has not failed: above the active pressure */
  CHECK_NEAR(test_column_half(&column, 1), test_column_half(&column, 0), 3 * 2 * error);
}
