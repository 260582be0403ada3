/* The equations of a proximal step and their solution by PETSc's SNES; see system.h. */
#include "solvers/petsc/system.h"

#include <petscsnes.h>

#include "solvers/petsc/library.h"
#include "solvers/petsc/matrix.h"

#include <math.h>

typedef struct {
  DlsNewtonStep *step; /* the one under way */
  PetscInt n;          /* unknowns */
  DlsStatus status;    /* of a law that failed in a callback */
  bool dense, broken;
  SNES snes;
  Mat J;
  Vec x, f;
} System;

static PetscErrorCode compute_function(SNES snes, Vec x, Vec f, void *context) {
  System *s = context;
  const PetscScalar *r;
  PetscScalar *F;
  (void)snes;
  PetscCall(VecGetArrayRead(x, &r));
  PetscCall(VecGetArrayWrite(f, &F));
  s->status = dls_newton_step_residual(s->step, r, F);
  PetscCall(VecRestoreArrayWrite(f, &F));
  PetscCall(VecRestoreArrayRead(x, &r));
  return s->status == DLS_OK ? 0 : PETSC_ERR_USER;
}

static PetscErrorCode compute_jacobian(SNES snes, Vec x, Mat J, Mat P, void *context) {
  System *s = context;
  const PetscScalar *r;
  PetscScalar *value;
  (void)snes;
  PetscCall(VecGetArrayRead(x, &r));
  if (s->dense)
    PetscCall(MatDenseGetArrayWrite(P, &value));
  else
    PetscCall(MatSeqAIJGetArrayWrite(P, &value));
  s->status = dls_newton_step_jacobian(s->step, s->dense, r, value);
  if (s->dense)
    PetscCall(MatDenseRestoreArrayWrite(P, &value));
  else
    PetscCall(MatSeqAIJRestoreArrayWrite(P, &value));
  PetscCall(VecRestoreArrayRead(x, &r));
  PetscCall(MatAssemblyBegin(P, MAT_FINAL_ASSEMBLY));
  PetscCall(MatAssemblyEnd(P, MAT_FINAL_ASSEMBLY));
  if (J != P) { /* matrix-free J */
    PetscCall(MatAssemblyBegin(J, MAT_FINAL_ASSEMBLY));
    PetscCall(MatAssemblyEnd(J, MAT_FINAL_ASSEMBLY));
  }
  return s->status == DLS_OK ? 0 : PETSC_ERR_USER;
}

/* The rules of the step decide. */
static PetscErrorCode test_convergence(SNES snes, PetscInt iteration, PetscReal x_norm,
                                       PetscReal step_norm, PetscReal f_norm,
                                       SNESConvergedReason *reason, void *context) {
  System *s = context;
  (void)snes, (void)x_norm, (void)step_norm;
  switch (dls_newton_step_judge(s->step, (int)iteration, f_norm)) {
  case DLS_NEWTON_GO_ON:
    *reason = SNES_CONVERGED_ITERATING;
    break;
  case DLS_NEWTON_CONVERGED:
    *reason = SNES_CONVERGED_FNORM_ABS;
    break;
  case DLS_NEWTON_GIVE_UP:
  default:
    *reason = isfinite(f_norm) ? SNES_DIVERGED_MAX_IT : SNES_DIVERGED_FNORM_NAN;
  }
  return 0;
}

/* Halves the way along the step Y until |F| is accepted. */
static PetscErrorCode search(SNESLineSearch line, void *context) {
  System *s = context;
  SNES snes;
  Vec X, F, Y, W, G;
  PetscInt iteration;
  PetscReal norm = INFINITY, x_norm, y_norm;
  PetscCall(SNESLineSearchGetSNES(line, &snes));
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  PetscCall(SNESLineSearchGetVecs(line, &X, &F, &Y, &W, &G));
  PetscCall(VecNorm(Y, NORM_2, &y_norm));
  bool accepted = false;
  double t = 1;
  for (int k = 0; k < DLS_NEWTON_HALVINGS && !accepted && isfinite(y_norm); k++, t *= 0.5) {
    PetscCall(VecWAXPY(W, -t, Y, X));
    PetscCall(SNESComputeFunction(snes, W, G));
    PetscCall(VecNorm(G, NORM_2, &norm));
    accepted = dls_newton_step_accepts(s->step, (int)iteration, t, norm);
  }
  PetscCall(SNESLineSearchSetReason(line, accepted ? SNES_LINESEARCH_SUCCEEDED
                                                   : SNES_LINESEARCH_FAILED_REDUCT));
  if (accepted) {
    PetscCall(VecCopy(W, X));
    PetscCall(VecCopy(G, F));
  } else {
    PetscCall(VecNorm(F, NORM_2, &norm));
  }
  PetscCall(VecNorm(X, NORM_2, &x_norm));
  PetscCall(SNESLineSearchSetNorms(line, x_norm, norm, y_norm));
  return 0;
}

