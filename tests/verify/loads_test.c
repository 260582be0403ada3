/* Loads of a deck against closed forms: ground motion, tilting, a share of the weight, a wheel. */
#include "tests/test.h"

#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double g = 9.81;

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  return scene;
}

/* a = 2, 2 -> -1 in straight lines over times that are not equal: integrals by hand. */
TEST(a_record_of_straight_lines_is_integrated_exactly) {
  const double time[] = {3, 4, 6, 6.5}, x[] = {2, 2, -1, 0};
  const double *const a[3] = {x, NULL, NULL};
  DlsGround ground;
  double out[9];
  CHECK_OK(dls_ground_create(4, time, a, 1, false, 10, &ground));
  CHECK(ground.moves[0] && !ground.moves[1] && !ground.moves[2]);
  dls_ground_at(&ground, 9.9, out);
  for (int k = 0; k < 9; k++) CHECK_NEAR(out[k], 0, 0);
  dls_ground_at(&ground, 10.5, out); /* v = 2 t, d = t^2 */
  CHECK_NEAR(out[0], 2, 1e-14);
  CHECK_NEAR(out[3], 1, 1e-14);
  CHECK_NEAR(out[6], 0.25, 1e-14);
  dls_ground_at(&ground, 12, out); /* s = 1 of 2: a = 0.5, v = 2 + 2 - 0.75, d = 1 + 2 + 1 - .25 */
  CHECK_NEAR(out[0], 0.5, 1e-14);
  CHECK_NEAR(out[3], 2 + 2 - 0.75, 1e-14);
  CHECK_NEAR(out[6], 1 + 2 + 1 - 0.25, 1e-14);
  dls_ground_at(&ground, 20, out); /* goes on with v = 3 - 0.25 */
  CHECK_NEAR(out[0], 0, 0);
  CHECK_NEAR(out[3], 2.75, 1e-14);
  dls_ground_clear(&ground);
  /* With a baseline it ends at rest where it began; and what has none to correct stays. */
  CHECK_OK(dls_ground_create(4, time, a, 3, true, 0, &ground));
  dls_ground_at(&ground, 3.5, out);
  CHECK_NEAR(out[3], 0, 1e-13);
  CHECK_NEAR(out[6], 0, 1e-13);
  dls_ground_at(&ground, 100, out);
  CHECK_NEAR(out[6], 0, 1e-11);
  dls_ground_clear(&ground);
  const double even[] = {0, 1, 2, 3, 4}, wave[] = {1, -1, 0, -1, 1};
  const double *const b[3] = {NULL, wave, NULL};
  double raw[9];
  CHECK_OK(dls_ground_create(5, even, b, 1, false, 0, &ground));
  dls_ground_at(&ground, 4, raw);
  dls_ground_clear(&ground);
  CHECK_OK(dls_ground_create(5, even, b, 1, true, 0, &ground));
  dls_ground_at(&ground, 4, out);
  CHECK_NEAR(out[7], 0, 1e-13);
  dls_ground_clear(&ground);
}

/* Newmark's block: the ground has the acceleration A for T, then -A for T, with A above mu g. The
 * block follows at mu g, meets the ground's speed at t* = 2 A T / (A + mu g), and stops at 2 t*:
 *   slip = mu g t*^2 - A T^2,
 * backwards here. Moreau's scheme is of first order where sliding ends: within h A T, a step at the
 * highest speed. The jumps of the record take 0.1 us, which leaves the ground at 3e-7 m/s. */
