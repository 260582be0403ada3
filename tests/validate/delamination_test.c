/* input/delamination.yaml in short form: load against opening of a double cantilever beam whose
 * crack runs, beside beam theory with shear. With I = b h^3/12 and mu = E/(2 (1 + nu)), a crack of
 * length a has the compliance and the load
 *
 *   C = 2 a^3/(3 E I) + 12 a/(5 mu b h),   P^2 (a^2/(E I) + 6/(5 mu b h)) = G b
 *
 * by G b = P^2/2 dC/da. Opening P C and load P with a taken out are one curve, on which how far the
 * beams turn at the tip has no part: it makes the crack seem longer, and a is not in the curve.
 *
 * The bound, 5 %: what is missing of bending in 3 and 4 cells through the thickness (4 and 2 % of
 * E I, of whose fourth root the load is: 1 %), damping (0.5 %), the step (1 %), and the length of
 * the cohesive zone, 8 mm beside a crack of 45 mm (3 %, as its square). */
#include "tests/decks.h"

#include <math.h>

static const double E = 10e9, nu = 0.3, h = 5e-3, G = 100;
static const double rise = 5e-3, speed = 0.06; /* s, m/s: of the deck, both ends */

static double opening(double t) {
  return t < rise ? speed * t * t / (2 * rise) : speed * (t - rise / 2);
}

/* N per metre of depth. */
static double theory(double wanted) {
  const double I = h * h * h / 12, mu = E / (2 * (1 + nu));
  double low = 1e-3, high = 1, P = 0;
  for (int n = 0; n < 60; n++) {
    const double a = (low + high) / 2;
    P = sqrt(G / (a * a / (E * I) + 1.2 / (mu * h)));
    const double C = 2 * a * a * a / (3 * E * I) + 2.4 * a / (mu * h);
    if (P * C < wanted) low = a;
    if (P * C >= wanted) high = a;
  }
  return P;
}

TEST(the_crack_runs_as_beam_theory_says) {
  static const char *const sets[] = {"time.step=0.1 ms", NULL};
  TestDeck test;
  double work = 0, from = 0, most = 0;
  int compared = 0;
  test_deck_open(&test, "delamination.yaml", sets);
  for (double t = 2e-3; t < 41e-3; t += 2e-3) {
    test_deck_run(&test, t);
    CHECK_INT(test.simulation->last.report.solver.outcome, DLS_CONVERGED);
    const double to = opening(test.simulation->state.time);
    const double done = test.simulation->state.ledger.force; /* of the ends that are driven */
    const double P = (done - work) / (to - from), wanted = theory((to + from) / 2);
    if (getenv("SHOW")) printf("%.3f mm: %.1f N, %.1f\n", 500 * (to + from), P, wanted);
    if (from > 1.5e-3) { /* m: the crack runs, at first 46 mm long */
      CHECK_NEAR(P / wanted, 1, 0.05);
      compared++;
    }
    most = fmax(most, P);
    work = done, from = to;
  }
  CHECK(compared > 5);
  CHECK(most < sqrt(G * E * h * h * h / 12) / 40e-3); /* a crack of 40 mm with stiff roots */
  /* The ends together with the glue account for all work. */
  CHECK_NEAR(test.simulation->state.ledger.balance, 0, 1e-9 * work);
  test_deck_close(&test);
}
