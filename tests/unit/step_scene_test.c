/* Scenes from decks: what the text says is what the world holds, and moves as it says. */
#include "tests/test.h"

#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HEAD                                                                                       \
  "time: {step: 1 ms, end: 1 s}\n"                                                                 \
  "materials: {rock: {density: 2000}, steel: {density: 8000}}\n"                                   \
  "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"

static const double pi = 3.14159265358979323846;

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  dls_deck_destroy(&deck); /* a scene outlives its deck */
  return scene;
}

static void step(DlsScene *scene, int times) {
  for (int k = 0; k < times; k++) CHECK_OK(dls_simulation_step(scene->simulation));
}

TEST(bodies_have_mass_place_and_motion) {
  DlsScene *scene =
      scene_of(HEAD "bodies:\n"
                    "  - {material: steel, radius: 10 cm, position: [1, 2, 3], "
                    "velocity: [4, 5, 6], spin: [7, 8, 9]}\n"
                    "  - {material: rock, radius: 1 m, mass: 5, position: [9, 0, 0], "
                    "fixed: [x, turn_z]}\n"
                    "  - {material: rock, position: [-9, 0, 0], cluster: [{at: [0, 0, "
                    "0], radius: 1}, {at: [3, 0, 0], radius: 1}]}\n");
  if (!scene) return;
  const DlsWorld *world = scene->simulation->world;
  CHECK_INT(world->count, 3);
  CHECK_INT(world->first[3], 4);
  CHECK_NEAR(world->mass[0], 8000 * 4 * pi / 3 * 1e-3, 1e-10);
  CHECK_NEAR(world->mass[1], 5, 0);
  CHECK_NEAR(world->mass[2], 2 * 2000 * 4 * pi / 3, 1e-9);
  for (int k = 0; k < 3; k++) CHECK_NEAR(world->position[0][k], 1 + k, 0);
  for (int k = 0; k < 6; k++) CHECK_NEAR(world->velocity[0][k], 4 + k, 0);
  CHECK_INT(world->fixed[1], 1 << 0 | 1 << 5);
  dls_scene_destroy(&scene);
}

/* Without contacts x = x0 + sum of h v, v by gravity at the middle of each step: exact for moreau
 * and a gravity that is linear in time. */
TEST(gravity_is_a_function_of_time) {
  DlsScene *scene = scene_of(HEAD "gravity: [2*t, 0, -10]\n"
                                  "bodies: [{material: rock, radius: 1, position: [0, 0, 0]}]\n");
  if (!scene) return;
  step(scene, 500);
  const double *v = scene->simulation->world->velocity[0];
  CHECK_NEAR(v[0], 0.25, 1e-12);
  CHECK_NEAR(v[2], -5, 1e-11);
  dls_scene_destroy(&scene);
}

/* dv/dt = -c v, by explicit steps: v = v0 (1 - c h)^n. */
TEST(drag_slows_bodies_down) {
  DlsScene *scene = scene_of(
      HEAD
      "drag: 3\nbodies: [{material: rock, radius: 1, position: [0, 0, 0], velocity: [1, 0, 0]}]\n");
  if (!scene) return;
  step(scene, 100);
  CHECK_NEAR(scene->simulation->world->velocity[0][0], pow(1 - 3e-3, 100), 1e-12);
  dls_scene_destroy(&scene);
}

TEST(boundaries_move_as_their_expressions_say) {
  DlsScene *scene =
      scene_of(HEAD "bodies: [{material: rock, radius: 1, position: [0, 0, 50]}]\n"
                    "boundaries:\n"
                    "  shaken: {shape: plane, material: steel, position: [0, 0, -1], "
                    "displacement: [0, 0, \"0.1*sin(2*pi*t)\"]}\n"
                    "  driven: {shape: box, material: steel, position: [20, 0, 0], length: [1, 1, "
                    "1], velocity: [t, 0, 0]}\n"
                    "  turned: {shape: cylinder, material: steel, position: [-20, 0, 0], length: "
                    "[1], radius: [1], spin: [0, 0, pi]}\n");
  if (!scene) return;
  step(scene, 250);
  const DlsBoundary *boundary = scene->simulation->world->boundary;
  CHECK_NEAR(boundary[0].position[2], -0.9, 1e-12);
  CHECK_NEAR(boundary[1].position[0], 20 + 0.25 * 0.25 / 2, 1e-12);
  /* a quarter of half a turn */
  CHECK_NEAR(fabs(boundary[2].orientation[0]), cos(pi / 8), 1e-12);
  CHECK_NEAR(fabs(boundary[2].orientation[3]), sin(pi / 8), 1e-12);
  dls_scene_destroy(&scene);
}

/* The axis of a plane is its normal; in 2-D as well, also downward. A disk of radius 1 rests on it
 * at distance 1. */
TEST(the_axis_of_a_plane_is_its_normal) {
  static const double axes[][2] = {{0, 1}, {1, 0}, {0, -1}, {-1, 1}};
  for (int k = 0; k < DLS_COUNT(axes); k++) {
    char text[700];
    const double x = axes[k][0] / hypot(axes[k][0], axes[k][1]);
    const double y = axes[k][1] / hypot(axes[k][0], axes[k][1]);
    snprintf(text, sizeof text,
             HEAD "dimension: 2\ngravity: [%.17g, %.17g]\n"
                  "bodies: [{material: rock, radius: 1, position: [%.17g, %.17g]}]\n"
                  "boundaries: {floor: {shape: plane, material: steel, axis: [%g, %g]}}\n",
             -x, -y, x, y, axes[k][0], axes[k][1]);
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    step(scene, 20);
    CHECK_NEAR(scene->simulation->world->position[0][0], x, 1e-5);
    CHECK_NEAR(scene->simulation->world->position[0][1], y, 1e-5);
    CHECK_INT(scene->simulation->last.report.contacts, 1);
    dls_scene_destroy(&scene);
  }
}

