/* A sparse system of equations that is analysed once, factored as often as its numbers change, and
 * solved often: CHOLMOD where the matrix is symmetric and positive definite, UMFPACK where it is
 * not symmetric. The one place where these two are called to solve.
 *
 * The matrix comes as compressed arrays that the caller keeps, or entry by entry. */
#ifndef DELASSUS_PROBLEM_SPARSE_FACTOR_H
#define DELASSUS_PROBLEM_SPARSE_FACTOR_H

#include <stdbool.h>
#include <stddef.h>

#include <delassus/status.h>

typedef struct DlsSparseFactor DlsSparseFactor;

/* All zero: unsymmetric, by columns, analysed by pattern and values, solves refined. */
typedef struct {
  bool symmetric;  /* and positive definite; of the arrays the upper triangle by columns is read */
  bool supernodal; /* symmetric: dense blocks always, not where CHOLMOD finds them worth it */
  bool by_rows;    /* unsymmetric: the arrays are compressed rows, not columns */
  bool by_pattern; /* unsymmetric: the analysis sees no values */
  bool plain;      /* unsymmetric: solves are not refined, which costs two more of them */
} DlsSparseFactorKind;

DlsStatus dls_sparse_factor_create(int n, const DlsSparseFactorKind *kind, DlsSparseFactor **out);
void dls_sparse_factor_destroy(DlsSparseFactor **factor); /* NULL is fine; sets it to NULL */

/* The matrix as arrays, start [n + 1], index and value [start[n]], lent for the life of the factor:
 * the numbers in `value` may change between factorisations, nothing else. */
void dls_sparse_factor_lend(DlsSparseFactor *self, const int *start, const int *index,
                            const double *value);

/* The matrix entry by entry: room for `most` of them, doubles that are added up included. Then A =
 * 0, and A(row, column) += value, in the same places each time. A symmetric matrix takes those with
 * row <= column only. */
DlsStatus dls_sparse_factor_reserve(DlsSparseFactor *self, size_t most);
void dls_sparse_factor_clear(DlsSparseFactor *self);
void dls_sparse_factor_add(DlsSparseFactor *self, int row, int column, double value);

/* Of a symmetric matrix, before its analysis: these unknowns, each once, come last in the ordering.
 * What A^-1 gives between them then stands in the last block of L alone. Copied. */
DlsStatus dls_sparse_factor_last(DlsSparseFactor *self, int count, const int *unknown);

/* The ordering and the pattern of the factors, kept from then on; the first factorisation makes it
 * where nobody did before. */
DlsStatus dls_sparse_factor_analyse(DlsSparseFactor *self);

/* Factors the numbers as they are. DLS_ERR_NUMERIC where the matrix is singular or not definite to
 * working precision. */
DlsStatus dls_sparse_factor_factor(DlsSparseFactor *self);

/* Factorisations so far. */
long dls_sparse_factor_count(const DlsSparseFactor *self);

/* S [count][count], the numbers of A^-1 between the unknowns that come last, in the order in which
 * they were given. With L22 their block of L, S = (L22 L22^T)^-1, for what comes before them is
 * eliminated in it: no solve with the whole of L. */
DlsStatus dls_sparse_factor_last_inverse(DlsSparseFactor *self, double *S);

/* x = A^-1 b for `columns` right-hand sides, [columns][n]; no overlap. Nothing is allocated from
 * the second call of so many columns on. */
DlsStatus dls_sparse_factor_solve(DlsSparseFactor *self, int columns, const double *b, double *x);

#endif
