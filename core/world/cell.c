#include "world/cell.h"

#include <string.h>

#include "base/small.h"
#include "world/rotation.h"

DlsStatus dls_cell_make(int dim, unsigned axes, const double low[3], const double high[3],
                        DlsCell *out) {
  memset(out, 0, sizeof *out);
  DLS_CHECK(axes != 0 && axes < 1u << dim, DLS_ERR_ARGUMENT,
            "a cell in %d-D is periodic along one axis at least, and along none beyond z", dim);
  out->axes = axes;
  for (int k = 0; k < 3; k++) {
    const bool periodic = axes & (1u << k);
    DLS_CHECK(!periodic || (isfinite(low[k]) && isfinite(high[k]) && high[k] > low[k]),
              DLS_ERR_ARGUMENT, "the cell goes from %g to %g m along %c: high must be above low",
              low[k], high[k], "xyz"[k]);
    out->corner[k] = periodic ? low[k] : 0;
    out->edge[k][k] = periodic ? high[k] - low[k] : 1;
  }
  return dls_cell_update(out);
}

DlsStatus dls_cell_update(DlsCell *cell) {
  double A[9], b[9] = {0};
  for (int column = 0; column < 3; column++) {
    double x[3] = {column == 0, column == 1, column == 2};
    for (int i = 0; i < 3; i++)
      for (int k = 0; k < 3; k++) A[3 * i + k] = cell->edge[k][i];
    DLS_CHECK(dls_small_finite(9, A) && dls_small_solve(3, A, x), DLS_ERR_NUMERIC,
              "the periodic cell has no volume any more");
    for (int k = 0; k < 3; k++) b[3 * k + column] = x[k];
  }
  memcpy(cell->inverse, b, sizeof b);
  return DLS_OK;
}

void dls_cell_drift(DlsCell *cell, double h) {
  bool moves = false;
  for (int k = 0; k < 3; k++)
    for (int i = 0; i < 3; i++) {
      cell->edge[k][i] += h * cell->rate[k][i];
      moves |= cell->rate[k][i] != 0;
    }
  /* A cell that has lost its volume keeps its last inverse: the next detection refuses it. */
  if (moves) (void)dls_cell_update(cell);
}

void dls_cell_reduce(DlsCell *cell) {
  bool changed = false;
  for (int j = 1; j < 3; j++)
    for (int k = 0; k < j; k++) {
      if (!(cell->axes & (1u << k)) || !(cell->axes & (1u << j))) continue;
      const double n = rint(dls_vector_dot(cell->edge[j], cell->edge[k]) /
                            dls_vector_dot(cell->edge[k], cell->edge[k]));
      if (n == 0) continue;
      changed = true;
      for (int i = 0; i < 3; i++) {
        cell->edge[j][i] -= n * cell->edge[k][i];
        cell->rate[j][i] -= n * cell->rate[k][i];
      }
    }
  if (changed) (void)dls_cell_update(cell);
}

double dls_cell_width(const DlsCell *cell, int k) {
  return 1 / dls_vector_norm(cell->inverse + 3 * k);
}

double dls_cell_room(const DlsCell *cell) {
  double cross[3];
  dls_vector_cross(cell->edge[1], cell->edge[2], cross);
  return fabs(dls_vector_dot(cell->edge[0], cross));
}

void dls_cell_pack(const DlsCell *cell, double out[DLS_CELL_ROWS][3]) {
  memset(out, 0, DLS_CELL_ROWS * sizeof *out);
  out[0][0] = cell->axes;
  memcpy(out[1], cell->corner, sizeof out[1]);
  memcpy(out[2], cell->edge, sizeof cell->edge);
  memcpy(out[5], cell->rate, sizeof cell->rate);
}

DlsStatus dls_cell_unpack(int dim, double in[DLS_CELL_ROWS][3], DlsCell *out) {
  memset(out, 0, sizeof *out);
  DLS_CHECK(dls_small_finite(3 * DLS_CELL_ROWS, in[0]) && in[0][0] >= 0 && in[0][0] < 1 << dim &&
                in[0][0] == floor(in[0][0]),
            DLS_ERR_FORMAT, "the numbers of the cell are none of a periodic cell");
  out->axes = (unsigned)in[0][0];
  if (!out->axes) return DLS_OK;
  memcpy(out->corner, in[1], sizeof out->corner);
  memcpy(out->edge, in[2], sizeof out->edge);
  memcpy(out->rate, in[5], sizeof out->rate);
  return dls_cell_update(out) == DLS_OK
             ? DLS_OK
             : dls_fail(DLS_ERR_FORMAT, "the edges of the cell span no volume");
}
