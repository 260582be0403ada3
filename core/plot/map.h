/* Maps of values at the nodes of plane grids, shaded from 0 to the largest, with one colour bar. */
#ifndef DELASSUS_PLOT_MAP_H
#define DELASSUS_PLOT_MAP_H

#include "plot/svg.h"

typedef struct {
  DlsSvgBox box;          /* on the page */
  int points[2];          /* nodes along x and y */
  double low[2], high[2]; /* m: the first and the last */
  const double *values;   /* [points[1]][points[0]] */
  const char *title;
} DlsPlotMap;

/* `most` is the value of the darkest shade. */
DlsStatus dls_plot_maps(const DlsPlotMap *maps, int count, double most, DlsSvgBox bar,
                        const char *label, double width, double height, const char *path);

#endif
