/* x = (W' + rho)^-1 b in scaled variables, by one of two factors:
 *
 *   reactions   W' + rho, from block rows of W
 *   velocities  W' = G T^T + C' with velocities of bodies in between (gather and scatter, scaled):
 *               with D = rho + C',  x = D^-1 (b - G (I + T^T D^-1 G)^-1 T^T D^-1 b);
 *               that is M + H^T D^-1 H in the velocities whose mass is one, and as sparse as the
 *               bodies that touch
 *
 * CHOLMOD where W is symmetric, UMFPACK where it is not. */
#ifndef DELASSUS_SOLVERS_KIT_SHIFTED_SOLVE_H
#define DELASSUS_SOLVERS_KIT_SHIFTED_SOLVE_H

#include "solvers/kit/scaled_problem.h"

typedef enum { DLS_SHIFTED_AUTO, DLS_SHIFTED_REACTIONS, DLS_SHIFTED_VELOCITIES } DlsShiftedForm;

typedef struct DlsShifted DlsShifted;

/* AUTO takes velocities where the operator has parts with fewer of them than there are reactions,
 * reactions elsewhere: bodies coupled by a sparse mass matrix have few contacts for their many
 * velocities. */
DlsStatus dls_shifted_create(const DlsScaled *scaled, DlsShiftedForm form, DlsShifted **out);
void dls_shifted_destroy(DlsShifted **penalty); /* NULL is fine; sets it to NULL */

DlsStatus dls_shifted_factor(DlsShifted *self, double rho);

/* The same with a symmetric positive definite block D_i of each contact in the place of rho, and
 * D^-1, which is better known to who made D than to who inverts it; both [contacts][block][block].
 * D is lent until the next factor. */
DlsStatus dls_shifted_factor_blocks(DlsShifted *self, const double *D, const double *inverse);

/* x = (W' + rho)^-1 b, or (W' + D)^-1 b; no overlap. */
DlsStatus dls_shifted_solve(DlsShifted *self, const double *b, double *x);

/* "velocities" or "reactions". */
const char *dls_shifted_name(const DlsShifted *self);

#endif
