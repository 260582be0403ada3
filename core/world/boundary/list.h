/* The kinds of boundaries, one line each: code of DlsBoundaryKind, and the constant
 * `dls_boundary_NAME` of kind.h that tells what it is. The order is that of the numbers in
 * files. */
#ifndef DELASSUS_WORLD_BOUNDARY_LIST_H
#define DELASSUS_WORLD_BOUNDARY_LIST_H

#define DLS_BOUNDARY_LIST(X)                                                                       \
  X(PLANE, plane)       /* solid below the local plane 0; in 2-D the half-plane */                 \
  X(SEGMENT, segment)   /* 2-D, thin, of length[0] */                                              \
  X(BOX, box)           /* edges length[3]; in 2-D the first two */                                \
  X(CYLINDER, cylinder) /* radius[0], length[0] */                                                 \
  X(FRUSTUM, frustum)   /* radius[0] at -length[0] / 2, radius[1] at +length[0] / 2 */             \
  X(PLATE, plate)       /* 3-D, thin: the ring from radius[0], the hole, to radius[1] */           \
  X(SPHERE, sphere)     /* radius[0] */                                                            \
  X(MESH, mesh)         /* 3-D: triangles, facets.h */                                             \
  X(POLYLINE, polyline) /* 2-D: segments, likewise */

#endif
