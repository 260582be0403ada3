/* What the checks share: a case and its judge, numbers drawn at random, one step of one contact,
 * and paths of such steps seen from other frames. */
#ifndef DELASSUS_TRIAL_TRIAL_IMPL_H
#define DELASSUS_TRIAL_TRIAL_IMPL_H

#include "trial/trial.h"

#include <delassus/local.h>

#include "base/random.h"
#include "base/small.h"

/* One case of one check. */
typedef struct {
  const DlsTrialOptions *options;
  const DlsLaw *law;
  const DlsLaw *first; /* coulomb, for a law that composes; NULL for others */
  DlsRandom random;
  long number;
  DlsTrialResult *result;
  bool bounds; /* states beyond their bounds are judged; elsewhere such a case ends unjudged */
  char *story; /* NULL unless this case is told */
} Trial;

/* A check: `applies` returns NULL, or why it does not; NULL stands for always. */
typedef struct {
  const char *name, *question;
  long cases;
  const char *(*applies)(const DlsLaw *law);
  void (*run)(Trial *trial);
} TrialCheck;

extern const TrialCheck trial_complete, trial_dissipation, trial_energy, trial_frame, trial_swap,
    trial_homogeneous, trial_units, trial_derivatives, trial_projection, trial_solve, trial_limits,
    trial_parameters, trial_state, trial_solvers, trial_force, trial_loops, trial_step;

/* The judge: error / tolerance is kept with the sentence when it is the worst so far. An error that
 * is no number is infinite. trial_broken is the verdict of what must never happen. */
