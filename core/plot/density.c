#include "plot/density.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>

#include "base/file.h"
#include "plot/runner.h"
#include "plot/table.h"

enum {
  WIDTH = 720,
  HEIGHT = 500,
  LEFT = 70,
  TOP = 122,
  ACROSS = 440,
  DOWN = 320,
  BARS = 64,
  GAP = 12
};
enum { BINS = 64, STACKED = 8 };
static const double per_decade[2] = {2, 10}; /* bins of x and of y */

/* Bins of one axis; those of each runner stand on those of the runners before it. */
typedef struct {
  int first, count;
  int of[BINS][STACKED], most;
} Bins;

static int bin_of(double value, int axis) {
  return (int)floor(log10(value) * per_decade[axis] + 1e-9);
}

static void count_bins(const DlsPlotRace *race, const DlsPlotRun *runs, int axis, Bins *out) {
  int low = INT_MAX, high = INT_MIN;
  *out = (Bins){0};
  for (int s = 0; s < race->runners; s++)
    for (int k = 0; k < runs[s].count; k++) {
      const int bin = bin_of(runs[s].point[k][axis], axis);
      if (bin < low) low = bin;
      if (bin > high) high = bin;
    }
  if (low > high) low = high = 0;
  out->first = low;
  out->count = high - low + 1 < BINS ? high - low + 1 : BINS;
  for (int s = 0; s < race->runners; s++)
    for (int k = 0; k < runs[s].count; k++) {
      const int bin = bin_of(runs[s].point[k][axis], axis) - low;
      if (bin < BINS) out->of[bin][s < STACKED ? s : STACKED - 1]++;
    }
  for (int b = 0; b < out->count; b++) {
    int sum = 0;
    for (int s = 0; s < STACKED; s++) sum += out->of[b][s];
    if (sum > out->most) out->most = sum;
  }
}

/* axis 0: bars upwards, above the plot; 1: to the right of it. Each with its number. */
static void draw_bars(DlsSvg *svg, const Bins *bins, int axis) {
  const double step = (axis ? DOWN : ACROSS) / (double)bins->count;
  const DlsSvgText small = {.size = 11, .anchor = axis ? -1 : 0, .ink = 0x333333};
  for (int b = 0; b < bins->count; b++) {
    int sum = 0;
    for (int s = 0; s < STACKED; s++) {
      const double from = BARS * (double)sum / bins->most,
                   size = BARS * (double)bins->of[b][s] / bins->most;
      const DlsSvgStyle style = {.fill = dls_plot_colour(s), .stroke = 0xffffff, .width = 0.6};
      const DlsSvgBox upright = {LEFT + step * b + 1, TOP - GAP - from - size, step - 2, size};
      const DlsSvgBox level = {LEFT + ACROSS + GAP + from, TOP + DOWN - step * (b + 1) + 1, size,
                               step - 2};
      if (size > 0) dls_svg_panel(svg, axis ? level : upright, &style);
      sum += bins->of[b][s];
    }
    char text[16];
    const double length = BARS * (double)sum / bins->most;
    snprintf(text, sizeof text, "%d", sum);
    if (sum && axis && step > 9)
      dls_svg_text(svg, LEFT + ACROSS + GAP + length + 4, TOP + DOWN - step * (b + 0.5) + 4, text,
                   &small);
    else if (sum && !axis)
      dls_svg_text(svg, LEFT + step * (b + 0.5), TOP - GAP - length - 4, text, &small);
  }
}

static void draw_points(DlsSvg *svg, const DlsPlotRace *race, const DlsPlotRun *runs,
                        DlsFile *table) {
  const DlsSvgText plain = {.size = 12, .anchor = -1, .ink = 0x333333};
  for (int s = 0; s < race->runners; s++) {
    const double row = TOP - 82 + 20 * s;
    for (int k = 0; k < runs[s].count; k++) {
      const double at[3] = {runs[s].point[k][0], runs[s].point[k][1], 0};
      dls_svg_mark(svg, at, dls_plot_mark(s), 9, dls_plot_colour(s));
      dls_plot_row(table, race->names[s], at[0], at[1]);
    }
    dls_svg_page_mark(svg, LEFT + ACROSS + 26, row, dls_plot_mark(s), 9, dls_plot_colour(s));
    dls_svg_text(svg, LEFT + ACROSS + 38, row + 4, race->names[s], &plain);
  }
}

DlsStatus dls_plot_density(DlsPlotRace *race, const DlsPlotRun *runs, const char *stem) {
  Bins bins[2];
  for (int axis = 0; axis < 2; axis++) {
    double *range = axis ? race->y : race->x;
    count_bins(race, runs, axis, &bins[axis]);
    range[0] = pow(10, bins[axis].first / per_decade[axis]);
    range[1] = pow(10, (bins[axis].first + bins[axis].count) / per_decade[axis]);
  }
  const DlsSvgFrame frame = {.box = {LEFT, TOP, ACROSS, DOWN},
                             .x = {race->x[0], race->x[1]},
                             .y = {race->y[0], race->y[1]},
                             .log_x = true,
                             .log_y = true};
  const DlsSvgAxes axes = {NULL, race->x_label, race->y_label, true};
  const DlsSvgText title = {.size = 15, .anchor = 0, .bold = true, .ink = 0x333333};
  char path[PATH_MAX];
  DlsFile *table;
  DlsSvg *svg = NULL;
  snprintf(path, sizeof path, "%s.csv", stem);
  DLS_TRY(dls_file_begin(path, &table));
  dls_file_print(table, "%s\n", race->columns);
  DlsStatus status = dls_svg_create(WIDTH, HEIGHT, &svg);
  if (status == DLS_OK) {
    dls_svg_frame(svg, &frame);
    dls_svg_axes(svg, &axes);
    dls_svg_text(svg, LEFT + 0.5 * ACROSS, 20, race->title, &title);
    for (int axis = 0; axis < 2; axis++) draw_bars(svg, &bins[axis], axis);
    draw_points(svg, race, runs, table);
    snprintf(path, sizeof path, "%s.svg", stem);
    status = dls_svg_write(svg, path);
  }
  dls_svg_destroy(&svg);
  if (status == DLS_OK) return dls_file_place(&table);
  dls_file_abandon(&table);
  return status;
}
