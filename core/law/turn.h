/* How a pair turns from one step to the next, and vectors of its contact plane with it.
 *
 * Frames are rows n, t1, t2 in space axes. The pair turns with its normal, by the shortest turn
 * that takes n before to n now, and then about n by the mean of both spins:
 *   R = exp(n h (w . n)) S(n before -> n now),   turn = log R.
 * A pair that moves as one rigid body with spin w turns by exp(h w): of that R is S times what is
 * left about n, whose angle is 2 atan(tan(h|w|/2) w.n/|w|) = h w.n + O(h^3). So R is right to
 * O(h^3) in a step, and exact where w is along n or across it. */
#ifndef DELASSUS_LAW_TURN_H
#define DELASSUS_LAW_TURN_H

#include <delassus/laws.h>

/* rad, space axes: `spin` is the mean of both, rad/s, h the seconds between the two frames. */
void dls_pair_turn(const double before[9], const double now[9], const double spin[3], double h,
                   double turn[3]);

/* A vector of the contact plane, by its components along t1 and t2: those in the frame of before
 * become those, in the frame of now, of the vector that has turned with the pair. Its length stays.
 * In 2-D, where t2 = z, the second one is and stays 0. */
void dls_pair_carry(const double before[9], const double now[9], const double turn[3],
                    double vector[2]);

/* The same of all vectors among the states of the laws of `use` (DLS_TANGENT, DLS_JUMP), by
 * kinematics->turn; scalars stay. Not for 2-D, where the one component along t stays as it is. */
void dls_law_carry(const DlsLawUse *use, const double before[9], const double now[9],
                   double *state);

#endif
