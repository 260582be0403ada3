/* The laws of films, glue, springs and bonds in simulations of spheres, against closed forms: what
 * law_point.h cannot see, detection, the reduced mass and radius, states that travel from step to
 * step, the accounts. */
#include "tests/simulating.h"

static const double pi = 3.14159265358979323846;
static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* q at `end` from q' = u0 - K/m ln(q/q0), by Runge and Kutta's method. */
static double film_gap(double u0, double q0, double K, double m, double end) {
  const int steps = 20000;
  const double h = end / steps;
  double q = q0;
  for (int i = 0; i < steps; i++) {
    const double a = u0 - K / m * log(q / q0), b = u0 - K / m * log((q + h / 2 * a) / q0);
    const double c = u0 - K / m * log((q + h / 2 * b) / q0);
    q += h / 6 * (a + 2 * b + 2 * c + u0 - K / m * log((q + h * c) / q0));
  }
  return q;
}

/* Maury's slide 54, for two spheres of radii R and 2R: m and R are reduced, K = 6 pi eta R². */
TEST(two_lubricated_spheres) {
  const double R = 0.02, eta = 2, q0 = 2e-3, v = 0.05, h = 1e-4;
  for (int k = 0; k < 2; k++) {
    TestScene scene;
    test_scene_open(&scene, 3, schemes[k], h, "lubrication");
    scene.gravity[2] = 0;
    test_scene_set(&scene, 0, "viscosity", eta);
    test_scene_set(&scene, 0, "range", 0.01);
    test_scene_set(&scene, 0, "cutoff", 1e-9);
    const int a = test_scene_sphere(&scene, R, 0, 0, 0);
    const int b = test_scene_sphere(&scene, 2 * R, 3 * R + q0, 0, 0);
    DlsWorld *world = scene.world;
    world->velocity[b][0] = -v;
    const double m = 1 / (1 / world->mass[a] + 1 / world->mass[b]), reduced = 2 * R / 3;
    const double K = 6 * pi * eta * reduced * reduced;
    test_scene_run(&scene, 500);
    const double gap = world->position[b][0] - world->position[a][0] - 3 * R;
    const double exact = film_gap(-v, q0, K, m, 500 * h);
    CHECK(exact < 0.9 * q0); /* something happened */
    CHECK_NEAR(gap, exact, 5e-3 * q0);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-12);
    test_scene_close(&scene);
  }
}

static void reversed(void *context, double t, double out[3]) {
  (void)context;
  out[0] = out[1] = 0;
  out[2] = t < 0.1 ? -test_g : 2 * test_g;
}

/* Slide 57: pressed by its weight for 0.1 s and thrown down at v, then pulled by twice its weight:
 * let go when 2 g (t - 0.1) = 0.1 g + v; then x = g (t - t0)². */
TEST(gluey_ball_is_let_go_in_time) {
  for (int k = 0; k < 2; k++)
    for (int thrown = 0; thrown < 2; thrown++) {
      const double h = 1e-4, v = thrown ? 0.5 : 0,
                   release = 0.1 + (0.1 * test_g + v) / (2 * test_g);
      TestScene scene;
      test_scene_open(&scene, 3, schemes[k], h, "gluey");
      scene.simulation->settings.influence.gravity = reversed;
      scene.simulation->settings.limits.tolerance =
          1e-9; /* at release r + |gamma| is all round-off */
      test_scene_boundary(&scene, 0);
      const int ball = test_scene_sphere(&scene, 0.1, 0, 0, thrown ? 0.101 : 0.1);
      scene.world->velocity[ball][2] = -v;
      test_scene_run(&scene, (long)(release / h) - 2);
      const double held = scene.world->position[ball][2];
      CHECK_NEAR(held, 0.1, 1e-4);
      CHECK_NEAR(scene.world->velocity[ball][2], 0, 1e-6);
      const long rest = 500;
      test_scene_run(&scene, rest);
      const double flight = scene.simulation->state.time - release;
      CHECK_NEAR(scene.world->velocity[ball][2], 2 * test_g * flight, 1e-6);
      CHECK_NEAR(scene.world->position[ball][2] - held, test_g * flight * flight, 2e-4);
      test_scene_close(&scene);
    }
}

