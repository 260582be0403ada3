/* The bar of input/double-bounce.yaml, whose one collision is two contacts: when each begins and
 * ends and what it hands over, beside the method of characteristics, which is exact in a bar of
 * parts with equal times of passage. Bounds, set before the first run, are those of
 * tests/validate/bar_solid_test.c: 1 % of impulses, 2 % of a contact's duration for times, twice
 * both for the second contact, which inherits what the first left. */
#include "tests/decks.h"

#include "world/deformable.h"

#include <math.h>

enum { PART = 200, CELLS = 3 * PART, CONTACTS = 8 };
static const double fast = 10; /* m/s */

typedef struct {
  double begin, end, impulse; /* s, s, N s */
} Touch;

/* Cells that a wave crosses in a step; z is the impedance A sqrt(E rho), F the push and u the
 * velocity towards the wall in each. A jump that runs up the bar has dF = -z du, one that runs
 * down dF = z du. Returns the number of contacts within `span`. */
static int by_characteristics(const double *z, double step, double span, Touch touch[CONTACTS]) {
  double F[CELLS] = {0}, u[CELLS], Fs[CELLS + 1], us[CELLS + 1], gap = 0;
  int count = 0;
  for (int i = 0; i < CELLS; i++) u[i] = fast;
  for (double t = 0; t < span; t += step) {
    const double free = u[0] + F[0] / z[0], push = F[0] + z[0] * u[0];
    const bool touches = gap <= free * step && push > 1e-9 * z[0] * fast;
    us[0] = touches ? 0 : free;
    Fs[0] = touches ? push : 0;
    gap = touches ? 0 : gap - free * step;
    if (touches) {
      if (count == 0 || t > touch[count - 1].end + step) {
        CHECK(count < CONTACTS);
        touch[count++] = (Touch){.begin = t};
      }
      touch[count - 1].end = t + step;
      touch[count - 1].impulse += push * step;
    }
    for (int i = 1; i < CELLS; i++) {
      us[i] = (F[i] - F[i - 1] + z[i - 1] * u[i - 1] + z[i] * u[i]) / (z[i - 1] + z[i]);
      Fs[i] = F[i - 1] + z[i - 1] * (us[i] - u[i - 1]);
    }
    us[CELLS] = u[CELLS - 1] - F[CELLS - 1] / z[CELLS - 1];
    Fs[CELLS] = 0;
    for (int i = 0; i < CELLS; i++) {
      u[i] = (Fs[i + 1] - Fs[i]) / (2 * z[i]) + (us[i] + us[i + 1]) / 2;
      F[i] = Fs[i] + z[i] * (u[i] - us[i]);
    }
  }
  return count;
}

static double energy_of(const DlsWorld *world) {
  return dls_world_kinetic_energy(world) + dls_world_strain_energy(world);
}

TEST(one_collision_of_a_bar_with_a_waist_is_two_contacts) {
  const double area = 0.1, passage = 10.0 / 30, arrives = 0.5 / fast;
  double z[CELLS];
  Touch known[CONTACTS] = {0}, found[CONTACTS] = {0};
  for (int i = 0; i < CELLS; i++) z[i] = i / PART == 1 ? area * 7.5 : area * 30;
  const int contacts = by_characteristics(z, passage / PART, 2.4, known);
  CHECK_INT(contacts, 2);
  /* the first is that of the foot alone, in closed form */
  CHECK_NEAR(known[0].end, 2 * passage, 1e-9);
  CHECK_NEAR(known[0].impulse, area * 30 * fast * 2 * passage, 1e-9);

  TestDeck deck;
  test_deck_open(&deck, "double-bounce.yaml", (const char *const[]){NULL});
  const DlsWorld *world = deck.simulation->world;
  const double h = deck.simulation->settings.h, start = energy_of(world);
  int count = 0;
  while (deck.simulation->state.time < 2.45 - h / 2) {
    const double before = world->velocity[0][1], t = deck.simulation->state.time - arrives;
    CHECK_OK(dls_scene_step(deck.scene));
    const double push = (world->velocity[0][1] - before) * world->mass[0] / h;
    if (!(push > 0.1 * area * 30 * fast)) continue;
    if (count == 0 || t > found[count - 1].end + 4 * h) {
      CHECK(count < CONTACTS);
      found[count++] = (Touch){.begin = t};
    }
    found[count - 1].end = t + h;
    found[count - 1].impulse += push * h;
  }
  CHECK_INT(count, contacts);
  for (int k = 0; k < count; k++) {
    const double part = (k + 1) * 0.01, lasts = known[k].end - known[k].begin;
    if (getenv("SHOW"))
      printf("%.4f to %.4f s, %.4f N s; by characteristics %.4f to %.4f s, %.4f N s\n",
             found[k].begin, found[k].end, found[k].impulse, known[k].begin, known[k].end,
             known[k].impulse);
    CHECK_NEAR(found[k].begin, known[k].begin, 2 * part * lasts);
    CHECK_NEAR(found[k].end, known[k].end, 2 * part * lasts);
    CHECK_NEAR(found[k].impulse, known[k].impulse, part * known[k].impulse);
  }
  if (getenv("SHOW")) printf("energy %.5f\n", energy_of(world) / start);
  CHECK_NEAR(energy_of(world), start, 1e-3 * start);
  test_deck_close(&deck);
}
