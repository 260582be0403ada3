/* The Jacobian of a proximal step, J = A + B (W' + alpha), written into an array of either layout:
 *
 *   sparse  each scalar row holds the blocks of its contact, in the order of the island; the rows
 *           of contact i begin at start[i] block^2
 *   dense   by columns, (contacts block)^2 numbers */
#ifndef DELASSUS_SOLVERS_NEWTON_JACOBIAN_H
#define DELASSUS_SOLVERS_NEWTON_JACOBIAN_H

#include "solvers/newton/island.h"

/* One step: which equations, the proximal weight and its centre r_k. */
typedef struct {
  const NewtonIsland *island;
  NewtonResidual residual;
  double alpha;
  const double *centre;
} NewtonStep;

/* u = W' r + q' + alpha (r - centre). */
void newton_step_velocity(const NewtonStep *step, const double *r, double *u);

/* F [contacts][block] at r; u receives the velocity. Fails where a law does. */
DlsStatus newton_step_residual(const NewtonStep *step, const double *r, double *u, double *F);

/* J at r, into `value`; u receives the velocity. */
DlsStatus newton_step_jacobian(const NewtonStep *step, bool dense, const double *r, double *u,
                               double *value);

/* The rows of contact i in J: A on the diagonal block, B (W' + alpha)_ij in all of them. */
void newton_step_rows(const NewtonStep *step, bool dense, int i, const double *A, const double *B,
                      double *value);

/* W' + rho in the same layouts. */
void newton_matrix_shifted(const NewtonIsland *island, double rho, bool dense, double *value);

#endif
