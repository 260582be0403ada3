/* Every solver runs every law: the product of the lists as they are when the test runs, on small
 * packings in 2-D and 3-D. Canonical laws: each solver converges to the same tolerance, and all
 * agree in the velocities. Custom laws: a solver converges, or refuses with a sentence that names
 * the law and the callback it misses. */
#include "tests/simulating.h"
#include "tests/solving.h"

#include <stdio.h>

/* Three balls on a floor and one on them; disks in 2-D. Some move, so that contacts slide, roll,
 * stick and open. Light, so that capillary forces count; as large as a unit, so that velocities and
 * spins, impulses and torques have numbers of like size and one tolerance means the same to all. */
static void pack(TestScene *scene, int dim, const char *laws) {
  const double R = 0.5, mass = 0.02, root3 = sqrt(3);
  test_scene_open(scene, dim, &dls_scheme_moreau, 1e-3, laws);
  test_scene_boundary(scene, 0);
  if (dim == 2) {
    for (int k = 0; k < 3; k++) test_scene_sphere(scene, R, 2 * k * R, R, 0);
    test_scene_sphere(scene, R, R, (1 + root3) * R, 0);
    scene->world->velocity[3][5] = 0.3;
  } else {
    for (int k = 0; k < 2; k++) test_scene_sphere(scene, R, 2 * k * R, 0, R);
    test_scene_sphere(scene, R, R, root3 * R, R);
    test_scene_sphere(scene, R, R, R / root3, R * (1 + sqrt(8.0 / 3)));
    scene->world->velocity[3][3] = 0.2;
    scene->world->velocity[3][5] = 0.3;
  }
  for (int b = 0; b < 4; b++) {
    for (int k = 0; k < 3; k++) scene->world->inertia[b][k] *= mass / scene->world->mass[b];
    scene->world->mass[b] = mass;
  }
  scene->world->velocity[0][0] = -0.01;
  scene->world->velocity[2][0] = 0.02;
  scene->simulation->settings.limits.tolerance = 1e-10;
  scene->simulation->settings.limits.max_iterations = 100000;
}

/* u of the solution, owned by the caller; NULL where a custom law is refused. */
static double *solve_by(const DlsSolver *solver, const DlsProblem *problem, const char *what,
                        const char *custom) {
  const double tolerance = 1e-9;
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  const DlsLimits limits = {
      .tolerance = tolerance, .max_time = 60, .clock = DLS_CLOCK_CPU, .max_iterations = 1000000};
  double *r = calloc(n, sizeof *r), *u = calloc(n, sizeof *u);
  DlsReport report = {0};
  DlsErrors errors = {0};
  const DlsStatus status = dls_solve(solver, problem, NULL, &limits, NULL, r, u, &report);
  if (status != DLS_OK && custom) {
    const char *sentence = dls_error_message();
    if (!test_contains(sentence, custom) ||
        !(test_contains(sentence, "project") || test_contains(sentence, "solve") ||
          test_contains(sentence, "residual")))
      test_fail(__FILE__, __LINE__, "%s, %s: refused with \"%s\"", what, solver->name, sentence);
    free(u);
    u = NULL;
  } else if (status != DLS_OK || report.outcome != DLS_CONVERGED) {
    test_fail(__FILE__, __LINE__, "%s, %s: %s after %ld, error %.2e", what, solver->name,
              status != DLS_OK ? dls_error_message() : dls_outcome_text(report.outcome),
              report.iterations, report.error);
  } else {
    CHECK_OK(dls_errors_measure(problem, r, NULL, &errors));
    CHECK_BELOW(errors.natural, 1.01 * tolerance);
  }
  free(r);
  return u;
}

/* All solvers on one problem; `custom` is the name of a law without a canonical relation, or
 * NULL. */
static void check_product(const DlsProblem *problem, const char *what, const char *custom) {
  const size_t n = (size_t)dls_problem_contacts(problem) * (size_t)dls_problem_block(problem);
  double *first = NULL;
  FOR_EACH_SOLVER (solver) {
    double *u = solve_by(solver, problem, what, custom);
    if (u && !first) {
      first = u;
      continue;
    }
    if (u && test_apart(n, u, first) > 1e-6 * (1 + test_size(n, first)))
      test_fail(__FILE__, __LINE__, "%s: %s differs in the velocities by %.2e", what, solver->name,
                test_apart(n, u, first));
    free(u);
  }
  CHECK(first != NULL); /* at least one solver takes it */
  free(first);
}

static void check_law(const char *laws, int dim) {
  TestScene scene;
  char what[160];
  snprintf(what, sizeof what, "%s in %d-D", laws, dim);
  pack(&scene, dim, laws);
  /* Joints in proportion to balls so light: h² k A near their mass. Springs far stiffer than that,
   * more of them than the bodies have freedom, are what no first-order solver likes. */
  if (strcmp(laws, "mortar") == 0) test_scene_set(&scene, 0, "area", 1e-5);
  /* mu(v) as steep as a / v_min: 10 s/m here, 1e7 at the default, is what they like no better. */
  if (strcmp(laws, "rate-and-state") == 0) test_scene_set(&scene, 0, "v_min", 1e-3);
  test_scene_run(&scene, 3);
  const DlsProblem *problem = dls_simulation_problem(scene.simulation);
  const bool custom = dls_problem_has(problem, DLS_CONE_CUSTOM);
  CHECK(dls_problem_contacts(problem) >= 3);
  check_product(problem, what, custom ? scene.law[0]->name : NULL);
  test_scene_close(&scene);
}

TEST(every_solver_runs_every_law) {
  const DlsLaw *const *laws = NULL;
  int count = 0;
  char names[64][40];
  CHECK_OK(dls_law_list(&laws, &count));
  CHECK(count >= 8 && count <= DLS_COUNT(names));
  int kept = 0;
  for (int k = 0; k < count && k < DLS_COUNT(names); k++)
    if (laws[k]->prepare || laws[k]->residual) /* others are for the explicit scheme */
      snprintf(names[kept++], sizeof names[0], "%s", laws[k]->name);
  for (int k = 0; k < kept; k++)
    for (int dim = 2; dim <= 3; dim++) check_law(names[k], dim);
}

TEST(every_solver_runs_laws_that_act_together) {
  const char *const lists[] = {"coulomb rolling", "coulomb capillary", "rolling cohesive",
                               "coulomb rolling capillary", "coulomb rolling cohesive"};
  for (int k = 0; k < DLS_COUNT(lists); k++)
    for (int dim = 2; dim <= 3; dim++) check_law(lists[k], dim);
}
