/* How the runners of a race are told apart in figures: a colour, a dash and a mark each. Ten
 * colours that the colour-blind tell apart come again; dash and mark together are different for
 * any two of 28, so that a print in grey shows who is who. */
#ifndef DELASSUS_PLOT_RUNNER_H
#define DELASSUS_PLOT_RUNNER_H

#include "plot/svg.h"

enum { DLS_PLOT_RUNNERS = 28 }; /* that differ without colour */

/* Any number from 0. */
DlsColour dls_plot_colour(int runner);
DlsSvgStyle dls_plot_line(int runner); /* 2 px wide */
DlsMark dls_plot_mark(int runner);

#endif
