/* Round walls whose radius a pressure drives, against closed forms: the radius alone, a ring and a
 * layer of grains at rest under it, four balls in a sphere, a bounce; the balance of energy closes,
 * and the momentum of the grains is what the walls gave. */
#include "tests/elastic_chain.h"

#include "scene/scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define HEAD "materials: {rock: {density: 2000}}\n"

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

static void check_balance(const DlsScene *scene) {
  const DlsLedger *l = &scene->simulation->state.ledger;
  const double scale = l->kinetic + fabs(l->force) + fabs(l->gravity) + fabs(l->boundary) +
                       fabs(l->dissipated) + fabs(l->start);
  CHECK_NEAR(l->balance, 0, 1e-11 * scale);
}

/* N, of the contacts of the last step at a boundary: the sum of the normal forces, the least and
 * the largest; returns how many. With boundary -1, of those between bodies. */
static int normal_forces(const DlsScene *scene, int boundary, double out[3]) {
  const DlsSimulation *s = scene->simulation;
  const DlsAssembly *a = &s->last.assembly;
  int count = 0;
  out[0] = 0, out[1] = HUGE_VAL, out[2] = -HUGE_VAL;
  for (int i = 0; i < a->step.count; i++) {
    const int other = s->last.contacts.antagonist[a->step.in_set[i]];
    const double f = a->solve.r[(size_t)i * (size_t)a->run.block] / s->settings.h;
    if (boundary < 0 ? other < 0 : other != -1 - boundary) continue;
    out[0] += f, out[1] = fmin(out[1], f), out[2] = fmax(out[2], f);
    count++;
  }
  return count;
}

/* M R'' = -/+ 2 pi p L R: a cosine within, a hyperbolic cosine without, of (omega t)^2 = 2 pi p L
 * t^2 / M; in 2-D L = 1 m. Of a sphere M R'' = -4 pi p R^2, R' from the work -p (V0 - V). The
 * leapfrog's errors are of the order of (h omega)^2. */
TEST(a_pressure_alone_drives_the_radius) {
  static const struct {
    const char *dimension, *wall;
    double length, grows;
  } cases[] = {
      {"dimension: 2\n", "shape: cylinder, inside: true, radius: [0.5]", 1, -1},
      {"dimension: 2\n", "shape: cylinder, radius: [0.5]", 1, 1},
      {"", "shape: cylinder, inside: true, open: [-z, +z], length: [3], radius: [0.5]", 3, -1},
      {"", "shape: cylinder, axis: [1, 0, 0], length: [3], radius: [0.5]", 3, 1},
      {"", "shape: sphere, inside: true, radius: [0.5]", 0, -1},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char text[700];
    const bool plane = cases[k].dimension[0] != '\0';
    snprintf(text, sizeof text,
             "%stime: {step: 0.1 ms, end: 1}\n" HEAD "gravity: [3, 1%s]\n"
             "laws: [{law: coulomb}]\n"
             "bodies: [{material: rock, radius: 1 cm, position: [9, 9%s], fixed: [all]}]\n"
             "boundaries:\n"
             "  cell: {%s, material: rock, position: [0.25, 0.1%s], servo: {pressure: 100, mass: "
             "4}}\n",
             cases[k].dimension, plane ? "" : ", 2", plane ? "" : ", 0", cases[k].wall,
             plane ? "" : ", 7");
    DlsScene *scene = scene_of(text);
    if (!scene) continue;
    step(scene, 500);
    const DlsBoundary *cell = scene->simulation->world->boundary;
    const double omega = sqrt(2 * pi * 100 * cases[k].length / 4), t = 0.05, R = cell->radius[0];
    if (cases[k].length > 0) {
      CHECK_NEAR(R, 0.5 * (cases[k].grows > 0 ? cosh(omega * t) : cos(omega * t)), 1e-6);
      CHECK_NEAR(cell->growth,
                 0.5 * omega * (cases[k].grows > 0 ? sinh(omega * t) : -sin(omega * t)), 1e-4);
    } else {
      const double work = 100 * 4 * pi / 3 * (0.125 - R * R * R);
      CHECK(R < 0.45);
      CHECK_NEAR(2 * cell->growth * cell->growth, work, 1e-4 * work);
    }
    CHECK(cell->position[0] == 0.25 && cell->position[1] == 0.1);
    CHECK_NEAR(dls_scene_servo_energy(scene), 2 * cell->growth * cell->growth, 1e-12);
    CHECK_INT(dls_scene_bodies(scene), 1);
    check_balance(scene);
    dls_scene_destroy(&scene);
  }
}

