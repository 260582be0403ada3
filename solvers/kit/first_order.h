/* What first-order solvers share, from create to the sentence at the end: a guess, an iteration
 * that is repeated, measures of the error when they are due, a way out of cycles, the best iterate.
 * A solver gives its mathematics as a table of functions:
 *
 *   begin from r̂;  for k = 0, 1, ...: measure when due, and stop;  in a cycle: leave it;  iterate
 *
 * Its state begins with a DlsFirstOrder. */
#ifndef DELASSUS_SOLVERS_KIT_FIRST_ORDER_H
#define DELASSUS_SOLVERS_KIT_FIRST_ORDER_H

#include <stdbool.h>

#include "solvers/kit/scaled_problem.h"
#include "solvers/kit/stopping_rule.h"

typedef struct DlsFirstOrder DlsFirstOrder;

/* Which laws a method takes: those with a cone; custom laws that bring a projection too; any. */
typedef enum { DLS_LAWS_WITH_CONE, DLS_LAWS_WITH_PROJECTION, DLS_LAWS_ANY } DlsLawsTaken;

typedef struct {
  const char *name;
  size_t bytes;                    /* of the state */
  size_t options_at, option_bytes; /* where the options stand in it */
  bool scaled;                     /* iterates in scaled variables (scaled_problem.h) */
  DlsLawsTaken laws;
  long few;      /* iterations before a cycle is looked for, where base.rescue asks for it */
  size_t arrays; /* how many more of [contacts][block] it has; see dls_first_order_array() */
  /* Allocates, and sets check_every and rescue of the base from the options. */
  DlsStatus (*prepare)(void *self, const DlsProblem *problem);
  /* Starts from base.r_hat and sets base.r. */
  DlsStatus (*begin)(void *self, const DlsProblem *problem);
  DlsStatus (*iterate)(void *self, const DlsProblem *problem, long k); /* k = 0 is the first */
  void (*leave_cycle)(void *self);                                     /* NULL where few is 0 */
  void (*describe)(const void *self, DlsReport *report);
  void (*release)(void *self); /* what prepare allocated; takes half-made things; may be NULL */
} DlsFirstOrderMethod;

struct DlsFirstOrder {
  const DlsFirstOrderMethod *method;
  DlsScaled *scaled;     /* NULL where the method works on r̂ */
  const double *r;       /* where the iteration stands: r', or r̂ without scaled variables */
  double *r_hat;         /* [contacts][block], as the next two: the guess, and what is measured */
  double *best, *u;      /* of the stopping; free for use in prepare and begin */
  double *memory, *next; /* of all arrays; the next one to be had */
  int check_every;       /* iterations between two measures; 0: as the rate suggests */
  int rescue;            /* whether cycles are looked for */
  long rescues;          /* cycles left in this solve */
  bool exhausted;        /* set by an iteration after which no other gets on */
  DlsCycle cycle;
};

/* create of a DlsSolver, with its method. */
DlsStatus dls_first_order_create(const DlsFirstOrderMethod *method, const DlsProblem *problem,
                                 const void *options, void **out);

/* solve and destroy of a DlsSolver. */
DlsStatus dls_first_order_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                                const DlsMonitor *monitor, double *r, DlsReport *report);
void dls_first_order_destroy(void *self);

/* The next array of [contacts][block]; for prepare, at most method->arrays times. */
double *dls_first_order_array(DlsFirstOrder *base);

#endif
