/* Figures of a race, from plain arrays: a line or the marks of each runner, told apart by colour,
 * dash and mark, and the names beside the plot. Each figure is two files: STEM.svg, and STEM.csv
 * with the points that are drawn. */
#ifndef DELASSUS_PLOT_RACE_H
#define DELASSUS_PLOT_RACE_H

#include <stdbool.h>

#include <delassus/status.h>

/* The axis of x is logarithmic. */
typedef struct {
  const char *title, *x_label, *y_label;
  const char *columns; /* head of the table: "solver,tau,share" */
  double x[2], y[2];   /* shown, from low to high */
  int runners;
  const char *const *names; /* [runners] */
} DlsPlotRace;

/* For each runner the share of its `count` values that are at most x, as a staircase; values
 * [runners][count], infinite where there is none. Names stand in the order of the right edge, with
 * the share that is reached there; rows of the table: the share at x[0], behind each step, and at
 * x[1]. */
DlsStatus dls_plot_shares(const DlsPlotRace *race, const double *values, int count,
                          const char *stem);

/* A curve of each runner with a mark at its end, both axes logarithmic; grey levels across. */
typedef struct {
  const double (*point)[2]; /* [count], x and y */
  int count;
} DlsPlotRun;
DlsStatus dls_plot_runs(const DlsPlotRace *race, const DlsPlotRun *runs, const double *levels,
                        int count, const char *stem);

/* A mark for each point of each runner, both axes logarithmic. Where `factor` > 0 both are of one
 * range, with a grey line where y = x and a red one where y = factor x. */
DlsStatus dls_plot_scatter(const DlsPlotRace *race, const DlsPlotRun *runs, double factor,
                           const char *stem);

#endif
