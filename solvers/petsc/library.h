/* PETSc as this plugin needs it: started when first asked for, silent, never aborting. */
#ifndef DELASSUS_SOLVERS_PETSC_LIBRARY_H
#define DELASSUS_SOLVERS_PETSC_LIBRARY_H

#include <petscsys.h>

#include <delassus/status.h>

/* Starts MPI and PETSc in this process unless they run already; they then end at exit. Options are
 * read from the environment variable PETSC_OPTIONS. */
DlsStatus newton_library_start(void);

/* Errors of PETSc become codes while a solver works: push before, pop after. */
DlsStatus newton_library_enter(void);
void newton_library_leave(void);

/* DLS_ERR_SOLVER with PETSc's text, unless the code is 0. */
DlsStatus newton_library_status(PetscErrorCode code, const char *what);

#define NEWTON_PETSC(call)                                                                         \
  do {                                                                                             \
    const PetscErrorCode newton_petsc_code = (call);                                               \
    if (newton_petsc_code) return newton_library_status(newton_petsc_code, #call);                 \
  } while (0)

#endif
