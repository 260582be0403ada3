/* The Jacobian of a proximal step solved on the velocities of the parts, where those are fewer than
 * the reactions: blocks with eight points on a face have four times as many of these. With
 * W' = G T^T + C' (kit/part_rows.h, C' the compliance) and, contact by contact,
 *
 *   D = A + B (alpha + C'),   X = D^-1 B
 *   (A + B (W' + alpha)) x = b   <=>   x = D^-1 b - X G y,   (I + T^T X G) y = T^T D^-1 b
 *
 * The matrix of y has the pattern of bodies that touch, and neither its size nor its cost grows
 * with the points of a face. One refinement by the equations in x makes up for D that is nearly
 * singular (a contact that sticks has D = alpha B). */
#ifndef DELASSUS_SOLVERS_NEWTON_REDUCED_H
#define DELASSUS_SOLVERS_NEWTON_REDUCED_H

#include "solvers/newton/jacobian.h"

typedef struct NewtonReduced NewtonReduced;

/* Of an island that has parts. */
DlsStatus newton_reduced_create(const NewtonIsland *island, NewtonReduced **out);
void newton_reduced_destroy(NewtonReduced **reduced); /* NULL is fine; sets it to NULL */

/* Factors the Jacobian of a step at r, or W' + rho; u [contacts][block] receives the velocity.
 * *regular is false where it is singular to working precision. */
DlsStatus newton_reduced_factor(NewtonReduced *s, const NewtonStep *step, const double *r,
                                double *u, bool *regular);
DlsStatus newton_reduced_factor_shifted(NewtonReduced *s, double rho, bool *regular);

/* x of b, both [contacts][block]; no overlap. */
void newton_reduced_solve(NewtonReduced *s, const double *b, double *x);

#endif
