/* Restarts: the first byte chooses what is new in the deck, the rest are edits of a good checkpoint
 * of a run, its deck among them, the digest made good. What is accepted goes on for some steps; its
 * bodies also begin a run of their own. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "record/bodies_read.h"
#include "record/restart.h"
#include "tests/fuzz/edits.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/scene.h"
#include "tests/io/checkpoint_seal.h"

/* What differs from the deck of the checkpoint. */
typedef struct {
  bool stage;
  const char *set;  /* NULL: nothing */
  const char *deck; /* NULL: that of the checkpoint */
} Change;

static const Change changes[] = {
    {false, NULL, NULL},
    {false, "boundaries.left.position=[-0.01, 0]", NULL},
    {false, "boundaries.right.servo=~", NULL},
    {false, "boundaries.floor.velocity=[0.1, 0]", NULL},
    {false, "materials.grain.density=2600", NULL},
    {false, "laws[0].law=signorini", NULL},
    {false, "time.step=1 ms", NULL},
    {false, "solver.name=jacobi", NULL},
    {true, NULL, NULL},
    {true, "sources=[]", NULL},
    {true, NULL,
     "dimension: 2\n"
     "time: {step: 1 ms, end: 1 s}\n"
     "materials: {wall: {density: 7000}, grain: {density: 2500}}\n"
     "laws: [{law: coulomb, parameters: {mu: 0.1}}]\n"
     "boundaries:\n"
     "  right: {shape: plane, material: wall, position: [0.1, 0], axis: [-1, 0]}\n"
     "  lid: {shape: plane, material: wall, position: [0, 0.4], axis: [0, -1]}\n"
     "  left: {shape: plane, material: wall, axis: [1, 0],\n"
     "         servo: {pressure: 300, area: 0.1, mass: 5, damping: 20}}\n"},
};
enum { CHANGES = sizeof changes / sizeof *changes };

/* A run in its middle, with walls whose displacements count from elsewhere, and one change. */
static const EditedFile *good_file(void) {
  static EditedFile good;
  char path[600];
  DlsCheckpointExtra extra = {0};
  if (good.bytes) return &good;
  DlsScene *scene = fuzz_scene(0);
  for (int k = 0; k < 45; k++) /* the guest has gone, whom a stage could not take along */
    if (dls_scene_step(scene) != DLS_OK) abort();
  scene->origin[1][0] -= 1e-3;
  snprintf(path, sizeof path, "%s/run.h5", fuzz_folder());
  if (dls_restart_save(scene, "t = 0 s, step 0: drag: 1 -> 0\n", &extra) != DLS_OK ||
      dls_checkpoint_write(path, scene->simulation, &extra) != DLS_OK) {
    fprintf(stderr, "fuzz: %s\n", dls_error_message());
    exit(1);
  }
  dls_checkpoint_extra_clear(&extra);
  dls_scene_destroy(&scene);
  edited_take(path, &good);
  return &good;
}

/* Each change on the file as it is; some with an edit of each dataset. */
static void seeds(FuzzSink *sink, void *context) {
  static const double values[] = {-1, 1e300, 3};
  const EditedFile *good = good_file();
  uint8_t bytes[1 + EDIT_BYTES];
  for (int c = 0; c < CHANGES; c++) {
    bytes[0] = (uint8_t)c;
    sink(context, bytes, 1);
  }
  for (int k = 0; k < good->count; k++)
    for (int n = 0; n < 3; n++) {
      bytes[0] = (uint8_t)((k + n) % CHANGES);
      edit_make(bytes + 1, k, (uint32_t)(8 * n * k), values[n], n == 2);
      sink(context, bytes, sizeof bytes);
    }
}

static DlsStatus open_deck(const DlsRestart *restart, const Change *change, DlsDeck **out) {
  if (change->deck)
    DLS_TRY(dls_deck_parse("deck.yaml", change->deck, strlen(change->deck), out));
  else
    DLS_TRY(dls_restart_deck(restart, out));
  if (change->set) DLS_TRY(dls_restart_set(*out, &change->set, 1));
  return dls_restart_lend(restart, *out);
}

/* As `delassus run --restart` does it. */
static void go_on(const char *path, const Change *change) {
  static const char *const asked[] = {"boundaries", "materials", "laws",
                                      "time",       "solver",    "version"};
  DlsRestart *restart = NULL;
  DlsDeck *deck = NULL;
  DlsScene *scene = NULL;
  DlsCheckpointExtra extra = {0};
  const bool all = change->set && !change->stage;
  if (dls_restart_open(path, &restart) == DLS_OK && open_deck(restart, change, &deck) == DLS_OK &&
      fuzz_build(deck, true, &scene) == DLS_OK &&
      dls_restart_compare(restart, deck, scene, change->stage, asked, all ? 6 : 0) == DLS_OK &&
      dls_restart_apply(restart, scene, &extra) == DLS_OK)
    for (int k = 0; k < 2 && dls_scene_step(scene) == DLS_OK; k++) continue;
  dls_checkpoint_extra_clear(&extra);
  dls_scene_destroy(&scene);
  dls_deck_destroy(&deck);
  dls_restart_close(&restart);
}

static void one(const uint8_t *bytes, size_t size) {
  char path[600];
  if (size == 0) return;
  const EditedFile *good = good_file();
  snprintf(path, sizeof path, "%s/restart.h5", fuzz_folder());
  edited_write(good, bytes + 1, size - 1, path);
  checkpoint_seal(path, good->name, good->count);
  go_on(path, &changes[bytes[0] % CHANGES]);
  fuzz_begin_from(path, 2);
}

const FuzzTarget fuzz_restart = {"restart", seeds, one};
