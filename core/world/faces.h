/* Boundaries in 3-D as polygons, for files that show them as surfaces. */
#ifndef DELASSUS_WORLD_FACES_H
#define DELASSUS_WORLD_FACES_H

#include <stdint.h>

#include <delassus/status.h>

#include "world/pose.h"

typedef struct {
  int count, room;          /* of polygons */
  int64_t points, capacity; /* each polygon has its own */
  double *point;            /* [points][3], m, space axes */
  int64_t *end;             /* [count]: where the points of each end */
  int *owner;               /* [count]: the number of the boundary that it is of */
} DlsFaces;

/* Adds the polygon of these corners, in local axes, to zeroed or used faces. */
DlsStatus dls_faces_polygon(DlsFaces *faces, const DlsPose *pose, int owner,
                            const double (*corner)[3], int corners);

/* The surface of a line of `points` (rho, z) of the half-plane rho >= 0, turned about the local z
 * axis; a piece that ends on the axis gives triangles, others quadrilaterals. */
DlsStatus dls_faces_turned(DlsFaces *faces, const DlsPose *pose, int owner, const double (*line)[2],
                           int points);

void dls_faces_clear(DlsFaces *faces);

#endif
