/* Stress of single grains (Moreau 1997; the definition [23] of Moreau 2001, sec. 3.4).
 *
 *   M     = sum over the contacts of the grain of f (x) l     its internal moment tensor, N m
 *   sigma = M / V                                             its mean stress, tension positive
 *   kinetic = -m v' (x) v' / V                                apart; v' = v - mean velocity of the sample
 *
 * f is the force on the grain, l goes from its centre to the contact point. Internal moments add up: those of a set of
 * grains give that of the set. sigma is symmetric where the grain's spin does not change, since the antisymmetric part
 * of M is half the torque of the contacts. Splits: normal + tangential = all; strong + weak = all, where a contact
 * is strong when its normal force is above the mean of those that push. */
#ifndef DELASSUS_POST_GRAIN_STRESS_H
#define DELASSUS_POST_GRAIN_STRESS_H

#include "post/granulate.h"
#include "post/tensor.h"

typedef struct {
  int grains;
  double (*stress)[9];               /* Pa */
  double (*kinetic)[9];              /* Pa */
  double (*normal)[9], (*strong)[9]; /* Pa: parts of `stress`; NULL unless asked for */
  DlsStressState *state;             /* of `stress` */
} DlsGrainStress;

/* *out is zeroed, ended with dls_grain_stress_clear(). Held bodies have stress too. */
DLS_EXPORT DlsStatus dls_grain_stress(const DlsGranulate *granulate, int splits,
                                      DlsGrainStress *out);
DLS_EXPORT void dls_grain_stress_clear(DlsGrainStress *stress);

/* The arm of the force on side 0 (candidate) or 1 (antagonist, a grain) of contact c: contact point less centre. */
static inline void dls_granulate_arm(const DlsGranulate *g, int c, int side, double arm[3]) {
  const double *x = g->centre[side ? g->antagonist[c] : g->candidate[c]];
  for (int k = 0; k < 3; k++) arm[k] = g->point[c][k] - x[k];
}

#endif
