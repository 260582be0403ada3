/* What files and averages see of a deformable body: a mesh that stands for it, how its nodes move,
 * and what is within it at points of integration.
 *
 * Forces of cells: with the interpolations N_a of a cell, its node a exerts on it
 *
 *   f_a = integral of sigma grad N_a dV,   sum f_a = 0,   sum f_a (x) x_a = integral of sigma dV
 *
 * so that a cell is to its nodes what a grain is to its contacts, and everything that is made of
 * contact forces, means over regions and resultants across cuts, is made of these alike. */
#ifndef DELASSUS_WORLD_DEFORMABLE_VIEW_H
#define DELASSUS_WORLD_DEFORMABLE_VIEW_H

#include <stdbool.h>
#include <stdint.h>

/* Lent for the life of the model; no step changes it. */
typedef struct {
  int dim, nodes, cells;
  const double (*X)[3];     /* [nodes], m, where nothing is strained */
  const uint8_t *type;      /* [cells], VTK's number of each */
  const int *start;         /* [cells + 1] */
  const int *node;          /* [start[cells]], in VTK's order */
  const int *point;         /* [cells + 1]: points of integration of each cell */
  const int *velocity;      /* [nodes][dim]: the number of each velocity, -1 where it is held */
  double volume;            /* m3; in 2-D m2 times the thickness */
  const double *mass;       /* [cells], kg */
  double thickness;         /* m, in 2-D; 1 in 3-D */
  bool at_rest;             /* strains are small: tractions are over areas where it is unstrained */
  int states;               /* of the bulk law, each a number at each point */
  const char *const *state; /* [states], their names */
} DlsDeformableMesh;

/* Tensors are xx yy zz xy yz xz, shear strains epsilon (half of gamma). Arrays are there and
 * zeroed. */
typedef struct {
  double (*displacement)[3], (*velocity)[3]; /* [nodes], m, m/s */
  double (*force)[3];                        /* [start[cells]], N: f_a above, on the cell */
  double (*place)[3];                        /* [points], m, where they are now */
  double *weight;                            /* [points], m3: what each stands for */
  double (*stress)[6];                       /* [points], Pa, Cauchy's */
  double (*strain)[6];                       /* [points] */
  double *energy;                            /* [points], J/m3, stored */
  double *state;                             /* [states][points] */
} DlsDeformableFields;

#endif
