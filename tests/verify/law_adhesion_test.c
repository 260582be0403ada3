/* cohesive and capillary: what opens a contact, what it costs, and what the step has to do with
 * it. */
#include "tests/one_contact.h"
#include "tests/simulating.h"

enum { NONE, HOLDS, CLOSES };

static const double F_C = 3, d_C = 1e-4, mass = 2;

/* A bonded contact that touches. */
static void open_bond(OneContact *one, int dim, int block, double h, double range) {
  one_open(one, dim, block, h, mass);
  one_add(one, "cohesive");
  one_set(one, "F_C", F_C);
  one_set(one, "d_C", range);
  one_set(one, "mu", 0.5);
  one_begin(one);
}

static void pull(OneContact *one, double force, long steps) {
  const double f[DLS_MAX_BLOCK] = {force};
  for (long k = 0; k < steps; k++) one_step(one, f);
}

TEST(a_steady_pull_opens_the_bond_above_its_strength) {
  OneContact one;
  for (int k = 0; k < 4; k++) {
    const double h = pow(10, -2 - k);
    open_bond(&one, 3, 3, h, d_C);
    pull(&one, 0.999 * F_C, 100);
    CHECK_NEAR(one.contact.gap, 0, 1e-18);
    CHECK_NEAR(one.r[0], -h * 0.999 * F_C, 1e-14);
    pull(&one, 1.001 * F_C, 10);
    CHECK(one.contact.gap > 0);
  }
}

/* A shock gives the body the energy E: it leaves with E - E_C, or it stays, weakened, where E is
 * spent. Steps over three decades. */
TEST(a_shock_breaks_the_bond_when_its_energy_exceeds_that_of_the_bond) {
  const double E_C = F_C * d_C, shares[2] = {0.9, 1.1};
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 4; k++) {
      OneContact one;
      const double v = sqrt(2 * shares[s] * E_C / mass), part = 0.02 * pow(10, -k);
      open_bond(&one, 3, 3, part * d_C / v, d_C);
      one.u[0] = v;
      pull(&one, 0, (long)(10 / part));
      if (s == 0) {
        CHECK_NEAR(one.contact.gap, 0.9 * d_C, 0.6 * part * d_C);
        CHECK_NEAR(one.u[0], 0, 1e-15);
        CHECK_INT(one.state[0][0], HOLDS);
      } else {
        CHECK_NEAR(0.5 * mass * one.u[0] * one.u[0], 0.1 * E_C, 0.6 * part * E_C);
        CHECK_NEAR(one.dissipated, E_C, 0.6 * part * E_C);
        CHECK_INT(one.state[0][0], NONE);
      }
    }
}

/* A pull of twice the strength over the time T, in which the body moves x = F_C T² / 2m: its work
 * is 2 F_C x. */
TEST(a_pulse_breaks_the_bond_when_its_work_exceeds_that_of_the_bond) {
  const double shares[2] = {0.9, 1.1};
  for (int s = 0; s < 2; s++)
    for (int k = 0; k < 4; k++) {
      OneContact one;
      const double x = 0.5 * shares[s] * d_C, T = sqrt(2 * mass * x / F_C);
      const long steps = lround(40 * pow(10, k));
      open_bond(&one, 3, 3, T / (double)steps, d_C);
      pull(&one, 2 * F_C, steps);
      CHECK_NEAR(one.contact.gap, x, 2 * x / (double)steps);
      pull(&one, 0, 10 * steps);
      CHECK_INT(one.state[0][0], s == 0 ? HOLDS : NONE);
      if (s == 0)
        CHECK_NEAR(one.u[0], 0, 1e-15);
      else
        CHECK_NEAR(0.5 * mass * one.u[0] * one.u[0], 0.1 * F_C * d_C,
                   3 * F_C * d_C / (double)steps);
    }
}

/* Without a range the same shock is held by long steps and breaks the bond in short ones: h F_C
 * against m v (Brendel, Unger and Wolf 2004, sec. 1.8). */
TEST(zero_range_cohesion_depends_on_the_step) {
  const double v = 1e-3, critical = mass * v / F_C;
  OneContact one;
  open_bond(&one, 3, 3, 1.01 * critical, 0);
  one.u[0] = v;
  pull(&one, 0, 1);
  CHECK_NEAR(one.u[0], 0, 1e-18);
  CHECK_INT(one.state[0][0], HOLDS);
  open_bond(&one, 3, 3, 0.99 * critical, 0);
  one.u[0] = v;
  pull(&one, 0, 1);
  CHECK_NEAR(one.u[0], 0.01 * v, 1e-15);
  CHECK_INT(one.state[0][0], NONE);
}