/* Two spheres of different masses meet by Hertz's law: the reduced mass sets restitution and
 * momentum is kept. */
TEST(spheres_bounce_as_asked) {
  const double asked[] = {0.4, 0.8};
  for (int k = 0; k < 2; k++)
    for (int e = 0; e < 2; e++) {
      TestScene scene;
      test_scene_open(&scene, 3, schemes[k], 1e-6, "viscoelastic");
      scene.gravity[2] = 0;
      test_scene_set(&scene, 0, "k", 1e8);
      test_scene_set(&scene, 0, "exponent", 1.5);
      test_scene_set(&scene, 0, "restitution", asked[e]);
      const int a = test_scene_sphere(&scene, 0.02, 0, 0, 0);
      const int b = test_scene_sphere(&scene, 0.03, 0.0500005, 0, 0);
      DlsWorld *world = scene.world;
      world->velocity[a][0] = 1;
      const double momentum = world->mass[a];
      test_scene_run(&scene, 2000);
      CHECK_NEAR(world->velocity[b][0] - world->velocity[a][0], asked[e], 0.01);
      CHECK_NEAR(world->mass[a] * world->velocity[a][0] + world->mass[b] * world->velocity[b][0],
                 momentum, 1e-12);
      test_scene_close(&scene);
    }
}

/* A bouncing ball on a spring that keeps energy: it comes back to the height it fell from, and the
 * accounts close. */
TEST(elastic_ball_comes_back) {
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 2e-5, "elastic");
  test_scene_set(&scene, 0, "k", 1e7);
  test_scene_set(&scene, 0, "exponent", 1.5);
  test_scene_set(&scene, 0, "midpoint", 1);
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, 0.05, 0, 0, 0.07);
  double top = 0;
  bool hit = false;
  for (int i = 0; i < 8000; i++) {
    test_scene_run(&scene, 1);
    hit |= scene.world->velocity[ball][2] > 0;
    if (hit) top = fmax(top, scene.world->position[ball][2]);
  }
  CHECK_NEAR(top, 0.07, 2e-4);
  test_scene_close(&scene);
}

/* A chain hung from a ceiling: it holds while the weight is below the strength of its uppermost
 * bond. */
TEST(chains_hold_what_their_bonds_carry) {
  const char *const laws[] = {"mohr-coulomb", "mortar"};
  for (int k = 0; k < 2; k++)
    for (int over = 0; over < 2; over++) {
      enum { N = 4 };
      TestScene scene;
      const double R = 0.05, A = 1e-3, h = 2e-4;
      test_scene_open(&scene, 3, &dls_scheme_moreau, h, laws[k]);
      scene.gravity[2] = test_g; /* up, away from the floor */
      test_scene_boundary(&scene, 0);
      for (int i = 0; i < N; i++) test_scene_sphere(&scene, R, 0, 0, (2 * i + 1) * R);
      const double load = N * scene.world->mass[0] * test_g, strength = load / A;
      test_scene_set(&scene, 0, "area", A);
      if (k == 0)
        test_scene_set(&scene, 0, "tension", strength / (over ? 1.05 : 0.95));
      else { /* laid under its load at once, a spring swings to twice what it carries at rest */
        test_scene_set(&scene, 0, "f_t", strength / (over ? 1.05 : 0.45));
        test_scene_set(&scene, 0, "k_n", 1e9);
      }
      scene.simulation->settings.limits.tolerance = 1e-10;
      test_scene_run(&scene, 1000);
      const double fallen = scene.world->position[0][2] - R;
      CHECK(over ? fallen > 0.1 : fabs(fallen) < 1e-4);
      test_scene_close(&scene);
    }
}
