/* Laws as decks give them: to materials and boundaries, with parameters that are formulas, states
 * that contacts begin with, and fields. */
#include "tests/test.h"

#include "detect/detect.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WARM TEST_BINARY_DIR "/tests/plugins/composed/warm.so"
#define DAMP TEST_BINARY_DIR "/tests/plugins/composed/damp.so"
#define PULL TEST_BINARY_DIR "/tests/plugins/composed/pull.so"

#define HEAD                                                                                       \
  "time: {step: 1 ms, end: 1 s}\n"                                                                 \
  "gravity: [0, 0, -9.81]\n"                                                                       \
  "materials: {sand: {density: 2500}, steel: {density: 7800}}\n"

/* A large and a small grain on the floor, and one of them against a wall. */
#define BODY                                                                                       \
  "bodies:\n"                                                                                      \
  "  - {material: sand, radius: 0.1, position: [0.1, 0.3, 0.1]}\n"                                 \
  "  - {material: sand, radius: 0.05, position: [0.6, 0.7, 0.05]}\n"                               \
  "boundaries:\n"                                                                                  \
  "  bottom: {material: steel, shape: plane}\n"                                                    \
  "  side: {material: steel, shape: plane, axis: [1, 0, 0]}\n"

static DlsScene *scene_of(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck) CHECK_OK(dls_scene_build(deck, &scene));
  for (int k = 0; deck && !scene && k < dls_deck_problem_count(deck); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(deck, k));
  dls_deck_destroy(&deck);
  return scene;
}

/* The deck is refused with this sentence. */
static void refused(const char *text, const char *sentence) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  bool told = false;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck) return;
  CHECK(dls_scene_build(deck, &scene) != DLS_OK);
  for (int k = 0; k < dls_deck_problem_count(deck); k++)
    told |= test_contains(dls_deck_problem_text(deck, k), sentence);
  if (!told)
    test_fail(__FILE__, __LINE__, "\"%s\" is told in the place of \"%s\"",
              dls_deck_problem_text(deck, 0), sentence);
  dls_deck_destroy(&deck);
  dls_scene_destroy(&scene);
}

static const DlsAssemblyContacts *step(DlsScene *scene) {
  CHECK_OK(dls_scene_step(scene));
  return &scene->simulation->last.assembly.step;
}

/* The contact of body b with a boundary, or another body by its number from 0; -1: none. */
static int contact_of(const DlsScene *scene, int b, int antagonist) {
  const DlsAssemblyContacts *a = &scene->simulation->last.assembly.step;
  for (int i = 0; i < a->count; i++)
    if (a->set->candidate[a->in_set[i]] == b && a->set->antagonist[a->in_set[i]] == antagonist)
      return i;
  return -1;
}

enum { BOTTOM = -1, SIDE = -2 };

static const DlsRelation *relation(const DlsScene *scene, int i) {
  return dls_assemble_relation(&scene->simulation->last.assembly, i);
}

TEST(a_boundary_has_a_law_of_its_own) {
  DlsScene *scene = scene_of(HEAD BODY "laws:\n"
                                       "  - {law: coulomb, parameters: {mu: 0.3}}\n"
                                       "  - {law: coulomb, between: [side, sand], parameters: "
                                       "{mu: 0.7}}\n");
  if (!scene) return;
  CHECK_INT(step(scene)->count, 3);
  CHECK_NEAR(relation(scene, contact_of(scene, 0, BOTTOM))->mu[0], 0.3, 0);
  CHECK_NEAR(relation(scene, contact_of(scene, 1, BOTTOM))->mu[0], 0.3, 0);
  CHECK_NEAR(relation(scene, contact_of(scene, 0, SIDE))->mu[0], 0.7, 0);
  dls_scene_destroy(&scene);
}

