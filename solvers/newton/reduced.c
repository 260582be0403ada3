#include "solvers/newton/reduced.h"

#include "base/ledger.h"
#include "base/memory.h"
#include "base/small.h"
#include "problem/sparse_factor.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct NewtonReduced {
  const NewtonIsland *island; /* lent */
  size_t n;                   /* contacts block */
  double *A, *B;              /* of each contact, [block][block] */
  double *inverse, *X;        /* D^-1 and D^-1 B, likewise */
  double *y, *v;              /* [freedom] */
  double *left;               /* [2][n]: what is left of the equations, a correction */
  /* I + T^T X G by compressed rows. Rows of one part are alike: its entries stand in `width`
   * columns for each part that it meets, parts ascending. */
  int *start, *column;
  double *value;
  int *slot; /* of touches (l, r) of a contact, in the order of contacts: where the first row of the
                part of l has the first column of that of r */
  DlsSparseFactor *factor;
};

void newton_reduced_destroy(NewtonReduced **reduced) {
  NewtonReduced *s = *reduced;
  if (!s) return;
  dls_sparse_factor_destroy(&s->factor);
  free(s->A);
  free(s->y);
  free(s->left);
  free(s->start);
  free(s->column);
  free(s->value);
  free(s->slot);
  free(s);
  *reduced = NULL;
}

/* Two parts that meet in a contact, by their first velocities. */
typedef struct {
  int row, column, row_width, column_width;
  int number; /* in the order of contacts and their touches */
} Meeting;

static int by_place(const void *left, const void *right) {
  const Meeting *a = left, *b = right;
  if (a->row != b->row) return a->row < b->row ? -1 : 1;
  if (a->column != b->column) return a->column < b->column ? -1 : 1;
  return 0;
}

static int list_meetings(const DlsPartRows *parts, Meeting *out) {
  int count = 0;
  for (int i = 0; i < parts->contacts; i++)
    for (int l = parts->start[i]; l < parts->start[i + 1]; l++)
      for (int r = parts->start[i]; r < parts->start[i + 1]; r++, count++)
        out[count] = (Meeting){.row = parts->first[l],
                               .column = parts->first[r],
                               .row_width = parts->width[l],
                               .column_width = parts->width[r],
                               .number = count};
  return count;
}

static bool same_block(const Meeting *a, const Meeting *b) {
  return a->row == b->row && a->column == b->column;
}

/* The pattern, from meetings in the order of rows and columns. */
static DlsStatus write_pattern(NewtonReduced *s, const Meeting *meetings, int count) {
  const int n = s->island->parts->freedom;
  size_t entries = 0;
  for (int k = 0; k < count; k++)
    if (k == 0 || !same_block(&meetings[k], &meetings[k - 1]))
      entries += (size_t)meetings[k].row_width * (size_t)meetings[k].column_width;
  DLS_CHECK(entries < INT_MAX, DLS_ERR_SOLVER,
            "an island of %d contacts has %zu entries, too many for a direct solve: use momentum",
            s->island->contacts, entries);
  DLS_NEW(s->start, n + 1);
  DLS_NEW(s->column, entries);
  DLS_NEW(s->value, entries);
  for (int k = 0, end = 0; k < count; k = end) { /* one part: `width` rows alike */
    const int row = meetings[k].row;
    int stride = 0;
    while (end < count && meetings[end].row == row) {
      if (end == k || !same_block(&meetings[end], &meetings[end - 1]))
        stride += meetings[end].column_width;
      end++;
    }
    int begin = s->start[row], offset = 0;
    for (int a = 0; a < meetings[k].row_width; a++)
      s->start[row + a + 1] = begin + (a + 1) * stride;
    for (int m = k; m < end; m++) {
      if (m > k && !same_block(&meetings[m], &meetings[m - 1]))
        offset += meetings[m - 1].column_width;
      s->slot[meetings[m].number] = begin + offset;
      for (int a = 0; a < meetings[m].row_width; a++)
        for (int b = 0; b < meetings[m].column_width; b++)
          s->column[begin + a * stride + offset + b] = meetings[m].column + b;
    }
  }
  return DLS_OK;
}

