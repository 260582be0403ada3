/* The explicit scheme with springs and dashpots, against closed forms. */
#include "tests/verify/step_scene.h"

#include "law/turn.h"

static const double pi = 3.14159265358979323846;

/* A ball of this speed falls on the floor without gravity; the speed with which it leaves, and how
 * long it touched. */
static double bounce(Scene *scene, int ball, double speed, double *duration) {
  double *v = scene->simulation->world->velocity[ball];
  v[2] = -speed;
  *duration = 0;
  dls_simulation_recount(scene->simulation);
  for (int step = 0; step < 100000 && (v[2] < 0 || scene->simulation->last.assembly.step.count);
       step++) {
    CHECK_OK(dls_simulation_step(scene->simulation));
    if (scene->simulation->last.assembly.step.count) *duration += scene->simulation->settings.h;
  }
  return v[2];
}

/* Linear spring and dashpot, beta = gamma / 2m, w^2 = k/m - beta^2: together for pi / w, apart with
 * exp(-beta pi / w); where the dashpot must not pull, exp(-beta/w (pi - atan2(2 beta w, w^2 -
 * beta^2))) (Schwager and Poeschel 2007). */
TEST(collision_time_and_restitution) {
  const double k = 1e5, radius = 0.05;
  for (int no_pull = 0; no_pull < 2; no_pull++)
    for (int damping = 0; damping < 3; damping++) {
      const double share = 0.3 * damping;
      Scene scene;
      double duration;
      open_world(&scene, 3, &dls_scheme_explicit, 1, true, "spring-dashpot");
      scene.gravity[2] = 0;
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + 1e-5);
      const double m = scene.simulation->world->mass[ball], beta = share * sqrt(k / m);
      const double w = sqrt(k / m - beta * beta), time = pi / w;
      set_law(&scene, "kn", k);
      set_law(&scene, "gamma_n", 2 * m * beta);
      set_law(&scene, "no_pull", no_pull);
      scene.simulation->settings.h = time / 2000;
      const double out = bounce(&scene, ball, 0.5, &duration);
      const double cut = no_pull ? atan2(2 * beta * w, w * w - beta * beta) / w : 0;
      if (!no_pull) CHECK_NEAR(duration, time, 2e-3 * time);
      CHECK_NEAR(out, 0.5 * exp(-beta * (time - cut)), 1e-3);
      CHECK_NEAR(scene.simulation->state.ledger.stored, 0, 1e-12);
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-5 * m);
      close_scene(&scene);
    }
}

/* `restitution` sets the damping: linear at once, Hertz's by Tsuji's formula, the same for a slow
 * and a fast ball. */
TEST(restitution_is_that_of_the_parameter) {
  const double wanted = 0.6, radius = 0.05;
  for (int hertz = 0; hertz < 2; hertz++)
    for (int fast = 0; fast < 2; fast++) {
      const double speed = fast ? 1 : 0.1;
      Scene scene;
      double duration;
      open_world(&scene, 3, &dls_scheme_explicit, 1e-6, true, "spring-dashpot");
      scene.gravity[2] = 0;
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + 1e-6);
      set_law(&scene, "restitution", wanted);
      set_law(&scene, "young", hertz ? 1e8 : 0);
      CHECK_NEAR(bounce(&scene, ball, speed, &duration), wanted * speed, 2e-3 * speed);
      close_scene(&scene);
    }
}

/* Hertz: a ball of mass m and speed v stays for T = 2.9433 (15 m / (16 E' sqrt(R)))^(2/5) v^(-1/5)
 * (Landau and Lifshitz, Theory of Elasticity, sec. 9). */
TEST(hertz_collision_time) {
  Scene scene;
  double duration;
  const double radius = 0.05, young = 1e8, nu = 0.3, speed = 0.5;
  open_world(&scene, 3, &dls_scheme_explicit, 1e-6, true, "spring-dashpot");
  scene.gravity[2] = 0;
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + 1e-6);
  const double m = scene.simulation->world->mass[ball];
  const double stiffness = young / (2 * (1 - nu * nu)) * sqrt(radius);
  set_law(&scene, "young", young);
  set_law(&scene, "poisson", nu);
  CHECK_NEAR(bounce(&scene, ball, speed, &duration), speed, 1e-5);
  const double expected = 2.9433 * pow(15 * m / (16 * stiffness), 0.4) * pow(speed, -0.2);
  CHECK_NEAR(duration, expected, 3e-3 * expected);
  close_scene(&scene);
}

