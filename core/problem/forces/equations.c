#include "problem/forces/equations.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void dls_equations_clear(DlsEquations *equations) {
  free(equations->start);
  free(equations->row);
  free(equations->value);
  *equations = (DlsEquations){0};
}

/* Room for `entries`, and one for each component that is compliant. */
static DlsStatus make_room(const DlsProblem *problem, int rows, size_t entries, DlsEquations *e) {
  e->columns = dls_problem_contacts(problem) * dls_problem_block(problem);
  e->rows = rows;
  DLS_CHECK(entries + (size_t)e->columns < (size_t)1 << 30, DLS_ERR_UNSUPPORTED,
            "%s: %zu numbers are too many for linear programmes", dls_problem_name(problem),
            entries);
  DLS_NEW(e->start, e->columns + 1);
  DLS_NEW(e->row, entries + (size_t)e->columns);
  DLS_NEW(e->value, entries + (size_t)e->columns);
  return DLS_OK;
}

static double compliance(const DlsProblem *problem, int column) {
  const int block = dls_problem_block(problem);
  return dls_problem_relation(problem, column / block)->C[column % block];
}

static void end_column(DlsEquations *e, const DlsProblem *problem, int column, int *count) {
  if (compliance(problem, column) > 0) {
    e->row[*count] = e->rows++;
    e->value[(*count)++] = 1;
  }
  e->start[column + 1] = *count;
}

/* A row of H is a column of H^T. */
static DlsStatus take_bodies(const DlsProblem *problem, const DlsSparse *H, DlsEquations *e) {
  int count = 0;
  DLS_TRY(make_room(problem, H->columns, (size_t)H->start[H->rows], e));
  for (int c = 0; c < e->columns; c++) {
    for (int k = H->start[c]; k < H->start[c + 1]; k++) {
      e->row[count] = H->column[k];
      e->value[count++] = H->value[k];
    }
    end_column(e, problem, c, &count);
  }
  return DLS_OK;
}

/* W need not be symmetric; its pattern is. Row j of blocks tells which contacts column j
 * touches. */
static DlsStatus take_rows(const DlsProblem *problem, const DlsBlockRows *W, DlsEquations *e) {
  const int b = W->block;
  int count = 0;
  DLS_TRY(make_room(problem, W->contacts * b, (size_t)W->start[W->contacts] * (size_t)(b * b), e));
  for (int c = 0; c < e->columns; c++) {
    const int j = c / b;
    for (int k = W->start[j]; k < W->start[j + 1]; k++) {
      const int i = W->column[k];
      int back = W->start[i];
      while (back < W->start[i + 1] && W->column[back] != j) back++;
      for (int n = 0; back < W->start[i + 1] && n < b; n++) {
        e->row[count] = i * b + n;
        e->value[count++] =
            W->value[(size_t)back * (size_t)(b * b) + (size_t)n * (size_t)b + (size_t)(c % b)];
      }
    }
    end_column(e, problem, c, &count);
  }
  return DLS_OK;
}

static DlsStatus scale_rows(DlsEquations *e) {
  double *largest;
  DLS_NEW(largest, e->rows);
  for (int k = 0; k < e->start[e->columns]; k++)
    largest[e->row[k]] = fmax(largest[e->row[k]], fabs(e->value[k]));
  for (int k = 0; k < e->start[e->columns]; k++)
    if (largest[e->row[k]] > 0) e->value[k] /= largest[e->row[k]];
  free(largest);
  return DLS_OK;
}

static void clear_sparse(DlsSparse *A) {
  free(A->start);
  free(A->column);
  free(A->value);
}

DlsStatus dls_equations_make(const DlsProblem *problem, DlsEquations *out) {
  const DlsOperator *W = dls_problem_operator(problem);
  DlsOperator *own = NULL;
  DlsSparse M = {0}, H = {0};
  DlsBlockRows rows;
  DlsStatus status = DLS_OK;
  if (dls_operator_has_bodies(W)) {
    status = dls_operator_bodies(W, &M, &H);
    if (status == DLS_OK) status = take_bodies(problem, &H, out);
    clear_sparse(&M);
    clear_sparse(&H);
  } else {
    status = dls_operator_rows(W, &own, &rows);
    if (status == DLS_OK) status = take_rows(problem, &rows, out);
    dls_operator_destroy(&own);
  }
  return status == DLS_OK ? scale_rows(out) : status;
}

void dls_equations_apply(const DlsEquations *e, const double *r, double *b) {
  memset(b, 0, (size_t)e->rows * sizeof *b);
  for (int c = 0; c < e->columns; c++)
    for (int k = e->start[c]; k < e->start[c + 1]; k++) b[e->row[k]] += e->value[k] * r[c];
}

/* One new column: its entries are summed in `sum`, whose rows that are in use are listed. */
typedef struct {
  double *sum;
  int *listed; /* rows in use */
  bool *used;
  int count;
} Accumulator;

static void add(Accumulator *a, const DlsEquations *e, int column, double weight) {
  if (weight == 0) return;
  for (int k = e->start[column]; k < e->start[column + 1]; k++) {
    if (!a->used[e->row[k]]) a->listed[a->count++] = e->row[k];
    a->used[e->row[k]] = true;
    a->sum[e->row[k]] += weight * e->value[k];
  }
}

static void put(Accumulator *a, DlsEquations *out, int column, int *count) {
  for (int k = 0; k < a->count; k++) {
    const int row = a->listed[k];
    if (out->row && a->sum[row] != 0) {
      out->row[*count] = row;
      out->value[*count] = a->sum[row];
    }
    *count += a->sum[row] != 0;
    a->sum[row] = 0;
    a->used[row] = false;
  }
  a->count = 0;
  out->start[column + 1] = *count;
}

static DlsStatus combine(const DlsEquations *e, int block, const int *of, const double *weight,
                         int count, Accumulator *a, DlsEquations *out) {
  DLS_NEW(a->sum, e->rows);
  DLS_NEW(a->listed, e->rows);
  DLS_NEW(a->used, e->rows);
  DLS_NEW(out->start, count + 1);
  out->rows = e->rows, out->columns = count;
  for (int pass = 0; pass < 2; pass++) { /* counted first, then filled */
    int entries = 0;
    for (int j = 0; j < count; j++) {
      for (int k = 0; k < block; k++)
        add(a, e, of[j] * block + k, weight[(size_t)j * (size_t)block + (size_t)k]);
      put(a, out, j, &entries);
    }
    if (pass == 1) break;
    DLS_NEW(out->row, entries);
    DLS_NEW(out->value, entries);
  }
  return DLS_OK;
}

DlsStatus dls_equations_combine(const DlsEquations *equations, int block, const int *of,
                                const double *weight, int count, DlsEquations *out) {
  Accumulator a = {0};
  const DlsStatus status = combine(equations, block, of, weight, count, &a, out);
  free(a.sum);
  free(a.listed);
  free(a.used);
  return status;
}
