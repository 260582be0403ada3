/* A simulation: a world, the laws between its materials, a scheme, a solver; and what one step of
 * it did. The schemes are tables of operations, step/scheme.h. */
#ifndef DELASSUS_STEP_SIMULATION_H
#define DELASSUS_STEP_SIMULATION_H

#include <stdbool.h>
#include <stdint.h>

#include <delassus/solver.h>
#include <delassus/squeeze.h>

#include "step/scheme.h"

/* What happens to a step in which a body would cross more than a share of its radius, a deformable
 * one of its mean side. */
#define DLS_CONTROL_LIST(X)                                                                        \
  X(NONE, "none")                                                                                  \
  X(REFUSE, "refuse")                                                                              \
  X(HALVE, "halve")

typedef enum {
#define DLS_CONTROL_ENUM(code, word) DLS_CONTROL_##code,
  DLS_CONTROL_LIST(DLS_CONTROL_ENUM)
#undef DLS_CONTROL_ENUM
} DlsControl;

/* What happens to a step in which no motion is possible (delassus/squeeze.h). */
#define DLS_IMPOSSIBLE_LIST(X)                                                                     \
  X(STOPS, "stop")                                                                                 \
  X(GOES_ON, "continue")

typedef enum {
#define DLS_IMPOSSIBLE_ENUM(code, word) DLS_IMPOSSIBLE_##code,
  DLS_IMPOSSIBLE_LIST(DLS_IMPOSSIBLE_ENUM)
#undef DLS_IMPOSSIBLE_ENUM
} DlsImpossible;

/* What happens to overlaps that are left at the end of a step (correction.c). */
#define DLS_CORRECTION_LIST(X)                                                                     \
  X(NONE, "none")                                                                                  \
  X(PROJECT, "project")

typedef enum {
#define DLS_CORRECTION_ENUM(code, word) DLS_CORRECTION_##code,
  DLS_CORRECTION_LIST(DLS_CORRECTION_ENUM)
#undef DLS_CORRECTION_ENUM
} DlsCorrection;

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

/* J. kinetic, potential and stored are now, the works since the beginning, on the bodies; start is
 * the kinetic energy that bodies brought, at the beginning and at their birth, less what those
 * removed took.
 *   balance = kinetic + strain - start + stored - gravity - force - boundary + dissipated + within
 * is what no account explains: round-off in moreau and euler, where dissipated is what contacts
 * take less what their laws store, and of order h^2 in the explicit scheme. Works count by the mean
 * of the velocities before and after (Moreau 1994, eq. 6.5), whatever theta is. Bodies move by
 * another mean unless theta = 1/2 (euler: theta = 1): `scheme` is what the scheme takes by that, so
 * that for a constant gravity
 *   kinetic + potential + stored + dissipated + scheme + corrected - force - boundary
 * stays what it was, where bodies are deformable with strain + within. */
typedef struct {
  double kinetic, potential, start;
  double gravity, force, boundary; /* of weights, of other forces, of moving boundaries,
                                      prescribed bodies and a periodic cell that deforms */
  double dissipated;               /* by contacts */
  double balance;
  double stored;           /* in contacts, as their laws say */
  double scheme;           /* weights along the way of the bodies, less `gravity` */
  double strain;           /* now, in deformable bodies; in `start` as it was then */
  double within;           /* lost in them */
  double plastic, viscous; /* of `within`: by what flows or breaks, by what resists rates; the rest
                              is taken by the steps */
  double corrected;        /* weights along the ways by which positions were corrected */
  /* `dissipated` and `stored` law by law (assemble/interaction.h); the sums are theirs but for
   * round-off. */
  double dissipated_by[DLS_LAW_ACCOUNTS], stored_by[DLS_LAW_ACCOUNTS];
} DlsLedger;

typedef struct {
  int contacts, active; /* in the problem; with an impulse */
  int rounds;           /* solves beyond the first, for pairs that the first closes; of all parts */
  int newton;           /* likewise, for deformable bodies that are not linear */
  DlsReport solver;
  double penetration; /* m, widest among the contacts of the step */
  int corrections;    /* times that positions were corrected, of all parts */
  double overlap;     /* m, widest that the correction left; 0: there is none */
  double h;  /* s, of the last part of the step, whose contacts are kept; below settings.h where
                halved */
  int parts; /* how many the step was cut into; the counts above are those of the last one,
                iterations and times of all, errors and penetrations the worst */
  double detect_s, assemble_s, solve_s, integrate_s;
} DlsStepReport;