/* No contact, whatever they overlap, and no law is missed; a later item lets them meet again. */
TEST(a_pair_without_a_law_does_not_meet) {
  DlsScene *scene = scene_of(HEAD BODY "laws:\n"
                                       "  - {law: none}\n"
                                       "  - {law: coulomb, between: [side, sand]}\n");
  if (scene) {
    CHECK_INT(step(scene)->count, 1);
    CHECK_INT(contact_of(scene, 0, SIDE), 0);
  }
  dls_scene_destroy(&scene);
  scene = scene_of(HEAD BODY "laws: [{law: coulomb}, {law: none, between: [sand, bottom]}]\n");
  if (scene) {
    CHECK_INT(step(scene)->count, 1);
    CHECK_INT(contact_of(scene, 0, SIDE), 0);
  }
  dls_scene_destroy(&scene);
  /* Bodies one within the other. */
  scene = scene_of(
      HEAD
      "bodies:\n"
      "  - {material: sand, radius: 0.1, position: [0, 0, 0.1]}\n"
      "  - {material: steel, radius: 0.1, position: [0, 0, 0.15]}\n"
      "  - {material: steel, shape: {kind: box, lengths: [1, 1, 0.1]}, position: [0, 0, 0.2]}\n"
      "laws: [{law: coulomb}, {law: none, between: [sand, steel]},\n"
      "       {law: none, between: [steel, steel]}]\n");
  if (scene) {
    CHECK_INT(step(scene)->count, 0);
    CHECK_INT(dls_detector_report(scene->simulation->detector).near, 0); /* of the narrow phase */
  }
  dls_scene_destroy(&scene);
}

TEST(a_law_beside_none_gets_a_sentence) {
  refused(HEAD BODY "laws: [{law: [coulomb, none]}]\n",
          "laws[0].law: 'none' stands among other laws, and means that there is none");
  refused(HEAD BODY "laws: [{law: coulomb}, {law: none, between: [sand, side], parameters: {mu: "
                    "0.1}}]\n",
          "laws[1].parameters: has no meaning here; remove it");
}

/* As for materials: what comes later wins, whether it names a boundary or not. */
TEST(later_laws_win_at_boundaries_too) {
  DlsScene *scene = scene_of(HEAD BODY "laws:\n"
                                       "  - {law: coulomb, between: [\"*\", side], parameters: "
                                       "{mu: 0.7}}\n"
                                       "  - {law: coulomb, between: [sand, steel], parameters: "
                                       "{mu: 0.2}}\n"
                                       "  - {law: coulomb, between: [sand, sand], parameters: "
                                       "{mu: 0.5}}\n"
                                       "  - {law: coulomb, between: [\"*\", bottom], parameters: "
                                       "{mu: 0.1}}\n");
  if (!scene) return;
  step(scene);
  CHECK_NEAR(relation(scene, contact_of(scene, 0, SIDE))->mu[0], 0.2, 0);
  CHECK_NEAR(relation(scene, contact_of(scene, 0, BOTTOM))->mu[0], 0.1, 0);
  dls_scene_destroy(&scene);
}

TEST(names_that_are_wrong_get_a_sentence) {
  refused(
      HEAD BODY "laws: [{law: coulomb}, {law: coulomb, between: [sand, botom]}]\n",
      "deck.yaml:10: laws[1].between: 'botom' is neither a material nor a boundary; did you mean "
      "'bottom'?");
  refused(HEAD BODY "laws: [{law: coulomb}, {law: coulomb, between: [side, bottom]}]\n",
          "are boundaries, which never meet; name a material and a boundary");
  refused(HEAD "bodies: [{material: sand, radius: 0.1, position: [0, 0, 0.1]}]\n"
               "boundaries: {steel: {material: steel, shape: plane},\n"
               "             side: {material: steel, shape: plane, axis: [1, 0, 0]}}\n"
               "laws: [{law: coulomb, between: [sand, steel]}]\n",
          "laws[0].between: 'steel' is a material and a boundary; rename one of them");
  /* Where the boundary is all there is of the material, both names mean the same. */
  DlsScene *scene = scene_of(HEAD "bodies: [{material: sand, radius: 0.1, position: [0, 0, 0.1]}]\n"
                                  "boundaries: {steel: {material: steel, shape: plane}}\n"
                                  "laws: [{law: coulomb, between: [sand, steel]}]\n");
  CHECK(scene != NULL);
  dls_scene_destroy(&scene);
  /* A boundary without a law is told, one with a law of its own is not. */
  refused(HEAD BODY "laws: [{law: coulomb, between: [sand, sand]}, {law: coulomb, between: [sand, "
                    "side]}]\n",
          "no law between sand and steel, which can meet");
  scene = scene_of(HEAD BODY "laws: [{law: coulomb, between: [sand, sand]}, {law: "
                             "coulomb, between: [sand, side]}, {law: coulomb, "
                             "between: [sand, bottom]}]\n");
  CHECK(scene != NULL);
  dls_scene_destroy(&scene);
}