/* At rest the overlap is m g / k, in a column of the weight above. */
TEST(static_overlap) {
  enum { N = 3 };
  Scene scene;
  const double radius = 0.05, k = 1e5;
  open_world(&scene, 3, &dls_scheme_explicit, 1e-4, true, "spring-dashpot");
  set_law(&scene, "kn", k);
  for (int b = 0; b < N; b++) test_scene_sphere(&scene, radius, 0, 0, (2 * b + 1) * radius);
  const DlsWorld *world = scene.simulation->world;
  set_law(&scene, "gamma_n", 0.5 * sqrt(k * world->mass[0]));
  run(&scene, 20000);
  double height = 0;
  for (int b = 0; b < N; b++) {
    const double overlap = (N - b) * world->mass[0] * test_g / k;
    CHECK_NEAR(world->position[b][2], height + radius - overlap, 1e-9);
    height = world->position[b][2] + radius;
  }
  CHECK_NEAR(scene.simulation->state.boundary_force[0][2], -N * world->mass[0] * test_g, 1e-6);
  close_scene(&scene);
}

/* On a slope a ball slides with g (sin a - mu cos a) and spins up with 5/2 mu g cos a / R, or rolls
 * with 5/7 g sin a. */
TEST(sliding_and_rolling_on_a_slope) {
  const double angle = 0.4, radius = 0.05, k = 1e5, h = 5e-5;
  for (int rolls = 0; rolls < 2; rolls++) {
    Scene scene;
    const double mu = rolls ? 0.5 : 0.1;
    open_world(&scene, 3, &dls_scheme_explicit, h, true, "spring-dashpot");
    scene.gravity[0] = test_g * sin(angle);
    scene.gravity[2] = -test_g * cos(angle);
    const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
    const DlsWorld *world = scene.simulation->world;
    const double m = world->mass[ball];
    /* It begins at its overlap of rest, where nothing swings. */
    world->position[ball][2] -= m * test_g * cos(angle) / k;
    const double lever = world->position[ball][2] + 0.5 * m * test_g * cos(angle) / k;
    set_law(&scene, "mu", mu);
    set_law(&scene, "kn", k);
    set_law(&scene, "kt", rolls ? 2e4 : 1e7); /* stiff: it slides from the start */
    set_law(&scene, "gamma_t", rolls ? 20 : 0);
    run(&scene, 4000);
    const double t = 4000 * h, *v = world->velocity[ball];
    const double slide = test_g * (sin(angle) - mu * cos(angle)), inertia = world->inertia[ball][0];
    const double roll = test_g * sin(angle) / (1 + inertia / (m * lever * lever));
    CHECK_NEAR(v[0], t * (rolls ? roll : slide), 1e-3);
    if (!rolls) CHECK_NEAR(v[4], t * mu * m * test_g * cos(angle) * lever / inertia, 0.05);
    if (rolls) CHECK_NEAR(v[0], lever * v[4], 1e-3);
    close_scene(&scene);
  }
}

/* A disk held by its tangential spring on a slope below the friction angle comes to rest at x = m g
 * sin a / k_t where it cannot roll, and stays. */
TEST(tangential_spring_holds) {
  Scene scene;
  const double angle = 0.2, radius = 0.05, kt = 2e4;
  open_world(&scene, 2, &dls_scheme_explicit, 1e-4, true, "spring-dashpot");
  scene.gravity[0] = test_g * sin(angle);
  scene.gravity[1] = -test_g * cos(angle);
  const int disk = test_scene_sphere(&scene, radius, 0, radius, 0);
  DlsWorld *world = scene.simulation->world;
  world->fixed[disk] |= DLS_FIXED_TURN_Z;
  set_law(&scene, "mu", 0.5);
  set_law(&scene, "kt", kt);
  set_law(&scene, "gamma_n", 500);
  set_law(&scene, "gamma_t", 500);
  run(&scene, 10000);
  CHECK_NEAR(world->position[disk][0], world->mass[disk] * test_g * sin(angle) / kt, 1e-7);
  CHECK_NEAR(world->velocity[disk][0], 0, 1e-6);
  close_scene(&scene);
}

/* A pair that turns about its common centre, glued by gravity of its own making none: the stretched
 * spring follows the frame, so that the force at the contact turns with it. */
