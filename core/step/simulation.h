/* A simulation: a world, the laws between its materials, a scheme, a solver; and what one step of it did.
 *
 *   moreau       x_M = x + h/2 v; contacts closed at x_M; M (v+ - v) = h F + H^T r; x+ = x_M + h/2 v+
 *                (Moreau 1994, sec. 7)
 *   euler        contacts at x, also those that may close: u_N + g+/h >= 0; x+ = x + h v+
 *                (Brendel, Unger and Wolf 2004, eqs. 1.10-1.30)
 *   first-order  no inertia of motion: v+ is the velocity nearest to the desired one that the contacts
 *                allow, in the norm of the masses; x+ = x + h v+ (Maury's crowd motion) */
#ifndef DELASSUS_STEP_SIMULATION_H
#define DELASSUS_STEP_SIMULATION_H

#include <delassus/solver.h>

#include "assemble/assemble.h"

#define DLS_SCHEME_LIST(X)                                                                         \
  X(MOREAU, "moreau")                                                                              \
  X(EULER, "euler")                                                                                \
  X(FIRST_ORDER, "first-order")

typedef enum {
#define DLS_SCHEME_ENUM(code, text) DLS_SCHEME_##code,
  DLS_SCHEME_LIST(DLS_SCHEME_ENUM)
#undef DLS_SCHEME_ENUM
} DlsScheme;

/* What moves the world besides contacts. Any function may be NULL. */
typedef struct {
  void *context;
  /* Poses of the boundaries at time t and their constant velocities during [t, t + h]. */
  DlsStatus (*move)(void *context, DlsWorld *world, double t, double h);
  /* m/s2 at time t. */
  void (*gravity)(void *context, double t, double out[3]);
  /* Adds forces and torques (space axes, at the centre of mass) to force [count][6], N and N m; for
   * first-order motion: sets the desired velocities. */
  DlsStatus (*force)(void *context, const DlsWorld *world, double t, double (*force)[6]);
} DlsInfluence;

/* J. The first three are now, the works since the beginning, on the bodies. balance = kinetic - start -
 * gravity - force - boundary + dissipated: what no account explains, round-off in every scheme with
 * inertia. Gravity counts by its work, the mean velocity of the step times the weight; in euler's scheme
 * that is not quite the change of the potential energy. */
typedef struct {
  double kinetic, potential, start;
  double gravity, force, boundary; /* of weights, of other forces, of moving boundaries */
  double dissipated;               /* by contacts */
  double balance;
} DlsLedger;

typedef struct {
  int contacts, active; /* in the problem; with an impulse */
  DlsReport solver;
  double penetration; /* m, widest among the contacts of the step */
  double detect_s, assemble_s, solve_s, integrate_s;
} DlsStepReport;

typedef struct {
  DlsWorld *world;
  DlsInteractions laws;
  DlsInfluence influence;
  DlsScheme scheme;
  double h;       /* s */
  double alert;   /* m */
  int signed_gap; /* euler: g/h in the place of g+/h */
  const DlsSolver *solver;
  void *solver_options; /* option_bytes, NULL: defaults */
  DlsLimits limits;

  double time;
  long step; /* done so far */
  DlsDetector *detector;
  DlsContactSet contacts;
  DlsContactMemory memory;
  double *r, *state; /* of the remembered contacts, [memory.count][block], [..][states] */
  int kept;          /* capacity of r and state in contacts */
  DlsAssembly assembly;
  double (*free_velocity)[6], (*velocity)[6]; /* v_free; v+ while the accounts are made */
  double (*force)[6];
  double (*boundary_force)[6]; /* on each boundary: N, and N m about its origin; mean of the step */
  int body_capacity, boundary_capacity;
  DlsLedger ledger;
  DlsStepReport report;
  double worst_error, worst_penetration; /* of all steps */
  long unconverged;                      /* steps whose solve did not converge */
} DlsSimulation;

/* Takes the world, *world becomes NULL. Everything else is zero or default: moreau, h = 1e-3 s, nsgs,
 * scaled tolerance 1e-4. The caller gives laws (dls_interactions_create for the world's materials). */
DLS_EXPORT DlsStatus dls_simulation_create(DlsWorld **world, DlsSimulation **out);
DLS_EXPORT void dls_simulation_destroy(DlsSimulation **simulation);

/* One step. On failure the world is where it was at the beginning of the step or in its middle: go back
 * to a checkpoint. Not converging is no failure; it is counted. */
DLS_EXPORT DlsStatus dls_simulation_step(DlsSimulation *simulation);

/* Bodies came, went or were moved by hand: energies are counted anew from here. */
DLS_EXPORT void dls_simulation_recount(DlsSimulation *simulation);

/* The problem of the step just done, for capture; NULL before the first. */
DLS_EXPORT const DlsProblem *dls_simulation_problem(const DlsSimulation *simulation);

DLS_EXPORT const char *dls_scheme_text(DlsScheme scheme);

#endif