/* Eight disks in a ring, each with two neighbours: the wall gives each p 2 pi R / 8, neighbours
 * that over 2 sin(pi / 8), and R = r / sin(pi / 8) + r. */
TEST(a_ring_of_disks_bears_the_pressure_of_its_ring) {
  static const char *const schemes[] = {"moreau", "euler"};
  enum { N = 8 };
  for (int k = 0; k < DLS_COUNT(schemes); k++) {
    char text[2000];
    int n =
        snprintf(text, sizeof text,
                 "dimension: 2\n" HEAD "drag: 20\ntime: {step: 1 ms, end: 1, scheme: %s}\n"
                 "laws: [{law: signorini}]\nsolver: {tolerance: 1e-10}\n"
                 "boundaries:\n"
                 "  skin: {shape: cylinder, inside: true, material: rock, radius: [0.37], servo: "
                 "{pressure: \"100 + 400*step(t, 0.6)\", mass: 100, damping: 1000}}\n"
                 "bodies:\n",
                 schemes[k]);
    for (int i = 0; i < N; i++)
      n += snprintf(text + n, sizeof text - (size_t)n,
                    "  - {material: rock, radius: 10 cm, position: [%.17g, %.17g]}\n",
                    0.262 * cos(2 * pi * i / N + 0.2), 0.262 * sin(2 * pi * i / N + 0.2));
    DlsScene *scene = scene_of(text);
    if (!scene) continue;
    const DlsBoundary *skin = scene->simulation->world->boundary;
    for (int stage = 0; stage < 2; stage++) {
      step(scene, stage ? 600 : 590);
      const double p = stage ? 500 : 100, R = 0.1 / sin(pi / N) + 0.1;
      const double at_wall = p * 2 * pi * skin->radius[0] / N;
      double wall[3], pair[3];
      CHECK_INT(normal_forces(scene, 0, wall), N);
      CHECK_INT(normal_forces(scene, -1, pair), N);
      CHECK_NEAR(skin->radius[0], R, 1e-3 * R);
      CHECK_NEAR(wall[0] / (2 * pi * skin->radius[0]), p, 1e-4 * p);
      for (int end = 1; end < 3; end++) {
        CHECK_NEAR(wall[end], at_wall, 1e-3 * at_wall);
        CHECK_NEAR(pair[end], at_wall / (2 * sin(pi / N)), 3e-3 * pair[0] / N);
      }
    }
    CHECK_INT(scene->simulation->state.unconverged, 0);
    check_balance(scene);
    dls_scene_destroy(&scene);
  }
}

/* Four balls in a sphere touch each other: each bears a quarter of p 4 pi R^2, pairs that over
 * sqrt 6; R = r (1 + sqrt(3/2)). */
