#include "solvers/kit/sparse_factor.h"

#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>
#include <umfpack.h>

struct DlsSparseFactor {
  int n;
  bool symmetric, started;
  cholmod_common common;
  cholmod_triplet *entries;
  cholmod_sparse *A;
  cholmod_factor *L;        /* symmetric */
  cholmod_dense *X, *Y, *E; /* solution and workspace, made by the first solve */
  void *symbolic, *numeric; /* unsymmetric */
  int *integers;            /* UMFPACK's scratch for a solve, [n] */
  double *reals;            /* [5 n] */
};

void dls_sparse_factor_destroy(DlsSparseFactor **direct) {
  DlsSparseFactor *s = *direct;
  if (!s) return;
  if (s->started) {
    cholmod_free_triplet(&s->entries, &s->common);
    cholmod_free_sparse(&s->A, &s->common);
    cholmod_free_factor(&s->L, &s->common);
    cholmod_free_dense(&s->X, &s->common);
    cholmod_free_dense(&s->Y, &s->common);
    cholmod_free_dense(&s->E, &s->common);
    cholmod_finish(&s->common);
  }
  umfpack_di_free_numeric(&s->numeric);
  umfpack_di_free_symbolic(&s->symbolic);
  free(s->integers);
  free(s->reals);
  free(s);
  *direct = NULL;
}

static DlsStatus prepare(DlsSparseFactor *s, size_t most) {
  const size_t n = (size_t)s->n;
  DLS_CHECK(most < INT_MAX, DLS_ERR_SOLVER,
            "a matrix of %zu entries is too large for a direct solve; use nsgs or apgd", most);
  cholmod_start(&s->common);
  s->started = true;
  s->common.print = 0;
  s->entries = cholmod_allocate_triplet(n, n, most, s->symmetric ? 1 : 0, CHOLMOD_REAL, &s->common);
  DLS_CHECK(s->entries, DLS_ERR_MEMORY, "no memory for %zu entries of a matrix", most);
  if (s->symmetric) return DLS_OK;
  DLS_NEW(s->integers, n);
  DLS_NEW(s->reals, 5 * n);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_create(int n, bool symmetric, size_t most, DlsSparseFactor **out) {
  *out = NULL;
  DlsSparseFactor *s;
  DLS_NEW(s, 1);
  s->n = n;
  s->symmetric = symmetric;
  const DlsStatus status = prepare(s, most);
  if (status != DLS_OK) dls_sparse_factor_destroy(&s);
  *out = s;
  return status;
}

void dls_sparse_factor_clear(DlsSparseFactor *s) { s->entries->nnz = 0; }

void dls_sparse_factor_add(DlsSparseFactor *s, int row, int column, double value) {
  const size_t at = s->entries->nnz++;
  ((int *)s->entries->i)[at] = row;
  ((int *)s->entries->j)[at] = column;
  ((double *)s->entries->x)[at] = value;
}

static DlsStatus factor_symmetric(DlsSparseFactor *s) {
  if (!s->L) s->L = cholmod_analyze(s->A, &s->common);
  if (s->L) cholmod_factorize(s->A, s->L, &s->common);
  DLS_CHECK(s->common.status != CHOLMOD_NOT_POSDEF, DLS_ERR_NUMERIC,
            "a matrix of %d rows is not positive definite to working precision", s->n);
  DLS_CHECK(s->L && s->common.status == CHOLMOD_OK, DLS_ERR_MEMORY,
            "a matrix of %d rows cannot be factored: CHOLMOD gives %d", s->n, s->common.status);
  return DLS_OK;
}

static DlsStatus factor_unsymmetric(DlsSparseFactor *s) {
  const int *start = s->A->p, *row = s->A->i;
  const double *value = s->A->x;
  int code = UMFPACK_OK;
  umfpack_di_free_numeric(&s->numeric);
  if (!s->symbolic)
    code = umfpack_di_symbolic(s->n, s->n, start, row, value, &s->symbolic, NULL, NULL);
  if (code == UMFPACK_OK)
    code = umfpack_di_numeric(start, row, value, s->symbolic, &s->numeric, NULL, NULL);
  DLS_CHECK(code != UMFPACK_WARNING_singular_matrix, DLS_ERR_NUMERIC,
            "a matrix of %d rows is singular to working precision", s->n);
  DLS_CHECK(code == UMFPACK_OK, DLS_ERR_MEMORY,
            "a matrix of %d rows cannot be factored: UMFPACK gives %d", s->n, code);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_factor(DlsSparseFactor *s) {
  cholmod_free_sparse(&s->A, &s->common);
  s->A = cholmod_triplet_to_sparse(s->entries, s->entries->nnz, &s->common);
  DLS_CHECK(s->A, DLS_ERR_MEMORY, "no memory for a matrix of %d rows", s->n);
  return s->symmetric ? factor_symmetric(s) : factor_unsymmetric(s);
}

DlsStatus dls_sparse_factor_solve(DlsSparseFactor *s, const double *b, double *x) {
  const size_t n = (size_t)s->n;
  if (!s->symmetric) {
    umfpack_di_wsolve(UMFPACK_A, s->A->p, s->A->i, s->A->x, x, b, s->numeric, NULL, NULL,
                      s->integers, s->reals);
    return DLS_OK;
  }
  cholmod_dense B = {.nrow = n, .ncol = 1, .nzmax = n, .d = n, .xtype = CHOLMOD_REAL};
  memcpy(&B.x, &b, sizeof b); /* CHOLMOD reads it only */
  DLS_CHECK(cholmod_solve2(CHOLMOD_A, s->L, &B, NULL, &s->X, NULL, &s->Y, &s->E, &s->common),
            DLS_ERR_MEMORY, "no memory to solve a system of %d rows", s->n);
  memcpy(x, s->X->x, n * sizeof *x);
  return DLS_OK;
}
