/* Steps of Newton's method solved by PETSc's SNES, with a line search of the step's own rules and a
 * direct solve; PETSc options may change both. */
#ifndef DELASSUS_SOLVERS_PETSC_SYSTEM_H
#define DELASSUS_SOLVERS_PETSC_SYSTEM_H

#include <delassus/newton.h>

extern const DlsNewtonAlgebra newton_snes;

#endif