TEST(spring_follows_the_frame) {
  const DlsLaw *law = NULL;
  CHECK_OK(dls_law_find("spring-dashpot", &law));
  double params[DLS_MAX_PARAMS], state[2] = {1e-6, 0}, before[3], after[3];
  const double u[3] = {0, 0, 0}, turn = 0.01;
  dls_law_defaults(law, params);
  DlsContact c = {.dim = 3, .block = 3, .h = 1e-5, .gap = -1e-3, .radius = 0.05, .mass = 1};
  const double first[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const double second[9] = {cos(turn), sin(turn), 0, -sin(turn), cos(turn), 0, 0, 0, 1};
  const DlsLawUse use = {.law = law, .kinematics = &c};
  memcpy(c.frame, first, sizeof first);
  CHECK_OK(law->force(&c, params, state, u, before));
  memcpy(c.frame, second, sizeof second);
  dls_pair_turn(first, second, u, c.h, c.turn);
  dls_law_carry(&use, first, second, state);
  CHECK_OK(law->force(&c, params, state, u, after));
  CHECK_NEAR(before[1], -2e4 * 1e-6, 1e-15);
  for (int k = 0; k < 3; k++) CHECK_NEAR(after[k], before[k], 1e-12);
}

/* The largest |balance| of a ball that swings on the floor, always in contact, slides and is
 * damped. */
static double worst_balance(double h, double gamma, double mu, bool lands) {
  Scene scene;
  const double radius = 0.05, k = 1e5;
  double worst = 0;
  open_world(&scene, 3, &dls_scheme_explicit, h, true, "spring-dashpot");
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + (lands ? 1e-3 : 0));
  DlsWorld *world = scene.simulation->world;
  world->velocity[ball][0] = 0.3;
  if (!lands) world->position[ball][2] -= 1.5 * world->mass[ball] * test_g / k;
  set_law(&scene, "kn", k);
  set_law(&scene, "gamma_n", gamma);
  set_law(&scene, "mu", mu);
  dls_simulation_recount(scene.simulation);
  /* The spring is bent from the start: what it holds is no work of this run. */
  const double stored = lands ? 0 : 0.5 * pow(1.5 * world->mass[ball] * test_g, 2) / k;
  for (int step = 0; step < (int)(0.05 / h); step++) {
    CHECK_OK(dls_simulation_step(scene.simulation));
    worst = fmax(worst, fabs(scene.simulation->state.ledger.balance - stored));
  }
  close_scene(&scene);
  return worst;
}

/* The energy that springs store and contacts dissipate balances to second order in h: a fourth of
 * the step, a sixteenth of the error. */
TEST(energy_balances_to_second_order) {
  const double coarse = worst_balance(1e-4, 20, 0.3, false);
  const double fine = worst_balance(2.5e-5, 20, 0.3, false);
  CHECK(coarse > 0 && fine > 0);
  CHECK_NEAR(coarse / fine, 16, 1.6);
  /* With impacts too, whose moment falls anywhere in a step. */
  const double hit = worst_balance(4e-5, 20, 0.3, true), finer = worst_balance(1e-5, 20, 0.3, true);
  CHECK(hit / finer > 8 && hit / finer < 40);
}

/* A step of more than 2 / w is not stable and refused, one below it is taken (Brendel et al. 2004,
 * sec. 1.6: the step of Molecular Dynamics is bound to sqrt(m / K), whatever the speed). */
TEST(step_is_bound_to_the_stiffness) {
  const double radius = 0.05;
  for (int stiff = 0; stiff < 3; stiff++)
    for (int beyond = 0; beyond < 2; beyond++) {
      const double k = 1e4 * pow(9, stiff);
      Scene scene;
      open_world(&scene, 3, &dls_scheme_explicit, 1, true, "spring-dashpot");
      const int ball = test_scene_sphere(&scene, radius, 0, 0, 0.5 * radius);
      const DlsWorld *world = scene.simulation->world;
      const double m = world->mass[ball], rest = m * test_g / k;
      set_law(&scene, "kn", k);
      set_law(&scene, "mu", 0); /* its tangential spring is stiffer */
      world->position[ball][2] = radius - rest * 1.01;
      scene.simulation->settings.h = (beyond ? 2.02 : 1.98) * sqrt(m / k);
      if (beyond) {
        CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_NUMERIC, "too long a step");
      } else {
        run(&scene, 40);
        CHECK(fabs(world->position[ball][2] - radius + rest) < 0.1 * rest);
      }
      close_scene(&scene);
    }
}

/* Brendel et al. 2004, eqs. 1.34 and 1.36: for a row of N spheres against each other Contact
 * Dynamics needs sweeps that grow like N^2 per step; Molecular Dynamics none, and both give the
 * force of rest. */
TEST(sweeps_of_contact_dynamics_grow_with_the_row) {
  long sweeps[2];
  for (int k = 0; k < 2; k++) {
    Scene scene;
    const int count = 10 << k;
    const double radius = 0.1, h = 1e-3;
    open_scene(&scene, 3, &dls_scheme_euler, h, true, 0, 0, 0);
    scene.simulation->settings.limits.tolerance = 1e-6;
    CHECK_OK(dls_solver_find("nsgs", &scene.simulation->settings.solver));
    for (int b = 0; b < count; b++) test_scene_sphere(&scene, radius, 0, 0, (2 * b + 1) * radius);
    run(&scene, 1);
    sweeps[k] = scene.simulation->last.report.solver.iterations;
    close_scene(&scene);
  }
  const double ratio = (double)sweeps[1] / (double)sweeps[0];
  CHECK(ratio > 2.5 && ratio < 6);
}

