/* Laws of spins beside `rolling`: coupled with sliding, by Hertz's width, and viscous. */
#include "tests/law_point.h"
#include "tests/simulating.h"

#include <math.h>

static const double load = 3; /* N */

/* A contact with spins, at rest, as heavy as asked. */
static void open_spinning(LawPoint *point, const char *law, double mass) {
  point_open(point, law, 3, 1e-3, mass);
  point->contact.block = 6;
  point->contact.radius = 0.02;
}

/* One step of a machine so heavy that it keeps its velocities: slides at v, spins at w about n. */
static void drive(LawPoint *point, double v, double w) {
  const double push[DLS_MAX_BLOCK] = {-load};
  memset(point->u, 0, sizeof point->u);
  point->u[1] = 0.6 * v;
  point->u[2] = -0.8 * v;
  point->u[5] = w;
  point_step(point, push);
}

/* |r_T|² + (r_S/L)² = (mu r_N)², and each part as large as its share of the motion: at speed v and
 * spin w the force is mu N v / sqrt(v² + L² w²), below the mu N of sliding alone. */
TEST(sliding_and_torsion_share_one_ellipsoid) {
  const double mu = 0.4, L = 7e-3;
  for (int k = 0; k <= 20; k++) {
    LawPoint point;
    const double v = cos(0.05 * k * M_PI / 2), w = sin(0.05 * k * M_PI / 2) / 1e-2;
    open_spinning(&point, "sliding-torsion", 1e9);
    point_set(&point, "mu", mu);
    point_set(&point, "length", L);
    point_set(&point, "ratio", 0);
    drive(&point, v, w);
    const double N = point.r[0], whole = hypot(v, L * w);
    const double limit = hypot(hypot(point.r[1], point.r[2]), point.r[5] / L) / (mu * N);
    CHECK_NEAR(limit, 1, 1e-12);
    CHECK_NEAR(point.r[1] / (mu * N), -0.6 * v / whole, 1e-12);
    CHECK_NEAR(point.r[2] / (mu * N), 0.8 * v / whole, 1e-12);
    CHECK_NEAR(point.r[5] / (mu * N * L), -L * w / whole, 1e-12);
    CHECK_NEAR(hypot(point.r[3], point.r[4]), 0, 0);
  }
}

/* A disc that slides and spins stops both at once (Farkas et al. 2003): with this limit v and L w
 * decay along a path where each is slowed by its share. Without the coupling sliding would end
 * first at v / (mu g). Here it goes farther. */
TEST(spin_makes_a_ball_slide_farther) {
  double way[2];
  for (int spins = 0; spins < 2; spins++) {
    LawPoint point;
    open_spinning(&point, "sliding-torsion", 1);
    point_set(&point, "length", 1);
    point_set(&point, "ratio", 0);
    const double weight[DLS_MAX_BLOCK] = {-9.81};
    point.u[1] = 1;
    point.u[5] = spins;
    way[spins] = 0;
    for (int i = 0; i < 2000; i++) {
      point_step(&point, weight);
      way[spins] += point.h * point.u[1];
    }
    CHECK_NEAR(point.u[1], 0, 1e-12);
    CHECK_NEAR(point.u[5], 0, 1e-12);
  }
  const double a = 0.3 * 9.81; /* alone: v²/2a; with v = w L and equal inertia: slowed by a/√2 */
  CHECK_NEAR(way[0], 1 / (2 * a), 1e-3);
  CHECK_NEAR(way[1], sqrt(2) / (2 * a), 1e-3);
}

/* The torque is alpha a N, a = (3 N R / 4 E*)^(1/3) for spheres and 2 sqrt(N R / pi E* l) for disks
 * (eqs. 1.43-1.45), from the second step on. */
TEST(rolling_torque_grows_with_hertz_width) {
  const double R = 0.02, E = 1e7, alpha = 0.2;
  for (int dim = 2; dim <= 3; dim++)
    for (double N = 1e-2; N < 1e4; N *= 10) {
      LawPoint point;
      point_open(&point, "rolling-hertz", dim, 1e-3, 1e9);
      point.contact.block = dim == 2 ? 3 : 6;
      point.contact.radius = R;
      point_set(&point, "young", E);
      point_set(&point, "alpha", alpha);
      for (int i = 0; i < 2; i++) {
        const double push[DLS_MAX_BLOCK] = {-N};
        memset(point.u, 0, sizeof point.u);
        point.u[dim] = 5; /* rolls about t1, in 2-D about z */
        point_step(&point, push);
      }
      const double a = dim == 3 ? cbrt(0.75 * N * R / E) : 2 * sqrt(N * R / (M_PI * E));
      CHECK_NEAR(point.r[dim] / point.h, -alpha * a * N, 1e-6 * alpha * a * N);
    }
}

