/* A deformable body of finite elements with a linear bulk law at small strains and turns: its
 * mass M and stiffness K are made once, M^ = M + h^2 theta^2 K is factored once for each h
 * (world/deformable_kind.h). Its velocities are those of its nodes along each axis, without those
 * that are held; its state are the displacements of all nodes. It meets others by some of its
 * nodes, each with a small ball about it. */
#ifndef DELASSUS_FEM_LINEAR_BODY_H
#define DELASSUS_FEM_LINEAR_BODY_H

#include <stdint.h>

#include "fem/element.h"
#include "world/deformable_kind.h"
#include "world/shape.h"

typedef enum {
  DLS_MASS_LUMPED,      /* of each node its share, by the scaled diagonal */
  DLS_MASS_CONSISTENT,  /* of interpolations */
  DLS_MASS_FREE_CONTACT /* lumped, and that of nodes that meet others is given to the others of
                           their cells, so that an impact stops no mass: it then takes no energy
                           (Khenous, Laborde and Renard 2008) */
} DlsMassKind;

/* All arrays are copied. */
typedef struct {
  int dim, nodes, cells;
  const double (*X)[3];       /* [nodes], m, where nothing is strained */
  const DlsElementType *type; /* [cells], of dimension dim */
  const int *start;           /* [cells + 1] */
  const int *node;            /* [start[cells]] */
  const unsigned char *held;  /* [nodes], bits 1 2 4 for the axes; NULL: none */
  double density, thickness;  /* kg/m3; m, in 2-D */
  double tangent[36];         /* Pa, stress of strain (delassus/bulk.h), symmetric */
  DlsMassKind mass;
  int contacts;
  const int *contact; /* [contacts], nodes that meet others, each once */
  double radius;      /* m, of the balls about them */
} DlsLinearBody;

/* A model for dls_world_add_deformable() with dls_linear_body_kind. Refuses nodes and types that
 * are none, cells that are inverted (with their number), nodes without a cell. */
DlsStatus dls_linear_body_create(const DlsLinearBody *setup, void **model);
void dls_linear_body_destroy(void *model);
extern const DlsDeformableOperations dls_linear_body_kind;

/* The shape by which detection sees it; ended with dls_shape_clear(). */
DlsStatus dls_linear_body_shape(const void *model, DlsShape *out);

/* The number of velocity `axis` of a node, -1 where it is held. */
int dls_linear_body_velocity(const void *model, int node, int axis);

/* N, [nodes][dim]: K u, the forces that hold these displacements. */
void dls_linear_body_forces(const void *model, const double *u, double *out);

#endif
