/* A matrix with the pattern of an island's W', and its LU factors: UMFPACK's, or dense ones with
 * partial pivoting for small islands. Layouts as in jacobian.h. */
#ifndef DELASSUS_SOLVERS_NEWTON_LINEAR_H
#define DELASSUS_SOLVERS_NEWTON_LINEAR_H

#include "solvers/newton/island.h"

typedef struct NewtonLinear NewtonLinear;

/* `rows` is W', lent for the call. Dense matrices fit all islands of the same size. */
DlsStatus newton_linear_create(const DlsBlockRows *rows, bool dense, NewtonLinear **out);
void newton_linear_destroy(NewtonLinear **linear); /* NULL is fine; sets it to NULL */

/* Where the numbers of the matrix are written before it is factored; factors of a dense matrix take
 * their place. */
double *newton_linear_values(NewtonLinear *s);

/* False when the matrix is singular to working precision, or holds a number that is not finite. */
bool newton_linear_factor(NewtonLinear *s);

/* x = A^-1 b after a factorisation that went well; no overlap. */
void newton_linear_solve(NewtonLinear *s, const double *b, double *x);

#endif
