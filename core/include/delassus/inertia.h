/* The inertia M of a set of bodies, apart from the contacts between them: it lives across steps,
 * and W = H M^-1 H^T is made of it and of the rows H of each step (dls_operator_create() of
 * operator.h).
 *
 * It consists of parts. A rigid part is a small dense block of 1 to 64 velocities; a sparse part is
 * one deformable body, M or M + h theta C + h^2 theta^2 K, of any number, factored by a direct
 * method: CHOLMOD where it is symmetric, UMFPACK where it is not. Both stand side by side; parts
 * are numbered in the order in which they are added, and so are their velocities. Symmetric parts
 * must be positive definite. */
#ifndef DELASSUS_INERTIA_H
#define DELASSUS_INERTIA_H

#include <delassus/sparse.h>
#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DlsInertia DlsInertia; /* opaque: core/problem/operator/inertia.c */

/* Without parts. The caller is its first owner. */
DLS_EXPORT DlsStatus dls_inertia_create(DlsInertia **out);

/* One owner more, and one less; it ends with its last. Operators are owners of what they stand on,
 * so that the maker may let go before or after them. */
DLS_EXPORT DlsInertia *dls_inertia_share(DlsInertia *inertia);
DLS_EXPORT void dls_inertia_destroy(DlsInertia **inertia); /* NULL is fine; sets it to NULL */

/* More parts, before the first operator is made of it: `count` rigid ones of `dof` velocities, mass
 * [count][dof][dof], symmetric part positive definite; one sparse one, M square. Copied and
 * factored at once. */
DLS_EXPORT DlsStatus dls_inertia_add_rigid(DlsInertia *inertia, int count, int dof,
                                           const double *mass);
DLS_EXPORT DlsStatus dls_inertia_add_sparse(DlsInertia *inertia, const DlsSparse *M);

/* Other numbers in the places of a sparse part, [entries of its M]: the analysis is kept, the
 * factor is made anew. Where M was symmetric and no longer is, or the other way round, the factor
 * is of the other kind from then on. Operators made of it before are not to be used from then on.
 */
DLS_EXPORT DlsStatus dls_inertia_change_sparse(DlsInertia *inertia, int part, const double *value);

/* Other rigid parts in the place of those that were added last, by dls_inertia_add_rigid(): `count`
 * of them, of as many velocities each, mass [count][dof][dof]. Factors of the parts before them
 * stay; operators made of the inertia before are not to be used from then on. On failure all is as
 * it was. */
DLS_EXPORT DlsStatus dls_inertia_change_rigid(DlsInertia *inertia, int count, const double *mass);

/* Parts; their velocities together; the first velocity of a part, for part = parts() one behind the
 * last of all. */
DLS_EXPORT int dls_inertia_parts(const DlsInertia *inertia);
DLS_EXPORT int dls_inertia_freedom(const DlsInertia *inertia);
DLS_EXPORT int dls_inertia_start(const DlsInertia *inertia, int part);

/* x = M^-1 b and p = M v, all [freedom]; no overlap. Not reentrant on one inertia. solve fails
 * where M is singular to working precision. */
DLS_EXPORT DlsStatus dls_inertia_solve(const DlsInertia *inertia, const double *b, double *x);
DLS_EXPORT void dls_inertia_apply(const DlsInertia *inertia, const double *v, double *p);

/* Factorisations of sparse parts so far. */
DLS_EXPORT long dls_inertia_factorisations(const DlsInertia *inertia);

#ifdef __cplusplus
}
#endif
#endif
