/* What may be scaled (Moreau 2001, sec. 3.1, asks for rules for oversized grains). Rigid grains
 * with dry friction under gravity know no length, time or stiffness of their own: a model s times
 * as large does the same in sqrt(s) times the time, with sqrt(s) times the speeds and s times the
 * stresses. For s = 4 all factors are powers of two, which round nothing: the run of the large
 * model is that of the small one to the last bit, unless the program has a length or time hidden
 * in it. */
#include "tests/decks.h"

TEST(a_model_four_times_as_large_does_the_same_in_twice_the_time) {
  static const char *const small[] = {"sources[0].limit=200", NULL};
  static const char *const large[] = {"sources[0].limit=200",
                                      "sources[0].rate=200",
                                      "sources[0].sizes={kind: uniform, min: 16 mm, max: 32 mm}",
                                      "sources[0].region={low: [-1.2, 1], high: [1.2, 1.4]}",
                                      "boundaries.left.position=[-1.2, 0]",
                                      "boundaries.right.position=[1.2, 0]",
                                      "time.step=6 ms",
                                      "time.end=4 s",
                                      NULL};
  TestDeck one, four;
  test_deck_open(&one, "disk-rain.yaml", small);
  test_deck_open(&four, "disk-rain.yaml", large);
  test_deck_run(&one, 1.2);
  test_deck_run(&four, 2.4);
  test_deck_take(&one);
  test_deck_take(&four);
  const DlsPacking *g = &one.packing, *s = &four.packing;
  int apart = 0;
  CHECK_INT(g->grains, 200);
  CHECK_INT(s->grains, g->grains);
  CHECK_INT(s->contacts, g->contacts);
  CHECK(g->contacts > 200);
  for (int i = 0; i < g->grains && i < s->grains; i++)
    for (int k = 0; k < 2; k++)
      apart += s->position[i][k] != 4 * g->position[i][k] ||
               s->velocity[i][k] != 2 * g->velocity[i][k] || s->radius[i] != 4 * g->radius[i];
  for (int c = 0; c < g->contacts && c < s->contacts; c++) /* N a metre: areas times gravity */
    apart += s->candidate[c] != g->candidate[c] || s->normal_force[c] != 16 * g->normal_force[c];
  CHECK_INT(apart, 0);
  test_deck_close(&one);
  test_deck_close(&four);
}
