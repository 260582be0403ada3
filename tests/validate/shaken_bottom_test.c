/* A bottom that shakes most in the middle, between walls at rest (input/shaken-bottom.yaml): grains
 * rise above its middle and sink at the walls, with friction there and without: it is the bottom
 * that drives them. Bounds are three errors. */
#include "tests/validate/shakes.h"

static TestRoll roll_of(bool friction) {
  static const char *const with[] = {NULL}, *const without[] = {"laws[2].parameters.mu=0", NULL};
  TestDeck deck;
  test_deck_open(&deck, "shaken-bottom.yaml", friction ? with : without);
  DlsTracks tracks = test_shake(&deck, 0.4, 0.04, 35);
  CHECK_INT(tracks.bodies, 400);
  const TestRoll roll = test_roll(&tracks, 10, 10);
  if (getenv("SHOW")) printf("friction %d: %.3g +- %.2g m2\n", friction, roll.mean, roll.error);
  dls_tracks_clear(&tracks);
  test_deck_close(&deck);
  return roll;
}

TEST(grains_rise_above_the_middle_of_the_bottom) {
  for (int friction = 0; friction < 2; friction++) {
    const TestRoll roll = roll_of(friction);
    CHECK_TOLD(roll.mean > 3 * roll.error, "friction %d: %g +- %g", friction, roll.mean,
               roll.error);
  }
}
