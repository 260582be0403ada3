/* Small random problems of bodies rather than matrices, W = H M⁻¹ Hᵀ, q = H v + w: guided bodies on
 * belts, bodies wedged or squeezed between walls, columns with all ratios of masses, no freedom at
 * all. Nothing is planted: some have a solution, some several, some none; of some it is known that
 * they have none. */
#ifndef DELASSUS_SOLVER_BENCH_MECHANISM_H
#define DELASSUS_SOLVER_BENCH_MECHANISM_H

#include <stdbool.h>

#include "solver_bench/planted.h"

/* A problem, and what is known of it. */
typedef struct {
  BenchPlanted planted;    /* u and r of it are those planted, where something is */
  bool impossible;         /* there is no solution */
  bool held;               /* `null` is a guess: a prestress in balance */
  double null[BENCH_ROWS]; /* W null = 0, normal parts positive, no tangential; or 0 */
} BenchMechanism;

double bench_draw_power(DlsRandom *random, double least, double most);

/* One or two freedoms, one or two contacts, belts. */
BenchMechanism bench_draw_guided(DlsRandom *random, int dim);

/* The same with normals that move the body little, by down to 1e-3 of what tangents do: ρ = 1 /
 * W_NN over six decades, so that the impulses of one contact are nothing beside those of another.
 * */
BenchMechanism bench_draw_weak(DlsRandom *random);

/* One freedom, one contact: W = h hᵀ, and q in the range of W, or out of it. */
BenchMechanism bench_draw_rank_one(DlsRandom *random);

/* Normals that balance, Σ z_i h_i = 0 with z > 0: no reactions along z move anything, and z·u_N =
 * z·q_N whatever r. With `squeeze` > 0 that is negative, and there is no solution. */
BenchMechanism bench_draw_wedged(DlsRandom *random, double squeeze, double belts);

/* Bodies on each other, masses over twelve decades, that fall on the ground or on each other; they
 * do not turn. The upper body of contact i is body i, the lower one i - 1, or the ground. */
BenchMechanism bench_draw_column(DlsRandom *random);

/* Nothing gives way: W = 0. Where a normal approaches there is no solution, else r = 0 is one. */
BenchMechanism bench_draw_rigid(DlsRandom *random);

/* Compliance, restitution or gaps, cohesion; (u, r) planted in the standard form. */
BenchMechanism bench_draw_compliant(DlsRandom *random);

/* A wedge under prestress with next to no load. */
BenchMechanism bench_draw_prestressed(DlsRandom *random);

#endif
