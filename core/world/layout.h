/* Where the velocities of each body are in a flat vector of all velocities of a world.
 *
 * It begins with six numbers for each body, v and spin, as the world has them; they are the
 * velocities of rigid bodies, in 2-D too. Those of deformable bodies, any number each, stand behind
 * them; of these bodies the six in front are the motion of the centre of mass, for who looks no
 * closer. Where all bodies are rigid the vector is the array [count][6]. */
#ifndef DELASSUS_WORLD_LAYOUT_H
#define DELASSUS_WORLD_LAYOUT_H

#include "world/deformable.h"

/* Numbers in all, and in front of those of deformable bodies. */
static inline size_t dls_layout_front(const DlsWorld *world) { return 6 * (size_t)world->count; }

static inline size_t dls_layout_size(const DlsWorld *world) {
  return dls_layout_front(world) + (size_t)world->deformable.velocities;
}

/* The first velocity of a body, and how many it has. */
static inline size_t dls_layout_start(const DlsWorld *world, int body) {
  const DlsDeformable *soft = dls_deformable_of(world, body);
  return soft ? dls_layout_front(world) + (size_t)soft->velocity : 6 * (size_t)body;
}

static inline int dls_layout_count(const DlsWorld *world, int body) {
  const DlsDeformable *soft = dls_deformable_of(world, body);
  return soft ? soft->size.velocities : 6;
}

/* The six of each body, [count][6]. */
static inline const double (*dls_layout_six(const double *flat))[6] {
  return (const double(*)[6])flat;
}

#endif