void trial_judge(Trial *trial, double error, double tolerance, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
void trial_broken(Trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What a told case says; nothing in others. */
void trial_say(Trial *trial, const char *format, ...) __attribute__((format(printf, 2, 3)));
void trial_say_vector(Trial *trial, const char *name, const double *x, int count, const char *unit);
void trial_say_matrix(Trial *trial, const char *name, const double *A, int n, const char *unit);

/* A law with its numbers at the contact. The words behind the state are watched: a law that writes
 * there is caught. */
enum { TRIAL_WATCHED = 4 };
typedef struct {
  const DlsLaw *law;
  bool drawn; /* parameters drawn at random */
  double params[DLS_MAX_PARAMS];
  double state[DLS_MAX_PARAMS + TRIAL_WATCHED];
} TrialPart;

/* One step of one contact: laws in a row (the last is on trial), kinematics, u = D r + q. */
enum { TRIAL_MAX_PARTS = 2 };
typedef struct {
  DlsContact contact;
  TrialPart part[TRIAL_MAX_PARTS];
  int parts;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
  DlsRelation relation;
  DlsCustomRelation custom;
  DlsLawUse use; /* what custom points to */
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK], guess[DLS_MAX_BLOCK];
  DlsLocalOutcome outcome;
} TrialStep;

/* draw.c */
typedef enum { TRIAL_COUPLED, TRIAL_NORMAL_APART, TRIAL_ALL_APART } TrialCoupling;
double trial_log_uniform(DlsRandom *random, double low, double high); /* powers of ten */
void trial_draw_params(Trial *trial, bool at_bounds, TrialPart *part);
void trial_draw_laws(Trial *trial, TrialStep *step); /* parts, parameters, new states */
void trial_draw_contact(Trial *trial, TrialStep *step);
void trial_draw_rotation(DlsRandom *random, double axes[3][3]);
/* D definite, of size 1/mass, spins in 1/radius²; `spread` decades between its scales. */
void trial_draw_matrix(Trial *trial, TrialStep *step, TrialCoupling coupling, double spread);
void trial_draw_vector(DlsRandom *random, int dim, int block, double speed, double length,
                       double *out);
double trial_draw_speed(Trial *trial);
double trial_range(const TrialPart *part);

/* contact_step.c. REFUSED: the law answers DLS_ERR_LAW to drawn parameters. BROKEN: judged so. */
typedef enum { TRIAL_OK, TRIAL_REFUSED, TRIAL_BROKEN } TrialOutcome;
TrialOutcome trial_begin(Trial *trial, TrialStep *step);   /* orient and begin of a new contact */
TrialOutcome trial_orient(Trial *trial, TrialStep *step);  /* turns frame, D, q, u_before */
TrialOutcome trial_prepare(Trial *trial, TrialStep *step); /* the relation of all parts */
TrialOutcome trial_answer(Trial *trial, TrialStep *step);  /* prepare, solve, u */
TrialOutcome trial_commit(Trial *trial, TrialStep *step);
/* The law has a relation to solve with: prepare or residual. */
bool trial_solves(const DlsLaw *law);
const char *trial_needs_relation(const DlsLaw *law);
/* Sizes of the velocities and impulses of a step, that tolerances are measured by. */
double trial_speed(const TrialStep *step);
double trial_impulse(const TrialStep *step);
void trial_say_step(Trial *trial, const char *title, const TrialStep *step);
/* û = u + b + C r of a canonical relation. */
void trial_shifted(const TrialStep *step, double *u_hat);

/* The natural map of (u, r) from scratch, relative; as dls_local_error. */
double trial_relation_error(const TrialStep *step);
/* r solves the step's problem too: solutions need not be one. step->r becomes r. */
bool trial_also_solves(TrialStep *step, const double *r);

/* walk.c. T: components in the frame `from` to those in `to`; sign -1 when the bodies change
 * places. */
void trial_change(int dim, int block, const double (*from)[3], const double (*to)[3], double sign,
                  double *T);
void trial_multiply(int n, const double *T, const double *x, double *y);
void trial_congruence(int n, const double *T, const double *D, double *out); /* T D T^T */

enum { TRIAL_MAX_STEPS = 8 };
typedef struct {
  int steps;
  bool gap_counts; /* gap_rate = gap / h also below zero, as in an implicit Euler scheme */
  TrialStep start;
  double push[TRIAL_MAX_STEPS][DLS_MAX_BLOCK]; /* of free motion in a step, base components */
  double angle[TRIAL_MAX_STEPS];
  double turn[3][3];
} TrialPath;

typedef struct {
  bool turn_tangents, turn_space, swap;
} TrialView;

/* What a step of a path ends with; components in the base frame, seen unswapped. */
typedef struct {
  bool called;
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  double work, stored, dissipated, gap;
  double speed, impulse; /* sizes, the largest of the path so far */
} TrialPoint;

/* A walk along a path, step by step. */
typedef struct {
  const TrialPath *path;
  TrialView view;
  bool by_force, known; /* the law's force instead of its relation; the contact has begun */
  int done;
  double gap, u[DLS_MAX_BLOCK]; /* base components */
  double speed, impulse;        /* the largest so far */
  TrialStep step;
  double state[TRIAL_MAX_PARTS][DLS_MAX_PARAMS]; /* before the last step */
} TrialWalk;

void trial_draw_path(Trial *trial, TrialCoupling coupling, bool forces, TrialPath *path);
void trial_walk_begin(const TrialPath *path, TrialView view, bool by_force, TrialWalk *walk);
TrialOutcome trial_walk_on(Trial *trial, TrialWalk *walk, TrialPoint *point);
/* All steps but the last, which is left ready for trial_answer(); REFUSED where it is out of range. */
TrialOutcome trial_walk_arrive(Trial *trial, TrialWalk *walk);
/* Whether r, in base components, solves the last step of the walk as well. The walk ends here. */
bool trial_walk_solves(TrialWalk *walk, const double *r);
/* Whether changes of 1e-12 in the velocities move what the step ends with: at a threshold of the law's
 * state, or where solutions are several, two descriptions may differ without fault. */
bool trial_path_is_sensitive(Trial *trial, const TrialPath *path, bool by_force, int step,
                             const TrialPoint *at);
/* All steps at once; `last` is the last step, for its kinematics and states. */
TrialOutcome trial_walk(Trial *trial, const TrialPath *path, TrialView view, bool by_force,
                        TrialStep *last, TrialPoint *points);

#endif
