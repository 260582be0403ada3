/* The faces by which a deformable body meets others: lines in 2-D, triangles and bilinear
 * quadrilaterals in 3-D. Their corners are elements of the body, each a node of its mesh; where
 * these are now, the world says. A quadratic side of a cell is several such faces, its pieces; what
 * interpolates over the side itself finds its nodes here too. */
#ifndef DELASSUS_WORLD_CONTACT_FACES_H
#define DELASSUS_WORLD_CONTACT_FACES_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/status.h>

/* Where a pair has contact points. Against what is rigid a surface by mortar has its nodes, whose
 * areas are those of the dual basis; two surfaces meet by what stands later here of theirs. */
typedef enum {
  DLS_MEET_BY_NODES,      /* nodes of the finer surface on faces of the other */
  DLS_MEET_BY_QUADRATURE, /* points of integration of the finer one's faces likewise */
  DLS_MEET_BY_MORTAR      /* means over the finer one's nodes, by a dual basis */
} DlsMeetBy;

enum { DLS_FACE_CORNERS = 4, DLS_SIDE_NODES = 6 };

/* Bits of a feature of such a body in keys of contacts: a face, which the feature of the other side
 * finds; a point of integration, with its number. Without them it is a node's, the number of its
 * element. */
#define DLS_FEATURE_FACE  ((uint32_t)1 << 30)
#define DLS_FEATURE_POINT ((uint32_t)1 << 29)

typedef struct {
  int dim, count;                  /* of faces */
  int (*corner)[DLS_FACE_CORNERS]; /* elements, -1 behind the last; the normal, along t1 x t2, in
                                      2-D to the right of the way, points outwards */
  /* Of each face that is a piece of a quadratic side the elements of that side's nodes, three on a
   * line (its ends, its middle) or six in a triangle (corners, then the middles of the sides 01, 12
   * and 20), -1 behind the last; else -1 alone. NULL: no side is quadratic. */
  int (*side)[DLS_SIDE_NODES];
  int elements;
  int *star_start, *star; /* [elements + 1]; the faces around each, ascending */
  double thickness;       /* m in 2-D; 1 in 3-D */
  double size;            /* m, the mean edge where nothing is strained */
  double *rest;           /* [count], m2 (in 2-D m): the area of each there, and of the share of */
  double *node_rest;      /* [elements] each node */
  bool at_rest;           /* strains are small: areas that contacts stand for are these */
  DlsMeetBy by;
  bool both; /* by nodes and quadrature: each of two surfaces on the other */
  bool self; /* it meets itself too */
} DlsContactFaces;

/* Half the product of the diagonals of a face, of a triangle the same; in 2-D the way along it
 * turned to the right: its area is the length of it. */
void dls_face_vector(int corners, const double *const x[DLS_FACE_CORNERS], double out[3]);

/* Corners of a face. */
static inline int dls_face_corners(const int corner[DLS_FACE_CORNERS]) {
  int count = 2;
  while (count < DLS_FACE_CORNERS && corner[count] >= 0) count++;
  return count;
}

/* Nodes of the quadratic side that face k is a piece of; 0: it is none. */
static inline int dls_side_nodes(const DlsContactFaces *faces, int k) {
  int count = 0;
  while (faces->side && count < DLS_SIDE_NODES && faces->side[k][count] >= 0) count++;
  return count;
}

/* Fills stars, size and areas from the others, which must be there: x [elements], m, where nothing
 * is strained. */
DlsStatus dls_contact_faces_join(DlsContactFaces *faces, const double (*x)[3]);
void dls_contact_faces_clear(DlsContactFaces *faces); /* a zeroed one is fine */

#endif
