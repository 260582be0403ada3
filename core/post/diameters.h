/* Moreau's check of the stress tensor (2001, Fig. 3): the tractions across diameters of a round
 * probe, each the resultant of the contact forces that cross it over its length (3-D: a disk, its
 * area), against those of the mean stress of the probe,
 *
 *   n . sigma n and s . sigma n,   n = (cos theta, sin theta), s = (-sin theta, cos theta)
 *
 * In 3-D n turns in the plane of x and z. */
#ifndef DELASSUS_POST_DIAMETERS_H
#define DELASSUS_POST_DIAMETERS_H

#include "post/average.h"
#include "post/cut.h"

enum { DLS_DIAMETERS_MOST = 720 };

typedef struct {
  DlsAverage average;
  int count;
  double angle[DLS_DIAMETERS_MOST];  /* rad, of n: k pi / count */
  double cut[DLS_DIAMETERS_MOST][2]; /* Pa, normal and tangential, across the cuts */
  double fit[DLS_DIAMETERS_MOST][2]; /* Pa, the same of the tensor */
  double crossing;                   /* contacts on a diameter, mean */
  double correlation; /* of cut and fit about their means, over normal and tangential values
                         together; 0 where all are alike */
  double deviation;   /* root mean square of cut - fit over the pressure */
} DlsDiameters;

/* `probe` is a sphere (disk). */
DlsStatus dls_diameters(const DlsPacking *packing, const DlsProbe *probe, DlsAverageKind kind,
                        int count, DlsDiameters *out);

#endif
