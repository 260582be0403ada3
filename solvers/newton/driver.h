/* The options of Newton's method on islands, which dls_newton_options() (delassus/newton.h) tells
 * those outside; the functions of the method are declared there. */
#ifndef DELASSUS_SOLVERS_NEWTON_DRIVER_H
#define DELASSUS_SOLVERS_NEWTON_DRIVER_H

#include <delassus/newton.h>

typedef struct {
  int residual, dense, inner, presweeps, admm, rescue, rounds;
  double alpha, fall, rise, eta, rho;
} NewtonOptions;

enum { NEWTON_OPTIONS = 12 };
extern const DlsOption newton_options[NEWTON_OPTIONS];

#endif