/* SNES with our line search and a direct solve; PETSc options may change both. */
static PetscErrorCode create_snes(System *s) {
  SNESLineSearch line;
  KSP ksp;
  PC pc;
  PetscCall(SNESCreate(PETSC_COMM_SELF, &s->snes));
  PetscCall(SNESSetType(s->snes, SNESNEWTONLS));
  PetscCall(SNESSetFunction(s->snes, s->f, compute_function, s));
  PetscCall(SNESSetJacobian(s->snes, s->J, s->J, compute_jacobian, s));
  PetscCall(SNESSetConvergenceTest(s->snes, test_convergence, s, NULL));
  PetscCall(SNESSetTolerances(s->snes, 0, 0, 0, PETSC_MAX_INT, PETSC_MAX_INT));
  PetscCall(SNESGetLineSearch(s->snes, &line));
  PetscCall(SNESLineSearchSetType(line, SNESLINESEARCHSHELL));
  PetscCall(SNESLineSearchShellSetUserFunc(line, search, s));
  PetscCall(SNESGetKSP(s->snes, &ksp));
  PetscCall(KSPSetType(ksp, KSPPREONLY));
  PetscCall(KSPGetPC(ksp, &pc));
  PetscCall(PCSetType(pc, PCLU));
  if (!s->dense) PetscCall(PCFactorSetMatSolverType(pc, newton_matrix_solver(s->J)));
  PetscCall(SNESSetFromOptions(s->snes));
  return 0;
}

static PetscErrorCode create_objects(System *s, const DlsBlockRows *rows) {
  PetscCall(newton_matrix_create(rows, s->dense, &s->J));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, s->n, &s->x));
  PetscCall(VecDuplicate(s->x, &s->f));
  return create_snes(s);
}

static void destroy_objects(System *s) {
  (void)!SNESDestroy(&s->snes);
  (void)!MatDestroy(&s->J);
  (void)!VecDestroy(&s->x);
  (void)!VecDestroy(&s->f);
}

static DlsStatus create(const DlsBlockRows *rows, bool dense, void **out) {
  System *s = NULL;
  *out = NULL;
  NEWTON_PETSC(PetscNew(&s));
  *out = s;
  s->dense = dense;
  s->n = rows->contacts * rows->block;
  return newton_library_status(create_objects(s, rows), "the creation of an SNES");
}

static void destroy(void *system) {
  System *s = system;
  if (!s) return;
  destroy_objects(s);
  (void)!PetscFree(s);
}

/* Codes that a singular or senseless matrix gives: the step failed, a larger alpha may do. */
static bool is_step_failure(PetscErrorCode code) {
  return code == PETSC_ERR_LIB || code == PETSC_ERR_MAT_LU_ZRPVT || code == PETSC_ERR_FP ||
         code == PETSC_ERR_MAT_CH_ZRPVT || code == PETSC_ERR_CONV_FAILED ||
         code == PETSC_ERR_NOT_CONVERGED;
}

static PetscErrorCode run(System *s, double *r, int *iterations, bool *converged) {
  SNESConvergedReason reason;
  PetscScalar *x;
  PetscInt count = 0;
  PetscCall(VecGetArrayWrite(s->x, &x));
  PetscCall(PetscArraycpy(x, r, s->n));
  PetscCall(VecRestoreArrayWrite(s->x, &x));
  const PetscErrorCode code = SNESSolve(s->snes, NULL, s->x);
  PetscCall(SNESGetIterationNumber(s->snes, &count));
  *iterations = (int)count;
  if (code) return code;
  PetscCall(SNESGetConvergedReason(s->snes, &reason));
  *converged = reason > 0;
  if (!*converged) return 0;
  PetscCall(VecGetArray(s->x, &x));
  PetscCall(PetscArraycpy(r, x, s->n));
  PetscCall(VecRestoreArray(s->x, &x));
  return 0;
}

static DlsStatus solve(void *system, DlsNewtonStep *step, double *r, int *iterations,
                       bool *converged) {
  System *s = system;
  *iterations = 0;
  *converged = false;
  /* A step that PETSc broke off, as on a singular matrix, may leave its objects half-way. */
  if (s->broken) {
    const DlsBlockRows rows = dls_newton_step_rows(step);
    destroy_objects(s);
    NEWTON_PETSC(create_objects(s, &rows));
    s->broken = false;
  }
  s->step = step;
  s->status = DLS_OK;
  const PetscErrorCode code = run(s, r, iterations, converged);
  s->broken = code != 0;
  if (s->status != DLS_OK) return s->status;
  return is_step_failure(code) ? DLS_OK : newton_library_status(code, "SNESSolve");
}

const DlsNewtonAlgebra newton_snes = {create, solve, destroy};
