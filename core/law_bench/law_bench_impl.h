/* What the checks share: a case and its judge, numbers drawn at random, one step of one contact,
 * and paths of such steps seen from other frames. */
#ifndef DELASSUS_LAW_BENCH_LAW_BENCH_IMPL_H
#define DELASSUS_LAW_BENCH_LAW_BENCH_IMPL_H

#include "law_bench/law_bench.h"

#include <delassus/local.h>

#include "base/random.h"
#include "base/small.h"
#include "bench/draw.h"

/* One case of one check. */
typedef struct {
  DlsBenchCase bench;
  const DlsLawBenchOptions *options;
  const DlsLaw *law;
  const DlsLaw *first; /* coulomb, for a law that composes; NULL for others */
  bool bounds; /* states beyond their bounds are judged; elsewhere such a case ends unjudged */
} LawCase;

/* A check: `applies` returns NULL, or why it does not; NULL stands for always. */
typedef struct {
  const char *name, *question;
  const char *tolerance; /* what an error is measured by, in words */
  long cases;
  const char *(*applies)(const DlsLaw *law);
  void (*run)(LawCase *law_case);
  /* After the last case, as in bench.h; NULL: the worst decides. `notes` are LawCase.bench.notes,
   * note_bytes of them. */
  void (*conclude)(const DlsLaw *law, DlsBenchResult *result, const void *notes);
  size_t note_bytes;
} LawCaseCheck;

extern const LawCaseCheck law_case_complete, law_case_dissipation, law_case_energy, law_case_frame,
    law_case_turn, law_case_clock, law_case_plain, law_case_distance, law_case_drag, law_case_swap,
    law_case_homogeneous, law_case_units, law_case_derivatives, law_case_projection, law_case_solve,
    law_case_limits, law_case_parameters, law_case_state, law_case_solvers, law_case_force,
    law_case_loops, law_case_step;

/* The judge and the story, as in bench.h. */
#define law_case_judge(law_case, ...)  dls_bench_judge(&(law_case)->bench, __VA_ARGS__)
#define law_case_broken(law_case, ...) dls_bench_broken(&(law_case)->bench, __VA_ARGS__)
#define law_case_report(law_case, ...) dls_bench_report(&(law_case)->bench, __VA_ARGS__)
#define law_case_say(law_case, ...)    dls_bench_say(&(law_case)->bench, __VA_ARGS__)
void law_case_say_vector(LawCase *law_case, const char *name, const double *x, int count,
                         const char *unit);
void law_case_say_matrix(LawCase *law_case, const char *name, const double *A, int n,
                         const char *unit);

/* A law with its numbers at the contact. The words behind the state are watched: a law that writes
 * there is caught. */
enum { LAW_CASE_WATCHED = 4, LAW_CASE_ROWS = 16 };
typedef struct {
  const DlsLaw *law;
  bool drawn; /* parameters drawn at random */
  double params[DLS_MAX_PARAMS];
  double state[DLS_MAX_PARAMS + LAW_CASE_WATCHED];
  double fields[2][DLS_MAX_PARAMS], surface[2][DLS_MAX_PARAMS]; /* of antagonist and candidate */
  int rows[DLS_MAX_TABLES]; /* of the law's tables, and their columns x and y */
  double column[DLS_MAX_TABLES][2][LAW_CASE_ROWS];
  DlsLawTable table[DLS_MAX_TABLES]; /* made of them by law_case_told() */
} LawCasePart;

/* One step of one contact: laws in a row (the last is on the bench), kinematics, u = D r + q. */
enum { LAW_CASE_MAX_PARTS = 2 };
typedef struct {
  DlsContact contact;
  bool blind;        /* laws are told of `hidden` in its place, in which nothing is said of the */
  DlsContact hidden; /* bodies; made by law_case_told() */
  double spin[3]; /* rad/s, the mean of both bodies, along n, t1, t2 of the path (2-D: the last) */
  LawCasePart part[LAW_CASE_MAX_PARTS];
  int parts;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK];
  DlsRelation relation;
  DlsCustomRelation custom;
  DlsLawUse use; /* what custom points to */
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK], guess[DLS_MAX_BLOCK];
  DlsLocalOutcome outcome;
} LawCaseStep;