/* mu at the place of each contact, at the start of the step, with its reduced radius. */
TEST(parameters_are_formulas_of_time_place_and_radius) {
  DlsScene *scene =
      scene_of(HEAD BODY "laws: [{law: coulomb, parameters: {mu: 0.1 + x + 2*y + 4*z + 8*radius + "
                         "100*t}}]\n");
  if (!scene) return;
  for (int n = 0; n < 3; n++) {
    const double t = scene->simulation->state.time;
    const DlsAssemblyContacts *a = step(scene);
    CHECK_INT(a->count, 3);
    for (int i = 0; i < a->count; i++) {
      const int c = a->in_set[i];
      const double *p = a->set->point[c];
      const double wanted = 0.1 + p[0] + 2 * p[1] + 4 * p[2] + 8 * a->set->radius[c] + 100 * t;
      CHECK_NEAR(relation(scene, i)->mu[0], wanted, 1e-12);
    }
  }
  /* Number 1 is at (0.6, 0.7, 0) and has a radius of 0.05: 3 steps, the last begins at 2 ms. */
  CHECK_NEAR(relation(scene, contact_of(scene, 1, BOTTOM))->mu[0], 0.1 + 0.6 + 1.4 + 0.4 + 0.2,
             1e-3);
  dls_scene_destroy(&scene);
}

/* Of laws that act together each has its own. */
TEST(formulas_of_a_list_of_laws_reach_the_law_they_are_of) {
  DlsScene *scene = scene_of(HEAD BODY "laws:\n"
                                       "  - law: [coulomb, " PULL "]\n"
                                       "    parameters: {coulomb: {mu: 0.2}, pull: {force: "
                                       "\"10*radius\", reach: 1e-4 + 1e-4*x}}\n");
  if (!scene) return;
  const DlsAssemblyContacts *a = step(scene);
  for (int i = 0; i < a->count; i++) {
    CHECK_NEAR(relation(scene, i)->mu[0], 0.2, 0);
    CHECK_NEAR(relation(scene, i)->a[0], 1e-3 * 10 * a->set->radius[a->in_set[i]], 1e-15);
  }
  dls_scene_destroy(&scene);
}

/* Laws that are asked for forces keep what they were told, each contact its own. */
TEST(formulas_are_kept_for_laws_that_are_asked_again) {
  DlsScene *scene = scene_of("time: {step: 1e-5, end: 1, scheme: explicit}\n"
                             "materials: {sand: {density: 2500}, steel: {}}\n"
                             "laws: [{law: spring-dashpot, parameters: {kn: 1e5*(1 + x)}}]\n" BODY);
  if (!scene) return;
  const DlsAssemblyContacts *a = step(scene);
  CHECK_INT(a->count, 3);
  for (int i = 0; i < a->count; i++)
    CHECK_NEAR(a->use[i].params[0], 1e5 * (1 + a->set->point[a->in_set[i]][0]), 1e-9);
  dls_scene_destroy(&scene);
}

/* A formula that leaves the bounds of its parameter stops the run, and says where and when. */
TEST(a_formula_that_leaves_its_bounds_is_told) {
  DlsScene *scene = scene_of(HEAD BODY "laws: [{law: coulomb, parameters: {mu: 0.3 - 200*t}}]\n");
  if (!scene) return;
  step(scene);
  step(scene);
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_LAW,
              "contact law 'coulomb': the parameter mu = 0.3 - 200*t gives -0.1 at t = 0.002 s");
  dls_scene_destroy(&scene);
  refused(HEAD BODY "laws: [{law: coulomb, parameters: {mu: 0.1 + q}}]\n",
          "laws[0].parameters.mu:");
  refused(HEAD BODY "laws: [{law: coulomb, parameters: {mu: -0.1}}]\n", "laws[0].parameters.mu:");
}

/* Those that touch, or are within range, at t = 0 begin with the states of the deck; who comes
 * later begins as the law says. */
