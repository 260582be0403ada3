/* Time-stepping against closed forms: both schemes, gravity, restitution, friction, rolling,
 * energy. */
#include "tests/verify/step_scene.h"

/* x = v t + g t²/2: the midpoint rule is exact, euler's is off by h g t / 2. */
TEST(free_fall) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double h = 1e-3, t = 0.5;
    open_scene(&scene, 3, scheme, h, false, 0, 0, 0);
    const int ball = test_scene_sphere(&scene, 0.1, 0, 0, 10);
    scene.simulation->world->velocity[ball][0] = 2;
    run(&scene, 500);
    const DlsWorld *world = scene.simulation->world;
    const double late = scheme == &dls_scheme_moreau ? 0 : h * test_g * t / 2;
    CHECK_NEAR(world->position[ball][2], 10 - test_g * t * t / 2 - late, 1e-12);
    CHECK_NEAR(world->position[ball][0], 1, 1e-12);
    CHECK_NEAR(world->velocity[ball][2], -test_g * t, 1e-12);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
               rounding(&scene, scene.simulation->state.ledger.kinetic));
    close_scene(&scene);
  }
}

/* A ball of any restitution leaves at rho times the speed it came with, within h g, and rises to
 * rho^2 of the height. */
TEST(bounce_with_restitution) {
  const double rhos[] = {0, 0.3, 0.7, 1};
  for (int k = 0; k < DLS_COUNT(rhos); k++) {
    FOR_EACH_SCHEME(scheme) {
      Scene scene;
      const double h = 1e-4, rho = rhos[k], height = 0.5, radius = 0.1;
      open_scene(&scene, 3, scheme, h, true, 0.3, rho, 0);
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + height);
      const double speed = sqrt(2 * test_g * height), fall_time = speed / test_g;
      DlsWorld *world = scene.simulation->world;
      double fastest = 0, highest = 0;
      dls_simulation_recount(scene.simulation);
      for (int step = 0; step < (int)(fall_time * (1 + 1.5 * rho) / h) + 100; step++) {
        CHECK_OK(dls_simulation_step(scene.simulation));
        fastest = fmax(fastest, world->velocity[ball][2]);
        if (fastest > 0) highest = fmax(highest, world->position[ball][2] - radius);
      }
      CHECK_NEAR(fastest, rho * speed, 2 * h * test_g);
      CHECK_NEAR(highest, rho * rho * height, 2 * h * speed);
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
                 rounding(&scene, test_g * world->mass[ball] * height));
      close_scene(&scene);
    }
  }
}

/* Zeno: with rho = 1/2 the bounces end at T = sqrt(2 H / g) (1 + rho) / (1 - rho); the ball then
 * rests. Before, at T / 2, it is in the air; after, it lies where it touches. */
TEST(bounces_end_in_finite_time) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double h = 1e-4, radius = 0.1;
    open_scene(&scene, 3, scheme, h, true, 0.3, 0.5, 0);
    const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + 0.2);
    const double end = sqrt(2 * 0.2 / test_g) * 1.5 / 0.5;
    const DlsWorld *world = scene.simulation->world;
    run(&scene, (int)(end / 2 / h));
    CHECK(world->position[ball][2] > radius + 0.01);
    run(&scene, (int)(0.6 * end / h));
    CHECK_NEAR(world->position[ball][2], radius, 2 * h * sqrt(2 * test_g * 0.2));
    CHECK_NEAR(world->velocity[ball][2], 0, 4 * h * test_g);
    close_scene(&scene);
  }
}

/* A sphere put on a slope slides when tan a > 7/2 mu, with a = g (sin a - mu cos a) and spin 5/2 mu
 * g cos a / R; else it rolls from the start with a = 5/7 g sin a (the 2/7 rule). */
