/* The rank of the symmetric part A of W, one island at a time.
 *
 * What is below t = 1e-11 of the largest is taken for the round-off of whoever computed W. Up to
 * RANK_MAX_ROWS rows by Cholesky's factorisation with diagonal pivots, which stops where the
 * largest pivot left is below t (Higham 2002, sec. 10.3). It costs n rank^2 flops. Above, by
 * Sylvester's law of inertia: A - t I = L D L^T has as many positive entries in D as A has
 * eigenvalues above t. No pivots are needed, since A is semi-definite and t above round-off. */
#include "problem/rank.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <cholmod.h>

#include "base/memory.h"

enum { RANK_MAX_ROWS = 2000 };
static const double threshold = 1e-11;
static const double most_flops = 5e10; /* of L D L^T; beyond, only a bound is given */

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

/* One island: the contacts list [count] of W. */
typedef struct {
  const DlsBlockRows *W;
  const int *list, *place;
  int count, bound; /* bound: the rank cannot be larger */
} Island;

/* Calls for every entry of the island's part of W, (row, column, value). */
typedef void (*Visit)(void *context, int row, int column, double value);

static void each_entry(const Island *s, Visit visit, void *context) {
  const int b = s->W->block;
  for (int row = 0; row < s->count; row++)
    for (int k = s->W->start[s->list[row]]; k < s->W->start[s->list[row] + 1]; k++) {
      const double *value = s->W->value + (size_t)k * (size_t)(b * b);
      const int column = s->place[s->W->column[k]];
      for (int i = 0; i < b; i++)
        for (int j = 0; j < b; j++) visit(context, row * b + i, column * b + j, value[i * b + j]);
    }
}

/* A dense symmetric matrix on its way: A = (W + W^T) / 2. */
typedef struct {
  double *A;
  size_t n;
} Dense;

static void add_dense(void *context, int row, int column, double value) {
  const Dense *dense = context;
  dense->A[(size_t)row * dense->n + (size_t)column] += 0.5 * value;
  dense->A[(size_t)column * dense->n + (size_t)row] += 0.5 * value;
}

/* Left-looking: column k of L is column p of A less what the columns before explain of it. L lies
 * by columns [rank][n]; `rest` is the diagonal of what is left. */
static int pivoted_cholesky(const double *A, size_t n, double *L, double *rest, double *ratio) {
  double first = 0, last = 0;
  size_t k = 0;
  for (size_t i = 0; i < n; i++) rest[i] = A[i * n + i];
  for (; k < n; k++) {
    size_t p = 0;
    for (size_t i = 1; i < n; i++)
      if (rest[i] > rest[p]) p = i;
    const double pivot = rest[p];
    if (k == 0) first = pivot;
    if (!(pivot > threshold * first)) break;
    last = pivot;
    double *column = L + k * n;
    memcpy(column, A + p * n, n * sizeof *column);
    for (size_t j = 0; j < k; j++) {
      const double *before = L + j * n, factor = before[p];
      if (factor == 0) continue;
      for (size_t i = 0; i < n; i++) column[i] -= factor * before[i];
    }
    const double scale = 1 / sqrt(pivot);
    for (size_t i = 0; i < n; i++) {
      column[i] *= scale;
      rest[i] -= column[i] * column[i];
    }
    rest[p] = 0; /* taken */
  }
  *ratio = last > 0 ? first / last : 1;
  return (int)k;
}

int dls_rank_dense(const double *A, size_t n, double *room) {
  double ratio;
  return pivoted_cholesky(A, n, room, room + n * n, &ratio);
}

static DlsStatus measure_dense(const Island *s, DlsRank *out) {
  const size_t n = (size_t)(s->count * s->W->block);
  double *work = NULL, ratio;
  DLS_NEW(work, n * (2 * n + 1));
  Dense dense = {work, n};
  each_entry(s, add_dense, &dense);
  out->rank += pivoted_cholesky(work, n, work + n * n, work + 2 * n * n, &ratio);
  out->condition = fmax(out->condition, ratio);
  out->pivoted += (int)n;
  free(work);
  return DLS_OK;
}

