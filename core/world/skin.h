/* Surfaces of solids as polygons, for files and pictures: one cell for each element that is no
 * ball. In 3-D a closed polyhedron, its faces counter-clockwise as seen from outside, with points
 * shared by the faces that meet there; in 2-D one polygon, counter-clockwise.
 *
 * What is rounded is inscribed: faces are moved outwards by the radius, edges are strips of
 * cylinders, vertices caps of balls, in pieces of 1/16 turn at most (2-D: 1/24), all points on the
 * true surface. */
#ifndef DELASSUS_WORLD_SKIN_H
#define DELASSUS_WORLD_SKIN_H

#include <stdint.h>

#include <delassus/status.h>

#include "world/pose.h"

typedef struct {
  int count, room;          /* of cells */
  int64_t points, capacity; /* each cell has its own */
  double *point;            /* [points][3], m, space axes */
  int64_t *end;             /* [count]: where the points of each end */
  int *element;             /* [count]: of the world */
  int64_t entries, face_room;
  int64_t *face; /* [entries]: of each cell how many faces, then of each face how many points and
                        which; nothing in 2-D */
  int64_t *face_end; /* [count]: where those of each cell end */
} DlsSkin;

/* All of these add to the cell begun last; begin a cell before. */
DlsStatus dls_skin_begin(DlsSkin *skin, int element);
/* A point in local axes; its number among those of the cell is 0, 1, 2 ... */
DlsStatus dls_skin_point(DlsSkin *skin, const DlsPose *pose, const double x[3]);
/* A face of these points of the cell. */
DlsStatus dls_skin_face(DlsSkin *skin, int corners, const int *corner);

void dls_skin_clear(DlsSkin *skin); /* a zeroed one is fine */

#endif
