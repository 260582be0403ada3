/* Boundaries as line segments, for pictures and for the `boundaries` series: edges of boxes, rims and a few
 * generators of the round ones, in 2-D the line of a half-plane as long as the scene. */
#ifndef DELASSUS_RECORD_OUTLINE_H
#define DELASSUS_RECORD_OUTLINE_H

#include "world/world.h"

typedef struct {
  int count, capacity;
  double *ends;  /* [count][2][3], m, space axes */
  int *boundary; /* [count] */
} DlsOutline;

/* A zeroed outline is fine; `reach`, m, is how far endless ones are drawn. */
DlsStatus dls_outline_make(const DlsWorld *world, double reach, DlsOutline *out);
void dls_outline_clear(DlsOutline *outline);

#endif
