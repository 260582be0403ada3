#include "solvers/petsc/library.h"

#include <stdlib.h>

static void end_petsc(void) {
  PetscBool ended = PETSC_FALSE;
  if (PetscFinalized(&ended) == 0 && !ended) PetscFinalize();
}

/* One process talks to nobody: without its daemon and its networks MPI starts in a tenth of the
 * time, and without its session folders processes that end at once do not remove each other's. What
 * the caller has set stays. */
static void prefer_fast_start(void) {
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 0);
  setenv("OMPI_MCA_pml", "ob1", 0);
  setenv("OMPI_MCA_btl", "self,vader", 0);
  setenv("OMPI_MCA_orte_create_session_dirs", "0", 0);
}

DlsStatus newton_library_start(void) {
  PetscBool started = PETSC_FALSE, ended = PETSC_FALSE;
  NEWTON_PETSC(PetscInitialized(&started));
  NEWTON_PETSC(PetscFinalized(&ended));
  DLS_CHECK(!ended, DLS_ERR_SOLVER,
            "newton: PETSc has been ended in this process and cannot start again");
  if (started) return DLS_OK;
  prefer_fast_start();
  const PetscErrorCode code = PetscInitializeNoArguments();
  DLS_CHECK(code == 0, DLS_ERR_SOLVER,
            "newton: PETSc does not start (code %d); see PETSC_OPTIONS and the MPI installation",
            (int)code);
  /* The program keeps its own signal handlers. */
  NEWTON_PETSC(PetscPopSignalHandler());
  if (atexit(end_petsc) != 0) return dls_fail(DLS_ERR_SOLVER, "newton: atexit is full");
  return DLS_OK;
}

DlsStatus newton_library_enter(void) {
  NEWTON_PETSC(PetscPushErrorHandler(PetscReturnErrorHandler, NULL));
  return DLS_OK;
}

void newton_library_leave(void) { (void)!PetscPopErrorHandler(); }

DlsStatus newton_library_status(PetscErrorCode code, const char *what) {
  const char *text = NULL;
  if (!code) return DLS_OK;
  if (PetscErrorMessage((int)code, &text, NULL) != 0) text = NULL;
  return dls_fail(code == PETSC_ERR_MEM ? DLS_ERR_MEMORY : DLS_ERR_SOLVER,
                  "newton: PETSc gives code %d (%s) in %.100s", (int)code, text ? text : "unknown",
                  what);
}
