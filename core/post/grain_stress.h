/* Stress of single grains (Moreau 1997; the definition [23] of Moreau 2001, sec. 3.4).
 *
 *   M     = sum over the contacts of the grain of f (x) l     its internal moment tensor, N m
 *   sigma = M / V                                             its mean stress, tension positive
 *   kinetic = -m v' (x) v' / V
 *       apart; v' = v - mean velocity of the sample
 *
 *   spin  = sym (|w|^2 1 - w (x) w) J / V
 *       apart; J = int rho x (x) x, w the spin
 *
 * f is the force on the grain, l goes from its centre to the contact point. Internal moments add
 * up: those of a set of grains give that of the set. Of a deformable body M is the integral of its
 * stress; its splits are zero. sigma is symmetric where the grain's spin does
 * not change, since the antisymmetric part of M is half the torque of the contacts. Splits: normal
 * + tangential = all; strong + weak = all, where a contact is strong when its normal force is above
 * the mean of those that push. */
#ifndef DELASSUS_POST_GRAIN_STRESS_H
#define DELASSUS_POST_GRAIN_STRESS_H

#include "post/packing.h"
#include "post/tensor.h"

typedef struct {
  int grains;
  double (*stress)[9];               /* Pa */
  double (*kinetic)[9];              /* Pa */
  double (*normal)[9], (*strong)[9]; /* Pa: parts of `stress`; NULL unless asked for */
  DlsStressState *state;             /* of `stress` */
} DlsGrainStress;

/* *out is zeroed, ended with dls_grain_stress_clear(). Held bodies have stress too. */
DlsStatus dls_grain_stress(const DlsPacking *packing, int splits, DlsGrainStress *out);
void dls_grain_stress_clear(DlsGrainStress *stress);

/* V times the tension by which a rigid grain holds its own mass on circles, N m. The mean of
 * Cauchy's stress in a grain that turns is sym M / V + spin; the motion of its points about its
 * centre carries -spin. Both cancel in the sum of stress and kinetic stress, which is why spins are
 * in neither. In 2-D J is taken as round. */
void dls_packing_spin_moment(const DlsPacking *packing, int grain, double out[9]);

/* The arm of the force on side 0 (candidate) or 1 (antagonist, a grain) of contact c: contact point
 * less centre. */
static inline void dls_packing_arm(const DlsPacking *g, int c, int side, double arm[3]) {
  const double *x = g->centre[side ? g->antagonist[c] : g->candidate[c]];
  dls_packing_point(g, c, side, arm);
  for (int k = 0; k < 3; k++) arm[k] -= x[k];
}

#endif
