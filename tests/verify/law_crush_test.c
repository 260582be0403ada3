/* A contact that crushes, driven along a closed path of overlap and in simulations: the
 * force-indentation loop and its area, the dent that stays, and the patch that remembers it. */
#include "tests/simulating.h"

#include "law_bench/point.h"

#include <math.h>

static const double pi = 3.14159265358979323846;
static const double k = 1e6, strength = 100; /* N/m, N */

/* A point of the law, radius 5 mm, that a machine drives. */
static DlsPoint begin(int dim, double pressure) {
  const DlsLaw *law;
  double params[DLS_MAX_PARAMS];
  DlsPoint point = {0};
  CHECK_OK(dls_law_find("crush", &law));
  dls_law_defaults(law, params);
  CHECK_OK(dls_law_set(law, params, "k", k));
  CHECK_OK(dls_law_set(law, params, "strength", strength));
  CHECK_OK(dls_law_set(law, params, "pressure", pressure));
  CHECK_OK(dls_law_set(law, params, "thickness", 0.01));
  CHECK_OK(dls_point_begin(law, params, dim, 0, 1, &point));
  point.machine = 1e12;
  point.contact.area = 0; /* not known: strength is that of the contact */
  return point;
}

static double dent(const DlsPoint *point) { return point->surface[0][0] + point->surface[1][0]; }

/* In `steps` steps from the overlap of now to x; returns the force of the last one, N. */
static double go(DlsPoint *point, double x, int steps) {
  const double h = 1e-3, way = x + point->contact.gap; /* more overlap */
  DlsDrive drive[DLS_MAX_BLOCK] = {{false, 0}};
  drive[0].value = -way / (h * steps);
  for (int n = 0; n < steps; n++) CHECK_OK(dls_point_step(point, h, drive));
  return point->r[0] / h;
}

/* What the dent of overlap x is, and the force there, on the way of first loading. */
static double first_dent(int dim, double pressure, double x) {
  const double R = 0.005, H = 2 * pi * R * pressure;
  if (k * x <= strength) return 0;
  if (dim == 3) return (k * x - strength) / (k + H);
  const double a = pressure * 0.01 * 2 * sqrt(2 * R);
  const double s = (-a + sqrt(a * a + 4 * k * (k * x - strength))) / (2 * k);
  return s * s;
}

/* Load to 0.4 mm, unload, load again to 0.6 mm, part: the path of the force in closed form at every
 * corner, whatever the number of steps, and the dent that is left. */
TEST(the_force_indentation_loop_is_that_of_the_closed_form) {
  const double pressures[] = {0, 1e7, 2e8};
  for (int dim = 2; dim <= 3; dim++)
    for (int n = 0; n < DLS_COUNT(pressures); n++)
      for (int steps = 1; steps <= 64; steps *= 8) {
        const double pressure = pressures[n];
        DlsPoint point = begin(dim, pressure);
        CHECK_NEAR(go(&point, 5e-5, steps), k * 5e-5, 1e-6 * strength); /* elastic */
        CHECK_NEAR(dent(&point), 0, 0);
        CHECK_NEAR(go(&point, 0, steps), 0, 1e-9 * strength);
        const double D = first_dent(dim, pressure, 4e-4), peak = k * (4e-4 - D);
        CHECK_NEAR(go(&point, 4e-4, steps), peak, 1e-6 * peak);
        CHECK_NEAR(dent(&point), D, 1e-6 * D);
        if (pressure == 0) CHECK_NEAR(peak, strength, 1e-9 * strength);
        /* half way down: elastic, along k */
        CHECK_NEAR(go(&point, 4e-4 - 0.5 * peak / k, steps), 0.5 * peak, 1e-5 * peak);
        CHECK_NEAR(go(&point, D / 2, steps), 0, 1e-9 * peak);   /* apart within the dent */
        CHECK_NEAR(go(&point, 4e-4, steps), peak, 1e-5 * peak); /* along k again */
        CHECK_NEAR(dent(&point), D, 1e-5 * D);
        const double more = first_dent(dim, pressure, 6e-4);
        CHECK_NEAR(go(&point, 6e-4, steps), k * (6e-4 - more), 1e-5 * peak);
        CHECK_NEAR(go(&point, -1e-4, steps), 0, 0);
        CHECK_NEAR(dent(&point), more, 1e-5 * more);
        CHECK_NEAR(point.surface[0][0], point.surface[1][0], 1e-12 * more);
      }
}

/* The energy of the loop: with a constant cap, S times the dent; with a ball's, S D + H D²/2. What
 * is done on the contact is stored or dissipated, and in the end nothing is stored. The path is
 * that of the implicit step: its work tends to the area with the steps. */
TEST(the_loop_dissipates_its_area) {
  const double pressures[] = {0, 2e8};
  for (int n = 0; n < DLS_COUNT(pressures); n++) {
    double miss[2], bound = 0;
    for (int fine = 0; fine < 2; fine++) {
      DlsPoint point = begin(3, pressures[n]);
      const int steps = fine ? 4000 : 1000;
      (void)go(&point, 4e-4, steps);
      (void)go(&point, -1e-4, steps);
      const double D = first_dent(3, pressures[n], 4e-4), H = 2 * pi * 0.005 * pressures[n];
      const double area = strength * D + 0.5 * H * D * D;
      CHECK_NEAR(point.stored, 0, 0);
      CHECK_NEAR(point.dissipated, point.work, 1e-9 * area);
      miss[fine] = fabs(point.work - area) / area;
      /* J: a step of force at most on the way in, one on the way out */
      if (!fine) bound = k * (4e-4 - D) * (4e-4 + 5e-4) / steps / area;
    }
    CHECK(miss[0] < bound);
    CHECK(miss[1] < 0.3 * miss[0]); /* of first order */
  }
}

