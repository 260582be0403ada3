/* Pictures of post-processing. */
#ifndef DELASSUS_APP_POST_PLOT_H
#define DELASSUS_APP_POST_PLOT_H

#include "plot/svg.h"
#include "post/diameters.h"
#include "post/fabric.h"
#include "post/time_average.h"

typedef struct {
  const char *label;
  const double *x, *y; /* [count] */
  int count;
  DlsColour ink;
  bool dots;           /* in the place of a line */
  const double *error; /* [count], half the width of a band about it; NULL: none */
  bool across;         /* the error is one of x */
} PostCurve;

typedef struct {
  const char *title, *x_label, *y_label;
  const PostCurve *curves;
  int count;
  bool equal;          /* same scale on both axes */
  bool log_y;          /* values above 0 alone */
  double floor_y;      /* log_y: the lowest value shown */
  bool zero_x, zero_y; /* 0 is shown in any case */
} PostPanel;

extern const DlsColour post_inks[8];

/* Zeroed, freed by the caller. */
DlsStatus post_reals(size_t count, double **out);

/* Draws a panel into a box of the page. */
void post_draw_panel(DlsSvg *svg, DlsSvgBox box, const PostPanel *panel);

/* Mohr's circles of a stress: one in 2-D, three in 3-D; compression to the right. */
DlsStatus post_plot_mohr(int dim, const DlsStressState *state, const char *path);
/* Errors [DLS_FORCE_BINS] of the densities; NULL: none. */
DlsStatus post_plot_fabric(int dim, const DlsRose *rose, const DlsForces *normal,
                           const DlsForces *tangential, const double *normal_error,
                           const double *tangential_error, const char *path);
/* A stress profile: diagonal and shear, and K, along an axis, each with its band. */
typedef struct {
  int dim, axis, count;
  const double *place;                    /* [count] */
  const double (*stress)[9], (*error)[9]; /* Pa */
  const double *K, *K_error;
} PostProfile;
DlsStatus post_plot_profile(const PostProfile *profile, const char *title, const char *path);
/* The pressure and the shear on a floor by place, `letter` x, y or r. */
typedef struct {
  char letter;
  int count;
  const double *place, *pressure, *pressure_error, *shear, *shear_error; /* [count] */
} PostFloor;
DlsStatus post_plot_floor(const PostFloor *floor, const char *title, const char *path);
/* A map of values at the nodes of a 2-D grid, in a box of the page; 0 to `most`. */
void post_draw_map(DlsSvg *svg, DlsSvgBox box, const DlsFieldGrid *grid, const double *values,
                   double most, const char *title);
/* The picture of a mean: of phases as curves over the period, else what suits it; none for what ParaView alone shows (grains,
 * fields in 3-D). labels as in record/time_average_write.h. */
DlsStatus post_plot_time_average(const DlsTimeAverage *average, const char *const *labels,
                                 const char *title, const char *path);
/* Moreau 2001, Fig. 3: the probe with its grains and forces, and the tractions. */
DlsStatus post_plot_diameters(const DlsPacking *packing, const DlsProbe *probe,
                              const DlsDiameters *diameters, const char *path);

#endif
