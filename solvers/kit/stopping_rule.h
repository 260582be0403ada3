/* The watch over an iteration: measures the error from scratch, keeps the best iterate,
 * decides when to measure again and when to stop. Shared by the solvers, so that all stop by one
 * rule. */
#ifndef DELASSUS_SOLVERS_KIT_STOPPING_RULE_H
#define DELASSUS_SOLVERS_KIT_STOPPING_RULE_H

#include <delassus/solver.h>

typedef struct {
  const DlsProblem *problem;
  const DlsLimits *limits;
  const DlsMonitor *monitor;
  DlsReport *report;
  double *best,
      *u;       /* [contacts][block] each, owned by the solver; best may be the r of its caller */
  double begin; /* s */
  double best_error, last_error, mark_error;
  long last, next, mark; /* iterations: last and next measure, and when mark_error was taken */
  long latest;           /* iteration by which to measure whatever the hints say */
  double per_size;       /* error over the size of the change; < 0 until a hint follows a measure */
  int every;             /* 0: as the rate of convergence suggests */
  int hinted;            /* some hint was given */
  int patient;      /* set by the solver: goes on within the tolerance, and is not found to stall */
  DlsStatus status; /* of a law that failed while measuring */
} DlsStopping;

/* `every` iterations between two measures, 0 to let the rate decide. */
void dls_stopping_begin(DlsStopping *watch, const DlsProblem *problem, const DlsLimits *limits,
                        const DlsMonitor *monitor, DlsReport *report, double *best, double *u,
                        int every);

/* Whether iteration k is to be measured. */
static inline int dls_stopping_due(const DlsStopping *watch, long k) { return k >= watch->next; }

/* The size of the change that iteration k made, in any unit that stays the same: it goes with the
 * error before that iteration, and when it says that the tolerance is near the error is measured. */
void dls_stopping_hint(DlsStopping *watch, long k, double size);

/* Measures r_hat after iteration k; nonzero when the solve is over, report->outcome says why. */
int dls_stopping_measure(DlsStopping *watch, long k, const double *r_hat);

/* A cycle: hardly any progress, 1/10 of the error, while the number of iterations doubled. */
typedef struct {
  long mark; /* iterations when mark_error was the best error */
  double mark_error;
} DlsCycle;

/* Whether one is found at iteration k, not before `few`, and where hints are given when it has been
 * measured; to be asked in every iteration. */
int dls_stopping_cycles(const DlsStopping *watch, long k, long few, DlsCycle *cycle);

/* The best iterate, physical, into r; the status of the solve. */
DlsStatus dls_stopping_end(DlsStopping *watch, double *r);

#endif
