/* Sparse matrices by compressed rows (DlsSparse of operator.h): making, checking, transposing. */
#ifndef DELASSUS_PROBLEM_OPERATOR_SPARSE_H
#define DELASSUS_PROBLEM_OPERATOR_SPARSE_H

#include <delassus/operator.h>

/* Sorts triplets (row[k], column[k], value[k]), in any order, into compressed rows; duplicates are
 * summed in the order given. Indices are in range. The caller ends *out with dls_sparse_clear(). */
DlsStatus dls_sparse_from_triplets(int rows, int columns, int entries, const int *row,
                                   const int *column, const double *value, DlsSparse *out);

/* Without entries yet: start is zero, room for `entries`. */
DlsStatus dls_sparse_allocate(int rows, int columns, int entries, DlsSparse *out);

DlsStatus dls_sparse_copy(const DlsSparse *A, DlsSparse *out);
DlsStatus dls_sparse_transpose(const DlsSparse *A, DlsSparse *out);

void dls_sparse_clear(DlsSparse *A);

/* y = A x. */
void dls_sparse_multiply(const DlsSparse *A, const double *x, double *y);

/* max |A - A^T| / max |A| of a square matrix; 0 for A = 0. */
DlsStatus dls_sparse_asymmetry(const DlsSparse *A, double *asymmetry);

/* The assembled operator of a square matrix whose rows go by `block` per contact. Diagonal blocks
 * are always stored, others where they hold a number that is not zero. */
DlsStatus dls_sparse_to_operator(const DlsSparse *A, int block, DlsOperator **out);

/* The promise of DlsSparse: starts that grow from 0, columns in range and ascending, finite values.
 * `name` stands for the matrix in the sentence. */
DlsStatus dls_sparse_check(const DlsSparse *A, const char *name);

#endif
