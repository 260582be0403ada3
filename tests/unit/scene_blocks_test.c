/* Structures of blocks from decks: what is held and driven, names, mistakes with their lines. */
#include "scene/scene.h"

#include <stdio.h>
#include <string.h>

#include "tests/test.h"

#define HEAD                                                                                       \
  "dimension: 2\n"                                                                                 \
  "time: {step: 1 ms, end: 1 s}\n"                                                                 \
  "gravity: [0, -10]\n"                                                                            \
  "materials: {rock: {density: 2000}}\n"                                                           \
  "laws: [{law: coulomb, parameters: {mu: 0.3}}]\n"                                                \
  "solver: {tolerance: 1e-10}\n"

static DlsScene *scene_of(const char *text, char *message, size_t bytes) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (deck && dls_scene_build(deck, &scene) != DLS_OK)
    snprintf(message, bytes, "%s", dls_error_message());
  dls_deck_destroy(&deck);
  return scene;
}

/* The base moves as one and carries the rest; a spring finds a block by its number. */
TEST(a_base_is_driven_and_blocks_have_names) {
  char message[2000] = "";
  DlsScene *scene =
      scene_of(HEAD "blocks:\n"
                    "  - {kind: wall, name: wall, material: rock, at: [1, 2], size: [0.2, 0.1], "
                    "bricks: 3, courses: 4, motion: {vx: 0.5}}\n"
                    "  - {kind: stack, material: rock, at: [-5, 0], turn: [0.1], size: [0.2, 0.1], "
                    "count: 2, base: held, velocity: [0, 1]}\n"
                    "springs: [{between: [wall.1, wall.3], stiffness: 1}]\n",
               message, sizeof message);
  if (!scene) test_fail(__FILE__, __LINE__, "%s", message);
  if (!scene) return;
  const DlsWorld *world = scene->simulation->world;
  CHECK_INT(world->count, 3 + 4 + 3 + 4 + 2);
  for (int b = 0; b < 14; b++) CHECK_INT(world->fixed[b] == DLS_FIXED_ALL, b < 3);
  CHECK_INT(world->fixed[14], DLS_FIXED_ALL);
  CHECK_NEAR(world->velocity[14][1], 0, 0);
  CHECK_NEAR(world->velocity[15][1], 1, 0);
  CHECK_NEAR(world->position[0][0], 1.1, 1e-15);
  CHECK_NEAR(world->position[0][1], 2.05, 1e-15);
  CHECK_NEAR(world->position[15][0], -5 - 0.15 * sin(0.1), 1e-15);
  for (int k = 0; k < 100; k++) CHECK_OK(dls_scene_step(scene));
  CHECK_NEAR(world->position[0][0], 1.15, 1e-12);
  CHECK_NEAR(world->position[0][1], 2.05, 1e-15);
  CHECK_NEAR(world->velocity[2][0], 0.5, 1e-15);
  CHECK_NEAR(world->position[13][1], 2.35, 1e-4); /* stands on it */
  dls_scene_destroy(&scene);
}

TEST(mistakes_are_told_at_their_line) {
  static const struct {
    const char *entry, *part;
  } cases[] = {
      {"kind: castle", "kind: is one of wall, stones, arch,"},
      {"kind: arch, radius: 1, thickness: 0.1, count: 1",
       "deck.yaml:8: blocks[0].kind: an arch of 1 voussoirs"},
      {"kind: wall, size: [1, 1], bricks: 2, courses: 2, openings: [{x: [1, 3], courses: [1, 1]}]",
       "put it within the wall"},
      {"kind: vault, radius: 1, thickness: 0.1, count: 9", "in 2-D take an arch"},
      {"kind: arch, radius: 1, thickness: 0.1, count: 9, rows: 2", "give kind: vault"},
      {"kind: voronoi, size: [1, 1]", "a packing of 0 cells"},
      {"kind: stack, size: [1, 1], count: 2, base: firm", "base: is one of free, held"},
  };
  for (int k = 0; k < DLS_COUNT(cases); k++) {
    char text[1000], message[2000] = "";
    snprintf(text, sizeof text, HEAD "blocks:\n  - {material: rock, %s}\n", cases[k].entry);
    DlsScene *scene = scene_of(text, message, sizeof message);
    CHECK(scene == NULL);
    if (!strstr(message, cases[k].part))
      test_fail(__FILE__, __LINE__, "'%s' does not say '%s'", message, cases[k].part);
    dls_scene_destroy(&scene);
  }
}
