/* Where axes stand in space: the one language of bodies, of their parts and of boundaries.
 *   x_space = position + R(orientation) x_local */
#ifndef DELASSUS_WORLD_POSE_H
#define DELASSUS_WORLD_POSE_H

#include "world/rotation.h"

typedef struct {
  double position[3];    /* m, of the local origin */
  double orientation[4]; /* local axes -> space axes, unit quaternion (w, x, y, z) */
} DlsPose;

/* A place from local axes to space, and back; in and out may be the same array. */
static inline void dls_pose_to_space(const DlsPose *pose, const double local[3], double out[3]) {
  dls_rotation_apply(pose->orientation, local, out);
  for (int k = 0; k < 3; k++) out[k] += pose->position[k];
}

static inline void dls_pose_to_local(const DlsPose *pose, const double space[3], double out[3]) {
  double away[3];
  for (int k = 0; k < 3; k++) away[k] = space[k] - pose->position[k];
  dls_rotation_apply_inverse(pose->orientation, away, out);
}

#endif
