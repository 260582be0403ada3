/* Moreau 2001, Fig. 3: a round probe with its grains and forces on the left, the tractions across
 * its diameters on the right, of cuts and of the stress tensor. From plain arrays. */
#ifndef DELASSUS_PLOT_PROBE_H
#define DELASSUS_PLOT_PROBE_H

#include "plot/grains.h"

typedef struct {
  int dim;          /* 2, or 3: seen along y */
  double centre[3]; /* m */
  double radius;    /* m */

  int grains;
  const double (*grain)[3]; /* [grains], m: centres */
  const double *grain_radius;
  DlsGrainSides sides; /* lent: of grains with corners, drawn in 2-D */
  int contacts;
  const double (*point)[3], (*force)[3]; /* [contacts], m, N */
  const double *normal_force;            /* [contacts], N */
  double length;                         /* m, of the line of a force: a mean diameter */

  int inside;              /* grains of the probe */
  double solid;            /* share of its volume that they take */
  const double *stress;    /* [9], Pa, tension positive */
  const double *principal; /* [3] Pa */
  const double (*axis)[3]; /* of each */
  int cuts;
  const double *angle;           /* [cuts], rad, of the normals */
  const double (*cut)[2];        /* [cuts], Pa: normal and tangential */
  double correlation, deviation; /* of cuts and tensor */
} DlsPlotProbe;

DlsStatus dls_plot_probe(const DlsPlotProbe *probe, const char *path);

#endif
