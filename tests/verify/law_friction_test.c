/* coulomb's restitution by speed, coulomb-anisotropic and rolling against closed forms. */
#include "tests/one_contact.h"
#include "tests/simulating.h"

static const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};

/* rho(v): none below v_bounce, constant up to v_yield, then with the power. */
TEST(restitution_follows_the_speed_of_the_impact) {
  const double speeds[] = {0.01, 0.0999, 0.1, 0.5, 1, 4, 16};
  const double expected[] = {0, 0, 0.8, 0.8, 0.8, 0.8 / sqrt(2), 0.4};
  for (int dim = 2; dim <= 3; dim++)
    for (int k = 0; k < DLS_COUNT(speeds); k++) {
      OneContact one;
      const double f[3] = {0};
      one_open(&one, dim, dim, 1e-3, 2);
      one_add(&one, "coulomb");
      one_set(&one, "rho", 0.8);
      one_set(&one, "v_bounce", 0.1);
      one_set(&one, "v_yield", 1);
      one.u[0] = -speeds[k];
      one_step(&one, f);
      CHECK_NEAR(one.u[0], expected[k] * speeds[k], 1e-14);
    }
}

/* Bounces end where the ball comes down slower than v_bounce: sqrt(2 g H) rho^n < v_bounce. */
TEST(bounces_end_below_the_threshold) {
  TestScene scene;
  const double h = 1e-4, radius = 0.05, height = 0.1, rho = 0.6, v_bounce = 0.2;
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "coulomb");
  test_scene_set(&scene, 0, "rho", rho);
  test_scene_set(&scene, 0, "v_bounce", v_bounce);
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + height);
  int bounces = 0;
  double before = 0;
  for (int k = 0; k < 10000; k++) {
    test_scene_run(&scene, 1);
    const double v = scene.world->velocity[ball][2];
    bounces += before < -0.01 && v > 0.01;
    before = v;
  }
  const double impact = sqrt(2 * test_g * height);
  CHECK_INT(bounces, (int)ceil(log(v_bounce / impact) / log(rho)));
  CHECK_NEAR(scene.world->velocity[ball][2], 0, 1e-12);
  test_scene_close(&scene);
}

/* The slope at which friction of the ellipse (mu1, mu2) gives way at an angle to its first axis. */
static double repose(double mu1, double mu2, double angle) {
  return atan(1 / hypot(cos(angle) / mu1, sin(angle) / mu2));
}

/* A block on three feet that cannot turn, on a floor whose grain is turned by `grain` in its plane;
 * gravity is tilted by `slope` along x. Returns how fast it slides after some steps, and where
 * to. */
static double slide(const DlsScheme *scheme, double mu1, double mu2, double grain, double slope,
                    double velocity[3]) {
  TestScene scene;
  const double R = 0.02, L = 0.1, h = 1e-3;
  const DlsElement feet[3] = {{{L, 0, 0}, R}, {{-L, L, 0}, R}, {{-L, -L, 0}, R}};
  test_scene_open(&scene, 3, scheme, h, "coulomb-anisotropic");
  test_scene_set(&scene, 0, "mu1", mu1);
  test_scene_set(&scene, 0, "mu2", mu2);
  DlsBoundary *floor = test_scene_boundary(&scene, 0);
  floor->orientation[0] = cos(grain / 2);
  floor->orientation[3] = sin(grain / 2);
  const int block = test_scene_body(&scene, 3, feet, 0, 0, R);
  scene.world->fixed[block] = DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
  scene.gravity[0] = test_g * sin(slope);
  scene.gravity[2] = -test_g * cos(slope);
  test_scene_run(&scene, 20);
  memcpy(velocity, scene.world->velocity[block], 3 * sizeof *velocity);
  test_scene_close(&scene);
  return hypot(velocity[0], velocity[1]);
}

/* Held below the angle of repose of its direction, sliding above; the angle between is that of the
 * ellipse to 0.1 %. */
