/* PETSc marks the options that some part of it asked for; what is left unread after a system was
 * set up has no meaning there. */
#include "solvers/petsc/settings.h"

#include <petscsnes.h>

#include <delassus/solver_tools.h>

#include <stdio.h>
#include <string.h>

#include "solvers/petsc/library.h"

enum { UNKNOWNS = 3, NAME = 64 };

static PetscErrorCode function(SNES snes, Vec x, Vec f, void *context) {
  (void)snes, (void)context;
  return VecCopy(x, f);
}

static PetscErrorCode jacobian(SNES snes, Vec x, Mat J, Mat P, void *context) {
  (void)snes, (void)x, (void)J, (void)P, (void)context;
  return 0;
}

/* SNES, KSP and PC as system.c makes them, on x = 0, as far as the factors: what is read later is
 * for views. */
static PetscErrorCode set_up(SNES snes, Mat J, Vec x, Vec f) {
  KSP ksp;
  PC pc;
  PetscCall(SNESSetType(snes, SNESNEWTONLS));
  PetscCall(SNESSetFunction(snes, f, function, NULL));
  PetscCall(SNESSetJacobian(snes, J, J, jacobian, NULL));
  PetscCall(SNESGetKSP(snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  PetscCall(PCFactorSetMatSolverType(pc, MATSOLVERUMFPACK));
  PetscCall(SNESSetFromOptions(snes));
  PetscCall(SNESSetSolution(snes, x));
  PetscCall(SNESSetUp(snes));
  PetscCall(KSPSetOperators(ksp, J, J));
  return KSPSetUp(ksp);
}

static PetscErrorCode fill(Mat J) {
  for (PetscInt i = 0; i < UNKNOWNS; i++) PetscCall(MatSetValue(J, i, i, 1, INSERT_VALUES));
  PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
  return MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY);
}

static PetscErrorCode try_system(void) {
  SNES snes = NULL;
  Mat J = NULL;
  Vec x = NULL, f = NULL;
  PetscErrorCode code = MatCreateSeqAIJ(PETSC_COMM_SELF, UNKNOWNS, UNKNOWNS, 1, NULL, &J);
  if (!code) code = fill(J);
  if (!code) code = VecCreateSeq(PETSC_COMM_SELF, UNKNOWNS, &x);
  if (!code) code = VecDuplicate(x, &f);
  if (!code) code = SNESCreate(PETSC_COMM_SELF, &snes);
  if (!code) code = set_up(snes, J, x, f);
  (void)!SNESDestroy(&snes);
  (void)!MatDestroy(&J);
  (void)!VecDestroy(&x);
  (void)!VecDestroy(&f);
  return code;
}

/* Those that are misspelt most: PETSc prints the names of its options, but cannot be asked for
 * them. */
static const char *const common[] = {
    "-ksp_type",
    "-ksp_rtol",
    "-ksp_atol",
    "-ksp_divtol",
    "-ksp_max_it",
    "-ksp_norm_type",
    "-ksp_pc_side",
    "-ksp_gmres_restart",
    "-ksp_gmres_modifiedgramschmidt",
    "-ksp_bcgsl_ell",
    "-pc_type",
    "-pc_factor_levels",
    "-pc_factor_fill",
    "-pc_factor_mat_solver_type",
    "-pc_factor_mat_ordering_type",
    "-pc_factor_shift_type",
    "-pc_factor_shift_amount",
    "-pc_factor_zeropivot",
    "-pc_sor_omega",
    "-pc_sor_its",
    "-pc_jacobi_type",
    "-pc_bjacobi_blocks",
    "-pc_asm_overlap",
    "-pc_hypre_type",
    "-pc_gamg_type",
    "-pc_gamg_threshold",
    "-snes_type",
    "-snes_max_it",
    "-snes_lag_jacobian",
    "-snes_lag_preconditioner",
    "-snes_linesearch_type",
    "-snes_linesearch_order",
    "-snes_linesearch_max_it",
    "-snes_linesearch_damping",
    "-snes_mf",
    "-snes_mf_operator",
    "-snes_ksp_ew",
    "-snes_trtol",
    "-mat_mumps_icntl_7",
    "-mat_mumps_icntl_14",
    "-mat_umfpack_ordering",
    "-mat_umfpack_pivot_tolerance",
    "-mat_superlu_dist_colperm",
};

static const char *nearest(const char *word) {
  return dls_solver_nearest(word, common, DLS_COUNT(common));
}

/* What is read when a solve begins or ends, or by PETSc as a whole. */
static bool read_later(const char *name) {
  static const char *const beginnings[] = {"options_", "log_",   "malloc", "memory_", "objects_",
                                           "info",     "on_err", "help",   "version", "citations",
                                           "viewer_",  "draw_",  "debug",  "fp_trap", "get_"};
  for (int k = 0; k < DLS_COUNT(beginnings); k++)
    if (strncmp(name, beginnings[k], strlen(beginnings[k])) == 0) return true;
  return strstr(name, "_view") || strstr(name, "_reason") || strstr(name, "monitor");
}

static DlsStatus refuse_left(int count, char **names) {
  for (int k = 0; k < count; k++) {
    char word[NAME];
    if (read_later(names[k])) continue;
    snprintf(word, sizeof word, "-%.60s", names[k]);
    const char *near = nearest(word);
    return dls_fail(DLS_ERR_SOLVER,
                    "newton: no part of the PETSc solver that was asked for reads the option "
                    "%s%s%s%s",
                    word, near ? "; did you mean " : "", near ? near : "", near ? "?" : "");
  }
  return DLS_OK;
}

DlsStatus newton_settings_check(void) {
  static bool checked;
  char *given = NULL, **names = NULL, **values = NULL;
  PetscInt count = 0;
  if (checked) return DLS_OK;
  NEWTON_PETSC(PetscOptionsGetAll(NULL, &given));
  const bool none = !given || !given[0];
  (void)!PetscFree(given);
  if (!none) {
    const PetscErrorCode code = try_system();
    DLS_CHECK(code != PETSC_ERR_ARG_UNKNOWN_TYPE && code != PETSC_ERR_USER_INPUT, DLS_ERR_SOLVER,
              "newton: PETSc does not know a value among its options (code %d); see PETSC_OPTIONS "
              "and what follows --",
              (int)code);
    NEWTON_PETSC(PetscOptionsLeftGet(NULL, &count, &names, &values));
    const DlsStatus status = refuse_left((int)count, names);
    (void)!PetscOptionsLeftRestore(NULL, &count, &names, &values);
    DLS_TRY(status);
  }
  checked = true;
  return DLS_OK;
}
