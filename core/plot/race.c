#include "plot/race.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/memory.h"
#include "plot/runner.h"
#include "plot/table.h"

enum { LEFT = 70, TOP = 34, PLOT_WIDTH = 380, PLOT_HEIGHT = 310, BOTTOM = 56 }; /* px */
enum { ROW = 16, LEADER = 26, SAMPLE = 30, MARK = 7, LONGEST = 34 };            /* px; letters */

/* Plot, names and table of a figure while it is made. */
typedef struct {
  const DlsPlotRace *race;
  DlsSvgFrame frame;
  DlsSvg *svg;
  DlsFile *table;
} Figure;

static int letters_of(const char *text) {
  int count = 0;
  for (; *text; text++) count += ((unsigned char)*text & 0xc0) != 0x80;
  return count;
}

/* A name as it is shown: cut where it is very long. */
static const char *short_name(const char *name, char out[4 * LONGEST + 8]) {
  size_t bytes = 0;
  for (int letters = 0; name[bytes] && letters < LONGEST; letters++) do
      bytes++;
    while (((unsigned char)name[bytes] & 0xc0) == 0x80);
  snprintf(out, 4 * LONGEST + 8, "%.*s%s", (int)bytes, name, name[bytes] ? "…" : "");
  return out;
}

/* Opens both files. Room for the names is made on the right, and below where there are many. */
static DlsStatus begin(const DlsPlotRace *race, bool log_y, const char *stem, Figure *out) {
  char path[PATH_MAX];
  int longest = 8;
  for (int s = 0; s < race->runners; s++)
    if (letters_of(race->names[s]) > longest) longest = letters_of(race->names[s]);
  if (longest > LONGEST) longest = LONGEST + 1;
  const double height = fmax(PLOT_HEIGHT, ROW * race->runners);
  *out = (Figure){.race = race,
                  .frame = {.box = {LEFT, TOP, PLOT_WIDTH, height},
                            .x = {race->x[0], race->x[1]},
                            .y = {race->y[0], race->y[1]},
                            .log_x = true,
                            .log_y = log_y}};
  const DlsSvgAxes axes = {race->title, race->x_label, race->y_label, true};
  DLS_TRY(dls_svg_create(LEFT + PLOT_WIDTH + LEADER + SAMPLE + 52 + 6.7 * longest,
                         TOP + height + BOTTOM, &out->svg));
  dls_svg_frame(out->svg, &out->frame);
  dls_svg_axes(out->svg, &axes);
  snprintf(path, sizeof path, "%s.csv", stem);
  const DlsStatus status = dls_file_begin(path, &out->table);
  if (status != DLS_OK) dls_svg_destroy(&out->svg);
  if (status == DLS_OK) dls_file_print(out->table, "%s\n", race->columns);
  return status;
}

static DlsStatus end(Figure *figure, const char *stem) {
  char path[PATH_MAX];
  snprintf(path, sizeof path, "%s.svg", stem);
  DlsStatus status = dls_svg_write(figure->svg, path);
  dls_svg_destroy(&figure->svg);
  if (status == DLS_OK) return dls_file_place(&figure->table);
  dls_file_abandon(&figure->table);
  return status;
}

static void put_row(const Figure *figure, int runner, double x, double y) {
  dls_plot_row(figure->table, figure->race->names[runner], x, y);
}

/* A sample and a name on the right; with a leader from the end of its curve where there is one. */
static void put_name(Figure *figure, int runner, double end_y, double y, const char *after,
                     bool line_too) {
  char text[4 * LONGEST + 40], name[4 * LONGEST + 8];
  const DlsSvgBox *box = &figure->frame.box;
  const DlsSvgStyle line = dls_plot_line(runner);
  const DlsSvgText plain = {.size = 12, .anchor = -1, .ink = 0x333333};
  const double right = box->left + box->width, start = right + LEADER;
  if (isfinite(end_y)) {
    dls_svg_rule(figure->svg, right + 1, end_y, start - 6, y, line.stroke, 0.75);
    dls_svg_rule(figure->svg, start - 6, y, start - 2, y, line.stroke, 0.75);
  }
  if (line_too) dls_svg_stroke(figure->svg, start, y, start + SAMPLE, y, &line);
  dls_svg_page_mark(figure->svg, start + SAMPLE / 2.0, y, dls_plot_mark(runner), MARK, line.stroke);
  snprintf(text, sizeof text, "%s%s", short_name(figure->race->names[runner], name), after);
  dls_svg_text(figure->svg, start + SAMPLE + 7, y + 4, text, &plain);
}

