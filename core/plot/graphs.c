#include "plot/graphs.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "plot/legend.h"

enum { WIDTH = 400, HEIGHT = 300, HEAD = 84, MOST = 3 }; /* px; curves of a graph */

/* Low and high of the curves, widened; a flat curve gets a range of its own size. */
static void range_of(const DlsPlotPanel *g, bool of_x, double range[2]) {
  double low = 0, high = 0; /* the axis is always in sight */
  for (int k = 0; k < g->count; k++)
    for (int i = 0; i < g->curves[k].count; i++) {
      const double value = of_x ? g->curves[k].x[i] : g->curves[k].y[i];
      low = fmin(low, value);
      high = fmax(high, value);
    }
  const double width = high - low > 0 ? high - low : 1;
  range[0] = low - 0.08 * width;
  range[1] = high + 0.08 * width;
}

static DlsStatus draw_curves(DlsSvg *svg, const DlsPlotPanel *g, const DlsSvgFrame *frame) {
  DlsSvgLegend rows[MOST];
  DlsPlotTrace traces[MOST];
  int labels = 0;
  for (int k = 0; k < g->count && k < MOST; k++) {
    const DlsPlotCurve *curve = &g->curves[k];
    const DlsSvgStyle style = {
        .fill = DLS_COLOUR_NONE, .stroke = dls_plot_inks[k], .width = 2, .dash = k == 1 ? 6 : 0};
    double *points;
    DLS_NEW(points, 3 * (size_t)curve->count + 1);
    for (int i = 0; i < curve->count; i++)
      points[3 * i] = curve->x[i], points[3 * i + 1] = curve->y[i];
    dls_svg_polyline(svg, points, curve->count, &style);
    free(points);
    traces[k] = (DlsPlotTrace){curve->x, curve->y, curve->count, false};
    if (curve->label) rows[labels++] = (DlsSvgLegend){curve->label, style, false};
  }
  if (labels) dls_plot_legend(svg, frame, traces, g->count < MOST ? g->count : MOST, rows, labels);
  return DLS_OK;
}

static DlsStatus draw_panel(DlsSvg *svg, const DlsPlotPanel *g, double left, double top) {
  const DlsSvgStyle axis = {.stroke = 0x999999, .width = 1, .fill = DLS_COLOUR_NONE};
  DlsSvgFrame frame = {.box = {left + 84, top + 30, WIDTH - 104, HEIGHT - 85}};
  range_of(g, true, frame.x);
  range_of(g, false, frame.y);
  if (g->equal) dls_plot_equalise(&frame);
  const double across[2][3] = {{frame.x[0], 0, 0}, {frame.x[1], 0, 0}};
  const double up[2][3] = {{0, frame.y[0], 0}, {0, frame.y[1], 0}};
  const DlsSvgAxes axes = {g->title, g->x_label, g->y_label, true};
  dls_svg_frame(svg, &frame);
  dls_svg_axes(svg, &axes);
  dls_svg_line(svg, across[0], across[1], &axis);
  dls_svg_line(svg, up[0], up[1], &axis);
  return draw_curves(svg, g, &frame);
}

static void draw_head(DlsSvg *svg, const DlsPlotHead *head) {
  const DlsSvgText large = {.size = head->size, .anchor = -1, .bold = true};
  const DlsSvgText small = {.size = 13, .anchor = -1, .ink = 0x444444};
  dls_svg_text(svg, 24, 28, head->title, &large);
  for (int k = 0; k < head->count; k++) dls_svg_text(svg, 24, 50 + 18 * k, head->lines[k], &small);
}

DlsStatus dls_plot_graphs(const DlsPlotHead *head, const DlsPlotPanel *graphs, int count,
                          const char *path) {
  DlsSvg *svg = NULL;
  const int rows = (count + 1) / 2;
  DlsStatus status = dls_svg_create(2 * WIDTH, HEAD + rows * HEIGHT, &svg);
  if (status == DLS_OK) draw_head(svg, head);
  for (int k = 0; k < count && status == DLS_OK; k++) {
    const int row = k / 2, column = k % 2;
    status = draw_panel(svg, &graphs[k], column * WIDTH, HEAD + row * HEIGHT);
  }
  if (status == DLS_OK) status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
