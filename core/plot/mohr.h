/* Mohr's circles of a stress: one in 2-D, three in 3-D; compression to the right. */
#ifndef DELASSUS_PLOT_MOHR_H
#define DELASSUS_PLOT_MOHR_H

#include <delassus/status.h>

/* Principal stresses, the strongest compression first, Pa, tension positive. */
DlsStatus dls_plot_mohr(int dim, const double principal[3], double pressure, double deviator,
                        const char *path);

#endif
