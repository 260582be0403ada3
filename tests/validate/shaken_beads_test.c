/* Beads of one size in a shaken cell (input/shaken-beads.yaml; Moreau 1994, Fig. 1): a crystal with
 * flaws. Its core hardly moves in ten periods: between the corners beads stay among their
 * neighbours, and the bound is a diameter. Vortices in the corners are sporadic: docs/gallery.md
 * shows a run with one; over 60 periods of this deck beads at the walls did not sink by more than
 * the core. */
#include "tests/validate/shakes.h"

static const double width = 7.5e-2, diameter = 1.5e-3; /* m */

/* The mean height that beads of the upper half gain in an interval, between distances `from` and
 * `to` from the nearer wall. The pack breathes as a whole, and a mean of differences leaves that
 * out. */
static double gained(const DlsTracks *t, int interval, double from, double to) {
  double low[3], high[3], sum = 0;
  int bodies = 0;
  dls_tracks_box(t, low, high);
  for (int b = 0; b < t->bodies; b++) {
    const double *x = dls_tracks_at(t, interval, b), *y = dls_tracks_at(t, interval + 1, b);
    const double away = fmin(x[0], width - x[0]);
    if (x[1] < 0.5 * (low[1] + high[1]) || away < from || away >= to) continue;
    sum += y[1] - x[1];
    bodies++;
  }
  return sum / bodies;
}

TEST(the_core_of_a_crystal_stays) {
  static const char *const none[] = {NULL};
  const double period = 1.0 / 15;
  const int periods = 10;
  TestDeck deck;
  test_deck_open(&deck, "shaken-beads.yaml", none);
  DlsTracks tracks = test_shake(&deck, 6 * period, period, periods);
  CHECK_INT(tracks.bodies, 1650);
  double sum = 0, squares = 0, core = 0;
  for (int m = 0; m < periods; m++) {
    const double middle = gained(&tracks, m, width / 4, width),
                 sunk = middle - gained(&tracks, m, 0, 2 * diameter);
    sum += sunk, squares += sunk * sunk, core += middle;
  }
  const double mean = sum / periods,
               error = sqrt((squares / periods - mean * mean) / (periods - 1));
  if (getenv("SHOW"))
    printf("at walls lower by %.3g +- %.2g m in a period; core %.3g m in all\n", mean, error, core);
  CHECK_TOLD(fabs(core) < diameter, "%g m in %d periods", core, periods);
  dls_tracks_clear(&tracks);
  test_deck_close(&deck);
}
