/* How the results of post-processing become the arrays of figures (plot/): fabrics, fields,
 * means. */
#ifndef DELASSUS_RECORD_DRAW_H
#define DELASSUS_RECORD_DRAW_H

#include "plot/map.h"
#include "post/fabric.h"
#include "post/time_average.h"

/* Errors [DLS_FORCE_BINS] of the densities; NULL: none. */
DlsStatus dls_draw_fabric(int dim, const DlsRose *rose, const DlsForces *normal,
                          const DlsForces *tangential, const double *normal_error,
                          const double *tangential_error, const char *path);

/* Values at the nodes of a 2-D grid. */
DlsPlotMap dls_draw_map(const DlsFieldGrid *grid, DlsSvgBox box, const double *values,
                        const char *title);

/* The picture of a mean: of phases as curves over the period, else what suits it; none for what
 * ParaView alone shows (grains, fields in 3-D). labels as in record/time_average_write.h. */
DlsStatus dls_draw_means(const DlsTimeAverage *average, const char *const *labels,
                         const char *title, const char *path);

#endif
