#include "post/field/deposit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/checked.h"
#include "base/dispatch.h"
#include "base/memory.h"

enum { LANES = DLS_DEPOSIT_LANES, SPOTS = DLS_DEPOSIT_SPOTS, SPREADS = DLS_DEPOSIT_SPREADS };
enum { TILE_BYTES = 1 << 20 }; /* a common second-level cache */
enum { MOST_PIECES = 10000 };  /* of a way; the caller refuses longer ones */

typedef DlsDepositSpot Spot;

typedef struct {
  int from[3], to[3]; /* nodes from .. to - 1 */
} Window;

/* Tiles of about as many rows along y as along z. */
static void divide(DlsDeposit *d) {
  const int *n = d->grid.points;
  const size_t row = (size_t)n[0] * LANES * sizeof(double);
  const int rows = row < TILE_BYTES ? TILE_BYTES / (int)row : 1;
  const int side = n[2] > 1 ? (int)sqrt(rows) : rows;
  d->wide[0] = side < 1 ? 1 : side > n[1] ? n[1] : side;
  d->wide[1] = side < 1 ? 1 : side > n[2] ? n[2] : side;
  d->tiles = ((n[1] + d->wide[0] - 1) / d->wide[0]) * ((n[2] + d->wide[1] - 1) / d->wide[1]);
}

DlsStatus dls_deposit_begin(DlsDeposit *d, int dim, const DlsFieldGrid *grid,
                            const DlsKernel *kernel) {
  memset(d, 0, sizeof *d);
  d->dim = dim;
  d->grid = *grid;
  d->kernel = *kernel;
  d->factor = dls_kernel_factor(kernel, dim);
  d->reach = dls_kernel_reach(kernel);
  d->nodes = grid->points[0] * grid->points[1] * grid->points[2];
  for (int k = 0; k < 3; k++) {
    const int n = grid->points[k];
    d->step[k] = n > 1 ? (grid->high[k] - grid->low[k]) / (n - 1) : 0;
    d->growth[k] = exp(-d->step[k] * d->step[k] / (kernel->width * kernel->width));
    d->padded[k] = (n + 3) / 4 * 4;
    DLS_NEW(d->square[k], SPOTS * (size_t)d->padded[k]);
    DLS_NEW(d->weight[k], SPOTS * (size_t)d->padded[k]);
  }
  d->scale = d->step[0] > 0 ? 1 / d->step[0] : 0;
  for (int k = 0; k < 2; k++) DLS_NEW(d->row[k], SPREADS * (size_t)d->padded[0]);
  for (int k = 0; k < DLS_DEPOSIT_GROUPS; k++) DLS_NEW(d->sum[k], LANES * (size_t)d->nodes);
  divide(d);
  dls_deposit_tile(d, 0);
  return DLS_OK;
}

void dls_deposit_end(DlsDeposit *d) {
  for (int k = 0; k < 3; k++) {
    free(d->square[k]);
    free(d->weight[k]);
  }
  for (int k = 0; k < 2; k++) free(d->row[k]);
  for (int k = 0; k < DLS_DEPOSIT_GROUPS; k++) free(d->sum[k]);
  memset(d, 0, sizeof *d);
}

void dls_deposit_tile(DlsDeposit *d, int tile) {
  const int across = (d->grid.points[1] + d->wide[0] - 1) / d->wide[0];
  const int place[2] = {tile % across, tile / across};
  d->from[0] = 0;
  d->to[0] = d->grid.points[0];
  for (int k = 0; k < 2; k++) {
    d->from[k + 1] = place[k] * d->wide[k];
    const int end = d->from[k + 1] + d->wide[k], last = d->grid.points[k + 1];
    d->to[k + 1] = end < last ? end : last;
  }
}

static double least(double a, double b) { return a < b ? a : b; }
static double most(double a, double b) { return a > b ? a : b; }

