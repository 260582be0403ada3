/* Faces of a deformable body where they are now, and the nearest of them to a place. */
#ifndef DELASSUS_DETECT_MESH_NOW_H
#define DELASSUS_DETECT_MESH_NOW_H

#include "base/box_tree.h"
#include "detect/detector_impl.h"

typedef struct {
  const DlsContactFaces *faces;
  int body, first;                       /* its number, and its first element */
  double (*x)[3];                        /* m, [elements]: nodes */
  double (*way)[3];                      /* m, likewise, during the horizon */
  double (*normal)[3];                   /* [faces], unit, outwards, at the middle */
  double *area;                          /* m2, in 2-D m2 with the thickness */
  double (*smooth)[DLS_FACE_CORNERS][3]; /* of the faces at each corner that are less than
                                            45 degrees from this one, by area */
  double *node_area;                     /* m2, their shares */
  DlsRange *range;                       /* [faces] */
  DlsRange whole;
  double fastest; /* m: the longest way */
  DlsBoxTree tree;
} DlsFacesNow;

/* Fills one from the balls of its elements, and the tree, which stays from call to call. */
DlsStatus dls_faces_now(DlsFacesNow *now, const DlsDetector *detector, const DlsWorld *world,
                        const DlsDeformable *deformable);
void dls_faces_now_clear(DlsFacesNow *now);

/* m2 that laws are told of what is `area` now, on a face or about a node: where strains are small,
 * forces balance stresses on the surface as it was, and so it is as large as it was. */
double dls_faces_told(const DlsFacesNow *now, int face, double area);
double dls_faces_node_told(const DlsFacesNow *now, int node, double area);

/* x and weights at a place of a face: in 2-D (s, 0), in a triangle (s, t) from 0 on, in a
 * quadrilateral from -1 to 1. */
void dls_face_weights(int corners, const double s[2], double *N, double (*dN)[2]);

/* The same of a quadratic side: of 3 nodes, a line from -1 to 1, or of 6, a triangle likewise. And
 * where node a of it lies. */
void dls_side_weights(int nodes, const double s[2], double *N, double (*dN)[2]);
const double *dls_side_place(int nodes, int a);

/* What interpolates at a place of a face where its corners have the weights L: these, or the nodes
 * of the quadratic side that it is a piece of. */
typedef struct {
  int count;
  const int *element;
  double N[DLS_SIDE_NODES];
} DlsNodesThere;
void dls_face_nodes(const DlsContactFaces *faces, int face, const double *L, DlsNodesThere *out);

/* The nearest place of a face. */
typedef struct {
  int face;
  DlsNodesThere at;           /* the weights add up to 1 */
  double point[3], normal[3]; /* m; unit, from the face to the place */
  double gap;                 /* m, along the normal */
  double way[3];              /* m, of the face there */
} DlsFoot;

typedef struct {
  double x[3];
  double reach, depth; /* m, in front of the face, and behind it */
  /* Unit normals, outwards, of the faces of which the place is part, numbers of the first array:
   * one of them must look the other way. faces 0: none is known. */
  const double (*normal)[3];
  const int *face;
  int faces;
  int apart; /* a node of the same surface, whose neighbours do not count; -1 none */
} DlsPlace;

/* False: none is near. The nearest of all faces that look back at the place decides. On edges the
 * normal is a mean of those beside it where these are alike, and else, in front of a convex one or
 * past the end of an open surface, the direction to the place. What is past an edge or an end and
 * behind its face is beside the surface, not in it. */
bool dls_faces_foot(const DlsFacesNow *now, const DlsPlace *place, DlsFoot *out);

#endif
