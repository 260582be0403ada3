/* A body of finite elements as files see it (world/deformable_view.h): its mesh in VTK's order, and
 * fields at the points of integration from strains and a stress that the body tells. */
#ifndef DELASSUS_FEM_BODY_VIEW_H
#define DELASSUS_FEM_BODY_VIEW_H

#include <stdbool.h>

#include "fem/element.h"
#include "world/deformable_view.h"

/* VTK's number of an element's cell, 0: it has none; and the element of VTK's number, -1: none. */
int dls_element_vtk(int type);
int dls_element_of_vtk(int vtk);

/* Node k of VTK's cell is node dls_element_vtk_node(type, k) of the element. */
int dls_element_vtk_node(int type, int k);

typedef struct DlsBodyView DlsBodyView;

/* All arrays are copied but for `velocity` and the names, which are lent. */
typedef struct {
  int dim, nodes, cells;
  const double (*X)[3];
  const DlsElementType *type;
  const int *start, *node; /* in the element's order */
  const int *velocity;     /* [nodes][dim]: the number of each velocity, -1 held */
  const double *density;   /* [cells], kg/m3 */
  double thickness;        /* m, in 2-D */
  bool plane_stress;
  bool at_rest; /* strains are small */
  int states;
  const char *const *state; /* [states] */
} DlsBodyViewSetup;

DlsStatus dls_body_view_create(const DlsBodyViewSetup *setup, DlsBodyView **out);
void dls_body_view_destroy(DlsBodyView **view); /* NULL is fine; sets it to NULL */
const DlsDeformableMesh *dls_body_view_mesh(const DlsBodyView *view);

/* Stress, Pa, and stored energy, J/m3, in cell c, at point p (counted through all cells), of a
 * strain with gamma = 2 epsilon; state [states] is what files show. */
typedef DlsStatus DlsBodyStress(const void *body, int c, int p, const double strain[6],
                                double stress[6], double *energy, double *state);

/* Fields of small strains of the displacements u [nodes][dim], but for `velocity`. */
DlsStatus dls_body_view_fields(const DlsBodyView *view, const double *u, DlsBodyStress *stress,
                               const void *body, DlsDeformableFields *out);

#endif
