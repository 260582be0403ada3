/* Pressed surfaces: what a solver leaves of u_N, of the size of its tolerance, adds up from step to
 * step, and sinks bodies into each other in proportion to time (before, by 35 um in 0.1 s in this
 * scene). `moreau` bounds it by the way that the fastest would go in a step without contacts, and
 * `euler` by what its tolerance leaves of that. */
#include "step/step_impl.h"
#include "tests/decks.h"

#include <math.h>

/* input/press.yaml for longer, by a loose tolerance. The depth, and V h, at two moments. */
static void press(const char *scheme, const char *tolerance, double depth[2], double *way) {
  TestDeck deck;
  test_deck_open(&deck, "press.yaml", (const char *[]){scheme, tolerance, "time.end=1", NULL});
  for (int k = 0; k < 2; k++) {
    test_deck_run(&deck, 0.06 * (k + 1));
    depth[k] = deck.simulation->last.report.penetration;
  }
  const DlsSimulation *s = deck.simulation;
  *way = s->settings.h * dls_deformables_fastest(s->world, s->last.free_velocity);
  if (getenv("SHOW"))
    printf("%s, %s: %.3g and %.3g m deep; %.3g m a step\n", scheme, tolerance, depth[0], depth[1],
           *way);
  CHECK_NEAR(s->state.ledger.strain, 1e8 * 0.91 / 2e6 * 1.6e-3, 1e-2 * 0.0728);
  test_deck_close(&deck);
}

TEST(pressed_surfaces_sink_no_deeper_than_a_step) {
  double depth[2], way;
  press("time.theta=0.5", "solver.tolerance=1e-3", depth, &way);
  CHECK(depth[0] > 0.5 * way); /* the tolerance is loose enough to get there */
  CHECK(depth[1] < 1.5 * way);
  press("time={scheme: euler, step: 50 us}", "solver.tolerance=1e-3", depth, &way);
  CHECK(depth[1] < 1.5 * 100 * 1e-3 * way);
}
