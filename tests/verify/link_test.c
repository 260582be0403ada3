/* Links, contacts at chosen points: pendulums, wires, rods, hinges and sliders against closed
 * forms, in both dimensions. */
#include "tests/simulating.h"

#include "detect/link.h"

#include <math.h>

static const double R = 0.1; /* m, of the balls */

/* Ties the point `at` of a body, from its centre and in space axes at the start, to the point `to`
 * of the first boundary. */
static DlsLink *tie(TestScene *scene, DlsLinkKind kind, int body, const double at[3],
                    const double to[3]) {
  const DlsBoundary *wall = &scene->world->boundary[0];
  DlsLink link = {.kind = kind, .id = {DLS_KEY_BOUNDARY | wall->id, scene->world->id[body]}};
  double apart[3];
  for (int k = 0; k < 3; k++) {
    link.at[1][k] = at[k];
    link.at[0][k] = to[k] - wall->position[k];
    apart[k] = scene->world->position[body][k] + at[k] - to[k];
  }
  link.length = dls_vector_norm(apart);
  DlsLinks *links = &scene->simulation->settings.links;
  CHECK_OK(dls_links_add(links, &link));
  return &links->item[links->count - 1];
}

/* A ball a length L below the origin, whose boundary is far below it. */
static int hang(TestScene *scene, int dim, const DlsScheme *scheme, double h, const char *law,
                double x, double y) {
  test_scene_open(scene, dim, scheme, h, law);
  DlsBoundary *wall = test_scene_boundary(scene, 0);
  wall->position[dim - 1] = -100;
  if (dim == 2) return test_scene_sphere(scene, R, x, y, 0);
  return test_scene_sphere(scene, R, x, 0, y);
}

static const double nowhere[3] = {0, 0, 0};

/* A small swing on a wire: omega² = g / L, and J does not count, for the wire pulls at the
 * centre. */
TEST(a_wire_makes_a_pendulum) {
  const double L = 0.5, x = 1e-3, h = 1e-3;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const int ball = hang(&scene, dim, &dls_scheme_moreau, h, "signorini", x, -L);
    tie(&scene, DLS_LINK_AXIAL, ball, nowhere, nowhere);
    const double omega = sqrt(test_g / L);
    test_scene_run(&scene, lround(M_PI / omega / h)); /* half a period */
    CHECK_NEAR(scene.world->position[ball][0], -x, 0.01 * x);
    const double weight = scene.world->mass[ball] * test_g;
    CHECK_NEAR(scene.simulation->last.assembly.solve.r[0] / h, weight, 1e-4 * weight);
    test_scene_close(&scene);
  }
}

/* Thrown up, the ball flies free while the wire is slack, and is caught at its end. */
TEST(a_slack_wire_does_nothing) {
  const double L = 0.5, h = 1e-3, v = 1;
  TestScene scene;
  const int ball = hang(&scene, 3, &dls_scheme_moreau, h, "signorini", 0, -L);
  tie(&scene, DLS_LINK_AXIAL, ball, nowhere, nowhere);
  scene.world->velocity[ball][2] = v;
  double highest = -L;
  for (int k = 0; k < 500; k++) {
    test_scene_run(&scene, 1);
    highest = fmax(highest, scene.world->position[ball][2]);
    CHECK(scene.world->position[ball][2] > -L - v * h);
  }
  CHECK_NEAR(highest, -L + v * v / (2 * test_g), v * h);
  CHECK_NEAR(scene.world->velocity[ball][2], 0, 1e-12);
  test_scene_close(&scene);
}

/* A rod pushes as well: the pendulum goes over the top, at its length. */
TEST(a_rod_keeps_its_length_over_the_top) {
  const double L = 0.5, h = 1e-3;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const int ball = hang(&scene, dim, &dls_scheme_moreau, h, "bilateral", 0, -L);
    test_scene_set(&scene, 0, "kind", 2);
    tie(&scene, DLS_LINK_AXIAL, ball, nowhere, nowhere);
    const double v = sqrt(5 * test_g * L); /* a wire would need this to stay tight */
    scene.world->velocity[ball][0] = 0.95 * v;
    double highest = -L, off = 0;
    for (int k = 0; k < 1500; k++) {
      test_scene_run(&scene, 1);
      highest = fmax(highest, scene.world->position[ball][dim - 1]);
      off = fmax(off, fabs(dls_vector_norm(scene.world->position[ball]) - L));
    }
    CHECK_NEAR(highest, L, 1e-4 * L);
    /* A step leaves its sagitta v² h² / 2L, of which and of all before the law takes back 0.2. */
    CHECK(off < v * v / L * h * h / (2 * 0.2) * 1.1);
    CHECK_NEAR(scene.simulation->state.ledger.balance, 0, 1e-9);
    test_scene_close(&scene);
  }
}

