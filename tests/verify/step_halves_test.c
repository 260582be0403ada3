/* Control of steps of deformable bodies: what a step must not pass over is the side of a mesh, by
 * which its surface knows what is behind it, whatever the balls at its nodes. */
#include "scene/scene.h"
#include "tests/test.h"
#include "world/deformable.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A block of 1 x 0.5 m of 4 x 3 cells that flies by 0.3 m in a step, and more behind it. */
static DlsScene *open_flight(const char *control, const char *points, const char *more) {
  char text[2000];
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  snprintf(text, sizeof text,
           "dimension: 2\n"
           "time: {step: 10 ms, end: 1 s, control: %s}\n"
           "gravity: [0, 0]\n"
           "materials: {rubber: {density: 1000}}\n"
           "laws: [{law: coulomb, parameters: {mu: 0}}]\n"
           "bodies:\n"
           "  - material: rubber\n"
           "    position: [0, 0.3]\n"
           "    velocity: [0, -30]\n"
           "    deformable:\n"
           "      mesh: {kind: block, size: [1, 0.5], cells: [4, 3]}\n"
           "      bulk: {law: elastic, parameters: {young: 1e8, poisson: 0.3}}\n"
           "      contact: {points: %s}\n%s",
           control, points, more);
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck || dls_scene_build(deck, &scene) != DLS_OK) {
    test_fail(__FILE__, __LINE__, "%s", dls_error_message());
    exit(1);
  }
  dls_deck_destroy(&deck);
  dls_simulation_recount(scene->simulation);
  return scene;
}

/* The sides of its skin are 3 m / 14 in the mean, its cells sqrt(0.5 m2 / 12): of both it crosses
 * more than a tenth in an eighth of the step, and less in a sixteenth. */
TEST(a_step_is_halved_by_the_sides_of_a_mesh) {
  static const char *const points[] = {"nodes", "mortar", "balls"};
  for (int k = 0; k < 3; k++) {
    DlsScene *scene = open_flight("halve", points[k], "");
    CHECK_OK(dls_scene_step(scene));
    CHECK_INT(scene->simulation->last.report.parts, 16);
    dls_scene_destroy(&scene);
  }
}

TEST(the_sentence_names_the_side) {
  DlsScene *scene = open_flight("refuse", "nodes", "");
  CHECK_FAILS(dls_scene_step(scene), DLS_ERR_NUMERIC,
              "would cross 1.4 of its mean side of 0.214286 m, at 30 m/s in 0.01 s");
  dls_scene_destroy(&scene);
}

/* Another one comes up as fast: without control they would stand where the other was. In parts they
 * meet, and none gains from it. */
TEST(bodies_that_meet_in_a_step_do_not_pass) {
  DlsScene *scene =
      open_flight("halve", "nodes",
                  "  - material: rubber\n"
                  "    position: [0.1, -0.3]\n"
                  "    velocity: [0, 30]\n"
                  "    deformable:\n"
                  "      mesh: {kind: block, size: [1, 0.5], cells: [3, 2]}\n"
                  "      bulk: {law: elastic, parameters: {young: 1e8, poisson: 0.3}}\n");
  const DlsSimulation *s = scene->simulation;
  const double before = s->state.ledger.start;
  for (int n = 0; n < 3; n++) CHECK_OK(dls_scene_step(scene));
  CHECK(s->world->position[0][1] > s->world->position[1][1] + 0.4);
  CHECK(s->world->velocity[0][1] > 0 && s->world->velocity[1][1] < 0);
  CHECK(s->state.ledger.kinetic + s->state.ledger.strain <= before * (1 + 1e-9));
  CHECK_NEAR(s->state.ledger.balance, 0, 1e-9 * before);
  dls_scene_destroy(&scene);
}
