/* How densely a set of problems covers two quantities: a mark for each problem, both axes
 * logarithmic, and how many there are in each bin of x above the plot, of y on its right. STEM.svg,
 * and STEM.csv with the points. */
#ifndef DELASSUS_PLOT_DENSITY_H
#define DELASSUS_PLOT_DENSITY_H

#include "plot/race.h"

/* race->x and y are filled: whole bins of a half decade of x, of a tenth of y. */
DlsStatus dls_plot_density(DlsPlotRace *race, const DlsPlotRun *runs, const char *stem);

#endif