TEST(contacts_of_the_first_step_begin_with_the_states_of_the_deck) {
  DlsScene *scene = scene_of(
      HEAD "laws:\n"
           "  - {law: [coulomb, " PULL "], parameters: {pull: {reach: 1e-3, force: 0}},\n"
           "     state: {pull: {age: 7}}}\n"
           "bodies:\n"
           "  - {material: sand, radius: 0.1, position: [0, 0, 0.1]}\n"
           "  - {material: sand, radius: 0.1, position: [1, 0, 0.1005], fixed: [z]}\n"
           "  - {material: sand, radius: 0.1, position: [2, 0, 0.12], velocity: [0, 0, -10]}\n"
           "boundaries: {bottom: {material: steel, shape: plane}}\n");
  if (!scene) return;
  const int age = 2; /* behind coulomb's one and `found` */
  for (int n = 1; n <= 4; n++) {
    const DlsAssemblyContacts *a = step(scene);
    const DlsAssemblyRun *run = &scene->simulation->last.assembly.run;
    const int touching = contact_of(scene, 0, BOTTOM), near = contact_of(scene, 1, BOTTOM),
              late = contact_of(scene, 2, BOTTOM);
    CHECK(touching >= 0 && near >= 0);
    if (touching < 0 || near < 0) break;
    CHECK_NEAR(a->state[touching * run->states + age], 7 + n, 0);
    CHECK_NEAR(a->state[near * run->states + age], 7 + n, 0);
    if (n == 4) CHECK(late >= 0 && a->state[late * run->states + age] < 4);
  }
  dls_scene_destroy(&scene);
  refused(HEAD BODY "laws: [{law: signorini, state: {age: 1}}]\n", "laws[0].state:");
  refused(HEAD BODY "laws: [{law: mortar, state: {damage: 2}}]\n",
          "laws[0].state.damage: 2 is out of bounds; give a value from 0 to 1");
  refused(HEAD BODY "laws: [{law: mortar, state: {damge: 1}}]\n", "did you mean 'damage'?");
}

/* Look-ahead schemes see pairs that are apart: what does not touch is not bonded. */
TEST(pairs_that_are_apart_do_not_begin_with_the_states_of_the_deck) {
  DlsScene *scene =
      scene_of("time: {step: 1 ms, end: 1, scheme: euler, alert: 0.05}\n"
               "materials: {sand: {}, steel: {}}\n"
               "laws: [{law: mortar, parameters: {until: -1}, state: {damage: 0.25}}]\n"
               "bodies:\n"
               "  - {material: sand, radius: 0.1, position: [0, 0, 0.1]}\n"
               "  - {material: sand, radius: 0.1, position: [1, 0, 0.12]}\n"
               "boundaries: {bottom: {material: steel, shape: plane}}\n");
  if (!scene) return;
  const DlsAssemblyContacts *a = step(scene);
  const int states = scene->simulation->last.assembly.run.states;
  CHECK_INT(a->count, 2);
  CHECK_NEAR(a->state[contact_of(scene, 0, BOTTOM) * states], 0.25, 0);
  CHECK_NEAR(a->state[contact_of(scene, 1, BOTTOM) * states], 1, 0);
  dls_scene_destroy(&scene);
}

/* mu (1 + beta (T - 300)), T the mean of 310 + 100 x K of the sand and 400 K of the bottom, or the
 * 350 K of steel. */
TEST(fields_are_told_at_the_contact) {
  DlsScene *scene =
      scene_of(HEAD BODY "laws: [{law: " WARM ", parameters: {mu: 0.5, beta: 0.01}}]\n"
                         "fields:\n"
                         "  temperature:\n"
                         "    - {of: sand, value: 310 + 100*x + 1000*t}\n"
                         "    - {of: steel, value: 350 K}\n"
                         "    - {of: [bottom], value: 400 K}\n");
  if (!scene) return;
  for (int n = 0; n < 2; n++) {
    const double t = scene->simulation->state.time;
    const DlsAssemblyContacts *a = step(scene);
    CHECK_INT(a->count, 3);
    for (int i = 0; i < a->count; i++) {
      const int c = a->in_set[i];
      const double wall = a->set->antagonist[c] == BOTTOM ? 400 : 350;
      const double mean = 0.5 * (310 + 100 * a->set->point[c][0] + 1000 * t + wall);
      CHECK_NEAR(relation(scene, i)->mu[0], 0.5 * (1 + 0.01 * (mean - 300)), 1e-12);
    }
  }
  dls_scene_destroy(&scene);
}

/* Two laws with fields, each told of its own: the pull is force times the humidity, and the
 * temperature of the second, where nobody gives one, its own. */
