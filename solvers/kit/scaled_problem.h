/* The fields of a scaled problem (delassus/solver_tools.h), and what only built-in solvers ask of
 * it: the groups of a cone, disks of friction, the residual. */
#ifndef DELASSUS_SOLVERS_KIT_SCALED_PROBLEM_H
#define DELASSUS_SOLVERS_KIT_SCALED_PROBLEM_H

#include <delassus/solver_tools.h>

#include <stddef.h>

#include "problem/cone_impl.h"

struct DlsScaled {
  const DlsProblem *problem; /* lent */
  int contacts, block, dim;
  size_t n;               /* contacts block */
  DlsRelation *relations; /* cones, with mu' */
  double *scale;          /* S, [contacts][block] */
  double *q;              /* q' */
  double *compliance;     /* S C S, or NULL where C = 0 */
  double *plain;  /* [contacts], mu' of Coulomb's cone in blocks of 2 or 3; -1: any other cone */
  double *theta;  /* [contacts], Γ' / |u'_T| of such a cone: (1 - associated) mu' */
  double *memory; /* of the arrays above, and of the scratch below */
  double *physical, *image;
};

/* The groups of contact i that carry friction, at most 3; returns how many, 0 without friction. An
 * ellipse with one axis of length 0 has a group of the other component. */
int dls_scaled_groups(const DlsScaled *scaled, int i, DlsConeGroup groups[3]);

/* x_N <- max(0, x_N), then x_g <- the nearest point of the disk of its radius: radius[g], or mu_g
 * x_N where `radius` is NULL. Components that no group holds become 0. For contacts with
 * friction. */
void dls_scaled_disks(const DlsScaled *scaled, int i, const double *radius, double *x);

/* What contact i dilates by at u' [block], associated times Coulomb's Γ'; 0 for most. */
double dls_scaled_dilation(const DlsScaled *scaled, int i, const double *u);

/* Whether contact i has friction. */
static inline int dls_scaled_rubs(const DlsScaled *scaled, int i) {
  return scaled->relations[i].cone == DLS_CONE_COULOMB ||
         scaled->relations[i].cone == DLS_CONE_ROLLING;
}

/* Σ x y over the n numbers. */
double dls_scaled_dot(const DlsScaled *scaled, const double *x, const double *y);

/* |r - P_K(r - (u + shift n))|, `work` [n] scratch that receives the difference. */
DlsStatus dls_scaled_residual(const DlsScaled *scaled, const double *shift, const double *u,
                              const double *r, double *work, double *norm);

#endif