static DlsStatus prepare_pattern(NewtonReduced *s) {
  const DlsPartRows *parts = s->island->parts;
  size_t most = 0;
  for (int i = 0; i < parts->contacts; i++) {
    const size_t touches = (size_t)(parts->start[i + 1] - parts->start[i]);
    most += touches * touches;
  }
  Meeting *meetings;
  DLS_NEW(meetings, most);
  s->slot = dls_memory_array(most, sizeof *s->slot);
  DlsStatus status = s->slot ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "no memory for %zu blocks", most);
  if (status == DLS_OK) {
    const int count = list_meetings(parts, meetings);
    qsort(meetings, (size_t)count, sizeof *meetings, by_place);
    status = write_pattern(s, meetings, count);
  }
  free(meetings);
  return status;
}

static DlsStatus prepare(NewtonReduced *s) {
  const NewtonIsland *island = s->island;
  const size_t block = (size_t)island->block, squares = s->n * block;
  const DlsSparseFactorKind kind = {.by_rows = true, .by_pattern = true, .plain = true};
  DLS_NEW(s->A, 4 * squares);
  s->B = s->A + squares;
  s->inverse = s->B + squares;
  s->X = s->inverse + squares;
  DLS_NEW(s->y, 2 * (size_t)island->parts->freedom);
  s->v = s->y + island->parts->freedom;
  DLS_NEW(s->left, 2 * s->n);
  DLS_TRY(prepare_pattern(s));
  DLS_TRY(dls_sparse_factor_create(island->parts->freedom, &kind, &s->factor));
  dls_sparse_factor_lend(s->factor, s->start, s->column, s->value);
  return dls_sparse_factor_analyse(s->factor);
}

DlsStatus newton_reduced_create(const NewtonIsland *island, NewtonReduced **out) {
  NewtonReduced *s;
  *out = NULL;
  DLS_NEW(s, 1);
  s->island = island;
  s->n = (size_t)island->contacts * (size_t)island->block;
  const DlsStatus status = prepare(s);
  if (status == DLS_OK)
    *out = s;
  else
    newton_reduced_destroy(&s);
  return status;
}

/* D^-1 and X of contact i; false where D is singular. A becomes D. */
static bool divide(NewtonReduced *s, int i, double alpha) {
  const int block = s->island->block;
  const size_t at = (size_t)i * (size_t)(block * block);
  double *A = s->A + at, *B = s->B + at, *inverse = s->inverse + at;
  const double *C = s->island->compliance;
  for (int a = 0; a < block; a++)
    for (int b = 0; b < block; b++)
      A[a * block + b] += B[a * block + b] * (alpha + (C ? C[i * block + b] : 0));
  for (int b = 0; b < block; b++) {
    double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], unit[DLS_MAX_BLOCK] = {0};
    memcpy(D, A, (size_t)(block * block) * sizeof *D);
    unit[b] = 1;
    if (!dls_small_eliminate(block, 1e-300, D, unit)) return false;
    for (int a = 0; a < block; a++) inverse[a * block + b] = unit[a];
  }
  dls_small_multiply(block, inverse, B, s->X + at);
  return true;
}

/* T_l^T X G_r of contact i into the matrix. */
static void add_pair(NewtonReduced *s, int i, int l, int r, int slot) {
  const DlsPartRows *parts = s->island->parts;
  const int block = parts->block, rows = parts->width[l], columns = parts->width[r];
  const int stride = s->start[parts->first[l] + 1] - s->start[parts->first[l]];
  const double *T = parts->T + parts->at[l], *G = parts->G + parts->at[r];
  const double *X = s->X + (size_t)i * (size_t)(block * block);
  for (int b = 0; b < columns; b++) {
    double XG[DLS_MAX_BLOCK];
    for (int k = 0; k < block; k++) {
      XG[k] = 0;
      for (int c = 0; c < block; c++) XG[k] += X[k * block + c] * G[c * columns + b];
    }
    for (int a = 0; a < rows; a++) {
      double sum = 0;
      for (int k = 0; k < block; k++) sum += T[k * rows + a] * XG[k];
      s->value[slot + a * stride + b] += sum;
    }
  }
}

