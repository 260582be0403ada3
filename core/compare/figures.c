#include "compare/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/svg.h"

enum {
  WIDTH = 620,
  HEIGHT = 400,
  LEFT = 70,
  TOP = 34,
  PLOT_WIDTH = 360,
  PLOT_HEIGHT = 300,
  ROWS = 24
};
enum { PALETTE = 10 };

int dls_figure_colour(int solver) {
  static const int inks[PALETTE] = {0x1f5fa8, 0xc0392b, 0x2e7d32, 0x8e44ad, 0xd98200,
                                    0x138d90, 0x7f4f24, 0xd6338a, 0x5a6b00, 0x444444};
  return inks[solver % PALETTE];
}

/* Neighbours in the list differ in colour and in dash, for prints in grey; no two of twenty are alike. */
static DlsSvgStyle line_of(int solver) {
  static const double dashes[4] = {0, 8, 4, 16}; /* px */
  return (DlsSvgStyle){.fill = DLS_COLOUR_NONE,
                       .stroke = dls_figure_colour(solver),
                       .width = 2,
                       .dash = dashes[solver % DLS_COUNT(dashes)]};
}

static const char *measure_of(const DlsRace *race) {
  return race->measure == DLS_MEASURE_NATURAL ? "natural error" : "scaled error";
}

static const DlsSvgBox plot = {LEFT, TOP, PLOT_WIDTH, PLOT_HEIGHT};

typedef struct {
  const DlsRace *race;
  DlsSvg *svg;
  DlsSvgFrame frame;
} Figure;

static DlsStatus begin(const DlsRace *race, DlsSvgFrame frame, const DlsSvgAxes *axes,
                       Figure *out) {
  *out = (Figure){.race = race, .frame = frame};
  DLS_TRY(dls_svg_create(WIDTH, HEIGHT, &out->svg));
  dls_svg_frame(out->svg, &frame);
  dls_svg_axes(out->svg, axes);
  return DLS_OK;
}

/* The legend beside the plot, and the file. */
static DlsStatus end(Figure *f, const char *path) {
  DlsSvgLegend rows[ROWS];
  int count = 0;
  for (int s = 0; s < f->race->solvers && count < ROWS; s++)
    rows[count++] = (DlsSvgLegend){f->race->solver[s], line_of(s), false};
  dls_svg_legend(f->svg, LEFT + PLOT_WIDTH + 16, TOP, rows, count);
  const DlsStatus status = dls_svg_write(f->svg, path);
  dls_svg_destroy(&f->svg);
  return status;
}

