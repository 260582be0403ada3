#include "plot/race.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/panel.h"

enum { WIDTH = 620, HEIGHT = 400, LEFT = 70, TOP = 34, PLOT_WIDTH = 360, PLOT_HEIGHT = 300 };
enum { ROWS = 24, DOT = 6 }; /* of a legend; px */

/* Neighbours in the list differ in colour and in dash, for prints in grey; no two of twenty are
 * alike. */
static DlsSvgStyle line_of(int runner) {
  static const double dashes[4] = {0, 8, 4, 16}; /* px */
  return (DlsSvgStyle){.fill = DLS_COLOUR_NONE,
                       .stroke = dls_plot_colour(runner),
                       .width = 2,
                       .dash = dashes[runner % DLS_COUNT(dashes)]};
}

/* Colours come again when there are many: hollow then. */
static DlsSvgStyle dot_of(int runner) {
  for (int k = 0; k < runner; k++)
    if (dls_plot_colour(k) == dls_plot_colour(runner))
      return (DlsSvgStyle){
          .fill = DLS_COLOUR_NONE, .stroke = dls_plot_colour(runner), .width = 1.5};
  return (DlsSvgStyle){.fill = dls_plot_colour(runner), .opacity = 0.75};
}

static DlsSvgFrame frame_of(const DlsPlotRace *race, DlsSvgBox box, bool log_y) {
  return (DlsSvgFrame){.box = box,
                       .x = {race->x[0], race->x[1]},
                       .y = {race->y[0], race->y[1]},
                       .log_x = true,
                       .log_y = log_y};
}

static DlsStatus begin(const DlsPlotRace *race, const DlsSvgFrame *frame, double width,
                       double height, DlsSvg **svg) {
  const DlsSvgAxes axes = {race->title, race->x_label, race->y_label, true};
  DLS_TRY(dls_svg_create(width, height, svg));
  dls_svg_frame(*svg, frame);
  dls_svg_axes(*svg, &axes);
  return DLS_OK;
}

/* The legend beside the plot, and the file. */
static DlsStatus end(const DlsPlotRace *race, const DlsSvgFrame *frame, bool dots, const char *path,
                     DlsSvg **svg) {
  DlsSvgLegend rows[ROWS];
  int count = 0;
  for (int s = 0; s < race->runners && count < ROWS; s++)
    rows[count++] = (DlsSvgLegend){race->names[s], dots ? dot_of(s) : line_of(s), dots};
  dls_svg_legend(*svg, frame->box.left + frame->box.width + 16, frame->box.top, rows, count);
  const DlsStatus status = dls_svg_write(*svg, path);
  dls_svg_destroy(svg);
  return status;
}

