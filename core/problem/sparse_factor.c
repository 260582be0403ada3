#include "problem/sparse_factor.h"

#include "base/ledger.h"
#include "base/memory.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>
#include <umfpack.h>

struct DlsSparseFactor {
  int n;
  DlsSparseFactorKind kind;
  long count;
  long solve_flops; /* of one solve: two for each entry of the factors */
  bool started;
  cholmod_common common;
  /* the matrix: lent, or made of the entries */
  const int *start, *index;
  const double *value;
  cholmod_triplet *entries;
  cholmod_sparse *made;
  cholmod_factor *L;        /* symmetric */
  cholmod_dense *X, *Y, *E; /* solution and workspace, made by the first solve */
  void *symbolic, *numeric; /* unsymmetric */
  double control[UMFPACK_CONTROL];
  int *integers; /* UMFPACK's scratch for a solve, [n] */
  double *reals; /* [5 n] */
};

void dls_sparse_factor_destroy(DlsSparseFactor **factor) {
  DlsSparseFactor *s = *factor;
  if (!s) return;
  if (s->started) {
    cholmod_free_triplet(&s->entries, &s->common);
    cholmod_free_sparse(&s->made, &s->common);
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
  *factor = NULL;
}

static DlsStatus prepare(DlsSparseFactor *s) {
  cholmod_start(&s->common);
  s->started = true;
  s->common.print = 0;
  if (s->kind.supernodal) s->common.supernodal = CHOLMOD_SUPERNODAL;
  if (s->kind.symmetric) return DLS_OK;
  umfpack_di_defaults(s->control);
  if (s->kind.plain) s->control[UMFPACK_IRSTEP] = 0;
  DLS_NEW(s->integers, s->n);
  DLS_NEW(s->reals, 5 * (size_t)s->n);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_create(int n, const DlsSparseFactorKind *kind, DlsSparseFactor **out) {
  *out = NULL;
  DlsSparseFactor *s;
  DLS_NEW(s, 1);
  s->n = n;
  s->kind = *kind;
  const DlsStatus status = prepare(s);
  if (status != DLS_OK) dls_sparse_factor_destroy(&s);
  *out = s;
  return status;
}

void dls_sparse_factor_lend(DlsSparseFactor *s, const int *start, const int *index,
                            const double *value) {
  s->start = start;
  s->index = index;
  s->value = value;
}

DlsStatus dls_sparse_factor_reserve(DlsSparseFactor *s, size_t most) {
  const size_t n = (size_t)s->n;
  DLS_CHECK(most < INT_MAX, DLS_ERR_SOLVER,
            "a matrix of %zu entries is too large for a direct solve; use nsgs or apgd", most);
  s->entries =
      cholmod_allocate_triplet(n, n, most, s->kind.symmetric ? 1 : 0, CHOLMOD_REAL, &s->common);
  DLS_CHECK(s->entries, DLS_ERR_MEMORY, "no memory for %zu entries of a matrix", most);
  return DLS_OK;
}

void dls_sparse_factor_clear(DlsSparseFactor *s) { s->entries->nnz = 0; }

void dls_sparse_factor_add(DlsSparseFactor *s, int row, int column, double value) {
  const size_t at = s->entries->nnz++;
  ((int *)s->entries->i)[at] = row;
  ((int *)s->entries->j)[at] = column;
  ((double *)s->entries->x)[at] = value;
}

/* Entries become columns. */
static DlsStatus collect(DlsSparseFactor *s) {
  if (!s->entries) return DLS_OK;
  cholmod_free_sparse(&s->made, &s->common);
  s->made = cholmod_triplet_to_sparse(s->entries, s->entries->nnz, &s->common);
  DLS_CHECK(s->made, DLS_ERR_MEMORY, "no memory for a matrix of %d rows", s->n);
  dls_sparse_factor_lend(s, s->made->p, s->made->i, s->made->x);
  return DLS_OK;
}

/* As CHOLMOD wants it; it only reads. */
static cholmod_sparse matrix_of(const DlsSparseFactor *s) {
  cholmod_sparse A = {.nrow = (size_t)s->n,
                      .ncol = (size_t)s->n,
                      .nzmax = (size_t)s->start[s->n],
                      .stype = 1,
                      .itype = CHOLMOD_INT,
                      .xtype = CHOLMOD_REAL,
                      .dtype = CHOLMOD_DOUBLE,
                      .sorted = 1,
                      .packed = 1};
  memcpy(&A.p, &s->start, sizeof s->start);
  memcpy(&A.i, &s->index, sizeof s->index);
  memcpy(&A.x, &s->value, sizeof s->value);
  return A;
}

static DlsStatus analyse(DlsSparseFactor *s) {
  if (s->kind.symmetric) {
    cholmod_sparse A = matrix_of(s);
    if (!s->L) s->L = cholmod_analyze(&A, &s->common);
    DLS_CHECK(s->L, DLS_ERR_MEMORY, "a matrix of %d rows cannot be analysed: CHOLMOD gives %d",
              s->n, s->common.status);
    return DLS_OK;
  }
  if (s->symbolic) return DLS_OK;
  const int code =
      umfpack_di_symbolic(s->n, s->n, s->start, s->index, s->kind.by_pattern ? NULL : s->value,
                          &s->symbolic, s->control, NULL);
  DLS_CHECK(code == UMFPACK_OK,
            code == UMFPACK_ERROR_out_of_memory ? DLS_ERR_MEMORY : DLS_ERR_NUMERIC,
            "a matrix of %d rows cannot be analysed: UMFPACK gives %d", s->n, code);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_analyse(DlsSparseFactor *s) {
  DLS_TRY(collect(s));
  return analyse(s);
}

static DlsStatus factor_symmetric(DlsSparseFactor *s) {
  cholmod_sparse A = matrix_of(s);
  cholmod_factorize(&A, s->L, &s->common);
  dls_ledger.flops += (long)s->common.fl;
  s->solve_flops = 4 * (long)s->common.lnz;
  DLS_CHECK(s->common.status != CHOLMOD_NOT_POSDEF, DLS_ERR_NUMERIC,
            "a matrix of %d rows is not positive definite to working precision (pivot %d)", s->n,
            (int)s->L->minor);
  DLS_CHECK(s->common.status == CHOLMOD_OK, DLS_ERR_MEMORY,
            "a matrix of %d rows cannot be factored: CHOLMOD gives %d", s->n, s->common.status);
  return DLS_OK;
}

static DlsStatus factor_unsymmetric(DlsSparseFactor *s) {
  double info[UMFPACK_INFO];
  umfpack_di_free_numeric(&s->numeric);
  const int code =
      umfpack_di_numeric(s->start, s->index, s->value, s->symbolic, &s->numeric, s->control, info);
  DLS_CHECK(code != UMFPACK_WARNING_singular_matrix && code != UMFPACK_ERROR_different_pattern,
            DLS_ERR_NUMERIC, "a matrix of %d rows is singular to working precision", s->n);
  DLS_CHECK(code == UMFPACK_OK, DLS_ERR_MEMORY,
            "a matrix of %d rows cannot be factored: UMFPACK gives %d", s->n, code);
  dls_ledger.flops += (long)info[UMFPACK_FLOPS];
  s->solve_flops = 2 * (long)(info[UMFPACK_LNZ] + info[UMFPACK_UNZ]) * (s->kind.plain ? 1 : 3);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_factor(DlsSparseFactor *s) {
  DLS_TRY(dls_sparse_factor_analyse(s));
  s->count++;
  return s->kind.symmetric ? factor_symmetric(s) : factor_unsymmetric(s);
}

long dls_sparse_factor_count(const DlsSparseFactor *s) { return s->count; }

DlsStatus dls_sparse_factor_solve(DlsSparseFactor *s, int columns, const double *b, double *x) {
  const size_t n = (size_t)s->n, width = (size_t)columns;
  dls_ledger.flops += columns * s->solve_flops;
  if (!s->kind.symmetric) {
    for (size_t c = 0; c < width; c++)
      umfpack_di_wsolve(s->kind.by_rows ? UMFPACK_At : UMFPACK_A, s->start, s->index, s->value,
                        x + c * n, b + c * n, s->numeric, s->control, NULL, s->integers, s->reals);
    return DLS_OK;
  }
  cholmod_dense B = {.nrow = n, .ncol = width, .nzmax = n * width, .d = n, .xtype = CHOLMOD_REAL};
  memcpy(&B.x, &b, sizeof b); /* CHOLMOD reads it only */
  DLS_CHECK(cholmod_solve2(CHOLMOD_A, s->L, &B, NULL, &s->X, NULL, &s->Y, &s->E, &s->common),
            DLS_ERR_MEMORY, "no memory to solve a system of %d rows", s->n);
  memcpy(x, s->X->x, n * width * sizeof *x);
  return DLS_OK;
}
