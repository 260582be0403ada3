/* A small island is not lost beside a large one: the norms by which a solve is judged are those of
 * the whole, and a ball of a gram is nothing beside one of a thousand tons. Each island must be
 * right by its own numbers too. */
#include "tests/simulating.h"
#include "tests/solving.h"

#include <delassus/errors.h>

static const double h = 1e-3; /* s */

/* Two balls on a floor, apart: the heavy one at rest, the light one falls from a height. Returns
 * where the light one is after half a second, in its radii. */
static double drop_beside(const char *solver, const DlsScheme *scheme, DlsMeasure measure,
                          double tolerance) {
  const double radius = 0.01, heavy = 1e6, light = 1e-3;
  TestScene scene;
  test_scene_open(&scene, 3, scheme, h, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.3);
  test_scene_boundary(&scene, 0);
  DlsSimulation *s = scene.simulation;
  CHECK_OK(dls_solver_find(solver, &s->settings.solver));
  s->settings.limits.tolerance = tolerance;
  s->settings.limits.measure = measure;
  const int large = test_scene_sphere(&scene, 10 * radius, 0, 0, 10 * radius);
  const int small = test_scene_sphere(&scene, radius, 1, 0, 6 * radius);
  DlsWorld *world = scene.world;
  const double to_large = heavy / world->mass[large], to_small = light / world->mass[small];
  world->mass[large] *= to_large;
  world->mass[small] *= to_small;
  for (int k = 0; k < 3; k++) {
    world->inertia[large][k] *= to_large;
    world->inertia[small][k] *= to_small;
  }
  test_scene_run(&scene, 500);
  CHECK_INT(s->last.report.solver.outcome, DLS_CONVERGED);
  const double height = world->position[small][2] / radius;
  test_scene_close(&scene);
  return height;
}

/* Less than what one step of the fall, at 1 m/s, takes it into the floor. */
TEST(a_light_ball_does_not_fall_through_the_floor_beside_a_heavy_one) {
  static const char *const solvers[] = {"auto", "nsgs", "momentum", "proximal", "jacobi", "apgd"};
  static const double tolerances[] = {1e-2, 1e-4, 1e-6};
  for (int k = 0; k < DLS_COUNT(solvers); k++)
    for (int t = 0; t < DLS_COUNT(tolerances); t++)
      for (int way = 0; way < 4; way++) {
        const double height =
            drop_beside(solvers[k], way % 2 ? &dls_scheme_euler : &dls_scheme_moreau,
                        way / 2 ? DLS_MEASURE_SCALED : DLS_MEASURE_NATURAL, tolerances[t]);
        if (!(height > 0.85))
          test_fail(__FILE__, __LINE__, "%s at %g, way %d: the light ball is at %g radii",
                    solvers[k], tolerances[t], way, height);
      }
}

/* 1e6 kg and 1 kg that fall on the ground apart, at 1e-2 and 1e-3 m/s: the guess that is right for
 * the first alone. */
TEST(a_guess_that_is_right_for_the_large_island_alone_is_no_answer) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  const DlsRelation relations[2] = {relation, relation};
  const double W[16] = {[0] = 1e-6, [5] = 1e-6, [10] = 1, [15] = 1}, q[4] = {-1e-2, 0, -1e-3, 0};
  DlsProblem *problem = test_dense_problem(2, 2, 2, W, q, relations);
  FOR_EACH_SOLVER (solver) {
    const DlsLimits limits = {.tolerance = 1e-4, .max_iterations = 100000};
    double r[4] = {1e4, 0, 0, 0};
    DlsErrors errors;
    DlsReport report;
    CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1e-6); /* the whole is right */
    CHECK_OK(dls_solve(solver, problem, NULL, &limits, NULL, r, NULL, &report));
    if (report.outcome == DLS_CONVERGED) CHECK_NEAR(r[2], 1e-3, 2e-6);
    if (strcmp(solver->name, "auto") == 0) CHECK_INT(report.outcome, DLS_CONVERGED);
  }
  dls_problem_destroy(&problem);
}

/* What is round-off beside the rest asks for nothing. */
TEST(an_island_at_rest_to_round_off_is_left_alone) {
  const DlsRelation relation = {.cone = DLS_CONE_COULOMB, .mu = {0.5, 0.5}};
  const DlsRelation relations[2] = {relation, relation};
  const double W[16] = {[0] = 1, [5] = 1, [10] = 1, [15] = 1}, q[4] = {-1, 0, -1e-17, 1e-18};
  double r[4] = {1, 0, 0, 0}, u[4] = {0, 0, -1e-17, 1e-18}, worst;
  DlsProblem *problem = test_dense_problem(2, 2, 2, W, q, relations);
  CHECK_OK(dls_errors_worst_island(problem, r, u, 1e-3, &worst));
  CHECK_NEAR(worst, 0, 0);
  r[0] = 0;
  u[0] = -1;
  CHECK_OK(dls_errors_worst_island(problem, r, u, 1e-3, &worst));
  CHECK_NEAR(worst, 1, 1e-12);
  dls_problem_destroy(&problem);
}