TEST(sphere_on_a_slope) {
  const double angle = 0.4, radius = 0.05, t = 0.2;
  FOR_EACH_SCHEME(scheme) {
    for (int rolls = 0; rolls < 2; rolls++) {
      Scene scene;
      const double mu = rolls ? 0.5 : 0.5 * 2 / 7 * tan(angle);
      open_scene(&scene, 3, scheme, 1e-3, true, mu, 0, 0);
      scene.gravity[0] = test_g * sin(angle);
      scene.gravity[2] = -test_g * cos(angle);
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
      run(&scene, 200);
      const double *v = scene.simulation->world->velocity[ball];
      const double slide = test_g * (sin(angle) - mu * cos(angle));
      const double roll = 5.0 / 7 * test_g * sin(angle);
      CHECK_NEAR(v[0], t * (rolls ? roll : slide), 1e-8);
      CHECK_NEAR(v[4] * radius, t * (rolls ? roll : 2.5 * mu * test_g * cos(angle)), 1e-8);
      CHECK_NEAR(v[2], 0, 1e-8);
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
                 rounding(&scene, scene.simulation->state.ledger.gravity));
      close_scene(&scene);
    }
  }
}

/* A column at rest: contact k carries the weight above it, in each step h m g (n - k). */
TEST(column_at_rest) {
  enum { N = 6 };
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double radius = 0.1, h = 1e-3;
    open_scene(&scene, 3, scheme, h, true, 0.5, 0, 0);
    for (int k = 0; k < N; k++) test_scene_sphere(&scene, radius, 0, 0, (2 * k + 1) * radius);
    run(&scene, 50);
    const DlsSimulation *s = scene.simulation;
    const double weight = h * test_g * s->world->mass[0];
    CHECK_INT(s->last.assembly.step.count, N);
    for (int i = 0; i < s->last.assembly.step.count; i++) {
      const int c = s->last.assembly.step.in_set[i];
      const double above = N - round((s->last.contacts.point[c][2]) / (2 * radius));
      CHECK_NEAR(s->last.assembly.solve.r[3 * i], above * weight, 1e-6 * N * weight);
    }
    CHECK_NEAR(s->state.boundary_force[0][2], -N * weight / h, 1e-5 * N * weight / h);
    CHECK_NEAR(s->world->velocity[N - 1][2], 0, 1e-7);
    close_scene(&scene);
  }
}

/* A ball with backspin and tau = 1: the slip at the contact is reversed, u_T+ = -u_T- (Moreau, eq.
 * 6.4). It begins at a height that has it just touch where contacts are looked for, so that its
 * lever is R. */
TEST(backspin_is_reversed) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double h = 1e-4, radius = 0.1, fall_speed = 2;
    open_scene(&scene, 3, scheme, h, true, 10, 1, 1);
    scene.gravity[2] = 0;
    const double steps = scheme == &dls_scheme_moreau ? 10.5 : 10 + 1e-8;
    const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + steps * h * fall_speed);
    double *v = scene.simulation->world->velocity[ball];
    v[0] = 1;
    v[2] = -fall_speed;
    v[4] = -30; /* w_y: slip at the foot is v_x - R w_y */
    const double slip = v[0] - radius * v[4];
    run(&scene, 40);
    v = scene.simulation->world->velocity[ball];
    CHECK_NEAR(v[2], fall_speed, 1e-9);
    CHECK_NEAR(v[0] - radius * v[4], -slip, 1e-9);
    /* A solid sphere: 2/7 of the change of slip goes into v. */
    CHECK_NEAR(v[0], 1 - 2 * slip * 2 / 7, 1e-9);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
               rounding(&scene, scene.simulation->state.ledger.start));
    close_scene(&scene);
  }
}

/* Newton's cradle under Moreau's rule (one coefficient, one collision at a time when balls are
 * apart): the last one leaves with the speed of the first. */
TEST(cradle_with_balls_apart) {
  enum { N = 5 };
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double h = 1e-4, radius = 0.1, space = 2e-3;
    open_scene(&scene, 3, scheme, h, false, 0, 1, 0);
    scene.gravity[2] = 0;
    for (int k = 0; k < N; k++) test_scene_sphere(&scene, radius, k * (2 * radius + space), 0, 0);
    scene.simulation->world->velocity[0][0] = 1;
    run(&scene, 300);
    for (int k = 0; k < N; k++)
      CHECK_NEAR(scene.simulation->world->velocity[k][0], k == N - 1 ? 1 : 0, 1e-9);
    close_scene(&scene);
  }
}

/* Balls that touch, rho = 1, all contacts treated at once: Moreau's rule keeps momentum and energy,
 * and gives for three equal balls v+ = (-1, 2, 2) / 3. */
