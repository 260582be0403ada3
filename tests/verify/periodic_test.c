/* A periodic cell in the step: no place of it is another than the rest, momentum and energy are
 * kept, and copies move as the deformation of the cell says. */
#include "tests/simulating.h"

#include "base/random.h"
#include "world/rotation.h"

#include <float.h>
#include <stdlib.h>

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* Balls, and some pairs of balls, that fly about in a cell of side 1 m, and collide. */
static void open_gas(TestScene *scene, int dim, const DlsScheme *scheme, int count, double radius,
                     const char *law) {
  DlsRandom random;
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  const DlsElement two[2] = {{{-0.7 * radius, 0, 0}, radius}, {{0.7 * radius, 0, 0}, radius}};
  test_scene_open(scene, dim, scheme, 2e-3, law);
  memset(scene->gravity, 0, sizeof scene->gravity);
  CHECK_OK(dls_cell_make(dim, dim == 2 ? 3 : 7, low, high, &scene->world->cell));
  dls_random_seed(&random, 17);
  for (int n = 0; n < count; n++) {
    double x[3] = {0};
    bool free = false;
    while (!free) {
      free = true;
      for (int k = 0; k < dim; k++) x[k] = dls_random_unit(&random);
      for (int b = 0; b < scene->world->count; b++) {
        double shift[6], d[3];
        dls_cell_nearest(&scene->world->cell, x, scene->world->position[b], shift);
        for (int k = 0; k < 3; k++) d[k] = x[k] - scene->world->position[b][k] - shift[k];
        free &= dls_vector_norm(d) > 3.5 * radius;
      }
    }
    const int b = test_scene_body(scene, n % 3 ? 1 : 2, n % 3 ? &(DlsElement){{0}, radius} : two,
                                  x[0], x[1], x[2]);
    for (int k = 0; k < dim; k++) scene->world->velocity[b][k] = dls_random_normal(&random);
    scene->world->velocity[b][5] = dls_random_normal(&random) / radius;
  }
}

/* Bodies by ids: the gas moved by a vector gives the gas moved by that vector, names of copies
 * aside. The order of contacts changes with the place, so that sums differ in their last digits:
 * ten collisions in a row multiply that by less than 1e4. */
TEST(no_place_of_the_cell_is_another) {
  static const double by[][3] = {{0.5, 0.5, 0.5}, {0.137, -3.21, 7.9}, {1, 0, -1}};
  for (int k = 0; k < DLS_COUNT(schemes); k++)
    for (int dim = 2; dim <= 3; dim++)
      for (int m = 0; m < DLS_COUNT(by); m++) {
        TestScene here, there;
        long touched = 0;
        open_gas(&here, dim, schemes[k], 40, dim == 2 ? 0.03 : 0.06, "coulomb");
        open_gas(&there, dim, schemes[k], 40, dim == 2 ? 0.03 : 0.06, "coulomb");
        test_scene_set(&here, 0, "mu", 0.4);
        test_scene_set(&there, 0, "mu", 0.4);
        for (int b = 0; b < there.world->count; b++)
          for (int i = 0; i < dim; i++) there.world->position[b][i] += by[m][i];
        for (int step = 0; step < 120; step++) {
          test_scene_run(&here, 1);
          test_scene_run(&there, 1);
          CHECK_INT(here.simulation->last.report.active, there.simulation->last.report.active);
          touched += here.simulation->last.report.active;
        }
        CHECK(touched > 20);
        for (int b = 0; b < here.world->count; b++) {
          double shift[6], moved[3] = {0};
          for (int i = 0; i < dim; i++) moved[i] = here.world->position[b][i] + by[m][i];
          dls_cell_nearest(&here.world->cell, moved, there.world->position[b], shift);
          for (int i = 0; i < 3; i++)
            CHECK_NEAR(there.world->position[b][i] + shift[i], moved[i], 1e-9);
          for (int i = 0; i < 6; i++)
            CHECK_NEAR(there.world->velocity[b][i], here.world->velocity[b][i],
                       1e-9 * (i < 3 ? 1 : 100));
        }
        test_scene_close(&here);
        test_scene_close(&there);
      }
}

/* In a cell at rest: momentum of the gas, and the ledger, to round-off. Per step and body some ten
 * roundings of numbers of the size of one body's momentum, or energy, of either sign. */
