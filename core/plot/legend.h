/* The legend of a panel of curves, in the corner where it hides least. */
#ifndef DELASSUS_PLOT_LEGEND_H
#define DELASSUS_PLOT_LEGEND_H

#include "plot/svg.h"

/* What must not be hidden: a polyline, or dots. */
typedef struct {
  const double *x, *y;
  int count;
  bool dots;
} DlsPlotTrace;

void dls_plot_legend(DlsSvg *svg, const DlsSvgFrame *frame, const DlsPlotTrace *traces, int count,
                     const DlsSvgLegend *rows, int labels);

#endif
