/* The graphs of a contact law as one page: a head, then panels two by two, each with its curves
 * about the axes x = 0 and y = 0. */
#ifndef DELASSUS_PLOT_GRAPHS_H
#define DELASSUS_PLOT_GRAPHS_H

#include "plot/panel.h"

typedef struct {
  const char *title;        /* in bold; */
  double size;              /* px of its letters */
  const char *const *lines; /* below it */
  int count;
} DlsPlotHead;

/* Of the panels are used: titles, labels, curves (label, x, y, count), equal. */
DlsStatus dls_plot_graphs(const DlsPlotHead *head, const DlsPlotPanel *graphs, int count,
                          const char *path);

#endif
