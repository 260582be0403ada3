/* A sparse system of equations that is factored a few times and solved often: CHOLMOD where the matrix is
 * symmetric and positive definite, UMFPACK where it is not symmetric. Entries are added one by one, in the
 * same places each time. */
#ifndef DELASSUS_SOLVERS_KIT_SPARSE_FACTOR_H
#define DELASSUS_SOLVERS_KIT_SPARSE_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

typedef struct DlsSparseFactor DlsSparseFactor;

/* n rows; room for `most` entries, doubles that are added up included. */
DlsStatus dls_sparse_factor_create(int n, bool symmetric, size_t most, DlsSparseFactor **out);
void dls_sparse_factor_destroy(DlsSparseFactor **direct); /* NULL is fine; sets it to NULL */

/* A = 0; then A(row, column) += value. A symmetric matrix takes those with row <= column only. */
void dls_sparse_factor_clear(DlsSparseFactor *self);
void dls_sparse_factor_add(DlsSparseFactor *self, int row, int column, double value);

/* Factors what was added. DLS_ERR_NUMERIC where the matrix is singular or not definite. */
DlsStatus dls_sparse_factor_factor(DlsSparseFactor *self);

/* x = A^-1 b; no overlap. */
DlsStatus dls_sparse_factor_solve(DlsSparseFactor *self, const double *b, double *x);

#endif