/* A ball hinged at a point off its centre is a compound pendulum: omega² = m g d / (J + m d²). */
TEST(a_hinge_off_the_centre_makes_a_compound_pendulum) {
  const double d = 0.07, h = 1e-4, x = 1e-4;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const int ball = hang(&scene, dim, &dls_scheme_moreau, h, "bilateral", x, -sqrt(d * d - x * x));
    test_scene_set(&scene, 0, "kind", 1);
    double at[3];
    for (int k = 0; k < 3; k++) at[k] = -scene.world->position[ball][k];
    tie(&scene, DLS_LINK_POINT, ball, at, nowhere);
    const double J = (dim == 2 ? 0.5 : 0.4) * R * R, omega = sqrt(test_g * d / (J + d * d));
    test_scene_run(&scene, lround(M_PI / omega / h));
    CHECK_NEAR(scene.world->position[ball][0], -x, 0.01 * x);
    CHECK_NEAR(dls_vector_norm(scene.world->position[ball]), d, 1e-6 * d);
    test_scene_close(&scene);
  }
}

/* A point that slides on a plane fixed in space: it falls along it with g sin a, and does not
 * leave it, on either side. */
TEST(a_slider_keeps_to_its_plane) {
  const double slope = 0.4, h = 1e-3, T = 0.5;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    const int ball = hang(&scene, dim, &dls_scheme_moreau, h, "bilateral", 0, 0);
    test_scene_set(&scene, 0, "kind", 2);
    DlsLink *link = tie(&scene, DLS_LINK_PLANE, ball, nowhere, nowhere);
    link->normal[0] = sin(slope);
    link->normal[dim - 1] = cos(slope);
    test_scene_run(&scene, lround(T / h));
    const double way = 0.5 * test_g * sin(slope) * T * T;
    CHECK_NEAR(scene.world->position[ball][0], way * cos(slope), 1e-6);
    CHECK_NEAR(scene.world->position[ball][dim - 1], -way * sin(slope), 1e-6);
    test_scene_close(&scene);
  }
}

/* An elastic wire hangs longer by m g / k; one with a dashpot comes to rest there; one whose
 * strength is below the weight breaks, and the ball falls free. */
TEST(the_law_rod_stretches_damps_and_breaks) {
  const double L = 0.5, h = 1e-3, k = 1e4;
  for (int weak = 0; weak < 2; weak++) {
    TestScene scene;
    const int ball = hang(&scene, 3, &dls_scheme_moreau, h, "rod", 0, -L);
    const double m = scene.world->mass[ball], weight = m * test_g;
    test_scene_set(&scene, 0, "k", k);
    test_scene_set(&scene, 0, "damping", 2 * sqrt(k * m)); /* critical */
    test_scene_set(&scene, 0, "wire", 1);
    if (weak) test_scene_set(&scene, 0, "strength", 0.9 * weight);
    tie(&scene, DLS_LINK_AXIAL, ball, nowhere, nowhere);
    test_scene_run(&scene, 1000);
    if (weak) {
      CHECK(scene.world->velocity[ball][2] < -0.9 * test_g);
      CHECK_NEAR(scene.simulation->state.law_state[0], 1, 0);
    } else {
      CHECK_NEAR(scene.world->position[ball][2], -L - weight / k, 1e-9);
    }
    test_scene_close(&scene);
  }
}

/* Two bodies on one rod, thrown: momentum and angular momentum stay, the length stays. */
TEST(a_rod_between_two_bodies_is_internal) {
  TestScene scene;
  test_scene_open(&scene, 3, &dls_scheme_moreau, 1e-3, "bilateral");
  memset(scene.gravity, 0, sizeof scene.gravity);
  test_scene_set(&scene, 0, "kind", 2);
  const int one = test_scene_sphere(&scene, R, 0, 0, 0);
  const int two = test_scene_sphere(&scene, 0.7 * R, 0.5, 0.2, 0.1);
  const DlsLink link = {.kind = DLS_LINK_AXIAL,
                        .id = {scene.world->id[one], scene.world->id[two]},
                        .at = {{0.05, 0, 0}, {0, -0.03, 0.01}},
                        .length = dls_vector_norm((const double[]){0.45, 0.17, 0.11})};
  CHECK_OK(dls_links_add(&scene.simulation->settings.links, &link));
  scene.world->velocity[one][1] = 1;
  scene.world->velocity[two][2] = -2;
  double before[6] = {0}, after[6] = {0};
  for (int turn = 0; turn < 2; turn++) {
    double *sum = turn ? after : before;
    for (int b = 0; b < 2; b++) {
      const double *v = scene.world->velocity[b], *x = scene.world->position[b];
      double spin[3];
      dls_vector_cross(x, v, spin);
      for (int k = 0; k < 3; k++) {
        sum[k] += scene.world->mass[b] * v[k];
        sum[3 + k] += scene.world->mass[b] * spin[k] + scene.world->inertia[b][0] * v[3 + k];
      }
    }
    if (!turn) test_scene_run(&scene, 1000);
  }
  /* Both act along one line, in the middle of a step, from which bodies move along v. */
  for (int k = 0; k < 6; k++) CHECK_NEAR(after[k], before[k], 1e-9);
  double a[3], b[3];
  const DlsDetection now = {0};
  dls_link_point(scene.world, &now, one, link.at[0], a);
  dls_link_point(scene.world, &now, two, link.at[1], b);
  CHECK_NEAR(dls_vector_norm((const double[]){a[0] - b[0], a[1] - b[1], a[2] - b[2]}), link.length,
             1e-4);
  test_scene_close(&scene);
}