/* The nodes of the tile within reach of the box around the batch; false where there are none. */
static bool window_of(const DlsDeposit *d, Window *w) {
  for (int k = 0; k < 3; k++) {
    w->from[k] = d->from[k];
    w->to[k] = d->to[k];
    if (k >= d->dim) continue;
    const double begin = d->batch.low[k] - d->reach - d->grid.low[k];
    const double end = d->batch.high[k] + d->reach - d->grid.low[k];
    if (d->step[k] <= 0) {
      if (begin > 0 || end < 0) return false;
      continue;
    }
    const double low = begin / d->step[k], high = end / d->step[k];
    if (high < w->from[k] || low > w->to[k] - 1) return false;
    if (low > w->from[k]) w->from[k] = (int)ceil(low);
    if (high < w->to[k] - 1) w->to[k] = (int)floor(high) + 1;
    if (w->to[k] <= w->from[k]) return false;
  }
  return true;
}

/* Distance along an axis from the spot to a node, m. */
static double away(const DlsDeposit *d, const Spot *spot, int axis, int i) {
  return axis < d->dim ? d->grid.low[axis] + i * d->step[axis] - spot->x[axis] : 0;
}

/* exp(-r^2 / 2 w^2) at the nodes from .. to - 1: the quotient of neighbours is itself a geometric
 * sequence. Begun anew now and then, since the error of a product grows with the square of its
 * length. */
static void fill_gauss(const DlsDeposit *d, const Spot *spot, int axis, int from, int to,
                       double *out) {
  enum { RUN = 32 };
  const double scale = -0.5 / (d->kernel.width * d->kernel.width), step = d->step[axis];
  for (int begin = from; begin < to; begin += RUN) {
    const double r = away(d, spot, axis, begin);
    const int end = begin + RUN < to ? begin + RUN : to;
    double value = exp(scale * r * r), quotient = exp(scale * step * (2 * r + step));
    for (int i = begin; i < end; i++) {
      out[i] = value;
      value *= quotient;
      quotient *= d->growth[axis];
    }
  }
}

/* What the rows of spot n have in common. Along x in whole fours of nodes. */
static void prepare(DlsDeposit *d, const Spot *spot, int n, const Window *w) {
  for (int axis = 0; axis < 3; axis++) {
    const int from = axis ? w->from[axis] : w->from[0] / 4 * 4;
    const int to = axis ? w->to[axis] : (w->to[0] + 3) / 4 * 4;
    double *square = d->square[axis] + n * d->padded[axis];
    for (int i = from; i < to; i++) {
      const double r = away(d, spot, axis, i);
      square[i] = r * r;
    }
    if (d->kernel.kind == DLS_KERNEL_GAUSS)
      fill_gauss(d, spot, axis, from, to, d->weight[axis] + n * d->padded[axis]);
  }
}

/* Four numbers at once: left to itself the compiler turns the loop over the sums of a node around,
 * at three times the cost. */
typedef double Four __attribute__((vector_size(32), aligned(8), may_alias));
typedef int64_t Bits __attribute__((vector_size(32)));

/* What a row (j, k) is to the spots: the squares of its distance, and what of reach^2 that leaves;
 * of a Gaussian the factor. */
typedef struct {
  int j, k, start,
      fours; /* 4 `fours` nodes from `start` on, which is one of the multiples of four */
  double rest[SPOTS], left[SPOTS], factor[SPOTS];
} Row;

/* A Gaussian is a product over the axes; beyond the ball it is cut off. Of the spots n .. end -
 * 1. */
DLS_INLINE void row_gauss(const DlsDeposit *d, const Row *row, int begin, int end, double *out) {
  const double *square = d->square[0] + row->start, *weight = d->weight[0] + row->start;
  for (int i = 0; i < 4 * row->fours; i += 4) {
    Four sum = {0};
    for (int n = begin; n < end; n++) {
      const Four value = row->factor[n] * *(const Four *)(weight + n * d->padded[0] + i);
      const Bits inside = (Bits)(*(const Four *)(square + n * d->padded[0] + i) <= row->left[n]);
      sum += (Four)((Bits)value & inside);
    }
    *(Four *)(out + i) = sum;
  }
}

