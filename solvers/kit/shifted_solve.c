#include "solvers/kit/shifted_solve.h"

#include "base/memory.h"
#include "base/small.h"
#include "problem/operator/block_rows.h"
#include "problem/operator/operator_impl.h"
#include "problem/sparse_factor.h"

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
  /* velocities: touches of contact i are pattern.start[i] .. pattern.start[i + 1] - 1; touch t
   * moves the velocities first[t] .. first[t] + width[t] - 1 */
  DlsPattern pattern;
  int freedom, *first, *width;
  size_t *at;    /* where the numbers of a touch begin in G and T, [block][width] */
  double *G, *T; /* S gather and S scatter; one array when W is symmetric */
  double *y, *v; /* [freedom] */
};

void dls_shifted_destroy(DlsShifted **penalty) {
  DlsShifted *s = *penalty;
  if (!s) return;
  dls_sparse_factor_destroy(&s->direct);
  dls_operator_destroy(&s->own);
  dls_pattern_clear(&s->pattern);
  free(s->first);
  free(s->width);
  free(s->at);
  if (s->T != s->G) free(s->T);
  free(s->G);
  free(s->y);
  free(s->v);
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
  const size_t entries = (size_t)s->rows.start[s->rows.contacts] * block * block + s->scaled->n;
  s->symmetric = is_symmetric(&s->rows);
  return make_factor(s, (int)s->scaled->n, entries);
}

/* The touches of all contacts: how many numbers G and T hold, and where each touch has its own. */
static DlsStatus list_touches(DlsShifted *s, const DlsOperator *W) {
  const DlsPattern *pattern = &s->pattern;
  const size_t count = (size_t)pattern->start[pattern->contacts];
  DLS_NEW(s->at, count + 1);
  DLS_NEW(s->width, count);
  DLS_NEW(s->first, count);
  s->symmetric = true;
  for (int i = 0; i < pattern->contacts; i++)
    for (int t = pattern->start[i]; t < pattern->start[i + 1]; t++) {
      DlsTouch touch;
      W->does->touch(W, i, t - pattern->start[i], &touch);
      s->first[t] = touch.first;
      s->width[t] = touch.dof;
      s->at[t + 1] = s->at[t] + (size_t)(s->scaled->block * touch.dof);
      s->symmetric = s->symmetric && touch.gather == touch.scatter;
    }
  return DLS_OK;
}

/* S gather and S scatter of all contacts. */
static DlsStatus copy_touches(DlsShifted *s, const DlsOperator *W) {
  const DlsPattern *pattern = &s->pattern;
  const int block = s->scaled->block;
  const size_t size = s->at[pattern->start[pattern->contacts]];
  DLS_NEW(s->G, size);
  s->T = s->G;
  if (!s->symmetric) {
    s->T = NULL;
    DLS_NEW(s->T, size);
  }
  for (int i = 0; i < pattern->contacts; i++)
    for (int t = pattern->start[i]; t < pattern->start[i + 1]; t++) {
      DlsTouch touch;
      W->does->touch(W, i, t - pattern->start[i], &touch);
      for (int e = 0; e < block * touch.dof; e++) {
        const double scale = s->scaled->scale[i * block + e / touch.dof];
        s->G[s->at[t] + (size_t)e] = touch.gather[e] * scale;
        if (!s->symmetric) s->T[s->at[t] + (size_t)e] = touch.scatter[e] * scale;
      }
    }
  return DLS_OK;
}

static DlsStatus prepare_velocities(DlsShifted *s) {
  const DlsOperator *W = dls_problem_operator(s->scaled->problem);
  s->freedom = dls_operator_freedom(W);
  DLS_TRY(dls_operator_pattern(W, &s->pattern));
  DLS_TRY(list_touches(s, W));
  DLS_TRY(copy_touches(s, W));
  size_t entries = (size_t)s->freedom;
  for (int i = 0; i < s->scaled->contacts; i++) {
    size_t widths = 0;
    for (int t = s->pattern.start[i]; t < s->pattern.start[i + 1]; t++)
      widths += (size_t)s->width[t];
    entries += widths * widths;
  }
  DLS_NEW(s->y, s->freedom);
  DLS_NEW(s->v, s->freedom);
  return make_factor(s, s->freedom, entries);
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
}

/* D of a component. */
static double weight(const DlsShifted *s, size_t e) {
  return s->rho + (s->scaled->compliance ? s->scaled->compliance[e] : 0);
}

/* T_s^T D^-1 G_t of two touches of contact i. */
static void add_pair(DlsShifted *s, int i, int left, int right) {
  const int block = s->scaled->block, rows = s->width[left], columns = s->width[right];
  const double *T = s->T + s->at[left], *G = s->G + s->at[right];
  for (int a = 0; a < rows; a++)
    for (int b = 0; b < columns; b++) {
      const int row = s->first[left] + a, column = s->first[right] + b;
      if (s->symmetric && row > column) continue;
      double sum = 0;
      for (int k = 0; k < block; k++)
        sum += T[k * rows + a] * G[k * columns + b] / weight(s, (size_t)(i * block + k));
      dls_sparse_factor_add(s->direct, row, column, sum);
    }
}

DlsStatus dls_shifted_factor(DlsShifted *s, double rho) {
  s->rho = rho;
  dls_sparse_factor_clear(s->direct);
  if (!s->velocities) {
    add_reactions(s);
    return dls_sparse_factor_factor(s->direct);
  }
  const int *start = s->pattern.start;
  for (int e = 0; e < s->freedom; e++) dls_sparse_factor_add(s->direct, e, e, 1);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int left = start[i]; left < start[i + 1]; left++)
      for (int right = start[i]; right < start[i + 1]; right++) add_pair(s, i, left, right);
  return dls_sparse_factor_factor(s->direct);
}

/* y = T^T D^-1 b, then x = D^-1 (b - G v). */
DlsStatus dls_shifted_solve(DlsShifted *s, const double *b, double *x) {
  const int block = s->scaled->block, *start = s->pattern.start;
  if (!s->velocities) return dls_sparse_factor_solve(s->direct, 1, b, x);
  memset(s->y, 0, (size_t)s->freedom * sizeof *s->y);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int t = start[i]; t < start[i + 1]; t++)
      for (int k = 0; k < block; k++) {
        const int dof = s->width[t];
        const double *T = s->T + s->at[t] + (size_t)(k * dof);
        const double push = b[i * block + k] / weight(s, (size_t)(i * block + k));
        for (int c = 0; c < dof; c++) s->y[s->first[t] + c] += T[c] * push;
      }
  DLS_TRY(dls_sparse_factor_solve(s->direct, 1, s->y, s->v));
  memcpy(x, b, s->scaled->n * sizeof *x);
  for (int i = 0; i < s->scaled->contacts; i++)
    for (int t = start[i]; t < start[i + 1]; t++)
      for (int k = 0; k < block; k++)
        x[i * block + k] -= dls_small_dot(s->width[t], s->G + s->at[t] + (size_t)(k * s->width[t]),
                                          s->v + s->first[t]);
  for (size_t e = 0; e < s->scaled->n; e++) x[e] /= weight(s, e);
  return DLS_OK;
}
