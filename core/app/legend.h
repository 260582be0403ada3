/* The legend of a panel of curves, in the corner where it hides least. */
#ifndef DELASSUS_APP_LEGEND_H
#define DELASSUS_APP_LEGEND_H

#include "plot/svg.h"

/* What must not be hidden: a polyline, or dots. */
typedef struct {
  const double *x, *y;
  int count;
  bool dots;
} AppTrace;

void app_legend(DlsSvg *svg, const DlsSvgFrame *frame, const AppTrace *traces, int count,
                const DlsSvgLegend *rows, int labels);

#endif
