#include "problem/sparse_factor.h"

#include "base/ledger.h"
#include "base/memory.h"

#include <float.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>
#include <umfpack.h>

/* LAPACK: A^-1 of A = L L^T from L in the lower triangle by columns, of which the lower triangle is
 * filled. */
extern void dpotri_(const char *which, const int *n, double *a, const int *columns, int *info);

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
  int lasts, *last;         /* symmetric: the unknowns that are ordered last */
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
  free(s->last);
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

DlsStatus dls_sparse_factor_last(DlsSparseFactor *s, int count, const int *unknown) {
  DLS_CHECK(s->kind.symmetric && !s->L && !s->last, DLS_ERR_ARGUMENT,
            "an order of unknowns is told once, of a symmetric matrix before its analysis");
  DLS_NEW(s->last, count);
  dls_memory_copy(s->last, unknown, (size_t)count, sizeof *unknown);
  s->lasts = count;
  return DLS_OK;
}

/* CHOLMOD's own ordering with the last unknowns moved behind all others. No second ordering by the
 * tree of the factors, which would mix them again. */
static DlsStatus analyse_last(DlsSparseFactor *s, cholmod_sparse *A) {
  cholmod_common *c = &s->common;
  int *order, n = 0;
  bool *is_last;
  cholmod_factor *L = cholmod_analyze(A, c);
  order = dls_memory_array((size_t)s->n, sizeof *order);
  is_last = dls_memory_array((size_t)s->n, sizeof *is_last);
  if (L && order && is_last) {
    for (int k = 0; k < s->lasts; k++) is_last[s->last[k]] = true;
    for (int late = 0; late < 2; late++)
      for (int k = 0; k < s->n; k++)
        if (is_last[((int *)L->Perm)[k]] == (late == 1)) order[n++] = ((int *)L->Perm)[k];
    const int methods = c->nmethods, ordering = c->method[0].ordering, postorder = c->postorder;
    c->nmethods = 1, c->method[0].ordering = CHOLMOD_GIVEN, c->postorder = 0;
    s->L = cholmod_analyze_p(A, order, NULL, 0, c);
    c->nmethods = methods, c->method[0].ordering = ordering, c->postorder = postorder;
  }
  cholmod_free_factor(&L, c);
  free(order);
  free(is_last);
  return DLS_OK;
}

static DlsStatus analyse(DlsSparseFactor *s) {
  if (s->kind.symmetric) {
    cholmod_sparse A = matrix_of(s);
    if (!s->L && s->lasts > 0) DLS_TRY(analyse_last(s, &A));
    if (!s->L && s->lasts == 0) s->L = cholmod_analyze(&A, &s->common);
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
  /* Of rows that depend on each other round-off may leave a pivot; rows are scaled before. */
  const bool singular = code == UMFPACK_WARNING_singular_matrix ||
                        (code == UMFPACK_OK && !(info[UMFPACK_RCOND] > DBL_EPSILON));
  DLS_CHECK(!singular && code != UMFPACK_ERROR_different_pattern, DLS_ERR_NUMERIC,
            "a matrix of %d rows is singular to working precision", s->n);
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

/* L22, lower triangle by columns, [lasts][lasts]: of a supernode the columns from `first` on, and
 * of these the rows from the diagonal on. A supernode may begin before `first`. */
static void copy_last(const cholmod_factor *L, int first, int lasts, double *out) {
  const int *super = L->super, *row_start = L->pi, *number_start = L->px, *row = L->s;
  const double *x = L->x;
  for (size_t k = 0; k < L->nsuper; k++) {
    const int rows = row_start[k + 1] - row_start[k];
    for (int j = super[k] < first ? first : super[k]; j < super[k + 1]; j++) {
      const int within = j - super[k]; /* the diagonal's row among those of the supernode */
      const double *column = x + number_start[k] + (size_t)within * (size_t)rows;
      for (int i = within; i < rows; i++)
        out[(size_t)(j - first) * (size_t)lasts + (size_t)(row[row_start[k] + i] - first)] =
            column[i];
    }
  }
}

/* From the places in the ordering to those that were given, both triangles. */
static DlsStatus give_back(const DlsSparseFactor *s, const double *A, double *S) {
  const size_t lasts = (size_t)s->lasts;
  int *place;
  DLS_NEW(place, s->n);
  for (int k = 0; k < s->n; k++) place[((const int *)s->L->Perm)[k]] = k - (s->n - s->lasts);
  for (size_t i = 0; i < lasts; i++)
    for (size_t j = 0; j < lasts; j++) {
      const size_t a = (size_t)place[s->last[i]], b = (size_t)place[s->last[j]];
      S[i * lasts + j] = a < b ? A[a * lasts + b] : A[b * lasts + a];
    }
  free(place);
  return DLS_OK;
}

DlsStatus dls_sparse_factor_last_inverse(DlsSparseFactor *s, double *S) {
  const size_t lasts = (size_t)s->lasts;
  double *A;
  int info = 0;
  DLS_CHECK(s->lasts > 0 && s->L && s->L->is_super && s->L->xtype == CHOLMOD_REAL, DLS_ERR_ARGUMENT,
            "a factor whose last unknowns were not told has no block of them");
  DLS_NEW(A, lasts * lasts);
  copy_last(s->L, s->n - s->lasts, s->lasts, A);
  dpotri_("L", &s->lasts, A, &s->lasts, &info);
  dls_ledger.flops += (long)(lasts * lasts * lasts) * 2 / 3;
  DlsStatus status = DLS_OK;
  if (info != 0)
    status = dls_fail(DLS_ERR_NUMERIC, "the last %d unknowns of a matrix of %d rows are singular",
                      s->lasts, s->n);
  if (status == DLS_OK) status = give_back(s, A, S);
  free(A);
  return status;
}