/* draw.c */
typedef enum { LAW_CASE_COUPLED, LAW_CASE_NORMAL_APART, LAW_CASE_ALL_APART } LawCaseCoupling;
void law_case_draw_params(LawCase *law_case, bool at_bounds, LawCasePart *part);
void law_case_draw_laws(LawCase *law_case, LawCaseStep *step); /* parts, parameters, new states */
/* tables.c: draws a part's tables; what the law is told of them, out [ntables], NULL: none. */
void law_case_draw_tables(LawCase *law_case, LawCasePart *part);
const DlsLawTable *law_case_tables(const LawCasePart *part, DlsLawTable *out);
void law_case_draw_contact(LawCase *law_case, LawCaseStep *step);
/* D definite, of size 1/mass, spins in 1/radius²; `spread` decades between its scales. */
void law_case_draw_matrix(LawCase *law_case, LawCaseStep *step, LawCaseCoupling coupling,
                          double spread);
void law_case_draw_vector(DlsRandom *random, int dim, int block, double speed, double length,
                          double *out);
double law_case_draw_speed(LawCase *law_case);
double law_case_range(const LawCaseStep *step, int part);
double law_case_reach(const LawCaseStep *step); /* the farthest range of all parts */

/* pair.c. */
void law_case_draw_pair(LawCase *law_case, LawCaseStep *step);
/* c->spin from the mean of both and the relative ones in u, by their components in `frame`. */
void law_case_set_spins(DlsContact *c, const double mean[3], const double *u,
                        const double (*frame)[3]);
void law_case_swap_bodies(DlsContact *c);
void law_case_swap_places(LawCaseStep *step);
/* The contact as that law of the row is told of it: with its own fields and surfaces. */
const DlsContact *law_case_told(LawCaseStep *step, int part);

/* contact_step.c. REFUSED: the law answers DLS_ERR_LAW to drawn parameters. BROKEN: judged so.
 * UNSOLVED: no solution of the one-contact problem was found, which is counted and tells nothing
 * of the law's other virtues; how often that may be the check `solve` says. */
typedef enum { LAW_CASE_OK, LAW_CASE_REFUSED, LAW_CASE_BROKEN, LAW_CASE_UNSOLVED } LawCaseOutcome;
LawCaseOutcome law_case_begin(LawCase *law_case,
                              LawCaseStep *step); /* orient and begin of a new contact */
LawCaseOutcome law_case_orient(LawCase *law_case,
                               LawCaseStep *step); /* turns frame, D, q, u_before */
LawCaseOutcome law_case_prepare(LawCase *law_case,
                                LawCaseStep *step); /* the relation of all parts */
LawCaseOutcome law_case_answer(LawCase *law_case, LawCaseStep *step); /* prepare, solve, u */
LawCaseOutcome law_case_commit(LawCase *law_case, LawCaseStep *step);
/* N, N m, of the last part, for the explicit scheme, at velocity u. */
LawCaseOutcome law_case_push(LawCase *law_case, LawCaseStep *step, const double *u, double *f);
bool law_case_forces(const DlsLaw *law); /* force, or traction, of which the core makes it */
/* The law has a relation to solve with: prepare, traction or residual. */
bool law_case_solves(const DlsLaw *law);
const char *law_case_needs_relation(const DlsLaw *law);
/* Sizes of the velocities and impulses of a step, that tolerances are measured by. */
double law_case_speed(const LawCaseStep *step);
double law_case_impulse(const LawCaseStep *step);
void law_case_say_step(LawCase *law_case, const char *title, const LawCaseStep *step);
/* û = u + b + C r of a canonical relation. */
void law_case_shifted(const LawCaseStep *step, double *u_hat);

/* The natural map of (u, r) from scratch, relative; as dls_local_error. */
double law_case_relation_error(const LawCaseStep *step);
/* r solves the step's problem too: solutions need not be one. step->r becomes r. */
bool law_case_also_solves(LawCaseStep *step, const double *r);

/* units.c. A size that a number of this unit has in a step at that speed, by mass, length and time
 * of the contact; 0 where the unit is not understood. */
double law_case_natural_size(const LawCasePart *part, const DlsParam *row, const DlsContact *c,
                             double speed);

/* walk.c. T: components in the frame `from` to those in `to`; sign -1 when the bodies change
 * places. */
