/* Averages over a probe of volume V, of grains that are not held:
 *
 *   centres  sigma = 1/V sum of the internal moments of the grains whose centre is in the probe
 *            (Moreau 1997): what a probe cuts is in whole or not at all
 *   lines    sigma = 1/V sum of f (x) l times the share of l that lies in the probe: what it cuts
 *            counts by the part of each arm within, the mean of the cuts (post/cut.h) through the
 *            probe
 *
 * Both agree for probes of many grains; their difference is that of the surface, of order d /
 * size. */
#ifndef DELASSUS_POST_AVERAGE_H
#define DELASSUS_POST_AVERAGE_H

#include "post/grain_stress.h"
#include "post/probe.h"

#define DLS_AVERAGE_LIST(X)                                                                        \
  X(CENTRES, "centres")                                                                            \
  X(LINES, "lines")

typedef enum {
#define DLS_AVERAGE_ENUM(code, text) DLS_AVERAGE_##code,
  DLS_AVERAGE_LIST(DLS_AVERAGE_ENUM)
#undef DLS_AVERAGE_ENUM
} DlsAverageKind;

typedef struct {
  double volume;      /* m3 */
  int grains, cells;  /* rigid bodies, and cells of deformable ones, with their centre in it */
  int contacts;       /* with a force, and their point in it */
  double solid;       /* share of the volume that grains take, each counted by its centre */
  double density;     /* kg/m3, of all that they have of mass; in 2-D kg/m2 */
  double velocity[3]; /* m/s, of the mass */
  double stress[9];   /* Pa */
  double normal[9], strong[9]; /* Pa: parts of it */
  double kinetic[9];           /* Pa: -sum m v' (x) v' / V, v' from `velocity` */
  double spin[9];              /* Pa, apart: see dls_packing_spin_moment() */
  /* Pa m, of grains with their centre in it: moments of contact forces about the centres, sum (l x
   * f) (x) l / V; the flux of spin, -sum (I w) (x) v' / V. */
  double couple[9], kinetic_couple[9];
  DlsStressState state; /* of `stress` */
} DlsAverage;

DlsStatus dls_average(const DlsPacking *packing, const DlsProbe *probe, DlsAverageKind kind,
                      DlsAverage *out);

/* V sigma of the grains with their centre in the probe, from their surroundings alone, N m:
 *   sum over contacts with bodies outside of f (x) x - sum over the grains of R (x) centre,
 * R the resultant that the motion tells (packing.h). No force between two grains of the set is
 * looked at. */
DlsStatus dls_average_outer_moment(const DlsPacking *packing, const DlsProbe *probe, double out[9]);

#endif
