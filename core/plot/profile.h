/* What depends on a place, from plain arrays: the stress along an axis, the pressure on a floor. */
#ifndef DELASSUS_PLOT_PROFILE_H
#define DELASSUS_PLOT_PROFILE_H

#include <delassus/status.h>

/* A stress profile: diagonal and shear, and K, along an axis, each with its band. */
typedef struct {
  int dim, axis, count;
  const double *place;                    /* [count] */
  const double (*stress)[9], (*error)[9]; /* Pa, tension positive */
  const double *K, *K_error;
} DlsPlotProfile;
DlsStatus dls_plot_profile(const DlsPlotProfile *profile, const char *title, const char *path);

/* The pressure and the shear on a floor by place, `letter` x, y or r. */
typedef struct {
  char letter;
  int count;
  const double *place, *pressure, *pressure_error, *shear, *shear_error; /* [count] */
} DlsPlotFloor;
DlsStatus dls_plot_floor(const DlsPlotFloor *floor, const char *title, const char *path);

#endif
