#include "solvers/kit/shifted_solve.h"

#include "base/memory.h"
#include "base/small.h"
#include "problem/operator/block_rows.h"
#include "problem/operator/operator_impl.h"
#include "problem/sparse_factor.h"
#include "solvers/kit/part_rows.h"

#include <stdbool.h>
#include <stdlib.h>

static const double symmetric_enough = 1e-12; /* max |W - W^T| / max |W| */

struct DlsShifted {
  const DlsScaled *scaled;
  bool velocities, symmetric;
  DlsSparseFactor *direct;
  double rho;
  /* reactions */
  DlsOperator *own; /* assembled here, when the problem's operator is not */
  DlsBlockRows rows;
  /* velocities */
  DlsPartRows parts;
  double *y, *v; /* [freedom] */
  /* blocks in the place of rho: D, and D^-1 with the compliance in it, [contacts][block][block] */
  const double *blocks; /* lent from factor to factor; NULL: rho */
  double *inverse;      /* made by the first that is asked for */
};

void dls_shifted_destroy(DlsShifted **penalty) {
  DlsShifted *s = *penalty;
  if (!s) return;
  dls_sparse_factor_destroy(&s->direct);
  dls_operator_destroy(&s->own);
  dls_part_rows_clear(&s->parts);
  free(s->y);
  free(s->v);
  free(s->inverse);
  free(s);
  *penalty = NULL;
}

const char *dls_shifted_name(const DlsShifted *s) {
  return s->velocities ? "velocities" : "reactions";
}

static bool is_symmetric(const DlsBlockRows *rows) {
  double apart, largest;
  dls_block_rows_asymmetry(rows, &apart, &largest);
  return apart <= symmetric_enough * largest;
}

static DlsStatus make_factor(DlsShifted *s, int n, size_t entries) {
  const DlsSparseFactorKind kind = {.symmetric = s->symmetric};
  DLS_TRY(dls_sparse_factor_create(n, &kind, &s->direct));
  return dls_sparse_factor_reserve(s->direct, entries);
}

static DlsStatus prepare_reactions(DlsShifted *s) {
  const DlsOperator *W = dls_problem_operator(s->scaled->problem);
  DLS_TRY(dls_operator_rows(W, &s->own, &s->rows));
  const size_t block = (size_t)s->rows.block;
  const size_t blocks = (size_t)s->rows.start[s->rows.contacts];
  const size_t entries = blocks * block * block + s->scaled->n * (1 + block); /* rho and D */
  s->symmetric = is_symmetric(&s->rows);
  return make_factor(s, (int)s->scaled->n, entries);
}

static DlsStatus prepare_velocities(DlsShifted *s) {
  const DlsPartRows *parts = &s->parts;
  DLS_TRY(
      dls_part_rows_create(dls_problem_operator(s->scaled->problem), s->scaled->scale, &s->parts));
  s->symmetric = parts->symmetric;
  size_t entries = (size_t)parts->freedom;
  for (int i = 0; i < parts->contacts; i++) {
    size_t widths = 0;
    for (int t = parts->start[i]; t < parts->start[i + 1]; t++) widths += (size_t)parts->width[t];
    entries += widths * widths;
  }
  DLS_NEW(s->y, parts->freedom);
  DLS_NEW(s->v, parts->freedom);
  return make_factor(s, parts->freedom, entries);
}

DlsStatus dls_shifted_create(const DlsScaled *scaled, DlsShiftedForm form, DlsShifted **out) {
  const bool bodies = dls_operator_has_parts(dls_problem_operator(scaled->problem));
  DlsShifted *s;
  *out = NULL;
  DLS_CHECK(form != DLS_SHIFTED_VELOCITIES || bodies, DLS_ERR_SOLVER,
            "%s: no factor in the velocities, for the operator has no bodies; use the option "
            "form=reactions",
            dls_problem_name(scaled->problem));
  DLS_NEW(s, 1);
  s->scaled = scaled;
  const bool fewer = dls_operator_freedom(dls_problem_operator(scaled->problem)) < (int)scaled->n;
  s->velocities = form == DLS_SHIFTED_VELOCITIES || (form == DLS_SHIFTED_AUTO && bodies && fewer);
  const DlsStatus status = s->velocities ? prepare_velocities(s) : prepare_reactions(s);
  if (status != DLS_OK) dls_shifted_destroy(&s);
  *out = s;
  return status;
}

/* W' + rho. */
static void add_reactions(DlsShifted *s) {
  const DlsScaled *scaled = s->scaled;
  const int block = scaled->block;
  for (int i = 0; i < scaled->contacts; i++)
    for (int k = s->rows.start[i]; k < s->rows.start[i + 1]; k++) {
      const double *W = s->rows.value + (size_t)k * (size_t)(block * block);
      for (int a = 0; a < block; a++)
        for (int b = 0; b < block; b++) {
          const int row = i * block + a, column = s->rows.column[k] * block + b;
          if (s->symmetric && row > column) continue;
          dls_sparse_factor_add(s->direct, row, column,
                                scaled->scale[row] * W[a * block + b] * scaled->scale[column]);
        }
    }
  for (size_t e = 0; e < scaled->n; e++)
    dls_sparse_factor_add(s->direct, (int)e, (int)e,
                          s->rho + (scaled->compliance ? scaled->compliance[e] : 0));
  for (size_t e = 0; e < scaled->n && s->blocks; e++)
    for (size_t k = 0, first = e - e % (size_t)block; k < (size_t)block; k++)
      if (!s->symmetric || e <= first + k)
        dls_sparse_factor_add(s->direct, (int)e, (int)(first + k),
                              s->blocks[e * (size_t)block + k]);
}

