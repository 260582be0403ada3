/* Janssen's silo (input/janssen.yaml, janssen-3d.yaml): the walls are drawn up slowly, so that
 * their friction carries what it can, and the vertical stress bends to p = gradient length (1 -
 * exp(-z / length)).
 *
 * The length of the fit is held against A / (P K mu), where K is that of the stress tensor inside
 * and mu the friction at the walls, both measured. n contacts bear the load in shares that vary by
 * about their mean, so that the sum is known to c / sqrt(n): c is measured over seeds
 * (docs/validation.md) for n contacts at the walls (the length), in a layer (what the fit leaves)
 * and on the floor (its load); three times that is allowed. */
#include "tests/decks.h"

#include "post/silo.h"

enum { LAYERS = 12 };

static const double scatter = 0.5; /* c */

/* All grains' momentum along the last axis, kg m/s. */
static double momentum(const DlsSimulation *s) {
  double sum = 0;
  for (int b = 0; b < s->world->count; b++)
    sum += s->world->mass[b] * s->world->velocity[b][s->world->dim - 1];
  return sum;
}

/* Means over `from` to `to`. What floor and walls give, summed over all steps, is the weight times
 * the time and the change of momentum, to round-off: no force is lost. */
static DlsSilo measure(TestDeck *deck, const char *region, double from, double to) {
  DlsSimulation *s = deck->simulation;
  const int up = s->world->dim - 1, every = 5;
  DlsSiloSums sums = {0};
  DlsProbe probe;
  DlsSilo silo;
  double impulse = 0;
  CHECK_OK(dls_probe_read(region, s->world->dim, &probe));
  test_deck_run(deck, from);
  const double before = momentum(s), start = s->state.time;
  for (long steps = 0; s->state.time < to - 1e-9; steps++) {
    CHECK_OK(dls_scene_step(deck->scene));
    for (int b = 0; b < s->world->boundary_count; b++)
      impulse -= s->settings.h * s->state.boundary_force[b][up];
    if (steps % every) continue;
    test_deck_take(deck);
    if (steps == 0) CHECK_OK(dls_silo_begin(&deck->packing, &probe, LAYERS, &sums));
    CHECK_OK(dls_silo_add(&sums, &deck->packing));
  }
  CHECK_OK(dls_silo_end(&sums, &silo));
  const double weighed = silo.weight * (s->state.time - start);
  CHECK_NEAR(impulse, weighed + momentum(s) - before, 1e-9 * weighed);
  return silo;
}

/* The walls stand still again: at rest floor and walls bear the weight, to the accelerations that
 * are left. Those are the solver's: a `scaled` error of e lets the n forces f be wrong by e |f|, so
 * the sum of sizes by e sqrt(n) |f|, and each acts on two. */
static void check_rest(TestDeck *deck, double until, double weight) {
  const int up = deck->simulation->world->dim - 1;
  double borne = 0, moving = 0, square = 0;
  test_deck_run(deck, until);
  test_deck_take(deck);
  const DlsPacking *g = &deck->packing;
  for (int c = 0; c < g->contacts; c++) {
    square += dls_vector_dot(g->force[c], g->force[c]);
    if (g->antagonist[c] < 0) borne += g->force[c][up];
  }
  for (int i = 0; i < g->grains; i++)
    moving += fabs(g->resultant[i][up] + g->mass[i] * g->gravity[up]);
  CHECK_NEAR(borne, weight, moving + 1e-9 * weight);
  const double tolerance = deck->simulation->settings.limits.tolerance;
  CHECK_BELOW(moving, 2 * tolerance * sqrt(g->contacts * square));
  CHECK_BELOW(moving, 0.1 * weight);
}

static void check_law(const DlsSilo *silo) {
  CHECK_NEAR(silo->fit.length, silo->length,
             3 * scatter / sqrt(silo->wall_contacts) * silo->length);
  CHECK_BELOW(silo->fit.residual, 3 * scatter / sqrt(silo->layer_contacts));
  /* It has bent: more than half of the weight is borne by the walls. */
  CHECK(silo->height > 2 * silo->fit.length);
  CHECK_BELOW(silo->floor, 0.5 * silo->weight);
}

TEST(the_pressure_between_two_walls_saturates) {
  static const char *const count[] = {"grains[0].count=600", "grains[0].count=300",
                                      "grains[0].count=150"};
  static const char *const region[] = {"grains[0].region.high=[0.1, 0.46]",
                                       "grains[0].region.high=[0.1, 0.24]",
                                       "grains[0].region.high=[0.1, 0.12]"};
  DlsSilo silo[3];
  for (int n = 0; n < 3; n++) {
    const char *const sets[] = {count[n], region[n], "boundaries.right.position=[0.1, 0]", NULL};
    TestDeck deck;
    test_deck_open(&deck, "janssen.yaml", sets);
    silo[n] = measure(&deck, "box:0,0:0.1,1", 0.4, 0.7);
    if (n == 0) {
      check_rest(&deck, 0.9, silo[0].weight);
      check_law(&silo[0]);
    }
    CHECK_INT(deck.simulation->state.unconverged, 0);
    test_deck_close(&deck);
  }
  /* However high it is filled, the floor bears what the law with the length of the highest fill
   * says. */
  for (int n = 0; n < 3; n++) {
    const double load =
        0.1 * dls_janssen_pressure(silo[n].gradient, silo[0].fit.length, silo[n].height);
    CHECK_NEAR(silo[n].floor, load, 3 * scatter / sqrt(silo[n].floor_contacts) * load);
  }
}

TEST(the_pressure_in_a_cylinder_saturates) {
  static const char *const sets[] = {
      "grains[0].count=700",
      "grains[0].region={shape: cylinder, centre: [0, 0, 0], radius: 25 mm, height: 0.25}",
      "boundaries.wall.radius=[0.025]", NULL};
  TestDeck deck;
  test_deck_open(&deck, "janssen-3d.yaml", sets);
  const DlsSilo silo = measure(&deck, "cylinder:0,0,0.2:0,0,1:0.025:0.4", 0.35, 0.55);
  check_law(&silo);
  test_deck_close(&deck);
}

/* By euler, whose positions are corrected after each step: the same law. */
TEST(corrected_positions_leave_the_pressure_as_it_is) {
  static const char *const sets[] = {"grains[0].count=600",
                                     "grains[0].region.high=[0.1, 0.46]",
                                     "boundaries.right.position=[0.1, 0]",
                                     "time.scheme=euler",
                                     "time.correction=project",
                                     NULL};
  TestDeck deck;
  test_deck_open(&deck, "janssen.yaml", sets);
  const DlsSilo silo = measure(&deck, "box:0,0:0.1,1", 0.4, 0.7);
  check_rest(&deck, 0.9, silo.weight);
  check_law(&silo);
  CHECK(deck.simulation->state.ledger.corrected != 0);
  test_deck_close(&deck);
}
