/* Deformable bodies from decks: their mesh, materials by group, what holds, drives and loads them
 * against closed forms; mistakes with their line, key and cure. */
#include "fem/body.h"
#include "scene/scene.h"
#include "tests/decks.h"
#include "world/deformable.h"

#include <string.h>

#define HEAD                                                                                       \
  "dimension: 2\n"                                                                                 \
  "time: {step: 1 ms, end: 10 s, theta: 0.5}\n"                                                    \
  "gravity: [0, 0]\n"                                                                              \
  "materials: {rock: {density: 2}}\n"                                                              \
  "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"                                                \
  "bodies:\n"                                                                                      \
  "  - material: rock\n"                                                                           \
  "    position: [1, 2]\n"

#define SQUARE "      mesh: {kind: block, size: [2, 1], cells: [4, 2]}\n"
#define SOFT   "      bulk: {law: elastic, parameters: {young: 1000, poisson: 0.25}}\n"
#define BODY   HEAD "    deformable:\n" SQUARE SOFT

static DlsScene *scene_of(const char *text, char *message, size_t bytes) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck && dls_scene_build(deck, &scene) != DLS_OK)
    snprintf(message, bytes, "%s", dls_error_message());
  dls_deck_destroy(&deck);
  return scene;
}

static DlsScene *open_scene(const char *text) {
  char message[2000] = "";
  DlsScene *scene = scene_of(text, message, sizeof message);
  if (!scene) test_fail(__FILE__, __LINE__, "%s", message);
  if (!scene) exit(1);
  return scene;
}

static void run(DlsScene *scene, int steps) {
  for (int k = 0; k < steps; k++) CHECK_OK(dls_scene_step(scene));
}

static double energy_of(const DlsWorld *world) {
  const DlsDeformable *d = &world->deformable.item[0];
  const double *state = world->deformable.state + d->state;
  return d->kind->kinetic(d->model, state, world->deformable.velocity + d->velocity) +
         d->kind->strain(d->model, state);
}

TEST(a_body_is_placed_turned_and_moves_as_one) {
  DlsScene *scene = open_scene(BODY "    turn: [1.5707963267948966]\n    velocity: [3, 0]\n"
                                    "    spin: [0, 0, 0.5]\n");
  const DlsWorld *world = scene->simulation->world;
  const DlsDeformable *d = &world->deformable.item[0];
  const double *u = world->deformable.state + d->state;
  CHECK_INT(world->count, 1);
  CHECK_NEAR(world->mass[0], 4, 1e-14);
  double corner[3];
  dls_body_place(d->model, u, 0, corner); /* left and below, then turned to the right */
  CHECK_NEAR(corner[0], 1.5, 1e-14);
  CHECK_NEAR(corner[1], 1, 1e-14);
  CHECK_NEAR(world->velocity[0][0], 3, 1e-14);
  double v[30];
  dls_body_node_velocity(d->model, u, world->deformable.velocity + d->velocity, v);
  CHECK_NEAR(v[0], 3 - 0.5 * (corner[1] - 2), 1e-14);
  CHECK_NEAR(v[1], 0.5 * (corner[0] - 1), 1e-14);
  dls_scene_destroy(&scene);
}

/* A free body: what loads give it is their sum over its mass, to the last step: they are taken in
 * the middle of it, exact for what is linear in t. */
TEST(loads_accelerate_a_free_body) {
  DlsScene *scene = open_scene(BODY "      loads:\n"
                                    "        - {group: right, traction: ['3*t', 1]}\n"
                                    "        - {group: top, pressure: '2*t'}\n"
                                    "      force: [0, '5*t']\n");
  const DlsWorld *world = scene->simulation->world;
  run(scene, 200);
  const double t = 0.2, m = 4;
  CHECK_NEAR(world->velocity[0][0], 3 * t * t / 2 / m, 1e-12);
  CHECK_NEAR(world->velocity[0][1], (1 * t + (5 * 2 - 2 * 2) * t * t / 2) / m, 1e-12);
  /* What it has was given by the loads. */
  CHECK_NEAR(scene->simulation->state.ledger.force / energy_of(world), 1, 1e-10);
  dls_scene_destroy(&scene);
}

