/* Texts in YAML: a deck, or after the first byte P the path of a law, after F the record of a law
 * that failed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deck/deck.h"
#include "law_bench/failure_file.h"
#include "law_bench/point.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scene.h"

static void seeds(FuzzSink *sink, void *context) {
  static const char *const others[] = {
      "P{step: 1 ms, end: 20 ms, u: {T1: \"0.1*sin(2*pi*t)\"}, f: {N: -10}}\n",
      "Fcontact: {dimension: 3, block: 3, h: 1e-3, u_before: [0, 1, 2], mass: 1}\n"
      "function: prepare\nlaws: [coulomb]\nparameters: [0.3, 0, 0, 0, 0]\nu: [0, 0, 0]\n"};
  for (int k = 0; k < FUZZ_SCENES; k++)
    sink(context, (const uint8_t *)fuzz_deck_text[k], strlen(fuzz_deck_text[k]));
  for (int k = 0; k < 2; k++) sink(context, (const uint8_t *)others[k], strlen(others[k]));
}

static void run_deck(DlsDeck *deck) {
  DlsScene *scene = NULL;
  if (fuzz_build(deck, false, &scene) == DLS_OK)
    for (int k = 0; k < 2 && dls_scene_step(scene) == DLS_OK; k++) continue;
  dls_scene_destroy(&scene);
}

/* What is accepted gives a resolved deck, which is accepted too; small scenes are built. */
static void read_deck(const char *text, size_t size) {
  DlsDeck *deck = NULL;
  DlsSceneData data;
  char *resolved = NULL;
  if (dls_deck_parse("deck.yaml", text, size, &deck) == DLS_OK) {
    dls_deck_set(deck, "time.end=1 s");
    if (dls_deck_read(deck, dls_scene_section(), &data) == DLS_OK) {
      if (dls_deck_text(dls_scene_section(), &data, NULL, &resolved) != DLS_OK) abort();
      dls_deck_release(dls_scene_section(), &data);
    }
  }
  dls_deck_destroy(&deck);
  if (!resolved) return;
  if (dls_deck_parse("resolved.yaml", resolved, strlen(resolved), &deck) != DLS_OK ||
      dls_deck_read(deck, dls_scene_section(), &data) != DLS_OK) {
    fprintf(stderr, "%s\n%s", dls_error_message(), resolved);
    abort();
  }
  dls_deck_release(dls_scene_section(), &data);
  run_deck(deck);
  dls_deck_destroy(&deck);
  free(resolved);
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  if (size == 0 || (bytes[0] != 'P' && bytes[0] != 'F')) {
    read_deck((const char *)bytes, size);
    return;
  }
  snprintf(path, sizeof path, "%s/text.yaml", fuzz_folder());
  fuzz_save(path, bytes + 1, size - 1);
  if (bytes[0] == 'P') {
    DlsPath law_path = {0};
    if (dls_point_path(path, 3, 3, &law_path) == DLS_OK) dls_path_clear(&law_path);
  } else {
    DlsLawFailure failure;
    dls_failure_read(path, &failure);
  }
}

const FuzzTarget fuzz_deck = {"deck", seeds, one};
