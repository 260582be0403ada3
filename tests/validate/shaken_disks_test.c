/* A large disk among small ones in a shaken vessel (input/shaken-disks.yaml; Moreau 1994, Fig. 2).
 *
 * Told there: friction at the walls makes a flow that sinks along them and rises in the middle; it
 * takes the large disk up, where it stays through 600 shakes; without that friction there is no
 * flow and the large one does not rise. Each bound is three errors, or a size of the packing.
 *
 * DELASSUS_LONG: 600 shakes, as there; else 40, and 28 without friction, whose circulation is
 * then too uncertain (1.1e-5 +- 1.7e-5 m2 after 40) to be told apart from the other. */
#include "tests/validate/shakes.h"

static const double period = 0.05, settled = 0.2; /* s */
enum { LARGE = 500, MOST = 601 };

typedef struct {
  TestRoll roll;
  int shakes;
  double height[MOST]; /* m: of the large disk's middle */
  double top[MOST];    /* m: below which seven eighths of the others are */
} Shaken;

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static Shaken shaken(bool friction) {
  static const char *const with[] = {NULL}, *const without[] = {"laws[1].parameters.mu=0", NULL};
  Shaken s = {.shakes = getenv("DELASSUS_LONG") ? MOST - 1 : friction ? 40 : 28};
  TestDeck deck;
  test_deck_open(&deck, "shaken-disks.yaml", friction ? with : without);
  DlsTracks tracks = test_shake(&deck, settled, period, s.shakes);
  CHECK_INT(tracks.bodies, 500);
  for (int m = 0; m <= s.shakes; m++) {
    double all[500];
    for (int b = 0; b < 500; b++) {
      all[b] = dls_tracks_at(&tracks, m, b)[1];
      if (tracks.id[b] == LARGE) s.height[m] = all[b];
    }
    qsort(all, 500, sizeof *all, ascending);
    s.top[m] = all[7 * 500 / 8];
  }
  s.roll = test_roll(&tracks, 10, 20);
  if (getenv("SHOW"))
    printf("%s: roll %.3g +- %.2g m2, large from %.2f to %.2f mm, top %.2f mm\n",
           friction ? "friction" : "none", s.roll.mean, s.roll.error, 1e3 * s.height[0],
           1e3 * s.height[s.shakes], 1e3 * s.top[s.shakes]);
  dls_tracks_clear(&tracks);
  test_deck_close(&deck);
  return s;
}

/* Without friction the large one stays in the lower half of the pack; with it, from shake 300 on
 * it is in the upper one. In the short form it has risen by its radius. */
TEST(friction_at_walls_makes_it_flow_and_takes_the_large_one_up) {
  const Shaken with = shaken(true), without = shaken(false);
  const double radius = 2.5e-3, both = hypot(with.roll.error, without.roll.error);
  CHECK_TOLD(with.roll.mean > 3 * with.roll.error, "%g +- %g", with.roll.mean, with.roll.error);
  CHECK_TOLD(fabs(without.roll.mean) < 3 * without.roll.error, "%g +- %g", without.roll.mean,
             without.roll.error);
  for (int m = 0; m <= without.shakes; m++)
    CHECK_TOLD(without.height[m] < 0.5 * without.top[m], "shake %d: at %g m", m, without.height[m]);
  if (with.shakes < MOST - 1) {
    CHECK(with.height[with.shakes] > with.height[0] + radius);
    return;
  }
  CHECK_TOLD(with.roll.mean - without.roll.mean > 3 * both, "%g, %g +- %g", with.roll.mean,
             without.roll.mean, both);
  for (int m = with.shakes / 2; m <= with.shakes; m++)
    CHECK_TOLD(with.height[m] > 0.5 * with.top[m], "shake %d: at %g of %g m", m, with.height[m],
               with.top[m]);
}
