/* input/punch.yaml as a quasi-static step: under a flat rigid punch p = P / (pi sqrt(a^2 - x^2)),
 * of a half-space, whose edges one cell blunts. */
#include "tests/decks.h"

#include <math.h>

TEST(a_flat_punch_presses_as_on_a_half_space) {
  const double a = 0.01, P = 1000;
  TestDeck deck;
  test_deck_open(
      &deck, "punch.yaml",
      (const char *[]){"time={scheme: static, step: 0.25, end: 2.5}", "solver.tolerance=1e-8",
                       "bodies[0].deformable.mesh.cells=[160, 40]", "bodies[1].mass=1000", NULL});
  test_deck_run(&deck, 2.5);
  const DlsSimulation *s = deck.simulation;
  const DlsAssembly *assembly = &s->last.assembly;
  double sum = 0;
  int inside = 0;
  for (int i = 0; i < assembly->step.count; i++) {
    const int c = assembly->step.in_set[i];
    const double force = assembly->solve.r[(size_t)i * (size_t)assembly->run.block] / s->settings.h;
    const double x = s->last.contacts.point[c][0], p = force / s->last.contacts.area[c];
    sum += force * fabs(s->last.contacts.frame[c][1]); /* normals at the edges are oblique */
    if (fabs(x) > 0.6 * a) continue;
    const double known = P / (acos(-1) * sqrt(a * a - x * x));
    if (getenv("SHOW")) printf("x %.3f mm: %.1f kPa, %.1f kPa\n", 1e3 * x, 1e-3 * p, 1e-3 * known);
    CHECK_NEAR(p, known, 0.05 * known);
    inside++;
  }
  CHECK_NEAR(sum, P, 1e-3 * P);
  CHECK(inside >= 15);
  CHECK_INT(s->state.unconverged, 0);
  test_deck_close(&deck);
}
