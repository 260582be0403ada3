/* Siconos' solvers by name, and one solve. */
#include <setjmp.h>
#include <string.h>
#include <time.h>

#include "solvers/siconos/peer_impl.h"

#include <Friction_cst.h>
#include <NonSmoothDrivers.h>
#include <SolverOptions.h>

#define KEEP PEER_KEEP, PEER_KEEP, PEER_KEEP

/* In 2-D and with rolling there is one local solver. "projection" is one projected step and no
 * solution of the one-contact problem: the cheapest sweep, which may never converge. */
#define LOCAL(number) SICONOS_FRICTION_3D_ONECONTACT_##number, PEER_KEEP, PEER_KEEP, 0, PEER_SWEEP
static const PeerVariant plain[] = {
    {"default", KEEP, 0, PEER_SWEEP},
};
static const PeerVariant variants_3d[] = {
    {"default", KEEP, 0, PEER_SWEEP},
    {"quartic", LOCAL(QUARTIC)},
    {"quartic_nu", LOCAL(QUARTIC_NU)},
    {"newton", LOCAL(NSN)},
    {"newton_gp", LOCAL(NSN_GP)},
    {"local_iterations", LOCAL(ProjectionOnConeWithLocalIteration)},
    {"projection", LOCAL(ProjectionOnCone)},
};

/* Named as Siconos does. The rivals, first: Newton on Alart-Curnier's and on Fischer-Burmeister's
 * function, proximal point around Newton, ADMM, fixed point on convex problems, extragradient.
 * Then what the published comparison found slower than these. Not here: PATH and GAMS, which
 * Debian does not have. */
#define OF_3D(name, iteration) KEEP, SICONOS_FRICTION_3D_##name, PEER_##iteration
static const PeerVariant methods_2d[] = {
    {"nsgs", KEEP, 0, PEER_SWEEP},
    {"cpg", KEEP, SICONOS_FRICTION_2D_CPG, PEER_OTHER},
    {"lemke", KEEP, SICONOS_FRICTION_2D_LEMKE, PEER_OTHER},
};
static const PeerVariant methods_3d[] = {
    {"nsgs", KEEP, 0, PEER_SWEEP},
    {"nsgs_quartic", LOCAL(QUARTIC)},
    {"nsn_ac", OF_3D(NSN_AC, NEWTON_STEP)},
    {"nsn_fb", OF_3D(NSN_FB, NEWTON_STEP)},
    {"prox", OF_3D(PROX, OTHER)},
    {"admm", OF_3D(ADMM, OTHER)},
    {"aclm", OF_3D(ACLMFP, OTHER)},
    {"vi_eg", OF_3D(VI_EG, OTHER)},
    {"nsgs_projection", LOCAL(ProjectionOnConeWithLocalIteration)},
    {"nsn_nm", OF_3D(NSN_NM, NEWTON_STEP)},
    {"tfp", OF_3D(TFP, OTHER)},
    {"soclcp", OF_3D(SOCLCP, OTHER)},
    {"dsfp", OF_3D(DSFP, OTHER)},
    {"fpp", OF_3D(FPP, OTHER)},
    {"eg", OF_3D(EG, OTHER)},
    {"vi_fpp", OF_3D(VI_FPP, OTHER)},
};
static const PeerVariant methods_rolling[] = {
    {"nsgs", KEEP, 0, PEER_SWEEP},
    {"admm", KEEP, SICONOS_ROLLING_FRICTION_3D_ADMM, PEER_OTHER},
};

const PeerVariant *peer_methods(const Peer *peer, int *count) {
  switch (peer->block) {
  case 2:
    *count = DLS_COUNT(methods_2d);
    return methods_2d;
  case 3:
    *count = DLS_COUNT(methods_3d);
    return methods_3d;
  default:
    *count = DLS_COUNT(methods_rolling);
    return methods_rolling;
  }
}

