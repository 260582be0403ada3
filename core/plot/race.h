/* Figures of a race, from plain arrays: a line or the dots of each runner, told apart by colour and
 * dash, and a legend beside the plot. */
#ifndef DELASSUS_PLOT_RACE_H
#define DELASSUS_PLOT_RACE_H

#include <stdbool.h>

#include <delassus/status.h>

/* The axis of x is logarithmic. */
typedef struct {
  const char *title, *x_label, *y_label;
  double x[2], y[2]; /* shown, from low to high */
  int runners;
  const char *const *names; /* [runners] */
} DlsPlotRace;

/* For each runner the share of its `count` values that are at most x, as a staircase; values
 * [runners][count], infinite where there is none. */
DlsStatus dls_plot_shares(const DlsPlotRace *race, const double *values, int count,
                          const char *path);

/* A curve of each runner with a dot at its end, both axes logarithmic; grey levels across. */
typedef struct {
  const double (*point)[2]; /* [count], x and y */
  int count;
} DlsPlotRun;
DlsStatus dls_plot_runs(const DlsPlotRace *race, const DlsPlotRun *runs, const double *levels,
                        int count, const char *path);

/* A dot for each point of each runner, both axes logarithmic and of one range; a grey line where
 * y = x, a red one where y = factor x. */
DlsStatus dls_plot_scatter(const DlsPlotRace *race, const DlsPlotRun *runs, double factor,
                           const char *path);

#endif
