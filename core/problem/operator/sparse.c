/* Sparse matrices by compressed rows. */
#include "problem/operator/sparse.h"

#include "base/memory.h"

#include <delassus/relation.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

DlsStatus dls_sparse_allocate(int rows, int columns, int entries, DlsSparse *out) {
  const size_t size = entries > 0 ? (size_t)entries : 1;
  *out = (DlsSparse){.rows = rows, .columns = columns};
  out->start = calloc((size_t)rows + 1, sizeof *out->start);
  out->column = malloc(size * sizeof *out->column);
  out->value = malloc(size * sizeof *out->value);
  if (out->start && out->column && out->value) return DLS_OK;
  dls_sparse_clear(out);
  return dls_fail(DLS_ERR_MEMORY, "no memory for a sparse matrix of %d entries", entries);
}

void dls_sparse_clear(DlsSparse *A) {
  free(A->start);
  free(A->column);
  free(A->value);
  *A = (DlsSparse){0};
}

DlsStatus dls_sparse_copy(const DlsSparse *A, DlsSparse *out) {
  const size_t entries = (size_t)A->start[A->rows];
  DLS_TRY(dls_sparse_allocate(A->rows, A->columns, A->start[A->rows], out));
  memcpy(out->start, A->start, ((size_t)A->rows + 1) * sizeof *A->start);
  memcpy(out->column, A->column, entries * sizeof *A->column);
  memcpy(out->value, A->value, entries * sizeof *A->value);
  return DLS_OK;
}

/* order[] becomes the stable permutation that sorts key[order_in[k]], keys in [0, keys). `start` is
 * scratch of keys + 1. */
static void sort_by(const int *key, int keys, int entries, const int *order_in, int *order,
                    int *start) {
  memset(start, 0, ((size_t)keys + 1) * sizeof *start);
  for (int k = 0; k < entries; k++) start[key[k] + 1]++;
  for (int i = 0; i < keys; i++) start[i + 1] += start[i];
  for (int k = 0; k < entries; k++) {
    const int from = order_in ? order_in[k] : k;
    order[start[key[from]]++] = from;
  }
}

/* Adds up neighbours of equal row and column. */
static void compress(int entries, const int *row, const int *column, const double *value,
                     const int *order, DlsSparse *A) {
  int last_row = -1, count = 0;
  for (int k = 0; k < entries; k++) {
    const int from = order[k];
    if (row[from] == last_row && A->column[count - 1] == column[from]) {
      A->value[count - 1] += value[from];
      continue;
    }
    A->column[count] = column[from];
    A->value[count++] = value[from];
    last_row = row[from];
    A->start[last_row + 1]++;
  }
  for (int i = 0; i < A->rows; i++) A->start[i + 1] += A->start[i];
}

DlsStatus dls_sparse_from_triplets(int rows, int columns, int entries, const int *row,
                                   const int *column, const double *value, DlsSparse *out) {
  DLS_TRY(dls_sparse_allocate(rows, columns, entries, out));
  const int keys = rows > columns ? rows : columns;
  int *by_column = malloc(((size_t)entries + 1) * sizeof *by_column);
  int *by_row = malloc(((size_t)entries + 1) * sizeof *by_row);
  int *start = malloc(((size_t)keys + 1) * sizeof *start);
  DlsStatus status = DLS_OK;
  if (by_column && by_row && start) {
    sort_by(column, columns, entries, NULL, by_column, start);
    sort_by(row, rows, entries, by_column, by_row, start);
    compress(entries, row, column, value, by_row, out);
  } else {
    dls_sparse_clear(out);
    status = dls_fail(DLS_ERR_MEMORY, "no memory to sort %d entries of a matrix", entries);
  }
  free(by_column);
  free(by_row);
  free(start);
  return status;
}

DlsStatus dls_sparse_transpose(const DlsSparse *A, DlsSparse *out) {
  const int entries = A->start[A->rows];
  DLS_TRY(dls_sparse_allocate(A->columns, A->rows, entries, out));
  for (int k = 0; k < entries; k++) out->start[A->column[k] + 1]++;
  for (int i = 0; i < out->rows; i++) out->start[i + 1] += out->start[i];
  /* start[j] walks through row j and ends at the start of the next: shifted back below */
  for (int i = 0; i < A->rows; i++)
    for (int k = A->start[i]; k < A->start[i + 1]; k++) {
      const int to = out->start[A->column[k]]++;
      out->column[to] = i;
      out->value[to] = A->value[k];
    }
  memmove(out->start + 1, out->start, (size_t)out->rows * sizeof *out->start);
  out->start[0] = 0;
  return DLS_OK;
}

void dls_sparse_multiply(const DlsSparse *A, const double *x, double *y) {
  for (int i = 0; i < A->rows; i++) {
    double sum = 0;
    for (int k = A->start[i]; k < A->start[i + 1]; k++) sum += A->value[k] * x[A->column[k]];
    y[i] = sum;
  }
}

