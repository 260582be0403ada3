/* Decks of input/ in tests, made smaller by overrides: run, and the packing of the last step. */
#ifndef DELASSUS_TESTS_DECKS_H
#define DELASSUS_TESTS_DECKS_H

#include "tests/test.h"

#include "post/average.h"
#include "scene/scene.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct {
  DlsScene *scene;
  DlsSimulation *simulation; /* the scene's */
  DlsPacking packing;
} TestDeck;

/* Ends the program where the deck cannot be built: no test can go on without it. */
static inline void test_deck_build(TestDeck *test, DlsDeck *deck) {
  memset(test, 0, sizeof *test);
  CHECK_OK(dls_scene_build(deck, &test->scene));
  for (int k = 0; !test->scene && k < dls_deck_problem_count(deck); k++)
    fprintf(stderr, "%s\n", dls_deck_problem_text(deck, k));
  dls_deck_destroy(&deck);
  if (!test->scene) exit(1);
  test->simulation = test->scene->simulation;
}

/* A deck of input/. `sets` is a list of KEY=VALUE that ends with NULL. */
static inline void test_deck_open(TestDeck *test, const char *name, const char *const *sets) {
  char path[512];
  DlsDeck *deck = NULL;
  snprintf(path, sizeof path, "%s/input/%s", TEST_SOURCE_DIR, name);
  CHECK_OK(dls_deck_open(path, &deck));
  for (; *sets; sets++) CHECK_OK(dls_deck_set(deck, *sets));
  test_deck_build(test, deck);
}

/* A deck that the test itself has written. */
static inline void test_deck_parse(TestDeck *test, const char *text) {
  DlsDeck *deck = NULL;
  CHECK_OK(dls_deck_parse("deck.yaml", text, strlen(text), &deck));
  test_deck_build(test, deck);
}

static inline void test_deck_run(TestDeck *test, double until) {
  while (test->simulation->state.time < until - 1e-9) CHECK_OK(dls_scene_step(test->scene));
}

static inline void test_deck_take(TestDeck *test) {
  CHECK_OK(dls_packing_take(test->simulation, &test->packing));
}

static inline void test_deck_close(TestDeck *test) {
  dls_packing_clear(&test->packing);
  dls_scene_destroy(&test->scene);
}

#endif
