/* The state of a solver between create and destroy, as all solvers make it: one struct that begins
 * with a copy of its options, and what its `prepare` allocates. */
#ifndef DELASSUS_SOLVERS_KIT_SOLVER_STATE_H
#define DELASSUS_SOLVERS_KIT_SOLVER_STATE_H

#include <delassus/solver_tools.h>

typedef struct {
  size_t bytes, option_bytes; /* of the struct, and of the options at its beginning */
  DlsStatus (*prepare)(void *self, const DlsProblem *problem);
  void (*destroy)(void *self); /* takes what a failed prepare leaves */
} DlsSolverState;

/* Zeroed memory, the options, prepare; on failure *out is NULL and nothing is left behind. */
DlsStatus dls_solver_state_create(const DlsSolverState *kind, const DlsProblem *problem,
                                  const void *options, void **out);

/* contacts times block. */
size_t dls_solver_state_size(const DlsProblem *problem);

/* The next n numbers of an array that serves many; *next moves on. */
double *dls_solver_state_slice(double **next, size_t n);

/* Exchanges two arrays. */
static inline void dls_solver_state_swap(double **a, double **b) {
  double *t = *a;
  *a = *b;
  *b = t;
}

#endif