static int ascending(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* The distribution of the `count` values as a staircase from x[0] to x[1]: the share that is at most x. */
static DlsStatus draw_shares(Figure *f, int solver, double *value, int count) {
  const double *x = f->frame.x;
  double *point;
  int points = 0, below = 0;
  DLS_NEW(point, 3 * (size_t)(2 * count + 4));
#define PUT(px, py) (point[3 * points] = (px), point[3 * points + 1] = (py), points++)
  qsort(value, (size_t)count, sizeof *value, ascending);
  while (below < count && value[below] <= x[0]) below++;
  PUT(x[0], (double)below / count);
  for (; below < count && value[below] <= x[1]; below++) {
    PUT(value[below], (double)below / count);
    PUT(value[below], (double)(below + 1) / count);
  }
  PUT(x[1], (double)below / count);
#undef PUT
  const DlsSvgStyle style = line_of(solver);
  dls_svg_polyline(f->svg, point, points, &style);
  free(point);
  return DLS_OK;
}

static double cost(const DlsRace *race, const DlsRaceRun *run, double tolerance, bool by_time) {
  /* The clock has a grain, and an answer at once counts as one iteration. */
  return by_time ? fmax(dls_race_time(race, run, tolerance), 1e-6)
                 : fmax(dls_race_iterations(race, run, tolerance), 1);
}

DlsStatus dls_figure_profile(const DlsRace *race, int tolerance, bool by_time, const char *path) {
  const double t = race->tolerance[tolerance], widest = by_time ? 1e3 : 1e4;
  char title[96];
  Figure f;
  snprintf(title, sizeof title, "%s to a %s of %g", by_time ? "Time" : "Iterations",
           measure_of(race), t);
  const DlsSvgAxes axes = {title,
                           by_time ? "τ = time / least time of all solvers"
                                   : "τ = iterations / fewest of all solvers",
                           "share of problems within τ", true};
  const DlsSvgFrame frame = {.box = plot, .x = {1, widest}, .y = {0, 1.02}, .log_x = true};
  DLS_TRY(begin(race, frame, &axes, &f));
  double *ratio;
  DlsStatus status = DLS_OK;
  DLS_NEW(ratio, race->problems + 1);
  for (int s = 0; s < race->solvers && status == DLS_OK; s++) {
    for (int p = 0; p < race->problems; p++) {
      double best = INFINITY;
      for (int k = 0; k < race->solvers; k++)
        best = fmin(best, cost(race, dls_race_at(race, p, k), t, by_time));
      const double mine = cost(race, dls_race_at(race, p, s), t, by_time);
      ratio[p] = isfinite(mine) ? mine / best : INFINITY;
    }
    status = draw_shares(&f, s, ratio, race->problems);
  }
  free(ratio);
  const DlsStatus written = end(&f, path);
  return status == DLS_OK ? written : status;
}

int dls_race_moments(const DlsRace *race, double moment[DLS_RACE_MOMENTS]) {
  int count = 0;
  for (double t = pow(10, floor(log10(fmax(race->max_time, 1e-3)))) / 1000;
       t <= race->max_time * 1.0001 && count < DLS_RACE_MOMENTS; t *= 10)
    moment[count++] = t;
  return count;
}

DlsStatus dls_figure_moment(const DlsRace *race, double moment, const char *path) {
  char title[96];
  Figure f;
  snprintf(title, sizeof title, "After %g s", moment);
  const DlsSvgAxes axes = {title, measure_of(race), "share of problems with at most this", true};
  const DlsSvgFrame frame = {.box = plot, .x = {1e-12, 1}, .y = {0, 1.02}, .log_x = true};
  DLS_TRY(begin(race, frame, &axes, &f));
  double *error;
  DlsStatus status = DLS_OK;
  DLS_NEW(error, race->problems + 1);
  for (int s = 0; s < race->solvers && status == DLS_OK; s++) {
    for (int p = 0; p < race->problems; p++)
      error[p] = dls_race_error(race, dls_race_at(race, p, s), moment);
    status = draw_shares(&f, s, error, race->problems);
  }
  free(error);
  const DlsStatus written = end(&f, path);
  return status == DLS_OK ? written : status;
}

/* Decades that hold the samples of a problem. */
static DlsSvgFrame frame_of(const DlsRace *race, int problem, bool by_time) {
  double low = INFINITY, high = 0, least = 1e-8, most = 1e-8;
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, problem, s);
    for (int i = 0; i < run->count; i++) {
      const DlsRaceSample *a = &run->sample[i];
      const double x = by_time ? a->time_s : (double)a->iteration;
      if (x > 0) low = fmin(low, x), high = fmax(high, x);
      if (a->error > 0 && isfinite(a->error))
        least = fmin(least, a->error), most = fmax(most, a->error);
    }
  }
  if (!(high > 0)) low = 1, high = 10;
  low = pow(10, floor(log10(low)));
  high = fmax(pow(10, ceil(log10(high))), 10 * low);
  return (DlsSvgFrame){
      .box = plot,
      .x = {low, high},
      .y = {fmax(pow(10, floor(log10(least))), 1e-16), pow(10, ceil(log10(most) + 0.01))},
      .log_x = true,
      .log_y = true};
}

/* One point is no line: a dot shows where each solver stopped. */
static void put_dot(Figure *f, const double *point, int solver) {
  const DlsSvgFrame *frame = &f->frame;
  const double size = 6; /* px */
  const double across = log(point[0] / frame->x[0]) / log(frame->x[1] / frame->x[0]);
  const double up = log(point[1] / frame->y[0]) / log(frame->y[1] / frame->y[0]);
  const DlsSvgStyle style = {.fill = dls_figure_colour(solver)};
  dls_svg_panel(f->svg,
                (DlsSvgBox){frame->box.left + across * frame->box.width - size / 2,
                            frame->box.top + (1 - up) * frame->box.height - size / 2, size, size},
                &style);
}

DlsStatus dls_figure_curves(const DlsRace *race, int problem, bool by_time, const char *path) {
  const DlsSvgFrame frame = frame_of(race, problem, by_time);
  const DlsSvgStyle grey = {.fill = DLS_COLOUR_NONE, .stroke = 0xaaaaaa, .width = 1, .dash = 4};
  const DlsSvgAxes axes = {race->problem[problem].name, by_time ? "time  [s]" : "iterations",
                           measure_of(race), true};
  Figure f;
  DLS_TRY(begin(race, frame, &axes, &f));
  for (int t = 0; t < race->tolerances; t++) {
    const double ends[2][3] = {{frame.x[0], race->tolerance[t], 0},
                               {frame.x[1], race->tolerance[t], 0}};
    dls_svg_line(f.svg, ends[0], ends[1], &grey);
  }
  double *point;
  DLS_NEW(point, 3 * (DLS_RACE_SAMPLES + 2));
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, problem, s);
    const DlsSvgStyle style = line_of(s);
    int points = 0;
    const bool believed = dls_race_true(race, run);
    for (int i = 0; i < run->count && points < DLS_RACE_SAMPLES + 2; i++) {
      const DlsRaceSample *a = &run->sample[i];
      const bool measured = run->end == DLS_RACE_ENDED && i == run->count - 1;
      if (!isfinite(a->error) || !(believed || measured)) continue;
      point[3 * points] = fmax(by_time ? a->time_s : (double)a->iteration, frame.x[0]);
      point[3 * points + 1] = fmax(a->error, frame.y[0]);
      point[3 * points++ + 2] = 0;
    }
    dls_svg_polyline(f.svg, point, points, &style);
    if (points) put_dot(&f, point + 3 * (points - 1), s);
  }
  free(point);
  return end(&f, path);
}
