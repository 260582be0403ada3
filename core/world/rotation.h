/* How bodies turn; vectors and quaternions are those of base/rotation.h.
 *
 * A free rigid body of principal inertia J turns by the midpoint rule on the group,
 *   P+ = exp(-h w) P,   w = J^-1 (P + P+) / 2,   q+ = q exp(h w),
 * with P the angular momentum in body axes. Both q P (the momentum in space) and P . J^-1 P / 2
 * (the energy, because exp(h w) keeps the component along w) are then the same after the step, to
 * round-off. */
#ifndef DELASSUS_WORLD_ROTATION_H
#define DELASSUS_WORLD_ROTATION_H

#include "base/rotation.h"

/* The quaternion of a proper rotation matrix, row-major (columns are the turned axes). */
void dls_rotation_from_matrix(const double matrix[9], double q[4]);

/* q <- exp(h w) q with the spin w in space axes, kept constant; renormalised. */
void dls_rotation_turn(double h, const double spin[3], double q[4]);

/* The midpoint rule above: orientation and spin (space axes) after h seconds without torque.
 * Fixed-point iteration, then halving of the step where it does not contract (h |w| of order one
 * and more); a body without inertia about some axis (0) turns with constant spin. */
void dls_rotation_free_step(double h, const double inertia[3], double q[4], double spin[3]);

#endif