/* Opened half way: it stays there without load, holds a pull below its strength, closes when
 * pushed, and is then as strong as before. */
TEST(a_weakened_bond_is_not_pulled_back_but_can_be_pushed_together) {
  OneContact one;
  const double h = 1e-4;
  open_bond(&one, 3, 3, h, d_C);
  one.u[0] = sqrt(F_C * d_C / mass); /* half of E_C */
  pull(&one, 0, 1000);
  const double gap = one.contact.gap;
  CHECK_NEAR(gap, 0.5 * d_C, 0.05 * d_C);
  pull(&one, 0, 10);
  CHECK_NEAR(one.r[0], 0, 1e-18);
  pull(&one, 0.9 * F_C, 10);
  CHECK_NEAR(one.r[0], -h * 0.9 * F_C, 1e-15);
  CHECK_NEAR(one.contact.gap, gap, 1e-18);
  pull(&one, -1, 1); /* the step in which the push is felt: the gap is kept */
  CHECK_INT(one.state[0][0], CLOSES);
  CHECK_NEAR(one.contact.gap, gap, 1e-18);
  pull(&one, -1, 1); /* from here it falls freely, */
  CHECK_NEAR(one.r[0], 0, 1e-18);
  CHECK_NEAR(one.u[0], -h / mass, 1e-18);
  pull(&one, 1.1, 1); /* and is held again when it turns */
  CHECK_INT(one.state[0][0], HOLDS);
  pull(&one, -1, 200);
  CHECK_NEAR(one.contact.gap, 0, 1e-15);
  CHECK_NEAR(one.r[0], h, 1e-15);
  pull(&one, 0.999 * F_C, 10);
  CHECK_NEAR(one.contact.gap, 0, 1e-15);
}

/* Friction holds up to mu (f_N + F_C), f_N > 0 pushing (DMT). */
TEST(friction_of_a_bond_counts_its_strength) {
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < 5; k++) {
      const double push = (-0.9 + 0.6 * k) * F_C, limit = 0.5 * (push + F_C), h = 1e-3;
      OneContact one;
      open_bond(&one, dim, dim, h, d_C);
      const double held[3] = {-push, 0.999 * limit, 0}, slides[3] = {-push, 1.1 * limit, 0};
      one_step(&one, held);
      CHECK_NEAR(one.u[1], 0, 1e-16);
      one_step(&one, slides);
      CHECK_NEAR(one.u[1], h * 0.1 * limit / mass, 1e-14);
      CHECK_NEAR(one.r[1], -h * limit, 1e-14);
    }
}

/* With rolling and torsion in one relation: every limit counts r_N + h F_C. */
TEST(rolling_and_torsion_of_a_bond_count_its_strength) {
  const double lengths[3] = {0.5, 2e-3, 1e-3}, h = 1e-3; /* mu, rolling, torsion */
  for (int order = 0; order < 2; order++) {
    OneContact one;
    one_open(&one, 3, 6, h, mass);
    for (int k = 0; k < 2; k++) {
      const int rolls = k == order;
      one_add(&one, rolls ? "rolling" : "cohesive");
      one_set(&one, "mu", 0.5);
      if (rolls) {
        one_set(&one, "roll", lengths[1]);
        one_set(&one, "torsion", lengths[2]);
        one_set(&one, "roll_ratio", 0);
        one_set(&one, "torsion_ratio", 0);
      } else {
        one_set(&one, "F_C", F_C);
      }
    }
    one_begin(&one);
    const double pulled = 0.4 * F_C, normal = F_C - pulled;
    double f[6] = {pulled,
                   0,
                   0.99 * lengths[0] * normal,
                   0.99 * lengths[1] * normal,
                   0,
                   0.99 * lengths[2] * normal};
    one_step(&one, f);
    for (int i = 0; i < 6; i++) CHECK_NEAR(one.u[i], 0, 1e-16);
    CHECK_INT(one.relation.cone, DLS_CONE_ROLLING);
    for (int i = 1; i < 6; i++) f[i] *= 1.2;
    one_step(&one, f);
    CHECK_NEAR(one.r[2], -h * lengths[0] * normal, 1e-13);
    CHECK_NEAR(one.r[3], -h * lengths[1] * normal, 1e-13);
    CHECK_NEAR(one.r[5], -h * lengths[2] * normal, 1e-13);
  }
}

