/* All deformable bodies of a simulation as one mesh: where its nodes are, what contacts do to them,
 * what is in its cells and at their points of integration, and stresses at nodes that are made of
 * these.
 *
 *   stress at node a   sigma*_a = sum_p w_p s_pa sigma_p / sum_p w_p s_pa
 *
 * over the points p of the cells about it, w_p their volumes, s_pa = N_a(p): the lumped projection;
 * of cells with nodes between corners, whose N_a may be negative in the mean, N_a(p)^2.
 *
 *   error of cell c    e_c = sqrt(1/V sum_p w_p |sigma*(p) - sigma_p|^2), Pa
 *
 * with sigma* between the nodes by N_a: what the discretisation leaves open (Zienkiewicz and Zhu
 * 1987, in the norm of the stress). Bodies share no nodes. */
#ifndef DELASSUS_POST_DEFORMED_H
#define DELASSUS_POST_DEFORMED_H

#include "fem/element.h"
#include "post/packing_cells.h"

typedef struct {
  int dim;
  DlsPackingCells cells;
  double (*displacement)[3];                 /* [nodes], m */
  uint8_t *type;                             /* [cells], VTK's number */
  int32_t *material;                         /* [cells], of the world */
  int64_t *body;                             /* [nodes], id */
  double *energy;                            /* [cells], J/m3, stored, mean */
  double (*stress)[6], (*strain)[6], *error; /* [cells], means; Pa */

  /* Points of integration. */
  int *point; /* [cells + 1] */
  double (*place)[3], *weight, (*point_stress)[6], (*point_strain)[6], *point_energy;
  int states;    /* of all bulk laws, by name */
  char **name;   /* [states] */
  double *state; /* [states][points]; NaN where a law has none of this name */

  /* At nodes. */
  double (*node_stress)[6], (*node_strain)[6];
  /* Of contacts, by the shares that nodes have of them: the sum of forces; over the part of the
   * surface that the node stands for, seen along the normal: traction, and its part against the
   * outward normal (at corners of T6 sides a mean with the nodes beside them); the narrowest gap,
   * NaN where there is no contact; the greatest DlsContactStatus, 0 likewise. */
  double (*reaction)[3], (*traction)[3], *pressure, *gap;
  int32_t *status;
} DlsDeformed;

/* After a step, or before the first. The contacts of `packing` are those of the simulation. *out is
 * zeroed, ended with dls_deformed_clear(). Nothing is there where no body is deformable, or where
 * none has a mesh. */
DlsStatus dls_deformed_take(const DlsSimulation *simulation, const DlsPacking *packing,
                            DlsDeformed *out);
void dls_deformed_clear(DlsDeformed *deformed);

/* A side of a cell that no other cell shares, its nodes in the order of its own kind and with the
 * normal outwards. */
typedef struct {
  int cell;
  const DlsElementKind *kind;
  int node[DLS_ELEMENT_NODES];
} DlsOuterSide;

/* Those of the cells first .. last - 1, ascending by their least node; freed by the caller. */
DlsStatus dls_deformed_outside(const DlsDeformed *deformed, int first, int last, int *count,
                               DlsOuterSide **out);

/* What is seen of all of them: in space what is outside, in the plane the cells themselves. */
DlsStatus dls_deformed_seen(const DlsDeformed *deformed, int *count, DlsOuterSide **out);

/* A symmetric tensor xx yy zz xy yz xz as nine numbers, row by row. */
void dls_tensor_unfold(const double s[6], double out[9]);

#endif