const PeerVariant *peer_rivals(const Peer *peer, int *count) {
  const int most = 8;
  const PeerVariant *methods = peer_methods(peer, count);
  if (*count > most) *count = most;
  return methods;
}

const PeerVariant *peer_variants(const Peer *peer, int *count) {
  *count = peer->block == 3 ? DLS_COUNT(variants_3d) : DLS_COUNT(plain);
  return peer->block == 3 ? variants_3d : plain;
}

PeerVariant peer_without_errors(const PeerVariant *variant) {
  PeerVariant silent = *variant;
  silent.evaluation = SICONOS_FRICTION_3D_NSGS_ERROR_EVALUATION_FULL;
  silent.frequency = 1 << 30;
  return silent;
}

static SolverOptions *options_of(const Peer *peer, const PeerVariant *variant) {
  const int solver = variant->solver    ? variant->solver
                     : peer->block == 2 ? SICONOS_FRICTION_2D_NSGS
                     : peer->block == 3 ? SICONOS_FRICTION_3D_NSGS
                                        : SICONOS_ROLLING_FRICTION_3D_NSGS;
  SolverOptions *options = solver_options_create(solver);
  if (variant->local != PEER_KEEP) solver_options_update_internal(options, 0, variant->local);
  if (variant->evaluation != PEER_KEEP)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION] = variant->evaluation;
  if (variant->frequency != PEER_KEEP)
    options->iparam[SICONOS_FRICTION_3D_IPARAM_ERROR_EVALUATION_FREQUENCY] = variant->frequency;
  return options;
}

/* A solve under way, as the listener's ear sees it. */
typedef struct {
  const Peer *peer;
  const PeerListener *listener;
  long iterations;
  double *r; /* the caller's */
  double claim;
  jmp_buf out;
} Solve;

/* Siconos calls it after an iteration. It asks nobody whether to go on: the way out is a jump. */
static void hear(void *context, int size, double *reaction, double *velocity, double error,
                 void *extra) {
  Solve *solve = context;
  (void)velocity, (void)extra;
  solve->iterations++;
  solve->claim = error;
  if (!solve->listener->call(solve->listener->context, solve->iterations, error)) return;
  if (size == solve->peer->contacts * solve->peer->block && reaction != solve->r)
    memcpy(solve->r, reaction, (size_t)size * sizeof *reaction);
  longjmp(solve->out, 1);
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static int drive(Peer *peer, SolverOptions *options, double *r) {
  switch (peer->block) {
  case 2:
    return fc2d_driver(peer->coulomb, r, peer->u, options);
  case 3:
    return fc3d_driver(peer->coulomb, r, peer->u, options);
  default:
    return rolling_fc3d_driver(peer->rolling, r, peer->u, options);
  }
}

void peer_solve(Peer *peer, const PeerVariant *variant, double tolerance, long max_iterations,
                const PeerListener *listener, double *r, PeerRun *run) {
  Solve solve = {.peer = peer, .listener = listener, .r = r};
  Callback ear = {&solve, hear};
  SolverOptions *options = options_of(peer, variant);
  Callback *own = options->callback;
  options->iparam[SICONOS_IPARAM_MAX_ITER] = (int)max_iterations;
  options->dparam[SICONOS_DPARAM_TOL] = tolerance;
  if (listener) options->callback = &ear;
  *run = (PeerRun){.info = 1};
  const double start = seconds();
  if (setjmp(solve.out)) {
    run->ended = true;
    run->iterations = solve.iterations;
    run->claim = solve.claim;
    run->time_s = seconds() - start;
    return;
  }
  run->info = drive(peer, options, r);
  run->time_s = seconds() - start;
  run->iterations = options->iparam[SICONOS_IPARAM_ITER_DONE];
  run->claim = options->dparam[SICONOS_DPARAM_RESIDU];
  options->callback = own; /* it would free ours */
  solver_options_delete(options);
}
