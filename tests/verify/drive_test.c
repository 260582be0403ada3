/* What acts on the bodies of a deck, against mathematics: springs, bending, random forces, servos,
 * sources and sinks, motions and times. The balance of energies closes in all of them. */
#include "tests/test.h"

#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define HEAD                                                                                       \
  "materials: {rock: {density: 2000}}\n"                                                           \
  "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  return scene;
}

static void step(DlsScene *scene, int times) {
  for (int k = 0; k < times; k++) CHECK_OK(dls_scene_step(scene));
}

/* The balance, of the energies that moved. */
static void check_balance(const DlsScene *scene) {
  const DlsLedger *l = &scene->simulation->state.ledger;
  const double scale = l->kinetic + fabs(l->force) + fabs(l->gravity) + fabs(l->boundary) +
                       fabs(l->dissipated) + fabs(l->start);
  CHECK_NEAR(l->balance, 0, 1e-11 * scale);
}

/* x = l + A cos(omega t): the leapfrog that moreau is has the frequency omega (1 + (h omega)^2 /
 * 24), as has the semi-implicit euler. */
TEST(a_spring_has_its_period) {
  static const char *const schemes[] = {"moreau", "euler"};
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    char text[700];
    snprintf(text, sizeof text,
             HEAD
             "time: {step: 1 ms, end: 2 s, scheme: %s}\n"
             "bodies:\n"
             "  - {name: post, material: rock, radius: 1 cm, position: [0, 0, 0], fixed: [all]}\n"
             "  - {name: bob, material: rock, radius: 1 cm, mass: 2, position: [0.6, 0, 0]}\n"
             "springs: [{between: [post, bob], stiffness: 800, rest_length: 0.5}]\n",
             schemes[k]);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    const double omega = sqrt(800 / 2.0), h = 1e-3, A = 0.1, total = 0.5 * 800 * A * A;
    const double discrete = omega * (1 + pow(h * omega, 2) / 24);
    for (int n = 1; n <= 1500; n++) {
      step(scene, 1);
      const double slack = k == 0 ? 1e-5 : 1.1 * h * omega * A; /* euler: half a step aside */
      CHECK_NEAR(scene->simulation->world->position[1][0], 0.5 + A * cos(discrete * n * h), slack);
      CHECK_NEAR(dls_scene_spring_energy(scene) + scene->simulation->state.ledger.kinetic, total,
                 (k == 0 ? pow(h * omega, 2) / 2 : h * omega) * total);
    }
    CHECK_NEAR(scene->simulation->state.ledger.force, total - dls_scene_spring_energy(scene),
               0.02 * total);
    check_balance(scene);
    dls_scene_destroy(&scene);
  }
}