TEST(three_balls_that_touch) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double radius = 0.1;
    open_scene(&scene, 3, scheme, 1e-10, false, 0, 1, 0); /* they touch at the midpoint too */
    scene.gravity[2] = 0;
    for (int k = 0; k < 3; k++) test_scene_sphere(&scene, radius, 2 * k * radius, 0, 0);
    scene.simulation->world->velocity[0][0] = 1;
    run(&scene, 1);
    const double expected[3] = {-1.0 / 3, 2.0 / 3, 2.0 / 3};
    for (int k = 0; k < 3; k++)
      CHECK_NEAR(scene.simulation->world->velocity[k][0], expected[k], 1e-9);
    close_scene(&scene);
  }
}

/* Disks in 2-D: a disk on a slope rolls with 2/3 g sin a. */
TEST(disk_rolls_in_2d) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double angle = 0.3, radius = 0.05;
    open_scene(&scene, 2, scheme, 1e-3, true, 0.5, 0, 0);
    scene.gravity[0] = test_g * sin(angle);
    scene.gravity[1] = -test_g * cos(angle);
    const int disk = test_scene_sphere(&scene, radius, 0, radius, 0);
    run(&scene, 100);
    const double *v = scene.simulation->world->velocity[disk];
    CHECK_NEAR(v[0], 0.1 * 2.0 / 3 * test_g * sin(angle), 1e-9);
    CHECK_NEAR(v[5], -v[0] / radius, 1e-7);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
               rounding(&scene, scene.simulation->state.ledger.gravity));
    close_scene(&scene);
  }
}

static DlsStatus shake(void *context, DlsWorld *world, double t, double h) {
  (void)context;
  world->boundary[0].velocity[2] = 0.05 * (sin(40 * (t + h)) - sin(40 * t)) / h;
  return DLS_OK;
}

/* A ball on a shaken floor: work of the floor, dissipation and energies balance to round-off. */
TEST(energy_of_a_shaken_ball_balances) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    open_scene(&scene, 3, scheme, 1e-3, true, 0.3, 0.5, 0);
    test_scene_sphere(&scene, 0.05, 0, 0, 0.06);
    test_scene_sphere(&scene, 0.05, 0.03, 0, 0.16);
    scene.simulation->settings.influence.move = shake;
    run(&scene, 2000);
    const DlsLedger *ledger = &scene.simulation->state.ledger;
    CHECK(ledger->boundary > 0.1);
    CHECK(ledger->dissipated > 0.1);
    CHECK_NEAR(ledger->balance, 0, rounding(&scene, ledger->start + ledger->boundary));
    CHECK_INT(scene.simulation->state.unconverged, 0);
    close_scene(&scene);
  }
}

static const double torque = 0.02; /* N m */

static DlsStatus turn(void *context, const DlsWorld *world, double t, double (*force)[6]) {
  (void)context;
  (void)world;
  (void)t;
  force[0][4] += torque;
  return DLS_OK;
}

/* A torque turns a free ball: I w = torque t, and its work is the energy I w^2 / 2. */
TEST(work_of_a_torque_is_counted) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    open_scene(&scene, 3, scheme, 1e-3, false, 0, 0, 0);
    const int ball = test_scene_sphere(&scene, 0.05, 0, 0, 0);
    DlsSimulation *s = scene.simulation;
    scene.gravity[2] = 0;
    s->settings.influence.force = turn;
    run(&scene, 200);
    const double inertia = 0.4 * s->world->mass[ball] * 0.05 * 0.05, w = torque * 0.2 / inertia;
    const double energy = 0.5 * inertia * w * w, left = rounding(&scene, energy);
    CHECK_NEAR(s->world->velocity[ball][4], w, 200 * DBL_EPSILON * w);
    CHECK_NEAR(s->state.ledger.kinetic, energy, left);
    CHECK_NEAR(s->state.ledger.force, energy, left);
    CHECK_NEAR(s->state.ledger.balance, 0, left);
    close_scene(&scene);
  }
}

/* Brendel et al. 2004, eq. 1.31 and before: a row of equal spheres pushed at one end moves as one,
 * forces falling linearly: each is the mean of its neighbours. */
