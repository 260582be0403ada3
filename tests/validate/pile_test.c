/* Piles of spheres of dispersed sizes: input/pile.yaml (Sanni et al. 2009, sec. 6.2) and
 * input/cone.yaml (Moreau 2001, sec. 3.5).
 *
 * Held to round-off: the floor below a core, and the bank about it, bear what the core weighs, with
 * the accelerations that are left; the pressure on the floor adds up to the weight. Held to the
 * tolerance of the solver: grains that touch the floor are tied to it and move no more.
 * DELASSUS_LONG: over 12 piles of 600 grains the bank carries a part of the core within R / 2, and
 * the force across surfaces parallel to the slope is turned from their normal towards the vertical.
 * DELASSUS_LONG=full: the full decks too, half an hour. SHOW=1 prints what docs/piles.md has. */
#include "tests/decks.h"

#include "tests/validate/pile.h"

static void small_pile(int grains, int seed, double until, TestDeck *deck) {
  char limit[64], seeds[64];
  snprintf(limit, sizeof limit, "sources[0].limit=%d", grains);
  snprintf(seeds, sizeof seeds, "sources[0].seed=%d", seed);
  const char *const sets[] = {limit, seeds, "sources[0].rate=300", "sources[0].region.radius=0.12",
                              NULL};
  test_deck_open(deck, "pile.yaml", sets);
  test_deck_run(deck, until);
  test_deck_take(deck);
}

TEST(a_pile_presses_on_its_floor_and_its_bank_with_its_weight) {
  TestDeck deck;
  double load = 0, pushed = 0;
  int tied = 0, piled = 0;
  small_pile(200, 1, 2, &deck);
  DlsPacking *g = &deck.packing;
  const Pile pile = pile_measure(g);
  const double g_h = 9.81 * g->h;
  CHECK_INT(pile.grains, 200);
  CHECK_BELOW(pile.balance, 1e-10 * pile.weight);
  for (int i = 0; i < g->grains; i++) pushed += g->resultant[i][2];
  for (int c = 0; c < g->contacts; c++) {
    const int i = g->candidate[c];
    piled += g->antagonist[c] >= 0;
    if (g->antagonist[c] >= 0) continue;
    load += g->force[c][2];
    tied++;
    for (int k = 0; k < 3; k++) { /* what a tenth of a step of free fall would give */
      CHECK_BELOW(fabs(g->velocity[i][k]), 0.1 * g_h);
      CHECK_BELOW(fabs(g->spin[i][k]) * g->radius[i], 0.1 * g_h);
    }
  }
  CHECK_NEAR(load, pushed, 1e-10 * pile.weight);
  CHECK_NEAR(load, pile.weight, pile.moving + 1e-10 * pile.weight);
  CHECK(tied > 50 && piled > tied);
  test_deck_close(&deck);
}

typedef struct {
  int count;
  double sum, squares;
} Ensemble;

static void add(Ensemble *e, double value) {
  e->count++, e->sum += value, e->squares += value * value;
}

static PileMean ensemble(const Ensemble *e) {
  const double mean = e->sum / e->count;
  return (PileMean){mean, sqrt((e->squares / e->count - mean * mean) / (e->count - 1))};
}

/* Pressure on ring n, and what stands on it, over the mean pressure of the cone. */
static double over_mean(const Pile *p, double load, int n) {
  return load / p->weight * PILE_RINGS * PILE_RINGS / (2 * n + 1);
}

TEST(the_bank_of_a_pile_carries_a_part_of_its_core) {
  if (!getenv("DELASSUS_LONG")) test_skip("12 piles take minutes; make check-long");
  Ensemble bank = {0}, slope = {0}, ring[PILE_RINGS] = {{0}}, above[PILE_RINGS] = {{0}}, dip = {0};
  Ensemble angle[PILE_CYLINDERS] = {{0}}, carried[PILE_CYLINDERS] = {{0}};
  for (int seed = 1; seed <= 12; seed++) {
    TestDeck deck;
    small_pile(600, seed, 3, &deck);
    const Pile p = pile_measure(&deck.packing);
    test_deck_close(&deck);
    CHECK_BELOW(p.balance, 1e-10 * p.weight);
    add(&bank, p.bank.value);
    add(&slope, pile_degrees(atan(p.slope)));
    for (int n = 0; n < PILE_RINGS; n++) {
      add(&ring[n], over_mean(&p, p.load[n], n));
      add(&above[n], over_mean(&p, p.above[n], n));
    }
    add(&dip, over_mean(&p, p.load[1], 1) - over_mean(&p, p.load[0], 0));
    for (int k = 0; k < PILE_CYLINDERS; k++) {
      add(&angle[k], p.cylinder[k].value);
      add(&carried[k], p.carried[k].value);
    }
    if (getenv("SHOW")) printf("pile %d of 12\n", seed);
  }
  if (getenv("SHOW")) {
    PileMean a = ensemble(&slope), b = ensemble(&bank);
    printf("slope %.1f +- %.1f degrees, force across the bank %.1f +- %.1f off the vertical\n",
           a.value, a.error, b.value, b.error);
    for (int n = 0; n < PILE_RINGS; n++) {
      a = ensemble(&ring[n]), b = ensemble(&above[n]);
      printf("ring %d: pressure %.2f +- %.2f, weight above %.2f +- %.2f\n", n, a.value, a.error,
             b.value, b.error);
    }
    a = ensemble(&dip);
    printf("second ring less the first: %.2f +- %.2f\n", a.value, a.error);
    for (int k = 0; k < PILE_CYLINDERS; k++) {
      a = ensemble(&angle[k]), b = ensemble(&carried[k]);
      printf("cylinder %.2f R: %.1f +- %.1f degrees, carries %.3f +- %.3f\n", pile_cylinder[k],
             a.value, a.error, b.value, b.error);
    }
  }
  const PileMean half = ensemble(&carried[1]), across = ensemble(&bank);
  CHECK_TOLD(half.value > 3 * half.error, "%g +- %g", half.value, half.error);
  CHECK_TOLD(across.value > -ensemble(&slope).value + 3 * across.error, "%g +- %g", across.value,
             across.error);
}

static void check_full(const char *name, int grains, double end) {
  static const char *const sets[] = {NULL};
  const char *word = getenv("DELASSUS_LONG");
  TestDeck deck;
  if (!word || strcmp(word, "full") != 0) test_skip("minutes to half an hour; DELASSUS_LONG=full");
  test_deck_open(&deck, name, sets);
  while (deck.simulation->state.time < end - 1e-9) {
    test_deck_run(&deck, deck.simulation->state.time + 0.5);
    printf("%s: t = %g of %g s\n", name, deck.simulation->state.time, end);
    fflush(stdout);
  }
  test_deck_take(&deck);
  const Pile pile = pile_measure(&deck.packing);
  if (getenv("SHOW")) pile_print(name, &pile);
  CHECK_INT(pile.grains, grains);
  CHECK_BELOW(pile.balance, 1e-10 * pile.weight);
  const PileMean half = pile.carried[1];
  CHECK_TOLD(half.value > 3 * half.error, "%g +- %g", half.value, half.error);
  CHECK_TOLD(pile.bank.value > -pile_degrees(atan(pile.slope)) + 3 * pile.bank.error, "%g +- %g",
             pile.bank.value, pile.bank.error);
  test_deck_close(&deck);
}

TEST(a_pile_of_5600_spheres_leans_on_its_bank) { check_full("pile.yaml", 5600, 4); }

TEST(a_cone_of_14000_spheres_leans_on_its_bank) { check_full("cone.yaml", 14000, 6); }
