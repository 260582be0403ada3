/* The global form of a problem for FCLIB files, where the operator keeps its bodies:
 *   M v = H r̂ + f,   û = H^T v + w,   f = 0,   w = q̂
 * so that v is the change of velocity that the contacts give, and H^T M^-1 H = Ŵ. A compliance C_e
 * > 0 of a component is a body of its own, of mass 1 / C_e, on which that component alone
 * stands. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "problem/fclib/fclib_impl.h"
#include "problem/operator/sparse.h"

void dls_fclib_bodies_clear(DlsFclibBodies *bodies) {
  dls_sparse_clear(&bodies->M);
  dls_sparse_clear(&bodies->H);
  *bodies = (DlsFclibBodies){0};
}

static double compliance(const DlsProblem *problem, int e) {
  const int block = dls_problem_block(problem);
  return dls_problem_relation(problem, e / block)->C[e % block];
}

/* Room for `more` rows or entries. */
static DlsStatus grow(DlsSparse *A, int rows, int entries) {
  int *start = realloc(A->start, ((size_t)rows + 1) * sizeof *start);
  if (start) A->start = start;
  int *column = realloc(A->column, ((size_t)entries + 1) * sizeof *column);
  if (column) A->column = column;
  double *value = realloc(A->value, ((size_t)entries + 1) * sizeof *value);
  if (value) A->value = value;
  DLS_CHECK(start && column && value, DLS_ERR_MEMORY, "no memory for %d entries of M and H",
            entries);
  return DLS_OK;
}

static DlsStatus add_compliances(const DlsProblem *problem, int count, DlsFclibBodies *b) {
  const int rows = b->H.rows, n = b->n, M_entries = b->M.start[n], H_entries = b->H.start[rows];
  DLS_TRY(grow(&b->M, n + count, M_entries + count));
  DLS_TRY(grow(&b->H, rows, H_entries + count));
  int left = count; /* from the last row up, so that each is moved once */
  for (int e = rows - 1; e >= 0 && left > 0; e--) {
    const int first = b->H.start[e], size = b->H.start[e + 1] - first;
    const bool soft = compliance(problem, e) > 0;
    const int to = first + left - soft;
    b->H.start[e + 1] += left;
    memmove(b->H.column + to, b->H.column + first, (size_t)size * sizeof *b->H.column);
    memmove(b->H.value + to, b->H.value + first, (size_t)size * sizeof *b->H.value);
    if (!soft) continue;
    left--;
    b->H.column[to + size] = n + left;
    b->H.value[to + size] = 1;
    b->M.column[M_entries + left] = n + left;
    b->M.value[M_entries + left] = 1 / compliance(problem, e);
  }
  for (int k = 0; k < count; k++) b->M.start[n + k + 1] = M_entries + k + 1;
  b->n = b->M.rows = b->M.columns = b->H.columns = n + count;
  return DLS_OK;
}

DlsStatus dls_fclib_bodies_create(const DlsProblem *problem, DlsFclibBodies *out) {
  const int rows = dls_problem_contacts(problem) * dls_problem_block(problem);
  const DlsOperator *W = dls_problem_operator(problem);
  *out = (DlsFclibBodies){0};
  if (!dls_operator_has_bodies(W) || dls_operator_freedom(W) == 0) return DLS_OK;
  int soft = 0;
  for (int e = 0; e < rows; e++) {
    const double C = compliance(problem, e);
    if (C > 0 && !isfinite(1 / C)) return DLS_OK; /* no mass is so large */
    soft += C > 0;
  }
  DlsSparse M;
  DLS_TRY(dls_operator_bodies(W, &M, &out->H));
  DlsStatus status = dls_sparse_transpose(&M, &out->M); /* by columns */
  out->n = M.rows;
  dls_sparse_clear(&M);
  if (status == DLS_OK && soft) status = add_compliances(problem, soft, out);
  if (status != DLS_OK) dls_fclib_bodies_clear(out);
  return status;
}

/* v = M^-1 H r̂. */
DlsStatus dls_fclib_bodies_velocity(const DlsProblem *problem, const double *r_hat, double *v) {
  const int rows = dls_problem_contacts(problem) * dls_problem_block(problem);
  const DlsOperator *W = dls_problem_operator(problem);
  int n = dls_operator_freedom(W);
  DLS_TRY(dls_operator_velocity(W, r_hat, v));
  for (int e = 0; e < rows; e++)
    if (compliance(problem, e) > 0) v[n++] = compliance(problem, e) * r_hat[e];
  return DLS_OK;
}