TEST(momentum_and_energy_are_kept) {
  for (int k = 0; k < DLS_COUNT(schemes); k++)
    for (int dim = 2; dim <= 3; dim++) {
      TestScene scene;
      double before[3], after[3];
      const int steps = 300;
      open_gas(&scene, dim, schemes[k], 40, dim == 2 ? 0.03 : 0.06, "coulomb");
      test_scene_set(&scene, 0, "mu", 0.5);
      test_scene_set(&scene, 0, "rho", 0.5);
      dls_world_momentum(scene.world, before);
      const double energy = dls_world_kinetic_energy(scene.world);
      test_scene_run(&scene, steps);
      dls_world_momentum(scene.world, after);
      const double roundings = 64 * DBL_EPSILON * sqrt((double)steps * scene.world->count);
      for (int i = 0; i < 3; i++)
        CHECK_NEAR(after[i], before[i], roundings * sqrt(2 * energy * scene.world->mass[0]) * 4);
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0, roundings * energy);
      CHECK(scene.simulation->state.ledger.dissipated > 0.05 * energy);
      CHECK(scene.simulation->state.ledger.boundary == 0);
      for (int b = 0; b < scene.world->count; b++)
        for (int i = 0; i < dim; i++)
          CHECK(scene.world->position[b][i] > -0.1 && scene.world->position[b][i] < 1.1);
      test_scene_close(&scene);
    }
}

/* A cell that shears and shrinks: the work of its copies is in the ledger, that of naming bodies
 * anew too. */
TEST(the_ledger_closes_while_the_cell_deforms) {
  for (int k = 0; k < DLS_COUNT(schemes); k++)
    for (int dim = 2; dim <= 3; dim++) {
      TestScene scene;
      const int steps = 400;
      const double rate[3][3] = {{-0.2, 0, 0}, {3, -0.1, 0}, {0, 0, dim == 3 ? -0.3 : 0}};
      open_gas(&scene, dim, schemes[k], 40, dim == 2 ? 0.03 : 0.06, "coulomb");
      test_scene_set(&scene, 0, "mu", 0.5);
      dls_simulation_recount(scene.simulation);
      scene.simulation->state.ledger.boundary += dls_world_strain(scene.world, rate);
      test_scene_run(&scene, 1);
      double most = scene.simulation->state.ledger.kinetic;
      for (int n = 1; n < steps; n++) {
        test_scene_run(&scene, 1);
        most = fmax(most, scene.simulation->state.ledger.kinetic);
      }
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
                 64 * DBL_EPSILON * sqrt((double)steps * scene.world->count) * 2 * most);
      CHECK(scene.simulation->state.ledger.boundary > 0.1 * most);
      CHECK_NEAR(scene.world->cell.edge[0][0], 1 - 0.2 * steps * 2e-3, 1e-12);
      CHECK(fabs(scene.world->cell.edge[1][0]) <= 0.5 * scene.world->cell.edge[0][0] + 1e-2);
      test_scene_close(&scene);
    }
}

/* Lees and Edwards: a ball that leaves above comes back below, as much slower along x as the cell
 * shears, and where the copy below is: all its copies go on straight. */
TEST(a_ball_that_crosses_a_sheared_border_flies_straight) {
  TestScene scene;
  const double rate[3][3] = {{0}, {0.7, 0, 0}, {0}}, low[3] = {0, 0, 0}, high[3] = {1, 2, 1};
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-2, "coulomb");
  memset(scene.gravity, 0, sizeof scene.gravity);
  CHECK_OK(dls_cell_make(3, 7, low, high, &scene.world->cell));
  test_scene_sphere(&scene, 0.1, 0.5, 1, 0.5);
  dls_world_strain(scene.world, rate);
  const double v[3] = {0.3, 1.13, -0.4};
  memcpy(scene.world->velocity[0], v, sizeof v);
  const int steps = 1000; /* five crossings above and more: y = 1 + 1.13 t */
  test_scene_run(&scene, steps);
  const double t = steps * 1e-2, y = 1 + 1.13 * t, crossed = floor(y / 2);
  CHECK(crossed >= 5);
  CHECK_NEAR(scene.world->velocity[0][0], 0.3 - crossed * 0.7, 1e-12);
  CHECK_NEAR(scene.world->velocity[0][1], 1.13, 1e-12);
  CHECK_NEAR(scene.world->position[0][1], y - 2 * crossed, 2e-12);
  /* Along x up to whole edges: the copy has come along by the shear of the cell, 0.7 t each. */
  const double x = 0.5 + 0.3 * t - crossed * 0.7 * t;
  CHECK_NEAR(scene.world->position[0][0] - x, rint(scene.world->position[0][0] - x), 1e-11);
  CHECK_NEAR(scene.world->cell.rate[1][0], 0.7, 1e-15);
  CHECK(fabs(scene.world->cell.edge[1][0]) <= 0.5 + 0.01);
  test_scene_close(&scene);
}

