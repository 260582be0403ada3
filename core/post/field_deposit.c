#include "post/field_deposit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/dispatch.h"
#include "base/memory.h"
#include "post/probe.h"

DlsStatus dls_deposit_begin(DlsDeposit *d, int dim, const DlsFieldGrid *grid,
                            const DlsKernel *kernel, int components) {
  memset(d, 0, sizeof *d);
  d->dim = dim;
  d->grid = *grid;
  d->kernel = *kernel;
  d->factor = dls_kernel_factor(kernel, dim);
  d->reach = dls_kernel_reach(kernel);
  d->components = components;
  d->nodes = grid->points[0] * grid->points[1] * grid->points[2];
  for (int k = 0; k < 3; k++) {
    const int n = grid->points[k];
    d->step[k] = n > 1 ? (grid->high[k] - grid->low[k]) / (n - 1) : 0;
    DLS_NEW(d->weight[k], n);
  }
  DLS_NEW(d->sum, (size_t)components * (size_t)d->nodes);
  return DLS_OK;
}

void dls_deposit_end(DlsDeposit *d) {
  for (int k = 0; k < 3; k++) free(d->weight[k]);
  free(d->sum);
  memset(d, 0, sizeof *d);
}

typedef struct {
  int from[3], to[3]; /* nodes from .. to - 1 */
} Window;

/* The nodes within reach of the box from a to b; false where there are none. */
static bool window_of(const DlsDeposit *d, const double a[3], const double b[3], Window *w) {
  for (int k = 0; k < 3; k++) {
    const int n = d->grid.points[k];
    w->from[k] = 0;
    w->to[k] = n;
    if (n <= 1 || d->step[k] <= 0) {
      if (k >= d->dim) continue;
      if (fmin(a[k], b[k]) - d->reach > d->grid.low[k]) return false;
      if (fmax(a[k], b[k]) + d->reach < d->grid.low[k]) return false;
      continue;
    }
    const double low = (fmin(a[k], b[k]) - d->reach - d->grid.low[k]) / d->step[k];
    const double high = (fmax(a[k], b[k]) + d->reach - d->grid.low[k]) / d->step[k];
    if (high < 0 || low > n - 1) return false;
    if (low > 0) w->from[k] = (int)ceil(low);
    if (high < n - 1) w->to[k] = (int)floor(high) + 1;
  }
  return w->to[0] > w->from[0] && w->to[1] > w->from[1] && w->to[2] > w->from[2];
}

/* node[i][k] += value[k] weight[i]: where the time goes. The quantities of a node lie together, since a window of the grid
 * then stays in the cache; `count` is a constant where it is inlined, so that the loop over k is unrolled. */
DLS_INLINE void add_nodes(double *restrict node, int components, int count,
                          const double *restrict value, double factor,
                          const double *restrict weight, int length) {
  for (int i = 0; i < length; i++, node += components) {
    const double scale = factor * weight[i];
    for (int k = 0; k < count; k++) node[k] += scale * value[k];
  }
}

DLS_INLINE void add_row(const DlsDeposit *d, double *node, int count, const double *value,
                        double factor, const double *weight, int length) {
  if (count == 9)
    add_nodes(node, d->components, 9, value, factor, weight, length);
  else if (count == 7)
    add_nodes(node, d->components, 7, value, factor, weight, length);
  else if (count == 11)
    add_nodes(node, d->components, 11, value, factor, weight, length);
  else
    add_nodes(node, d->components, count, value, factor, weight, length);
}

static double coordinate(const DlsDeposit *d, int axis, int i) {
  return d->grid.low[axis] + i * d->step[axis];
}

static double *row_of(const DlsDeposit *d, int first, const Window *w, int j, int k) {
  const size_t at = ((size_t)k * (size_t)d->grid.points[1] + (size_t)j) * (size_t)d->grid.points[0];
  return d->sum + (at + (size_t)w->from[0]) * (size_t)d->components + (size_t)first;
}

/* Row (j, k) of the window cut to the ball of the kernel about x; rest: its distance to x, squared. False: none of it. */
DLS_INLINE bool narrow(const DlsDeposit *d, const double x[3], int j, int k, Window *row,
                       double *rest) {
  const double y = coordinate(d, 1, j) - x[1], z = d->dim == 3 ? coordinate(d, 2, k) - x[2] : 0;
  *rest = y * y + z * z;
  const double square = d->reach * d->reach - *rest;
  if (square <= 0) return false;
  if (d->step[0] <= 0) return true;
  const double half = sqrt(square), at = x[0] - d->grid.low[0];
  const double low = ceil((at - half) / d->step[0]), high = floor((at + half) / d->step[0]) + 1;
  if (low > row->from[0]) row->from[0] = low < row->to[0] ? (int)low : row->to[0];
  if (high < row->to[0]) row->to[0] = high > row->from[0] ? (int)high : row->from[0];
  return row->to[0] > row->from[0];
}

/* exp(scale r^2) at r, r + step ...: the quotient of neighbours is itself a geometric sequence. */
static void fill_weights(double scale, double r, double step, int count, double *out) {
  double value = exp(scale * r * r), quotient = exp(scale * step * (2 * r + step));
  const double growth = exp(2 * scale * step * step);
  for (int i = 0; i < count; i++) {
    out[i] = value;
    value *= quotient;
    quotient *= growth;
  }
}

