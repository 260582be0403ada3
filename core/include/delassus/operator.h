/* The Delassus operator W = H M^-1 H^T, in one of several forms behind one interface:
 *
 *   assembled  block rows of W
 *   factored   H and a block-diagonal M: a sweep updates body velocities and never forms W
 *   spheres    the same between spheres in 3-D, in a quarter of the memory
 *   coupled    H and an inertia of any parts, deformable bodies among them (inertia.h)
 *
 * W need not be symmetric (M may hold gyroscopic terms); its symmetric part is semi-definite. */
#ifndef DELASSUS_OPERATOR_H
#define DELASSUS_OPERATOR_H

#include <stdbool.h>

#include <delassus/inertia.h>
#include <delassus/sparse.h>
#include <delassus/status.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct DlsOperator
    DlsOperator; /* opaque: fields in core/problem/operator/operator_impl.h */

/* A view of the block rows of an assembled operator: block k of row i, start[i] <= k < start[i+1],
 * couples contacts i and column[k]; value + k block^2 holds it row-major. Columns ascend, and the
 * diagonal block is there in every row: it is number diagonal[i]. Borrowed from the operator. */
typedef struct {
  int contacts, block;
  const int *start;
  const int *column;
  const int *diagonal;
  const double *value;
} DlsBlockRows;

/* A view of a factored operator. Body k has `dof` velocities y_k, scaled so that its mass is the
 * identity. Contact i touches the supports s, start[i] <= s < start[i+1]:
 *   u_i = Σ_s gather_s y_body[s]      y_body[s] += scatter_s^T dr_i
 * gather and scatter are row-major block x dof. They are the same array when M is symmetric. */
typedef struct {
  int contacts, block, bodies, dof;
  const int *start;
  const int *body;
  const double *gather;
  const double *scatter;
} DlsSupports;

/* Block rows copied from the caller; the diagonal blocks must be there, columns may be in any
 * order. All values must be finite. */
DLS_EXPORT DlsStatus dls_operator_create_assembled(int contacts, int block, const int *start,
                                                   const int *column, const double *value,
                                                   DlsOperator **out);

/* Supports as in DlsSupports, with H (row-major block x dof each) in the place of gather, and the
 * mass matrix of each body, row-major dof x dof, symmetric part positive definite. Copies all. */
DLS_EXPORT DlsStatus dls_operator_create_factored(int contacts, int block, int bodies, int dof,
                                                  const int *start, const int *body,
                                                  const double *H, const double *mass,
                                                  DlsOperator **out);

/* The rows H of contacts as sparse lists of (part of an inertia, weights): contact i touches the
 * parts of the entries start[i] <= e < start[i + 1], entry e the part part[e] by the velocities
 * velocity[c], first[e] <= c < first[e + 1], numbered within the part, with the weights
 * weight[c][block]:
 *
 *   u_i = Σ_e Σ_c weight[c] v_part[e],velocity[c]
 *
 * A node of a mesh, a point inside a face, a lever on a rigid body and a mortar integral only
 * differ in these lists. A part, and a velocity, may be named more than once: weights add up. */
typedef struct {
  int contacts, block;
  const int *start;     /* [contacts + 1] */
  const int *part;      /* [start[contacts]] */
  const int *first;     /* [start[contacts] + 1] */
  const int *velocity;  /* [first[start[contacts]]] */
  const double *weight; /* [first[start[contacts]]][block] */
} DlsContactRows;

/* W = H M^-1 H^T of the rows and an inertia, whose owner the operator becomes as well: it may serve
 * many operators, one after the other or side by side, and is factored once. Rows are copied. Rigid
 * parts of one size give the factored form, all else the coupled one. */
DLS_EXPORT DlsStatus dls_operator_create(const DlsContactRows *H, DlsInertia *inertia,
                                         DlsOperator **out);

/* M of n x n, H of (contacts block) x n. Block-diagonal M with blocks of 6, 3, 2 or 1 gives the
 * factored form, any other the coupled one, through CHOLMOD (UMFPACK when M is not symmetric). */
DLS_EXPORT DlsStatus dls_operator_create_global(int contacts, int block, const DlsSparse *M,
                                                const DlsSparse *H, DlsOperator **out);

DLS_EXPORT void dls_operator_destroy(DlsOperator **W); /* NULL is fine; sets *W to NULL */

/* The name of the form, a word: for messages and files, never to choose what to do. */
DLS_EXPORT const char *dls_operator_form(const DlsOperator *W);
DLS_EXPORT int dls_operator_contacts(const DlsOperator *W);
DLS_EXPORT int dls_operator_block(const DlsOperator *W);

/* u = W r, both [contacts][block], no overlap. Not reentrant on one operator: it has one scratch.
 */
DLS_EXPORT void dls_operator_apply(const DlsOperator *W, const double *r, double *u);

/* x = M^-1 b, both [freedom], in the velocities of the bodies; a fixed sphere gets 0. Fails for an
 * assembled operator, which has no mass matrix, and where M is singular to working precision
 * (coupled). */
DLS_EXPORT DlsStatus dls_operator_solve_mass(const DlsOperator *W, const double *b, double *x);

/* v = M^-1 H^T r, [freedom]. Fails as dls_operator_solve_mass(). Not reentrant, as apply. */
DLS_EXPORT DlsStatus dls_operator_velocity(const DlsOperator *W, const double *r, double *v);

/* M, n x n, and H, (contacts block) x n, in the velocities of the bodies. Fails for an assembled
 * operator. A body that is fixed has unit mass there, and no contact moves it. The
 * caller frees the arrays of both. */
DLS_EXPORT DlsStatus dls_operator_bodies(const DlsOperator *W, DlsSparse *M, DlsSparse *H);

/* The diagonal blocks, row-major, [contacts][block^2]. */
DLS_EXPORT void dls_operator_diagonal(const DlsOperator *W, double *D);

/* A new assembled operator equal to W. */
DLS_EXPORT DlsStatus dls_operator_assemble(const DlsOperator *W, DlsOperator **out);

/* What an operator can do beyond u = W r: whether it holds block rows of its own (assembled);
 * whether a sweep can run on the velocities of its bodies (factored, spheres); whether it tells M
 * and H, so that dls_operator_bodies() does not fail (all but assembled). */
DLS_EXPORT bool dls_operator_has_rows(const DlsOperator *W);
DLS_EXPORT bool dls_operator_has_parts(const DlsOperator *W);
DLS_EXPORT bool dls_operator_has_bodies(const DlsOperator *W);

/* The block rows of any operator: its own, *own is then NULL; else those of *own, assembled here,
 * which the caller destroys when the rows are no longer used. */
DLS_EXPORT DlsStatus dls_operator_rows(const DlsOperator *W, DlsOperator **own, DlsBlockRows *rows);

/* Views of an operator that has rows of its own, and of a factored one. */
DLS_EXPORT DlsBlockRows dls_operator_block_rows(const DlsOperator *W);
DLS_EXPORT DlsSupports dls_operator_supports(const DlsOperator *W);

/* The number of velocities of the bodies; 0 for an assembled operator. */
DLS_EXPORT int dls_operator_freedom(const DlsOperator *W);

#ifdef __cplusplus
}
#endif
#endif
