/* Shared by the files of `auto`: auto.c begins, auto_watch.c says how a phase goes, auto_race.c and
 * auto_turns.c go on where the first sweeps are slow. */
#ifndef DELASSUS_SOLVERS_AUTO_IMPL_H
#define DELASSUS_SOLVERS_AUTO_IMPL_H

#include <stdbool.h>

#include <delassus/solver.h>

#include "solvers/kit/price.h"
#include "solvers/kit/small_problem.h"

typedef struct {
  int newtons, rounds;
  double patience;
} AutoOptions;

enum {
  AUTO_SAMPLES = 64,      /* of the error in time: a ring that spans half of it */
  AUTO_SPECTRAL_PRICE = 2 /* of a spectral step, in sweeps: W twice where one is refused, and F */
};

/* What a run of sweeps begins with, and how it goes. */
typedef enum {
  AUTO_DRIVEN,      /* momentum, from the best iterate */
  AUTO_ANCHORED,    /* momentum in proximal steps, from the best iterate */
  AUTO_FRESH,       /* momentum from zero: another basin */
  AUTO_CENTRED,     /* momentum, from where interior points ended and then from where it stood */
  AUTO_PLAIN,       /* nsgs, from the caller's guess and then from where it stood */
  AUTO_SPECTRAL,    /* steps of bb, likewise: all contacts at once, in no order */
  AUTO_ACCELERATED, /* of apgd, likewise */
  AUTO_SPLIT,       /* of admm */
  AUTO_CONJUGATE,   /* of cpg */
  AUTO_WAYS,
  AUTO_DIRECT = AUTO_WAYS, /* proximal, from the best iterate */
  AUTO_INTERIOR,
  AUTO_NONE
} AutoWay;

/* Where a solve stands: what is asked of the monitor differs. */
typedef enum {
  AUTO_FIRST, /* the first way, until another is expected to be quicker */
  AUTO_RACE,  /* those of the plan: always the one that is expected to have cost least in the end */
  AUTO_TURNS  /* all ways, by turns that double */
} AutoStage;

/* One line of a plan (auto_plan.c): a way, and the iterations that it is taken to need. */
typedef struct {
  AutoWay way;
  double taken;
} AutoPhase;

enum { AUTO_PHASES = 7 };
typedef struct {
  const char *kind;
  /* The first way: what is left of it is at most so many times what was done; it does so much of
   * what its best rival is expected to cost in any case; and is left for one that is expected to
   * cost so many times less in the end. */
  double far, share, hold;
  AutoPhase phase[AUTO_PHASES]; /* ends with AUTO_NONE where it is shorter */
} AutoPlan;

/* How far a way has come. */
typedef struct {
  double spent, left; /* s of the model: done, and to be done as it is expected to be */
  double done;        /* iterations */
  bool begun, out;    /* `out`: it can go no further */
} AutoTrack;

typedef struct {
  AutoOptions options;
  const DlsSolver *solver[AUTO_WAYS], *direct, *interior;
  void *state
      [AUTO_WAYS]; /* of each way, made when it is first gone; DRIVEN, FRESH and CENTRED share */
  double *at[AUTO_WAYS]; /* [contacts][block]: where those stand that go on from there, */
  bool begun[AUTO_WAYS]; /* which is the caller's guess until they have begun */
  double measured;       /* s: one Newton iteration, by the clock; for limits of time alone */
  double *r;             /* [contacts][block], physical */
  double *guess;         /* the same: of the caller */
  size_t n;
  /* Of the solve under way: */
  const DlsProblem *problem;
  const DlsMonitor *monitor;
  DlsStatus status; /* of the estimate */
  double *best;     /* the r of the caller */
  double begin, best_error, tolerance;
  long limit;                      /* iterations of the whole solve; 0: none */
  double phase_begin;              /* s since begin */
  double phase_error, phase_least; /* the least before the phase, and in it */
  DlsPrice price;
  double
      direct_time; /* s of the model: `newtons` iterations of each island; < 0 until it is known */
  double spent;    /* s of the model: all phases that are over */
  double *sweep, *error; /* [AUTO_SAMPLES] of this phase: number, and the least error up to it */
  DlsSmallProblemCounts small; /* of the first attempt on a small problem */
  int samples;
  /* Iterations of finished phases; by kind: */
  long done, sweep_count, step_count, newton_count, case_count, interior_count;
  DlsWork work; /* of finished phases */
  double far;   /* distance from the answer over the error; 0: no polish */
  bool stopped, switched;
  bool late; /* what is left of the limit is for direct solves */
  bool warm; /* the guess is not zero */
  AutoStage stage;
  const AutoPlan *plan; /* NULL until it is chosen */
  AutoWay first;
  AutoTrack track[AUTO_NONE];
  AutoWay way;       /* of the phase, */
  double taken;      /* the iterations that it is taken to need, */
  double least;      /* those that it gets in any case, */
  double rival;      /* and s of the model: what the best of the others is expected to cost */
  bool centred;      /* interior points have been asked, */
  bool broken;       /* and broken off for another way: to be asked again by turns */
  long phase_halved; /* iteration of a phase of those at which the error had last halved, */
  double phase_mark; /* and what it was */
  bool fresh;        /* the direct solve at hand began at zero */
} Auto;