DLS_INLINE void row_lucy(const DlsDeposit *d, const Row *row, int begin, int end, double *out) {
  const double inverse = 1 / d->reach;
  for (int n = begin; n < end; n++) {
    const double *restrict square = d->square[0] + n * d->padded[0] + row->start;
    const double rest = row->rest[n], factor = d->batch.spot[n].share;
    for (int i = 0; i < 4 * row->fours; i++) {
      const double share = sqrt(square[i] + rest) * inverse, left = share < 1 ? 1 - share : 0;
      out[i] = (n > begin ? out[i] : 0) + factor * (1 + 3 * share) * left * left * left;
    }
  }
}

/* The share of the way within the ball about each node: where |start + t way|^2 < reach^2, 0 < t <
 * 1, start being the spot less the node. A point counts where it is within. */
DLS_INLINE void row_top_hat(const DlsDeposit *d, const Row *row, int n, double *restrict out) {
  const Spot *spot = &d->batch.spot[n];
  const double *restrict square = d->square[0] + n * d->padded[0] + row->start;
  const double factor = spot->share, left = row->left[n], length = spot->length;
  if (length == 0) {
    for (int i = 0; i < 4 * row->fours; i++) out[i] = square[i] <= left ? factor : 0;
    return;
  }
  const double inverse = 1 / length, way = spot->way[0], step = d->step[0];
  const double x = -away(d, spot, 0, row->start);
  const double along =
      -away(d, spot, 1, row->j) * spot->way[1] - away(d, spot, 2, row->k) * spot->way[2];
  for (int i = 0; i < 4 * row->fours; i++) {
    const double dot = along + (x - i * step) * way;
    const double root = dot * dot - length * (square[i] - left), half = sqrt(root > 0 ? root : 0);
    const double in = (-dot - half) * inverse, end = (-dot + half) * inverse;
    const double first = in > 0 ? in : 0, last = end < 1 ? end : 1;
    out[i] = root > 0 && last > first ? factor * (last - first) : 0;
  }
}

/* node[k] += row[b][i] value[b][k] for the spreads b of both halves, at `count` nodes (1 or 2, a
 * constant where it is inlined): where the time goes. The sums stay in registers over all spreads,
 * in the order in which they came. */
DLS_INLINE void add_node(double *restrict node, const DlsDeposit *d, int at, int count) {
  const DlsDepositBatch *batch = &d->batch;
  Four sum[2][LANES / 4];
  for (int n = 0; n < count; n++)
    for (int k = 0; k < LANES / 4; k++) sum[n][k] = *(const Four *)(node + n * LANES + 4 * k);
  const double *row = d->row[0] + at;
  for (int b = 0; b < batch->spreads[0]; b++, row += d->padded[0]) {
    const Four *value = (const Four *)batch->value[0][b];
    const Four first = value[0], second = value[1], third = value[2];
    for (int n = 0; n < count; n++) {
      sum[n][0] += row[n] * first;
      sum[n][1] += row[n] * second;
      sum[n][2] += row[n] * third;
    }
  }
  row = d->row[1] + at;
  for (int b = 0; b < batch->spreads[1]; b++, row += d->padded[0]) {
    const Four *value = (const Four *)batch->value[1][b];
    const Four third = value[2], fourth = value[3];
    for (int n = 0; n < count; n++) {
      sum[n][2] += row[n] * third;
      sum[n][3] += row[n] * fourth;
    }
  }
  for (int n = 0; n < count; n++)
    for (int k = 0; k < LANES / 4; k++) *(Four *)(node + n * LANES + 4 * k) = sum[n][k];
}

/* The nodes of a row that balls of spots, passed at the squared distance `nearest`, may reach;
 * false where there are none. Too many by one at most: the weights decide. */