/* Rough surfaces touch over sqrt(xi R) at least (sec. 1.7): below the force whose width by Hertz is
 * that the length of rolling friction does not know the force, above it roughness does not count.
 */
TEST(roughness_is_the_least_width) {
  const double R = 0.02, E = 1e7, alpha = 0.2, xi = 2e-6, rough = sqrt(xi * R);
  int by_roughness = 0, by_hertz = 0;
  for (int dim = 2; dim <= 3; dim++)
    for (double N = 1e-3; N < 1e4; N *= 10) {
      LawPoint point;
      point_open(&point, "rolling-hertz", dim, 1e-3, 1e9);
      point.contact.block = dim == 2 ? 3 : 6;
      point.contact.radius = R;
      point_set(&point, "young", E);
      point_set(&point, "alpha", alpha);
      point_set(&point, "roughness", xi);
      for (int i = 0; i < 2; i++) {
        const double push[DLS_MAX_BLOCK] = {-N};
        memset(point.u, 0, sizeof point.u);
        point.u[dim] = 5;
        point_step(&point, push);
      }
      const double hertz = dim == 3 ? cbrt(0.75 * N * R / E) : 2 * sqrt(N * R / (M_PI * E));
      *(hertz < rough ? &by_roughness : &by_hertz) += 1;
      CHECK_NEAR(point.r[dim] / point.h, -alpha * fmax(hertz, rough) * N, 1e-6 * alpha * rough * N);
    }
  CHECK(by_roughness > 2 && by_hertz > 2);
}

/* A sphere rolls out: 7/5 v' = -g l / R with l = alpha a of its weight, way v² R 1.4 / (2 g l). */
TEST(a_rolling_sphere_stops_by_hertz_width) {
  const double R = 0.05, v = 0.1, h = 1e-3, E = 1e6, alpha = 0.3;
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, h, "rolling-hertz");
  test_scene_set(&scene, 0, "young", E);
  test_scene_set(&scene, 0, "alpha", alpha);
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, R, 0, 0, R);
  scene.world->velocity[ball][0] = v;
  scene.world->velocity[ball][4] = v / R;
  const double weight = scene.world->mass[ball] * test_g;
  const double slowing = test_g * alpha * cbrt(0.75 * weight * R / E) / R / 1.4;
  test_scene_run(&scene, (long)(1.2 * v / slowing / h));
  CHECK_NEAR(scene.world->position[ball][0], v * v / (2 * slowing), 2 * v * h);
  CHECK_NEAR(scene.world->velocity[ball][0], 0, 1e-10);
  test_scene_close(&scene);
}

/* Viscous rolling never stops a sphere: v' = -v g k / (1.4 R²), an exponential. */
TEST(viscous_rolling_decays_exponentially) {
  const double R = 0.05, v = 0.1, k = 1e-4, T = 0.5;
  double error[3];
  for (int n = 0; n < 3; n++) {
    const double h = 2e-3 / (1 << n);
    TestScene scene;
    test_scene_open(&scene, 3, &dls_scheme_moreau, h, "rolling-viscous");
    test_scene_set(&scene, 0, "viscous", k);
    test_scene_boundary(&scene, 0);
    const int ball = test_scene_sphere(&scene, R, 0, 0, R);
    scene.world->velocity[ball][0] = v;
    scene.world->velocity[ball][4] = v / R;
    test_scene_run(&scene, lround(T / h));
    error[n] = scene.world->velocity[ball][0] - v * exp(-test_g * k / (1.4 * R * R) * T);
    test_scene_close(&scene);
  }
  CHECK(fabs(error[0]) < 1e-3 * v); /* of order h: h/2 times the rate, 0.28/s, times T */
  CHECK_NEAR(error[1] / error[0], 0.5, 0.02);
  CHECK_NEAR(error[2] / error[1], 0.5, 0.02);
}
