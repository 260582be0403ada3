/* A silo that empties (input/silo.yaml; Sanni et al. 2009, sec. 6.1): the middle goes down faster.
 * Spheres above the hopper when the gate has opened, and how far each has sunk a tenth of a second
 * later: those within half the radius of the silo beside those at its wall, a sphere wide. The
 * bound is three errors of the difference of two means, from the scatter of spheres. */
#include "tests/decks.h"

#include <math.h>

typedef struct {
  double sum, squares;
  int count;
} Sunk;

static void add(Sunk *sunk, double way) {
  sunk->sum += way;
  sunk->squares += way * way;
  sunk->count++;
}

static double mean(const Sunk *sunk) { return sunk->sum / sunk->count; }

static double square_of_error(const Sunk *sunk) {
  const double m = mean(sunk);
  return (sunk->squares / sunk->count - m * m) / (sunk->count - 1);
}

TEST(the_middle_of_a_silo_goes_down_faster) {
  static const char *const sets[] = {"time.step=1 ms", NULL};
  const double radius = 5e-3, silo = 0.06, hopper = 0.25; /* m: upper edge of the hopper */
  TestDeck deck;
  Sunk middle = {0}, side = {0};
  test_deck_open(&deck, "silo.yaml", sets);
  test_deck_run(&deck, 0.5);
  const DlsWorld *world = deck.simulation->world;
  double(*before)[3] = calloc((size_t)world->count, sizeof *before);
  CHECK(before);
  if (!before) return;
  memcpy(before, world->position, (size_t)world->count * sizeof *before);
  test_deck_run(&deck, 0.6);
  for (int i = 0; i < world->count; i++) {
    const double away = hypot(before[i][0], before[i][1]);
    if (!(before[i][2] > hopper + radius) || away > silo) continue;
    const double way = before[i][2] - world->position[i][2];
    if (away < silo / 2) add(&middle, way);
    if (away > silo - 2 * radius) add(&side, way);
  }
  const double error = sqrt(square_of_error(&middle) + square_of_error(&side));
  if (getenv("SHOW"))
    printf("%d in the middle sink by %.2f mm, %d at the wall by %.2f mm, error %.2f mm\n",
           middle.count, 1e3 * mean(&middle), side.count, 1e3 * mean(&side), 1e3 * error);
  CHECK(middle.count > 30 && side.count > 30);
  CHECK_TOLD(mean(&middle) - mean(&side) > 3 * error, "%g - %g m, error %g", mean(&middle),
             mean(&side), error);
  free(before);
  test_deck_close(&deck);
}
