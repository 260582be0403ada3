/* Siconos' numerics as a peer: the same contact problem in its own storage, its own measure of the
 * error, its own solvers. For tests and the benchmark only, where the library is installed;
 * the product never links it. Written for 4.4, the version of Debian 12.
 *
 * Its conventions are ours: u = W r + q, contact by contact (N, T), (N, T1, T2) or (N, T1, T2, R1,
 * R2). Its blocks are column-major and allocated one by one, as its own readers do it. Its error
 * divides by max(|q|, |r|, |u|) unless that is below DBL_EPSILON, in 2-D, 3-D and with rolling
 * alike (measured: r from 1e-18 to 1e6, q zero, tiny and plain). */
#ifndef DELASSUS_TESTS_SICONOS_H
#define DELASSUS_TESTS_SICONOS_H

#include <stdbool.h>

#include <delassus/problem.h>

typedef struct Peer Peer;

/* How one of its solvers runs. The fields are numbers of its Friction_cst.h; PEER_KEEP keeps its
 * default. */
enum { PEER_KEEP = -1 };
typedef struct {
  const char *name;
  int local;      /* the one-contact solver */
  int evaluation; /* how the error is evaluated: full, light, light with a full one last, adaptive
                   */
  int frequency;  /* sweeps between two full evaluations; 0: every sweep */
  int solver;     /* 0: nsgs, to which the fields above belong */
} PeerVariant;

typedef struct {
  int info; /* 0: it says that it converged */
  long iterations;
  double time_s; /* of the call, allocations of the solver included */
  double claim;  /* the error that it reports, by its own evaluation */
} PeerRun;

/* Copies the problem, whatever the form of its operator. Refuses a problem that Siconos cannot
 * state: blocks other than 2, 3 and 5, and relations other than isotropic COULOMB (ROLLING in block
 * 5) without a, b and C. On failure *out is NULL. */
DlsStatus peer_create(const DlsProblem *problem, Peer **out);
void peer_destroy(Peer **peer); /* NULL is fine; sets *peer to NULL */

/* fc2d_compute_error, fc3d_compute_error or rolling_fc3d_compute_error, with |q| as its norm. */
double peer_error(Peer *peer, const double *r);

/* Variants of nsgs for this kind of problem: [0] is the default, the others are contenders for the
 * fastest. */
const PeerVariant *peer_variants(const Peer *peer, int *count);

/* `variant` without any error evaluation during the sweeps (full ones, every 2^30 sweeps): it costs
 * the sweeps alone, and never converges. */
PeerVariant peer_without_errors(const PeerVariant *variant);

/* Its solvers for this kind of problem, each with its own defaults: the field from which the best
 * is chosen with hindsight. The first ones are variants of nsgs. */
const PeerVariant *peer_rivals(const Peer *peer, int *count);

/* Solves from the guess in r, [contacts][block]; the answer replaces the guess. May print, exit
 * or crash: call it in a child process. */
void peer_solve(Peer *peer, const PeerVariant *variant, double tolerance, long max_iterations,
                double *r, PeerRun *run);

#endif
