/* Spheres of three sizes in a shaken box (input/shaken-box.yaml; Sanni et al. 2009, sec. 6.4): the
 * large ones gather above.
 *
 * Measured by ranks of height from 0 to 1, which flights do not stretch: the mean rank of the large
 * ones less that of the small ones, 0 where they are mixed, the mean of their shares where they are
 * sorted; of it the sorting S is the share, from 0 to 1. Of n large and m small ones that are mixed
 * at random the difference has the variance (1/n + 1/m) / 12. Bounds are four times its root, and
 * chance passes them once in 30,000.
 *
 * The short form has a quarter of the spheres on a quarter of the floor, for 3 s; DELASSUS_LONG=1
 * all 960 for the 20 s of the document, half of whose highest third at least are then large. */
#include "tests/decks.h"

#include <math.h>

static const double small = 0.85e-3, large = 0.95e-3; /* m: radii below and above these are so */

typedef struct {
  double sorting, chance; /* S, and its standard error where all are mixed */
  double share;           /* of large ones, among the highest as many as there are large ones */
} Order;

typedef struct {
  double height, radius;
} Ball;

static int by_height(const void *a, const void *b) {
  const double x = ((const Ball *)a)->height, y = ((const Ball *)b)->height;
  return (x > y) - (x < y);
}

static Order order_of(const DlsWorld *world) {
  const int n = world->count;
  Ball *ball = malloc((size_t)n * sizeof *ball);
  double rank[2] = {0};
  int count[2] = {0}, above = 0;
  for (int i = 0; i < n; i++)
    ball[i] = (Ball){world->position[i][2], world->element[world->first[i]].radius};
  qsort(ball, (size_t)n, sizeof *ball, by_height);
  for (int i = 0; i < n; i++) {
    const int kind = ball[i].radius > large ? 1 : ball[i].radius < small ? 0 : -1;
    if (kind >= 0) rank[kind] += (i + 0.5) / n, count[kind]++;
  }
  for (int i = n - count[1]; i < n; i++) above += ball[i].radius > large;
  const double sorted = 1 - 0.5 * (count[0] + count[1]) / n;
  free(ball);
  return (Order){(rank[1] / count[1] - rank[0] / count[0]) / sorted,
                 sqrt((1.0 / count[0] + 1.0 / count[1]) / 12) / sorted, (double)above / count[1]};
}

TEST(large_ones_of_three_sizes_gather_above) {
  static const char *const all[] = {NULL}, *const quarter[] = {
                                               "grains[0].count=240",
                                               "grains[0].region.high=[18 mm, 18 mm, 6 cm]",
                                               "boundaries.box.position=[9 mm, 9 mm, 10 cm]",
                                               "boundaries.box.length=[18 mm, 18 mm, 20 cm]", NULL};
  const bool full = getenv("DELASSUS_LONG") != NULL;
  const double end = full ? 20 : 3;
  TestDeck deck;
  test_deck_open(&deck, "shaken-box.yaml", full ? all : quarter);
  const Order begin = order_of(deck.simulation->world);
  Order now = begin;
  while (deck.simulation->state.time < end - 1e-9) {
    test_deck_run(&deck, deck.simulation->state.time + 1);
    now = order_of(deck.simulation->world);
    if (full || getenv("SHOW")) {
      printf("t = %g of %g s: sorted by %.3f (chance %.3f), of the highest %.2f are large\n",
             deck.simulation->state.time, end, now.sorting, now.chance, now.share);
      fflush(stdout);
    }
  }
  CHECK_TOLD(fabs(begin.sorting) < 4 * begin.chance, "%g", begin.sorting);
  CHECK_TOLD(now.sorting > 4 * now.chance, "%g, by chance %g", now.sorting, now.chance);
  if (full) CHECK_TOLD(now.share > 0.5, "%g", now.share);
  test_deck_close(&deck);
}
