/* Control of the step, theta, contacts that open by a hair, and bodies that are fast. */
#include "tests/verify/step_scene.h"

/* A ball that would cross more than a share of its radius is named, with its speed and a step that
 * would do. */
TEST(step_is_refused) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    open_scene(&scene, 3, scheme, 1e-3, true, 0.3, 0, 0);
    const int ball = test_scene_sphere(&scene, 0.01, 0, 0, 1);
    DlsSimulation *s = scene.simulation;
    s->settings.control = DLS_CONTROL_REFUSE;
    s->world->velocity[ball][0] = 2;
    CHECK_FAILS(dls_simulation_step(s), DLS_ERR_NUMERIC,
                "body 1 at (0, 0, 1) m would cross 0.2 of its radius of 0.01 m, at 2 m/s");
    CHECK_NEAR(s->world->position[ball][0], 0, 0); /* it is where it was */
    CHECK_NEAR(s->state.time, 0, 0);
    s->settings.fraction = 0.21;
    CHECK_OK(dls_simulation_step(s));
    close_scene(&scene);
  }
}

/* A turning cluster goes as far as its fastest element, and is as small as its smallest: balls of
 * 20 and 5 mm, 0.1 m apart, mass ratio 64, so that the small one is 0.1 x 64 / 65 m from the
 * centre; at 10 rad/s it crosses 0.985 mm in 1 ms, 0.197 of its radius. */
TEST(a_turning_cluster_is_as_fast_as_its_farthest_element) {
  Scene scene;
  open_scene(&scene, 3, &dls_scheme_moreau, 1e-3, false, 0.3, 0, 0);
  const DlsElement parts[2] = {{{0, 0, 0}, 0.02}, {{0.1, 0, 0}, 0.005}};
  DlsShape shape;
  CHECK_OK(dls_shape_cluster(3, 2, parts, &shape));
  const DlsBody body = {.shape = &shape, .density = 2500, .velocity = {0, 0, 0, 0, 0, 10}};
  DlsSimulation *s = scene.simulation;
  CHECK_OK(dls_world_add_body(s->world, &body));
  dls_shape_clear(&shape);
  scene.gravity[2] = 0;
  s->settings.control = DLS_CONTROL_REFUSE;
  CHECK_FAILS(dls_simulation_step(s), DLS_ERR_NUMERIC,
              "would cross 0.197 of its radius of 0.005 m, at 0.9846 m/s in 0.001 s");
  s->settings.fraction = 0.198;
  CHECK_OK(dls_simulation_step(s));
  close_scene(&scene);
}

/* Two states of the same bodies, bit for bit. */
static void check_same_state(const DlsSimulation *a, const DlsSimulation *b) {
  const DlsWorld *x = a->world, *y = b->world;
  const size_t n = (size_t)x->count;
  CHECK_INT(x->count, y->count);
  CHECK(memcmp(x->position, y->position, n * sizeof *x->position) == 0);
  CHECK(memcmp(x->orientation, y->orientation, n * sizeof *x->orientation) == 0);
  CHECK(memcmp(x->velocity, y->velocity, n * sizeof *x->velocity) == 0);
  const double accounts[][2] = {{a->state.ledger.kinetic, b->state.ledger.kinetic},
                                {a->state.ledger.dissipated, b->state.ledger.dissipated},
                                {a->state.ledger.gravity, b->state.ledger.gravity},
                                {a->state.ledger.boundary, b->state.ledger.boundary},
                                {a->state.ledger.balance, b->state.ledger.balance}};
  for (int k = 0; k < DLS_COUNT(accounts); k++)
    CHECK(test_same_bits(accounts[k][0], accounts[k][1]));
}

/* A step cut in parts is the same as that many short steps, bit for bit, and the next one is whole
 * again. Which parts is known: a ball crosses v h / R of its radius in a step, of which a tenth is
 * allowed. Before the impact |v| = sqrt(10) m/s, after it (rho = 1/2, mu = 0.3) v_x = 3 - 0.3 x 1.5
 * = 2.55 m/s, v_z = 1/2: shares of 0.316 and 0.26 in h, 0.158 and 0.13 in h/2, 0.079 and 0.065 in
 * h/4 (gravity adds h g = 0.003 of these at most). So all steps have four parts, and each first
 * tries a half and takes it back. */
