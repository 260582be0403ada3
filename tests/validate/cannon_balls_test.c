/* Cannon balls at rest (input/pyramid.yaml with eight layers; Sanni et al. 2009, sec. 6.2 and
 * Fig. 10): the floor bears their weight, and its pressure is largest in the middle. Forces of the
 * 204 balls are not unique; what is asked for is said of those that the solver finds from zero, and
 * of means over the rings of docs/stress.md. */
#include "tests/decks.h"

#include "post/floor.h"

enum { RINGS = 6 };

TEST(a_pile_of_cannon_balls_presses_most_in_the_middle) {
  static const char *const sets[] = {"grains[0].layers=8", "solver.tolerance=1e-5", NULL};
  const DlsProbe all = {.kind = DLS_PROBE_ALL};
  DlsFloorGrid grid;
  DlsFloorPart ring[RINGS];
  TestDeck deck;
  double weight = 0, moving = 0, load = 0;
  test_deck_open(&deck, "pyramid.yaml", sets);
  test_deck_run(&deck, 5e-3);
  test_deck_take(&deck);
  for (int i = 0; i < deck.packing.grains; i++) {
    const double own = deck.packing.mass[i] * deck.packing.gravity[2];
    const double *f = deck.packing.resultant[i];
    weight -= own;
    moving += hypot(hypot(f[0], f[1]), f[2] + own);
  }
  CHECK_INT(deck.packing.grains, 204);
  CHECK_OK(dls_floor_grid(&deck.packing, &all, 'r', RINGS, NULL, &grid));
  dls_floor(&deck.packing, &grid, ring);
  for (int k = 0; k < RINGS; k++) {
    load += ring[k].pressure * ring[k].area;
    if (k) CHECK_BELOW(ring[k].pressure, ring[0].pressure);
  }
  CHECK_NEAR(load, weight, moving + 1e-12 * weight);
  CHECK_BELOW(moving, 0.01 * weight);
  test_deck_close(&deck);
}