/* A Gaussian is a product over the axes. */
DLS_HOT static void add_gauss(DlsDeposit *d, const double x[3], const Window *w, int first,
                              int count, const double *value) {
  const double scale = -0.5 / (d->kernel.width * d->kernel.width);
  for (int axis = 0; axis < 3; axis++)
    fill_weights(scale, axis < d->dim ? coordinate(d, axis, w->from[axis]) - x[axis] : 0,
                 d->step[axis], w->to[axis] - w->from[axis], d->weight[axis] + w->from[axis]);
  for (int k = w->from[2]; k < w->to[2]; k++)
    for (int j = w->from[1]; j < w->to[1]; j++) {
      Window row = *w;
      double rest;
      if (!narrow(d, x, j, k, &row, &rest)) continue;
      add_row(d, row_of(d, first, &row, j, k), count, value,
              d->factor * d->weight[1][j] * d->weight[2][k], d->weight[0] + row.from[0],
              row.to[0] - row.from[0]);
    }
}

DLS_HOT static void add_lucy(DlsDeposit *d, const double x[3], const Window *w, int first,
                             int count, const double *value) {
  const double inverse = 1 / d->reach;
  double *weight = d->weight[0];
  for (int k = w->from[2]; k < w->to[2]; k++)
    for (int j = w->from[1]; j < w->to[1]; j++) {
      Window row = *w;
      double rest;
      if (!narrow(d, x, j, k, &row, &rest)) continue;
      const int length = row.to[0] - row.from[0];
      for (int i = 0; i < length; i++) {
        const double r = coordinate(d, 0, row.from[0] + i) - x[0];
        const double share = sqrt(r * r + rest) * inverse, left = fmax(0, 1 - share);
        weight[i] = (1 + 3 * share) * left * left * left;
      }
      add_row(d, row_of(d, first, &row, j, k), count, value, d->factor, weight, length);
    }
}

/* The share of the way from a to b within the ball about each node; a point is a way of no length. */
static void add_top_hat(DlsDeposit *d, const double a[3], const double b[3], const Window *w,
                        int first, int count, const double *value) {
  const bool point = a[0] == b[0] && a[1] == b[1] && a[2] == b[2];
  DlsProbe ball = {.kind = DLS_PROBE_SPHERE, .radius = d->reach};
  double *weight = d->weight[0];
  for (int k = w->from[2]; k < w->to[2]; k++)
    for (int j = w->from[1]; j < w->to[1]; j++) {
      for (int i = w->from[0]; i < w->to[0]; i++) {
        ball.centre[0] = coordinate(d, 0, i);
        ball.centre[1] = coordinate(d, 1, j);
        ball.centre[2] = d->dim == 3 ? coordinate(d, 2, k) : 0;
        weight[i - w->from[0]] =
            point ? dls_probe_holds(&ball, d->dim, a) : dls_probe_share(&ball, d->dim, a, b);
      }
      add_row(d, row_of(d, first, w, j, k), count, value, d->factor, weight, w->to[0] - w->from[0]);
    }
}

void dls_deposit_point(DlsDeposit *d, const double x[3], int first, int count,
                       const double *value) {
  Window w;
  if (!window_of(d, x, x, &w)) return;
  if (d->kernel.kind == DLS_KERNEL_GAUSS)
    add_gauss(d, x, &w, first, count, value);
  else if (d->kernel.kind == DLS_KERNEL_LUCY)
    add_lucy(d, x, &w, first, count, value);
  else
    add_top_hat(d, x, x, &w, first, count, value);
}

/* Points and weights of Gauss's rule on [0, 1], of order 2 and 3. */
static const double place2[] = {0.21132486540518713, 0.78867513459481287}, share2[] = {0.5, 0.5};
static const double place3[] = {0.11270166537925831, 0.5, 0.88729833462074169},
                    share3[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

void dls_deposit_line(DlsDeposit *d, const double a[3], const double b[3], int first, int count,
                      const double *value) {
  enum { MOST = 16 };
  Window w;
  double length = 0, part[MOST];
  if (!window_of(d, a, b, &w)) return;
  if (d->kernel.kind == DLS_KERNEL_TOP_HAT) {
    add_top_hat(d, a, b, &w, first, count, value);
    return;
  }
  for (int k = 0; k < 3; k++) length += (b[k] - a[k]) * (b[k] - a[k]);
  /* In widths of the curve; Lucy's bends twice as sharply. */
  length =
      sqrt(length) / (d->kernel.kind == DLS_KERNEL_LUCY ? 0.5 * d->kernel.width : d->kernel.width);
  /* The rule of order n errs by (length / width)^2n over 4320 (n = 2), 2e6 (n = 3): below 3e-4 on each piece. */
  const int order = length <= 1 ? 2 : 3, pieces = length <= 1.5 ? 1 : (int)ceil(length / 1.5);
  const double *place = order == 2 ? place2 : place3, *share = order == 2 ? share2 : share3;
  for (int n = 0; n < order * pieces; n++) {
    const int piece = n / order;
    const double t = (piece + place[n % order]) / pieces;
    double x[3];
    for (int k = 0; k < 3; k++) x[k] = a[k] + t * (b[k] - a[k]);
    for (int k = 0; k < count; k++) part[k] = value[k] * share[n % order] / pieces;
    dls_deposit_point(d, x, first, count, part);
  }
}