/* Held at the left, pulled at the right in plane stress with damping until all is at rest: sigma L
 * / E along it, -nu sigma / E across. */
TEST(tension_stretches_by_hooke) {
  DlsScene *scene = open_scene(
      BODY "      plane: stress\n      damping: {mass: 20 1/s}\n"
           "      fixed:\n        - {group: left, axes: x}\n        - {group: bottom, axes: y}\n"
           "      loads: {group: right, pressure: -10}\n");
  const DlsWorld *world = scene->simulation->world;
  const DlsDeformable *d = &world->deformable.item[0];
  run(scene, 2000);
  double right[3];
  dls_body_place(d->model, world->deformable.state + d->state, 14, right);
  CHECK_NEAR(right[0], 2 + 10.0 * 2 / 1000, 1e-8);
  CHECK_NEAR(right[1], 2.5 - 0.25 * 10.0 / 1000, 1e-8);
  dls_scene_destroy(&scene);
}

/* A free body on a bedding swings with sqrt(k A / m); nearly rigid beside it. */
TEST(a_bedding_swings) {
  DlsScene *scene =
      open_scene(HEAD "    velocity: [1, 0]\n    deformable:\n" SQUARE
                      "      bulk: {law: elastic, parameters: {young: 1e9, poisson: 0.25}}\n"
                      "      springs: {group: left, stiffness: 200, axes: [x]}\n");
  const DlsWorld *world = scene->simulation->world;
  run(scene, 300);
  const double omega = sqrt(200.0 / 4);
  CHECK_NEAR(world->position[0][0], 1 + sin(0.3 * omega) / omega, 1e-4);
  dls_scene_destroy(&scene);
}

TEST(groups_move_as_prescribed) {
  DlsScene *scene = open_scene(BODY "      fixed: {group: left}\n"
                                    "      prescribed: {group: right, vx: '0.1*t', vy: 0}\n"
                                    "      damping: {mass: 20 1/s}\n");
  const DlsWorld *world = scene->simulation->world;
  const DlsDeformable *d = &world->deformable.item[0];
  run(scene, 500);
  double right[3];
  dls_body_place(d->model, world->deformable.state + d->state, 14, right);
  CHECK_NEAR(right[0], 2 + 0.1 * 0.25 / 2, 1e-12);
  CHECK_NEAR(right[1], 2.5, 1e-14);
  /* The work of what drives it is what it has, and what damping took. */
  const DlsLedger *l = &scene->simulation->state.ledger;
  CHECK_NEAR(l->force / (energy_of(world) + l->within), 1, 1e-12);
  dls_scene_destroy(&scene);
}

/* A displacement is where the nodes are, to the last digits, whatever the step and the function;
 * that of a constant is no motion. */
TEST(groups_are_displaced_as_prescribed) {
  for (int way = 0; way < 3; way++) {
    static const char *const kinematics[] = {"small", "corotational", "total-lagrangian"};
    char text[1024];
    snprintf(text, sizeof text,
             "%s      kinematics: %s\n      fixed: {group: left}\n"
             "      prescribed: {group: right, x: '0.02*sin(20*t)', y: 5}\n"
             "      damping: {mass: 20 1/s}\n",
             BODY, kinematics[way]);
    DlsScene *scene = open_scene(text);
    const DlsWorld *world = scene->simulation->world;
    const DlsDeformable *d = &world->deformable.item[0];
    double right[3];
    for (int n = 0; n < 5; n++) {
      run(scene, 37);
      dls_body_place(d->model, world->deformable.state + d->state, 14, right);
      CHECK_NEAR(right[0], 2 + 0.02 * sin(20 * scene->simulation->state.time), 1e-13);
      CHECK_NEAR(right[1], 2.5, 1e-13);
    }
    const DlsLedger *l = &scene->simulation->state.ledger;
    CHECK_NEAR(l->force / (energy_of(world) + l->within), 1, 1e-8);
    dls_scene_destroy(&scene);
  }
}

