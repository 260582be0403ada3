/* Rigid bodies that squeeze each other, or do not. In both a solution (û, r̂) is planted, q = û - b
 * - W (r̂ - a); some contacts push each other with λ, Hᵀ λ = 0, and have û_N = 0. Then λ·(q + b) =
 * 0, and a closing speed taken from q of one of them leaves no solution, whatever the friction. */
#ifndef DELASSUS_SOLVER_BENCH_SQUEEZED_H
#define DELASSUS_SOLVER_BENCH_SQUEEZED_H

#include <stdbool.h>

#include "solver_bench/planted.h"

enum { BENCH_SQUEEZED_BODIES = 16, BENCH_SQUEEZED_CONTACTS = 48, BENCH_SQUEEZED_DOF = 6 };

typedef enum {
  BENCH_SQUEEZED_BALL,   /* between walls: two, or one more than there are dimensions */
  BENCH_SQUEEZED_CHAIN,  /* balls in a row between two walls, mass ratios to 1e12 */
  BENCH_SQUEEZED_BLOCK,  /* touched off its centre, on both sides of a line */
  BENCH_SQUEEZED_GUIDED, /* one to three freedoms, rows at random */
  BENCH_SQUEEZED_HIDDEN, /* a ball or a chain, in an island with others that have room */
  BENCH_SQUEEZED_JOINT,  /* a chain with joints: û_N = 0 or û = 0 in the place of û_N >= 0 */
  BENCH_SQUEEZED_KINDS
} BenchSqueezedKind;

typedef struct {
  BenchSqueezedKind kind;
  BenchShape shape;
  int bodies, contacts, dof;
  double x[BENCH_SQUEEZED_BODIES][3], mass[BENCH_SQUEEZED_BODIES];
  int start[BENCH_SQUEEZED_CONTACTS + 1], body[2 * BENCH_SQUEEZED_CONTACTS];
  double H[2 * BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK * BENCH_SQUEEZED_DOF];
  double lambda[BENCH_SQUEEZED_CONTACTS]; /* on normals; 0: not part of it */
  DlsRelation relations[BENCH_SQUEEZED_CONTACTS];
  double q[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK], u[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK],
      r[BENCH_SQUEEZED_CONTACTS * DLS_MAX_BLOCK]; /* û and r̂ */
  bool assembled;                                 /* the W of bench_make_squeezed() */
  double closing; /* -λ·(q + b), the largest λ 1; 0: there is a solution */
} BenchSqueezed;

/* W in factored form; M has a gyroscopic part where asked. */
DlsStatus bench_squeezed_operator(const BenchSqueezed *s, double gyroscopic, DlsOperator **out);

/* (û, r̂) and q; `closing` relative to the largest velocity of those that push, 0: none. */
void bench_squeezed_plant(BenchSqueezed *s, DlsRandom *random, const DlsOperator *W,
                          double prestress, double closing);

/* decades: of the mass ratios of a chain, both ways. */
BenchSqueezed bench_draw_squeezed(DlsRandom *random, BenchSqueezedKind kind, double decades);

/* A problem of the kind, a third of them assembled: with a solution, or closing at 1e-8 (assembled
 * 1e-6) to 10 of its load. */
DlsStatus bench_make_squeezed(DlsRandom *random, BenchSqueezedKind kind, bool solvable,
                              bool gyroscopic, BenchSqueezed *s, DlsProblem **out);

#endif
