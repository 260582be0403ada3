/* A problem, and how it is asked for: tolerance, measure, limit of iterations, guess. Drawn from
 * thirteen kinds that tempt a solver to say "converged" where it is not, and from eight corners. */
#ifndef DELASSUS_SOLVER_BENCH_DRAWN_H
#define DELASSUS_SOLVER_BENCH_DRAWN_H

#include "solver_bench/mechanism.h"

typedef struct {
  BenchMechanism mechanism;
  DlsProblem *problem; /* which `mechanism` is lent to */
  DlsLimits limits;
  double guess[BENCH_ROWS];
} BenchDrawn;

/* W that lacks rank, bodies on belts, wedges, squeezes, nothing that gives way, masses over twelve
 * decades, rolling, compliance and prestress, weak normals; guesses that are zero, wild or made up
 * along the null space. Tolerances 1e-3 to 1e-8. */
enum { BENCH_KINDS = 13 };
extern const char *const bench_kind_names[BENCH_KINDS];
BenchMechanism bench_draw_kind(DlsRandom *random, int kind);
DlsStatus bench_draw(DlsRandom *random, int kind, BenchDrawn *out);

/* Planted solutions in every corner: masses times 1e±6, velocities times 1e±3, tolerances 1e-2 to
 * 1e-12, limits of 1 to 300 iterations, guesses zero, right, near, wild or huge, contacts there
 * twice, a law of its own, contacts that dilate. The measure is `scaled` in every odd `number`. */
enum { BENCH_CORNERS = 8, BENCH_CORNER_FILM = 6 };
extern const char *const bench_corner_names[BENCH_CORNERS];
DlsStatus bench_draw_corner(DlsRandom *random, int corner, long number, BenchDrawn *out);

/* The problem goes; a zeroed drawn is fine. */
void bench_drawn_clear(BenchDrawn *drawn);

#endif
