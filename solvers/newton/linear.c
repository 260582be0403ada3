#include "solvers/newton/linear.h"

#include <umfpack.h>

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct NewtonLinear {
  int n;
  bool dense;
  double *value;
  int *start, *column; /* sparse: scalar rows */
  int *pivot;          /* dense: row exchanged with row k in step k */
  int *integers;       /* UMFPACK's scratch for a solve, [n] */
  double *reals;       /* [5 n] */
  void *symbolic, *numeric;
  double control[UMFPACK_CONTROL];
};

void newton_linear_destroy(NewtonLinear **linear) {
  NewtonLinear *s = *linear;
  if (!s) return;
  umfpack_di_free_numeric(&s->numeric);
  umfpack_di_free_symbolic(&s->symbolic);
  free(s->value);
  free(s->start);
  free(s->column);
  free(s->pivot);
  free(s->integers);
  free(s->reals);
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
  DLS_NEW(s->integers, s->n);
  DLS_NEW(s->reals, 5 * (size_t)s->n);
  int next = 0;
  for (int i = 0; i < rows->contacts; i++)
    for (int a = 0; a < block; a++) {
      for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
        for (int b = 0; b < block; b++) s->column[next++] = rows->column[k] * block + b;
      s->start[i * block + a + 1] = next;
    }
  return DLS_OK;
}

/* Rows are given to UMFPACK as columns: it factors the transpose, and solves with A^T of that. Without its
 * refinement, which costs two more solves: who solves here measures what is left of the equations anyway. */
static DlsStatus analyse(NewtonLinear *s) {
  umfpack_di_defaults(s->control);
  s->control[UMFPACK_IRSTEP] = 0;
  const int code =
      umfpack_di_symbolic(s->n, s->n, s->start, s->column, NULL, &s->symbolic, s->control, NULL);
  DLS_CHECK(code == UMFPACK_OK, DLS_ERR_SOLVER,
            "UMFPACK cannot analyse a matrix of %d rows (code %d)", s->n, code);
  return DLS_OK;
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
  if (s->dense) return factor_dense(s);
  umfpack_di_free_numeric(&s->numeric);
  return umfpack_di_numeric(s->start, s->column, s->value, s->symbolic, &s->numeric, s->control,
                            NULL) == UMFPACK_OK;
}

void newton_linear_solve(NewtonLinear *s, const double *b, double *x) {
  if (s->dense)
    solve_dense(s, b, x);
  else
    umfpack_di_wsolve(UMFPACK_At, s->start, s->column, s->value, x, b, s->numeric, s->control, NULL,
                      s->integers, s->reals);
}
