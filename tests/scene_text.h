/* A scene of a deck that stands in a test as text. */
#ifndef DELASSUS_TESTS_SCENE_TEXT_H
#define DELASSUS_TESTS_SCENE_TEXT_H

#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"
#include "scene/scene.h"
#include "tests/test.h"

/* Ends the test where the deck is refused. */
static inline DlsScene *test_scene_of_text(const char *text) {
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  if (!deck || dls_scene_build(deck, &scene) != DLS_OK) {
    test_fail(__FILE__, __LINE__, "%s", dls_error_message());
    exit(1);
  }
  dls_deck_destroy(&deck);
  dls_simulation_recount(scene->simulation);
  return scene;
}

#endif
