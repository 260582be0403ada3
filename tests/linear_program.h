/* A linear program, solved by the tests themselves: maximise c . x over x >= 0 with A x = b, by the
 * simplex method in two phases on a dense tableau. The oracle of limit loads: forces at the corners
 * of joints, in the edges of their friction cones, in equilibrium with the loads. */
#ifndef DELASSUS_TESTS_LINEAR_PROGRAM_H
#define DELASSUS_TESTS_LINEAR_PROGRAM_H

#include <float.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "tests/test.h"

typedef struct {
  int rows, columns;
  double *a; /* [rows][columns] */
  double *b; /* [rows] */
} LinearProgram;

enum { LP_STILL = 500 }; /* pivots without gain, then Bland's rule */

typedef enum { LP_OPTIMAL, LP_INFEASIBLE, LP_UNBOUNDED, LP_LOST } LpOutcome;

static inline void lp_open(LinearProgram *lp, int rows, int columns) {
  lp->rows = rows, lp->columns = columns;
  lp->a = calloc((size_t)rows * (size_t)columns, sizeof *lp->a);
  lp->b = calloc((size_t)rows, sizeof *lp->b);
  CHECK(lp->a && lp->b);
}

static inline void lp_close(LinearProgram *lp) {
  free(lp->a), free(lp->b);
  memset(lp, 0, sizeof *lp);
}

static inline double *lp_at(LinearProgram *lp, int row, int column) {
  return lp->a + (size_t)row * (size_t)lp->columns + (size_t)column;
}

/* Tableau of rows + 1 lines of columns + 1 numbers: the last line holds reduced costs, the last
 * number the right-hand side. Artificial variables have no columns: what has left never returns. */
typedef struct {
  int rows, columns, stride;
  double *t;
  int *basis; /* a column, or columns + row: the artificial of that row */
} LpTableau;

static inline void lp_pivot(LpTableau *s, int row, int column) {
  double *p = s->t + (size_t)row * (size_t)s->stride;
  const double scale = 1 / p[column];
  for (int j = 0; j <= s->columns; j++) p[j] *= scale;
  p[column] = 1;
  for (int i = 0; i <= s->rows; i++) {
    double *q = s->t + (size_t)i * (size_t)s->stride;
    const double factor = q[column];
    if (i == row || factor == 0) continue;
    for (int j = 0; j <= s->columns; j++) q[j] -= factor * p[j];
    q[column] = 0;
  }
  s->basis[row] = column;
}

/* Until no reduced cost is negative: the most negative one enters, and Bland's first while the
 * objective stands still, so that no cycle goes on for ever. */
static inline LpOutcome lp_iterate(LpTableau *s) {
  const double *cost = s->t + (size_t)s->rows * (size_t)s->stride;
  double last = -INFINITY;
  int still = 0;
  for (int turn = 0; turn < 200000; turn++) {
    int enter = -1, leave = -1;
    still = cost[s->columns] > last + 1e-13 ? 0 : still + 1;
    last = fmax(last, cost[s->columns]);
    for (int j = 0; j < s->columns; j++)
      if (cost[j] < -1e-10 && (enter < 0 || (still < LP_STILL && cost[j] < cost[enter]))) enter = j;
    if (enter < 0) return LP_OPTIMAL;
    double least = INFINITY;
    const bool bland = still >= LP_STILL;
    for (int i = 0; i < s->rows; i++) {
      const double *row = s->t + (size_t)i * (size_t)s->stride, size = fabs(row[enter]);
      /* Artificial variables at 0 leave at any pivot: they may not grow. */
      const bool held = s->basis[i] >= s->columns && fabs(row[s->columns]) < 1e-11;
      if (!(row[enter] > 1e-8 || (held && size > 1e-8))) continue;
      const double ratio = held ? 0 : fmax(row[s->columns], 0) / row[enter];
      /* Of equal ratios the largest pivot, for the sake of digits; Bland's: the first variable. */
      const bool tie = leave >= 0 && fabs(ratio - least) <= 1e-11;
      const bool better =
          tie && (bland ? s->basis[i] < s->basis[leave]
                        : size > fabs(s->t[(size_t)leave * (size_t)s->stride + (size_t)enter]));
      if ((!tie && ratio < least) || better) {
        least = fmin(least, ratio);
        leave = i;
      }
    }
    if (leave < 0) return LP_UNBOUNDED;
    lp_pivot(s, leave, enter);
  }
  return LP_LOST;
}

/* sum |A x - b| and of what is negative in x, from scratch: what the pivots cost in digits. */
static inline double lp_residual(const LinearProgram *lp, const LpTableau *s) {
  double sum = 0;
  for (int i = 0; i < lp->rows; i++) {
    double left = -lp->b[i];
    for (int k = 0; k < lp->rows; k++) {
      const double x = s->t[(size_t)k * (size_t)s->stride + (size_t)s->columns];
      if (s->basis[k] < s->columns)
        left += x * lp->a[(size_t)i * (size_t)lp->columns + (size_t)s->basis[k]];
    }
    sum += fabs(left) + fmax(0, -s->t[(size_t)i * (size_t)s->stride + (size_t)s->columns]);
  }
  return sum;
}

/* The largest c . x (c NULL: whether there is an x at all) in *value; numbers of A near 1. */
static inline LpOutcome lp_solve(const LinearProgram *lp, const double *c, double *value) {
  LpTableau s = {.rows = lp->rows, .columns = lp->columns, .stride = lp->columns + 1};
  s.t = calloc((size_t)(s.rows + 1) * (size_t)s.stride, sizeof *s.t);
  s.basis = calloc((size_t)s.rows, sizeof *s.basis);
  CHECK(s.t && s.basis);
  double *cost = s.t + (size_t)s.rows * (size_t)s.stride, size = 0;
  for (int i = 0; i < s.rows; i++) {
    double *row = s.t + (size_t)i * (size_t)s.stride;
    const double sign = lp->b[i] < 0 ? -1 : 1;
    for (int j = 0; j < s.columns; j++)
      row[j] = sign * lp->a[(size_t)i * (size_t)s.columns + (size_t)j];
    row[s.columns] = sign * lp->b[i];
    size += fabs(lp->b[i]);
    s.basis[i] = s.columns + i;
    for (int j = 0; j <= s.columns; j++) cost[j] -= row[j]; /* minimise the sum of artificials */
  }
  LpOutcome outcome = lp_iterate(&s);
  if (outcome == LP_OPTIMAL && cost[s.columns] < -1e-9 * fmax(size, DBL_MIN))
    outcome = LP_INFEASIBLE;
  if (outcome == LP_OPTIMAL && c) {
    for (int j = 0; j <= s.columns; j++) cost[j] = j < s.columns ? -c[j] : 0;
    for (int i = 0; i < s.rows; i++) {
      const double *row = s.t + (size_t)i * (size_t)s.stride;
      const double price = s.basis[i] < s.columns ? c[s.basis[i]] : 0;
      for (int j = 0; j <= s.columns; j++) cost[j] += price * row[j];
    }
    outcome = lp_iterate(&s);
    if (value) *value = cost[s.columns];
  }
  if (outcome == LP_OPTIMAL) CHECK_BELOW(lp_residual(lp, &s), 1e-7 * fmax(size, DBL_MIN));
  free(s.t), free(s.basis);
  return outcome;
}

#endif