/* Two cubes of a file, of densities 2 and 10. */
TEST(parts_are_made_of_what_their_group_says) {
  DlsScene *scene =
      open_scene("time: {step: 1 ms, end: 1 s}\nmaterials: {rock: {density: 2}}\n"
                 "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
                 "bodies:\n  - material: rock\n    position: [0, 0, 5]\n    deformable:\n"
                 "      mesh: {file: " TEST_SOURCE_DIR "/meshes/box-41-binary.msh, scale: 0.5 m}\n"
                 "      bulk:\n"
                 "        - {law: elastic, parameters: {young: 1 MPa}}\n"
                 "        - {law: elastic, group: stiff, density: 10, parameters: {young: 5 MPa}}\n"
                 "      contact: {groups: [left, right]}\n");
  const DlsWorld *world = scene->simulation->world;
  CHECK_NEAR(world->mass[0], (2 + 10) / 8.0, 1e-12);
  CHECK_NEAR(world->position[0][2], 5.25, 1e-3);
  run(scene, 10);
  dls_scene_destroy(&scene);
}

/* The bar of input/: 300 Pa while it touches, no energy lost (design: Doyen, Ern, Piperno). */
TEST(the_bar_of_the_deck_leaves_with_its_energy) {
  TestDeck deck;
  test_deck_open(&deck, "bar-on-wall.yaml", (const char *const[]){NULL});
  const DlsWorld *world = deck.simulation->world;
  double begin = -1, end = 0, sum = 0;
  int count = 0;
  for (double h = deck.simulation->settings.h; deck.simulation->state.time < 1.5 - h / 2;) {
    const double before = world->velocity[0][1], t = deck.simulation->state.time;
    CHECK_OK(dls_scene_step(deck.scene));
    const double p = (world->velocity[0][1] - before) * world->mass[0] / h / 0.1;
    if (p > 30 && begin < 0) begin = t;
    if (p > 30) end = t + h;
    if (t > 0.56 && t < 1.1) sum += p, count++;
  }
  CHECK_NEAR(sum / count, 300, 3);
  CHECK_NEAR(begin, 0.5, 0.005);
  CHECK_NEAR(end - begin, 2.0 / 3, 0.0134);
  CHECK_NEAR(energy_of(world), 50, 50e-3);
  test_deck_close(&deck);
}

/* Two blocks of unlike meshes under p = 10 kPa, free to widen: sigma_yy = -p everywhere, and the
 * energy p^2 (1 - nu^2) / (2 E) times their area. The solver's error lets them creep into each
 * other, 0.5 um in 30 ms, by more than they move in a step: they meet all the same. */
TEST(blocks_of_unlike_meshes_are_pressed_alike) {
  TestDeck deck;
  test_deck_open(&deck, "press.yaml", (const char *const[]){"time.end=50 ms", NULL});
  test_deck_run(&deck, 0.05);
  CHECK_INT(deck.simulation->last.report.active, 11);
  CHECK(deck.simulation->last.report.penetration > 1e-7);
  CHECK_NEAR(deck.simulation->state.ledger.strain, 1e8 * 0.91 / 2e6 * 1.6e-3, 1e-3 * 0.0728);
  test_deck_close(&deck);
}

/* Large displacements meet by surfaces as small ones do: the deck says no overlap, as it would of
 * balls about the nodes. */
TEST(large_displacements_meet_by_surfaces) {
  TestDeck deck;
  test_deck_open(&deck, "press.yaml",
                 (const char *const[]){"bodies[0].deformable.kinematics=total-lagrangian",
                                       "bodies[1].deformable.kinematics=total-lagrangian",
                                       "bodies[0].deformable.bulk.law=neo-hookean",
                                       "bodies[1].deformable.bulk.law=neo-hookean", NULL});
  const DlsDeformable *d = &deck.simulation->world->deformable.item[0];
  CHECK(d->kind->faces && d->kind->faces(d->model));
  test_deck_run(&deck, 1e-3);
  CHECK_INT(deck.simulation->last.report.solver.outcome, DLS_CONVERGED);
  test_deck_close(&deck);
}

/* Four disks of a lattice, each scaled to its own radius and turned by the seed; they meet by
 * surfaces. */