/* Laws and schemes that do not go together are refused, with a law that would. */
TEST(laws_without_force_are_refused) {
  Scene scene;
  open_scene(&scene, 3, &dls_scheme_explicit, 1e-4, true, 0.3, 0, 0);
  test_scene_sphere(&scene, 0.1, 0, 0, 1);
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_LAW,
              "'coulomb' gives no force, which the explicit scheme needs; take spring-dashpot");
  close_scene(&scene);
  open_world(&scene, 3, &dls_scheme_moreau, 1e-4, true, "spring-dashpot");
  test_scene_sphere(&scene, 0.1, 0, 0, 1);
  CHECK_FAILS(dls_simulation_step(scene.simulation), DLS_ERR_LAW,
              "'spring-dashpot' gives a force alone, but the scheme moreau solves for impulses");
  close_scene(&scene);
}

static bool has_parameter(const DlsLaw *law, const char *name) {
  for (int k = 0; k < law->nparams; k++)
    if (strcmp(law->params[k].name, name) == 0) return true;
  return false;
}

/* Force k x^1.5 of a law with Hertz's contact at its default stiffness, or a Young's modulus of 10
 * MPa. Returns k, 0 where the law has none. */
static double take_hertz(const Scene *scene, const DlsLaw *law, double reduced_radius) {
  const double young = 1e7, nu = 0.3;
  if (has_parameter(law, "exponent")) {
    set_law(scene, "exponent", 1.5);
    return 1e5;
  }
  if (!has_parameter(law, "young")) return 0;
  set_law(scene, "young", young);
  set_law(scene, "poisson", nu);
  return 2.0 / 3 * young / (1 - nu * nu) * sqrt(reduced_radius);
}

/* Every law that gives a force: a step of five collision times, or one, is refused at the first
 * touch or as soon as it is deep enough, where it would make energy of nothing; a fiftieth of a
 * collision is taken. A law with a strength gets one that is not reached: what yields takes any
 * step. Linear contacts touch for pi / 2 of the longest stable step, Hertz's for 2.94
 * d / v, d = (5 m v² / 4 k)^(2/5) (Landau and Lifshitz, sec. 9). */
TEST(steps_too_long_for_a_collision_are_refused) {
  const DlsLaw *const *laws;
  int count, tried = 0;
  CHECK_OK(dls_law_list(&laws, &count));
  for (int l = 0; l < count; l++)
    for (int hertz = 0; hertz < 2; hertz++)
      for (int k = 0; k < 3 && laws[l]->force; k++) {
        const double radius = 0.05, closing = 1, times[] = {5, 1, 0.02};
        Scene scene;
        DlsStableStep stable;
        open_world(&scene, 3, &dls_scheme_explicit, 1e-9, false, laws[l]->name);
        DlsSimulation *s = scene.simulation;
        for (int p = 0; p < laws[l]->nparams; p++)
          if (strcmp(laws[l]->params[p].name, "strength") == 0)
            s->settings.laws.item[0].params[p] = 1e9;
        const double stiffness = hertz ? take_hertz(&scene, laws[l], radius / 2) : 0;
        scene.gravity[2] = 0;
        const int first = test_scene_sphere(&scene, radius, 0, 0, 0);
        const int second = test_scene_sphere(&scene, radius, 2 * radius, 0, 0);
        CHECK_OK(dls_simulation_stable_step(s, &stable));
        if (!hertz) CHECK_NEAR(stable.longest, 2 * sqrt(stable.mass / stable.stiffness), 1e-6);
        double duration = pi / 2 * stable.longest;
        if (stiffness > 0)
          duration = 2.94 * pow(1.25 * stable.mass * closing * closing / stiffness, 0.4) / closing;
        s->settings.h = times[k] * duration;
        s->world->velocity[first][0] = closing / 2;
        s->world->velocity[second][0] = -closing / 2;
        s->world->position[second][0] +=
            fmin(0.2 * s->settings.h * closing, 0.01); /* not yet in touch */
        dls_simulation_recount(s);
        const double start = s->state.ledger.kinetic;
        DlsStatus status = DLS_OK;
        for (int step = 0; step < 200 && status == DLS_OK; step++) {
          status = dls_simulation_step(s);
          CHECK(s->state.ledger.kinetic <= 1.001 * start);
        }
        CHECK_INT(status, k < 2 ? DLS_ERR_NUMERIC : DLS_OK);
        if (k < 2) CHECK(test_contains(dls_error_message(), "too long a step"));
        if (k == 2) CHECK(s->world->velocity[first][0] < 0); /* they have bounced */
        tried++;
        close_scene(&scene);
      }
  CHECK(tried >= 12);
}