TEST(step_is_halved_and_whole_again) {
  int worse_before = 0; /* steps whose last part has not the largest error */
  FOR_EACH_SCHEME(scheme) {
    Scene halved, fine;
    const double h = 1e-3;
    open_scene(&halved, 3, scheme, h, true, 0.3, 0.5, 0);
    open_scene(&fine, 3, scheme, h / 4, true, 0.3, 0.5, 0);
    Scene *both[2] = {&halved, &fine};
    for (int k = 0; k < 2; k++) {
      const int ball = test_scene_sphere(both[k], 0.01, 0, 0, 0.012);
      for (int above = 0; above < 6; above++) /* at rest beside it, solved roughly */
        test_scene_sphere(both[k], 0.02, 0.1, 0, 0.02 + 0.04 * above);
      both[k]->simulation->settings.limits.tolerance = 1e-2;
      both[k]->simulation->world->velocity[ball][2] = -1;
      both[k]->simulation->world->velocity[ball][0] = 3;
      dls_simulation_recount(both[k]->simulation);
    }
    DlsSimulation *s = halved.simulation;
    s->settings.control = DLS_CONTROL_HALVE;
    long all = 0;
    for (int step = 0; step < 4; step++) {
      long iterations = 0;
      double error = 0;
      CHECK_OK(dls_simulation_step(s));
      CHECK_INT(s->last.report.parts, 4);
      CHECK_NEAR(s->last.report.h, h / 4, 0);
      for (int part = 0; part < 4; part++) {
        CHECK_OK(dls_simulation_step(fine.simulation));
        iterations += fine.simulation->last.report.solver.iterations;
        error = fmax(error, fine.simulation->last.report.solver.error);
      }
      check_same_state(s, fine.simulation);
      CHECK_INT(s->last.report.solver.iterations, iterations); /* of all parts; the worst error */
      CHECK_NEAR(s->last.report.solver.error, error, 0);
      all += iterations;
      worse_before += error > fine.simulation->last.report.solver.error;
    }
    CHECK(all > 0);
    CHECK(s->world->velocity[0][2] > 0.4); /* it did meet the floor */
    CHECK_NEAR(s->state.time, 4 * h, 4 * DBL_EPSILON * h);
    CHECK_NEAR(s->settings.h, h, 0);
    CHECK_INT(s->state.step, 4);
    memset(s->world->velocity[0], 0, sizeof s->world->velocity[0]);
    run(&halved, 1);
    CHECK_INT(s->last.report.parts, 1);
    CHECK_NEAR(s->last.report.h, h, 0);
    close_scene(&halved);
    close_scene(&fine);
  }
  CHECK(worse_before > 0); /* else the worst of a step was not tried */
}

/* Free flight in parts is free flight: the midpoint rule is exact for any of them. */
TEST(halves_of_a_fall_are_the_fall) {
  Scene scene;
  open_scene(&scene, 3, &dls_scheme_moreau, 1e-2, false, 0, 0, 0);
  const int ball = test_scene_sphere(&scene, 0.01, 0, 0, 0);
  scene.simulation->settings.control = DLS_CONTROL_HALVE;
  run(&scene, 50);
  CHECK(scene.simulation->last.report.parts > 16);
  CHECK_NEAR(scene.simulation->world->position[ball][2], -test_g * 0.5 * 0.5 / 2, 1e-12);
  close_scene(&scene);
}

/* A column of ten, solved to 1e-6, neither sinks nor rises in a thousand steps. Without the memory
 * of contacts that open by a hair it sinks by g h^2 again and again. */
TEST(column_does_not_sink) {
  enum { N = 10 };
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double radius = 0.005, h = 1e-3;
    open_scene(&scene, 3, scheme, h, true, 0.5, 0, 0);
    scene.simulation->settings.limits.tolerance = 1e-6;
    for (int k = 0; k < N; k++) test_scene_sphere(&scene, radius, 0, 0, (2 * k + 1) * radius);
    run(&scene, 1000);
    const DlsWorld *world = scene.simulation->world;
    CHECK_NEAR(world->position[N - 1][2], (2 * N - 1) * radius, 1e-3 * radius);
    CHECK(scene.simulation->state.worst_penetration < 1e-3 * radius);
    CHECK_NEAR(world->velocity[N - 1][2], 0, 1e-2 * test_g * h);
    close_scene(&scene);
  }
}

/* All energies of three balls at rest at first, whose energy was `before`, add up. What the scheme
 * takes is the sum over steps of m g (theta - 1/2) h (v+ - v), which is that of the ends alone. */