/* A ball falls on a floor, crushes it and bounces: what it comes with is F_c D + S²/2k, so that it
 * leaves with the elastic part, S²/2k = m v²/2 (no gravity). By relations and by forces, to the
 * same end as h goes to 0. */
TEST(a_blow_leaves_the_elastic_energy) {
  const double radius = 0.01;
  const DlsScheme *const schemes[] = {&dls_scheme_euler, &dls_scheme_moreau, &dls_scheme_explicit};
  for (int n = 0; n < DLS_COUNT(schemes); n++) {
    double miss[2];
    for (int fine = 0; fine < 2; fine++) {
      TestScene scene;
      const double h = (fine ? 0.25 : 1) * 2e-6, gap = 1e-5;
      test_scene_open(&scene, 3, schemes[n], h, "crush");
      test_scene_set(&scene, 0, "k", k);
      test_scene_set(&scene, 0, "strength", strength);
      scene.gravity[2] = 0;
      test_scene_boundary(&scene, 0);
      const int ball = test_scene_sphere(&scene, radius, 0, 0, radius + gap);
      const double m = scene.world->mass[ball], elastic = 0.5 * strength * strength / k;
      const double v = 2.5 * sqrt(2 * elastic / m);
      scene.world->velocity[ball][2] = -v;
      test_scene_run(&scene, (long)(6e-4 / h));
      const double after = scene.world->velocity[ball][2];
      miss[fine] = fabs(after - sqrt(2 * elastic / m)) / v;
      const DlsSurface *s = dls_surfaces_of(&scene.simulation->state.surfaces, scene.law[0]);
      const double D = (0.5 * m * v * v - elastic) / strength;
      CHECK_INT(s->count, 2); /* one patch of either */
      CHECK_NEAR(s->value[0] + s->value[1], D, 2e-2 * D);
      CHECK(fabs(scene.simulation->state.ledger.balance) <
            1e-2 * scene.simulation->state.ledger.start);
      test_scene_close(&scene);
    }
    if (!(miss[0] < 2e-2 && miss[1] < 0.5 * miss[0] + 1e-6))
      test_fail(__FILE__, __LINE__, "%s: velocity off by %g, with a quarter of the step %g",
                schemes[n]->name, miss[0], miss[1]);
  }
}

/* A crushed patch is remembered: the same ball that comes back there overlaps by the dent before it
 * is touched; on another patch of both it is not. */
TEST(who_comes_back_finds_the_dent) {
  const double radius = 0.01, D = 4e-5;
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_euler, 1e-4, "crush");
  test_scene_set(&scene, 0, "k", k);
  test_scene_set(&scene, 0, "strength", strength);
  scene.gravity[2] = 0;
  test_scene_boundary(&scene, 0);
  const int ball = test_scene_sphere(&scene, radius, 0, 0, radius);
  scene.world->fixed[ball] = DLS_FIXED_ALL & ~DLS_FIXED_X; /* held, but for what nothing pushes */
  const double depth[] = {strength / k + D, -1e-4, 0.9 * D, 0.9 * D};
  const double force[] = {strength, 0, 0, k * 0.9 * D}; /* pressed, away, back, elsewhere */
  for (int n = 0; n < DLS_COUNT(depth); n++) {
    double *x = scene.world->position[ball];
    x[2] = radius - depth[n];
    if (n == 3) { /* another patch of the floor, and of the ball */
      const double turn[3] = {1.5, 0, 0};
      x[0] = 0.1;
      dls_rotation_exp(turn, scene.world->orientation[ball]);
    }
    test_scene_run(&scene, 1);
    const DlsAssembly *a = &scene.simulation->last.assembly;
    const double f = a->step.count ? a->solve.r[0] / 1e-4 : 0;
    CHECK_NEAR(f, force[n], 1e-6 * strength);
  }
  test_scene_close(&scene);
}

/* The words of the law: unhurt, crushing, crushed. */
TEST(the_status_of_the_contact_is_reported) {
  const double overlap[] = {0.5 * strength / k, 1.2 * strength / k, 1.1 * strength / k};
  DlsPoint point = begin(3, 0);
  for (int n = 0; n < 3; n++) {
    DlsContact c = dls_point_contact(&point);
    c.h = 1e-3;
    const double before[2] = {point.surface[0][0], point.surface[1][0]};
    (void)go(&point, overlap[n], 1);
    c.surface[0] = &before[0], c.surface[1] = &before[1];
    const DlsLawUse use = {
        .law = point.law, .kinematics = &c, .params = point.params, .state = point.state};
    double limit = NAN, bears;
    int word;
    CHECK_OK(dls_law_report(&use, point.u, point.r, &word, &limit, &bears));
    CHECK_INT(word, n);
    CHECK_NEAR(bears, strength, 1e-9 * strength);
    CHECK_NEAR(limit, 0, 0); /* mu is 0 */
  }
}
