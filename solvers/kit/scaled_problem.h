/* The problem in variables without units, for solvers that need no more of W than its product:
 *
 *   r̂ = S r',   u' = S û,   u' = W' r' + q',   W' = S Ŵ S,   q' = S q̂
 *
 * S is diagonal, with one value per group of components (normal, tangents, rolling, torsion), such
 * that the mean diagonal entry of W' over the group is 1. A cone |r_g| <= mu_g r_N keeps its form,
 * with mu'_g = mu_g S_N / S_g; so does De Saxcé's shift. An ellipse becomes a circle: S_i ~ mu_i.
 * A custom law has one S for all components. */
#ifndef DELASSUS_SOLVERS_KIT_SCALED_PROBLEM_H
#define DELASSUS_SOLVERS_KIT_SCALED_PROBLEM_H

#include <delassus/problem.h>

#include <stddef.h>

#include "problem/cone_impl.h"

typedef struct {
  const DlsProblem *problem; /* lent */
  int contacts, block, dim;
  size_t n;               /* contacts block */
  DlsRelation *relations; /* cones, with mu' */
  double *scale;          /* S, [contacts][block] */
  double *q;              /* q' */
  double *compliance;     /* S C S, or NULL where C = 0 */
  double *plain;  /* [contacts], mu' of Coulomb's cone in blocks of 2 or 3; -1: any other cone */
  double *memory; /* of the arrays above, and of the scratch below */
  double *physical, *image;
} DlsScaled;

DlsStatus dls_scaled_create(const DlsProblem *problem, DlsScaled **out);
void dls_scaled_destroy(DlsScaled *scaled); /* NULL is fine */

/* y = W' x; u = W' r + q'. No overlap. */
void dls_scaled_multiply(const DlsScaled *scaled, const double *x, double *y);
void dls_scaled_velocity(const DlsScaled *scaled, const double *r, double *u);

/* r' from r̂, and back; both may be one array. */
void dls_scaled_take(const DlsScaled *scaled, const double *r_hat, double *r);
void dls_scaled_give(const DlsScaled *scaled, const double *r, double *r_hat);

/* Γ(u') of each contact, [contacts]. */
void dls_scaled_shift(const DlsScaled *scaled, const double *u, double *shift);

/* out = P_K(r - step (u + shift n)), shift [contacts] or NULL for 0; a custom law projects (r, u) by
 * its own function, and only there can it fail. */
DlsStatus dls_scaled_project(const DlsScaled *scaled, double step, const double *shift,
                             const double *u, const double *r, double *out);

/* The groups of contact i that carry friction, at most 3; returns how many, 0 without friction. An
 * ellipse with one axis of length 0 has a group of the other component. */
int dls_scaled_groups(const DlsScaled *scaled, int i, DlsConeGroup groups[3]);

/* x_N <- max(0, x_N), then x_g <- the nearest point of the disk of its radius: radius[g], or mu_g x_N
 * where `radius` is NULL. Components that no group holds become 0. For contacts with friction. */
void dls_scaled_disks(const DlsScaled *scaled, int i, const double *radius, double *x);

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
