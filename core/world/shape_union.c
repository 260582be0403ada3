/* The part of a cluster that its spheres share. Along a line the intervals of the spheres are known
 * exactly, and so are the moments of their sum and of their union; the difference is summed over a
 * raster of lines (midpoint rule), which covers the overlaps alone. */
#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "world/shape_impl.h"

/* Lines in all, and their number times the spheres, bound the work; 2-D has one row of lines. */
static const double max_lines = 4e5, max_work = 4e7, min_lines = 4e3;

typedef struct {
  double low, high;
} Interval;

/* The smallest box around all lenses that two spheres share; false when there is none. */
static bool overlap_box(int dim, int count, const DlsElement *e, double low[3], double high[3]) {
  bool found = false;
  for (int i = 0; i < count; i++)
    for (int j = i + 1; j < count; j++) {
      double square = 0;
      for (int k = 0; k < dim; k++)
        square += (e[i].offset[k] - e[j].offset[k]) * (e[i].offset[k] - e[j].offset[k]);
      const double sum = e[i].radius + e[j].radius;
      if (square >= sum * sum * (1 - 1e-14)) continue;
      for (int k = 0; k < 3; k++) {
        const double a = fmax(e[i].offset[k] - e[i].radius, e[j].offset[k] - e[j].radius);
        const double b = fmin(e[i].offset[k] + e[i].radius, e[j].offset[k] + e[j].radius);
        low[k] = found ? fmin(low[k], a) : a;
        high[k] = found ? fmax(high[k], b) : b;
      }
      found = true;
    }
  return found;
}

/* Moments of an interval of a line, of weight +1 or -1: length, mean, mean square. */
static void add_interval(Interval i, double weight, double sum[3]) {
  sum[0] += weight * (i.high - i.low);
  sum[1] += weight * (i.high * i.high - i.low * i.low) / 2;
  sum[2] += weight * (i.high * i.high * i.high - i.low * i.low * i.low) / 3;
}

/* Sum over the spheres less the union, along the line at (x, y), in 2-D at x. */
static void line_excess(int dim, int count, const DlsElement *e, const double at[2],
                        Interval *intervals, double sum[3]) {
  int n = 0;
  sum[0] = sum[1] = sum[2] = 0;
  for (int i = 0; i < count; i++) {
    double square = e[i].radius * e[i].radius;
    for (int k = 0; k < dim - 1; k++) square -= (at[k] - e[i].offset[k]) * (at[k] - e[i].offset[k]);
    if (square <= 0) continue;
    const double half = sqrt(square), middle = e[i].offset[dim - 1];
    const Interval new = {middle - half, middle + half};
    int place = n++;
    for (; place > 0 && intervals[place - 1].low > new.low; place--)
      intervals[place] = intervals[place - 1];
    intervals[place] = new;
    add_interval(new, 1, sum);
  }
  if (n < 2) {
    sum[0] = sum[1] = sum[2] = 0;
    return;
  }
  Interval merged = intervals[0];
  for (int i = 1; i < n; i++) {
    if (intervals[i].low <= merged.high) {
      merged.high = fmax(merged.high, intervals[i].high);
      continue;
    }
    add_interval(merged, -1, sum);
    merged = intervals[i];
  }
  add_interval(merged, -1, sum);
}

static void add_line(int dim, const double at[2], const double sum[3], double area,
                     DlsMoments *out) {
  const double x = at[0], y = at[1];
  out->volume += area * sum[0];
  out->first[0] += area * x * sum[0];
  out->second[0] += area * x * x * sum[0];
  if (dim == 2) {
    out->first[1] += area * sum[1];
    out->second[1] += area * sum[2];
    out->second[3] += area * x * sum[1];
    return;
  }
  out->first[1] += area * y * sum[0];
  out->first[2] += area * sum[1];
  out->second[1] += area * y * y * sum[0];
  out->second[2] += area * sum[2];
  out->second[3] += area * x * y * sum[0];
  out->second[4] += area * y * sum[1];
  out->second[5] += area * x * sum[1];
}

DlsStatus dls_shape_excess(int dim, int count, const DlsElement *element, DlsMoments *out) {
  double low[3], high[3];
  Interval *intervals;
  *out = (DlsMoments){0};
  if (!overlap_box(dim, count, element, low, high)) return DLS_OK;
  DLS_NEW(intervals, count);
  const double lines = fmax(fmin(max_lines, max_work / count), min_lines);
  const double width = high[0] - low[0], depth = dim == 3 ? high[1] - low[1] : width;
  /* Square cells in 3-D. */
  const double cell = dim == 3 ? sqrt(width * depth / lines) : width / lines;
  const int nx = (int)fmax(1, ceil(width / cell)),
            ny = dim == 3 ? (int)fmax(1, ceil(depth / cell)) : 1;
  const double dx = width / nx, dy = dim == 3 ? depth / ny : 1;
  for (int i = 0; i < nx; i++)
    for (int j = 0; j < ny; j++) {
      const double at[2] = {low[0] + (i + 0.5) * dx, low[1] + (j + 0.5) * dy};
      double sum[3];
      line_excess(dim, count, element, at, intervals, sum);
      if (sum[0] > 0) add_line(dim, at, sum, dx * dy, out);
    }
  free(intervals);
  return DLS_OK;
}