/* Later laws win; the order of the two materials does not matter. */
TEST(the_last_law_of_a_pair_counts) {
  DlsScene *scene = scene_of("time: {end: 1}\nmaterials: {rock: {}, steel: {}}\n"
                             "laws:\n  - {law: coulomb, parameters: {mu: 0.3}}\n  - {law: "
                             "signorini, between: [steel, rock]}\n"
                             "bodies:\n  - {material: rock, radius: 1, position: [0, 0, 0]}\n"
                             "  - {material: steel, radius: 1, position: [5, 0, 0]}\n");
  if (!scene) return;
  const DlsInteractions *laws = &scene->simulation->settings.laws;
  CHECK(strcmp(laws->item[laws->pair[0]].law->name, "coulomb") == 0);
  CHECK(strcmp(laws->item[laws->pair[1]].law->name, "signorini") == 0);
  CHECK(strcmp(laws->item[laws->pair[2]].law->name, "signorini") == 0);
  CHECK_NEAR(laws->item[laws->pair[3]].params[0], 0.3, 0);
  dls_scene_destroy(&scene);
}

#define PULL      TEST_BINARY_DIR "/tests/plugins/composed/pull.so"
#define LIST_HEAD "time: {end: 1}\nmaterials: {rock: {}}\n"
#define LIST_BODY "bodies: [{material: rock, radius: 1, position: [0, 0, 0]}]\n"

/* Of a list each law has its own parameters; the resolved deck says the same. */
TEST(laws_of_a_list_act_together) {
  DlsScene *scene =
      scene_of(LIST_HEAD "laws:\n  - {law: [coulomb, " PULL "], parameters: {pull: "
                         "{reach: 2 mm}, coulomb: {mu: 0.7}}}\n  - law: [coulomb]\n"
                         "    parameters: {mu: 0.2}\n    between: [rock, rock]\n" LIST_BODY);
  if (!scene) return;
  const DlsInteraction *item = scene->simulation->settings.laws.item;
  CHECK_INT(scene->simulation->settings.laws.count, 2);
  CHECK(strcmp(item[0].law->name, "coulomb") == 0 && strcmp(item[0].then[0]->name, "pull") == 0);
  CHECK(!item[0].then[1] && !item[1].then[0]);
  CHECK_NEAR(item[0].params[0], 0.7, 0);
  CHECK_NEAR(item[0].params[item[0].law->nparams], 1, 0);
  CHECK_NEAR(item[0].params[item[0].law->nparams + 1], 2e-3, 0);
  CHECK_NEAR(item[1].params[0], 0.2, 0);
  char *text = NULL;
  CHECK_OK(dls_deck_text(dls_scene_section(), &scene->data, NULL, &text));
  CHECK(text && strstr(text, "law: [\"coulomb\", \"" PULL "\"]"));
  CHECK(text && strstr(text, "law: \"coulomb\"\n"));
  DlsScene *again = text ? scene_of(text) : NULL;
  if (again)
    for (int k = 0; k < DLS_MAX_PARAMS; k++)
      CHECK_NEAR(again->simulation->settings.laws.item[0].params[k], item[0].params[k], 0);
  free(text);
  dls_scene_destroy(&again);
  dls_scene_destroy(&scene);
}

static void check_refused(const char *text, const char *sentence) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  CHECK_FAILS(dls_scene_build(deck, &scene), DLS_ERR_FORMAT, sentence);
  dls_deck_destroy(&deck);
}

TEST(lists_of_laws_that_make_no_sense_are_refused) {
  check_refused(LIST_HEAD "laws:\n  - law: [coulomb, signorini]\n" LIST_BODY,
                "deck.yaml:4: laws[0].law: contact law 'signorini' does not compose");
  check_refused(LIST_HEAD "laws:\n  - law: []\n" LIST_BODY,
                "laws[0].law: has 0 items, needs 1 to 4 words");
  check_refused(LIST_HEAD "laws:\n  - law: [coulomb, " PULL
                          "]\n    parameters: {mu: 0.3}\n" LIST_BODY,
                "laws[0].parameters.mu: unknown key");
  check_refused(LIST_HEAD "laws:\n  - law: [coulomb, " PULL
                          "]\n    parameters: {pull: {force: -1}}\n" LIST_BODY,
                "laws[0].parameters.pull.force: -1 N is out of bounds");
}

TEST(solver_options_reach_the_solver) {
  DlsScene *scene = scene_of(HEAD "bodies: [{material: rock, radius: 1, position: [0, 0, 0]}]\n"
                                  "solver: {name: nsgs, tolerance: 1e-7, max_iterations: 77, "
                                  "measure: natural, options: {omega: 0.75}}\n");
  if (!scene) return;
  const DlsSimulation *s = scene->simulation;
  CHECK_NEAR(s->settings.limits.tolerance, 1e-7, 0);
  CHECK_INT(s->settings.limits.max_iterations, 77);
  CHECK_INT(s->settings.limits.measure, DLS_MEASURE_NATURAL);
  for (int k = 0; k < s->settings.solver->noptions; k++)
    if (strcmp(s->settings.solver->options[k].name, "omega") == 0) {
      double omega;
      memcpy(&omega,
             (const char *)s->settings.solver_options + s->settings.solver->options[k].offset,
             sizeof omega);
      CHECK_NEAR(omega, 0.75, 0);
    }
  dls_scene_destroy(&scene);
}
