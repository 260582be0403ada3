/* Beads in a shaken cylinder (input/shaken-vessel.yaml; Moreau 1994, sec. 8 and Fig. 3): what its
 * side and its bottom give to the beads over a period that begins with the vessel at its lowest.
 *
 * By mechanics: over whole periods both together give the weight times the time and the change of
 * momentum. Told there: at t = 0 the beads fly and the side feels practically nothing; the bottom
 * hits them in the first 10 ms, and the forces decrease while they fly; the vertical force of the
 * side is downward in the mean, and from 15 to 30 ms, when beads slide upward along it. Bounds are
 * three errors of the periods; "practically nothing" is a tenth of the largest force of the side.
 *
 * The short form has a quarter of the beads in half the width, and so the height of the pack;
 * DELASSUS_LONG=1 takes all 3630, settled for 0.4 s. */
#include "tests/decks.h"

#include <math.h>

enum { SIDE, BOTTOM, PARTS = 50, PERIODS = 6 };

static double momentum(const DlsWorld *world) {
  double sum = 0;
  for (int i = 0; i < world->count; i++) sum += world->mass[i] * world->velocity[i][2];
  return sum;
}

TEST(the_side_of_a_shaken_vessel_pulls_beads_down) {
  static const char *const all[] = {NULL}, *const quarter[] = {"grains[0].count=907",
                                                               "grains[0].region.radius=8.75 mm",
                                                               "boundaries.side.radius=[8.75 mm]",
                                                               NULL};
  const double period = 0.04, settled = getenv("DELASSUS_LONG") ? 0.4 : 0.2;
  TestDeck deck;
  double part[2][PERIODS][PARTS] = {{{0}}}, given = 0, weight = 0;
  test_deck_open(&deck, "shaken-vessel.yaml", getenv("DELASSUS_LONG") ? all : quarter);
  test_deck_run(&deck, settled);
  const DlsSimulation *s = deck.simulation;
  const double h = s->settings.h, before = momentum(s->world);
  const int steps = (int)lround(period / h);
  for (int i = 0; i < s->world->count; i++) weight += s->world->mass[i] * 9.81;
  for (int p = 0; p < PERIODS; p++)
    for (int k = 0; k < steps; k++) {
      CHECK_OK(dls_scene_step(deck.scene));
      for (int wall = SIDE; wall <= BOTTOM; wall++) {
        const double force = -s->state.boundary_force[wall][2];
        part[wall][p][k * PARTS / steps] += force * PARTS / steps / weight;
        given += force * h;
      }
    }
  const double expected = weight * period * PERIODS + momentum(s->world) - before;
  CHECK_NEAR(given, expected, 1e-9 * expected);

  double peak = 0, at = 0, first = 0, most = 0, mean = 0, squares = 0;
  for (int n = 0; n < PARTS; n++) {
    double side = 0, both = 0, spread = 0;
    for (int p = 0; p < PERIODS; p++) {
      side += part[SIDE][p][n] / PERIODS;
      both += (part[SIDE][p][n] + part[BOTTOM][p][n]) / PERIODS;
    }
    for (int p = 0; p < PERIODS; p++) spread += pow(part[SIDE][p][n] - side, 2);
    const double error = sqrt(spread / PERIODS / (PERIODS - 1)), ms = (n + 0.5) * 40 / PARTS;
    if (getenv("SHOW")) printf("%4.1f ms: side %7.3f +- %.3f, both %7.3f\n", ms, side, error, both);
    if (n == 0) first = fabs(side);
    most = fmax(most, fabs(side));
    if (both > peak) peak = both, at = ms;
    if (ms > 15 && ms < 30)
      CHECK_TOLD(side < 3 * error, "%g ms: %g +- %g weights", ms, side, error);
  }
  for (int p = 0; p < PERIODS; p++) {
    double side = 0;
    for (int n = 0; n < PARTS; n++) side += part[SIDE][p][n] / PARTS;
    mean += side / PERIODS;
    squares += side * side / PERIODS;
  }
  const double error = sqrt((squares - mean * mean) / (PERIODS - 1));
  if (getenv("SHOW"))
    printf("side %.3f +- %.3f weights, peak of both %.2f at %.1f ms\n", mean, error, peak, at);
  CHECK_TOLD(mean < -3 * error, "%g +- %g weights", mean, error);
  CHECK(at < 10);
  CHECK_BELOW(first, 0.1 * most);
  test_deck_close(&deck);
}
