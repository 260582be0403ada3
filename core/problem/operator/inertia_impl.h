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

/* As dls_inertia_add_sparse(), with the velocities of the part, each once, that rows of H name: its
 * surface. Where M is symmetric they come last in the factor. */
DlsStatus dls_inertia_add_sparse_surface(DlsInertia *inertia, const DlsSparse *M, int count,
                                         const int *velocity);

/* What impulses on the surface of a part do to its velocities: S [count][count], M^-1 between them.
 * place [velocities of the part]: the number of a velocity on the surface, -1 it is not of it;
 * velocity [count]: the other way round. Made from the factor when it is asked for, kept until the
 * factor changes; lent. */
typedef struct {
  int count;
  const int *velocity, *place;
  const double *S;
} DlsInertiaSurface;

/* *out is all 0 where the part has none. */
DlsStatus dls_inertia_surface(const DlsInertia *inertia, int part, DlsInertiaSurface *out);

/* M by compressed rows, [freedom x freedom]; the caller ends it with dls_sparse_clear(). */
DlsStatus dls_inertia_matrix(const DlsInertia *inertia, DlsSparse *M);

#endif
