#include "post/flow.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

static int cells_of(const DlsFlow *f) { return f->cells[0] * f->cells[1]; }

static size_t at(const DlsFlow *f, int interval, int column, int row) {
  return (size_t)interval * (size_t)cells_of(f) + (size_t)row * (size_t)f->cells[0] +
         (size_t)column;
}

/* The cell along one axis; -1 outside. The upper end belongs to the last one. */
static int cell_along(const DlsFlow *f, int side, double x) {
  const double place = (x - f->low[side]) / f->width[side];
  if (!(place >= 0) || place > f->cells[side]) return -1;
  return place < f->cells[side] ? (int)place : f->cells[side] - 1;
}

static void take_interval(const DlsTracks *t, int m, DlsFlow *f) {
  for (int b = 0; b < t->bodies; b++) {
    const double *from = dls_tracks_at(t, m, b), *to = dls_tracks_at(t, m + 1, b);
    int cell[2];
    for (int k = 0; k < 2; k++)
      cell[k] = cell_along(f, k, 0.5 * (from[f->axis[k]] + to[f->axis[k]]));
    if (cell[0] < 0 || cell[1] < 0) continue;
    const size_t n = at(f, m, cell[0], cell[1]);
    f->bodies[n]++;
    for (int k = 0; k < 2; k++) f->way[n][k] += to[f->axis[k]] - from[f->axis[k]];
  }
}

DlsStatus dls_flow_take(const DlsTracks *t, int a, int b, int across, int up, const double low[3],
                        const double high[3], DlsFlow *f) {
  *f = (DlsFlow){.axis = {a, b}, .cells = {across, up}, .intervals = t->moments - 1};
  for (int k = 0; k < 2; k++) {
    f->low[k] = low[f->axis[k]];
    f->width[k] = (high[f->axis[k]] - f->low[k]) / f->cells[k];
    DLS_CHECK(f->width[k] > 0, DLS_ERR_ARGUMENT,
              "the flow on a grid: all bodies are in one line, which has no cells across it");
  }
  const size_t count = (size_t)f->intervals * (size_t)cells_of(f);
  DLS_NEW(f->bodies, count);
  DLS_NEW(f->way, count);
  for (int m = 0; m < f->intervals; m++) take_interval(t, m, f);
  return DLS_OK;
}

void dls_flow_clear(DlsFlow *f) {
  free(f->bodies);
  free(f->way);
  *f = (DlsFlow){0};
}

/* The mean move in a cell along one axis, without the interval `without` (-1: of all). */
static double mean_in(const DlsFlow *f, int column, int row, int side, int without) {
  double bodies = 0, way = 0;
  for (int m = 0; m < f->intervals; m++) {
    if (m == without) continue;
    const size_t n = at(f, m, column, row);
    bodies += f->bodies[n];
    way += f->way[n][side];
  }
  return bodies > 0 ? way / bodies : NAN;
}

/* The jackknife's error, from n means each without one interval. */
typedef struct {
  int count;
  double mean, square; /* of those so far: Welford's sums */
} Jackknife;

static void leave_out(Jackknife *j, double mean) {
  const double off = mean - j->mean;
  j->mean += off / ++j->count;
  j->square += off * (mean - j->mean);
}

static double error_of(const Jackknife *j) {
  return j->count < 2 ? NAN : sqrt(j->square * (j->count - 1) / j->count);
}

DlsFlowCell dls_flow_cell(const DlsFlow *f, int column, int row) {
  DlsFlowCell out = {.bodies = 0};
  for (int m = 0; m < f->intervals; m++) {
    const double bodies = f->bodies[at(f, m, column, row)];
    out.bodies += bodies;
    out.intervals += bodies > 0;
  }
  if (f->intervals) out.bodies /= f->intervals;
  for (int k = 0; k < 2; k++) {
    Jackknife left = {0};
    out.mean[k] = mean_in(f, column, row, k, -1);
    for (int m = 0; m < f->intervals; m++) leave_out(&left, mean_in(f, column, row, k, m));
    out.error[k] = error_of(&left);
  }
  return out;
}

int dls_flow_rows(const DlsFlow *f, int first, int last) {
  for (int row = 0; row < f->cells[1]; row++)
    for (int column = first; column <= last; column++) {
      int there = 0;
      for (int m = 0; m < f->intervals; m++) there += f->bodies[at(f, m, column, row)] > 0;
      if (2 * there < f->intervals || there == 0) return row;
    }
  return f->cells[1];
}

/* ∮ u·dl: each cell of the ring counts with half of the pieces that meet in its middle. */
static double around(const DlsFlow *f, int first, int last, int rows, int without) {
  double sum = 0;
  for (int column = first; column <= last; column++) {
    const double piece = f->width[0] * (column == first || column == last ? 0.5 : 1);
    sum += piece * (mean_in(f, column, 0, 0, without) - mean_in(f, column, rows - 1, 0, without));
  }
  for (int row = 0; row < rows; row++) {
    const double piece = f->width[1] * (row == 0 || row == rows - 1 ? 0.5 : 1);
    sum += piece * (mean_in(f, last, row, 1, without) - mean_in(f, first, row, 1, without));
  }
  return sum;
}

DlsFlowLoop dls_flow_circulation(const DlsFlow *f, int first, int last, int rows) {
  Jackknife left = {0};
  for (int m = 0; m < f->intervals; m++) leave_out(&left, around(f, first, last, rows, m));
  return (DlsFlowLoop){.mean = around(f, first, last, rows, -1),
                       .error = error_of(&left),
                       .area = (last - first) * f->width[0] * (rows - 1) * f->width[1]};
}
