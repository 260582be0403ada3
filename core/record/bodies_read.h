/* Bodies of an earlier run as the start of another: a frame of ours (bodies_NNNNNN.vtu) or a
 * checkpoint. */
#ifndef DELASSUS_RECORD_BODIES_READ_H
#define DELASSUS_RECORD_BODIES_READ_H

#include "world/body_file.h"

/* A DlsBodyReader: a path that ends with .vtu is a frame, any other a checkpoint. Positions,
 * velocities and spins have the bits of the file, and so have the orientations of a checkpoint;
 * those of a frame come from its matrices. A frame with clusters is refused: it does not tell
 * their inertia in full. */
DlsStatus dls_bodies_read(const char *path, int dim, DlsBodyFile *out);

#endif
