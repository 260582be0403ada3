/* Pictures of post-processing. */
#ifndef DELASSUS_APP_POST_PLOT_H
#define DELASSUS_APP_POST_PLOT_H

#include "post/diameters.h"
#include "post/fabric.h"
#include "record/svg.h"

typedef struct {
  const char *label;
  const double *x, *y; /* [count] */
  int count;
  DlsColour ink;
  bool dots; /* in the place of a line */
} PostCurve;

typedef struct {
  const char *title, *x_label, *y_label;
  const PostCurve *curves;
  int count;
  bool equal;     /* same scale on both axes */
  bool log_y;     /* values above 0 alone */
  double floor_y; /* log_y: the lowest value shown */
} PostPanel;

/* Draws a panel into a box of the page. */
void post_draw_panel(DlsSvg *svg, DlsSvgBox box, const PostPanel *panel);

/* Mohr's circles of a stress: one in 2-D, three in 3-D; compression to the right. */
DlsStatus post_plot_mohr(int dim, const DlsStressState *state, const char *path);
DlsStatus post_plot_fabric(int dim, const DlsRose *rose, const DlsForces *normal,
                           const DlsForces *tangential, const char *path);
/* Moreau 2001, Fig. 3: the probe with its grains and forces, and the tractions. */
DlsStatus post_plot_diameters(const DlsGranulate *granulate, const DlsProbe *probe,
                              const DlsDiameters *diameters, const char *path);

#endif