TEST(row_of_spheres_pushed) {
  enum { N = 8 };
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double radius = 0.1, h = scheme == &dls_scheme_moreau ? 1e-10 : 1e-3; /* all touch */
    open_scene(&scene, 3, scheme, h, false, 0, 0, 0);
    scene.gravity[2] = 0;
    for (int k = 0; k < N; k++) test_scene_sphere(&scene, radius, 2 * k * radius, 0, 0);
    scene.simulation->world->velocity[0][0] = 1;
    run(&scene, 1);
    const DlsSimulation *s = scene.simulation;
    CHECK_INT(s->last.assembly.step.count, N - 1);
    for (int k = 0; k < N; k++) CHECK_NEAR(s->world->velocity[k][0], 1.0 / N, 1e-8);
    for (int i = 0; i < s->last.assembly.step.count; i++) {
      const double place =
          s->last.contacts.point[s->last.assembly.step.in_set[i]][0] / (2 * radius) + 0.5;
      CHECK_NEAR(s->last.assembly.solve.r[3 * i], s->world->mass[0] * (1 - place / N), 1e-7);
    }
    close_scene(&scene);
  }
}

/* A cluster that tumbles freely, and is hit by a ball on the way, keeps the angular momentum of the
 * two. */
TEST(angular_momentum_of_a_free_cluster) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    const double origin[3] = {0, 0, 0};
    double before[3], after[3];
    open_scene(&scene, 3, scheme, 1e-3, false, 0.4, 0.3, 0);
    scene.gravity[2] = 0;
    const DlsElement parts[3] = {{{0, 0, 0}, 0.1}, {{0.15, 0, 0}, 0.08}, {{0, 0.3, 0.1}, 0.05}};
    DlsShape shape;
    CHECK_OK(dls_shape_cluster(3, 3, parts, &shape));
    const DlsBody body = {.shape = &shape, .density = 2500, .velocity = {0.1, -0.2, 0.3, 2, -1, 3}};
    DlsWorld *world = scene.simulation->world;
    CHECK_OK(dls_world_add_body(world, &body));
    dls_shape_clear(&shape);
    const int ball = test_scene_sphere(&scene, 0.1, 1, 0, 0.12);
    world->velocity[ball][0] = -3;
    dls_world_angular_momentum(world, origin, before);
    run(&scene, 500);
    CHECK(fabs(world->velocity[ball][0] + 3) > 0.1); /* it did hit */
    dls_world_angular_momentum(world, origin, after);
    for (int k = 0; k < 3; k++) CHECK_NEAR(after[k], before[k], 1e-11);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0,
               rounding(&scene, scene.simulation->state.ledger.start));
    close_scene(&scene);
  }
}

/* Desired velocities: the first wants to go right, the second stays. */
static DlsStatus desire(void *context, const DlsWorld *world, double t, double (*velocity)[6]) {
  (void)context;
  (void)world;
  (void)t;
  velocity[0][0] = 2;
  return DLS_OK;
}

/* First-order motion: v+ is the allowed velocity nearest to the desired one. Apart, each has its
 * own; in contact the two equal ones share it. */
TEST(first_order_motion_is_a_projection) {
  Scene scene;
  const double radius = 0.1, h = 1e-2, space = 0.05;
  open_scene(&scene, 2, &dls_scheme_first_order, h, false, 0, 0, 0);
  scene.simulation->settings.influence.force = desire;
  test_scene_sphere(&scene, radius, 0, 0, 0);
  test_scene_sphere(&scene, radius, 2 * radius + space, 0, 0);
  run(&scene, 2);
  const DlsWorld *world = scene.simulation->world;
  CHECK_NEAR(world->velocity[0][0], 2, 1e-12);
  CHECK_NEAR(world->velocity[1][0], 0, 1e-12);
  run(&scene, 10);
  CHECK_NEAR(world->velocity[0][0], 1, 1e-9);
  CHECK_NEAR(world->velocity[1][0], 1, 1e-9);
  CHECK_NEAR(world->position[1][0] - world->position[0][0], 2 * radius, 1e-9); /* no overlap */
  close_scene(&scene);
}

/* A body with all but its fall fixed slides down as on a rail, and pushes no matter how it is
 * pushed. */
