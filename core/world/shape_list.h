/* The kinds of shapes that elements of bodies have, one line each: code of DlsShapeKind, and the
 * constant `dls_shape_NAME` of shape_kind.h that tells what it is. */
#ifndef DELASSUS_WORLD_SHAPE_LIST_H
#define DELASSUS_WORLD_SHAPE_LIST_H

#define DLS_SHAPE_LIST(X)                                                                          \
  X(BALL, ball)     /* sphere, in 2-D disk; no numbers, its radius is the scale */                 \
  X(CONVEX, convex) /* polyhedron, in 2-D polygon, rounded or not: convex.h */

#endif
