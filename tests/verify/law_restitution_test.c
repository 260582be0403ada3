/* Restitution of every law that has it, in every scheme with inertia. Laws are found by their
 * parameters: `rho` is restitution along the normal, `tau` along the tangents. A new law with
 * either is covered as soon as it is built. */
#include "tests/simulating.h"

#include <stdio.h>

typedef struct {
  const DlsScheme *scheme;
  double theta;
  int signed_gap;
} Way;

static const Way ways[] = {
    {&dls_scheme_moreau, 0, 0}, {&dls_scheme_moreau, 0.5, 0}, {&dls_scheme_moreau, 0.75, 0},
    {&dls_scheme_moreau, 1, 0}, {&dls_scheme_euler, 0.5, 0},  {&dls_scheme_euler, 0.5, 1},
};

static bool has(const DlsLaw *law, const char *name) {
  for (int k = 0; k < law->nparams; k++)
    if (strcmp(law->params[k].name, name) == 0 && strstr(law->params[k].meaning, "restitution"))
      return true;
  return false;
}

static bool has_any(const DlsLaw *law, const char *name) {
  for (int k = 0; k < law->nparams; k++)
    if (strcmp(law->params[k].name, name) == 0) return true;
  return false;
}

/* Names of the laws with the parameter; at least `least` are there. */
static int laws_with(const char *parameter, int least, char names[][64], int most) {
  const DlsLaw *const *laws;
  int count, found = 0;
  CHECK_OK(dls_law_list(&laws, &count));
  for (int k = 0; k < count && found < most; k++)
    if (has(laws[k], parameter)) snprintf(names[found++], 64, "%s", laws[k]->name);
  CHECK(found >= least);
  return found;
}

static void open_way(TestScene *scene, int dim, const Way *way, double h, const char *law) {
  test_scene_open(scene, dim, way->scheme, h, law);
  scene->simulation->settings.theta = way->theta;
  scene->simulation->settings.signed_gap = way->signed_gap;
  test_scene_boundary(scene, 0);
}

/* Released at a height H over the floor, the ball comes back to e² H. What the step may change: it
 * collides up to h v early or late (v² = 2 g H), at a speed wrong by up to g h, and flies on with
 * another g h / 2: h v each. */
TEST(a_dropped_ball_keeps_e_squared_of_its_height) {
  const double e = 0.7, H = 0.2, radius = 0.05, v = sqrt(2 * test_g * H);
  char names[16][64];
  const int laws = laws_with("rho", 3, names, 16);
  for (int k = 0; k < laws; k++)
    for (int dim = 2; dim <= 3; dim++)
      for (int w = 0; w < DLS_COUNT(ways); w++)
        for (int coarse = 0; coarse < 2; coarse++) {
          const double h = coarse ? 4e-3 : 5e-4;
          TestScene scene;
          open_way(&scene, dim, &ways[w], h, names[k]);
          test_scene_set(&scene, 0, "rho", e);
          const double top = radius + H;
          const int ball =
              test_scene_sphere(&scene, radius, 0, dim == 2 ? top : 0, dim == 3 ? top : 0);
          double highest = 0;
          bool bounced = false;
          for (int n = 0; n * h < v / test_g * (1 + 2 * e); n++) {
            test_scene_run(&scene, 1);
            bounced |= scene.world->velocity[ball][dim - 1] > 0;
            if (bounced) highest = fmax(highest, scene.world->position[ball][dim - 1] - radius);
          }
          if (fabs(highest - e * e * H) > 3 * h * v)
            test_fail(
                __FILE__, __LINE__,
                "%s, %d-D, %s theta %g signed %d, h = %g: back to %.4f of the height, not %.4f",
                names[k], dim, ways[w].scheme->name, ways[w].theta, ways[w].signed_gap, h,
                highest / H, e * e);
          test_scene_close(&scene);
        }
}

/* A ball that slips at 4 m/s as it hits a floor rough enough slips at -tau 4 m/s after, whatever
 * rho is, and stays so: there is no weight that would press it on. */
TEST(slip_is_thrown_back_by_tau) {
  const double radius = 0.05, slip = 4, fall = 2, h = 1e-3;
  const double taus[] = {1, 0.5, -0.5}, rhos[] = {0, 0.5};
  char names[16][64];
  const int laws = laws_with("tau", 1, names, 16);
  for (int k = 0; k < laws; k++)
    for (int dim = 2; dim <= 3; dim++)
      for (int w = 0; w < DLS_COUNT(ways); w++)
        for (int c = 0; c < 6; c++) {
          TestScene scene;
          const double tau = taus[c / 2], rho = rhos[c % 2], top = radius + 0.0103;
          open_way(&scene, dim, &ways[w], h, names[k]);
          scene.gravity[dim - 1] = 0;
          test_scene_set(&scene, 0, "tau", tau);
          if (has(scene.law[0], "rho")) test_scene_set(&scene, 0, "rho", rho);
          if (has_any(scene.law[0], "mu")) test_scene_set(&scene, 0, "mu", 5);
          const int ball =
              test_scene_sphere(&scene, radius, 0, dim == 2 ? top : 0, dim == 3 ? top : 0);
          double *v = scene.world->velocity[ball];
          v[0] = slip;
          v[dim - 1] = -fall;
          test_scene_run(&scene, 20);
          const double rim = dim == 3 ? v[0] - v[4] * radius : v[0] + v[5] * radius;
          const double spin =
              dim == 3 ? v[4] : v[5]; /* it turns about a point up to h v_N off the rim */
          if (fabs(rim + tau * slip) > fabs(spin) * h * fall ||
              (has(scene.law[0], "rho") && fabs(v[dim - 1] - rho * fall) > 1e-9))
            test_fail(__FILE__, __LINE__,
                      "%s, %d-D, %s theta %g signed %d, rho %g, tau %g: slip %.6g m/s, u_N %.6g",
                      names[k], dim, ways[w].scheme->name, ways[w].theta, ways[w].signed_gap, rho,
                      tau, rim, v[dim - 1]);
          test_scene_close(&scene);
        }
}

