/* Shared by the files of `auto`: auto.c begins, auto_turns.c goes on where the first sweeps are
 * slow. */
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
  AUTO_DRIVEN,   /* momentum, from the best iterate */
  AUTO_ANCHORED, /* momentum in proximal steps, from the best iterate */
  AUTO_FRESH,    /* momentum from zero: another basin */
  AUTO_CENTRED,  /* momentum, from where interior points ended and then from where it stood */
  AUTO_PLAIN,    /* nsgs, from the caller's guess and then from where it stood */
  AUTO_SPECTRAL, /* steps of bb, likewise: all contacts at once, in no order */
  AUTO_WAYS,
} AutoWay;

typedef struct {
  AutoOptions options;
  const DlsSolver *sweeps, *plain, *spectral, *direct, *interior;
  void *state
      [AUTO_WAYS]; /* of each way, made when it is first gone; DRIVEN, FRESH and CENTRED share */
  double measured; /* s: one Newton iteration, by the clock; for limits of time alone */
  double *r;       /* [contacts][block], physical */
  double *guess, *afar; /* the same: where AUTO_PLAIN and AUTO_SPECTRAL stand */
  double *centre;       /* and AUTO_CENTRED */
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
  long done, sweep_count, spectral_count, newton_count, case_count, interior_count;
  DlsWork work; /* of finished phases */
  double far;   /* distance from the answer over the error; 0: no polish */
  bool stopped, switched, taking_turns;
  bool centred;      /* interior points have been asked */
  long phase_halved; /* iteration of a phase of those at which the error had last halved, */
  double phase_mark; /* and what it was */
  bool fresh;        /* the direct solve at hand began at zero */
} Auto;

/* Sweeps in which the error falls by e, by the rate since half of those of this phase. */
double auto_sweeps_per_fold(const Auto *s);

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

/* All ways by turns, until one gets there or none betters the error. */
DlsStatus auto_take_turns(Auto *s, const DlsLimits *limits, DlsReport *report);

#endif
