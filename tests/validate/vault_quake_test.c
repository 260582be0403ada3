/* A vault in an earthquake (Brendel, Unger and Wolf 2004, sec. 1.1): input/vault-quake.yaml. Its
 * arch bears a steady share of its weight sideways, which a linear program of forces at the joints
 * gives (Livesley 1978). Ground that never accelerates by more leaves a line of thrust within the
 * stones at every moment: the vault stands. Ground that does so several times over, for half a
 * second each way, brings it down. */
#include "tests/decks.h"
#include "tests/masonry.h"

#include <math.h>

typedef struct {
  double moved,
      lowest; /* m: farthest from where it was; highest stone of the end over that before */
} Vault;

static Vault shake(double peak) {
  TestDeck deck;
  char scale[60];
  Vault out = {0};
  snprintf(scale, sizeof scale, "ground.scale=%.9g", peak);
  const char *const sets[] = {scale, "time.step=4 ms", "solver.tolerance=1e-4", NULL};
  test_deck_open(&deck, "vault-quake.yaml", sets);
  test_deck_run(&deck, 0.1);
  const DlsWorld *world = deck.simulation->world;
  double(*at)[3] = calloc((size_t)world->count, sizeof *at), top = 0, end = 0;
  CHECK(at != NULL);
  for (int b = 0; b < world->count; b++) {
    memcpy(at[b], world->position[b], sizeof *at);
    top = fmax(top, at[b][2]);
  }
  /* The ground is where it was from 2.1 s on. A vault that is down is not looked at any longer. */
  for (double t = 0.2; t < 2.45 && !(end > 0 && end < 0.8 * top); t += 0.1) {
    test_deck_run(&deck, t);
    end = 0;
    for (int b = 0; b < world->count; b++) end = fmax(end, world->position[b][2]);
  }
  for (int b = 0; b < world->count; b++) {
    double way = 0;
    for (int k = 0; k < 3; k++) way = hypot(way, world->position[b][k] - at[b][k]);
    out.moved = fmax(out.moved, way);
  }
  out.lowest = end / top;
  if (getenv("SHOW"))
    printf("peak %.2f m/s2: moved by %.4f m, top at %.3f of its height\n", peak, out.moved,
           out.lowest);
  free(at);
  test_deck_close(&deck);
  return out;
}

TEST(a_vault_stands_below_the_multiplier_of_the_program_and_falls_far_above) {
  static Masonry arch;
  double share = 0;
  masonry_arch(&arch, 15, 0.2);
  CHECK(masonry_stands(&arch, 0.7, &share));
  if (getenv("SHOW")) printf("the program: %.4f of the weight sideways\n", share);
  const Vault stands = shake(0.95 * share * 9.81), falls = shake(4 * share * 9.81);
  CHECK_BELOW(stands.moved, 0.01 * 0.4); /* of the thickness */
  CHECK(stands.lowest > 0.999);
  CHECK(falls.moved > 0.4);
  CHECK(falls.lowest < 0.8);
}