/* A square of a few px, both axes logarithmic. */
static void put_dot(DlsSvg *svg, const DlsSvgFrame *frame, double x, double y,
                    const DlsSvgStyle *style) {
  const double across = log(x / frame->x[0]) / log(frame->x[1] / frame->x[0]);
  const double up = log(y / frame->y[0]) / log(frame->y[1] / frame->y[0]);
  dls_svg_panel(svg,
                (DlsSvgBox){frame->box.left + across * frame->box.width - DOT / 2.0,
                            frame->box.top + (1 - up) * frame->box.height - DOT / 2.0, DOT, DOT},
                style);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* From x[0] to x[1]; `value` is sorted. */
static void draw_shares(DlsSvg *svg, const double x[2], int runner, const double *value, int count,
                        double *point) {
  int points = 0, below = 0;
#define PUT(px, py) (point[3 * points] = (px), point[3 * points + 1] = (py), points++)
  while (below < count && value[below] <= x[0]) below++;
  PUT(x[0], (double)below / count);
  for (; below < count && value[below] <= x[1]; below++) {
    PUT(value[below], (double)below / count);
    PUT(value[below], (double)(below + 1) / count);
  }
  PUT(x[1], (double)below / count);
#undef PUT
  const DlsSvgStyle style = line_of(runner);
  dls_svg_polyline(svg, point, points, &style);
}

DlsStatus dls_plot_shares(const DlsPlotRace *race, const double *values, int count,
                          const char *path) {
  const DlsSvgFrame frame = frame_of(race, (DlsSvgBox){LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT}, false);
  double *work;
  DlsSvg *svg = NULL;
  DLS_NEW(work, (size_t)count + 3 * (size_t)(2 * count + 4));
  DlsStatus status = begin(race, &frame, WIDTH, HEIGHT, &svg);
  for (int s = 0; s < race->runners && status == DLS_OK; s++) {
    memcpy(work, values + (size_t)s * (size_t)count, (size_t)count * sizeof *work);
    qsort(work, (size_t)count, sizeof *work, ascending);
    draw_shares(svg, race->x, s, work, count, work + count);
  }
  if (status == DLS_OK) status = end(race, &frame, false, path, &svg);
  free(work);
  return status;
}

static DlsStatus draw_run(DlsSvg *svg, const DlsSvgFrame *frame, int runner,
                          const DlsPlotRun *run) {
  const DlsSvgStyle line = line_of(runner), dot = {.fill = dls_plot_colour(runner)};
  double *point;
  DLS_NEW(point, 3 * (size_t)run->count + 1);
  for (int i = 0; i < run->count; i++)
    point[3 * i] = run->point[i][0], point[3 * i + 1] = run->point[i][1];
  dls_svg_polyline(svg, point, run->count, &line);
  /* One point is no line: a dot shows where each stopped. */
  if (run->count) {
    const double *last = run->point[run->count - 1];
    put_dot(svg, frame, last[0], last[1], &dot);
  }
  free(point);
  return DLS_OK;
}

DlsStatus dls_plot_runs(const DlsPlotRace *race, const DlsPlotRun *runs, const double *levels,
                        int count, const char *path) {
  const DlsSvgFrame frame = frame_of(race, (DlsSvgBox){LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT}, true);
  const DlsSvgStyle grey = {.fill = DLS_COLOUR_NONE, .stroke = 0xaaaaaa, .width = 1, .dash = 4};
  DlsSvg *svg = NULL;
  DlsStatus status = begin(race, &frame, WIDTH, HEIGHT, &svg);
  for (int t = 0; t < count && status == DLS_OK; t++) {
    const double ends[2][3] = {{frame.x[0], levels[t], 0}, {frame.x[1], levels[t], 0}};
    dls_svg_line(svg, ends[0], ends[1], &grey);
  }
  for (int s = 0; s < race->runners && status == DLS_OK; s++)
    status = draw_run(svg, &frame, s, &runs[s]);
  if (status == DLS_OK) status = end(race, &frame, false, path, &svg);
  dls_svg_destroy(&svg);
  return status;
}

DlsStatus dls_plot_scatter(const DlsPlotRace *race, const DlsPlotRun *runs, double factor,
                           const char *path) {
  const double low = race->x[0], high = race->x[1];
  const DlsSvgFrame frame = frame_of(race, (DlsSvgBox){80, 34, 460, 400}, true);
  const DlsSvgStyle grey = {.fill = DLS_COLOUR_NONE, .stroke = 0x888888, .width = 1};
  const DlsSvgStyle limit = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 1, .dash = 5};
  const double diagonal[2][3] = {{low, low, 0}, {high, high, 0}};
  const double border[2][3] = {{low, factor * low, 0}, {high / factor, high, 0}};
  DlsSvg *svg = NULL;
  DLS_TRY(begin(race, &frame, 720, 500, &svg));
  dls_svg_line(svg, diagonal[0], diagonal[1], &grey);
  dls_svg_line(svg, border[0], border[1], &limit);
  for (int s = 0; s < race->runners; s++) {
    const DlsSvgStyle style = dot_of(s);
    for (int k = 0; k < runs[s].count; k++)
      put_dot(svg, &frame, fmin(fmax(runs[s].point[k][0], low), high),
              fmin(fmax(runs[s].point[k][1], low), high), &style);
  }
  return end(race, &frame, true, path, &svg);
}
