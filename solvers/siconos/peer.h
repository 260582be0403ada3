/* Siconos' numerics as a peer: the same contact problem in its own storage, its own measure of the
 * error, its own solvers. The plugin `siconos` makes a solver of it; tests and the benchmark call
 * it as it is. Nothing else of ours links the library. Written for 4.4, the version of Debian 12.
 *
 * Its conventions are ours: û = Ŵ r̂ + q̂, contact by contact (N, T), (N, T1, T2) or (N, T1, T2,
 * R1, R2); what a relation adds to W, q and r stands in the standard form (problem.h), which is
 * what it is given. Its blocks are column-major and allocated one by one, as its own readers do it.
 * Its error divides by max(|q|, |r|, |u|) unless that is below DBL_EPSILON, in 2-D, 3-D and with
 * rolling alike (measured: r from 1e-18 to 1e6, q zero, tiny and plain). */
#ifndef DELASSUS_SOLVERS_SICONOS_PEER_H
#define DELASSUS_SOLVERS_SICONOS_PEER_H

#include <stdbool.h>

#include <delassus/problem.h>

typedef struct Peer Peer;

/* What an iteration of a method is, by the words of DlsWork. */
typedef enum { PEER_OTHER, PEER_SWEEP, PEER_NEWTON_STEP } PeerIteration;

/* How one of its solvers runs. The numbers are those of its Friction_cst.h; PEER_KEEP keeps its
 * default. */
enum { PEER_KEEP = -1 };
typedef struct {
  const char *name;
  int local;      /* the one-contact solver */
  int evaluation; /* how the error is evaluated: full, light, light with a full one last, adaptive
                   */
  int frequency;  /* sweeps between two full evaluations; 0: every sweep */
  int solver;     /* 0: nsgs, to which the fields above belong */
  PeerIteration iteration;
} PeerVariant;

typedef struct {
  int info;   /* 0: it says that it converged */
  bool ended; /* the listener ended it */
  long iterations;
  double time_s; /* of the call, allocations of the solver included */
  double claim;  /* the error that it reports, by its own evaluation */
} PeerRun;

/* Hears each iteration of the methods that tell them, with the error by their own evaluation;
 * nonzero ends the solve, which then leaves what it had allocated behind: Siconos has no other way
 * out. */
typedef struct {
  int (*call)(void *context, long iteration, double error);
  void *context;
} PeerListener;

/* Copies the problem, whatever the form of its operator. Refuses with DLS_ERR_SOLVER a problem that
 * Siconos cannot state: other than blocks 2 in the plane, 3 and 5 in space, relations other than
 * isotropic COULOMB (ROLLING in block 5) without dilatancy. On failure *out is NULL. */
DlsStatus peer_create(const DlsProblem *problem, Peer **out);
void peer_destroy(Peer **peer); /* NULL is fine; sets *peer to NULL */

/* fc2d_compute_error, fc3d_compute_error or rolling_fc3d_compute_error of r̂; |q̂| is its norm. */
double peer_error(Peer *peer, const double *r);

/* Variants of nsgs for this kind of problem: [0] is the default, the others are contenders for the
 * fastest. */
const PeerVariant *peer_variants(const Peer *peer, int *count);

/* `variant` without any error evaluation during the sweeps (full ones, every 2^30 sweeps): it costs
 * the sweeps alone, and never converges. */
PeerVariant peer_without_errors(const PeerVariant *variant);

/* Its solvers for this kind of problem, each with its own defaults. The rivals among them, which
 * come first, are the field from which the best is chosen with hindsight. */
const PeerVariant *peer_methods(const Peer *peer, int *count);
const PeerVariant *peer_rivals(const Peer *peer, int *count);

/* Solves from the guess in r̂, [contacts][block]; the answer replaces the guess. listener may be
 * NULL. May print, exit or crash: call it in a child process. */
void peer_solve(Peer *peer, const PeerVariant *variant, double tolerance, long max_iterations,
                const PeerListener *listener, double *r, PeerRun *run);

#endif