static void put_names(Figure *figure, bool lines) {
  for (int s = 0; s < figure->race->runners; s++)
    put_name(figure, s, NAN, figure->frame.box.top + ROW * (s + 0.5), "", lines);
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* How many of the sorted values are at most x. */
static int count_below(const double *value, int count, double x) {
  int below = 0;
  while (below < count && value[below] <= x) below++;
  return below;
}

/* Between two curves that coincide marks stand side by side. */
static void mark_steps(Figure *figure, int runner, const double *value, int count) {
  enum { MARKS = 4 };
  const double *x = figure->race->x, decades = log(x[1] / x[0]);
  for (int k = 0; k < MARKS; k++) {
    const double part = (k + (runner + 0.5) / figure->race->runners) / MARKS;
    const double at[3] = {x[0] * exp(part * decades), 0, 0};
    const double place[3] = {at[0], (double)count_below(value, count, at[0]) / count, 0};
    dls_svg_mark(figure->svg, place, dls_plot_mark(runner), MARK, dls_plot_colour(runner));
  }
}

/* From x[0] to x[1]; `value` is sorted. `point` has room for 2 count + 4 points. */
static void draw_shares(Figure *figure, int runner, const double *value, int count, double *point) {
  const double *x = figure->race->x;
  int points = 0, below = count_below(value, count, x[0]);
#define PUT(px, py) (point[3 * points] = (px), point[3 * points + 1] = (py), points++)
  PUT(x[0], (double)below / count);
  put_row(figure, runner, x[0], (double)below / count);
  while (below < count && value[below] <= x[1]) {
    const double step = value[below];
    PUT(step, (double)below / count);
    while (below < count && value[below] <= step) below++;
    PUT(step, (double)below / count);
    put_row(figure, runner, step, (double)below / count);
  }
  PUT(x[1], (double)below / count);
  put_row(figure, runner, x[1], (double)below / count);
#undef PUT
  const DlsSvgStyle style = dls_plot_line(runner);
  dls_svg_polyline(figure->svg, point, points, &style);
  mark_steps(figure, runner, value, count);
}

/* Where a curve ends, and how soon it got there: the sum of log x over its values, those that are
 * not reached counting with the edge. */
typedef struct {
  int runner;
  double share, late, y;
} Finish;

static int by_finish(const void *left, const void *right) {
  const Finish *a = left, *b = right;
  if (a->share != b->share) return a->share > b->share ? -1 : 1;
  if (a->late != b->late) return a->late < b->late ? -1 : 1;
  return a->runner - b->runner;
}

/* Names at the height of the ends of their curves, moved apart where they would overlap. */
static void name_finishes(Figure *figure, Finish *finish) {
  const DlsSvgBox *box = &figure->frame.box;
  const double *range = figure->frame.y;
  const int count = figure->race->runners;
  qsort(finish, (size_t)count, sizeof *finish, by_finish);
  for (int k = 0; k < count; k++) {
    const double up = (finish[k].share - range[0]) / (range[1] - range[0]);
    const double lowest = k ? finish[k - 1].y + ROW : box->top + ROW / 2.0;
    finish[k].y = fmax(box->top + (1 - up) * box->height, lowest);
  }
  for (int k = count - 1; k >= 0; k--) {
    const double highest =
        k + 1 < count ? finish[k + 1].y - ROW : box->top + box->height - ROW / 2.0;
    finish[k].y = fmin(finish[k].y, highest);
  }
  for (int k = 0; k < count; k++) {
    char after[32];
    const double up = (finish[k].share - range[0]) / (range[1] - range[0]);
    snprintf(after, sizeof after, "  %.0f %%", 100 * finish[k].share);
    put_name(figure, finish[k].runner, box->top + (1 - up) * box->height, finish[k].y, after, true);
  }
}

DlsStatus dls_plot_shares(const DlsPlotRace *race, const double *values, int count,
                          const char *stem) {
  Figure figure;
  double *work;
  Finish *finish;
  DLS_NEW(work, (size_t)count + 3 * (size_t)(2 * count + 4));
  finish = dls_memory_array((size_t)race->runners + 1, sizeof *finish);
  DlsStatus status = finish ? begin(race, false, stem, &figure)
                            : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  for (int s = 0; s < race->runners && status == DLS_OK; s++) {
    memcpy(work, values + (size_t)s * (size_t)count, (size_t)count * sizeof *work);
    qsort(work, (size_t)count, sizeof *work, ascending);
    draw_shares(&figure, s, work, count, work + count);
    finish[s] =
        (Finish){.runner = s, .share = (double)count_below(work, count, race->x[1]) / count};
    for (int k = 0; k < count; k++) finish[s].late += log(fmin(work[k], race->x[1]) / race->x[0]);
  }
  if (status == DLS_OK) {
    name_finishes(&figure, finish);
    status = end(&figure, stem);
  }
  free(finish);
  free(work);
  return status;
}

static DlsStatus draw_run(Figure *figure, int runner, const DlsPlotRun *run) {
  const DlsSvgStyle line = dls_plot_line(runner);
  double *point;
  DLS_NEW(point, 3 * (size_t)run->count + 1);
  for (int i = 0; i < run->count; i++) {
    point[3 * i] = run->point[i][0], point[3 * i + 1] = run->point[i][1];
    put_row(figure, runner, run->point[i][0], run->point[i][1]);
  }
  dls_svg_polyline(figure->svg, point, run->count, &line);
  if (run->count) /* one point is no line */
    dls_svg_mark(figure->svg, point + 3 * (run->count - 1), dls_plot_mark(runner), MARK,
                 line.stroke);
  free(point);
  return DLS_OK;
}

DlsStatus dls_plot_runs(const DlsPlotRace *race, const DlsPlotRun *runs, const double *levels,
                        int count, const char *stem) {
  const DlsSvgStyle grey = {.fill = DLS_COLOUR_NONE, .stroke = 0xaaaaaa, .width = 1, .dash = 4};
  Figure figure;
  DLS_TRY(begin(race, true, stem, &figure));
  for (int t = 0; t < count; t++) {
    const double ends[2][3] = {{race->x[0], levels[t], 0}, {race->x[1], levels[t], 0}};
    dls_svg_line(figure.svg, ends[0], ends[1], &grey);
  }
  DlsStatus status = DLS_OK;
  for (int s = 0; s < race->runners && status == DLS_OK; s++)
    status = draw_run(&figure, s, &runs[s]);
  put_names(&figure, true);
  if (status == DLS_OK) return end(&figure, stem);
  dls_svg_destroy(&figure.svg);
  dls_file_abandon(&figure.table);
  return status;
}

DlsStatus dls_plot_scatter(const DlsPlotRace *race, const DlsPlotRun *runs, double factor,
                           const char *stem) {
  const double low = race->x[0], high = race->x[1];
  const DlsSvgStyle grey = {.fill = DLS_COLOUR_NONE, .stroke = 0x888888, .width = 1};
  const DlsSvgStyle limit = {.fill = DLS_COLOUR_NONE, .stroke = 0xc0392b, .width = 1, .dash = 5};
  Figure figure;
  DLS_TRY(begin(race, true, stem, &figure));
  if (factor > 0) {
    const double diagonal[2][3] = {{low, low, 0}, {high, high, 0}};
    const double border[2][3] = {{low, factor * low, 0}, {high / factor, high, 0}};
    dls_svg_line(figure.svg, diagonal[0], diagonal[1], &grey);
    dls_svg_line(figure.svg, border[0], border[1], &limit);
  }
  for (int s = 0; s < race->runners; s++)
    for (int k = 0; k < runs[s].count; k++) {
      const double at[3] = {fmin(fmax(runs[s].point[k][0], low), high),
                            fmin(fmax(runs[s].point[k][1], race->y[0]), race->y[1]), 0};
      dls_svg_mark(figure.svg, at, dls_plot_mark(s), MARK, dls_plot_colour(s));
      put_row(&figure, s, runs[s].point[k][0], runs[s].point[k][1]);
    }
  put_names(&figure, false);
  return end(&figure, stem);
}
