#include "plot/panel.h"

#include <math.h>
#include <stddef.h>

#include "plot/legend.h"

const DlsColour dls_plot_inks[DLS_PLOT_INKS] = {0x1f5fa8, 0xc0392b, 0x2e7d32, 0xb8860b,
                                                0x7b3fa0, 0x0e8a8a, 0x555555, 0xd2691e};

static void widen(double value, double range[2]) {
  if (!isfinite(value)) return;
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

void dls_plot_equalise(DlsSvgFrame *f) {
  const double scale =
      fmax((f->x[1] - f->x[0]) / f->box.width, (f->y[1] - f->y[0]) / f->box.height);
  const double x = 0.5 * (f->x[0] + f->x[1]), y = 0.5 * (f->y[0] + f->y[1]);
  f->x[0] = x - 0.5 * scale * f->box.width, f->x[1] = 2 * x - f->x[0];
  f->y[0] = y - 0.5 * scale * f->box.height, f->y[1] = 2 * y - f->y[0];
}

static DlsSvgFrame frame_of(DlsSvgBox box, const DlsPlotPanel *panel) {
  DlsSvgFrame frame = {.box = {box.left + 78, box.top + 30, box.width - 98, box.height - 85},
                       .x = {INFINITY, -INFINITY},
                       .y = {INFINITY, -INFINITY},
                       .log_x = panel->log_x,
                       .log_y = panel->log_y};
  for (int n = 0; n < panel->count; n++)
    for (int i = 0; i < panel->curves[n].count; i++) {
      const DlsPlotCurve *curve = &panel->curves[n];
      for (int sign = -1; sign <= 1; sign++) {
        const double off = curve->error && isfinite(curve->error[i]) ? sign * curve->error[i] : 0;
        const double y = curve->y[i] + (curve->across ? 0 : off);
        const double x = curve->x[i] + (curve->across ? off : 0);
        if (!panel->log_x || x > 0) widen(x, frame.x);
        if (!panel->log_y || y > 0) widen(y, frame.y);
      }
    }
  if (panel->zero_x) widen(0, frame.x);
  if (panel->zero_y) widen(0, frame.y);
  if (panel->log_x) {
    if (!(frame.x[0] <= frame.x[1])) frame.x[0] = frame.x[1] = 1;
    frame.x[0] /= 1.3;
    frame.x[1] *= 1.3;
  }
  if (panel->log_y) {
    if (!(frame.y[0] <= frame.y[1])) frame.y[0] = frame.y[1] = 1;
    frame.y[0] = panel->floor_y > 0 ? panel->floor_y : frame.y[0] / 2;
    frame.y[1] = fmax(2 * frame.y[1], 10 * frame.y[0]);
  }
  for (int axis = 0; axis < 2; axis++) {
    double *range = axis ? frame.y : frame.x;
    if (axis ? panel->log_y : panel->log_x) continue;
    if (!(range[0] <= range[1])) range[0] = 0, range[1] = 1;
    const double size = range[1] - range[0], room = size > 0 ? 0.06 * size : fabs(range[0]) + 1e-30;
    range[0] -= room;
    range[1] += room;
  }
  if (panel->equal) dls_plot_equalise(&frame);
  if (panel->count > 1 && !panel->equal && !panel->log_y) /* room for the legend */
    frame.y[1] += 0.25 * (frame.y[1] - frame.y[0]);
  return frame;
}

/* One quadrilateral for each stretch; dots have bars. */
static void draw_band(DlsSvg *svg, const DlsPlotCurve *c, const DlsSvgFrame *frame) {
  const DlsSvgStyle band = {.fill = c->ink, .stroke = c->ink, .opacity = 0.22};
  const DlsSvgStyle bar = {.fill = DLS_COLOUR_NONE, .stroke = c->ink, .width = 1};
  const int dx = c->across, dy = !c->across;
  for (int i = 0; i < c->count; i++) {
    const double e = c->error[i];
    double low[3] = {c->x[i] - dx * e, c->y[i] - dy * e, 0};
    const double high[3] = {c->x[i] + dx * e, c->y[i] + dy * e, 0};
    if (!isfinite(e) || (frame->log_y && !(high[1] > frame->y[0]))) continue;
    if (frame->log_x && !(low[0] >= frame->x[0])) continue;
    if (frame->log_y) low[1] = fmax(low[1], frame->y[0]);
    if (c->dots) {
      dls_svg_line(svg, low, high, &bar);
    } else if (i + 1 < c->count && isfinite(c->error[i + 1])) {
      const double f = c->error[i + 1], x = c->x[i + 1], y = c->y[i + 1];
      const double points[12] = {low[0],     low[1],     0, high[0],    high[1],    0,
                                 x + dx * f, y + dy * f, 0, x - dx * f, y - dy * f, 0};
      dls_svg_polygon(svg, points, 4, &band);
    }
  }
}

/* Points at which a logarithm can be drawn, and that are numbers. */
static bool shows(const DlsSvgFrame *frame, const DlsPlotCurve *curve, int i) {
  if (!isfinite(curve->x[i]) || !isfinite(curve->y[i])) return false;
  return (!frame->log_x || curve->x[i] >= frame->x[0]) &&
         (!frame->log_y || curve->y[i] >= frame->y[0]);
}

static void draw_curve(DlsSvg *svg, const DlsPlotCurve *curve, const DlsSvgFrame *frame) {
  const double pixel = fabs(frame->x[1] - frame->x[0]) / frame->box.width;
  const DlsSvgStyle line = {.fill = DLS_COLOUR_NONE, .stroke = curve->ink, .width = 2};
  const DlsSvgStyle dot = {.fill = curve->ink, .stroke = curve->ink, .width = 0.5};
  for (int i = 0; i < curve->count; i++) {
    const double at[3] = {curve->x[i], curve->y[i], 0};
    if (!shows(frame, curve, i)) continue;
    if (curve->dots) {
      dls_svg_circle(svg, at, 3 * pixel, &dot);
    } else if (i + 1 < curve->count && shows(frame, curve, i + 1)) {
      const double next[3] = {curve->x[i + 1], curve->y[i + 1], 0};
      dls_svg_line(svg, at, next, &line);
    }
  }
}

void dls_plot_panel(DlsSvg *svg, DlsSvgBox box, const DlsPlotPanel *panel) {
  const DlsSvgFrame frame = frame_of(box, panel);
  const DlsSvgAxes axes = {panel->title, panel->x_label, panel->y_label, true};
  DlsSvgLegend rows[8];
  DlsPlotTrace traces[8];
  int labels = 0, shown = 0;
  dls_svg_frame(svg, &frame);
  dls_svg_axes(svg, &axes);
  for (int n = 0; n < panel->count; n++) {
    const DlsPlotCurve *curve = &panel->curves[n];
    if (curve->error) draw_band(svg, curve, &frame);
    draw_curve(svg, curve, &frame);
    if (shown < DLS_COUNT(traces))
      traces[shown++] = (DlsPlotTrace){curve->x, curve->y, curve->count, curve->dots};
    if (curve->label && labels < DLS_COUNT(rows))
      rows[labels++] = (DlsSvgLegend){
          curve->label, {.fill = curve->ink, .stroke = curve->ink, .width = 2}, curve->dots};
  }
  if (labels > 1) dls_plot_legend(svg, &frame, traces, shown, rows, labels);
}

DlsStatus dls_plot_panels(const DlsPlotPanel *panels, int count, int rows, double width,
                          double height, const char *path) {
  DlsSvg *svg = NULL;
  const int columns = (count + rows - 1) / rows;
  DLS_TRY(dls_svg_create(columns * width, rows * height, &svg));
  for (int k = 0; k < count; k++) {
    const int column = k / rows, row = k % rows;
    dls_plot_panel(svg, (DlsSvgBox){column * width, row * height, width, height}, &panels[k]);
  }
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
