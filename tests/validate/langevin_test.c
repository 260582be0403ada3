/* Langevin's process on a floor without rebound (input/langevin.yaml; Maury, slides 26 to 28):
 * du = sigma dw + dlambda, q >= 0, u+ = max(u-, 0) where q = 0.
 *
 * - q(c t) is distributed as c^(3/2) q(t): the mean height grows as t^(3/2).
 * - The moments at q = 0 are regenerative with an inverse local time that is stable of index 1/4
 *   (Bertoin 2007): a step of length h at t has one with a probability of the order of
 *   (h / t)^(3/4), so that from t to 4 t there are 4^(1/4) as many such steps as from t/4 to t. Of
 *   a walker whose moments on the floor had a single cluster point, as without the floor, both
 *   numbers would be equal. (The number from 0 on is no measure: the sum of k^(-3/4) to n is
 *   4 n^(1/4) - 3.44, which for n = 1024 still looks like n^0.3.)
 *
 * The scheme is as self-similar as the process: what it does depends on t / h alone, so that a
 * shorter step is a later time. Errors are those of means over walkers, which are independent. */
#include "tests/decks.h"

enum { MARKS = 4 };

typedef struct {
  int walkers;
  double height[MARKS], height_error[MARKS]; /* mean, and its standard error */
  double growth, growth_error;               /* exponent of the height from the first to the last */
  double count[MARKS];                       /* steps on the floor so far, mean */
  double clusters, clusters_error;           /* exponent of their number, likewise */
} Walk;

/* The exponent from means a to b over a ratio of times, and its error: d ln(b/a) of each walker. */
static double exponent(int n, const double *a, const double *b, double ratio, double *error) {
  double mean_a = 0, mean_b = 0, square = 0;
  for (int i = 0; i < n; i++) mean_a += a[i] / n, mean_b += b[i] / n;
  for (int i = 0; i < n; i++) square += pow(b[i] / mean_b - a[i] / mean_a, 2);
  *error = sqrt(square) / n / log(ratio);
  return log(mean_b / mean_a) / log(ratio);
}

static void walk(const char *step, const char *seed, long steps, Walk *out) {
  char set_step[64], set_seed[64];
  const char *const sets[] = {set_step, set_seed, NULL};
  TestDeck deck;
  *out = (Walk){0};
  snprintf(set_step, sizeof set_step, "time.step=%s", step);
  snprintf(set_seed, sizeof set_seed, "random.seed=%s", seed);
  test_deck_open(&deck, "langevin.yaml", sets);
  const DlsWorld *world = deck.simulation->world;
  const int n = out->walkers = world->count;
  double *height = calloc((size_t)(MARKS * n), sizeof *height);
  double *count = calloc((size_t)(MARKS * n), sizeof *count);
  double *so_far = calloc((size_t)n, sizeof *so_far);
  if (!height || !count || !so_far) exit(1);
  for (long k = 1, mark = 0; k <= steps; k++) {
    CHECK_OK(dls_scene_step(deck.scene));
    for (int i = 0; i < n; i++)
      so_far[i] += world->position[i][1] < 1e-3 * (1 + 1e-9); /* the radius: on the floor */
    if (k != steps >> (2 * (MARKS - 1 - mark))) continue;
    for (int i = 0; i < n; i++) {
      height[mark * n + i] = world->position[i][1] - 1e-3;
      count[mark * n + i] = so_far[i];
    }
    mark++;
  }
  for (int m = 0; m < MARKS; m++) {
    double square = 0;
    for (int i = 0; i < n; i++) {
      out->height[m] += height[m * n + i] / n;
      out->count[m] += count[m * n + i] / n;
    }
    for (int i = 0; i < n; i++) square += pow(height[m * n + i] - out->height[m], 2);
    out->height_error[m] = sqrt(square) / n;
  }
  const double *last = height + (MARKS - 1) * n;
  out->growth = exponent(n, last - n, last, 4, &out->growth_error);
  for (int m = MARKS - 1; m > 0; m--) /* between two marks */
    for (int i = 0; i < n; i++) count[m * n + i] -= count[(m - 1) * n + i];
  const double *between = count + (MARKS - 1) * n;
  out->clusters = exponent(n, between - n, between, 4, &out->clusters_error);
  free(height), free(count), free(so_far);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  test_deck_close(&deck);
}

TEST(heights_and_clusters_of_contacts_are_those_of_the_process) {
  static const struct {
    const char *step, *seed;
    long steps;
  } runs[] = {{"0.000244140625", "3", 4096}, {"0.0009765625", "4", 1024}};
  Walk w[DLS_COUNT(runs)];
  for (int k = 0; k < DLS_COUNT(runs); k++) {
    walk(runs[k].step, runs[k].seed, runs[k].steps, &w[k]);
    if (getenv("DELASSUS_SHOW"))
      printf("h = 1/%ld s, %d walkers: mean height at 1/16, 1/4, 1 s %.4f, %.4f, %.4f +- %.4f m; "
             "exponent %.3f +- %.3f; %.2f steps on the floor, exponent %.3f +- %.3f\n",
             runs[k].steps, w[k].walkers, w[k].height[1], w[k].height[2], w[k].height[3],
             w[k].height_error[3], w[k].growth, w[k].growth_error, w[k].count[3], w[k].clusters,
             w[k].clusters_error);
    CHECK_NEAR(w[k].growth, 1.5, 3 * w[k].growth_error);
    CHECK(w[k].growth_error < 0.05);
  }
  CHECK_NEAR(w[0].height[3], w[1].height[3], 3 * hypot(w[0].height_error[3], w[1].height_error[3]));
  const double clusters = 0.5 * (w[0].clusters + w[1].clusters);
  const double error = 0.5 * hypot(w[0].clusters_error, w[1].clusters_error);
  CHECK_NEAR(clusters, 0.25, 3 * error);
  CHECK(3 * error < 0.15); /* so that 0 is refused, and 1/2, the index of a plain random walk */
}
