/* A shape and a boundary from outside: the capsule (points within `radius` of a segment along local
 * x, of half length `half`) and the slab (|z| <= length[0] / 2, in 2-D y, met from both sides).
 * What they bring is all that core/ is told of them. */
#ifndef DELASSUS_TESTS_CAPSULE_H
#define DELASSUS_TESTS_CAPSULE_H

#include "detect/meeting.h"
#include "world/boundary/kind.h"

enum { CAPSULE_HALF, CAPSULE_RADIUS, CAPSULE_NUMBERS };

extern const DlsShapeOperations capsule_operations;
extern const DlsBoundaryOperations slab_operations;

/* Registers the capsule, how it meets balls, planes and capsules, and the slab; returns the kinds.
 * */
DlsShapeKind capsule_register(void);
DlsBoundaryKind slab_register(void);

/* The squared distance of two segments a0 a1 and b0 b1, and where they are nearest. */
double segment_distance(const double a0[3], const double a1[3], const double b0[3],
                        const double b1[3], double on_a[3], double on_b[3]);

#endif
