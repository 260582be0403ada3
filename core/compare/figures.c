#include "compare/figures.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "plot/race.h"

const DlsCostWords *dls_cost_words(DlsCost cost) {
  static const DlsCostWords words[] = {
#define WORDS(code, word, title, ratio, axis) {word, title, ratio, axis},
      DLS_COST_LIST(WORDS)
#undef WORDS
  };
  return &words[cost];
}

const char *dls_cost_title(const DlsRace *race, DlsCost cost) {
  const bool processor = cost == DLS_COST_TIME && race->clock == DLS_CLOCK_CPU;
  return processor ? "Processor's time" : dls_cost_words(cost)->title;
}

static const char *measure_of(const DlsRace *race) {
  static const char *const texts[] = {
#define TEXT(code, word) word " error",
      DLS_MEASURE_LIST(TEXT)
#undef TEXT
  };
  return texts[race->measure];
}

/* What all figures of a race have; `names` [solvers] is filled. */
static DlsPlotRace figure_of(const DlsRace *race, const char *title, const char *x_label,
                             const char *y_label, const char *columns, const char **names) {
  for (int s = 0; s < race->solvers; s++) names[s] = race->solver[s];
  return (DlsPlotRace){.title = title,
                       .x_label = x_label,
                       .y_label = y_label,
                       .columns = columns,
                       .runners = race->solvers,
                       .names = names};
}

/* A number as its table has it: runs.csv with 6 digits, convergence.csv with 9. */
enum { RUNS = 6, CONVERGENCE = 9 };
static double as_written(double value, int digits) {
  char text[32];
  if (!isfinite(value)) return value;
  snprintf(text, sizeof text, "%.*g", digits, value);
  return strtod(text, NULL);
}

double dls_race_cost(const DlsRace *race, int problem, int solver, int tolerance, DlsCost cost) {
  const DlsRaceRun *run = dls_race_at(race, problem, solver);
  const double t = race->tolerance[tolerance];
  /* The clock has a grain; an answer at once counts as one product, or iteration. */
  if (cost == DLS_COST_TIME) return fmax(as_written(dls_race_time(race, run, t), RUNS), 1e-6);
  if (cost == DLS_COST_WORK) return fmax(as_written(dls_race_work(race, run, t), RUNS), 1);
  return fmax(dls_race_iterations(race, run, t), 1);
}

/* The first power of ten that is not below `value`, at least 10. */
static double decade_above(double value) {
  double decade = 10;
  while (decade < value) decade *= 10;
  return decade;
}

/* Ratios to the best, [solvers][count]; returns the largest that is finite. */
static double take_ratios(const DlsRace *race, const DlsGroup *group, int count, int tolerance,
                          DlsCost cost, double *ratio) {
  double largest = 1;
  for (int k = 0; k < count; k++) {
    const int p = group ? group->member[k] : k;
    double best = INFINITY;
    for (int s = 0; s < race->solvers; s++)
      best = fmin(best, dls_race_cost(race, p, s, tolerance, cost));
    for (int s = 0; s < race->solvers; s++) {
      const double mine = dls_race_cost(race, p, s, tolerance, cost);
      ratio[s * count + k] = isfinite(mine) ? mine / best : INFINITY;
      if (isfinite(mine)) largest = fmax(largest, mine / best);
    }
  }
  return largest;
}

