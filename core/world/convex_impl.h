/* How the numbers of a convex solid stand: this head, then the arrays of DlsConvex in its order. */
#ifndef DELASSUS_WORLD_CONVEX_IMPL_H
#define DELASSUS_WORLD_CONVEX_IMPL_H

enum {
  DLS_CONVEX_ROUNDING,
  DLS_CONVEX_VERTEX_COUNT,
  DLS_CONVEX_FACE_COUNT,
  DLS_CONVEX_EDGE_COUNT,
  DLS_CONVEX_CORNER_COUNT, /* of all faces */
  DLS_CONVEX_HEAD
};

#endif
