/* A problem in other units. With masses m, lengths l and times t in other units velocities are l /
 * t, spins 1 / t, impulses m l / t and torques m l² / t times what they were, so that a row of W
 * takes the factor of its velocity and a column that of its reaction undone; lengths of a rolling
 * cone take l. Powers of two are multiplied without rounding. */
#ifndef DELASSUS_SOLVER_BENCH_UNITS_H
#define DELASSUS_SOLVER_BENCH_UNITS_H

#include <delassus/problem.h>

typedef struct {
  double mass, length, time; /* what a number of the kind is multiplied with */
} BenchUnits;

/* Assembled; of problems without a, b, C and custom laws. */
DlsStatus bench_in_units(const DlsProblem *problem, BenchUnits units, DlsProblem **out);

/* What a reaction of component k of a block is multiplied with. */
double bench_unit_of_reaction(int dim, int k, BenchUnits units);

#endif