/* D of a component. */
static double weight(const DlsShifted *s, size_t e) {
  return s->rho + (s->scaled->compliance ? s->scaled->compliance[e] : 0);
}

/* D^-1 x of component e, x the block of its contact. */
static double divide(const DlsShifted *s, size_t e, const double *x) {
  const size_t block = (size_t)s->scaled->block;
  if (!s->blocks) return x[e % block] / weight(s, e);
  return dls_small_dot(s->scaled->block, s->inverse + e * block, x);
}

/* T_s^T D^-1 G_t of two touches of contact i. */
static void add_pair(DlsShifted *s, int i, int left, int right) {
  const DlsPartRows *parts = &s->parts;
  const int block = s->scaled->block, rows = parts->width[left], columns = parts->width[right];
  const double *T = parts->T + parts->at[left], *G = parts->G + parts->at[right];
  for (int b = 0; b < columns; b++) {
    double DG[DLS_MAX_BLOCK], G_b[DLS_MAX_BLOCK];
    for (int k = 0; k < block; k++) G_b[k] = G[k * columns + b];
    for (int k = 0; k < block; k++) DG[k] = divide(s, (size_t)(i * block + k), G_b);
    for (int a = 0; a < rows; a++) {
      const int row = parts->first[left] + a, column = parts->first[right] + b;
      if (s->symmetric && row > column) continue;
      double sum = 0;
      for (int k = 0; k < block; k++) sum += T[k * rows + a] * DG[k];
      dls_sparse_factor_add(s->direct, row, column, sum);
    }
  }
}

static DlsStatus factor(DlsShifted *s) {
  const int *start = s->parts.start;
  dls_sparse_factor_clear(s->direct);
  if (!s->velocities) {
    add_reactions(s);
    return dls_sparse_factor_factor(s->direct);
  }
  for (int e = 0; e < s->parts.freedom; e++) dls_sparse_factor_add(s->direct, e, e, 1);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int left = start[i]; left < start[i + 1]; left++)
      for (int right = start[i]; right < start[i + 1]; right++) add_pair(s, i, left, right);
  return dls_sparse_factor_factor(s->direct);
}

DlsStatus dls_shifted_factor(DlsShifted *s, double rho) {
  s->rho = rho;
  s->blocks = NULL;
  return factor(s);
}

/* The inverse of D + C' of contact i. */
static bool invert(const DlsShifted *s, int i, const double *D, double *inverse) {
  const int block = s->scaled->block;
  for (int b = 0; b < block; b++) {
    double A[DLS_MAX_BLOCK * DLS_MAX_BLOCK], unit[DLS_MAX_BLOCK] = {0};
    memcpy(A, D, (size_t)(block * block) * sizeof *A);
    for (int k = 0; k < block; k++) A[k * block + k] += s->scaled->compliance[i * block + k];
    unit[b] = 1;
    if (!dls_small_eliminate(block, 0, A, unit)) return false;
    for (int a = 0; a < block; a++) inverse[a * block + b] = unit[a];
  }
  return true;
}

DlsStatus dls_shifted_factor_blocks(DlsShifted *s, const double *D, const double *inverse) {
  const size_t block = (size_t)s->scaled->block;
  s->rho = 0;
  s->blocks = D;
  if (!s->inverse) DLS_NEW(s->inverse, s->scaled->n * block);
  memcpy(s->inverse, inverse, s->scaled->n * block * sizeof *inverse);
  for (int i = 0; i < s->scaled->contacts && s->scaled->compliance; i++) {
    const size_t at = (size_t)i * block * block;
    DLS_CHECK(invert(s, i, D + at, s->inverse + at), DLS_ERR_NUMERIC,
              "contact %d has a singular block beside W", i);
  }
  return factor(s);
}

/* y = T^T D^-1 b, then x = D^-1 (b - G v). */
DlsStatus dls_shifted_solve(DlsShifted *s, const double *b, double *x) {
  const size_t n = s->scaled->n, block = (size_t)s->scaled->block;
  if (!s->velocities) return dls_sparse_factor_solve(s->direct, 1, b, x);
  for (size_t e = 0; e < n; e++) x[e] = divide(s, e, b + (e - e % block));
  dls_part_rows_scatter(&s->parts, x, s->y);
  DLS_TRY(dls_sparse_factor_solve(s->direct, 1, s->y, s->v));
  dls_part_rows_gather(&s->parts, s->v, x);
  for (size_t i = 0; i < n; i += block) {
    double left[DLS_MAX_BLOCK];
    for (size_t k = 0; k < block; k++) left[k] = b[i + k] - x[i + k];
    for (size_t k = 0; k < block; k++) x[i + k] = divide(s, i + k, left);
  }
  return DLS_OK;
}