DlsStatus dls_figure_profile(const DlsRace *race, const DlsGroup *group, int tolerance,
                             DlsCost cost, const char *stem) {
  const int count = group ? group->count : race->problems;
  char title[2 * DLS_RACE_NAME];
  const char **names;
  DLS_NEW(names, race->solvers + 1);
  double *ratio = dls_memory_array((size_t)race->solvers * (size_t)count + 1, sizeof *ratio);
  DlsStatus status = ratio ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  if (group)
    snprintf(title, sizeof title, "%s, %d problems, to %g", group->label, count,
             race->tolerance[tolerance]);
  else
    snprintf(title, sizeof title, "%s to a %s of %g", dls_cost_title(race, cost), measure_of(race),
             race->tolerance[tolerance]);
  if (status == DLS_OK) {
    DlsPlotRace figure = figure_of(race, title, dls_cost_words(cost)->ratio,
                                   "share of problems within τ", "solver,tau,share", names);
    const double largest = take_ratios(race, group, count, tolerance, cost, ratio);
    figure.x[0] = 1, figure.x[1] = decade_above(largest), figure.y[1] = 1.02;
    status = dls_plot_shares(&figure, ratio, count, stem);
  }
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

DlsStatus dls_figure_moment(const DlsRace *race, double moment, const char *stem) {
  char title[96];
  const char **names;
  double *error, largest = 1;
  DLS_NEW(names, race->solvers + 1);
  error = dls_memory_array((size_t)race->solvers * (size_t)race->problems + 1, sizeof *error);
  for (int s = 0; s < race->solvers && error; s++)
    for (int p = 0; p < race->problems; p++) {
      const double e = dls_race_error(race, dls_race_at(race, p, s), moment);
      error[s * race->problems + p] = e;
      if (isfinite(e)) largest = fmax(largest, e);
    }
  snprintf(title, sizeof title, "After %g s", moment);
  DlsPlotRace figure =
      figure_of(race, title, measure_of(race), "share of problems with at most this",
                "solver,error,share", names);
  figure.x[0] = 1e-12, figure.x[1] = largest > 1 ? decade_above(largest) : 1, figure.y[1] = 1.02;
  const DlsStatus status = error ? dls_plot_shares(&figure, error, race->problems, stem)
                                 : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  free(error);
  free(names);
  return status;
}

static double spent_at(const DlsRaceSample *sample, DlsCost cost) {
  if (cost == DLS_COST_TIME) return as_written(sample->time_s, CONVERGENCE);
  if (cost == DLS_COST_WORK) return as_written(sample->work, RUNS);
  return (double)sample->iteration;
}

/* Decades that hold the samples of a problem. */
static void find_ranges(const DlsRace *race, int problem, DlsCost cost, DlsPlotRace *figure) {
  double low = INFINITY, high = 0, least = 1e-8, most = 1e-8;
  for (int s = 0; s < race->solvers; s++) {
    const DlsRaceRun *run = dls_race_at(race, problem, s);
    for (int i = 0; i < run->count; i++) {
      const DlsRaceSample *a = &run->sample[i];
      const double x = spent_at(a, cost);
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
static DlsStatus take_points(const DlsRace *race, const DlsRaceRun *run, DlsCost cost,
                             const DlsPlotRace *figure, DlsPlotRun *out) {
  double(*point)[2];
  DLS_NEW(point, (size_t)run->count + 1);
  const bool believed = dls_race_true(race, run);
  for (int i = 0; i < run->count; i++) {
    const DlsRaceSample *a = &run->sample[i];
    const bool measured = run->end == DLS_RACE_ENDED && i == run->count - 1;
    if (!isfinite(a->error) || !(believed || measured)) continue;
    point[out->count][0] = fmax(spent_at(a, cost), figure->x[0]);
    point[out->count++][1] = fmax(as_written(a->error, CONVERGENCE), figure->y[0]);
  }
  out->point = (const double(*)[2])point;
  return DLS_OK;
}

DlsStatus dls_figure_curves(const DlsRace *race, int problem, DlsCost cost, const char *stem) {
  const char **names;
  char columns[64];
  DLS_NEW(names, race->solvers + 1);
  snprintf(columns, sizeof columns, "solver,%s,error", dls_cost_words(cost)->word);
  DlsPlotRace figure = figure_of(race, race->problem[problem].name, dls_cost_words(cost)->axis,
                                 measure_of(race), columns, names);
  DlsPlotRun *runs = dls_memory_array((size_t)race->solvers + 1, sizeof *runs);
  DlsStatus status = runs ? DLS_OK : dls_fail(DLS_ERR_MEMORY, "out of memory for a figure");
  find_ranges(race, problem, cost, &figure);
  for (int s = 0; s < race->solvers && status == DLS_OK; s++)
    status = take_points(race, dls_race_at(race, problem, s), cost, &figure, &runs[s]);
  if (status == DLS_OK)
    status = dls_plot_runs(&figure, runs, race->tolerance, race->tolerances, stem);
  for (int s = 0; s < race->solvers && runs; s++) free((void *)runs[s].point);
  free(runs);
  free(names);
  return status;
}