TEST(four_balls_bear_the_pressure_on_a_sphere) {
  DlsScene *scene = scene_of(
      HEAD "drag: 20\ntime: {step: 1 ms, end: 1}\nlaws: [{law: signorini}]\n"
           "solver: {tolerance: 1e-10}\n"
           "boundaries:\n"
           "  shell: {shape: sphere, inside: true, material: rock, radius: [0.3], position: [1, 2, "
           "3], servo: {pressure: 1 kPa, mass: 100, damping: 3000}}\n"
           "bodies:\n"
           "  - {material: rock, radius: 10 cm, position: [1.08, 2.08, 3.08]}\n"
           "  - {material: rock, radius: 10 cm, position: [1.08, 1.92, 2.92]}\n"
           "  - {material: rock, radius: 10 cm, position: [0.92, 2.08, 2.92]}\n"
           "  - {material: rock, radius: 10 cm, position: [0.92, 1.92, 3.08]}\n");
  if (!scene) return;
  step(scene, 600);
  const double R = scene->simulation->world->boundary->radius[0];
  double wall[3], pair[3];
  CHECK_INT(normal_forces(scene, 0, wall), 4);
  CHECK_INT(normal_forces(scene, -1, pair), 6);
  CHECK_NEAR(R, 0.1 * (1 + sqrt(1.5)), 1e-3 * R);
  CHECK_NEAR(wall[0], 1000 * 4 * pi * R * R, 1e-4 * wall[0]);
  for (int end = 1; end < 3; end++) CHECK_NEAR(pair[end], wall[0] / 4 / sqrt(6), 3e-3 * pair[end]);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A triaxial cell about one layer of six balls: its axis along x, its area the round between two
 * plates, of which one is driven over the circle. Lateral: p 2 pi R H / 6 each; the lid bears q pi
 * R^2. */
TEST(a_cell_between_plates_has_the_area_between_them) {
  char text[2600];
  int n = snprintf(
      text, sizeof text,
      HEAD "drag: 20\ntime: {step: 1 ms, end: 1}\nlaws: [{law: signorini}]\n"
           "solver: {tolerance: 1e-10}\n"
           "boundaries:\n"
           "  foot: {shape: plane, material: rock, axis: [1, 0, 0]}\n"
           "  head: {shape: plane, material: rock, axis: [-1, 0, 0], position: [0.22, 0, 0],\n"
           "         servo: {pressure: 3 kPa, across: [cell], mass: 20, damping: 2000}}\n"
           "  cell: {shape: cylinder, inside: true, open: [-z, +z], axis: [1, 0, 0], length: [9],\n"
           "         material: rock, radius: [0.32],\n"
           "         servo: {pressure: 1 kPa, across: [foot, head], mass: 100, damping: 3000}}\n"
           "bodies:\n");
  for (int i = 0; i < 6; i++)
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "  - {material: rock, radius: 10 cm, position: [0.1, %.17g, %.17g]}\n",
                  0.21 * cos(pi * i / 3 + 0.1), 0.21 * sin(pi * i / 3 + 0.1));
  DlsScene *scene = scene_of(text);
  if (!scene) return;
  step(scene, 700);
  const DlsBoundary *wall = scene->simulation->world->boundary;
  const double R = wall[2].radius[0], H = wall[1].position[0];
  double cell[3], head[3];
  CHECK_INT(normal_forces(scene, 2, cell), 6);
  CHECK_INT(normal_forces(scene, 1, head), 6);
  CHECK_NEAR(R, 0.3, 3e-4);
  CHECK_NEAR(H, 0.2, 2e-4);
  CHECK_NEAR(cell[0], 1000 * 2 * pi * R * H, 1e-4 * cell[0]);
  CHECK_NEAR(head[0], 3000 * pi * R * R, 1e-4 * head[0]);
  for (int end = 1; end < 3; end++) CHECK_NEAR(cell[end], cell[0] / 6, 1e-3 * cell[0]);
  check_balance(scene);
  dls_scene_destroy(&scene);
}

/* A disk of mass m = 2 kg flies at a ring of M = 6 kg that nothing presses: after the elastic
 * bounce v (m - M) / (m + M) and R' = 2 m v / (m + M), wherever it hits. The ring takes no
 * momentum: it is held, and tells what it got. In the last of three turns a deformable body stands
 * by, for which rows of another form are made. */
TEST(a_ring_bounces_as_a_body_of_its_mass) {
  static const char *const schemes[] = {"moreau", "euler"};
  for (int k = 0; k < DLS_COUNT(schemes); k++)
    for (int turn = 0; turn < 3; turn++) {
      char text[800];
      const double angle = 2.1 * turn, v = 3;
      snprintf(text, sizeof text,
               "dimension: 2\n" HEAD "time: {step: 1 ms, end: 1, scheme: %s}\n"
               "laws: [{law: coulomb, parameters: {mu: 0.3, rho: 1}}]\n"
               "solver: {tolerance: 1e-12}\n"
               "boundaries:\n"
               "  ring: {shape: cylinder, inside: true, material: rock, radius: [1], servo: "
               "{pressure: 0, mass: 6}}\n"
               "bodies: [{material: rock, radius: 10 cm, mass: 2, position: [0, 0], velocity: "
               "[%.17g, %.17g]}]\n",
               schemes[k], v * cos(angle), v * sin(angle));
      DlsScene *scene = scene_of(text);
      if (!scene) continue;
      const DlsSimulation *s = scene->simulation;
      if (turn == 2)
        chain_add(s->world,
                  chain_create(2, 2, 0.1, 100, 0.02, (const double[3]){0.1, 0.5, 0},
                               (const double[3]){0.05, 0, 0}),
                  (const double[3]){0, 0, 0});
      double given[2] = {0};
      for (int n = 0; n < 400; n++) {
        step(scene, 1);
        for (int c = 0; c < 2; c++) given[c] += s->state.boundary_force[0][c] * s->settings.h;
      }
      const double after = v * (2 - 6) / (2 + 6), growth = 2 * 2 * v / (2 + 6);
      const double *u = s->world->velocity[0];
      CHECK_NEAR(u[0], after * cos(angle), 1e-9);
      CHECK_NEAR(u[1], after * sin(angle), 1e-9);
      CHECK_NEAR(s->world->boundary->growth, growth, 1e-9);
      CHECK_NEAR(given[0], 2 * (v - after) * cos(angle), 1e-9);
      CHECK_NEAR(given[1], 2 * (v - after) * sin(angle), 1e-9);
      CHECK_NEAR(s->state.ledger.kinetic, 9, 1e-9);
      CHECK_NEAR(s->state.ledger.dissipated, 0, 1e-9);
      check_balance(scene);
      dls_scene_destroy(&scene);
    }
}

