/* The coupled form: H and a sparse M. An application is u = H (M^-1 (H^T r)); blocks of W come from
 * panels of right-hand sides, the columns of H^T. */
#include "problem/operator/coupled.h"

#include "base/memory.h"
#include "problem/operator/mass.h"
#include "problem/operator/sparse.h"

#include <delassus/relation.h>

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { PANEL = 30 }; /* right-hand sides at once: a multiple of every block */

typedef struct {
  DlsOperator base;
  DlsSparse H;
  DlsMass *mass; /* with its scratch: the operator is not reentrant */
} Coupled;

/* b += r_k times row k of H. */
static void scatter(const DlsSparse *H, int row, double r, double *b) {
  for (int k = H->start[row]; k < H->start[row + 1]; k++) b[H->column[k]] += r * H->value[k];
}

static void apply(const DlsOperator *base, const double *r, double *u) {
  const Coupled *W = (const Coupled *)base;
  double *b = dls_mass_right(W->mass);
  memset(b, 0, (size_t)base->freedom * sizeof *b);
  for (int row = 0; row < W->H.rows; row++) scatter(&W->H, row, r[row], b);
  dls_sparse_multiply(&W->H, dls_mass_solve(W->mass, 1), u);
}

static DlsStatus solve_mass(const DlsOperator *base, const double *b, double *x) {
  const Coupled *W = (const Coupled *)base;
  const size_t n = (size_t)base->freedom;
  memcpy(dls_mass_right(W->mass), b, n * sizeof *b);
  memcpy(x, dls_mass_solve(W->mass, 1), n * sizeof *x);
  for (size_t k = 0; k < n; k++)
    DLS_CHECK(isfinite(x[k]), DLS_ERR_NUMERIC,
              "the mass matrix is singular to working precision: velocity %zu is not finite", k);
  return DLS_OK;
}

/* X = M^-1 H^T for the contacts [first, end), n x (contacts block). */
static const double *solve_panel(const Coupled *W, int first, int end) {
  const int block = W->base.block, columns = (end - first) * block;
  const size_t n = (size_t)W->base.freedom;
  double *B = dls_mass_right(W->mass);
  memset(B, 0, n * (size_t)columns * sizeof *B);
  for (int c = 0; c < columns; c++) scatter(&W->H, first * block + c, 1.0, B + (size_t)c * n);
  return dls_mass_solve(W->mass, columns);
}

/* Block (i, j) = H_i X_j, row-major; X_j are `block` columns. Tells whether it is not zero. */
static bool multiply_block(const Coupled *W, int i, const double *X, double *out) {
  const int block = W->base.block;
  const size_t n = (size_t)W->base.freedom;
  bool found = false;
  for (int c = 0; c < block; c++) {
    const int row = i * block + c;
    for (int d = 0; d < block; d++) {
      double sum = 0;
      for (int k = W->H.start[row]; k < W->H.start[row + 1]; k++)
        sum += W->H.value[k] * X[(size_t)d * n + (size_t)W->H.column[k]];
      out[c * block + d] = sum;
      found = found || sum != 0;
    }
  }
  return found;
}

static int panel_end(const Coupled *W, int first) {
  const int end = first + PANEL / W->base.block;
  return end < W->base.contacts ? end : W->base.contacts;
}

static void diagonal(const DlsOperator *base, double *D) {
  const Coupled *W = (const Coupled *)base;
  const size_t block = (size_t)base->block, n = (size_t)base->freedom;
  for (int first = 0, end; first < base->contacts; first = end) {
    end = panel_end(W, first);
    const double *X = solve_panel(W, first, end);
    for (int i = first; i < end; i++)
      multiply_block(W, i, X + (size_t)(i - first) * block * n, D + (size_t)i * block * block);
  }
}

/* Blocks in the order they are found: by panels, then rows, then columns of the panel. */
typedef struct {
  int count, room;
  int *row, *column;
  double *value;
} Blocks;

static void blocks_clear(Blocks *a) {
  free(a->row);
  free(a->column);
  free(a->value);
}