TEST(a_block_slides_as_newmark_says) {
  const double A = 6, T = 0.2, mu = 0.3;
  const double star = 2 * A * T / (A + mu * g), slip = mu * g * star * star - A * T * T;
  for (int held = 0; held < 2; held++)
    for (int dim = 2; dim <= 3; dim++) {
      const double h = held ? 0.25e-3 : 0.5e-3;
      char text[1500];
      const char *const box = dim == 2 ? "[0.4, 0.1]" : "[0.4, 0.4, 0.1]";
      snprintf(text, sizeof text,
               "dimension: %d\n"
               "time: {step: %g, end: 1 s}\n"
               "gravity: [0, %s-9.81]\n"
               "materials: {rock: {density: 2000}}\n"
               "laws: [{law: coulomb, parameters: {mu: %g}}]\n"
               "solver: {tolerance: 1e-10}\n"
               "ground: {time: [0, 0.2, 0.2000001, 0.4, 0.4000001], x: [3, 3, -3, -3, 0],\n"
               "         scale: 2, baseline: false}\n"
               "bodies:\n"
               "  - {name: block, material: rock, position: [0, %s0.05], shape: {kind: box, "
               "lengths: %s}}\n"
               "%s",
               dim, h, dim == 2 ? "" : "0, ", mu, dim == 2 ? "" : "0, ", box,
               !held ? "boundaries: {floor: {shape: plane, material: rock}}\n"
               : dim == 2
                   ? "  - {material: rock, position: [0, -0.5], fixed: [all], shape: {kind: box, "
                     "lengths: [4, 1]}}\n"
                   : "  - {material: rock, position: [0, 0, -0.5], fixed: [all], shape: {kind: "
                     "box, lengths: [4, 4, 1]}}\n");
      DlsScene *scene = scene_of(text);
      if (!scene) return;
      for (int k = 0; k < (int)(1 / h + 0.5); k++) CHECK_OK(dls_scene_step(scene));
      const DlsWorld *world = scene->simulation->world;
      const double ground =
          held ? world->position[1][0] : scene->simulation->world->boundary[0].position[0];
      if (getenv("DELASSUS_SHOW"))
        printf("slip %.6f, Newmark %.6f\n", world->position[0][0] - ground, slip);
      CHECK_NEAR(ground, A * T * T, 1e-5);
      CHECK_NEAR(world->position[0][0] - ground, slip, h * A * T);
      CHECK_NEAR(world->velocity[0][0], 3e-7, 1e-9);
      CHECK_INT(scene->simulation->state.unconverged, 0);
      dls_scene_destroy(&scene);
    }
}

/* A share c t of the weight sideways: the block waits until c t = mu, and goes on by
 * g c (t - t0)^3 / 6. By a load on all, on one name, and on a material. */
TEST(a_growing_share_of_the_weight_moves_a_block_when_it_exceeds_friction) {
  static const char *const whom[] = {"", "on: [block], ", "material: rock, "};
  const double mu = 0.3, c = 1, t0 = mu / c, t = 0.6;
  for (int k = 0; k < DLS_COUNT(whom); k++) {
    char text[900];
    snprintf(text, sizeof text,
             "dimension: 2\n"
             "time: {step: 0.5 ms, end: 1 s}\n"
             "gravity: [0, -9.81]\n"
             "materials: {rock: {density: 2000}}\n"
             "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
             "solver: {tolerance: 1e-10}\n"
             "loads: [{%sacceleration: [9.81*t, 0]}]\n"
             "boundaries: {floor: {shape: plane, material: rock}}\n"
             "bodies:\n"
             "  - {name: block, material: rock, position: [0, 0.05], shape: {kind: box, lengths: "
             "[0.4, 0.1]}}\n",
             whom[k]);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    for (int n = 0; n < 590; n++) CHECK_OK(dls_scene_step(scene));
    CHECK_NEAR(scene->simulation->world->position[0][0], 0, 1e-9);
    for (int n = 590; n < 1200; n++) CHECK_OK(dls_scene_step(scene));
    const double way = g * c * pow(t - t0, 3) / 6;
    CHECK_NEAR(scene->simulation->world->position[0][0], way, 5e-3 * way);
    dls_scene_destroy(&scene);
  }
}

/* Gravity turned about z at a rate w: held until tan(w t) = mu. */
TEST(a_block_on_a_table_that_tilts_goes_at_its_friction_angle) {
  DlsScene *scene = scene_of(
      "dimension: 2\n"
      "time: {step: 1 ms, end: 2 s}\n"
      "gravity: [9.81*sin(0.5*t), -9.81*cos(0.5*t)]\n"
      "materials: {rock: {density: 2000}}\n"
      "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
      "solver: {tolerance: 1e-10}\n"
      "boundaries: {floor: {shape: plane, material: rock}}\n"
      "bodies:\n"
      "  - {material: rock, position: [0, 0.05], shape: {kind: box, lengths: [0.4, 0.1]}}\n");
  if (!scene) return;
  double began = 0;
  for (int n = 0; n < 1000 && !(began > 0); n++) {
    CHECK_OK(dls_scene_step(scene));
    if (scene->simulation->world->velocity[0][0] > 1e-7) began = scene->simulation->state.time;
  }
  CHECK_NEAR(0.5 * began, atan(0.3), 1e-3);
  dls_scene_destroy(&scene);
}