TEST(fixed_components_stay) {
  FOR_EACH_SCHEME(scheme) {
    Scene scene;
    open_scene(&scene, 3, scheme, 1e-3, false, 0.5, 0, 0);
    const int rail = test_scene_sphere(&scene, 0.1, 0, 0, 0),
              free_ball = test_scene_sphere(&scene, 0.1, 0.15, 0, 0.15);
    DlsWorld *world = scene.simulation->world;
    world->fixed[rail] = DLS_FIXED_ALL & ~DLS_FIXED_Z;
    world->velocity[rail][1] = 0.25; /* prescribed */
    run(&scene, 100);
    CHECK_NEAR(world->velocity[rail][0], 0, 0);
    CHECK_NEAR(world->velocity[rail][1], 0.25, 0);
    CHECK_NEAR(world->velocity[rail][4], 0, 0);
    CHECK(world->velocity[rail][2] < -0.9 * 0.1 * test_g);
    CHECK(isfinite(world->velocity[free_ball][0]));
    CHECK_INT(scene.simulation->state.unconverged, 0);
    close_scene(&scene);
  }
}

/* A ball of radius R stands on a table that spins at W about the vertical through their contact, or
 * on the pole of a fixed ball that does: friction of torsion turns it with mu_t m g until it spins
 * as fast, so w = mu_t m g t / (2/5 m R^2), then W. */
TEST(a_spinning_table_turns_what_stands_on_it) {
  const double radius = 0.05, mu_t = 2e-4, table = 3, h = 1e-3;
  FOR_EACH_SCHEME(scheme) {
    for (int on_a_ball = 0; on_a_ball < 2; on_a_ball++) {
      Scene scene;
      open_world(&scene, 3, scheme, h, !on_a_ball, "rolling");
      set_law(&scene, "mu", 0.5);
      set_law(&scene, "torsion", mu_t);
      set_law(&scene, "torsion_ratio", 0);
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
      DlsWorld *world = scene.simulation->world;
      if (on_a_ball) {
        const int below = test_scene_sphere(&scene, radius, 0, 0, -radius);
        world->fixed[below] = DLS_FIXED_ALL;
        world->velocity[below][5] = table;
      } else {
        world->boundary[0].velocity[5] = table;
      }
      const double gain = mu_t * test_g / (0.4 * radius * radius); /* rad/s2 */
      const int steps = (int)(0.5 * table / gain / h);
      CHECK(steps > 100);
      run(&scene, steps);
      CHECK_NEAR(world->velocity[ball][5], gain * steps * h, 1e-8 * table);
      run(&scene, 2 * steps);
      CHECK_NEAR(world->velocity[ball][5], table, 1e-8 * table);
      CHECK_NEAR(world->velocity[ball][3], 0, 1e-8 * table);
      close_scene(&scene);
    }
  }
}

/* Euler's scheme pushes an overlap of d apart at min(d / h, V / 100), V the fastest free velocity,
 * which a third ball has: at V / 100 = 1 cm/s where d / h = 5 cm/s, at d / h = 2 mm/s. Moreau's
 * leaves it. */
TEST(an_overlap_is_pushed_apart_as_told) {
  const double radius = 0.05, h = 1e-3, V = 1, deep[2] = {5e-5, 2e-6};
  FOR_EACH_SCHEME(scheme) {
    for (int k = 0; k < 2; k++) {
      Scene scene;
      open_scene(&scene, 3, scheme, h, false, 0, 0, 0);
      scene.gravity[2] = 0;
      const int a = test_scene_sphere(&scene, radius, 0, 0, 0);
      const int b = test_scene_sphere(&scene, radius, 2 * radius - deep[k], 0, 0);
      const int fast = test_scene_sphere(&scene, radius, 0, 1, 0);
      DlsWorld *world = scene.simulation->world;
      world->velocity[fast][1] = V;
      run(&scene, 1);
      const double apart = world->velocity[b][0] - world->velocity[a][0];
      /* what stays: 100 tolerances V h, or 1e-10 R, which counts as touching; over h */
      const double stays =
          fmax(100 * scene.simulation->settings.limits.tolerance * V, 1e-10 * radius / h);
      CHECK_NEAR(apart, scheme == &dls_scheme_euler ? fmin(deep[k] / h, V / 100) : 0, stays);
      close_scene(&scene);
    }
  }
}
