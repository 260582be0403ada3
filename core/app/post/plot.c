#include "app/post/plot.h"

#include "app/legend.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const double pi = 3.14159265358979323846;
enum { TURN = 180, WIDTH = 420, HEIGHT = 400 };

const DlsColour post_inks[8] = {0x1f5fa8, 0xc0392b, 0x2e7d32, 0xb8860b,
                                0x7b3fa0, 0x0e8a8a, 0x555555, 0xd2691e};

DlsStatus post_reals(size_t count, double **out) {
  *out = calloc(count + 1, sizeof **out);
  DLS_CHECK(*out, DLS_ERR_MEMORY, "out of memory for a picture of %zu numbers", count);
  return DLS_OK;
}

static void widen(double value, double range[2]) {
  if (!isfinite(value)) return;
  range[0] = fmin(range[0], value);
  range[1] = fmax(range[1], value);
}

/* The same length of a unit along both axes. */
static void equalise(DlsSvgFrame *f) {
  const double scale =
      fmax((f->x[1] - f->x[0]) / f->box.width, (f->y[1] - f->y[0]) / f->box.height);
  const double x = 0.5 * (f->x[0] + f->x[1]), y = 0.5 * (f->y[0] + f->y[1]);
  f->x[0] = x - 0.5 * scale * f->box.width, f->x[1] = 2 * x - f->x[0];
  f->y[0] = y - 0.5 * scale * f->box.height, f->y[1] = 2 * y - f->y[0];
}

static DlsSvgFrame frame_of(DlsSvgBox box, const PostPanel *panel) {
  DlsSvgFrame frame = {.box = {box.left + 78, box.top + 30, box.width - 98, box.height - 85},
                       .x = {INFINITY, -INFINITY},
                       .y = {INFINITY, -INFINITY},
                       .log_y = panel->log_y};
  for (int n = 0; n < panel->count; n++)
    for (int i = 0; i < panel->curves[n].count; i++) {
      const PostCurve *curve = &panel->curves[n];
      for (int sign = -1; sign <= 1; sign++) {
        const double off = curve->error && isfinite(curve->error[i]) ? sign * curve->error[i] : 0;
        const double y = curve->y[i] + (curve->across ? 0 : off);
        widen(curve->x[i] + (curve->across ? off : 0), frame.x);
        if (!panel->log_y || y > 0) widen(y, frame.y);
      }
    }
  if (panel->zero_x) widen(0, frame.x);
  if (panel->zero_y) widen(0, frame.y);
  if (panel->log_y) {
    frame.y[0] = panel->floor_y;
    frame.y[1] = fmax(2 * frame.y[1], 10 * frame.y[0]);
  }
  for (int axis = 0; axis < (panel->log_y ? 1 : 2); axis++) {
    double *range = axis ? frame.y : frame.x;
    if (!(range[0] <= range[1])) range[0] = 0, range[1] = 1;
    const double size = range[1] - range[0], room = size > 0 ? 0.06 * size : fabs(range[0]) + 1e-30;
    range[0] -= room;
    range[1] += room;
  }
  if (panel->equal) equalise(&frame);
  if (panel->count > 1 && !panel->equal && !panel->log_y) /* room for the legend */
    frame.y[1] += 0.25 * (frame.y[1] - frame.y[0]);
  return frame;
}