DlsStatus dls_sparse_asymmetry(const DlsSparse *A, double *asymmetry) {
  DlsSparse T;
  DLS_TRY(dls_sparse_transpose(A, &T));
  double difference = 0, largest = 0;
  for (int i = 0; i < A->rows; i++) {
    int k = A->start[i], l = T.start[i];
    while (k < A->start[i + 1] || l < T.start[i + 1]) {
      const int a_column = k < A->start[i + 1] ? A->column[k] : A->columns;
      const int t_column = l < T.start[i + 1] ? T.column[l] : A->columns;
      const double a = a_column <= t_column ? A->value[k++] : 0;
      const double t = t_column <= a_column ? T.value[l++] : 0;
      largest = fmax(largest, fabs(a));
      difference = fmax(difference, fabs(a - t));
    }
  }
  *asymmetry = largest > 0 ? difference / largest : 0;
  dls_sparse_clear(&T);
  return DLS_OK;
}

/* Merges the scalar rows of block row `row` into blocks, columns ascending; returns their number.
 * The arrays have room for one block per entry and the diagonal, all zero. */
static int merge_row(const DlsSparse *A, int block, int row, int *column, double *value) {
  const size_t size = (size_t)(block * block);
  int at[DLS_MAX_BLOCK], count = 0;
  for (int a = 0; a < block; a++) at[a] = A->start[row * block + a];
  for (bool diagonal_done = false;;) {
    int next = diagonal_done ? INT_MAX : row;
    for (int a = 0; a < block; a++)
      if (at[a] < A->start[row * block + a + 1] && A->column[at[a]] / block < next)
        next = A->column[at[a]] / block;
    if (next == INT_MAX) return count;
    double *B = value + (size_t)count * size;
    bool is_zero = true;
    for (int a = 0; a < block; a++)
      for (; at[a] < A->start[row * block + a + 1] && A->column[at[a]] / block == next; at[a]++) {
        B[a * block + A->column[at[a]] % block] = A->value[at[a]];
        is_zero = is_zero && A->value[at[a]] == 0;
      }
    diagonal_done = diagonal_done || next == row;
    if (is_zero && next != row) {
      memset(B, 0, size * sizeof *B); /* it may hold -0 */
      continue;
    }
    column[count++] = next;
  }
}

DlsStatus dls_sparse_to_operator(const DlsSparse *A, int block, DlsOperator **out) {
  const int contacts = A->rows / block;
  *out = NULL;
  int *start = dls_memory_array((size_t)contacts + 1, sizeof *start), *column = NULL;
  double *value = NULL;
  DlsStatus status = DLS_ERR_MEMORY;
  /* twice over the rows: first with one row's room, to count, then in place */
  for (int pass = 0; start && pass < 2; pass++) {
    size_t room = pass ? (size_t)start[contacts] + 1 : 0;
    for (int i = 0; i < contacts && !pass; i++) {
      const size_t entries = (size_t)(A->start[(i + 1) * block] - A->start[i * block]) + 1;
      room = entries > room ? entries : room;
    }
    free(column);
    free(value);
    column = dls_memory_array(room + 1, sizeof *column);
    value = dls_memory_array((room + 1) * (size_t)(block * block), sizeof *value);
    if (!column || !value) break;
    for (int i = 0; i < contacts; i++) {
      const size_t to = pass ? (size_t)start[i] : 0;
      const int count = merge_row(A, block, i, column + to, value + to * (size_t)(block * block));
      start[i + 1] = start[i] + count;
      if (!pass) memset(value, 0, (size_t)count * (size_t)(block * block) * sizeof *value);
    }
    if (pass) status = dls_operator_create_assembled(contacts, block, start, column, value, out);
  }
  if (status == DLS_ERR_MEMORY) dls_fail(status, "no memory for the blocks of a matrix");
  free(start);
  free(column);
  free(value);
  return status;
}

DlsStatus dls_sparse_check(const DlsSparse *A, const char *name) {
  DLS_CHECK(A && A->rows > 0 && A->columns > 0 && A->start && A->start[0] == 0, DLS_ERR_ARGUMENT,
            "%s: no rows, no columns, or starts that do not begin at 0", name);
  for (int i = 0; i < A->rows; i++) {
    DLS_CHECK(A->start[i + 1] >= A->start[i], DLS_ERR_ARGUMENT, "%s: row %d ends before it starts",
              name, i);
    for (int k = A->start[i]; k < A->start[i + 1]; k++) {
      DLS_CHECK(A->column[k] >= 0 && A->column[k] < A->columns, DLS_ERR_ARGUMENT,
                "%s: row %d names column %d of %d", name, i, A->column[k], A->columns);
      DLS_CHECK(k == A->start[i] || A->column[k] > A->column[k - 1], DLS_ERR_ARGUMENT,
                "%s: the columns of row %d do not ascend", name, i);
      DLS_CHECK(isfinite(A->value[k]), DLS_ERR_ARGUMENT, "%s: entry (%d, %d) is not finite", name,
                i, A->column[k]);
    }
  }
  return DLS_OK;
}
