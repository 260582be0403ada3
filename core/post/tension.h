/* Where a packing pulls: normal forces of both signs, as cohesive grains have them. Of contacts
 * with a normal force, their point in the probe. With the mean of |f_N| as the unit,
 *   P(f) = density of f_N / mean |f_N|, below 0 those that pull; its integral is 1
 * and the fabric tensors of those that push and of those that pull, mean of n (x) n, of trace 1. */
#ifndef DELASSUS_POST_TENSION_H
#define DELASSUS_POST_TENSION_H

#include "post/packing.h"
#include "post/probe.h"

enum { DLS_TENSION_BINS = 20 }; /* of each sign, |f| / mean |f| from 0 to 5 */

typedef struct {
  int push, pull;                         /* contacts */
  double share;                           /* of those that pull */
  double mean;                            /* N, of |f_N| */
  double mean_push, mean_pull, strongest; /* N, >= 0; the greatest pull */
  double push_fabric[9], pull_fabric[9];  /* zero where there are none */
  double push_density[DLS_TENSION_BINS], pull_density[DLS_TENSION_BINS];
  double width;  /* of a bin */
  double beyond; /* share of contacts with |f| above the last bin */
} DlsTension;

void dls_tension(const DlsPacking *packing, const DlsProbe *probe, DlsTension *out);

#endif