TEST(angle_of_repose_follows_the_ellipse) {
  const double mu1 = 0.3, mu2 = 0.7, pi = 3.14159265358979324;
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int k = 0; k < 7; k++) {
      double v[3];
      const double grain = k * pi / 12, limit = repose(mu1, mu2, grain);
      CHECK_BELOW(slide(schemes[s], mu1, mu2, grain, 0.999 * limit, v), 1e-10);
      CHECK(slide(schemes[s], mu1, mu2, grain, 1.001 * limit, v) > 1e-5);
    }
}

/* It slides not down the slope but so that friction opposes by the normal of the ellipse: just
 * beyond repose along (r1/mu1², r2/mu2²), with r along the slope. */
TEST(sliding_turns_towards_the_slippery_axis) {
  const double mu1 = 0.3, mu2 = 0.7, grain = 0.6;
  double v[3];
  slide(&dls_scheme_moreau, mu1, mu2, grain, 1.0001 * repose(mu1, mu2, grain), v);
  /* In the axes of the floor the pull is along (cos, -sin); back in space turned by grain. */
  const double along = cos(grain) / (mu1 * mu1), across = -sin(grain) / (mu2 * mu2);
  const double x = along * cos(grain) - across * sin(grain);
  const double y = along * sin(grain) + across * cos(grain);
  CHECK_NEAR(atan2(v[1], v[0]), atan2(y, x), 2e-3);
}

/* The direction may be the candidate's: t1 then follows that body's axes. */
TEST(the_direction_belongs_to_the_chosen_body) {
  const DlsLaw *law = NULL;
  double params[DLS_MAX_PARAMS], t1[3];
  CHECK_OK(dls_law_find("coulomb-anisotropic", &law));
  dls_law_defaults(law, params);
  CHECK_OK(dls_law_set(law, params, "x", 1));
  CHECK_OK(dls_law_set(law, params, "y", 2));
  const DlsContact contact = {
      .dim = 3,
      .block = 3,
      .h = 1e-3,
      .axes = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, {{0, 1, 0}, {-1, 0, 0}, {0, 0, 1}}}};
  CHECK_OK(law->orient(&contact, params, t1));
  CHECK(t1[0] == 1 && t1[1] == 2 && t1[2] == 0);
  CHECK_OK(dls_law_set(law, params, "body", 1));
  CHECK_OK(law->orient(&contact, params, t1));
  CHECK(t1[0] == -2 && t1[1] == 1 && t1[2] == 0);
}

/* A sphere or disk that rolls at v comes to rest after x = v² / 2a, a = g l / R / (1 + J / m R²):
 * 7/5 for a sphere, 3/2 for a disk. */
TEST(a_rolling_sphere_rests_where_rolling_friction_predicts) {
  const double R = 0.05, v = 0.4, length = 5e-3, h = 1e-4;
  for (int s = 0; s < DLS_COUNT(schemes); s++)
    for (int dim = 2; dim <= 3; dim++)
      for (int by_ratio = 0; by_ratio < 2; by_ratio++) {
        TestScene scene;
        test_scene_open(&scene, dim, schemes[s], h, "rolling");
        test_scene_set(&scene, 0, "roll", by_ratio ? 0 : length);
        test_scene_set(&scene, 0, "roll_ratio", by_ratio ? length / R : 0);
        test_scene_boundary(&scene, 0);
        const int ball = test_scene_sphere(&scene, R, 0, dim == 2 ? R : 0, dim == 2 ? 0 : R);
        scene.world->velocity[ball][0] = v;
        scene.world->velocity[ball][dim == 2 ? 5 : 4] = dim == 2 ? -v / R : v / R;
        const double a = test_g * length / R / (dim == 2 ? 1.5 : 1.4);
        test_scene_run(&scene, (long)(1.1 * v / a / h));
        CHECK_NEAR(scene.world->position[ball][0], v * v / (2 * a), v * h);
        CHECK_NEAR(scene.world->velocity[ball][0], 0, 1e-10);
        CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-9);
        test_scene_close(&scene);
      }
}