void law_case_change(int dim, int block, const double (*from)[3], const double (*to)[3],
                     double sign, double *T);
const double *law_case_axis(int dim, int k, const double (*frame)[3]); /* of component k */
void law_case_multiply(int n, const double *T, const double *x, double *y);
void law_case_congruence(int n, const double *T, const double *D, double *out); /* T D T^T */

enum { LAW_CASE_MAX_STEPS = 8 };
typedef struct {
  int steps;
  bool gap_counts; /* gap_rate = gap / h also below zero, as in an implicit Euler scheme */
  LawCaseStep start;
  double push[LAW_CASE_MAX_STEPS][DLS_MAX_BLOCK]; /* of free motion in a step, base components */
  double angle[LAW_CASE_MAX_STEPS];
  double turn[3][3];
  double rotation[LAW_CASE_MAX_STEPS][3]; /* rad, of the pair before a step; along n, t1, t2 */
} LawCasePath;

/* turn_tangents: other tangent axes in every step. turn_space: other axes of space. swap: the
 * bodies change names. turn_pair: both bodies turn together, as one rigid body, by `rotation`.
 * blind: laws are told nothing of the bodies. */
typedef struct {
  bool turn_tangents, turn_space, swap, turn_pair, blind;
} LawCaseView;

/* What a step of a path ends with; components in the base frame, seen unswapped. */
typedef struct {
  bool called;
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  double work, stored, dissipated, gap;
  double speed, impulse; /* sizes, the largest of the path so far */
} LawCasePoint;

/* A walk along a path, step by step. */
typedef struct {
  const LawCasePath *path;
  LawCaseView view;
  bool by_force, known; /* the law's force instead of its relation; the contact has begun */
  int done;
  double
      noise; /* part of the speed that is added to u at random before commit; 0 unless measured */
  double frame[3][3], axes[2][3][3], point[3]; /* of the pair as it has turned so far */
  double seen[9];                              /* the frame of the law's last step */
  double gap, u[DLS_MAX_BLOCK];                /* base components */
  double speed, impulse;                       /* the largest so far */
  LawCaseStep step;
  double state[LAW_CASE_MAX_PARTS][DLS_MAX_PARAMS]; /* before the last step */
  double surface[LAW_CASE_MAX_PARTS][2][DLS_MAX_PARAMS];
} LawCaseWalk;

void law_case_draw_path(LawCase *law_case, LawCaseCoupling coupling, bool forces,
                        LawCasePath *path);
void law_case_walk_begin(const LawCasePath *path, LawCaseView view, bool by_force,
                         LawCaseWalk *walk);
LawCaseOutcome law_case_walk_on(LawCase *law_case, LawCaseWalk *walk, LawCasePoint *point);
/* All steps but the last, which is left ready for law_case_answer(); REFUSED where it is out of
 * range. */
LawCaseOutcome law_case_walk_arrive(LawCase *law_case, LawCaseWalk *walk);
/* The same for the next step, wherever the walk is. */
LawCaseOutcome law_case_walk_arrive_at(LawCase *law_case, LawCaseWalk *walk);
/* Whether r, in base components, solves the last step of the walk as well. The walk ends here. */
bool law_case_walk_solves(LawCaseWalk *walk, const double *r);
/* growth.c. The largest differences that changes of 1e-12 in velocities, masses, sizes and
 * parameters make in what step `step` ends with: in r (torques over the radius), in the energy
 * stored, in the states of the law on the bench, of which `state` holds those of the path. lost:
 * some such path could not be walked to its end. */
typedef struct {
  double impulse, stored, state[DLS_MAX_PARAMS];
  bool lost;
} LawCaseGrowth;
LawCaseGrowth law_case_growth(LawCase *law_case, const LawCasePath *path, bool by_force, int step,
                              const LawCasePoint *at, const double *state);
/* What is granted to an error besides its tolerance: ten times what such changes make. */
enum { LAW_CASE_GRANTED = 10 };
/* |x - y| of reactions, N s; torques count by the radius. */
double law_case_apart(const DlsContact *c, const double *x, const double *y);

/* All steps at once; `last` is the last step, for its kinematics and states. */
LawCaseOutcome law_case_walk(LawCase *law_case, const LawCasePath *path, LawCaseView view,
                             bool by_force, LawCaseStep *last, LawCasePoint *points);

#endif
