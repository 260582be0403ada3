#include "compare/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/race.h"

static const char *measure_of(const DlsRace *race) {
  return race->measure == DLS_MEASURE_NATURAL ? "natural error" : "scaled error";
}

/* What all figures of a race have; `names` [solvers] is filled. */
static DlsPlotRace figure_of(const DlsRace *race, const char *title, const char *x_label,
                             const char *y_label, const char **names) {
  for (int s = 0; s < race->solvers; s++) names[s] = race->solver[s];
  return (DlsPlotRace){.title = title,
                       .x_label = x_label,
                       .y_label = y_label,
                       .runners = race->solvers,
                       .names = names};
}

static double cost(const DlsRace *race, const DlsRaceRun *run, double tolerance, bool by_time) {
  /* The clock has a grain, and an answer at once counts as one iteration. */
  return by_time ? fmax(dls_race_time(race, run, tolerance), 1e-6)
                 : fmax(dls_race_iterations(race, run, tolerance), 1);
}

DlsStatus dls_figure_profile(const DlsRace *race, int tolerance, bool by_time, const char *path) {
  const double t = race->tolerance[tolerance], widest = by_time ? 1e3 : 1e4;
  char title[96];
  const char **names;
  double *ratio;
  DLS_NEW(names, race->solvers + 1);
  ratio = dls_memory_array((size_t)race->solvers * (size_t)race->problems + 1, sizeof *ratio);
  for (int p = 0; p < race->problems && ratio; p++) {
    double best = INFINITY;
    for (int s = 0; s < race->solvers; s++)
      best = fmin(best, cost(race, dls_race_at(race, p, s), t, by_time));
    for (int s = 0; s < race->solvers; s++) {
      const double mine = cost(race, dls_race_at(race, p, s), t, by_time);
      ratio[s * race->problems + p] = isfinite(mine) ? mine / best : INFINITY;
    }
  }
  snprintf(title, sizeof title, "%s to a %s of %g", by_time ? "Time" : "Iterations",
           measure_of(race), t);
  DlsPlotRace figure = figure_of(race, title,
                                 by_time ? "τ = time / least time of all solvers"
                                         : "τ = iterations / fewest of all solvers",
                                 "share of problems within τ", names);
  figure.x[0] = 1, figure.x[1] = widest, figure.y[1] = 1.02;
  const DlsStatus status = ratio ? dls_plot_shares(&figure, ratio, race->problems, path)
                                 : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  free(ratio);
  free(names);
  return status;
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
  const char **names;
  double *error;
  DLS_NEW(names, race->solvers + 1);
  error = dls_memory_array((size_t)race->solvers * (size_t)race->problems + 1, sizeof *error);
  for (int s = 0; s < race->solvers && error; s++)
    for (int p = 0; p < race->problems; p++)
      error[s * race->problems + p] = dls_race_error(race, dls_race_at(race, p, s), moment);
  snprintf(title, sizeof title, "After %g s", moment);
  DlsPlotRace figure =
      figure_of(race, title, measure_of(race), "share of problems with at most this", names);
  figure.x[0] = 1e-12, figure.x[1] = 1, figure.y[1] = 1.02;
  const DlsStatus status = error ? dls_plot_shares(&figure, error, race->problems, path)
                                 : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  free(error);
  free(names);
  return status;
}

/* Decades that hold the samples of a problem. */
static void find_ranges(const DlsRace *race, int problem, bool by_time, DlsPlotRace *figure) {
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
  figure->x[0] = low, figure->x[1] = high;
  figure->y[0] = fmax(pow(10, floor(log10(least))), 1e-16);
  figure->y[1] = pow(10, ceil(log10(most) + 0.01));
}

/* What is shown of a run: all it said of itself where that is true, else the measured end alone. */
static DlsStatus take_points(const DlsRace *race, const DlsRaceRun *run, bool by_time,
                             const DlsPlotRace *figure, DlsPlotRun *out) {
  double(*point)[2];
  DLS_NEW(point, (size_t)run->count + 1);
  const bool believed = dls_race_true(race, run);
  for (int i = 0; i < run->count; i++) {
    const DlsRaceSample *a = &run->sample[i];
    const bool measured = run->end == DLS_RACE_ENDED && i == run->count - 1;
    if (!isfinite(a->error) || !(believed || measured)) continue;
    point[out->count][0] = fmax(by_time ? a->time_s : (double)a->iteration, figure->x[0]);
    point[out->count++][1] = fmax(a->error, figure->y[0]);
  }
  out->point = (const double(*)[2])point;
  return DLS_OK;
}

DlsStatus dls_figure_curves(const DlsRace *race, int problem, bool by_time, const char *path) {
  const char **names;
  DLS_NEW(names, race->solvers + 1);
  DlsPlotRace figure = figure_of(race, race->problem[problem].name,
                                 by_time ? "time  [s]" : "iterations", measure_of(race), names);
  DlsPlotRun *runs = dls_memory_array((size_t)race->solvers + 1, sizeof *runs);
  DlsStatus status = runs ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  find_ranges(race, problem, by_time, &figure);
  for (int s = 0; s < race->solvers && status == DLS_OK; s++)
    status = take_points(race, dls_race_at(race, problem, s), by_time, &figure, &runs[s]);
  if (status == DLS_OK)
    status = dls_plot_runs(&figure, runs, race->tolerance, race->tolerances, path);
  for (int s = 0; s < race->solvers && runs; s++) free((void *)runs[s].point);
  free(runs);
  free(names);
  return status;
}
