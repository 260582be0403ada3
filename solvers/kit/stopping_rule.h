/* What the built-in solvers ask of the stopping rule besides delassus/solver_tools.h: hints that
 * spare measures, and whether an iteration goes round in a cycle. */
#ifndef DELASSUS_SOLVERS_KIT_STOPPING_RULE_H
#define DELASSUS_SOLVERS_KIT_STOPPING_RULE_H

#include <delassus/solver_tools.h>

/* The size of the change that iteration k made, in any unit that stays the same: it goes with the
 * error before that iteration, and when it says that the tolerance is near the error is
 * measured. */
void dls_stopping_hint(DlsStopping *stopping, long k, double size);

/* A cycle: hardly any progress, 1/10 of the error, while the number of iterations doubled. */
typedef struct {
  long mark; /* iterations when mark_error was the best error */
  double mark_error;
} DlsCycle;

/* Whether one is found at iteration k, not before `few`, and where hints are given when it has been
 * measured; to be asked in every iteration. */
int dls_stopping_cycles(const DlsStopping *stopping, long k, long few, DlsCycle *cycle);

#endif
