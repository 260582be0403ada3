/* Bodies of a file, with their motion: what a run can begin from. Tables are read here; frames and
 * checkpoints by the rooms that write them, into the same struct. */
#ifndef DELASSUS_WORLD_BODY_FILE_H
#define DELASSUS_WORLD_BODY_FILE_H

#include <stdbool.h>

#include "world/world.h"

/* A zeroed one is ready; ended with dls_body_file_clear(). */
typedef struct {
  DlsWorld
      *world; /* the bodies, ids ascending, and where known the names of their materials; ghosts
                      (bodies that carry walls) do not count */
  bool velocities, spins, ids; /* whether the file tells them; else zero, or 1, 2, 3 ... */
  bool materials;              /* world->material are numbers that the file tells, */
  bool explicit_materials;     /* those of the deck, in its order */
} DlsBodyFile;

void dls_body_file_clear(DlsBodyFile *file);

/* A reader of one format: refuses a file of another dimension. On failure *out is empty. */
typedef DlsStatus DlsBodyReader(const char *path, int dim, DlsBodyFile *out);

/* CSV: x, y, z, r (or d) as dls_population_read(), and by name vx vy vz (m/s), wx wy wz (rad/s), a
 * quaternion qw qx qy qz or in 2-D `angle` (rad), `material` (its number in the deck, from 0), `id`
 * (from 1). A bad row is named by its line. */
DlsStatus dls_body_file_table(const char *path, int dim, DlsBodyFile *out);

/* Adds body `body` of `from` to the world as it is, with another id (0: the next one), material and
 * density; its mass is density times volume. */
DlsStatus dls_world_add_copy(DlsWorld *world, const DlsWorld *from, int body, uint64_t id,
                             int material, double density);

#endif
