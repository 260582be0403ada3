/* Layers of grains that fell one after the other (Moreau 2001, sec. 3.3 and Fig. 2): the most
 * frequent directions of contacts are neither the vertical nor the horizontal, but oblique.
 *
 * Contacts between grains alone, over several seeds. With c = cos 2 theta the density of
 * directions, fitted up to the fourth harmonic, is 1 + a2 c + a4 (2 c^2 - 1): it rises away from
 * the vertical where a2 - 4 a4 > 0, and away from the horizontal where a2 + 4 a4 < 0. Of spheres,
 * with x = cos^2 of the angle with the vertical and p2, p4 the means of Legendre's polynomials, it
 * is 1 + 5 p2 P2 + 9 p4 P4: it rises away from the vertical where 7.5 p2 + 45 p4 < 0, and away from
 * the horizontal where 7.5 p2 - 33.75 p4 > 0. Directions that are as frequent one as the other and
 * independent have both sums at zero, to sqrt(34 / n) and sqrt(236.25 / n), sqrt(137.8 / n) for n
 * contacts: three of these decide, two in the short form.
 * DELASSUS_LONG: more seeds, polygons, and the answers to a ratio of sizes of 4. SHOW=1 prints. */
#include "tests/decks.h"

#include "post/fabric.h"

typedef struct {
  double mean, error; /* of the seeds */
} Mean;

typedef struct {
  double contacts;
  Mean second, fourth;  /* a2, a4; p2, p4 */
  Mean vertical, level; /* how the density rises away from these directions: positive, it does */
  double chance[2];     /* standard error of the last two if directions were at random */
  double angle;         /* degrees, from the vertical, of the largest density of the fit */
} Rain;

enum { MOST_SEEDS = 32 };

static Mean mean_of(const double *value, int count) {
  double sum = 0, squares = 0;
  for (int k = 0; k < count; k++) sum += value[k];
  for (int k = 0; k < count; k++) squares += pow(value[k] - sum / count, 2);
  return (Mean){sum / count, sqrt(squares / (count - 1) / count)};
}

/* The two harmonics of one layer; returns the number of contacts. */
static int harmonics(const TestDeck *deck, double *second, double *fourth) {
  const DlsPacking *g = &deck->packing;
  int count = 0;
  double two = 0, four = 0;
  for (int c = 0; c < g->contacts; c++) {
    if (!(g->normal_force[c] > 0) || g->antagonist[c] < 0) continue;
    const double up = g->normal[c][g->dim - 1], x = up * up, turn = 1 - 2 * x;
    two += g->dim == 2 ? 2 * turn : (3 * x - 1) / 2;
    four += g->dim == 2 ? 2 * (2 * turn * turn - 1) : (35 * x * x - 30 * x + 3) / 8;
    count++;
  }
  *second = two / count;
  *fourth = four / count;
  return count;
}

static Rain rain(const char *name, const char *sizes, double until, int seeds) {
  double second[MOST_SEEDS], fourth[MOST_SEEDS], vertical[MOST_SEEDS], level[MOST_SEEDS];
  Rain out = {0};
  int dim = 2;
  for (int k = 0; k < seeds; k++) {
    char seed[64];
    TestDeck deck;
    snprintf(seed, sizeof seed, "sources[0].seed=%d", k + 1);
    const char *const sets[] = {seed, sizes, NULL};
    test_deck_open(&deck, name, sets);
    test_deck_run(&deck, until);
    test_deck_take(&deck);
    dim = deck.packing.dim;
    out.contacts += harmonics(&deck, &second[k], &fourth[k]);
    vertical[k] = dim == 2 ? second[k] - 4 * fourth[k] : -(7.5 * second[k] + 45 * fourth[k]);
    level[k] = dim == 2 ? -second[k] - 4 * fourth[k] : 7.5 * second[k] - 33.75 * fourth[k];
    test_deck_close(&deck);
  }
  out.second = mean_of(second, seeds), out.fourth = mean_of(fourth, seeds);
  out.vertical = mean_of(vertical, seeds), out.level = mean_of(level, seeds);
  out.chance[0] = sqrt((dim == 2 ? 34 : 236.25) / out.contacts);
  out.chance[1] = sqrt((dim == 2 ? 34 : 137.8125) / out.contacts);
  const double ratio = out.second.mean / out.fourth.mean;
  const double x = dim == 2 ? (1 + ratio / 4) / 2 : 3.0 / 7 - 2 * ratio / 21;
  out.angle = acos(sqrt(fmin(fmax(x, 0), 1))) * 180 / acos(-1);
  if (getenv("SHOW"))
    printf("%s %s: %d seeds, %.0f contacts, %.3f +- %.3f, %.3f +- %.3f; away from the vertical "
           "%.2f +- %.2f (chance %.2f), from the horizontal %.2f +- %.2f (%.2f); at %.0f degrees\n",
           name, sizes ? sizes : "", seeds, out.contacts, out.second.mean, out.second.error,
           out.fourth.mean, out.fourth.error, out.vertical.mean, out.vertical.error, out.chance[0],
           out.level.mean, out.level.error, out.chance[1], out.angle);
  return out;
}

static void check_oblique(const char *name, double until, int seeds) {
  const double least = getenv("DELASSUS_LONG") ? 3 : 2;
  const Rain r = rain(name, NULL, until, seeds);
  CHECK_TOLD(r.vertical.mean > least * r.chance[0], "%s: %g, chance %g", name, r.vertical.mean,
             r.chance[0]);
  CHECK_TOLD(r.level.mean > least * r.chance[1], "%s: %g, chance %g", name, r.level.mean,
             r.chance[1]);
}

TEST(contacts_of_disks_in_a_rained_layer_prefer_oblique_directions) {
  check_oblique("disk-rain.yaml", 2, getenv("DELASSUS_LONG") ? 32 : 10);
}

TEST(contacts_of_spheres_in_a_rained_layer_prefer_an_angle_with_the_vertical) {
  check_oblique("sphere-rain.yaml", 2, getenv("DELASSUS_LONG") ? 16 : 3);
}

/* Two distributions of sizes, as in his figure. Equal shares of volume from 5 to 20 mm: told by
 * SHOW=1, and held to no more than that the horizontal is not the most frequent direction. */
TEST(contacts_of_polygons_in_a_rained_layer_prefer_oblique_directions) {
  if (!getenv("DELASSUS_LONG")) test_skip("polygons take minutes; make check-long");
  check_oblique("polygon-rain.yaml", 2.5, 12);
  const Rain wide =
      rain("polygon-rain.yaml", "sources[0].sizes={kind: power, min: 5 mm, max: 20 mm}", 2.5, 12);
  CHECK(wide.level.mean > 3 * wide.chance[1]);
}
