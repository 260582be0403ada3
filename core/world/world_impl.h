/* How the arrays of a world grow, shared by world.c and world_boundaries.c. */
#ifndef DELASSUS_WORLD_WORLD_IMPL_H
#define DELASSUS_WORLD_WORLD_IMPL_H

#include "world/world.h"

/* A longer array in the place of *array, which keeps its first `used` items; on failure *array is
 * as it was. */
DlsStatus dls_world_grow(void *array, int used, int capacity, size_t bytes);

#endif
