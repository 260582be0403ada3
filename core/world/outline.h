/* Bodies and boundaries as line segments, for pictures and files: edges of boxes, rims and a few
 * generators of round ones, in 2-D the line of a half-plane as long as the scene. */
#ifndef DELASSUS_WORLD_OUTLINE_H
#define DELASSUS_WORLD_OUTLINE_H

#include <delassus/status.h>

#include "world/pose.h"

typedef struct {
  int count, capacity;
  double *ends; /* [count][2][3], m, space axes */
  int *owner;   /* [count]: the number of the body or boundary that it is of */
} DlsOutline;

/* How far what is endless is drawn: so far from the point nearest to `centre` (m, space axes). */
typedef struct {
  double centre[3], reach;
} DlsSight;

/* Adds the segment from a to b, both in local axes, to a zeroed or used outline. */
DlsStatus dls_outline_line(DlsOutline *outline, const DlsPose *pose, int owner, const double a[3],
                           const double b[3]);

/* A circle about the local z axis at height z; nothing for a radius of 0. */
DlsStatus dls_outline_circle(DlsOutline *outline, const DlsPose *pose, int owner, double radius,
                             double z);

void dls_outline_clear(DlsOutline *outline);

#endif
