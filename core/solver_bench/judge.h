/* A judge of its own: `natural` and `scaled` of a planted problem's r, and what they become where
 * reactions are larger than the load explains, from the dense W, in long double, by other formulas
 * than core/problem/errors.c: the projection on a cone is found by bisection on its normal part s,
 *
 *   min 1/2 (s - x_N)² + Σ_g 1/2 |x_g - y_g|²,  |y_g / mu_g| <= s,   slope s - x_N - Σ_g λ_g s,
 *
 * λ_g the multiplier of the ellipse of group g.
 *
 * And what is true. "Converged" at a tolerance is false
 *
 *   - where the error that was asked for, |e| over the largest of |q|, |r| and |u|, is above the
 *     tolerance;
 *   - where |r| is more than ten times the load, |ρ q̂| or |a|, and |e| is above ten tolerances of
 *     the load: a few contacts hand on a few times the load (five in a column of four), so that a
 *     pair that is right to the tolerance beside its reactions is right to ten tolerances beside
 *     its load, or its reactions have been made up;
 *   - where e_α / ρ_α, the same as velocities, is above 1 % of |q̂| (of |a / ρ|) together: no
 *       contact
 *     may be wrong beside the impulses of another, whose normal hardly moves anything;
 *   - where there is no solution.
 *
 * Round-off of û = Ŵ r̂ + q̂ is forgiven up to 2 % of the load; without a load, |q̂| below 1e-11
 * m/s and a = 0, all of it. */
#ifndef DELASSUS_SOLVER_BENCH_JUDGE_H
#define DELASSUS_SOLVER_BENCH_JUDGE_H

#include <stdbool.h>

#include "solver_bench/planted.h"

typedef long double BenchLong;

typedef struct {
  BenchLong natural, scaled;   /* relative to the largest of |q|, |r|, |u| */
  BenchLong error, size, load; /* N s: |e|, |r|, the load */
  BenchLong speed;             /* |e / ρ| over |q̂|, as velocities */
  BenchLong by_load;           /* as in errors.h; 0 where the load explains the reactions */
  BenchLong rounding,
      rounding_impulses; /* what doubles may leave of natural and scaled; of error, N s */
  BenchLong allowance;   /* A of errors.h */
  bool idle;             /* there is no load */
} BenchVerdict;

BenchVerdict bench_judge(const BenchPlanted *p, const double *r);

/* By what a solver stops: as in errors.h. Who asks for `natural` gets 0.1 % of the load asked for
 * too, and all get 0.5 % of the velocities, as so many tolerances as that is exceeded. */
BenchLong bench_judge_error(const BenchVerdict *v, DlsMeasure measure, BenchLong tolerance);

/* Whether "converged" would be true; `solvable` tells whether there is a solution. */
bool bench_judge_is_true(const BenchVerdict *v, DlsMeasure measure, BenchLong tolerance,
                         bool solvable);

#endif
