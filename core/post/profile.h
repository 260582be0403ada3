/* Profiles: means over the layers of a region along an axis. What holds for averages
 * (post/average.h) holds for each layer; the arms are dealt out to the layers in one pass.
 *
 * One moment tells no standard error by itself. `error` is the one that follows if contacts bear
 * their shares independently of each other, a compound Poisson process: sqrt(sum (f_i l_j)^2) / V.
 * Neighbours are correlated, so it is a scale, not a bound; means over time have better ones
 * (post/mean.h). */
#ifndef DELASSUS_POST_PROFILE_H
#define DELASSUS_POST_PROFILE_H

#include "post/average.h"

typedef struct {
  DlsProbe region; /* all, a box, or a cylinder along the axis */
  DlsAverageKind kind;
  int axis, layers;
  double low[3], high[3]; /* m: the box around it; layers divide it along the axis */
} DlsProfileGrid;

typedef struct {
  double place;  /* m, middle along the axis */
  double volume; /* m3 */
  double mass;   /* kg, of the grains with their centre in it */
  double solid, velocity[3];
  double stress[9], kinetic[9]; /* Pa */
  double error[9];              /* Pa, of stress, as above */
  int grains, contacts;         /* centres in it; arms that count in it */
} DlsLayer;

enum { DLS_PROFILE_MOST = 1000 };

/* Layers of a region; of `all` those of the box around the grains. DLS_ERR_ARGUMENT for other
 * regions. */
DlsStatus dls_profile_grid(const DlsPacking *packing, const DlsProbe *region, DlsAverageKind kind,
                           int axis, int layers, DlsProfileGrid *out);

/* out [layers]. */
DlsStatus dls_profile(const DlsPacking *packing, const DlsProfileGrid *grid, DlsLayer *out);

/* K: the mean of the stresses across the axis over the one along it; 0 where that is 0. */
double dls_profile_ratio(int dim, int axis, const double stress[9]);

/* "z" or "z:40", one of the letters; DLS_ERR_ARGUMENT says how it is written. */
DlsStatus dls_profile_read(const char *text, const char *letters, int *letter, int *count);

#endif