/* The bridge of slide 29, by its own numbers. */
static const double gamma_water = 0.07, A = 5e3, B = 0.4, C = 0.05, D_rupt = 2e-4, r_common = 0.02;

static double bridge_force(double D) {
  return 3.14159265358979324 * gamma_water * r_common * (exp(-A * D + B) + C);
}

static double bridge_energy(double D) {
  return 3.14159265358979324 * gamma_water * r_common * (exp(B) * (1 - exp(-A * D)) / A + C * D);
}

static void open_bridge(OneContact *one, double h, double gap) {
  one_open(one, 3, 3, h, 0.5);
  one_add(one, "capillary");
  one_set(one, "gamma", gamma_water);
  one_set(one, "A", A);
  one_set(one, "B", B);
  one_set(one, "C", C);
  one_set(one, "D_rupt", D_rupt);
  one->contact.gap = gap;
  one_begin(one);
}

/* Moves the body at a prescribed speed (its mass is huge) until the gap passes `to`; each step is
 * checked against the force that the bridge has, or none. */
static void move_to(OneContact *one, double speed, double to, bool bridged) {
  const double f[3] = {0};
  for (int i = 0; i < 3; i++) one->mass[i] = 1e30;
  one->u[0] = speed;
  while ((to - one->contact.gap) * speed > 0) {
    const double gap = one->contact.gap;
    one_step(one, f);
    if (one->r[0] > 0) break; /* it touches */
    CHECK_NEAR(one->r[0] / one->contact.h, bridged ? -bridge_force(gap) : 0, 1e-12);
  }
}

/* Comes from afar without a force, forms at contact, pulls until D_rupt, is gone after; and
 * again. */
TEST(a_bridge_forms_at_contact_and_breaks_at_its_rupture_distance) {
  OneContact one;
  open_bridge(&one, 1e-3, 3e-4);
  for (int cycle = 0; cycle < 2; cycle++) {
    move_to(&one, -1e-4, -1, false);
    CHECK_INT(one.state[0][0], 1);
    one.dissipated = 0;
    one.contact.gap = 0;
    move_to(&one, 1e-4, D_rupt + 5e-8, true); /* half a step beyond */
    CHECK_INT(one.state[0][0], 0);
    CHECK_NEAR(one.dissipated, bridge_energy(D_rupt), 1e-3 * bridge_energy(D_rupt));
    move_to(&one, 1e-4, 3e-4, false);
  }
}

/* At contact a bridge holds what F(0) can, and friction counts it. */
TEST(a_bridge_at_contact_holds_its_force) {
  const double h = 1e-3, strength = bridge_force(0);
  OneContact one;
  open_bridge(&one, h, 0);
  one_set(&one, "mu", 0.5);
  const double held[3] = {0.9 * strength, 0.99 * 0.05 * strength, 0};
  const double slides[3] = {0.9 * strength, 0, 0.1 * strength};
  for (int k = 0; k < 20; k++) one_step(&one, held);
  CHECK_NEAR(one.contact.gap, 0, 1e-18);
  CHECK_NEAR(one.u[1], 0, 1e-16);
  one_step(&one, slides);
  CHECK_NEAR(one.r[2], -h * 0.05 * strength, 1e-13);
  const double opens[3] = {1.01 * strength, 0, 0};
  one_step(&one, opens);
  CHECK_NEAR(one.u[0], h * 0.01 * strength / 0.5, 1e-14);
}

/* Stored and dissipated energy: what is stored up to the rupture is dissipated by it. */
TEST(energy_of_a_bridge_is_stored_then_lost) {
  OneContact one;
  open_bridge(&one, 1e-5, 0);
  one.u[0] = 0.05;
  double dissipated = 0, most = 0;
  const double f[3] = {0}, start = 0.5 * 0.5 * 0.05 * 0.05;
  while (one.state[0][0] != 0) {
    double stored, lost, state[1] = {one.state[0][0]};
    one_step(&one, f);
    const DlsContact after = one.contact;
    one.contact.gap -= one.contact.h * one.u[0];
    CHECK_OK(one.law[0]->energy(&one.contact, one.params[0], state, one.u, one.r, &stored, &lost));
    one.contact = after;
    dissipated += lost;
    most = fmax(most, stored);
  }
  CHECK_NEAR(most, bridge_energy(D_rupt), 1e-2 * most);
  CHECK_NEAR(dissipated, bridge_energy(D_rupt), 1e-2 * most);
  CHECK_NEAR(0.5 * 0.5 * one.u[0] * one.u[0], start - bridge_energy(D_rupt), 1e-2 * most);
}

