/* A problem in other units. With masses m and lengths l in other units velocities are l, spins 1,
 * impulses m l and torques m l² times what they were, so that a row of W takes the factor of its
 * velocity and a column that of its reaction undone; lengths of a rolling cone take l. Powers of two
 * are multiplied without rounding. */
#ifndef DELASSUS_SOLVER_BENCH_UNITS_H
#define DELASSUS_SOLVER_BENCH_UNITS_H

#include <delassus/problem.h>

/* Assembled; of problems without a, b, C and custom laws. */
DlsStatus bench_in_units(const DlsProblem *problem, double mass, double length, DlsProblem **out);

/* What a reaction of component k of a block is multiplied with. */
double bench_unit_of_reaction(int dim, int k, double mass, double length);

#endif
