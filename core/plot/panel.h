/* Figures of curves, from plain arrays: panels with axes and a legend, side by side on a page. */
#ifndef DELASSUS_PLOT_PANEL_H
#define DELASSUS_PLOT_PANEL_H

#include "plot/svg.h"

typedef struct {
  const char *label;   /* of the legend; NULL: none */
  const double *x, *y; /* [count] */
  int count;
  DlsColour ink;
  bool dots;           /* in the place of a line */
  const double *error; /* [count], half the width of a band about it; NULL: none */
  bool across;         /* the error is one of x */
} DlsPlotCurve;

typedef struct {
  const char *title, *x_label, *y_label;
  const DlsPlotCurve *curves;
  int count;
  bool equal;          /* same scale on both axes */
  bool log_x, log_y;   /* values above 0 alone */
  double floor_y;      /* log_y: the lowest value shown; 0: the lowest there is */
  bool zero_x, zero_y; /* 0 is shown in any case */
} DlsPlotPanel;

/* Inks of the curves of one panel, told apart. */
enum { DLS_PLOT_INKS = 8 };
extern const DlsColour dls_plot_inks[DLS_PLOT_INKS];

/* Draws a panel into a box of a page. */
void dls_plot_panel(DlsSvg *svg, DlsSvgBox box, const DlsPlotPanel *panel);

/* A page of panels, each of width x height px, in columns of `rows` panels. */
DlsStatus dls_plot_panels(const DlsPlotPanel *panels, int count, int rows, double width,
                          double height, const char *path);

/* The same length of a unit along both axes of a frame: the narrower range is widened. */
void dls_plot_equalise(DlsSvgFrame *frame);

#endif