/* From a volume and an angle: the numbers of the fit, for r = 1 mm, V = 1e-2 r³. */
TEST(a_bridge_of_given_volume_follows_the_fit) {
  OneContact one;
  one_open(&one, 3, 3, 1e-3, 1);
  one_add(&one, "capillary");
  one_set(&one, "volume", 1e-11);
  one_set(&one, "angle", 0.3);
  one.contact.radius = 0.5e-3;
  one_begin(&one);
  CHECK_NEAR(one.law[0]->range(&(DlsPair){0}, one.params[0]), 1.15 * cbrt(1e-11), 1e-15);
  for (int k = 0; k < 3; k++) {
    const double D = 5e-5 * k, lv = log(1e-2);
    const double b = (-0.148 * lv - 0.96) * 0.09 - 0.0082 * lv + 0.48, c = 0.0018 * lv + 0.078;
    const double F =
        3.14159265358979324 * 0.0728 * 1e-3 * (c + exp(-1.1 * pow(1e-2, -0.53) * D / 1e-3 + b));
    one.contact.gap = D;
    one_prepare(&one);
    CHECK_NEAR(one.relation.a[0], 1e-3 * F, 1e-12 * F);
  }
}

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* A ball that touches the plane of the origin, from above; no gravity. */
static int touching_ball(TestScene *scene, const DlsScheme *scheme, double h, const char *laws) {
  const double R = 0.01;
  test_scene_open(scene, 3, scheme, h, laws);
  scene->gravity[2] = 0;
  test_scene_boundary(scene, 0);
  return test_scene_sphere(scene, R, 0, 0, R);
}

/* In motion, over three decades of h: a ball hangs from a ceiling while its weight is below F_C,
 * and leaves it when thrown off with more than E_C. */
TEST(a_cohesive_ball_hangs_and_leaves_as_the_bond_says) {
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int k = 0; k < 4; k++)
      for (int leaves = 0; leaves < 2; leaves++) {
        TestScene scene;
        const int ball = touching_ball(&scene, schemes[s], 1, "cohesive");
        const double m = scene.world->mass[ball], strength = 2 * m * test_g;
        test_scene_set(&scene, 0, "F_C", strength);
        test_scene_set(&scene, 0, "d_C", d_C);
        scene.gravity[2] = test_g; /* upside down */
        scene.simulation->settings.limits.tolerance = 1e-10;
        const double v = sqrt(2 * (strength - m * test_g) * d_C / m), part = 0.02 * pow(10, -k);
        scene.simulation->settings.h = part * d_C / v;
        test_scene_run(&scene, 20);
        CHECK_NEAR(scene.world->position[ball][2], 0.01, 1e-12);
        scene.world->velocity[ball][2] = (leaves ? 1.05 : 0.953) * v;
        dls_simulation_recount(scene.simulation);
        test_scene_run(&scene, (long)(3 / part) < 20000 ? (long)(3 / part) : 20000);
        const double gap = scene.world->position[ball][2] - 0.01;
        if (k < 3)
          CHECK(leaves ? gap > d_C : gap < d_C && fabs(scene.world->velocity[ball][2]) < 1e-12);
        CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-10 * m);
        test_scene_close(&scene);
      }
}

/* A bridge is conservative while it lasts: thrown off with less than its energy the ball comes
 * back, with more it leaves with the rest. Passing by within D_rupt without touching, it feels
 * nothing. */
TEST(a_ball_leaves_its_bridge_with_what_is_left) {
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int leaves = 0; leaves < 2; leaves++) {
      TestScene scene;
      const int ball = touching_ball(&scene, schemes[s], 1e-5, "coulomb capillary");
      test_scene_set(&scene, 1, "gamma", gamma_water);
      test_scene_set(&scene, 1, "A", A);
      test_scene_set(&scene, 1, "B", B);
      test_scene_set(&scene, 1, "C", C);
      test_scene_set(&scene, 1, "D_rupt", D_rupt);
      const double E = (leaves ? 1.2 : 0.8) * bridge_energy(D_rupt), m = scene.world->mass[ball];
      test_scene_run(&scene, 1); /* they touch, and the bridge is there */
      scene.world->velocity[ball][2] = sqrt(2 * E / m);
      test_scene_run(&scene, 10000);
      const double v = scene.world->velocity[ball][2], gap = scene.world->position[ball][2] - 0.01;
      if (leaves)
        CHECK_NEAR(0.5 * m * v * v, E - bridge_energy(D_rupt), 1e-2 * E);
      else
        CHECK_BELOW(gap, 1e-6); /* back, and held */
      test_scene_close(&scene);
    }
}