/* One quadrilateral for each stretch; dots have bars. */
static void draw_band(DlsSvg *svg, const PostCurve *c, const DlsSvgFrame *frame) {
  const DlsSvgStyle band = {.fill = c->ink, .stroke = c->ink, .opacity = 0.22};
  const DlsSvgStyle bar = {.fill = DLS_COLOUR_NONE, .stroke = c->ink, .width = 1};
  const int dx = c->across, dy = !c->across;
  for (int i = 0; i < c->count; i++) {
    const double e = c->error[i];
    double low[3] = {c->x[i] - dx * e, c->y[i] - dy * e, 0};
    const double high[3] = {c->x[i] + dx * e, c->y[i] + dy * e, 0};
    if (!isfinite(e) || (frame->log_y && !(high[1] > frame->y[0]))) continue;
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

static void draw_curve(DlsSvg *svg, const PostCurve *curve, const DlsSvgFrame *frame) {
  const double pixel = fabs(frame->x[1] - frame->x[0]) / frame->box.width;
  const DlsSvgStyle line = {.fill = DLS_COLOUR_NONE, .stroke = curve->ink, .width = 2};
  const DlsSvgStyle dot = {.fill = curve->ink, .stroke = curve->ink, .width = 0.5};
  for (int i = 0; i < curve->count; i++) {
    const double at[3] = {curve->x[i], curve->y[i], 0};
    if (frame->log_y && !(curve->y[i] >= frame->y[0])) continue;
    if (curve->dots) {
      dls_svg_circle(svg, at, 3 * pixel, &dot);
    } else if (i + 1 < curve->count && (!frame->log_y || curve->y[i + 1] >= frame->y[0])) {
      const double next[3] = {curve->x[i + 1], curve->y[i + 1], 0};
      dls_svg_line(svg, at, next, &line);
    }
  }
}

void post_draw_panel(DlsSvg *svg, DlsSvgBox box, const PostPanel *panel) {
  const DlsSvgFrame frame = frame_of(box, panel);
  const DlsSvgAxes axes = {panel->title, panel->x_label, panel->y_label, true};
  DlsSvgLegend rows[8];
  AppTrace traces[8];
  int labels = 0, shown = 0;
  dls_svg_frame(svg, &frame);
  dls_svg_axes(svg, &axes);
  for (int n = 0; n < panel->count; n++) {
    const PostCurve *curve = &panel->curves[n];
    if (curve->error) draw_band(svg, curve, &frame);
    draw_curve(svg, curve, &frame);
    if (shown < DLS_COUNT(traces))
      traces[shown++] = (AppTrace){curve->x, curve->y, curve->count, curve->dots};
    if (curve->label && labels < DLS_COUNT(rows))
      rows[labels++] = (DlsSvgLegend){
          curve->label, {.fill = curve->ink, .stroke = curve->ink, .width = 2}, curve->dots};
  }
  if (labels > 1) app_legend(svg, &frame, traces, shown, rows, labels);
}

DlsStatus post_plot_mohr(int dim, const DlsStressState *state, const char *path) {
  static const int ends[3][2] = {{0, 1}, {1, 2}, {0, 2}};
  double x[3][TURN + 1], y[3][TURN + 1];
  PostCurve curves[3];
  char title[160];
  DlsSvg *svg = NULL;
  const int count = dim == 3 ? 3 : 1;
  for (int n = 0; n < count; n++) {
    const double a = -state->principal[ends[n][0]], b = -state->principal[ends[n][1]];
    for (int k = 0; k <= TURN; k++) {
      x[n][k] = 0.5 * (a + b) + 0.5 * (a - b) * cos(2 * pi * k / TURN);
      y[n][k] = 0.5 * (a - b) * sin(2 * pi * k / TURN);
    }
    curves[n] = (PostCurve){NULL,  x[n], y[n], TURN + 1, n == count - 1 ? 0xc0392b : 0x1f5fa8,
                            false, NULL, false};
  }
  snprintf(title, sizeof title, "Mohr: pressure %.4g Pa, deviator %.4g Pa", state->pressure,
           state->deviator);
  const PostPanel panel = {.title = title,
                           .x_label = "compression on the cut (Pa)",
                           .y_label = "shear (Pa)",
                           .curves = curves,
                           .count = count,
                           .equal = true};
  DLS_TRY(dls_svg_create(WIDTH + 60, HEIGHT, &svg));
  post_draw_panel(svg, (DlsSvgBox){0, 0, WIDTH + 60, HEIGHT}, &panel);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}

/* Filled sectors with the fit about them (2-D), or the share of each band of height (3-D). */
static void draw_rose(DlsSvg *svg, const DlsRose *rose) {
  const double sector = 2 * pi / DLS_ROSE_SECTORS;
  const DlsSvgStyle grey = {.fill = 0xb8b8b8, .stroke = 0x777777, .width = 0.7};
  const DlsSvgStyle red = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 2};
  double most = 0, points[3 * (TURN + 1)] = {0};
  for (int k = 0; k < DLS_ROSE_SECTORS; k++) most = fmax(most, rose->count[0][k]);
  const double unit = rose->total > 0 ? 1 / (rose->total * sector) : 0; /* to a density */
  most = fmax(most * unit, 1e-9) * 1.1;
  const DlsSvgFrame frame = {
      .box = {30, 50, 360, 320}, .x = {-most * 1.125, most * 1.125}, .y = {-most, most}};
  dls_svg_frame(svg, &frame);
  for (int k = 0; k < DLS_ROSE_SECTORS; k++) {
    double slice[3 * 8] = {0};
    for (int i = 0; i < 7; i++) {
      const double angle = (k + i / 6.0) * sector, r = rose->count[0][k] * unit;
      slice[3 * (i + 1)] = r * cos(angle), slice[3 * (i + 1) + 1] = r * sin(angle);
    }
    dls_svg_polygon(svg, slice, 8, &grey);
  }
  for (int k = 0; k <= TURN; k++) {
    const double angle = 2 * pi * k / TURN, r = dls_rose_fit(rose, angle);
    points[3 * k] = r * cos(angle), points[3 * k + 1] = r * sin(angle);
  }
  dls_svg_polyline(svg, points, TURN + 1, &red);
}

static void draw_bands(DlsSvg *svg, const DlsRose *rose) {
  double x[2 * DLS_ROSE_BANDS], y[2 * DLS_ROSE_BANDS];
  for (int i = 0; i < DLS_ROSE_BANDS; i++) {
    double sum = 0;
    for (int j = 0; j < DLS_ROSE_SECTORS; j++) sum += rose->count[i][j];
    for (int end = 0; end < 2; end++) {
      x[2 * i + end] = -1 + 2.0 * (i + end) / DLS_ROSE_BANDS;
      y[2 * i + end] = rose->total > 0 ? sum / rose->total * DLS_ROSE_BANDS : 0;
    }
  }
  const PostCurve curve = {NULL, x, y, 2 * DLS_ROSE_BANDS, 0x1f5fa8, false, NULL, false};
  const PostPanel panel = {.title = "contact normals by height on the sphere",
                           .x_label = "n . z",
                           .y_label = "density, 1: isotropic",
                           .curves = &curve,
                           .count = 1};
  post_draw_panel(svg, (DlsSvgBox){0, 0, WIDTH, HEIGHT}, &panel);
}

DlsStatus post_plot_fabric(int dim, const DlsRose *rose, const DlsForces *normal,
                           const DlsForces *tangential, const double *normal_error,
                           const double *tangential_error, const char *path) {
  double x[DLS_FORCE_BINS];
  DlsSvg *svg = NULL;
  for (int k = 0; k < DLS_FORCE_BINS; k++) x[k] = (k + 0.5) * normal->width;
  const PostCurve curves[] = {
      {"normal", x, normal->density, DLS_FORCE_BINS, 0x1f5fa8, true, normal_error, false},
      {"tangential", x, tangential->density, DLS_FORCE_BINS, 0xc0392b, true, tangential_error,
       false}};
  const PostPanel panel = {.title = "forces over their mean",
                           .x_label = "f / mean f",
                           .y_label = "P(f)",
                           .curves = curves,
                           .count = 2,
                           .log_y = true,
                           .floor_y = 1e-3};
  DLS_TRY(dls_svg_create(2 * WIDTH, HEIGHT, &svg));
  if (dim == 2) {
    const DlsSvgText text = {.anchor = 0, .bold = true};
    dls_svg_text(svg, 210, 24, "contact normals, 24 sectors, and the fit", &text);
    draw_rose(svg, rose);
  } else {
    draw_bands(svg, rose);
  }
  post_draw_panel(svg, (DlsSvgBox){WIDTH, 0, WIDTH, HEIGHT}, &panel);
  const DlsStatus status = dls_svg_write(svg, path);
  dls_svg_destroy(&svg);
  return status;
}