DLS_INLINE bool narrow(const DlsDeposit *d, double nearest, int *from, int *to) {
  const double all = d->reach * d->reach;
  if (nearest >= all) return false;
  if (d->scale <= 0) return true;
  const double half = sqrt(all - nearest);
  const double first = (d->batch.low[0] - d->grid.low[0] - half) * d->scale - 1e-9;
  const double last = (d->batch.high[0] - d->grid.low[0] + half) * d->scale + 1e-9;
  if (first > *from) *from = first < *to ? (int)first + 1 : *to;
  if (last < *to - 1) *to = last >= *from ? (int)last + 1 : *from;
  return *to > *from;
}

/* The weights of all spreads in a row. */
DLS_INLINE void weigh(const DlsDeposit *d, const Row *row, DlsKernelKind kind) {
  const DlsDepositBatch *batch = &d->batch;
  for (int begin = 0, end; begin < batch->spots; begin = end) {
    const Spot *spot = &batch->spot[begin];
    double *out = d->row[spot->half] + spot->spread * d->padded[0] + row->start;
    for (end = begin + 1; end < batch->spots && !batch->spot[end].first;) end++;
    if (kind == DLS_KERNEL_GAUSS)
      row_gauss(d, row, begin, end, out);
    else if (kind == DLS_KERNEL_LUCY)
      row_lucy(d, row, begin, end, out);
    else
      row_top_hat(d, row, begin, out);
  }
}

/* The batch: weights row by row, then the values by these. */
DLS_INLINE void add_rows(DlsDeposit *d, const Window *w, DlsKernelKind kind) {
  const DlsDepositBatch *batch = &d->batch;
  const double all = d->reach * d->reach;
  Row row;
  for (row.k = w->from[2]; row.k < w->to[2]; row.k++)
    for (row.j = w->from[1]; row.j < w->to[1]; row.j++) {
      int from = w->from[0], to = w->to[0];
      double nearest = batch->ways ? 0 : all;
      for (int n = 0; n < batch->spots; n++) {
        const int y = n * d->padded[1] + row.j, z = n * d->padded[2] + row.k;
        row.rest[n] = d->square[1][y] + d->square[2][z];
        row.left[n] = all - row.rest[n];
        if (kind == DLS_KERNEL_GAUSS)
          row.factor[n] = batch->spot[n].share * d->weight[1][y] * d->weight[2][z];
        nearest = least(nearest, row.rest[n]);
      }
      if (!narrow(d, nearest, &from, &to)) continue;
      row.start = from / 4 * 4;
      row.fours = (to - row.start + 3) / 4;
      weigh(d, &row, kind);
      const size_t line = (size_t)row.k * (size_t)d->grid.points[1] + (size_t)row.j;
      double *node =
          d->sum[batch->group] + (line * (size_t)d->grid.points[0] + (size_t)from) * LANES;
      for (; from + 1 < to; from += 2, node += 2 * LANES) add_node(node, d, from, 2);
      if (from < to) add_node(node, d, from, 1);
    }
}

DLS_HOT static void add_batch(DlsDeposit *d, const Window *w) {
  if (d->kernel.kind == DLS_KERNEL_GAUSS)
    add_rows(d, w, DLS_KERNEL_GAUSS);
  else if (d->kernel.kind == DLS_KERNEL_LUCY)
    add_rows(d, w, DLS_KERNEL_LUCY);
  else
    add_rows(d, w, DLS_KERNEL_TOP_HAT);
}

void dls_deposit_flush(DlsDeposit *d) {
  Window w;
  if (d->batch.spots > 0 && window_of(d, &w)) {
    for (int n = 0; n < d->batch.spots; n++) prepare(d, &d->batch.spot[n], n, &w);
    add_batch(d, &w);
  }
  d->batch.ways = false;
  d->batch.spots = d->batch.spreads[0] = d->batch.spreads[1] = 0;
}

/* Points and weights of Gauss's rule on [0, 1], of order 2 and 3. */
static const double place2[] = {0.21132486540518713, 0.78867513459481287}, share2[] = {0.5, 0.5};
static const double place3[] = {0.11270166537925831, 0.5, 0.88729833462074169},
                    share3[] = {5.0 / 18, 8.0 / 18, 5.0 / 18};

