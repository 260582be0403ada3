/* Overlaps at rest under euler do not grow with time: what the solver's tolerance lets sink in a
 * step is pushed back in later ones, down to a hundred times tolerance x speed x h, the speed at
 * rest being g h; no energy comes of it. */
#include "tests/decks.h"
#include "tests/simulating.h"

static const double h = 1e-3; /* s */
static const double few =
    3; /* times what is left as it is: no step adds more than a part of that */

/* m: what is left as it is, at rest. */
static double slack(double tolerance) { return 100 * tolerance * test_g * h * h; }

static void open_rest(TestScene *scene, const char *solver, double tolerance) {
  test_scene_open(scene, 3, &dls_scheme_euler, h, "coulomb");
  test_scene_set(scene, 0, "mu", 0.5);
  test_scene_boundary(scene, 0);
  CHECK_OK(dls_solver_find(solver, &scene->simulation->settings.solver));
  scene->simulation->settings.limits.tolerance = tolerance;
}

/* What balance promises for a constant gravity (simulation.h); J. */
static double total(const DlsLedger *ledger) {
  return ledger->kinetic + ledger->potential + ledger->stored + ledger->dissipated +
         ledger->scheme - ledger->force - ledger->boundary;
}

/* A column of ten: sweeps end while it still sinks, and each step adds to what the last one
 * left. */
TEST(a_column_at_rest_sinks_no_deeper_with_time) {
  static const char *const solvers[] = {"auto", "nsgs", "momentum", "proximal"};
  static const double tolerances[] = {1e-3, 1e-4, 1e-6};
  static const double times[] = {0.05, 0.4, 1.6};
  const double radius = 0.01;
  for (int k = 0; k < DLS_COUNT(solvers); k++)
    for (int t = 0; t < DLS_COUNT(tolerances); t++) {
      TestScene scene;
      open_rest(&scene, solvers[k], tolerances[t]);
      for (int b = 0; b < 10; b++) test_scene_sphere(&scene, radius, 0, 0, (2 * b + 1) * radius);
      const DlsSimulation *s = scene.simulation;
      test_scene_run(&scene, 1);
      const double start = total(&s->state.ledger);
      for (int w = 0; w < DLS_COUNT(times); w++) {
        test_scene_run(&scene, lround(times[w] / h) - s->state.step);
        if (s->last.report.penetration > few * slack(tolerances[t]))
          test_fail(__FILE__, __LINE__,
                    "%s at %g: %.2e m deep after %g s, %.2e m are left as they are", solvers[k],
                    tolerances[t], s->last.report.penetration, times[w], slack(tolerances[t]));
      }
      CHECK_NEAR(total(&s->state.ledger), start, 1e-12 * fabs(s->state.ledger.potential));
      const double push =
          0.01 * test_g * h; /* m/s at each contact, so that body b gets b times that */
      CHECK_BELOW(s->state.ledger.kinetic, 0.5 * s->world->mass[0] * 385 * push * push);
      test_scene_close(&scene);
    }
}

/* A hundred grains that have settled in a box, frictional: before overlaps were pushed back they
 * were 0.29, 0.32 and 0.44 um deep at these times with auto at 1e-4, and went on. */
TEST(a_deposit_at_rest_sinks_no_deeper_with_time) {
  static const char *const names[] = {"solver.name=auto", "solver.name=nsgs"};
  static const double tolerances[] = {1e-3, 1e-4};
  for (int k = 0; k < DLS_COUNT(names); k++)
    for (int t = 0; t < DLS_COUNT(tolerances); t++) {
      char set[64];
      TestDeck test;
      snprintf(set, sizeof set, "solver.tolerance=%g", tolerances[t]);
      const char *const sets[] = {"grains[0].count=40",
                                  "time.scheme=euler",
                                  "drag=20",
                                  "solver.max_iterations=20000",
                                  names[k],
                                  set,
                                  NULL};
      test_deck_open(&test, "deposit.yaml", sets);
      static const double later[] = {0.8, 1.2, 1.6};
      for (int w = 0; w < DLS_COUNT(later); w++) {
        test_deck_run(&test, later[w]);
        if (test.simulation->last.report.penetration > few * slack(tolerances[t]))
          test_fail(__FILE__, __LINE__,
                    "%s at %g: %.2e m deep after %g s, %.2e m are left as they are", names[k],
                    tolerances[t], test.simulation->last.report.penetration, later[w],
                    slack(tolerances[t]));
      }
      test_deck_close(&test);
    }
}

/* Bodies laid into each other come apart at a hundredth of the speed that a step's load gives, and
 * no faster. */
TEST(overlaps_at_the_start_come_apart_without_a_jump) {
  const double radius = 0.01, overlap = 5e-7, tolerance = 1e-6;
  TestScene scene;
  open_rest(&scene, "auto", tolerance);
  const int low = test_scene_sphere(&scene, radius, 0, 0, radius - overlap);
  const int high = test_scene_sphere(&scene, radius, 0, 0, 3 * radius - 2 * overlap);
  const DlsSimulation *s = scene.simulation;
  const double most = 0.01 * test_g * h; /* m/s, of each contact */
  for (int k = 0; k < 200; k++) {
    test_scene_run(&scene, 1);
    CHECK_BELOW(fabs(s->world->velocity[low][2]), 1.01 * most);
    CHECK_BELOW(fabs(s->world->velocity[high][2]), 2.02 * most);
  }
  CHECK_BELOW(s->last.report.penetration, 2 * slack(tolerance));
  CHECK_BELOW(overlap / 2, s->world->position[low][2] - (radius - overlap));
  test_scene_close(&scene);
}

/* Without loads there is no speed to be a hundredth of: nothing moves. */
TEST(overlaps_without_a_load_stay) {
  TestScene scene;
  open_rest(&scene, "auto", 1e-6);
  memset(scene.gravity, 0, sizeof scene.gravity);
  const int body = test_scene_sphere(&scene, 0.01, 0, 0, 0.01 - 1e-6);
  test_scene_run(&scene, 100);
  CHECK_NEAR(scene.world->position[body][2], 0.01 - 1e-6, 0);
  test_scene_close(&scene);
}