typedef struct DlsStepSaved DlsStepSaved;   /* opaque: control.c */
typedef struct DlsStepBefore DlsStepBefore; /* likewise */
struct DlsSimulation;

/* Looks on: called when the problem of a step has been solved, before anything moves. `guess` is
 * where the solver began;
 * last.assembly.solve.r and .u hold the answer. It changes nothing of the simulation. */
typedef struct {
  void *context;
  DlsStatus (*look)(void *context, const struct DlsSimulation *simulation, const double *guess);
} DlsSpectator;

/* What the user sets, before the first step or between two. A step changes nothing of it but h,
 * which is that of the part at hand where it is cut into parts. */
typedef struct {
  DlsInteractions laws;
  DlsLinks links;
  DlsInfluence influence;
  const DlsScheme *scheme;
  double h;       /* s */
  double alert;   /* m */
  double theta;   /* moreau, 0 to 1 */
  int signed_gap; /* euler: g/h in the place of g+/h */
  DlsCorrection correction;
  double overlap; /* of the smallest radius: what the correction leaves */
  DlsControl control;
  double fraction;       /* of a body's radius, of a deformable one's side, for control */
  DlsPatchSizes patches; /* of surfaces that remember, for laws with .surfaces */
  const DlsSolver *solver;
  void *solver_options; /* option_bytes, NULL: defaults */
  DlsLimits limits;
  DlsImpossible impossible;
  DlsSpectator spectator; /* look NULL: none */
  bool keep_guess;        /* where the solver of a step began is to be kept in last.guess */
  DlsMonitor monitor;     /* of every solve; where it says stop, the step is cut. call NULL: none */
} DlsStepSettings;

/* What the next step depends on besides the world, and what has been counted so far: this and the
 * world are what a checkpoint keeps. */
typedef struct {
  double time;
  long step;                   /* done so far */
  DlsContactMemory memory;     /* of the contacts of the step before */
  double *r, *law_state;       /* of these, [memory.count][block], [..][states] */
  double (*frame)[9];          /* [..], as detected, where laws keep vectors; else NULL */
  double moment;               /* s, when they stood so */
  int block, states;           /* numbers of a contact in these: 0 before the first step */
  int kept;                    /* capacity of r, law_state and frame in contacts */
  DlsSurfaces surfaces;        /* what bodies and boundaries remember */
  double (*boundary_force)[6]; /* on each boundary: N, and N m about its origin; mean of the step */
  int boundary_capacity;
  DlsLedger ledger;
  double worst_error, worst_penetration; /* of all steps */
  long unconverged;                      /* steps whose solve did not converge */
  long squeezed;                         /* those of them in which no motion was possible */
} DlsStepState;

/* What the last step (its last part, where it was halved) left to be looked at, until the next one
 * begins; no step depends on it. */
typedef struct {
  DlsContactSet contacts;
  DlsAssembly assembly;
  double *guess;         /* of the last solve, as assembly.solve.r; NULL unless kept */
  double *free_velocity; /* v_free, flat (world/layout.h) */
  DlsStepReport report;
  bool cut; /* the monitor stopped it: all is as it was before it */
  /* Of the last step in which no motion was possible: its contacts were those of the assembly. */
  DlsSqueeze squeeze;
} DlsLastStep;

/* Arrays of the step at hand, of the files of this room alone; kept for their room. */
typedef struct {
  DlsContactSet ahead;        /* pairs along v+; euler and first-order */
  DlsContactMemory seen;      /* those of the step at hand */
  double *velocity;           /* v+ while the accounts are made, flat */
  double (*force)[6];         /* on bodies, without weights */
  double (*drift)[3];         /* of elements of deformable bodies */
  double (*boundary_push)[6]; /* as state.boundary_force, as the parts of the step add to it */
  uint8_t *take;              /* open contacts that count, [contacts.capacity at the time] */
  bool unsettled;             /* why the step failed: Newton's loop of a deformable body */
  DlsContactSet near;         /* pairs at the end of the step, for the correction */
  DlsAssembly correction;     /* of these */
  double *still, *way;        /* of bodies, flat: zeros; m and rad */
  size_t way_capacity;
  DlsStepSaved *saved;
  DlsStepBefore *before;
  size_t flat_capacity; /* of velocity, free_velocity */
  int body_capacity, push_capacity, take_capacity;
} DlsStepWork;

