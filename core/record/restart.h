/* Going on from a checkpoint of a run, which holds its resolved deck. The deck of now is
 * compared with it key by key. What differs is free (where the run ends, what it writes), or
 * changes the run and must be asked for by name, or cannot be: bodies are those of the
 * checkpoint.  A restart goes on in time. A stage takes the bodies, walls and contacts of the
 * checkpoint as the start of another run, whose clock begins at 0 and whose deck may differ in
 * all that physics allows. docs/checkpoints.md has the keys. */
#ifndef DELASSUS_RECORD_RESTART_H
#define DELASSUS_RECORD_RESTART_H

#include "deck/difference.h"
#include "record/checkpoint/checkpoint.h"
#include "scene/scene.h"

typedef struct DlsRestart DlsRestart;

/* Adds to a checkpoint what a restart needs of a scene besides its simulation: its deck, its
 * state, and `changes`, the lines of earlier restarts (dls_restart_changes()). */
DlsStatus dls_restart_save(const DlsScene *scene, const char *changes, DlsCheckpointExtra *extra);

/* Reads and checks the file; one without a deck, of an older version, is DLS_ERR_UNSUPPORTED. The
 * caller ends *out with dls_restart_close(). */
DlsStatus dls_restart_open(const char *path, DlsRestart **out);
void dls_restart_close(DlsRestart **restart); /* NULL is fine */

double dls_restart_time(const DlsRestart *restart); /* s */
long dls_restart_step(const DlsRestart *restart);
/* Whether the caller had added something of this name to the checkpoint. */
bool dls_restart_has(const DlsRestart *restart, const char *name);

/* The deck of the checkpoint, to build a scene of; the caller ends it. */
DlsStatus dls_restart_deck(const DlsRestart *restart, DlsDeck **out);

/* Overrides keys of the checkpoint's deck, as dls_deck_set() does. Another solver or law takes the
 * options or parameters of the one before it away, which a resolved deck has all written. */
DlsStatus dls_restart_set(DlsDeck *deck, const char *const *assignments, int count);

/* Gives a deck that tells of no bodies those of the checkpoint's deck: grains, bodies and chains
 * that it does not have. Before the scene is built. */
DlsStatus dls_restart_lend(const DlsRestart *restart, DlsDeck *deck);

typedef enum {
  DLS_CHANGE_FREE,    /* needs no word */
  DLS_CHANGE_TAKEN,   /* asked for */
  DLS_CHANGE_UNASKED, /* could be asked for */
  DLS_CHANGE_IMPOSSIBLE
} DlsChangeVerdict;

typedef struct {
  DlsDeckDifference what;
  DlsChangeVerdict verdict;
  const char *reason; /* of an impossible one */
} DlsChange;

/* Compares the deck of now, as the scene has resolved it, with that of the checkpoint. `asked`:
 * keys that may change, each with all below it. A stage asks for all. DLS_ERR_ARGUMENT when
 * something differs that is unasked or impossible, or when `asked` has a key that no deck has. */
DlsStatus dls_restart_compare(DlsRestart *restart, const DlsDeck *deck, const DlsScene *scene,
                              bool stage, const char *const *asked, int count);

/* What differs, after the comparison. */
int dls_restart_count(const DlsRestart *restart);
const DlsChange *dls_restart_change(const DlsRestart *restart, int k);

/* Brings the checkpoint into the scene, built with DlsSceneOptions.restart and compared. `extra`,
 * zeroed on entry, receives what the caller had added. On failure the scene is of no more use. */
DlsStatus dls_restart_apply(DlsRestart *restart, DlsScene *scene, DlsCheckpointExtra *extra);

/* How many remembered contacts were dropped because their laws are others; 0 before apply. */
int dls_restart_dropped(const DlsRestart *restart);

/* A line for each change that was taken in the life of the run, those of earlier restarts first:
 * "t = 0.5 s, step 500: gravity: [0, 0, -9.81] -> [0, 0, -1.62]". "" without any. */
const char *dls_restart_changes(const DlsRestart *restart);

/* Whether two resolved decks differ in nothing but free keys. */
DlsStatus dls_restart_alike(const char *then, const char *now, bool *out);

#endif