TEST(grains_are_deformable) {
  DlsScene *scene = open_scene(
      "dimension: 2\ntime: {step: 0.1 ms, end: 1 s, theta: 0.5}\ngravity: [0, 0]\n"
      "materials: {rock: {density: 2}}\nlaws: [{law: coulomb, parameters: {mu: 0.3}}]\n"
      "grains:\n  - material: rock\n    place: lattice\n    lattice: square\n    pitch: 0.21\n"
      "    region: {shape: box, low: [0, 0], high: [0.43, 0.43]}\n    sizes: {radius: 0.1}\n"
      "    velocity: [1, 0]\n    deformable:\n"
      "      mesh: {kind: disk, radius: 3, cells: [8]}\n"
      "      bulk: {law: elastic, parameters: {young: 1000}}\n"
      "boundaries:\n  wall: {shape: plane, axis: [-1, 0], material: rock, position: [0.43, 0]}\n");
  const DlsWorld *world = scene->simulation->world;
  CHECK_INT(world->count, 4);
  CHECK_INT(world->deformable.count, 4);
  for (int b = 0; b < 4; b++) CHECK_NEAR(world->mass[b] / (2 * 0.01 * 3.14159265358979), 1, 0.02);
  run(scene, 600); /* 20 mm to the wall, 10 mm between them */
  const DlsLedger *l = &scene->simulation->state.ledger;
  CHECK(world->velocity[0][0] < 0.99);
  CHECK(fabs(l->balance) < 1e-10 * l->start);
  dls_scene_destroy(&scene);
}

#define BOUNCING                                                                                   \
  "dimension: 2\ntime: {step: 1 ms, end: 1 s, theta: 0.5}\ngravity: [0, 0]\n"                      \
  "materials: {rock: {density: 2}, steel: {density: 8}}\n"                                         \
  "laws: [{law: coulomb, parameters: {mu: 0.3, rho: 0.5}}]\n"                                      \
  "boundaries: {floor: {shape: plane, axis: [0, 1], material: steel}}\n"                           \
  "bodies:\n  - {material: steel, radius: 0.1, position: [1, 9]}\n"                                \
  "  - material: rock\n    position: [1, 2]\n    deformable:\n" SQUARE SOFT

/* A law with restitution is refused before anything meets, unless no pair asks for it: balls about
 * nodes take it. */
TEST(restitution_of_a_surface_is_refused_by_the_deck) {
  char message[2000] = "";
  CHECK(!scene_of(BOUNCING, message, sizeof message));
  CHECK(strstr(message, "deck.yaml:5: laws: law 'coulomb' has the restitution rho = 0.5"));
  DlsScene *scene = open_scene(BOUNCING "      contact: {points: balls, radius: 1 mm}\n");
  dls_scene_destroy(&scene);
}

/* A narrow block 2 mm above a wide one touches nothing, though the sides of the wide one look away
 * from its corners. */
TEST(blocks_apart_do_not_overlap) {
  DlsScene *scene =
      open_scene(BODY "  - material: rock\n    position: [1, 3.002]\n    deformable:\n"
                      "      mesh: {kind: block, size: [1.6, 1], cells: [2, 2]}\n" SOFT);
  run(scene, 1);
  const DlsContactSet *set = &scene->simulation->last.contacts;
  for (int c = 0; c < set->count; c++) CHECK_NEAR(set->gap[c], 2e-3, 1e-12);
  dls_scene_destroy(&scene);
}