typedef struct DlsSimulation {
  DlsWorld *world;
  DlsDetector *detector;
  DlsStepSettings settings;
  DlsStepState state;
  DlsLastStep last;
  DlsStepWork work;
} DlsSimulation;

/* Takes the world, *world becomes NULL. Everything else is zero or default: moreau, theta = 1/2, h
 * = 1e-3 s, no control of the step (fraction 0.1), surfaces of 100 directions and cells of 10 mm,
 * the solver auto, scaled tolerance 1e-4, 10,000 iterations. The caller gives laws
 * (dls_interactions_create for the world's materials). */
DlsStatus dls_simulation_create(DlsWorld **world, DlsSimulation **out);
void dls_simulation_destroy(DlsSimulation **simulation);

/* Whether the laws can be used by the scheme; DLS_ERR_LAW names the one that cannot, and one that
 * can. A step checks it too. */
DlsStatus dls_simulation_check(const DlsSimulation *simulation);

/* Whether positions can be corrected in this simulation, where settings ask for it; the sentence
 * says why not. dls_simulation_check() asks it too. */
DlsStatus dls_simulation_check_correction(const DlsSimulation *simulation);

/* What the lightest two bodies of any two materials can take when they have just touched; longer
 * steps blow them apart. INFINITY in schemes that take any step. What stiffens with the overlap,
 * and bodies with many contacts, are looked at in each step, which is then refused. */
DlsStatus dls_simulation_stable_step(const DlsSimulation *simulation, DlsStableStep *out);

/* One step of length h, in parts where it is halved. Where the monitor stops a solve, the step is
 * given up: the world, the contacts remembered and the accounts are those from before it,
 * last.cut says so, and it is no failure. On failure the world is where it was at the beginning of
 * the step or in its middle: go back to a checkpoint. Not converging is no failure; it is counted.
 * A step in which no motion is possible is one, DLS_ERR_NO_SOLUTION, unless `impossible` says to go
 * on: bodies and boundaries are then where they were at the beginning of the step (of its part,
 * where it is halved), last.squeeze is the proof, last.assembly.solve.problem the problem,
 * last.assembly.solve.r the impulses of the last step. */
DlsStatus dls_simulation_step(DlsSimulation *simulation);

/* Bodies came, went or were moved by hand: energies are counted anew from here. */
void dls_simulation_recount(DlsSimulation *simulation);

/* Whether the bodies, at rest where they are, stay at rest under their loads (Moreau 2001, sec.
 * 2.1): one problem is solved with v = 0; its forces are in equilibrium when the velocities that
 * result are zero. */
typedef struct {
  bool holds;          /* acceleration <= tolerance * load */
  double acceleration; /* m/s2, largest of all bodies that contact forces leave; of spins by the
                          radius; of deformable bodies the sum of what is left at nodes, along each
                          axis, over their mass */
  double load;         /* m/s2, largest without contacts */
  int body;            /* that of the largest acceleration; -1: there are none */
  int contacts;
  DlsReport solver;
} DlsEquilibrium;

/* Boundaries count as at rest, laws act as in a step of length h, contacts are pairs with gaps up
 * to settings.alert, or a ten-thousandth of the largest radius. Bodies and state stay as they are;
 * last.contacts and last.assembly are those of the test: forces are last.assembly.solve.r / h. */
DlsStatus dls_simulation_equilibrium(DlsSimulation *simulation, double tolerance,
                                     DlsEquilibrium *out);

/* The problem of the step just done, for capture; NULL before the first, and where laws are asked
 * for forces. */
const DlsProblem *dls_simulation_problem(const DlsSimulation *simulation);

#endif
