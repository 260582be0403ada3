/* Positions that are corrected after the step (core/step/correction.c): where bodies go, against
 * the least way by hand; that velocities, centre of mass and accounts of energy stay; what is
 * refused. */
#include <float.h>
#include <math.h>
#include <string.h>

#include "detect/detect.h"
#include "tests/blocks.h"
#include "tests/decks.h"
#include "world/sizes.h"

static const double share = 1e-3; /* of the radius, what is left */

/* Without weights. */
static void open_floating(TestScene *scene, int dim) {
  test_scene_open(scene, dim, &dls_scheme_euler, 1e-3, "coulomb");
  for (int k = 0; k < 3; k++) scene->gravity[k] = 0;
  scene->simulation->settings.correction = DLS_CORRECTION_PROJECT;
  scene->simulation->settings.overlap = share;
}

/* Two balls of unequal mass: each goes a way as the mass of the other, along the line of centres,
 * so that half of what is allowed is left; they are at rest as before. */
TEST(two_balls_part_by_the_masses_of_each_other) {
  const double R[2] = {0.01, 0.02}, depth = 5e-5;
  for (int dim = 2; dim <= 3; dim++) {
    TestScene scene;
    open_floating(&scene, dim);
    test_scene_sphere(&scene, R[0], 0, 0, 0);
    test_scene_sphere(&scene, R[1], 0, R[0] + R[1] - depth, 0);
    const double *m = scene.world->mass;
    const double before[2] = {scene.world->position[0][1], scene.world->position[1][1]};
    test_scene_run(&scene, 1);
    const double left = share * R[0] / 2, way = depth - left, sum = m[0] + m[1];
    const double moved[2] = {before[0] - scene.world->position[0][1],
                             scene.world->position[1][1] - before[1]};
    CHECK_NEAR(moved[0], way * m[1] / sum, 0.25 * 2 * left);
    CHECK_NEAR(m[0] * moved[0], m[1] * moved[1], 8 * DBL_EPSILON * m[1] * R[1]);
    CHECK(moved[0] + moved[1] >= depth - share * R[0]);
    CHECK_INT(scene.simulation->last.report.corrections, 1);
    for (int b = 0; b < 2; b++)
      for (int e = 0; e < 6; e++) CHECK(scene.world->velocity[b][e] == 0);
    test_scene_close(&scene);
  }
}

/* A column on a floor, each ball as deep in the one below: nothing else may move, so that ball k
 * goes up k times what one contact gains. */
TEST(a_column_is_lifted_from_its_floor) {
  enum { BALLS = 6 };
  const double R = 0.01, depth = 2e-5;
  TestScene scene;
  open_floating(&scene, 3);
  test_scene_boundary(&scene, 0);
  for (int b = 0; b < BALLS; b++)
    test_scene_sphere(&scene, R, 0, 0, (2 * b + 1) * R - (b + 1) * depth);
  test_scene_run(&scene, 1);
  double deepest;
  CHECK_OK(dls_detect_penetration(scene.simulation->detector, scene.world, &deepest));
  CHECK(deepest <= share * R);
  for (int b = 0; b < BALLS; b++) {
    const double exact = (2 * b + 1) * R - (b + 1) * share * R / 2;
    CHECK_NEAR(scene.world->position[b][2], exact, 0.5 * (b + 1) * share * R);
    CHECK(fabs(scene.world->position[b][0]) < 1e-12 * R);
  }
  test_scene_close(&scene);
}

/* A corner of a box under a floor: it goes up and turns as M^-1 H^T says, (1/m, lever/I), by the
 * one multiplier that lifts the corner. */
TEST(a_box_turns_about_the_corner_that_is_lifted) {
  const double length[3] = {0.1, 0.06, 0}, tilt = 0.2, depth = 2e-4;
  TestScene scene;
  open_floating(&scene, 2);
  test_scene_boundary(&scene, 0);
  const double q[4] = {cos(tilt / 2), 0, 0, sin(tilt / 2)};
  /* The lower of the two lower corners: the left one goes down by a turn to the left. */
  const double corner[2] = {-0.05 * cos(tilt) + 0.03 * sin(tilt),
                            -0.05 * sin(tilt) - 0.03 * cos(tilt)};
  const double x[3] = {0, -corner[1] - depth, 0};
  const int box = test_scene_box(&scene, length, x, q, 0);
  const double angle = scene.world->angle[box];
  double least, largest;
  dls_world_sizes(scene.world, &least, &largest);
  test_scene_run(&scene, 1);
  const double m = scene.world->mass[box], J = scene.world->inertia[box][2];
  const double W = 1 / m + corner[0] * corner[0] / J, gain = depth - share * least / 2;
  CHECK_INT(scene.simulation->last.report.corrections, 1);
  /* Quarter of the limit by accuracy; the lever changes by the turn, 1e-3, on the way. */
  const double tolerance = 0.25 * share * least / gain + 2e-3;
  CHECK_NEAR((scene.world->position[box][1] - x[1]) / (gain / W / m), 1, tolerance);
  CHECK_NEAR((scene.world->angle[box] - angle) / (corner[0] * gain / W / J), 1, tolerance);
  CHECK(scene.world->position[box][0] == 0);
  test_scene_close(&scene);
}