/* Two that meet across a sheared border, the one below at rest, the one above too: the copy slips
 * by the jump, gamma' L, and friction gives mu times the normal impulse. */
TEST(contacts_across_a_border_feel_the_jump) {
  TestScene scene;
  const double radius = 0.05, low[3] = {0, 0, 0}, high[3] = {1, 1, 1}, gap = 1e-4;
  const double rate[3][3] = {{0}, {0.5, 0, 0}, {0}};
  test_scene_open(&scene, 3, &dls_scheme_euler, 1e-3, "coulomb");
  test_scene_set(&scene, 0, "mu", 0.1);
  memset(scene.gravity, 0, sizeof scene.gravity);
  CHECK_OK(dls_cell_make(3, 7, low, high, &scene.world->cell));
  test_scene_sphere(&scene, radius, 0.5, radius, 0.5);
  test_scene_sphere(&scene, radius, 0.5, 1 - radius - gap, 0.5);
  memcpy(scene.world->cell.rate, rate, sizeof rate);
  scene.world->velocity[1][1] = 1; /* upwards, into the copy of the one below */
  test_scene_run(&scene, 1);
  const DlsAssembly *a = &scene.simulation->last.assembly;
  CHECK_INT(a->step.count, 1);
  /* Candidate 0 against the copy of 1 that stands below it: v_1 - rate_y there. */
  const double *frame = scene.simulation->last.contacts.frame[0], slip[3] = {0.5, -1, 0};
  CHECK_NEAR(frame[1], 1, 1e-12);
  for (int k = 0; k < 3; k++)
    CHECK_NEAR(a->step.u_before[k], dls_vector_dot(frame + 3 * k, slip), 1e-12);
  const double r = a->solve.r[0], mass = scene.world->mass[0];
  /* 0.1 r is less than what would hold the slip, 0.5 m / 7. 0.5 m (1 - g/h): the bodies end at u_N
   * = -g/h. */
  CHECK_NEAR(r, 0.5 * mass * (1 - gap / 1e-3), 1e-9 * mass);
  CHECK_NEAR(hypot(a->solve.r[1], a->solve.r[2]), 0.1 * r, 1e-9 * mass);
  /* Friction on the ball below pulls it against its slip beside the copy, -x. */
  CHECK_NEAR(scene.world->velocity[0][0], -0.1 * r / mass, 1e-9);
  CHECK_NEAR(scene.world->velocity[1][0], 0.1 * r / mass, 1e-9);
  CHECK_NEAR(scene.world->velocity[0][5], scene.world->velocity[1][5], 1e-9);
  test_scene_close(&scene);
}

/* Rigid grains have no time of their own (Bagnold 1954): sheared twice as fast, with half the step,
 * they go the same ways, and impulses double. Powers of two, and a solver whose measure has no unit
 * of its own, so to the last bit. */
TEST(rigid_grains_sheared_twice_as_fast_go_the_same_ways) {
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    TestScene slow, fast;
    const int steps = 200;
    long touched = 0;
    open_gas(&slow, 2, schemes[k], 40, 0.03, "coulomb");
    open_gas(&fast, 2, schemes[k], 40, 0.03, "coulomb");
    test_scene_set(&slow, 0, "mu", 0.5);
    test_scene_set(&fast, 0, "mu", 0.5);
    fast.simulation->settings.h = 0.5 * slow.simulation->settings.h;
    for (int b = 0; b < fast.world->count; b++)
      for (int i = 0; i < 6; i++) fast.world->velocity[b][i] *= 2;
    dls_world_strain(slow.world, (const double[3][3]){{0}, {2, 0, 0}, {0}});
    dls_world_strain(fast.world, (const double[3][3]){{0}, {4, 0, 0}, {0}});
    for (int step = 0; step < steps; step++) {
      test_scene_run(&slow, 1);
      test_scene_run(&fast, 1);
      const DlsAssembly *a = &slow.simulation->last.assembly, *b = &fast.simulation->last.assembly;
      CHECK_INT(a->step.count, b->step.count);
      for (int e = 0; e < a->step.count * a->run.block && a->step.count == b->step.count; e++)
        CHECK(b->solve.r[e] == 2 * a->solve.r[e]);
      touched += slow.simulation->last.report.active;
    }
    CHECK(touched > 50);
    for (int b = 0; b < slow.world->count; b++) {
      CHECK(memcmp(slow.world->position[b], fast.world->position[b], 24) == 0);
      for (int i = 0; i < 6; i++)
        CHECK(fast.world->velocity[b][i] == 2 * slow.world->velocity[b][i]);
    }
    test_scene_close(&slow);
    test_scene_close(&fast);
  }
}

