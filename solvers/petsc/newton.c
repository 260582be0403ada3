/* The solver `newton`: the library's Newton method on islands (delassus/newton.h), each step solved
 * by PETSc's SNES in system.c. */
#include "solvers/petsc/library.h"
#include "solvers/petsc/settings.h"
#include "solvers/petsc/system.h"

/* Options that name a linear solver rule out dense matrices. */
static DlsStatus names_linear_solver(bool *out) {
  static const char *const names[] = {"-pc_type", "-pc_factor_mat_solver_type", "-ksp_type"};
  *out = false;
  for (int k = 0; k < DLS_COUNT(names); k++) {
    PetscBool named = PETSC_FALSE;
    NEWTON_PETSC(PetscOptionsHasName(NULL, NULL, names[k], &named));
    *out |= named;
  }
  return DLS_OK;
}

static DlsStatus create(const DlsProblem *problem, const void *chosen, void **out) {
  bool sparse;
  *out = NULL;
  DLS_TRY(newton_library_start());
  DLS_TRY(newton_library_enter());
  DlsStatus status = newton_settings_check();
  if (status == DLS_OK) status = names_linear_solver(&sparse);
  if (status == DLS_OK) status = dls_newton_create(problem, chosen, &newton_snes, sparse, out);
  newton_library_leave();
  return status;
}

static DlsStatus solve(void *self, const DlsProblem *problem, const DlsLimits *limits,
                       const DlsMonitor *monitor, double *r, DlsReport *report) {
  DLS_TRY(newton_library_enter());
  const DlsStatus status = dls_newton_solve(self, problem, limits, monitor, r, report);
  newton_library_leave();
  return status;
}

static DlsSolver newton = {
    DLS_SOLVER_HEAD,
    .name = "newton",
    .summary = "semismooth Newton on PETSc SNES, with a proximal outer loop",
    .description =
        "Solves each island of contacts by proximal steps, W + alpha with alpha falling to "
        "nothing, "
        "each by semismooth Newton with a direct solve. Reaches high accuracy where sweeps stall: "
        "stacked rigid bodies (W singular), ill-conditioned and unsymmetric problems. Takes every "
        "law. PETSc options (-snes_..., -ksp_..., -pc_...) choose another line search or linear "
        "solver.",
    .references = "Alart and Curnier 1991; Acary, Brémond and Huber 2018",
    .create = create,
    .solve = solve,
    .destroy = dls_newton_destroy,
};

const DlsSolver *dls_solver_entry(void) {
  newton.options = dls_newton_options(&newton.noptions, &newton.option_bytes);
  return &newton;
}