/* What is no deeper than allowed is left as it is, to the last bit. */
TEST(shallow_overlaps_stay) {
  TestScene scene;
  const double R = 0.01, apart = 2 * R * (1 - 0.4 * share);
  open_floating(&scene, 3);
  test_scene_sphere(&scene, R, 0, 0, 0);
  test_scene_sphere(&scene, R, apart, 0, 0);
  test_scene_run(&scene, 3);
  CHECK(scene.world->position[0][0] == 0 && scene.world->position[1][0] == apart);
  CHECK_INT(scene.simulation->last.report.corrections, 0);
  CHECK_NEAR(scene.simulation->last.report.overlap, 2 * R - apart, 1e-15);
  test_scene_close(&scene);
}

/* Squeezed between two fixed balls that leave no room: nothing moves. */
TEST(where_no_way_leads_out_nothing_moves) {
  TestScene scene;
  const double R = 0.01;
  open_floating(&scene, 3);
  for (int b = 0; b < 3; b++) test_scene_sphere(&scene, R, 1.9 * R * b, 0, 0);
  scene.world->fixed[0] = scene.world->fixed[2] = DLS_FIXED_ALL;
  test_scene_run(&scene, 1);
  for (int b = 0; b < 3; b++) CHECK_NEAR(scene.world->position[b][0], 1.9 * R * b, 1e-3 * R);
  CHECK(scene.simulation->last.report.overlap >= 0.1 * R);
  test_scene_close(&scene);
}

/* J: what stays what it was for a constant gravity (simulation.h). */
static double total(const DlsLedger *l) {
  return l->kinetic + l->potential + l->stored + l->dissipated + l->scheme + l->corrected -
         l->force - l->boundary;
}

/* A deposit solved to 1e-3 alone: every step ends within the overlap that is allowed, which without
 * correction is far exceeded; energy is accounted for to round-off, with the lift as a term of its
 * own; the floor carries the weight. */
TEST(a_deposit_stays_within_the_overlap_and_keeps_its_accounts) {
  enum { STEPS = 400, LAST = 100 };
  static const char *const ways[] = {"time.correction=none", "time.correction=project"};
  double deepest[2] = {0};
  for (int way = 0; way < 2; way++) {
    const char *const sets[] = {"grains[0].count=60",          ways[way], "time.scheme=euler",
                                "time.overlap=8e-5",           "drag=20", "solver.tolerance=1e-3",
                                "solver.max_iterations=20000", NULL};
    TestDeck test;
    test_deck_open(&test, "deposit.yaml", sets);
    DlsSimulation *s = test.simulation;
    const double R = s->world->element[0].radius;
    double weight = 0, floor = 0, start = 0;
    int corrections = 0;
    for (int b = 0; b < s->world->count; b++) weight += test_g * s->world->mass[b];
    for (int k = 0; k < STEPS; k++) {
      double now;
      CHECK_OK(dls_scene_step(test.scene));
      if (k == 0) start = total(&s->state.ledger);
      CHECK_OK(dls_detect_penetration(s->detector, s->world, &now));
      deepest[way] = fmax(deepest[way], now / R);
      corrections += s->last.report.corrections;
      if (k >= STEPS - LAST) floor -= s->state.boundary_force[0][2] / LAST;
    }
    CHECK_NEAR(total(&s->state.ledger), start, 1e-12 * fabs(s->state.ledger.potential));
    CHECK((corrections > 0) == (way == 1));
    CHECK(way == 1 ? s->state.ledger.corrected < 0 : s->state.ledger.corrected == 0);
    CHECK_NEAR(floor, weight, 0.01 * weight);
    test_deck_close(&test);
  }
  CHECK(deepest[1] <= 8e-5);
  CHECK(deepest[0] > 4 * deepest[1]);
}

/* Where overlaps mean something, or bodies cannot be moved by themselves. */
TEST(where_overlaps_are_no_mistakes_it_is_refused) {
  static const struct {
    const char *law, *says;
    const DlsScheme *scheme;
  } refused[] = {
      {"coulomb", "the scheme first-order goes by how they overlap", &dls_scheme_first_order},
      {"capillary", "'capillary' remembers where they were, or acts by", &dls_scheme_euler},
      {"gluey", "'gluey' remembers where they were, or acts by", &dls_scheme_euler},
      {"coulomb", "the scheme moreau goes by how they overlap", &dls_scheme_moreau},
      {"elastic", "'elastic'", &dls_scheme_euler},
  };
  for (int k = 0; k < DLS_COUNT(refused); k++) {
    TestScene scene;
    test_scene_open(&scene, 3, refused[k].scheme, 1e-4, refused[k].law);
    scene.simulation->settings.correction = DLS_CORRECTION_PROJECT;
    test_scene_sphere(&scene, 0.01, 0, 0, 0);
    test_scene_sphere(&scene, 0.01, 0.0199, 0, 0);
    CHECK(dls_simulation_step(scene.simulation) != DLS_OK);
    CHECK_TOLD(strstr(dls_error_message(), refused[k].says), "%s: %s", refused[k].law,
               dls_error_message());
    CHECK(strstr(dls_error_message(), "the correction of positions"));
    test_scene_close(&scene);
  }
}
