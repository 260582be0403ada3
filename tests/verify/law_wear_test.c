/* Archard's wear in a simulation: a body that is pressed with F and dragged by s loses, together
 * with what it slides on, V = k F s / hardness; spread over an area A that is V / A deep, and the
 * body sinks by it. */
#include "tests/simulating.h"

#include <limits.h>
#include <math.h>

static const double radius = 0.05, speed = 0.2;

enum { VOLUME, DEPTH };

/* The sum of a variable over all patches of a body, or of boundary -1 - who. */
static double sum_of(const TestScene *scene, const DlsLaw *law, int who, int variable) {
  const DlsSurface *s = dls_surfaces_of(&scene->simulation->state.surfaces, law);
  double sum = 0;
  for (int k = 0; s && k < s->count; k++)
    if (dls_surface_owner(scene->world, &s->key[k]) == who)
      sum += s->value[k * law->nsurfaces + variable];
  return sum;
}

/* A ball that slides along x without turning. */
static int slider(TestScene *scene) {
  test_scene_boundary(scene, 0);
  const int up = scene->world->dim - 1;
  const int ball = test_scene_sphere(scene, radius, 0, up == 1 ? radius : 0, up == 2 ? radius : 0);
  scene->world->fixed[ball] |= DLS_FIXED_X | DLS_FIXED_TURN_X | DLS_FIXED_TURN_Y | DLS_FIXED_TURN_Z;
  scene->world->velocity[ball][0] = speed;
  return ball;
}

/* In both spaces, both schemes, alone and after another law, with the friction of either. */
TEST(worn_volume_is_k_F_s_over_hardness) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  const double k = 3e-3, hardness = 2e7, share = 0.8, end = 0.4;
  for (int dim = 2; dim <= 3; dim++)
    for (int scheme = 0; scheme < 2; scheme++)
      for (int after = 0; after < 2; after++) {
        TestScene scene;
        test_scene_open(&scene, dim, schemes[scheme], 1e-3, after ? "coulomb wear" : "wear");
        test_scene_set(&scene, after, "k", k);
        test_scene_set(&scene, after, "hardness", hardness);
        test_scene_set(&scene, after, "share", share);
        if (dim == 2) scene.simulation->settings.patches.cell = 0.03;
        const int ball = slider(&scene);
        test_scene_run(&scene, 400);
        const double force = scene.world->mass[ball] * test_g, way = speed * end;
        const double worn = k * force * way / hardness;
        const double own = sum_of(&scene, scene.law[after], ball, VOLUME);
        const double floor = sum_of(&scene, scene.law[after], -1, VOLUME);
        CHECK_NEAR(own + floor, worn, 1e-9 * worn);
        CHECK_NEAR(own, share * worn, 1e-9 * worn);
        CHECK_NEAR(sum_of(&scene, scene.law[after], ball, DEPTH), 0, 0); /* no area is known */
        test_scene_close(&scene);
      }
}

/* The floor does not wear (share = 1): one patch of the body takes it all, d = V / A = k F s / (H
 * A), and the body stands so much lower than at the start. */
TEST(a_body_sinks_by_the_depth_that_it_has_worn) {
  const DlsScheme *const schemes[] = {&dls_scheme_moreau, &dls_scheme_euler};
  const double k = 1e-2, hardness = 1e7, area = 1e-4, end = 0.5;
  for (int scheme = 0; scheme < 2; scheme++) {
    TestScene scene;
    test_scene_open(&scene, 3, schemes[scheme], 1e-3, "coulomb wear");
    test_scene_set(&scene, 1, "k", k);
    test_scene_set(&scene, 1, "hardness", hardness);
    test_scene_set(&scene, 1, "area", area);
    test_scene_set(&scene, 1, "share", 1);
    const int ball = slider(&scene);
    const double height = scene.world->position[ball][2];
    test_scene_run(&scene, 500);
    const double force = scene.world->mass[ball] * test_g;
    const double depth = k * force * speed * end / (hardness * area);
    CHECK(depth > 1e-5); /* well above what a solver leaves */
    CHECK_NEAR(sum_of(&scene, scene.law[1], ball, DEPTH), depth, 1e-3 * depth);
    CHECK_NEAR(height - scene.world->position[ball][2], depth, 5e-3 * depth); /* a step or two */
    test_scene_close(&scene);
  }
}

/* The floor wears alone (share = 0): where the ball has been it is lower, by the same depth in
 * every cell that was crossed as a whole, k F / (H A) times the cell; elsewhere it is as it was. */
TEST(a_groove_stays_where_the_body_has_been) {
  const double k = 1e-3, hardness = 1e7, area = 1e-4, cell = 0.01, h = 1e-3;
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_euler, h, "wear");
  test_scene_set(&scene, 0, "k", k);
  test_scene_set(&scene, 0, "hardness", hardness);
  test_scene_set(&scene, 0, "area", area);
  test_scene_set(&scene, 0, "share", 0);
  scene.simulation->settings.patches.cell = cell;
  const int ball = slider(&scene);
  test_scene_run(&scene, 480); /* 96 mm: cells about 0 (half), 10 ... 90 mm, 100 mm begun */
  const double force = scene.world->mass[ball] * test_g;
  const double depth = k * force * cell / (hardness * area);
  const DlsSurface *s = dls_surfaces_of(&scene.simulation->state.surfaces, scene.law[0]);
  int whole = 0, patches = 0;
  for (int n = 0; n < s->count; n++) {
    const double value = s->value[n * 2 + DEPTH];
    if (dls_surface_owner(scene.world, &s->key[n]) != -1) continue;
    patches++;
    whole += fabs(value - depth) <= 2 * h * speed / cell * depth; /* a step at either end */
  }
  CHECK_INT(patches, 11);
  CHECK(whole >= 9);
  CHECK_NEAR(sum_of(&scene, scene.law[0], ball, VOLUME), 0, 0);
  test_scene_close(&scene);
}

/* What the frame of a contact says of the rate. */
TEST(the_rate_is_reported) {
  TestScene scene;
  double limit, rate;
  DlsContactStatus status;
  int word;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "coulomb wear");
  test_scene_set(&scene, 1, "k", 1e-3);
  const int ball = slider(&scene);
  test_scene_run(&scene, 20);
  DlsLawReports reports = {1, &word, &rate};
  CHECK_OK(dls_assemble_status(&scene.simulation->last.assembly, &status, &limit, &reports));
  CHECK_INT(word, -1);
  CHECK_INT(status, DLS_SLIP);
  const double wanted = 1e-3 * scene.world->mass[ball] * test_g * speed / 1e9;
  CHECK_NEAR(rate, wanted, 1e-9 * wanted);
  test_scene_close(&scene);
}