/* A sphere on a slope stays while tan a <= l / R, after coulomb as well as alone. */
TEST(rolling_friction_holds_a_sphere_on_a_slope) {
  const char *const laws[] = {"rolling", "coulomb rolling"};
  const double R = 0.05, length = 5e-3, h = 1e-3;
  for (int k = 0; k < 2; k++)
    for (int slides = 0; slides < 2; slides++) {
      TestScene scene;
      const double slope = (slides ? 1.01 : 0.99) * atan(length / R);
      test_scene_open(&scene, 3, &dls_scheme_moreau, h, laws[k]);
      test_scene_set(&scene, k, "roll", length);
      test_scene_set(&scene, k, "roll_ratio", 0);
      test_scene_set(&scene, 0, "mu", 0.5);
      scene.gravity[0] = test_g * sin(slope);
      scene.gravity[2] = -test_g * cos(slope);
      test_scene_boundary(&scene, 0);
      const int ball = test_scene_sphere(&scene, R, 0, 0, R);
      test_scene_run(&scene, 100);
      const double a = (test_g * sin(slope) - test_g * cos(slope) * length / R) / 1.4;
      CHECK_NEAR(scene.world->velocity[ball][0], slides ? 0.1 * a : 0, 1e-9);
      test_scene_close(&scene);
    }
}

/* A sphere that spins about the normal at w is at rest after T = w J / (l m g), J = 2/5 m R². */
TEST(a_spinning_sphere_rests_when_torsion_friction_predicts) {
  const double R = 0.05, w = 20, length = 1e-3, h = 1e-4;
  for (int s = 0; s < DLS_COUNT(schemes); s++) {
    TestScene scene;
    test_scene_open(&scene, 3, schemes[s], h, "rolling");
    test_scene_set(&scene, 0, "torsion", length);
    test_scene_set(&scene, 0, "torsion_ratio", 0);
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, R, 0, 0, R);
    scene.world->velocity[ball][5] = w;
    const double T = w * 0.4 * R * R / (length * test_g);
    test_scene_run(&scene, (long)(0.5 * T / h));
    CHECK_NEAR(scene.world->velocity[ball][5], 0.5 * w, 1e-3 * w);
    test_scene_run(&scene, (long)(0.49 * T / h));
    CHECK(scene.world->velocity[ball][5] > 0.005 * w);
    test_scene_run(&scene, (long)(0.02 * T / h));
    CHECK_NEAR(scene.world->velocity[ball][5], 0, 1e-10);
    test_scene_close(&scene);
  }
}

/* Torques are small numbers beside forces where grains are small; the error that ends a solve
 * counts them all the same, so that the tolerance of a run stops a millimetre's spin too. */
TEST(the_tolerance_of_a_run_sees_torques) {
  const double R = 1e-3, w = 100, ratio = 0.02, h = 1e-4;
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "coulomb rolling");
  test_scene_set(&scene, 1, "torsion_ratio", ratio);
  scene.simulation->settings.limits.tolerance = 1e-4;
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, R, 0, 0, R);
  scene.world->velocity[ball][5] = w;
  test_scene_run(&scene, (long)(1.05 * w * 0.4 * R / (ratio * test_g) / h));
  CHECK_BELOW(fabs(scene.world->velocity[ball][5]), 1e-3 * w);
  test_scene_close(&scene);
}

/* An ellipse together with rolling and torsion friction, in one contact: a ball that slides, rolls
 * and spins. Sliding is normal to the ellipse, with the reaction on it; the torques are at their
 * lengths times r_N, against the spins. */