/* Shares add up to 1 over the row, fade beyond it, and a beam lifts what is far. */
TEST(the_shares_of_a_wheel_add_up) {
  double x[9], share[9];
  for (int i = 0; i < 9; i++) x[i] = 0.6 * i;
  for (int kernel = 0; kernel < 2; kernel++)
    for (double s = -1; s < 6; s += 0.173) {
      double sum = 0;
      dls_wheel_shares(kernel, 0.6, s, 9, x, share);
      for (int i = 0; i < 9; i++) sum += share[i];
      const double out = fmax(0, fmax(-s, s - 4.8));
      CHECK_NEAR(sum, fmax(0, 1 - out / 0.6), 1e-12);
    }
  dls_wheel_shares(DLS_WHEEL_TRIANGLE, 0.6, 1.35, 9, x, share);
  CHECK_NEAR(share[2], 0.75, 1e-12);
  CHECK_NEAR(share[3], 0.25, 1e-12);
  dls_wheel_shares(DLS_WHEEL_BEAM, 0.6, 2.4, 9, x, share);
  CHECK_NEAR(share[3] / share[4], exp(-1) * (cos(1) + sin(1)), 1e-12);
  CHECK(share[0] < 0);
}

/* Sleepers that float: each of the inner ones gains the impulse F L / v as the wheel goes by. */
TEST(a_wheel_leaves_its_impulse_on_every_sleeper) {
  char text[2500] = "dimension: 2\n"
                    "time: {step: 1 ms, end: 1 s}\n"
                    "materials: {wood: {density: 1000}}\n"
                    "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
                    "loads: [{on: [s1, s2, s3, s4, s5], force: [0, -100], wheel: {speed: 3 m/s, "
                    "start: -0.6, length: 0.6}}]\n"
                    "bodies:\n";
  for (int i = 0; i < 5; i++)
    snprintf(text + strlen(text), sizeof text - strlen(text),
             "  - {name: s%d, material: wood, mass: 5, position: [%g, 0], radius: 0.1}\n", i + 1,
             0.6 * i);
  DlsScene *scene = scene_of(text);
  if (!scene) return;
  for (int n = 0; n < 1500; n++) CHECK_OK(dls_scene_step(scene));
  for (int i = 0; i < 5; i++)
    CHECK_NEAR(scene->simulation->world->velocity[i][1], -100 * 0.6 / (3 * 5.0), 1e-4);
  const DlsLedger *l = &scene->simulation->state.ledger;
  CHECK_NEAR(l->force, l->kinetic, 1e-9 * l->kinetic);
  dls_scene_destroy(&scene);
}

static void refused(const char *keys, const char *sentence) {
  char text[700];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  snprintf(text, sizeof text,
           "dimension: 2\n"
           "time: {step: 1 ms, end: 1 s}\n"
           "materials: {wood: {density: 1000}}\n"
           "laws: [{law: coulomb}]\n"
           "bodies: [{name: a, material: wood, position: [0, 0], radius: 0.1}]\n%s\n",
           keys);
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck) return;
  CHECK(dls_scene_build(deck, &scene) != DLS_OK);
  bool told = false;
  for (int k = 0; k < dls_deck_problem_count(deck); k++)
    told = told || strstr(dls_deck_problem_text(deck, k), sentence);
  CHECK_TOLD(told, "'%s' not told of: %s; but: %s", sentence, keys,
             dls_deck_problem_count(deck) ? dls_deck_problem_text(deck, 0) : "nothing");
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
}

TEST(mistakes_in_loads_are_told) {
  refused("loads: [{on: [a]}]", "either an acceleration or a force; give one");
  refused("loads: [{on: [b], force: [1, 0]}]", "b");
  refused("loads: [{material: tin, force: [1, 0]}]", "there is no material 'tin'");
  refused("loads: [{force: [1, 0, 2]}]", "out of the plane");
  refused("loads: [{force: [1, 0], wheel: {speed: 1, length: 1}}]", "name them by `on`");
  refused("loads: [{force: [1, 0], from: 2, until: 1}]", "give a later time");
  refused("ground: {time: [0, 1], x: [1]}", "has 1 numbers for 2 times");
  refused("ground: {time: [0, 1, 1], x: [1, 2, 3]}", "times ascend");
  refused("ground: {time: [0, 1]}", "no accelerations");
  refused("ground: {time: [0, 1], z: [1, 2]}", "out of the plane");
  refused("ground: {x: [1, 2]}", "a record of 0 times");
}