/* Sweeps in which the error falls by e, by the rate since half of those of this phase. */
double auto_sweeps_per_fold(const Auto *s);

/* Those that are left to the tolerance, by that rate. */
double auto_iterations_left(const Auto *s);

/* Monitors of sweeps and steps, of interior points and of direct solves; the context is an Auto. */
int auto_watch_sweeps(void *context, long iteration, double time, double error);
int auto_watch_interior(void *context, long iteration, double time, double error);
int auto_watch_direct(void *context, long iteration, double time, double error);

/* Estimates the price of direct solves, once. */
DlsStatus auto_estimate(Auto *s);

/* Sweeps one way, for at most so many, in what the limits leave; the better iterate is kept. */
DlsStatus auto_sweep(Auto *s, AutoWay way, const DlsLimits *limits, double most, DlsReport *report);

/* Another solver from the best iterate, or from zero where `fresh`, likewise. */
DlsStatus auto_run_other(Auto *s, const DlsSolver *solver, const DlsLimits *limits, double most,
                         bool fresh, DlsReport *report);

/* Interior points from their own beginning, once; s->centre is where they end. */
DlsStatus auto_run_interior(Auto *s, const DlsLimits *limits, DlsReport *report);

/* Whether so many more sweeps would leave direct solves, which are worth it, no iterations. */
bool auto_is_last_chance(const Auto *s, double sweeps);

/* What they are taken to cost, s of the model; INFINITY where the problem is not for them. */
double auto_interior_time(const Auto *s);

/* Whether a phase has settled the solve: solved, stopped from outside, or at a limit of the
 * whole. */
bool auto_is_over(const Auto *s, const DlsLimits *limits, DlsReport *report);

/* A factorisation cannot be broken off: it must be short beside the time that is left. */
bool auto_may_factor(const Auto *s, const DlsLimits *limits);

/* The ways of the plan against each other (auto_plan.c), until one gets there, it is over, or they
 * have cost many times what they were taken to. */
DlsStatus auto_race(Auto *s, const DlsLimits *limits, DlsReport *report);

/* Whether another way of the plan is expected to be through at less than what this one, after
 * `done` iterations of its phase and with `left` to go, will have cost. */
bool auto_is_beaten(Auto *s, double done, double left);

/* Whether the best iterate, that of the phase under way too, is within ten tight tolerances:
 * direct solves go on from it, and are sure to get there. */
bool auto_is_near(const Auto *s);

/* Iterations that a way of the plan is taken to need, in all islands. */
double auto_taken(const Auto *s, const AutoPhase *phase);

/* A phase of s->way is over, after so many iterations. */
void auto_mark(Auto *s, double iterations);

/* What is to be gone first, and in which order on; by the kind of problem. */
AutoWay auto_first_way(const Auto *s);
DlsStatus auto_choose_plan(Auto *s);

/* Whether the solver of a way takes the laws of the problem. */
bool auto_may_go(const Auto *s, AutoWay way);

/* s of the model: one iteration of a way. */
double auto_price(const Auto *s, AutoWay way);

/* All ways by turns, until one gets there or none betters the error. */
DlsStatus auto_take_turns(Auto *s, const DlsLimits *limits, DlsReport *report);

#endif
