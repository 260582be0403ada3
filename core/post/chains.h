/* Force chains: grains that are loaded above the mean, in a row along their strongest compression
 * (Peters et al. 2005, Phys. Rev. E 72, 041307).
 *
 * A grain is loaded when its strongest compression -sigma_1 is above the mean of all grains that
 * carry any. Two loaded grains in contact are linked when the line between their centres is within
 * `angle` of the direction of sigma_1 of both. A chain is a connected set of `least` grains and
 * more. */
#ifndef DELASSUS_POST_CHAINS_H
#define DELASSUS_POST_CHAINS_H

#include "post/grain_stress.h"

typedef struct {
  double angle; /* rad */
  int least;
} DlsChainRule;

typedef struct {
  int count;
  int32_t *number; /* [grains]: 0 none, 1 the largest chain, 2 the next ... */
  int *size;       /* [count], grains, descending */
  int links;       /* contacts within chains */
  double grains;   /* share of the free grains that are in chains */
  double load;     /* share of the sum of strongest compressions, by volume, that they carry */
  double mean;     /* Pa, what divides loaded from others */
} DlsChains;

/* Rule NULL: 45 degrees, 3 grains. *out is zeroed, ended with dls_chains_clear(). */
DlsStatus dls_chains(const DlsPacking *packing, const DlsGrainStress *stress,
                     const DlsChainRule *rule, DlsChains *out);
void dls_chains_clear(DlsChains *chains);

/* Percolation along each axis: the largest share of the mean normal force such that contacts that
 * carry more still connect both ends of the box around the grains; 0 where no contact network
 * does. */
DlsStatus dls_percolation(const DlsPacking *packing, double out[3]);

#endif
