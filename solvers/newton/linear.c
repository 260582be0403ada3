#include "solvers/newton/linear.h"

#include "base/ledger.h"
#include "base/memory.h"
#include "problem/sparse_factor.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct NewtonLinear {
  int n;
  bool dense;
  double *value;
  int *start, *column; /* sparse: scalar rows */
  int *pivot;          /* dense: row exchanged with row k in step k */
  DlsSparseFactor *factor;
};

void newton_linear_destroy(NewtonLinear **linear) {
  NewtonLinear *s = *linear;
  if (!s) return;
  dls_sparse_factor_destroy(&s->factor);
  free(s->value);
  free(s->start);
  free(s->column);
  free(s->pivot);
  free(s);
  *linear = NULL;
}

/* Rows of scalars from rows of blocks. */
static DlsStatus write_pattern(NewtonLinear *s, const DlsBlockRows *rows) {
  const int block = rows->block;
  const size_t entries = (size_t)rows->start[rows->contacts] * (size_t)block * (size_t)block;
  DLS_CHECK(entries < 2147483647, DLS_ERR_SOLVER,
            "an island of %d contacts has %zu entries, too many for a direct solve: use momentum",
            rows->contacts, entries);
  DLS_NEW(s->start, s->n + 1);
  DLS_NEW(s->column, entries);
  DLS_NEW(s->value, entries);
  int next = 0;
  for (int i = 0; i < rows->contacts; i++)
    for (int a = 0; a < block; a++) {
      for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
        for (int b = 0; b < block; b++) s->column[next++] = rows->column[k] * block + b;
      s->start[i * block + a + 1] = next;
    }
  return DLS_OK;
}

/* Without refinement of solves: who solves here measures what is left of the equations anyway. */
static DlsStatus analyse(NewtonLinear *s) {
  const DlsSparseFactorKind kind = {.by_rows = true, .by_pattern = true, .plain = true};
  DLS_TRY(dls_sparse_factor_create(s->n, &kind, &s->factor));
  dls_sparse_factor_lend(s->factor, s->start, s->column, s->value);
  return dls_sparse_factor_analyse(s->factor);
}

static DlsStatus prepare(NewtonLinear *s, const DlsBlockRows *rows) {
  if (!s->dense) {
    DLS_TRY(write_pattern(s, rows));
    return analyse(s);
  }
  DLS_NEW(s->value, (size_t)s->n * (size_t)s->n);
  DLS_NEW(s->pivot, s->n);
  return DLS_OK;
}

DlsStatus newton_linear_create(const DlsBlockRows *rows, bool dense, NewtonLinear **out) {
  NewtonLinear *s;
  *out = NULL;
  DLS_NEW(s, 1);
  s->n = rows->contacts * rows->block;
  s->dense = dense;
  const DlsStatus status = prepare(s, rows);
  if (status == DLS_OK)
    *out = s;
  else
    newton_linear_destroy(&s);
  return status;
}

double *newton_linear_values(NewtonLinear *s) { return s->value; }

static void exchange(size_t n, double *A, size_t i, size_t j) {
  for (size_t c = 0; c < n && i != j; c++) {
    const double t = A[c * n + i];
    A[c * n + i] = A[c * n + j];
    A[c * n + j] = t;
  }
}

static bool factor_dense(NewtonLinear *s) {
  const size_t n = (size_t)s->n;
  dls_ledger.flops += 2L * s->n * s->n * s->n / 3;
  double *A = s->value;
  for (size_t k = 0; k < n; k++) {
    size_t p = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(A[k * n + i]) > fabs(A[k * n + p])) p = i;
    s->pivot[k] = (int)p;
    exchange(n, A, k, p);
    double *restrict column = A + k * n;
    if (!(fabs(column[k]) > 0) || !isfinite(column[k])) return false;
    for (size_t i = k + 1; i < n; i++) column[i] /= column[k];
    for (size_t j = k + 1; j < n; j++) {
      double *restrict other = A + j * n;
      const double factor = other[k];
      if (factor == 0) continue;
      for (size_t i = k + 1; i < n; i++) other[i] -= factor * column[i];
    }
  }
  return true;
}

static void solve_dense(const NewtonLinear *s, const double *b, double *x) {
  const size_t n = (size_t)s->n;
  const double *A = s->value;
  memcpy(x, b, n * sizeof *x);
  dls_ledger.flops += 2L * s->n * s->n;
  for (size_t k = 0; k < n; k++) {
    const size_t p = (size_t)s->pivot[k];
    const double t = x[k];
    x[k] = x[p];
    x[p] = t;
  }
  for (size_t k = 0; k < n; k++)
    for (size_t i = k + 1; i < n; i++) x[i] -= A[k * n + i] * x[k];
  for (size_t k = n; k-- > 0;) {
    x[k] /= A[k * n + k];
    for (size_t i = 0; i < k; i++) x[i] -= A[k * n + i] * x[k];
  }
}

bool newton_linear_factor(NewtonLinear *s) {
  return s->dense ? factor_dense(s) : dls_sparse_factor_factor(s->factor) == DLS_OK;
}

void newton_linear_solve(NewtonLinear *s, const double *b, double *x) {
  if (s->dense)
    solve_dense(s, b, x);
  else
    (void)dls_sparse_factor_solve(s->factor, 1, b, x); /* only a symmetric one can fail */
}
