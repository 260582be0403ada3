/* What the forms of the operator need of an inertia besides inertia.h. */
#ifndef DELASSUS_PROBLEM_OPERATOR_INERTIA_IMPL_H
#define DELASSUS_PROBLEM_OPERATOR_INERTIA_IMPL_H

#include <stdbool.h>

#include <delassus/inertia.h>

/* Where all parts are rigid and of one size, their factors (rigid_mass.h), [parts][dof^2], and
 * whether all are symmetric; else NULL. Without parts dof is 1. */
const double *dls_inertia_rigid(const DlsInertia *inertia, int *parts, int *dof, bool *symmetric);

/* x = M^-1 b of one part for `columns` right-hand sides, [columns][velocities of the part]; no
 * overlap. */
DlsStatus dls_inertia_solve_part(const DlsInertia *inertia, int part, int columns, const double *b,
                                 double *x);

/* M by compressed rows, [freedom x freedom]; the caller ends it with dls_sparse_clear(). */
DlsStatus dls_inertia_matrix(const DlsInertia *inertia, DlsSparse *M);

#endif