/* A wall that shrinks by more than a grain in a step does not run over it: with euler no step ends
 * with an overlap, but for what the hollow of the wall makes (h^2 u_T^2 / 2 R). */
TEST(a_fast_ring_does_not_run_over_grains) {
  DlsScene *scene = scene_of(
      "dimension: 2\n" HEAD "time: {step: 10 ms, end: 1, scheme: euler}\n"
      "laws: [{law: signorini}]\nsolver: {tolerance: 1e-10}\n"
      "boundaries:\n"
      "  ring: {shape: cylinder, inside: true, material: rock, radius: [1], servo: "
      "{pressure: 10 kPa, mass: 100, damping: 300}}\n"
      "bodies:\n"
      "  - {material: rock, radius: 2 cm, position: [0.5, 0]}\n"
      "  - {shape: {kind: box, lengths: [0.06, 0.06]}, material: rock, position: [-0.4, 0.3]}\n");
  if (!scene) return;
  double fastest = 0;
  for (int n = 0; n < 5; n++) {
    const DlsWorld *world = scene->simulation->world;
    step(scene, 1);
    fastest = fmax(fastest, -world->boundary->growth);
    CHECK(world->boundary->radius[0] - hypot(world->position[0][0], world->position[0][1]) >
          0.02 - 1e-6);
  }
  CHECK(fastest * 0.01 >
        5 * 0.04); /* it could have: the ring has gone over five of its sizes in a step */
  check_balance(scene);
  dls_scene_destroy(&scene);
}

static void check_refused(const char *boundary, const char *sentence) {
  char text[900];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  snprintf(text, sizeof text,
           "time: {step: 1 ms, end: 1}\n" HEAD "laws: [{law: coulomb}]\n"
           "bodies: [{material: rock, radius: 1 cm, position: [0, 0, 0.1]}]\n"
           "boundaries:\n  floor: {shape: plane, material: rock}\n  cell: {material: rock, %s}\n",
           boundary);
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck) return;
  CHECK(dls_scene_build(deck, &scene) != DLS_OK);
  CHECK_TOLD(dls_deck_problem_count(deck) > 0 && strstr(dls_deck_problem_text(deck, 0), sentence),
             "%s", boundary);
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
}

TEST(what_has_no_radius_to_drive_is_refused) {
#define ROUND "shape: cylinder, inside: true, open: [-z, +z], length: [1], radius: [1], "
  check_refused("shape: box, length: [1, 1, 1], servo: {pressure: 1, mass: 1}", "give a force");
  check_refused(ROUND "servo: {pressure: 1, mass: 1, area: 2}", "follows from the radius");
  check_refused(ROUND "servo: {pressure: 1, mass: 1}, velocity: [0, 0, 1]", "the axis stays");
  check_refused(ROUND "servo: {pressure: 1, mass: 1, across: [floor]}", "[bottom, top]");
  check_refused("shape: sphere, radius: [1], servo: {pressure: 1, mass: 1, across: [floor, floor]}",
                "take it away");
  DlsScene *scene =
      scene_of("dimension: 2\ntime: {step: 1 ms, end: 1}\n" HEAD
               "laws: [{law: coulomb}]\nbodies: [{material: rock, radius: 1 mm, position: [0, "
               "0.05], fixed: [all]}]\nboundaries:\n"
               "  cell: {material: rock, shape: cylinder, inside: true, radius: [0.1], "
               "servo: {pressure: 1 kPa, mass: 1}}\n");
  if (!scene) return;
  DlsStatus status = DLS_OK;
  for (int n = 0; n < 100 && status == DLS_OK; n++) status = dls_scene_step(scene);
  CHECK_INT(status, DLS_ERR_NUMERIC);
  CHECK(strstr(dls_error_message(), "driven the radius of boundary cell"));
  dls_scene_destroy(&scene);
}
