/* A foot pressed into a bed of disks and lifted (Brendel, Unger and Wolf 2004, sec. 1.1):
 * input/footprint.yaml; in short grains 1.5 times as large and steps of twice the length. The print
 * stays, sand rises beside it, and the load is what soil mechanics gives a strip of the sole's
 * width: N_gamma gamma B² / 2 + N_q gamma z B, of which only the order of magnitude can be held,
 * since the angle of friction of such a bed is known to some degrees. */
#include "tests/decks.h"

#include <math.h>

enum { COLUMNS = 28, FOOT = 4 }; /* of 2 cm; the boundary's id */

static const double sole[2] = {0.18, 0.38}; /* m, between heel and ball */

/* m: the highest grain of each column. */
static void surface(const DlsPacking *g, double *height) {
  for (int k = 0; k < COLUMNS; k++) height[k] = 0;
  for (int i = 0; i < g->grains; i++) {
    const int k = (int)(g->position[i][0] / 0.02);
    if (k >= 0 && k < COLUMNS) height[k] = fmax(height[k], g->position[i][1] + g->radius[i]);
  }
}

static double mean_height(const double *height, double low, double high) {
  double sum = 0;
  int count = 0;
  for (int k = 0; k < COLUMNS; k++) {
    const double x = 0.02 * (k + 0.5);
    if (x < low || x > high) continue;
    sum += height[k];
    count++;
  }
  return sum / count;
}

/* N, upward on the foot. */
static double load_of(const DlsPacking *g) {
  double load = 0;
  for (int c = 0; c < g->contacts; c++)
    if (g->antagonist[c] == -FOOT) load -= g->force[c][1];
  return load;
}

/* N/m of a strip footing: Meyerhof's numbers, phi in degrees. */
static double bearing(double phi, double gamma, double width, double depth) {
  const double t = tan(phi * M_PI / 180), side = tan((45 + phi / 2) * M_PI / 180);
  const double Nq = exp(M_PI * t) * side * side, Ng = (Nq - 1) * tan(1.4 * phi * M_PI / 180);
  return 0.5 * gamma * width * width * Ng + gamma * depth * width * Nq;
}

TEST(a_print_stays_in_sand) {
  TestDeck deck;
  const bool whole = getenv("DELASSUS_LONG") != NULL;
  const char *const sets[] = {
      whole ? "time.step=1 ms" : "time.step=2 ms",
      whole ? "grains[0].seed=1" : "grains[0].sizes={kind: uniform, min: 6 mm, max: 9 mm}", NULL};
  double before[COLUMNS], after[COLUMNS], load[2] = {0};
  int count[2] = {0};
  test_deck_open(&deck, "footprint.yaml", sets);
  test_deck_run(&deck, 0.3);
  test_deck_take(&deck);
  surface(&deck.packing, before);
  const double top = mean_height(before, sole[0], sole[1]), bottom = 0.145 - 0.05 * 0.8;
  const double touch = 0.3 + (0.145 - top) / 0.05; /* s */
  while (deck.simulation->state.time < 1.1) {
    test_deck_run(&deck, deck.simulation->state.time + 4e-3);
    test_deck_take(&deck);
    const int half = deck.simulation->state.time > 0.5 * (touch + 1.1);
    if (deck.simulation->state.time > touch) load[half] += load_of(&deck.packing), count[half]++;
  }
  for (int k = 0; k < 2; k++) load[k] /= count[k];
  test_deck_run(&deck, 1.8);
  test_deck_take(&deck);
  surface(&deck.packing, after);
  const double depth = top - bottom, print = top - mean_height(after, sole[0], sole[1]);
  const double beside = 0.5 * (mean_height(after, 0.04, 0.14) - mean_height(before, 0.04, 0.14) +
                               mean_height(after, 0.42, 0.52) - mean_height(before, 0.42, 0.52));
  double mass = 0;
  for (int i = 0; i < deck.packing.grains; i++) mass += deck.packing.mass[i];
  const double gamma = 9.81 * mass / (0.56 * mean_height(before, 0, 0.56));
  const double least = bearing(15, gamma, 0.2, 0.75 * depth);
  const double most = bearing(30, gamma, 0.2, 0.75 * depth);
  if (getenv("SHOW"))
    printf(
        "%d grains: pressed %.1f mm, print %.1f mm, beside it %.1f mm higher; load %.0f, then %.0f "
        "N/m; strip footing %.0f to %.0f N/m\n",
        deck.packing.grains, 1e3 * depth, 1e3 * print, 1e3 * beside, load[0], load[1], least, most);
  CHECK(depth > 0.02);
  CHECK(print > 0.5 * depth && print < 1.2 * depth);
  CHECK(beside > 0);
  CHECK(load[1] > load[0]);
  CHECK(load[1] > 0.5 * least && load[1] < 2 * most);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}