static void check_accounts(const Scene *scene, double before) {
  const DlsSimulation *s = scene->simulation;
  const DlsLedger *l = &s->state.ledger;
  const double left = rounding(scene, before);
  double ends = 0;
  for (int b = 0; b < 3; b++)
    ends -= s->world->mass[b] * test_g * (s->settings.theta - 0.5) * s->settings.h *
            s->world->velocity[b][2];
  CHECK_NEAR(l->balance, 0, left);
  CHECK_NEAR(l->scheme, ends, left);
  CHECK_NEAR(l->kinetic + l->potential + l->dissipated + l->scheme, before, left);
}

/* Any theta: the balance of works is round-off, and what the scheme takes by moving bodies with
 * another mean of the velocities is told. For theta = 1/2 it takes nothing. */
TEST(accounts_hold_for_any_theta) {
  const double thetas[] = {0, 0.3, 0.5, 0.75, 1};
  for (int k = 0; k < DLS_COUNT(thetas); k++) {
    Scene scene;
    open_scene(&scene, 3, &dls_scheme_moreau, 1e-3, true, 0.4, 0.6, 0);
    DlsSimulation *s = scene.simulation;
    s->settings.theta = thetas[k];
    for (int b = 0; b < 3; b++) test_scene_sphere(&scene, 0.05, 0.02 * b, 0, 0.2 + 0.12 * b);
    s->world->velocity[0][0] = 0.5;
    dls_simulation_recount(s);
    const double before = s->state.ledger.kinetic + s->state.ledger.potential;
    for (int step = 0; step < 600; step++) {
      CHECK_OK(dls_simulation_step(s));
      if (step % 50 == 0) check_accounts(&scene, before); /* in the fall, at impacts, at rest */
    }
    CHECK(s->state.ledger.dissipated > 0.1);
    close_scene(&scene);
  }
}

/* x+ - x = h ((1 - theta) v + theta v+): free fall is off by (theta - 1/2) h g t. */
TEST(free_fall_with_theta) {
  const double h = 1e-3, t = 0.2, theta = 0.8;
  Scene scene;
  open_scene(&scene, 3, &dls_scheme_moreau, h, false, 0, 0, 0);
  const int ball = test_scene_sphere(&scene, 0.1, 0, 0, 0);
  scene.simulation->settings.theta = theta;
  run(&scene, 200);
  CHECK_NEAR(scene.simulation->world->position[ball][2],
             -test_g * t * t / 2 - (theta - 0.5) * h * test_g * t, 1e-12);
  scene.simulation->settings.theta = 1.5;
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_ARGUMENT, "theta is 1.5");
  close_scene(&scene);
}

/* A bullet that crosses twenty radii in a step meets a grain and a floor, wherever in the step that
 * is. Euler's scheme lays it on the surface; moreau's stops it up to a step before, or a fourth of
 * a radius inside. */
TEST(fast_bodies_are_not_lost) {
  const double radius = 0.01, h = 1e-3, speed = 20 * 0.01 / 1e-3;
  FOR_EACH_SCHEME(scheme) {
    for (int k = 0; k < 20; k++) {
      for (int onto_floor = 0; onto_floor < 2; onto_floor++) {
        Scene scene;
        open_scene(&scene, 3, scheme, h, onto_floor, 0.3, 0, 0);
        scene.gravity[2] = 0;
        const double start = 1 + 0.05 * k * speed * h;
        const int bullet = test_scene_sphere(&scene, radius, 0, 0, start);
        if (!onto_floor) test_scene_sphere(&scene, 2 * radius, 0, 0, 0);
        DlsWorld *world = scene.simulation->world;
        world->velocity[bullet][2] = -speed;
        run(&scene, 30);
        const double surface = onto_floor ? 0 : world->position[1][2] + 2 * radius;
        CHECK(world->position[bullet][2] - radius > surface - 0.5 * radius);
        CHECK_BELOW(scene.simulation->state.worst_penetration,
                    scheme == &dls_scheme_euler ? 1e-9 * radius : 0.5 * radius);
        if (onto_floor) CHECK_NEAR(world->velocity[bullet][2], 0, 1e-9);
        if (!onto_floor) { /* a ninth of the mass shares its momentum */
          CHECK_NEAR(world->velocity[bullet][2], -speed / 9, 1e-9 * speed);
          CHECK_NEAR(world->velocity[1][2], -speed / 9, 1e-9 * speed);
        }
        close_scene(&scene);
      }
    }
  }
}