TEST(no_bridge_without_contact) {
  TestScene scene;
  const int ball = touching_ball(&scene, &dls_scheme_moreau, 1e-4, "coulomb capillary");
  scene.world->position[ball][2] += 0.5e-4; /* within D_rupt */
  scene.world->velocity[ball][0] = 0.1;
  test_scene_run(&scene, 100);
  CHECK(scene.simulation->last.report.contacts == 1); /* in the problem, and without a reaction */
  CHECK_NEAR(scene.world->velocity[ball][2], 0, 1e-15);
  CHECK_NEAR(scene.world->velocity[ball][0], 0.1, 1e-15);
  test_scene_close(&scene);
}

/* Two balls half of D_rupt apart, at rest: with D_form as large as D_rupt they are drawn together
 * (Maury's own law, slide 29) and touch with the energy of the way, E(D); with D_form below the gap
 * they stay. The accounts close in every step, formation included. */
TEST(a_bridge_from_a_distance_draws_two_balls_together) {
  const double R = 1e-3, D = 0.5 * D_rupt;
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int draws = 0; draws < 2; draws++) {
      TestScene scene;
      test_scene_open(&scene, 3, schemes[s], 1e-6, "coulomb capillary");
      scene.gravity[2] = 0;
      const int one = test_scene_sphere(&scene, R, 0, 0, 0);
      const int two = test_scene_sphere(&scene, R, 2 * R + D, 0, 0);
      test_scene_set(&scene, 1, "gamma", gamma_water);
      test_scene_set(&scene, 1, "A", A);
      test_scene_set(&scene, 1, "B", B);
      test_scene_set(&scene, 1, "C", C);
      test_scene_set(&scene, 1, "D_rupt", D_rupt);
      test_scene_set(&scene, 1, "radius", r_common); /* that of bridge_energy() */
      test_scene_set(&scene, 1, "D_form", draws ? 1 : 0.9 * D);
      double fastest = 0, m = scene.world->mass[one];
      for (int k = 0; k < 20000; k++) {
        test_scene_run(&scene, 1);
        const double(*v)[6] = (const double(*)[6])scene.world->velocity;
        fastest = fmax(fastest, v[one][0] - v[two][0]);
        CHECK_NEAR(v[one][0] + v[two][0], 0, 1e-12);
      }
      const double gap = scene.world->position[two][0] - scene.world->position[one][0] - 2 * R;
      CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-10 * bridge_energy(D_rupt));
      if (draws) {
        CHECK_NEAR(0.25 * m * fastest * fastest, bridge_energy(D), 1e-2 * bridge_energy(D));
        CHECK_NEAR(gap, 0, 1e-9);
      } else {
        CHECK_NEAR(gap, D, 1e-15);
        CHECK(fastest == 0);
      }
      test_scene_close(&scene);
    }
}

/* And back: what a ball loses on its way out of a bridge that forms at D_rupt it has won on its way
 * in, but for the shock. From a gap of D it leaves with what it has above E(D_rupt) - E(D). */
TEST(a_bridge_from_a_distance_takes_nothing) {
  const double D = 0.5 * D_rupt;
  for (int s = 0; s < DLS_COUNT(schemes); s++) {
    TestScene scene;
    const int ball = touching_ball(&scene, schemes[s], 1e-6, "coulomb capillary");
    test_scene_set(&scene, 1, "gamma", gamma_water);
    test_scene_set(&scene, 1, "A", A);
    test_scene_set(&scene, 1, "B", B);
    test_scene_set(&scene, 1, "C", C);
    test_scene_set(&scene, 1, "D_rupt", D_rupt);
    test_scene_set(&scene, 1, "D_form", D_rupt);
    const double way = bridge_energy(D_rupt) - bridge_energy(D), m = scene.world->mass[ball];
    scene.world->position[ball][2] += D;
    scene.world->velocity[ball][2] = sqrt(2 * 1.5 * way / m);
    test_scene_run(&scene, 50000);
    const double v = scene.world->velocity[ball][2];
    CHECK(scene.world->position[ball][2] - 0.01 > D_rupt);
    CHECK_NEAR(0.5 * m * v * v, 0.5 * way, 1e-2 * way);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-10 * way);
    test_scene_close(&scene);
  }
}
