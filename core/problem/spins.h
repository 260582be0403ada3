/* Spins beside velocities, torques beside impulses, in blocks that hold both: with
 *
 *   ℓ = sqrt(Ŵ_NN / mean Ŵ of the spins), m
 *
 * spins times ℓ, torques and the lengths mu of a rolling cone over ℓ count like velocities,
 * impulses and coefficients, whatever the unit of length. Components dim, dim + 1 ... of a block
 * are the spins. */
#ifndef DELASSUS_PROBLEM_SPINS_H
#define DELASSUS_PROBLEM_SPINS_H

#include <math.h>

#include <delassus/relation.h>

/* ℓ of a contact from its diagonal block D, row-major; 1 where there are no spins, and where the
 * bodies do not turn. */
static inline double dls_spin_length(int dim, int block, const double *D) {
  double spins = 0;
  for (int k = dim; k < block; k++) spins += D[k * (block + 1)] / (block - dim);
  const double length = sqrt(D[0] / spins);
  return length > 0 && isfinite(length) ? length : 1.0;
}

/* What component k of a velocity is multiplied, of an impulse divided by. */
static inline double dls_spin_turn(int dim, int k, double length) { return k < dim ? 1 : length; }

/* The relation whose torques are over ℓ. */
static inline DlsRelation dls_spin_even(const DlsRelation *relation, double length) {
  DlsRelation even = *relation;
  even.mu[DLS_MU_ROLL] /= length;
  even.mu[DLS_MU_TORSION] /= length;
  return even;
}

#endif