typedef struct {
  int order, pieces; /* 1, 1: a point, or the whole way of a top-hat */
  const double *place, *share;
} Rule;

static Rule rule_of(const DlsDeposit *d, const DlsSpread *spread) {
  static const double middle = 0, whole = 1;
  const double way[3] = {spread->b[0] - spread->a[0], spread->b[1] - spread->a[1],
                         spread->b[2] - spread->a[2]};
  /* In widths of the curve; Lucy's bends twice as sharply. */
  const double width = d->kernel.width * (d->kernel.kind == DLS_KERNEL_LUCY ? 0.5 : 1);
  const double length = dls_vector_norm(way) / width;
  if (length == 0 || d->kernel.kind == DLS_KERNEL_TOP_HAT) return (Rule){1, 1, &middle, &whole};
  /* The rule of order n errs by (length / width)^2n over 4320 (n = 2), 2e6 (n = 3): below 3e-4 on
   * each piece. */
  if (length <= 1) return (Rule){2, 1, place2, share2};
  return (Rule){3, dls_checked_cell(ceil(length / 1.5), MOST_PIECES), place3, share3};
}

/* Spot n of the rule along the spread. */
static Spot spot_of(const DlsDeposit *d, const DlsSpread *spread, const Rule *rule, int n) {
  const int piece = n / rule->order;
  const double t = (piece + rule->place[n % rule->order]) / rule->pieces;
  Spot spot = {.share = d->factor * rule->share[n % rule->order] / rule->pieces};
  for (int k = 0; k < 3; k++) {
    spot.x[k] = spread->a[k] + t * (spread->b[k] - spread->a[k]);
    spot.way[k] = d->kernel.kind == DLS_KERNEL_TOP_HAT ? spread->b[k] - spread->a[k] : 0;
  }
  spot.length = dls_vector_dot(spot.way, spot.way);
  return spot;
}

/* Makes room for a spread and puts its box around the batch. What would widen the box by much
 * begins the next batch. */
static void join(DlsDeposit *d, int group, int half, const DlsSpread *spread, int spots) {
  DlsDepositBatch *batch = &d->batch;
  double low[3], high[3];
  bool near = batch->spots > 0 && batch->spots + spots <= SPOTS && batch->spreads[half] < SPREADS &&
              batch->group == group;
  for (int k = 0; k < 3; k++) {
    low[k] = least(spread->a[k], spread->b[k]);
    high[k] = most(spread->a[k], spread->b[k]);
    if (!near) continue;
    const double own = most(high[k] - low[k], batch->high[k] - batch->low[k]);
    const double both = most(high[k], batch->high[k]) - least(low[k], batch->low[k]);
    near = both <= most(own, 0.3 * d->reach);
  }
  if (!near) dls_deposit_flush(d);
  for (int k = 0; k < 3; k++) {
    batch->low[k] = near ? least(low[k], batch->low[k]) : low[k];
    batch->high[k] = near ? most(high[k], batch->high[k]) : high[k];
  }
  batch->group = group;
  memcpy(batch->value[half][batch->spreads[half]++], spread->value, sizeof spread->value);
}

void dls_deposit_add(DlsDeposit *d, int group, int half, const DlsSpread *spread) {
  DlsDepositBatch *batch = &d->batch;
  const Rule rule = rule_of(d, spread);
  const int spots = rule.order * rule.pieces;
  for (int n = 0; n < spots; n++) {
    /* Long ways with more spots than a batch holds are joined anew. */
    if (n % SPOTS == 0) join(d, group, half, spread, spots - n < SPOTS ? spots - n : SPOTS);
    batch->spot[batch->spots] = spot_of(d, spread, &rule, n);
    batch->spot[batch->spots].half = half;
    batch->spot[batch->spots].first = n % SPOTS == 0;
    batch->ways = batch->ways || batch->spot[batch->spots].length > 0;
    batch->spot[batch->spots++].spread = batch->spreads[half] - 1;
  }
}