/* With a damper c: the envelope falls as exp(-c t / 2 m). */
TEST(a_damper_takes_energy) {
  DlsScene *scene = scene_of(
      HEAD "time: {step: 0.1 ms, end: 2 s}\n"
           "bodies:\n"
           "  - {name: post, material: rock, radius: 1 cm, position: [0, 0, 0], fixed: [all]}\n"
           "  - {name: bob, material: rock, radius: 1 cm, mass: 2, position: [0.6, 0, 0]}\n"
           "springs: [{between: [bob, post], stiffness: 800, rest_length: 0.5, damping: 4}]\n");
  if (!scene) return;
  const double decay = 1, omega = sqrt(400 - decay * decay), t = 1;
  step(scene, 10000);
  CHECK_NEAR(scene->simulation->world->position[1][0],
             0.5 + 0.1 * exp(-decay * t) * (cos(omega * t) + decay / omega * sin(omega * t)), 1e-4);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A weight on a spring hangs m g / k lower, and swings as a pendulum of the length it has then. */
TEST(a_spring_pendulum_has_its_period) {
  const double g = 9.81, k = 5000, m = 1, length = 0.5 + m * g / k, a = 1e-3;
  char text[800];
  snprintf(text, sizeof text,
           HEAD
           "time: {step: 0.5 ms, end: 9 s}\ngravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  - {name: post, material: rock, radius: 1 cm, position: [0, 0, 0], fixed: [all]}\n"
           "  - {name: bob, material: rock, radius: 1 cm, mass: 1, position: [%g, 0, %.17g]}\n"
           "springs: [{between: [post, bob], stiffness: %g, rest_length: 0.5}]\n",
           a, -length, k);
  DlsScene *scene = scene_of(text);
  if (!scene) return;
  const double omega = sqrt(g / length);
  for (int n = 1; n <= 6000; n++) {
    step(scene, 1);
    CHECK_NEAR(scene->simulation->world->position[1][0], a * cos(omega * n * 5e-4), 2e-3 * a);
  }
  CHECK_NEAR(scene->simulation->world->position[1][2], -length, 1e-5);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A bead that a bending spring holds at a distance d from a clamped pair: V = k_a/4 theta^2 for
 * small angles, so omega^2 = k_a / (2 m d^2), about the angle of rest; and m g d = k_a/2 sin(theta)
 * under its weight. */
TEST(a_bending_spring_swings_and_sags) {
  static const double rest[] = {0, 0.5};
  const double d = 0.2, m = 0.1, ka = 2, small = 1e-3, omega = sqrt(ka / (2 * m * d * d));
  for (int c = 0; c < 4; c++) {
    const int dim = 2 + c / 2;
    const double angle = rest[c % 2];
    char text[1000];
    snprintf(text, sizeof text,
             HEAD
             "dimension: %d\ntime: {step: 0.1 ms, end: 1 s}\n"
             "bodies:\n"
             "  - {name: a, material: rock, radius: 1 cm, position: [-0.2, 0], fixed: [all]}\n"
             "  - {name: b, material: rock, radius: 1 cm, position: [0, 0], fixed: [all]}\n"
             "  - {name: c, material: rock, radius: 1 cm, mass: 0.1, position: [%.17g, %.17g]}\n"
             "springs: [{between: [b, c], stiffness: 1e6}]\n"
             "bends: [{along: [a, b, c], stiffness: 2, rest_angle: %g}]\n",
             dim, d * cos(angle + small), d * sin(angle + small), angle);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    for (int n = 1; n <= 4000; n++) {
      step(scene, 1);
      const double *x = scene->simulation->world->position[2];
      CHECK_NEAR(atan2(x[1], x[0]) - angle, small * cos(omega * n * 1e-4), 0.01 * small);
    }
    check_balance(scene);
    dls_scene_destroy(&scene);
  }
}

/* A rod of beads, clamped, with a weight: joints of stiffness K = k_a/2 turn by F (L - s)/K, and
 * the tip sinks by sum F (L - s)^2 / K. */
TEST(a_clamped_chain_sags_as_a_beam) {
  DlsScene *scene = scene_of(
      HEAD
      "time: {step: 0.2 ms, end: 9 s}\ngravity: [0, 0, -0.01]\ndrag: 30\n"
      "bodies: [{name: post, material: rock, radius: 1 cm, position: [-0.1, 0, 0], fixed: [all]}]\n"
      "chains: [{name: rod, material: rock, count: 5, radius: 1 cm, mass: 0.01, start: [0, 0, 0], "
      "end: [0.4, 0, 0], stiffness: 1e4, bending: 1, fixed: [first]}]\n"
      "bends: [{along: [post, rod.1, rod.2], stiffness: 1}]\n");
  if (!scene) return;
  double sag = 0; /* every bead's weight turns every joint between it and the clamp */
  for (int bead = 1; bead <= 4; bead++)
    for (int joint = 0; joint < bead; joint++)
      sag += 0.01 * 0.01 * 0.1 * (bead - joint) / 0.5 * 0.1 * (4 - joint);
  step(scene, 20000);
  CHECK_NEAR(scene->simulation->world->position[5][2], -sag, 0.005 * sag);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* <v^2> = variance t in each component, whatever the step; in first-order <x^2> = 2 D t. 3 x 1000
 * numbers have that variance within 3 sqrt(2 / 3000) = 8 %. */
TEST(random_forcing_has_its_variance) {
  static const struct {
    const char *time, *random;
    int steps;
    bool moved; /* places count, not velocities */
  } cases[] = {{"step: 10 ms, end: 1", "variance: 1e-4", 100, false},
               {"step: 2 ms, end: 1, scheme: euler", "variance: 1e-4", 500, false},
               {"step: 10 ms, end: 1, scheme: first-order", "diffusion: 5e-5", 100, true}};
  for (int c = 0; c < DLS_COUNT(cases); c++) {
    char text[700];
    snprintf(text, sizeof text,
             HEAD
             "time: {%s}\nrandom: {%s, seed: 1}\n"
             "grains: [{material: rock, place: lattice, region: {low: [0, 0, 0], high: [10, 10, "
             "10]}, sizes: {radius: 1 cm}, pitch: 1}]\n",
             cases[c].time, cases[c].random);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    const DlsWorld *world = scene->simulation->world;
    double mean[3] = {0}, square = 0;
    CHECK_INT(world->count, 1000);
    step(scene, cases[c].steps);
    for (int b = 0; b < world->count; b++)
      for (int k = 0; k < 3; k++) {
        const double x = world->position[b][k], v = world->velocity[b][k];
        const double value = cases[c].moved ? x - floor(x) - 0.5 : v;
        mean[k] += value / world->count;
        square += value * value / (3.0 * world->count);
      }
    CHECK_NEAR(square, 1e-4, 0.08e-4);
    for (int k = 0; k < 3; k++) CHECK_NEAR(mean[k], 0, 3.5 * 1e-2 / sqrt(1000));
    if (!cases[c].moved) check_balance(scene);
    dls_scene_destroy(&scene);
  }
}

/* A wall with nothing in its way: v = F t / M; with a damper, F/c (1 - exp(-c t / M)). It has no
 * weight, and moves along the other axes as it is told. */
TEST(a_servo_wall_obeys_newton) {
  DlsScene *scene = scene_of(
      HEAD
      "time: {step: 1 ms, end: 1 s}\ngravity: [0, 0, -9.81]\n"
      "bodies: [{material: rock, radius: 1 cm, position: [5, 0, 0], fixed: [all]}]\n"
      "boundaries:\n"
      "  lid: {shape: plane, material: rock, position: [0, 0, 9], axis: [0, 0, -1], velocity: [2, "
      "0, 0], servo: {pressure: 30, area: 2, mass: 4}}\n"
      "  door: {shape: box, material: rock, length: [1, 1, 1], position: [-9, 0, 0], servo: "
      "{force: [0, 8, 0], mass: 2, damping: 20}}\n"
      "  late: {shape: box, material: rock, length: [1, 1, 1], position: [-9, 0, 5], from: 0.05, "
      "servo: {force: [0, 0, 8], mass: 2}}\n");
  if (!scene) return;
  step(scene, 100);
  const DlsBoundary *wall = scene->simulation->world->boundary;
  CHECK_NEAR(wall[0].velocity[2], -30 * 2 * 0.1 / 4, 1e-12);
  CHECK_NEAR(wall[0].position[2], 9 - 0.5 * 15 * 0.01, 1e-12);
  CHECK_NEAR(wall[0].position[0], 0.2, 1e-12);
  CHECK_NEAR(wall[1].velocity[1], 8 / 20.0 * (1 - exp(-1)), 2e-3);
  CHECK_NEAR(wall[2].velocity[2], 8 / 2.0 * 0.05, 1e-12);
  CHECK_NEAR(wall[2].position[2], 5 + 0.5 * 4 * 0.05 * 0.05, 1e-12);
  CHECK_INT(dls_scene_bodies(scene), 1);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A column of balls under a lid: the floor bears the force on the lid and the weight. */
TEST(a_servo_wall_presses_with_its_force) {
  DlsScene *scene = scene_of(
      HEAD "time: {step: 1 ms, end: 1 s}\ngravity: [0, 0, -9.81]\n"
           "bodies:\n"
           "  - {material: rock, radius: 5 cm, mass: 3, position: [0, 0, 0.05]}\n"
           "  - {material: rock, radius: 5 cm, mass: 3, position: [0, 0, 0.15]}\n"
           "boundaries:\n"
           "  floor: {shape: plane, material: rock}\n"
           "  lid: {shape: plane, material: rock, position: [0, 0, 0.21], axis: [0, 0, -1], "
           "servo: {force: [0, 0, -50], mass: 1}}\n"
           "solver: {tolerance: 1e-10}\n");
  if (!scene) return;
  step(scene, 400);
  const DlsSimulation *s = scene->simulation;
  CHECK_NEAR(s->state.boundary_force[1][2], 50, 1e-5);
  CHECK_NEAR(s->state.boundary_force[0][2], -50 - 6 * 9.81, 1e-5);
  CHECK_NEAR(s->world->boundary[1].position[2], 0.2, 1e-3);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* The deck of the biaxial test: 1 kPa from the right, 1.5 kPa from above, on the servo walls and on
 * those that stand, to a few per cent in the mean of 0.1 s, half a second after the pressure has
 * been raised: sooner the packing still gives way, by amounts that follow from round-off. */
TEST(the_biaxial_test_reaches_its_stresses) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  double mean[4] = {0}; /* left, bottom, right, top */
  CHECK_OK(dls_deck_open(TEST_SOURCE_DIR "/input/biaxial.yaml", &deck));
  if (deck) CHECK_OK(dls_deck_set(deck, "time.end=0.8 s"));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck);
  if (!scene) return;
  const DlsSimulation *s = scene->simulation;
  const int steps = (int)lround(scene->data.time.end / s->settings.h),
            last = (int)lround(0.1 / s->settings.h);
  for (int n = 0; n < steps; n++) {
    step(scene, 1);
    if (n < steps - last) continue;
    const double width = s->world->boundary[2].position[0],
                 height = s->world->boundary[3].position[1];
    for (int b = 0; b < 4; b++)
      mean[b] += fabs(s->state.boundary_force[b][b % 2]) / (b % 2 ? width : height) / last;
  }
  CHECK_INT(dls_scene_bodies(scene), 400);
  for (int b = 0; b < 4; b++) CHECK_NEAR(mean[b], b % 2 ? 1500 : 1000, b % 2 ? 75 : 50);
  dls_scene_destroy(&scene);
}

/* Grain k comes at k / rate; the sink takes what falls below z = -1; energies of both are
 * counted. */
TEST(sources_pour_at_their_rate_and_sinks_take) {
  DlsScene *scene = scene_of(
      HEAD
      "time: {step: 1 ms, end: 2 s}\ngravity: [0, 0, -9.81]\n"
      "sources: [{material: rock, region: {low: [-1, -1, 0], high: [1, 1, 0.1]}, sizes: {radius: 1 "
      "cm}, rate: 100, from: 0.1, until: 0.9, velocity: [0, 0, -1]}]\n"
      "sinks: [{region: {low: [-2, -2, -3], high: [2, 2, -1]}}]\n");
  if (!scene) return;
  const DlsWorld *world = scene->simulation->world;
  step(scene, 100);
  CHECK_INT(world->count, 0);
  step(scene, 201); /* the step that begins at 0.3 s */
  CHECK_INT(world->count, 21);
  CHECK_INT(scene->poured[0].poured, 21);
  step(scene, 900);
  CHECK_INT(scene->poured[0].poured, 80);
  CHECK_INT(world->count + (int)scene->taken[0], 80);
  CHECK(scene->taken[0] > 40);
  check_balance(scene);
  step(scene, 500);
  CHECK_INT(world->count, 0);
  CHECK_INT(scene->taken[0], 80);
  CHECK_NEAR(scene->simulation->state.ledger.kinetic, 0, 0);
  dls_scene_destroy(&scene);
}

/* A grain that would hit another, or a wall, waits for its place. */
TEST(a_source_pours_nothing_into_others) {
  DlsScene *scene = scene_of(
      HEAD
      "dimension: 2\ntime: {step: 1 ms, end: 2 s}\n"
      "sources: [{material: rock, region: {low: [0, 0], high: [0.2, 0.2]}, sizes: {radius: 2 "
      "cm}, rate: 1000}]\n"
      "boundaries: {wall: {shape: plane, material: rock, position: [0.1, 0], axis: [1, 0]}}\n");
  if (!scene) return;
  double depth = 0;
  step(scene, 100);
  CHECK(scene->simulation->world->count > 5 && scene->simulation->world->count < 16);
  CHECK_OK(dls_detect_penetration(scene->simulation->detector, scene->simulation->world, &depth));
  CHECK_NEAR(depth, 0, 1e-15);
  dls_scene_destroy(&scene);
}

/* Bodies and grains are there from their first moment to their last; a floor that goes lets its
 * ball fall. */
TEST(bodies_and_boundaries_have_their_time) {
  DlsScene *scene = scene_of(
      HEAD
      "time: {step: 1 ms, end: 2 s}\ngravity: [0, 0, -10]\n"
      "bodies:\n"
      "  - {material: rock, radius: 0.1, position: [0, 0, 0.1]}\n"
      "  - {name: later, material: rock, radius: 0.1, position: [3, 0, 0.1], from: 0.2, until: "
      "0.3, velocity: [1, 0, 0]}\n"
      "grains: [{material: rock, place: pyramid, layers: 2, sizes: {radius: 0.1}, foot: [0, 9, "
      "1], until: 0.25}]\n"
      "boundaries: {floor: {shape: plane, material: rock, until: 0.4}}\n");
  if (!scene) return;
  const DlsWorld *world = scene->simulation->world;
  CHECK_INT(world->count, 6);
  step(scene, 200);
  CHECK_INT(world->count, 6);
  step(scene, 1);
  CHECK_INT(world->count, 7);
  CHECK_NEAR(world->position[6][0], 3.001, 1e-4);
  step(scene, 50);
  CHECK_INT(world->count, 2);
  check_balance(scene);
  step(scene, 50);
  CHECK_INT(world->count, 1);
  step(scene, 99);
  CHECK_NEAR(world->position[0][2], 0.1, 1e-4);
  step(scene, 100);
  CHECK_NEAR(world->position[0][2], 0.1 - 5 * 0.1 * 0.1, 1e-3);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A body driven along x, free along z, pushes another: its place is the expression, and the work is
 * counted. */
TEST(prescribed_components_follow_their_expressions) {
  DlsScene *scene = scene_of(
      HEAD
      "time: {step: 1 ms, end: 1 s}\ngravity: [0, 0, -10]\n"
      "bodies:\n"
      "  - {material: rock, radius: 0.1, position: [0, 0, 0], motion: {x: \"0.2*(1-cos(pi*t))\", "
      "vy: t, wz: 2}}\n"
      "  - {material: rock, radius: 0.1, position: [0.25, 0, 0]}\n");
  if (!scene) return;
  step(scene, 500);
  const DlsWorld *world = scene->simulation->world;
  CHECK_NEAR(world->position[0][0], 0.2 * (1 - cos(pi * 0.5)), 1e-12);
  CHECK_NEAR(world->position[0][1], 0.125, 1e-12);
  CHECK_NEAR(world->velocity[0][5], 2, 0);
  CHECK_NEAR(world->position[0][2], -1.25, 0.01);
  CHECK(world->velocity[1][0] > 0.1);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A step that is halved is driven twice, and its work counted once. */
TEST(halved_steps_count_the_work_of_motions_once) {
  DlsScene *scene = scene_of(
      HEAD "time: {step: 10 ms, end: 1 s, control: halve, fraction: 0.2}\n"
           "bodies:\n"
           "  - {material: rock, radius: 0.1, position: [0, 0, 0], motion: {vx: \"9*t\"}}\n"
           "  - {material: rock, radius: 0.1, position: [0.25, 0.01, 0]}\n");
  if (!scene) return;
  int parts = 0;
  for (int n = 0; n < 60; n++) {
    step(scene, 1);
    parts += scene->simulation->last.report.parts;
  }
  CHECK(parts > 60);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* One person walks straight at the speed wanted; a second stands in the way, wants nothing, and is
 * pushed along: the mean of both velocities in the norm of the masses. */
TEST(persons_go_where_they_want) {
  DlsScene *scene =
      scene_of("materials: {person: {}, idle: {}}\nlaws: [{law: signorini}]\ndimension: 2\n"
               "time: {step: 10 ms, end: 9 s, scheme: first-order}\n"
               "desired:\n"
               "  - {material: person, towards: [10, 0], speed: 2}\n"
               "bodies:\n"
               "  - {material: person, radius: 0.2, mass: 70, position: [0, 0]}\n"
               "  - {material: idle, radius: 0.2, mass: 70, position: [2.4, 0]}\n"
               "sinks: [{region: {low: [5, -1], high: [11, 1]}}]\n"
               "solver: {tolerance: 1e-10}\n");
  if (!scene) return;
  const DlsWorld *world = scene->simulation->world;
  step(scene, 90);
  CHECK_NEAR(world->position[0][0], 1.8, 1e-12);
  step(scene, 110); /* they meet at t = 1 s */
  CHECK_NEAR(world->position[0][0], 2 + 1, 1e-6);
  CHECK_NEAR(world->position[1][0], 2.4 + 1, 1e-6);
  step(scene, 162);
  CHECK_INT(world->count, 1);
  dls_scene_destroy(&scene);
}

/* A large person pushes a small one: half the speed each where both weigh the same, which is the
 * Euclidean norm of Maury's slide 32, else by their areas, 9 to 4. */
TEST(grains_of_equal_mass_are_projected_in_the_euclidean_norm) {
  static const char *const masses[] = {"", ", mass: 70"};
  for (int k = 0; k < DLS_COUNT(masses); k++) {
    char text[1000];
    snprintf(text, sizeof text,
             "materials: {person: {}, idle: {}}\nlaws: [{law: signorini}]\ndimension: 2\n"
             "time: {step: 10 ms, end: 9 s, scheme: first-order}\n"
             "desired: [{material: person, velocity: [2, 0]}]\n"
             "grains:\n"
             "  - {material: person, place: lattice, lattice: square, pitch: 0.6,\n"
             "     sizes: {radius: 0.3}, region: {low: [-0.3, -0.3], high: [0.3, 0.3]}%s}\n"
             "  - {material: idle, place: lattice, lattice: square, pitch: 0.4,\n"
             "     sizes: {radius: 0.2}, region: {low: [0.3, -0.2], high: [0.7, 0.2]}%s}\n"
             "solver: {tolerance: 1e-12}\n",
             masses[k], masses[k]);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    const DlsWorld *world = scene->simulation->world;
    CHECK_INT(world->count, 2);
    step(scene, 1);
    const double speed = k ? 1 : 2 * 0.09 / (0.09 + 0.04);
    CHECK_NEAR(world->velocity[0][0], speed, 1e-9);
    CHECK_NEAR(world->velocity[1][0], speed, 1e-9);
    dls_scene_destroy(&scene);
  }
}

TEST(expressions_of_the_place_are_velocities_too) {
  DlsScene *scene = scene_of("materials: {person: {}}\nlaws: [{law: signorini}]\ndimension: 2\n"
                             "time: {step: 1 ms, end: 9 s, scheme: first-order}\n"
                             "desired: [{velocity: [-y, x]}]\n"
                             "bodies: [{material: person, radius: 0.2, position: [1, 0]}]\n");
  if (!scene) return;
  step(scene, 1571);
  CHECK_NEAR(scene->simulation->world->position[0][0], cos(1.571), 1e-3);
  CHECK_NEAR(scene->simulation->world->position[0][1], sin(1.571), 1e-3);
  dls_scene_destroy(&scene);
}
