/* Nesterov's accelerated projected gradient with restart, in scaled variables, on
 *
 *   min 1/2 r·W'r + r·(q' + s n)   over a product of convex sets, one a contact,
 *
 * which is the contact problem with its shift s given, over the cones K; or, with radii given, over
 * cylinders r_N >= 0, |r_g| <= radius_g. Whoever calls may change s and the radii between two
 * iterations. The step 1 / L follows backtracking on d·W'd <= L |d|^2; one product with W' an
 * iteration, for velocities are linear in r. Momentum is dropped when the step points against it
 * (O'Donoghue and Candès 2015). */
#ifndef DELASSUS_SOLVERS_KIT_ACCELERATED_H
#define DELASSUS_SOLVERS_KIT_ACCELERATED_H

#include <stdbool.h>

#include "solvers/kit/scaled_problem.h"

typedef struct {
  const DlsScaled *scaled; /* lent */
  double *shift;           /* s, [contacts] */
  double *radius;          /* [contacts][3], by groups; NULL: cones */
  double L, t, limit;      /* of beta: 1, or less to damp */
  double least_L;          /* L is not lowered below this */
  double *memory;          /* of the arrays below, [contacts][block] each */
  double *r, *u;           /* where it stands, and its velocity W' r + q' */
  double *before, *u_before, *y, *u_y;
  long restarts, products;
} DlsAccelerated;

DlsStatus dls_accelerated_create(const DlsScaled *scaled, bool cylinders, DlsAccelerated **out);
void dls_accelerated_destroy(DlsAccelerated *self); /* NULL is fine */

/* From r, without momentum. */
void dls_accelerated_begin(DlsAccelerated *self, const double *r);
void dls_accelerated_restart(DlsAccelerated *self);

/* y = r + beta (r - before) and its velocity u_y, from which the next step goes. */
void dls_accelerated_extrapolate(DlsAccelerated *self);

/* One iteration from y; fails where a law does. */
DlsStatus dls_accelerated_step(DlsAccelerated *self);

/* |r - P(r - (u + s n))|; the array y is spent. */
DlsStatus dls_accelerated_residual(DlsAccelerated *self, double *norm);

#endif
