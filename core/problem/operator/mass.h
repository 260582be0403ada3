/* A sparse mass matrix M, factored once by a direct method: CHOLMOD where M is symmetric, UMFPACK
 * where it is not. Private to the coupled operator. */
#ifndef DELASSUS_PROBLEM_OPERATOR_MASS_H
#define DELASSUS_PROBLEM_OPERATOR_MASS_H

#include <delassus/operator.h>

typedef struct DlsMass DlsMass;

/* Factors M; solves take up to `columns` right-hand sides at once. Fails when M is singular, or
 * symmetric without being positive definite. */
DlsStatus dls_mass_create(const DlsSparse *M, int columns, DlsMass **out);
void dls_mass_destroy(DlsMass **mass);

/* Where the right-hand sides go: n x columns, column by column. */
double *dls_mass_right(DlsMass *mass);

/* M^-1 times the first `columns` right-hand sides, n x columns; valid until the next solve. Nothing
 * is allocated. */
const double *dls_mass_solve(DlsMass *mass, int columns);

#endif
