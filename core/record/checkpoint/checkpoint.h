/* Checkpoints: all that a run needs to go on, in one HDF5 file, every number with all its bits. A
 * run that goes on from one is bit for bit the run that was never broken.
 *
 * Kept: time and step, bodies, boundaries with poses and velocities and the forces on them, contact
 * memory (keys, impulses, states of the laws), what surfaces remember, velocities and states of
 * deformable bodies, ledger, counters, and what the caller adds under names: states of sources,
 * seeds, positions in files. Not kept, but compared: version, scheme, time-step, solver and its
 * options, materials, laws and their parameters. Neither: influences, which are functions; a caller
 * that drives them by a deck adds the deck and compares it.
 *
 * The file is written aside and renamed. The one before it stays as PATH with ".prev" in front of
 * the suffix, so that two are there from the second on. docs/checkpoints.md has the datasets. */
#ifndef DELASSUS_RECORD_CHECKPOINT_CHECKPOINT_H
#define DELASSUS_RECORD_CHECKPOINT_CHECKPOINT_H

#include <stdbool.h>
#include <stddef.h>

#include "step/simulation.h"

enum { DLS_CHECKPOINT_FORMAT = 12, DLS_CHECKPOINT_NAME = 64 };

/* Bytes under a name of letters, digits and . - _ that begins with a letter. */
typedef struct {
  char name[DLS_CHECKPOINT_NAME];
  size_t size;
  void *bytes;
} DlsCheckpointBlob;

/* A zeroed one is ready; the caller ends it with dls_checkpoint_extra_clear(). */
typedef struct {
  int count, capacity;
  DlsCheckpointBlob *item;
  char *from; /* the file it was read from, for sentences; NULL: none */
} DlsCheckpointExtra;

/* Adds a copy of the bytes; a second blob of the same name replaces the first. */
DlsStatus dls_checkpoint_extra_put(DlsCheckpointExtra *extra, const char *name, const void *bytes,
                                   size_t size);

/* The blob, or NULL. */
const DlsCheckpointBlob *dls_checkpoint_extra_find(const DlsCheckpointExtra *extra,
                                                   const char *name);

/* Copies a blob of exactly `size` bytes out; DLS_ERR_FORMAT when it is not there, or has another
 * size, and nothing copied. */
DlsStatus dls_checkpoint_extra_get(const DlsCheckpointExtra *extra, const char *name, void *bytes,
                                   size_t size);

void dls_checkpoint_extra_clear(DlsCheckpointExtra *extra);

/* Between two steps. `extra` may be NULL. A simulation that could not be read back, because some
 * number is not finite, is refused, and the checkpoints there are stay. The same simulation gives
 * the same bytes. */
DlsStatus dls_checkpoint_write(const char *path, const DlsSimulation *simulation,
                               const DlsCheckpointExtra *extra);

/* Into a simulation that was made as the one that wrote it: materials, laws, scheme, h, solver,
 * influences, meshes and bulk laws of deformable bodies. Its bodies, boundaries and memory are
 * replaced; s->world stays where it is. A
 * difference in what is compared gives DLS_ERR_ARGUMENT, and a sentence that tells it, unless
 * `force`: then the settings of the simulation hold, and where the laws are others all contacts
 * begin anew. `extra`, zeroed on entry unless NULL, receives what the caller had added. On failure
 * the simulation is as it was. */
DlsStatus dls_checkpoint_read(const char *path, DlsSimulation *simulation, bool force,
                              DlsCheckpointExtra *extra);

/* What a checkpoint says of itself, without a simulation: all of the file is read and checked. */
typedef struct {
  double time; /* s */
  long step;
  int contacts;             /* remembered */
  DlsCheckpointExtra extra; /* as in dls_checkpoint_read() */
} DlsCheckpointLook;
DlsStatus dls_checkpoint_look(const char *path, DlsCheckpointLook *out);
void dls_checkpoint_look_clear(DlsCheckpointLook *look);

/* Its bodies alone, as a world that the caller ends, with the names of their materials. Refused
 * where some are deformable: the file does not hold what they are made of. */
DlsStatus dls_checkpoint_bodies(const char *path, DlsWorld **out);

/* Where the checkpoint before `path` is kept: "run.h5" gives "run.prev.h5". Freed by the caller;
 * NULL when out of memory. */
char *dls_checkpoint_previous(const char *path);

#endif
