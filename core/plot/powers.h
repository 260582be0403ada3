/* Cost against size, a small panel for each runner on common axes: a mark for each point, and the
 * line y = factor x^exponent where one is known. STEM.svg, and STEM.csv with the points. */
#ifndef DELASSUS_PLOT_POWERS_H
#define DELASSUS_PLOT_POWERS_H

#include "plot/race.h"

typedef struct {
  const char *text; /* under the name; "": none */
  bool line;
  double factor, exponent;
} DlsPlotPower;

/* race->title is of the whole; both axes are logarithmic, with ranges of race. */
DlsStatus dls_plot_powers(const DlsPlotRace *race, const DlsPlotRun *runs,
                          const DlsPlotPower *powers, const char *stem);

#endif