TEST(mistakes_are_told_at_their_line) {
  static const struct {
    const char *deck, *part;
  } cases[] = {
#define DEFORMABLE HEAD "    deformable:\n"
      {DEFORMABLE SOFT,
       "deck.yaml:9: bodies[0].deformable.mesh.kind: the mesh has neither a file nor a kind"},
      {DEFORMABLE SQUARE, "deck.yaml:9: bodies[0].deformable.bulk: is missing"},
      {DEFORMABLE "      mesh: {kind: blok}\n" SOFT, "did you mean 'block'?"},
      {DEFORMABLE "      mesh: {kind: sphere, radius: 1}\n" SOFT,
       "deck.yaml:10: bodies[0].deformable.mesh.kind: a sphere is of 3-D, and the deck of 2-D; "
       "take a disk"},
      {DEFORMABLE "      mesh: {kind: block, size: [1, 1], element: HEX8}\n" SOFT,
       "is no element of 2-D; take T3, T6, Q4 or Q8"},
      {DEFORMABLE "      mesh: {file: " TEST_SOURCE_DIR "/meshes/box-22.msh}\n" SOFT,
       "has cells of 3-D, and the deck is of 2-D"},
      {DEFORMABLE SQUARE "      bulk: {law: elastik}\n", "elastik"},
      {DEFORMABLE SQUARE "      bulk: {law: elastic, parameters: {yung: 1}}\n",
       "deck.yaml:11: bodies[0].deformable.bulk.parameters.yung: unknown key; did you mean "
       "'young'?"},
      {DEFORMABLE SQUARE "      bulk: {law: elastic, parameters: {young: -1}}\n",
       "deck.yaml:11: bodies[0].deformable.bulk.parameters.young:"},
      {DEFORMABLE SQUARE "      bulk: {law: elastic, parameters: {poisson: 0.5}}\n",
       "deck.yaml:11: bodies[0].deformable.bulk.parameters.poisson:"},
      {DEFORMABLE SQUARE "      bulk: {law: elastic, parameters: {young: 1 m}}\n", "young"},
      {DEFORMABLE SQUARE "      bulk: {law: elastic, group: top}\n",
       "the group 'top' has no cells of 2-D, of which the body could be"},
      {BODY "      fixed: {group: botom}\n",
       "deck.yaml:12: bodies[0].deformable.fixed.group: the mesh has no group 'botom'; did you "
       "mean 'bottom'?"},
      {BODY "      fixed: {group: everywhere}\n",
       "the mesh has no group 'everywhere'; there are: left, right, bottom, top, skin"},
      {BODY "      fixed: {group: left, axes: [w]}\n", "fixed.axes"},
      {BODY "      prescribed: {group: left, x: 1, vx: 2}\n",
       "deck.yaml:12: bodies[0].deformable.prescribed.vx: x has a displacement already"},
      {BODY "      prescribed: {group: left}\n",
       "prescribes nothing; give x or y, m, or vx or vy, m/s"},
      {BODY "      prescribed: {group: left, vx: 'sin(w*t)'}\n", "prescribed.vx"},
      {BODY "      loads: {group: left}\n", "loads nothing; give a pressure or a traction"},
      {BODY "      contact: {radius: 1 mm}\n",
       "deck.yaml:12: bodies[0].deformable.contact.radius: is of balls about nodes; take it away"},
      {BODY "      contact: {points: balls, self: true}\n",
       "deformable.contact.self: is of surfaces"},
      {BODY "      contact: {groups: [lft]}\n", "did you mean 'left'?"},
      {BODY "      kinematics: large\n",
       "deck.yaml:12: bodies[0].deformable.kinematics: is one of small, corotational, "
       "total-lagrangian, not 'large'"},
      {BODY "    mass: 3\n", "deck.yaml:12: bodies[0].mass: of a deformable body follows from"},
      {BODY "    fixed: [x]\n", "write it under `deformable`"},
      {BODY "    motion: {vx: 1}\n", "write `prescribed` under `deformable`"},
      {HEAD
       "    radius: 1\n"
       "sources:\n  - {material: rock, region: {shape: box, low: [0, 5], high: [1, 6]}, sizes: "
       "{radius: 0.1}, rate: 1, deformable: {mesh: {kind: disk, radius: 1}, bulk: {law: "
       "elastic}}}\n",
       "deck.yaml:11: sources[0].deformable: sources pour rigid bodies"},
      {BODY "    radius: 1\n", "more than one of radius, cluster, shape and deformable"},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char message[2000] = "";
    DlsScene *scene = scene_of(cases[k].deck, message, sizeof message);
    CHECK_TOLD(!scene && strstr(message, cases[k].part), "case %d: '%s' is not in '%s'", k,
               cases[k].part, message);
    dls_scene_destroy(&scene);
  }
}
