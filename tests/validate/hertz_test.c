/* input/hertz-cylinder.yaml, quasi-static, by mortar: half width and largest pressure of the
 * ellipse nearest to the contact pressures, without friction and with mu = 0.1. The table against
 * the mesh is made by hertz.py. */
#include "tests/decks.h"

#include <math.h>

static const double a_known = 6.2146e-3, p0_known = 3585.4e6; /* m, Pa: half-spaces */

/* p^2 = p0^2 - (p0/a)^2 x^2 by least squares over contacts with half of the largest and more. */
static void fit(const DlsSimulation *s, double *a, double *p0) {
  const DlsAssembly *assembly = &s->last.assembly;
  double sum[5] = {0}, most = 0;
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < assembly->step.count; i++) {
      const int c = assembly->step.in_set[i];
      const double p = assembly->solve.r[(size_t)i * (size_t)assembly->run.block] /
                       (s->last.report.h * s->last.contacts.area[c]);
      const double x = s->last.contacts.point[c][0] / a_known, y = p * p;
      const double term[5] = {1, x * x, x * x * x * x, y, x * x * y};
      if (pass == 0) most = fmax(most, p);
      for (int k = 0; pass == 1 && p > 0.5 * most && x > 1e-6 && k < 5; k++) sum[k] += term[k];
    }
  const double det = sum[0] * sum[2] - sum[1] * sum[1];
  const double c0 = (sum[3] * sum[2] - sum[1] * sum[4]) / det;
  const double c1 = (sum[0] * sum[4] - sum[1] * sum[3]) / det;
  *p0 = sqrt(c0), *a = a_known * sqrt(-c0 / c1);
}

/* m: of the node of body 0, the block, that was at (0, 0). */
static double foot(const TestDeck *deck) {
  const DlsWorld *world = deck->simulation->world;
  double best = INFINITY, lowest = 0;
  for (int e = world->first[0]; e < world->first[1]; e++) {
    const double x = world->position[0][0] + world->element[e].offset[0];
    const double y = world->position[0][1] + world->element[e].offset[1];
    if (fabs(x) < best) best = fabs(x), lowest = y;
  }
  return lowest;
}

static void press(const char *mu, double *a, double *p0, double *u) {
  TestDeck deck;
  test_deck_open(&deck, "hertz-cylinder.yaml", (const char *[]){mu, NULL});
  test_deck_run(&deck, 1.3);
  fit(deck.simulation, a, p0);
  *u = foot(&deck);
  CHECK_INT(deck.simulation->state.unconverged, 0);
  if (getenv("SHOW"))
    printf("%s: a %.4f mm, p0 %.1f MPa, u_y %.5f mm\n", mu, 1e3 * *a, 1e-6 * *p0, 1e3 * *u);
  test_deck_close(&deck);
}

TEST(a_cylinder_presses_a_block_as_hertz_says) {
  double a, p0, u;
  press("laws[0].parameters.mu=0", &a, &p0, &u);
  CHECK_NEAR(a, a_known, 0.02 * a_known);
  CHECK_NEAR(p0, p0_known, 0.02 * p0_known);
}

/* MARC, in the benchmark: u_y = -1.30264 mm, sigma_yy = -3542.7 MPa at the foot. */
TEST(with_friction_it_sinks_as_in_the_benchmark) {
  double a, p0, u;
  press("laws[0].parameters.mu=0.1", &a, &p0, &u);
  CHECK_NEAR(u, -1.30264e-3, 0.02 * 1.30264e-3);
}