static DlsStatus grow(Blocks *a, size_t size) {
  if (a->count < a->room) return DLS_OK;
  DLS_CHECK(a->room < INT_MAX / 2, DLS_ERR_MEMORY, "the assembled operator has too many blocks");
  const int room = a->room ? 2 * a->room : 64;
  int *row = realloc(a->row, (size_t)room * sizeof *row);
  if (row) a->row = row;
  int *column = realloc(a->column, (size_t)room * sizeof *column);
  if (column) a->column = column;
  double *value = realloc(a->value, (size_t)room * size * sizeof *value);
  if (value) a->value = value;
  DLS_CHECK(row && column && value, DLS_ERR_MEMORY, "no memory to assemble %d blocks", room);
  a->room = room;
  return DLS_OK;
}

static DlsStatus find_blocks(const Coupled *W, Blocks *a) {
  const int block = W->base.block, contacts = W->base.contacts;
  const size_t size = (size_t)(block * block), n = (size_t)W->base.freedom;
  for (int first = 0, end; first < contacts; first = end) {
    end = panel_end(W, first);
    const double *X = solve_panel(W, first, end);
    for (int i = 0; i < contacts; i++)
      for (int j = first; j < end; j++) {
        DLS_TRY(grow(a, size));
        const double *Xj = X + (size_t)(j - first) * (size_t)block * n;
        if (!multiply_block(W, i, Xj, a->value + (size_t)a->count * size) && i != j) continue;
        a->row[a->count] = i;
        a->column[a->count++] = j;
      }
  }
  return DLS_OK;
}

/* Sorts the blocks by rows; columns of a row were found ascending, and stay so. */
static DlsStatus to_rows(const Coupled *W, const Blocks *a, DlsOperator **out) {
  const int contacts = W->base.contacts;
  const size_t size = (size_t)(W->base.block * W->base.block);
  int *start = dls_memory_array((size_t)contacts + 2, sizeof *start);
  int *column = dls_memory_array((size_t)a->count, sizeof *column);
  double *value = dls_memory_array((size_t)a->count * size, sizeof *value);
  DlsStatus status;
  if (start && column && value) {
    for (int k = 0; k < a->count; k++) start[a->row[k] + 2]++;
    for (int i = 0; i < contacts; i++) start[i + 2] += start[i + 1];
    /* start[i + 1] walks through row i and ends at its end */
    for (int k = 0; k < a->count; k++) {
      const int to = start[a->row[k] + 1]++;
      column[to] = a->column[k];
      memcpy(value + (size_t)to * size, a->value + (size_t)k * size, size * sizeof *value);
    }
    status = dls_operator_create_assembled(contacts, W->base.block, start, column, value, out);
  } else {
    status = dls_fail(DLS_ERR_MEMORY, "no memory to assemble %d blocks", a->count);
  }
  free(start);
  free(column);
  free(value);
  return status;
}

static DlsStatus assemble(const DlsOperator *base, DlsOperator **out) {
  const Coupled *W = (const Coupled *)base;
  Blocks blocks = {0};
  DlsStatus status = find_blocks(W, &blocks);
  if (status == DLS_OK) status = to_rows(W, &blocks, out);
  blocks_clear(&blocks);
  return status;
}

static void destroy(DlsOperator *base) {
  Coupled *W = (Coupled *)base;
  dls_sparse_clear(&W->H);
  dls_mass_destroy(&W->mass);
  free(W);
}

static const DlsOperatorForm form = {.name = "coupled",
                                     .apply = apply,
                                     .destroy = destroy,
                                     .diagonal = diagonal,
                                     .assemble = assemble,
                                     .solve_mass = solve_mass};

static DlsStatus fill(Coupled *W, const DlsSparse *M, const DlsSparse *H) {
  DLS_TRY(dls_sparse_copy(H, &W->H));
  return dls_mass_create(M, PANEL, &W->mass);
}

DlsStatus dls_operator_create_coupled(int contacts, int block, const DlsSparse *M,
                                      const DlsSparse *H, DlsOperator **out) {
  *out = NULL;
  Coupled *W;
  DLS_NEW(W, 1);
  W->base = (DlsOperator){&form, contacts, block, M->rows};
  DlsOperator *made = &W->base;
  const DlsStatus status = fill(W, M, H);
  if (status != DLS_OK) dls_operator_destroy(&made);
  *out = made;
  return status;
}
