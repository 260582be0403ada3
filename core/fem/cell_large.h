/* One element with large displacements: Green's strain of its displacements, and the forces that
 * balance a second Piola-Kirchhoff stress.
 *
 *   E = (F^T F - 1) / 2,   F = 1 + grad u,   f = sum  w B^T S,   B = dE / du
 *
 * Where the cell takes volume changes in the mean, E is that of (Jm / J)^(1/3) F, J = det F and Jm
 * its mean over the element (Nagtegaal, Parks and Rice 1974); f and stiffness are its exact
 * derivatives, so that they stay symmetric. Voigt's order with gamma = 2 epsilon, as in cell.h. */
#ifndef DELASSUS_FEM_CELL_LARGE_H
#define DELASSUS_FEM_CELL_LARGE_H

#include "fem/cell.h"

typedef struct {
  double G[3][3], F[3][3], J;     /* grad u, 1 + grad u, det F */
  double gain;                    /* J - 1, with the digits of G */
  double beyond;                  /* (Jm / J)^(2/3) - 1; 0 where the mean is not taken */
  double g[DLS_ELEMENT_NODES][3]; /* 1/m: gradients of the interpolations in space */
} DlsCellLargePoint;

typedef struct {
  const DlsCell *cell;
  double mean[DLS_ELEMENT_NODES][3]; /* 1/m: derivative of ln Jm */
  double mean_J;
  DlsCellLargePoint point[DLS_ELEMENT_POINTS];
  double curve[DLS_CELL_VELOCITIES][DLS_CELL_VELOCITIES]; /* 1/m2: d2 Jm / Jm */
} DlsCellLarge;

/* With displacements u [nodes][dim]. DLS_ERR_NUMERIC where it is turned inside out. */
DlsStatus dls_cell_large_prepare(const DlsCell *cell, const double *u, DlsCellLarge *out);

void dls_cell_large_strain(const DlsCellLarge *large, int p, double E[6]);

/* Adds w B^T S to f [nodes][dim], N. */
void dls_cell_large_add_force(const DlsCellLarge *large, int p, const double S[6], double *f);

/* To be called once before the next: fills `curve`, where the mean is taken. */
void dls_cell_large_curve(DlsCellLarge *large);

/* Adds w (B^T D B + factor S : d2E / du du) to K [nodes dim][nodes dim], N/m. */
void dls_cell_large_add_stiffness(const DlsCellLarge *large, int p, const double D[36],
                                  const double S[6], double factor, double *K);

/* Cauchy's stress of S at point p. */
void dls_cell_large_cauchy(const DlsCellLarge *large, int p, const double S[6], double sigma[6]);

#endif