TEST(each_law_of_a_list_has_its_fields) {
  for (int cold = 0; cold < 2; cold++) {
    char text[2000];
    snprintf(text, sizeof text,
             HEAD BODY "laws:\n"
                       "  - law: [" WARM ", " DAMP "]\n"
                       "    parameters: {warm: {mu: 0.5, beta: 0.01}, damp: {force: 3}}\n"
                       "fields:\n"
                       "  humidity: [{value: 0.25}]\n"
                       "%s",
             cold ? "  temperature: [{value: 260 K}]\n" : "");
    DlsScene *scene = scene_of(text);
    if (!scene) return;
    const DlsAssemblyContacts *a = step(scene);
    for (int i = 0; i < a->count; i++) {
      CHECK_NEAR(relation(scene, i)->mu[0], cold ? 0.5 * (1 - 0.4) : 0.5, 1e-12);
      CHECK_NEAR(relation(scene, i)->a[0], cold ? 0 : 1e-3 * 3 * 0.25, 1e-15);
    }
    dls_scene_destroy(&scene);
  }
}

/* A body and a bead of a chain have values of their own, whatever is said of their material, and
 * whenever they come. */
TEST(single_bodies_have_fields) {
  DlsScene *scene = scene_of(
      HEAD "bodies:\n"
           "  - {material: sand, radius: 0.1, position: [0.5, 0.3, 0.1]}\n"
           "  - {material: sand, radius: 0.1, position: [1, 0.7, 0.1], name: hot}\n"
           "  - {material: sand, radius: 0.1, position: [2, 1, 0.1], name: late, from: 2 "
           "ms}\n"
           "chains:\n"
           "  - {name: rope, material: sand, count: 3, radius: 0.05, start: [3, 0, 0.05], end: "
           "[3.6, 0, 0.05], stiffness: 1}\n"
           "boundaries:\n"
           "  bottom: {material: steel, shape: plane}\n"
           "laws: [{law: " WARM ", parameters: {mu: 0.5, beta: 0.01}}]\n"
           "fields:\n"
           "  temperature:\n"
           "    - {of: [hot, late], value: 400 + 1000*t}\n"
           "    - {of: rope.2, value: 340 K}\n"
           "    - {of: sand, value: 320 K}\n");
  if (!scene) return;
  for (int n = 0; n < 4; n++) {
    const double t = scene->simulation->state.time;
    const DlsAssemblyContacts *a = step(scene);
    const DlsWorld *world = scene->simulation->world;
    CHECK_INT(a->count, n < 2 ? 5 : 6);
    for (int i = 0; i < a->count; i++) {
      const double x = world->position[a->set->candidate[a->in_set[i]]][0];
      const double own = fabs(x - 1) < 0.1 || fabs(x - 2) < 0.1 ? 400 + 1000 * t
                         : fabs(x - 3.3) < 0.1                  ? 340
                                                                : 320;
      const double mean = 0.5 * (own + 300); /* nobody speaks of the floor */
      CHECK_NEAR(relation(scene, i)->mu[0], 0.5 * (1 + 0.01 * (mean - 300)), 1e-12);
    }
  }
  dls_scene_destroy(&scene);
}

TEST(fields_that_are_wrong_get_a_sentence) {
#define ONE BODY "laws: [{law: " WARM "}]\n"
  refused(HEAD ONE "fields: {temprature: [{value: 300}]}\n",
          "fields.temprature: unknown key; did you mean 'temperature'?");
  refused(HEAD ONE "fields: {temperature: [{value: 300 kg}]}\n", "which is no K");
  refused(HEAD ONE "fields: {temperature: [{of: ocean, value: 300}]}\n",
          "fields.temperature[0].of: 'ocean' is neither a material nor a boundary; there are: "
          "sand, steel, bottom, side");
#define NAMED(name) "bodies: [{material: sand, radius: 1, position: [0, 0, 1], name: " name "}]\n"
  refused(HEAD NAMED("steel") "laws: [{law: " WARM "}]\n"
                              "fields: {temperature: [{of: steel, value: 300}]}\n",
          "fields.temperature[0].of: 'steel' is a body and a material; rename one of them");
#undef NAMED
  refused(HEAD ONE "fields: {temperature: [{of: sand, value: -300}]}\n",
          "fields.temperature[0].value: -300 K is out of bounds");
  refused(HEAD BODY "laws: [{law: coulomb}]\nfields: {temperature: [{value: 300}]}\n",
          "fields: has no meaning here; remove it");
  DlsScene *scene = scene_of(HEAD ONE "fields: {temperature: [{value: 300 - 1e6*t}]}\n");
  if (!scene) return;
  step(scene);
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_LAW,
              "the field temperature = 300 - 1e6*t gives -700 at t = 0.001 s");
  dls_scene_destroy(&scene);
}