/* Edges that are driven: three balls in a row that closes on itself, an edge of mass M drawn in by
 * F. It shrinks by F t² / 2 M until the row is closed; then every contact bears F, across the
 * border and within, and nothing moves. The work of F is what the bodies got and what contacts
 * took. */
TEST(an_edge_that_is_driven_presses_a_row_with_its_force) {
  for (int k = 0; k < DLS_COUNT(schemes); k++)
    for (int dim = 2; dim <= 3; dim++) {
      TestScene scene;
      const double h = 1e-3, radius = 0.1, low[3] = {0, 0, 0}, high[3] = {0.61, 1, 1};
      const double F = 3, M = 5;
      test_scene_open(&scene, dim, schemes[k], h, "coulomb");
      memset(scene.gravity, 0, sizeof scene.gravity);
      scene.simulation->settings.limits.tolerance = 1e-12;
      CHECK_OK(dls_cell_make(dim, 1, low, high, &scene.world->cell));
      for (int b = 0; b < 3; b++)
        test_scene_sphere(&scene, radius, 0.1 + 0.203 * b, 0.5, dim == 3 ? 0.5 : 0);
      scene.world->drive = (DlsCellDrive){1, {M, 0, 0}, {-F, 0, 0}};
      dls_simulation_recount(scene.simulation);
      const int flight = 100;
      test_scene_run(&scene, flight);
      /* Rates change at the end of a step: the edge is h v / 2 ahead or behind by the scheme. */
      const double t = flight * h;
      CHECK_NEAR(scene.world->cell.rate[0][0], -F * t / M, 1e-13);
      CHECK_NEAR(scene.world->cell.edge[0][0], 0.61 - 0.5 * F * t * t / M, 0.6 * h * F * t / M);
      test_scene_run(&scene, 2000);
      const DlsAssembly *a = &scene.simulation->last.assembly;
      CHECK_INT(a->step.count, 3);
      for (int i = 0; i < a->step.count; i++)
        CHECK_NEAR(a->solve.r[i * a->run.block], F * h, 1e-9 * F * h);
      CHECK_NEAR(scene.world->cell.rate[0][0], 0, 1e-9);
      CHECK_NEAR(scene.world->cell.edge[0][0], 0.6, 1e-3);
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-12 * F);
      test_scene_close(&scene);
    }
}

/* Two balls that touch through a face of the cell while its edges shrink: whether they are in
 * equilibrium is asked at rest, of the cell too. They push nothing, whose pushes would be those of
 * the shrinking. */
TEST(equilibrium_is_that_of_a_cell_at_rest) {
  const double low[3] = {0, 0, 0}, high[3] = {1, 1, 1};
  TestScene scene;
  DlsEquilibrium verdict;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 2e-3, "coulomb");
  memset(scene.gravity, 0, sizeof scene.gravity);
  CHECK_OK(dls_cell_make(3, 7, low, high, &scene.world->cell));
  test_scene_sphere(&scene, 0.1, 0.1, 0.5, 0.5);
  test_scene_sphere(&scene, 0.1, 0.9, 0.5, 0.5);
  scene.world->cell.rate[0][0] = -1;
  CHECK_OK(dls_simulation_equilibrium(scene.simulation, 1e-3, &verdict));
  CHECK_INT(verdict.contacts, 1);
  CHECK(verdict.holds);
  CHECK_BELOW(fabs(scene.simulation->last.assembly.solve.r[0]), 1e-12);
  CHECK_NEAR(scene.world->cell.rate[0][0], -1, 0);
  test_scene_close(&scene);
}
