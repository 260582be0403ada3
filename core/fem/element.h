/* Finite elements: one constant struct for each kind, with its interpolation, its rules of
 * integration and its sides. Nodes are numbered as in VTK's cells (the wedge as in Gmsh's: its
 * third axis goes from nodes 0 1 2 to nodes 3 4 5), so that volumes are positive; corners come
 * first.
 *
 * Reference cells: lines and quadrilaterals and bricks -1 .. 1 along each axis; triangles and
 * tetrahedra with corners at 0 and at the units; the wedge a triangle times -1 .. 1. */
#ifndef DELASSUS_FEM_ELEMENT_H
#define DELASSUS_FEM_ELEMENT_H

#include <delassus/status.h>

/* Code, and name in files, messages and documentation. */
#define DLS_ELEMENT_LIST(X)                                                                        \
  X(LINE2, "LINE2")                                                                                \
  X(LINE3, "LINE3")                                                                                \
  X(T3, "T3")                                                                                      \
  X(T6, "T6")                                                                                      \
  X(Q4, "Q4")                                                                                      \
  X(Q8, "Q8")                                                                                      \
  X(TET4, "TET4")                                                                                  \
  X(TET10, "TET10")                                                                                \
  X(HEX8, "HEX8")                                                                                  \
  X(WEDGE6, "WEDGE6")

typedef enum {
#define DLS_ELEMENT_ENUM(code, name) DLS_##code,
  DLS_ELEMENT_LIST(DLS_ELEMENT_ENUM)
#undef DLS_ELEMENT_ENUM
      DLS_ELEMENTS
} DlsElementType;

enum { DLS_ELEMENT_NODES = 10, DLS_ELEMENT_POINTS = 15, DLS_ELEMENT_SIDES = 6 }; /* at most */

/* A place of the reference cell with its weight; weights add up to the volume of the cell. */
typedef struct {
  double x[3], weight;
} DlsQuadraturePoint;

typedef struct {
  int count;
  const DlsQuadraturePoint *point;
} DlsQuadrature;

/* One side of an element: its own type, and its nodes among those of the element, with the normal
 * of the side (along t1 x t2; in 2-D to the right of the way) pointing outwards. */
typedef struct {
  DlsElementType type;
  int node[DLS_ELEMENT_NODES];
} DlsElementSide;

typedef struct {
  const char *name;
  int dim, nodes, corners;
  int order;           /* of the polynomials that it holds completely */
  int mean_dilatation; /* 1: volume changes are taken in the mean over the element (B-bar), since
                           it would lock where the material keeps its volume */
  /* For forces and stiffness: exact for straight simplices, and for parallelograms and bricks. */
  const DlsQuadrature *inner;
  /* For masses and body forces: exact for products of interpolations, likewise. */
  const DlsQuadrature *matter;
  int sides;
  DlsElementSide side[DLS_ELEMENT_SIDES];
  const double (*place)[3]; /* [nodes], of its nodes in the reference cell */
  /* N [nodes] and dN/dx [nodes][3] at a place of the reference cell; derivatives along axes that it
   * has not are 0. */
  void (*interpolate)(const double x[3], double *N, double (*dN)[3]);
} DlsElementKind;

/* NULL for a number that is no type. */
const DlsElementKind *dls_element_kind(int type);

/* The type of a name, -1 none. */
int dls_element_find(const char *name);

/* From the derivatives in the reference cell to those in space, for nodes at X [nodes][3]: gradient
 * [nodes][3] in 1/m, and the ratio of volumes det dX/dx, which is <= 0 where the cell is inverted
 * there. Of cells with as many axes as space (in 2-D z is left out). The gradient is not filled
 * where the ratio is 0. */
double dls_element_gradient(const DlsElementKind *kind, const double (*X)[3], const double x[3],
                            double *N, double (*gradient)[3]);

/* The volume (in 2-D the area), m3 or m2, by the rule for matter. */
double dls_element_volume(const DlsElementKind *kind, const double (*X)[3]);

/* The weights of a side's nodes: w [nodes of the side], m2 or m, the integral of each
 * interpolation over it; area vector out[3] = integral of the unit normal. Corners of a T6 get 0,
 * those of a curved Q8 may be below. */
void dls_element_side_weights(const DlsElementKind *side, const double (*X)[3], double *w,
                              double area[3]);

/* Lumped masses as shares of the whole, [nodes], all above 0: the diagonal of the consistent mass,
 * scaled to the whole (Hinton, Rock and Zienkiewicz 1976). */
void dls_element_lump(const DlsElementKind *kind, const double (*X)[3], double *share);

#endif
