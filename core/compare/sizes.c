/* Figures of figures.h over the sizes of problems: how many there are, what they cost. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "compare/figures.h"
#include "plot/density.h"
#include "plot/powers.h"

DlsStatus dls_figure_density(const DlsRace *race, const char *stem) {
  static const char *const kinds[] = {"2-D", "3-D", "rolling"};
  const char *names[DLS_COUNT(kinds)];
  DlsPlotRun runs[DLS_COUNT(kinds)] = {{0}};
  double(*points)[2];
  int shown = 0, used = 0;
  DLS_NEW(points, race->problems + 1);
  for (int k = 0; k < DLS_COUNT(kinds); k++) {
    const int first = used;
    for (int p = 0; p < race->problems; p++) {
      const double h = dls_problem_hyperstaticity(&race->problem[p]);
      if (strcmp(dls_problem_kind(&race->problem[p]), kinds[k]) != 0 || isnan(h)) continue;
      points[used][0] = fmax(race->problem[p].contacts, 1);
      points[used++][1] = h;
    }
    if (used == first) continue;
    names[shown] = kinds[k];
    runs[shown++] = (DlsPlotRun){(const double(*)[2])(points + first), used - first};
  }
  DlsPlotRace figure = {.title = "How many problems of which kind",
                        .x_label = "contacts",
                        .y_label = "hyperstaticity: rows / freedom",
                        .columns = "kind,contacts,hyperstaticity",
                        .runners = shown,
                        .names = names};
  const DlsStatus status = dls_plot_density(&figure, runs, stem);
  free(points);
  return status;
}

/* Points of one solver, and the power through them with its words. */
static void fit(const DlsRace *race, int s, int tolerance, DlsCost cost, double (*point)[2],
                DlsPlotRun *run, DlsPower *power, char text[48]) {
  int count = 0;
  for (int p = 0; p < race->problems; p++) {
    const double mine = dls_race_cost(race, p, s, tolerance, cost);
    if (!isfinite(mine)) continue;
    point[count][0] = fmax(race->problem[p].contacts, 1);
    point[count++][1] = mine;
  }
  *run = (DlsPlotRun){(const double(*)[2])point, count};
  if (dls_power_fit(run->point, count, power)) {
    snprintf(text, 48, "%.2f ± %.2f", power->exponent, power->error);
  } else {
    power->exponent = NAN;
    text[0] = '\0';
  }
}

/* Decades that hold all points. */
static void find_ranges(const DlsPlotRun *runs, int count, DlsPlotRace *figure) {
  double low[2] = {INFINITY, INFINITY}, high[2] = {0, 0};
  for (int s = 0; s < count; s++)
    for (int k = 0; k < runs[s].count; k++)
      for (int i = 0; i < 2; i++) {
        low[i] = fmin(low[i], runs[s].point[k][i]);
        high[i] = fmax(high[i], runs[s].point[k][i]);
      }
  for (int i = 0; i < 2; i++) {
    double *range = i ? figure->y : figure->x;
    if (!(high[i] > 0)) low[i] = high[i] = 1;
    range[0] = pow(10, floor(log10(low[i]) + 1e-9));
    range[1] = fmax(pow(10, ceil(log10(high[i]) - 1e-9)), 10 * range[0]);
  }
}

/* Arrays of one figure. */
typedef struct {
  const char **names;
  double (*points)[2];
  DlsPlotRun *runs;
  DlsPlotPower *lines;
  char (*texts)[48];
} Powers;

static DlsStatus draw_powers(const DlsRace *race, int tolerance, DlsCost cost, const char *stem,
                             Powers *a, DlsPower *powers) {
  char title[96], columns[64];
  snprintf(columns, sizeof columns, "solver,contacts,%s", dls_cost_words(cost)->word);
  snprintf(title, sizeof title, "%s to %g against contacts, and its power",
           dls_cost_title(race, cost), race->tolerance[tolerance]);
  DLS_NEW(a->names, race->solvers + 1);
  DLS_NEW(a->points, (size_t)race->solvers * (size_t)race->problems + 1);
  DLS_NEW(a->runs, race->solvers + 1);
  DLS_NEW(a->lines, race->solvers + 1);
  DLS_NEW(a->texts, race->solvers + 1);
  for (int s = 0; s < race->solvers; s++) {
    a->names[s] = race->solver[s];
    fit(race, s, tolerance, cost, a->points + (size_t)s * (size_t)race->problems, &a->runs[s],
        &powers[s], a->texts[s]);
    a->lines[s] = (DlsPlotPower){a->texts[s], !isnan(powers[s].exponent), powers[s].factor,
                                 powers[s].exponent};
  }
  DlsPlotRace figure = {.title = title,
                        .x_label = "contacts",
                        .y_label = dls_cost_words(cost)->axis,
                        .columns = columns,
                        .runners = race->solvers,
                        .names = a->names};
  find_ranges(a->runs, race->solvers, &figure);
  return dls_plot_powers(&figure, a->runs, a->lines, stem);
}

DlsStatus dls_figure_powers(const DlsRace *race, int tolerance, DlsCost cost, const char *stem,
                            DlsPower *powers) {
  Powers a = {0};
  const DlsStatus status = draw_powers(race, tolerance, cost, stem, &a, powers);
  free(a.names);
  free(a.points);
  free(a.runs);
  free(a.lines);
  free(a.texts);
  return status;
}
