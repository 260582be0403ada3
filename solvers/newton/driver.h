/* The solver that `proximal` (direct solves of our own) and `newton` (PETSc) are: the same proximal
 * steps over the same islands. They differ in what stands behind system.h and admm.h, which each
 * links for itself. */
#ifndef DELASSUS_SOLVERS_NEWTON_DRIVER_H
#define DELASSUS_SOLVERS_NEWTON_DRIVER_H

#include <stdbool.h>

#include <delassus/solver.h>

typedef struct {
  int residual, dense, inner, presweeps, admm, rescue, rounds;
  double alpha, fall, rise, eta, rho;
} NewtonOptions;

enum { NEWTON_OPTIONS = 12 };
extern const DlsOption newton_options[NEWTON_OPTIONS];

/* As create, solve and destroy of a DlsSolver; `sparse`: no dense matrices, whatever the options. */
DlsStatus newton_driver_create(const DlsProblem *problem, const NewtonOptions *options, bool sparse,
                               void **out);
DlsStatus newton_driver_solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                              const DlsMonitor *monitor, double *r, DlsReport *report);
void newton_driver_destroy(void *self);

#endif
