/* Beads in a shaken cell (input/shaken-beads.yaml; Moreau 1994, sec. 2 and Fig. 1).
 *
 * All of one size they are a crystal with flaws, whose core hardly moves in ten periods: between
 * the corners beads stay among their neighbours, and the bound is a diameter.
 *
 * With radii that differ by 1.3 % either way, as those of real beads do, they turn in the upper
 * corners, sink at the walls and heap in the middle, as told there. Short: 412 beads in a vessel of
 * half the size, one sample, two errors of the periods; the heap is higher than a bead, and than it
 * was. DELASSUS_LONG: all 1650 over 60 periods, four samples, three errors of these. */
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

/* m: by how much the pack is higher in the middle third than at both sides, by what each holds. */
static double heap_of(int bodies, const double (*place)[3], double wide) {
  const double solid = 0.9; /* of a crystal */
  double more = 0;
  for (int b = 0; b < bodies; b++) {
    const double x = place[b][0] / wide;
    more += (x > 1.0 / 3 && x < 2.0 / 3) - (x < 1.0 / 6 || x > 5.0 / 6);
  }
  return more * acos(-1) * pow(0.5 * diameter, 2) / (solid * wide / 3);
}

typedef struct {
  TestRoll roll;
  double before, after; /* m: the heap as put in; its mean over the second half */
} Turned;

static Turned turned(int sample, bool full) {
  static const char *const sizes = "grains[0].sizes={kind: uniform, min: 0.74 mm, max: 0.76 mm}";
  const int periods = full ? 60 : 30;
  char seed[40];
  snprintf(seed, sizeof seed, "grains[0].seed=%d", sample);
  const char *const all[] = {sizes, seed, NULL}, *const half[] = {
                                                     sizes,
                                                     seed,
                                                     "grains[0].count=412",
                                                     "grains[0].region.high=[3.75 cm, 2.5 cm]",
                                                     "boundaries.right.position=[3.75 cm, 0]",
                                                     NULL};
  TestDeck deck;
  test_deck_open(&deck, "shaken-beads.yaml", full ? all : half);
  const double wide = full ? width : width / 2;
  Turned out = {0};
  const DlsWorld *world = deck.simulation->world;
  out.before = heap_of(world->count, (const double(*)[3])world->position, wide);
  DlsTracks tracks = test_shake(&deck, 6.0 / 15, 1.0 / 15, periods);
  out.roll = test_roll(&tracks, 8, 6);
  for (int m = periods / 2 + 1; m <= periods; m++) {
    const double(*place)[3] = (const double(*)[3])tracks.place + (size_t)m * (size_t)tracks.bodies;
    out.after += heap_of(tracks.bodies, place, wide) / (periods - periods / 2);
  }
  if (full || getenv("SHOW")) {
    printf("sample %d: roll %.3g +- %.2g m2, heap from %.3g to %.3g m\n", sample, out.roll.mean,
           out.roll.error, out.before, out.after);
    fflush(stdout);
  }
  dls_tracks_clear(&tracks);
  test_deck_close(&deck);
  return out;
}

enum { SAMPLES = 4 };

static TestRoll over_samples(const double *value) {
  double sum = 0, squares = 0;
  for (int k = 0; k < SAMPLES; k++) sum += value[k], squares += value[k] * value[k];
  const double mean = sum / SAMPLES;
  return (TestRoll){mean, sqrt((squares / SAMPLES - mean * mean) / (SAMPLES - 1))};
}

TEST(beads_that_differ_a_little_turn_in_the_corners_and_heap) {
  if (!getenv("DELASSUS_LONG")) {
    const Turned one = turned(1, false);
    CHECK_TOLD(one.roll.mean > 2 * one.roll.error, "%g +- %g m2", one.roll.mean, one.roll.error);
    CHECK_TOLD(one.after > one.before && one.after > diameter, "from %g to %g m", one.before,
               one.after);
    return;
  }
  double roll[SAMPLES], height[SAMPLES], growth[SAMPLES];
  for (int k = 0; k < SAMPLES; k++) {
    const Turned t = turned(k + 1, true);
    roll[k] = t.roll.mean, height[k] = t.after, growth[k] = t.after - t.before;
  }
  const TestRoll told[3] = {over_samples(roll), over_samples(height), over_samples(growth)};
  for (int k = 0; k < 3; k++)
    CHECK_TOLD(told[k].mean > 3 * told[k].error, "%d: %g +- %g", k, told[k].mean, told[k].error);
}
