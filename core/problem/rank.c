/* Rank by Cholesky's factorisation with diagonal pivots of the symmetric part of W, one island at a
 * time. With pivots p_1 >= p_2 >= ... it stops where p_k <= n eps p_1: what is left is round-off
 * (Higham 2002, sec. 10.3). It costs n rank^2 flops, hence the cap. */
#include "problem/rank.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

enum { RANK_MAX_ROWS = 3000 };

/* The contacts of the islands, sorted by island: list[start[k]] .. list[start[k + 1] - 1]. */
typedef struct {
  int *start, *list, *place; /* place [contacts]: of a contact in its island */
} Members;

static void members_free(Members *m) {
  free(m->start);
  free(m->list);
  free(m->place);
}

static DlsStatus members_sort(int contacts, const int *island, int islands, Members *m) {
  DLS_NEW(m->start, islands + 1);
  DLS_NEW(m->list, contacts);
  DLS_NEW(m->place, contacts);
  for (int i = 0; i < contacts; i++) m->place[i] = m->start[island[i] + 1]++;
  for (int k = 0; k < islands; k++) m->start[k + 1] += m->start[k];
  for (int i = 0; i < contacts; i++) m->list[m->start[island[i]] + m->place[i]] = i;
  return DLS_OK;
}

/* A = (W + W^T) / 2 of the contacts list [count], dense row-major. */
static void gather(const DlsBlockRows *W, const int *list, int count, const int *place, double *A) {
  const int b = W->block, n = count * b;
  for (int row = 0; row < count; row++)
    for (int k = W->start[list[row]]; k < W->start[list[row] + 1]; k++) {
      const double *value = W->value + (size_t)k * (size_t)(b * b);
      const int column = place[W->column[k]];
      for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) {
          const size_t r = (size_t)(row * b + i), c = (size_t)(column * b + j);
          A[r * (size_t)n + c] += 0.5 * value[i * b + j];
          A[c * (size_t)n + r] += 0.5 * value[i * b + j];
        }
    }
}

static void swap(double *a, double *b) {
  const double t = *a;
  *a = *b;
  *b = t;
}

/* Brings row and column p to place k; only the lower triangle is read afterwards. */
static void bring(double *A, size_t n, size_t k, size_t p) {
  if (p == k) return;
  for (size_t j = 0; j < n; j++) swap(&A[k * n + j], &A[p * n + j]);
  for (size_t i = 0; i < n; i++) swap(&A[i * n + k], &A[i * n + p]);
}

/* The rank of A (n x n, destroyed), and the ratio of its first to its last pivot. Right-looking:
 * the rest of the matrix is kept up to date whole, so that the inner loop runs along a row. */
static int pivoted_cholesky(double *A, size_t n, double *ratio) {
  double first = 0, last = 0;
  size_t k = 0;
  for (; k < n; k++) {
    size_t p = k;
    for (size_t i = k + 1; i < n; i++)
      if (A[i * n + i] > A[p * n + p]) p = i;
    const double pivot = A[p * n + p];
    if (k == 0) first = pivot;
    if (!(pivot > (double)n * DBL_EPSILON * first)) break;
    last = pivot;
    bring(A, n, k, p);
    const double *row = A + k * n;
    for (size_t i = k + 1; i < n; i++) {
      const double factor = A[i * n + k] / pivot;
      if (factor == 0) continue;
      double *target = A + i * n;
      for (size_t j = k + 1; j < n; j++) target[j] -= factor * row[j];
    }
  }
  *ratio = last > 0 ? first / last : 1;
  return (int)k;
}

static DlsStatus measure_island(const DlsBlockRows *W, const int *list, int count, const int *place,
                                int bound, DlsRank *out) {
  const int rows = count * W->block;
  double *A = NULL, ratio;
  if (rows > RANK_MAX_ROWS) {
    out->rank += bound < rows ? bound : rows;
    out->is_bound = true;
    return DLS_OK;
  }
  DLS_NEW(A, (size_t)rows * (size_t)rows);
  gather(W, list, count, place, A);
  out->rank += pivoted_cholesky(A, (size_t)rows, &ratio);
  out->condition = fmax(out->condition, ratio);
  free(A);
  return DLS_OK;
}

DlsStatus dls_rank_measure(const DlsBlockRows *W, const int *island, int islands,
                           const int *freedom, DlsRank *out) {
  Members m = {0};
  *out = (DlsRank){.condition = 1};
  DlsStatus status = members_sort(W->contacts, island, islands, &m);
  for (int k = 0; k < islands && status == DLS_OK; k++)
    status = measure_island(W, m.list + m.start[k], m.start[k + 1] - m.start[k], m.place,
                            freedom ? freedom[k] : W->contacts * W->block, out);
  members_free(&m);
  return status;
}