/* Triplets of the lower triangle of A. */
static void add_triplet(void *context, int row, int column, double value) {
  cholmod_triplet *t = context;
  if (value == 0) return;
  ((int *)t->i)[t->nnz] = row > column ? row : column;
  ((int *)t->j)[t->nnz] = row > column ? column : row;
  ((double *)t->x)[t->nnz++] = row == column ? value : 0.5 * value;
}

static cholmod_sparse *sparse_of(const Island *s, cholmod_common *common) {
  const size_t n = (size_t)(s->count * s->W->block);
  size_t entries = 0;
  for (int row = 0; row < s->count; row++)
    entries += (size_t)(s->W->start[s->list[row] + 1] - s->W->start[s->list[row]]);
  entries *= (size_t)(s->W->block * s->W->block);
  cholmod_triplet *t = cholmod_allocate_triplet(n, n, entries, -1, CHOLMOD_REAL, common);
  if (!t) return NULL;
  each_entry(s, add_triplet, t);
  cholmod_sparse *A = cholmod_triplet_to_sparse(t, 0, common);
  cholmod_free_triplet(&t, common);
  return A;
}

static double largest_diagonal(const Island *s) {
  const int b = s->W->block;
  double largest = 0;
  for (int i = 0; i < s->count; i++) {
    const double *D = s->W->value + (size_t)s->W->diagonal[s->list[i]] * (size_t)(b * b);
    for (int k = 0; k < b; k++) largest = fmax(largest, D[k * b + k]);
  }
  return largest;
}

/* The number of positive pivots of A - t I, or -1 when it costs too much or breaks down. */
static int positive_pivots(cholmod_sparse *A, double t, cholmod_common *common) {
  double shift[2] = {-t, 0};
  int positive = -1;
  cholmod_factor *F = cholmod_analyze(A, common);
  if (F && common->fl <= most_flops && cholmod_factorize_p(A, shift, NULL, 0, F, common) &&
      F->minor == F->n) {
    const int *start = F->p;
    const double *x = F->x;
    positive = 0;
    for (size_t k = 0; k < F->n; k++) positive += x[start[k]] > 0;
  }
  cholmod_free_factor(&F, common);
  return positive;
}

static void measure_sparse(const Island *s, DlsRank *out) {
  cholmod_common common;
  cholmod_start(&common);
  common.print = 0;
  common.supernodal = CHOLMOD_SIMPLICIAL;
  common.final_ll = 0;
  cholmod_sparse *A = sparse_of(s, &common);
  const int positive = A ? positive_pivots(A, threshold * largest_diagonal(s), &common) : -1;
  cholmod_free_sparse(&A, &common);
  cholmod_finish(&common);
  if (positive < 0) out->bounded += s->count * s->W->block;
  out->rank += positive < 0 || positive > s->bound ? s->bound : positive;
}

static DlsStatus measure_island(const Island *s, DlsRank *out) {
  if (s->count * s->W->block <= RANK_MAX_ROWS) return measure_dense(s, out);
  measure_sparse(s, out);
  return DLS_OK;
}

DlsStatus dls_rank_measure(const DlsBlockRows *W, const int *island, int islands,
                           const int *freedom, DlsRank *out) {
  Members m = {0};
  *out = (DlsRank){.condition = 0};
  DlsStatus status = members_sort(W->contacts, island, islands, &m);
  for (int k = 0; k < islands && status == DLS_OK; k++) {
    const int count = m.start[k + 1] - m.start[k], rows = count * W->block;
    const Island s = {W, m.list + m.start[k], m.place, count,
                      freedom && freedom[k] < rows ? freedom[k] : rows};
    status = measure_island(&s, out);
  }
  members_free(&m);
  return status;
}
