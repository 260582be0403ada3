/* Directions of contacts and the distribution of forces, from plain arrays. */
#ifndef DELASSUS_PLOT_FABRIC_H
#define DELASSUS_PLOT_FABRIC_H

#include <delassus/status.h>

enum { DLS_PLOT_FIT = 181 }; /* angles 0, 2 pi/180 ... 2 pi */

typedef struct {
  int dim, sectors, bands; /* of the directions: around z, and, in 3-D, by n . z from -1 to 1 */
  const double *count;     /* [bands][sectors]; 2-D: the first band alone */
  double total;            /* of the counts */
  const double *fit;       /* [DLS_PLOT_FIT], 2-D: densities, their integral over the circle is 1 */
  int bins;                /* of the forces */
  double width;            /* of a bin */
  const double *density[2], *error[2]; /* [bins], normal and tangential; errors may be NULL */
} DlsPlotFabric;

/* The rose of normals with its fit (in 3-D the normals by height), and P(f). */
DlsStatus dls_plot_fabric(const DlsPlotFabric *fabric, const char *path);

#endif
