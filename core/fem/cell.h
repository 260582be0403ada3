/* One element in space: the strain of its displacements, and the forces that balance its stress.
 *
 *   strain = B u,   f = sum over points  w B^T stress,   K = sum  w B^T (d stress / d strain) B
 *
 * strain and stress are xx yy zz xy yz xz with gamma = 2 epsilon (delassus/bulk.h), in 2-D too,
 * where zz, yz and xz of the strain are 0. Where the kind says so, volume changes are those of the
 * mean over the element: B-bar (Hughes 1980), whose gradient of node a is in the trace alone the
 * mean (1 / V) integral of grad N_a. */
#ifndef DELASSUS_FEM_CELL_H
#define DELASSUS_FEM_CELL_H

#include "fem/element.h"

enum { DLS_CELL_VELOCITIES = 3 * DLS_ELEMENT_NODES };

typedef struct {
  double weight;                         /* m3: of the volume that the point stands for */
  double gradient[DLS_ELEMENT_NODES][3]; /* 1/m, of the interpolations */
} DlsCellPoint;

typedef struct {
  const DlsElementKind *kind;
  int mean_dilatation;               /* as its kind, until it is set to 0 */
  double volume;                     /* m3 */
  double mean[DLS_ELEMENT_NODES][3]; /* 1/m, of the gradients, where the kind takes the mean */
  DlsCellPoint point[DLS_ELEMENT_POINTS];
} DlsCell;

/* Nodes at X [nodes][3]; thickness, m, counts in 2-D. DLS_ERR_ARGUMENT where the element is
 * inverted or flat at a point of integration or at a corner; the sentence has the place. */
DlsStatus dls_cell_prepare(const DlsElementKind *kind, const double (*X)[3], double thickness,
                           DlsCell *out);

/* At point p, of displacements u [nodes][dim]. */
void dls_cell_strain(const DlsCell *cell, int p, const double *u, double strain[6]);

/* Adds w B^T stress to f [nodes][dim], N. */
void dls_cell_add_force(const DlsCell *cell, int p, const double stress[6], double *f);

/* Adds w B^T tangent B to K [nodes dim][nodes dim], N/m, row-major. */
void dls_cell_add_stiffness(const DlsCell *cell, int p, const double tangent[36], double *K);

/* Adds density N_a N_b to M [nodes][nodes], kg, row-major: consistent, alike for each axis. */
void dls_cell_mass(const DlsElementKind *kind, const double (*X)[3], double density,
                   double thickness, double *M);

#endif