TEST(an_ellipse_slides_beside_rolling_and_torsion) {
  const double R = 0.05, mu1 = 0.1, mu2 = 0.4, roll = 2e-3, torsion = 1e-3, h = 1e-4;
  for (int s = 0; s < DLS_COUNT(schemes); s++) {
    TestScene scene;
    test_scene_open(&scene, 3, schemes[s], h, "coulomb-anisotropic rolling");
    test_scene_set(&scene, 0, "mu1", mu1);
    test_scene_set(&scene, 0, "mu2", mu2);
    test_scene_set(&scene, 1, "roll", roll);
    test_scene_set(&scene, 1, "roll_ratio", 0);
    test_scene_set(&scene, 1, "torsion", torsion);
    test_scene_set(&scene, 1, "torsion_ratio", 0);
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, R, 0, 0, R);
    double *v = scene.world->velocity[ball];
    v[0] = 1;
    v[1] = -0.7;
    v[3] = 5;
    v[4] = 3;
    v[5] = 20;
    test_scene_run(&scene, 20);
    const double *r = scene.simulation->last.assembly.solve.r;
    const double *frame = scene.simulation->last.contacts.frame[0];
    /* Of the point that touches, v + w x (-R n), and of the spins, along t1 and t2. */
    const double point[3] = {v[0] - v[4] * R, v[1] + v[3] * R, 0};
    const double slip[2] = {dls_vector_dot(frame + 3, point), dls_vector_dot(frame + 6, point)};
    const double spin[2] = {dls_vector_dot(frame + 3, v + 3), dls_vector_dot(frame + 6, v + 3)};
    CHECK_INT(scene.simulation->last.assembly.step.count, 1);
    CHECK(r[0] > 0);
    CHECK_NEAR(hypot(r[1] / mu1, r[2] / mu2), r[0], 1e-9 * r[0]);
    const double along[2] = {-r[1] / (mu1 * mu1), -r[2] / (mu2 * mu2)};
    const double size = hypot(along[0], along[1]), speed = hypot(slip[0], slip[1]);
    CHECK(speed > 0.1);
    CHECK_NEAR(slip[0] / speed, along[0] / size, 1e-6);
    CHECK_NEAR(slip[1] / speed, along[1] / size, 1e-6);
    CHECK_NEAR(r[3], -roll * r[0] * spin[0] / hypot(spin[0], spin[1]), 1e-6 * roll * r[0]);
    CHECK_NEAR(r[4], -roll * r[0] * spin[1] / hypot(spin[0], spin[1]), 1e-6 * roll * r[0]);
    CHECK_NEAR(r[5], -torsion * r[0], 1e-9 * torsion * r[0]);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-9);
    test_scene_close(&scene);
  }
}

/* What rolls without slip does not feel the ellipse: a ball on a slope stays up to tan a = l / R
 * and rolls beyond by (g sin a - g cos a l / R) / (7/5), whichever way the grain lies. */
TEST(a_ball_on_a_grained_slope_rolls_by_its_length) {
  const double R = 0.05, length = 5e-3, h = 1e-3;
  for (int k = 0; k < 6; k++) {
    TestScene scene;
    const double slope = (k % 2 ? 1.01 : 0.99) * atan(length / R), grain = 0.7 * (k / 2);
    test_scene_open(&scene, 3, &dls_scheme_moreau, h, "coulomb-anisotropic rolling");
    test_scene_set(&scene, 1, "roll", length);
    test_scene_set(&scene, 1, "roll_ratio", 0);
    scene.gravity[0] = test_g * sin(slope);
    scene.gravity[2] = -test_g * cos(slope);
    DlsBoundary *floor = test_scene_boundary(&scene, 0);
    floor->orientation[0] = cos(grain / 2);
    floor->orientation[3] = sin(grain / 2);
    const int ball = test_scene_sphere(&scene, R, 0, 0, R);
    test_scene_run(&scene, 100);
    const double a = (test_g * sin(slope) - test_g * cos(slope) * length / R) / 1.4;
    CHECK_NEAR(scene.world->velocity[ball][0], k % 2 ? 0.1 * a : 0, 1e-9);
    CHECK_NEAR(scene.world->velocity[ball][1], 0, 1e-9);
    test_scene_close(&scene);
  }
}