static void add_identity(NewtonReduced *s) {
  const int n = s->island->parts->freedom;
  for (int row = 0; row < n; row++)
    for (int k = s->start[row]; k < s->start[row + 1]; k++)
      if (s->column[k] == row) s->value[k] += 1;
}

/* Factors what A and B of the contacts make. */
static bool factor(NewtonReduced *s, double alpha) {
  const DlsPartRows *parts = s->island->parts;
  memset(s->value, 0, (size_t)s->start[parts->freedom] * sizeof *s->value);
  add_identity(s);
  for (int i = 0, slot = 0; i < parts->contacts; i++) {
    if (!divide(s, i, alpha)) return false;
    for (int l = parts->start[i]; l < parts->start[i + 1]; l++)
      for (int r = parts->start[i]; r < parts->start[i + 1]; r++)
        add_pair(s, i, l, r, s->slot[slot++]);
  }
  dls_ledger.rows += parts->contacts;
  return dls_sparse_factor_factor(s->factor) == DLS_OK;
}

DlsStatus newton_reduced_factor(NewtonReduced *s, const NewtonStep *step, const double *r,
                                double *u, bool *regular) {
  const NewtonIsland *island = s->island;
  const size_t block = (size_t)island->block;
  newton_step_velocity(step, r, u);
  for (size_t i = 0; i < (size_t)island->contacts; i++) {
    double F[DLS_MAX_BLOCK];
    DLS_TRY(newton_residual(step->residual, &island->contact[i], island->dim, island->block,
                            u + i * block, r + i * block, F, s->A + i * block * block,
                            s->B + i * block * block));
  }
  *regular = factor(s, step->alpha);
  return DLS_OK;
}

DlsStatus newton_reduced_factor_shifted(NewtonReduced *s, double rho, bool *regular) {
  const size_t block = (size_t)s->island->block;
  memset(s->A, 0, s->n * block * sizeof *s->A);
  memset(s->B, 0, s->n * block * sizeof *s->B);
  for (size_t e = 0; e < s->n; e++) s->B[e * block + e % block] = 1;
  *regular = factor(s, rho);
  return DLS_OK;
}

/* y = M b of each contact, M one of A, B, X, D^-1. */
static void multiply(const NewtonReduced *s, const double *M, const double *b, double *y) {
  const int block = s->island->block;
  for (int i = 0; i < s->island->contacts; i++)
    for (int a = 0; a < block; a++)
      y[i * block + a] = dls_small_dot(block, M + (i * block + a) * block, b + i * block);
}

/* x = D^-1 b - X G y; b is spoiled. */
static void solve_once(NewtonReduced *s, double *b, double *x) {
  const DlsPartRows *parts = s->island->parts;
  multiply(s, s->inverse, b, x);
  dls_part_rows_scatter(parts, x, s->y);
  (void)dls_sparse_factor_solve(s->factor, 1, s->y, s->v); /* only a symmetric one can fail */
  dls_part_rows_gather(parts, s->v, b);
  const int block = s->island->block;
  for (int i = 0; i < s->island->contacts; i++)
    for (int a = 0; a < block; a++)
      x[i * block + a] -= dls_small_dot(block, s->X + (i * block + a) * block, b + i * block);
}

void newton_reduced_solve(NewtonReduced *s, const double *b, double *x) {
  const DlsPartRows *parts = s->island->parts;
  const int block = s->island->block;
  double *left = s->left;
  memcpy(left, b, s->n * sizeof *b);
  solve_once(s, left, x);
  /* b - D x - B G T^T x */
  dls_part_rows_scatter(parts, x, s->y);
  dls_part_rows_gather(parts, s->y, left);
  for (int i = 0; i < s->island->contacts; i++) {
    double u[DLS_MAX_BLOCK];
    memcpy(u, left + i * block, (size_t)block * sizeof *u);
    for (int a = 0; a < block; a++)
      left[i * block + a] = b[i * block + a] -
                            dls_small_dot(block, s->A + (i * block + a) * block, x + i * block) -
                            dls_small_dot(block, s->B + (i * block + a) * block, u);
  }
  double *correction = s->left + s->n;
  solve_once(s, left, correction);
  for (size_t e = 0; e < s->n; e++) x[e] += correction[e];
}