/* Walton's law of two numbers and a coefficient (Moreau 1994, sec. 2; Foerster et al. 1994), for a
 * ball that comes with slip s > 0 and speed v: it slips at max(-tau s, s - k mu (1 + rho) v) after,
 * k = 1 + m R² / J: 7/2 of a ball, 3 of a disk. Seven angles, sliding to sticking. */
TEST(a_ball_that_slips_through_its_collision_keeps_the_rest) {
  const double radius = 0.05, fall = 2, h = 1e-4, mu = 0.2, rho = 0.8, tau = 0.4;
  for (int dim = 2; dim <= 3; dim++)
    for (int w = 0; w < DLS_COUNT(ways); w++) {
      int slides = 0;
      for (int angle = 1; angle <= 7; angle++) {
        TestScene scene;
        const double slip = fall * tan(angle * M_PI / 16), top = radius + 0.0103;
        const double slid = slip - (dim == 3 ? 3.5 : 3) * mu * (1 + rho) * fall;
        open_way(&scene, dim, &ways[w], h, "coulomb");
        scene.gravity[dim - 1] = 0;
        test_scene_set(&scene, 0, "tau", tau);
        test_scene_set(&scene, 0, "rho", rho);
        test_scene_set(&scene, 0, "mu", mu);
        const int ball =
            test_scene_sphere(&scene, radius, 0, dim == 2 ? top : 0, dim == 3 ? top : 0);
        double *v = scene.world->velocity[ball];
        v[0] = slip;
        v[dim - 1] = -fall;
        test_scene_run(&scene, 100);
        const double spin = dim == 3 ? v[4] : v[5];
        const double rim = dim == 3 ? v[0] - spin * radius : v[0] + spin * radius;
        slides += slid > -tau * slip;
        /* it turns about a point up to h v off the rim */
        CHECK_NEAR(rim, fmax(-tau * slip, slid), fabs(spin) * h * fall + 1e-9);
        CHECK_NEAR(v[dim - 1], rho * fall, 1e-9);
        test_scene_close(&scene);
      }
      CHECK(slides > 0 && slides < 7);
    }
}

/* A coefficient of friction of collisions alone (Moreau 1994, sec. 6, end): a ball that comes with
 * slip s and speed v slips at s - k mu_c (1 + rho) v after, k = 7/2 (disk 3), and then, on the
 * floor under its weight, loses k mu g of it each second. One coefficient would tie the two. Where
 * the approach is slower than v_collision, mu serves both. */
TEST(a_glancing_ball_has_one_friction_in_the_collision_and_another_on_the_floor) {
  const double radius = 0.05, fall = 2, slip = 9, h = 1e-4, mu = 0.3;
  const double own[] = {0, 0.1, 0.6, 2}, from[] = {1e-3, 1.5 * fall};
  for (int dim = 2; dim <= 3; dim++)
    for (int w = 0; w < DLS_COUNT(ways); w++)
      for (int k = 0; k < DLS_COUNT(own) * DLS_COUNT(from); k++) {
        TestScene scene;
        const double top = radius + 0.0103, each = dim == 3 ? 3.5 : 3;
        const double used = from[k / DLS_COUNT(own)] > fall ? mu : own[k % DLS_COUNT(own)];
        open_way(&scene, dim, &ways[w], h, "coulomb");
        scene.gravity[dim - 1] = 0;
        test_scene_set(&scene, 0, "mu", mu);
        test_scene_set(&scene, 0, "mu_collision", own[k % DLS_COUNT(own)]);
        test_scene_set(&scene, 0, "v_collision", from[k / DLS_COUNT(own)]);
        const int ball =
            test_scene_sphere(&scene, radius, 0, dim == 2 ? top : 0, dim == 3 ? top : 0);
        double *v = scene.world->velocity[ball];
        v[0] = slip;
        v[dim - 1] = -fall;
        test_scene_run(&scene, 100);
        const double rim = v[0] + (dim == 3 ? -v[4] : v[5]) * radius;
        const double spin =
            dim == 3 ? v[4] : v[5]; /* it turns about a point up to h v off the rim */
        CHECK_NEAR(rim, fmax(0, slip - each * used * fall), fabs(spin) * h * fall + 1e-9);
        scene.gravity[dim - 1] = -test_g;
        test_scene_run(&scene, 300);
        const double later = v[0] + (dim == 3 ? -v[4] : v[5]) * radius;
        CHECK_NEAR(rim - later, fmin(fmax(rim, 0), each * mu * test_g * 300 * h),
                   fabs(spin) * h * fall + 1e-3 * fabs(rim));
        CHECK_NEAR(v[dim - 1], 0, 1e-9);
        test_scene_close(&scene);
      }
}
