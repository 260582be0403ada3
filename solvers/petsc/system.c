/* The equations of a proximal step and their solution by PETSc's SNES; see system.h. */
#include <petscsnes.h>

#include "solvers/newton/jacobian.h"
#include "solvers/newton/system.h"
#include "solvers/petsc/library.h"
#include "solvers/petsc/matrix.h"

#include "base/clock.h"
#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_MEMORY = 32 };

struct NewtonSystem {
  const NewtonIsland *island; /* of the step under way */
  const NewtonRules *rules;
  const double *centre;
  double alpha, tolerance;
  double *u;                /* [contacts][block] */
  double past[MOST_MEMORY]; /* |F| of the last iterations, in a ring */
  double best;              /* least |F| so far, at iteration best_at */
  int best_at;
  DlsStatus status; /* of a law that failed in a callback */
  bool dense, broken;
  SNES snes;
  Mat J;
  Vec x, f;
};

static NewtonStep step_of(const NewtonSystem *s) {
  return (NewtonStep){s->island, s->rules->residual, s->alpha, s->centre};
}

static PetscErrorCode compute_function(SNES snes, Vec x, Vec f, void *context) {
  NewtonSystem *s = context;
  const PetscScalar *r;
  PetscScalar *F;
  (void)snes;
  PetscCall(VecGetArrayRead(x, &r));
  PetscCall(VecGetArrayWrite(f, &F));
  const NewtonStep step = step_of(s);
  s->status = newton_step_residual(&step, r, s->u, F);
  PetscCall(VecRestoreArrayWrite(f, &F));
  PetscCall(VecRestoreArrayRead(x, &r));
  return s->status == DLS_OK ? 0 : PETSC_ERR_USER;
}

static PetscErrorCode compute_jacobian(SNES snes, Vec x, Mat J, Mat P, void *context) {
  NewtonSystem *s = context;
  const PetscScalar *r;
  PetscScalar *value;
  (void)snes;
  PetscCall(VecGetArrayRead(x, &r));
  if (s->dense)
    PetscCall(MatDenseGetArrayWrite(P, &value));
  else
    PetscCall(MatSeqAIJGetArrayWrite(P, &value));
  const NewtonStep step = step_of(s);
  s->status = newton_step_jacobian(&step, s->dense, r, s->u, value);
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

/* Stops at the tolerance, after `most` iterations, and early when nothing gets better. */
static PetscErrorCode test_convergence(SNES snes, PetscInt iteration, PetscReal x_norm,
                                       PetscReal step_norm, PetscReal f_norm,
                                       SNESConvergedReason *reason, void *context) {
  NewtonSystem *s = context;
  (void)snes, (void)x_norm, (void)step_norm;
  s->past[iteration % s->rules->memory] = f_norm;
  if (iteration == 0 || f_norm < s->best) {
    s->best = f_norm;
    s->best_at = (int)iteration;
  }
  *reason = SNES_CONVERGED_ITERATING;
  if (!isfinite(f_norm))
    *reason = SNES_DIVERGED_FNORM_NAN;
  else if (f_norm <= s->tolerance)
    *reason = SNES_CONVERGED_FNORM_ABS;
  else if (iteration >= s->rules->most || iteration - s->best_at >= s->rules->patience ||
           dls_clock_now() >= s->rules->deadline)
    *reason = SNES_DIVERGED_MAX_IT;
  return 0;
}

/* The bound on the next |F|: the largest of the last ones (Grippo, Lampariello and Lucidi 1986),
 * many times that in the first iterations, when the active set is still being found and a full step
 * pays more than a decrease. */
static double largest_allowed(const NewtonSystem *s, PetscInt iteration) {
  double largest = 0;
  for (PetscInt k = 0; k <= iteration && k < s->rules->memory; k++)
    largest = fmax(largest, s->past[k]);
  return iteration < s->rules->watch ? s->rules->growth * largest : largest;
}

/* Halves the step until |F(x - t y)| <= (1 - 1e-4 t) bound. */
static PetscErrorCode search(SNESLineSearch line, void *context) {
  NewtonSystem *s = context;
  const int halvings = 12;
  SNES snes;
  Vec X, F, Y, W, G;
  PetscInt iteration;
  PetscReal norm = INFINITY, x_norm, y_norm;
  PetscCall(SNESLineSearchGetSNES(line, &snes));
  PetscCall(SNESGetIterationNumber(snes, &iteration));
  PetscCall(SNESLineSearchGetVecs(line, &X, &F, &Y, &W, &G));
  PetscCall(VecNorm(Y, NORM_2, &y_norm));
  const double bound = largest_allowed(s, iteration);
  bool accepted = false;
  double t = 1;
  for (int k = 0; k < halvings && !accepted && isfinite(y_norm); k++, t *= 0.5) {
    PetscCall(VecWAXPY(W, -t, Y, X));
    PetscCall(SNESComputeFunction(snes, W, G));
    PetscCall(VecNorm(G, NORM_2, &norm));
    accepted = norm <= (1 - 1e-4 * t) * bound;
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
static PetscErrorCode create_snes(NewtonSystem *s) {
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

static PetscErrorCode create_objects(NewtonSystem *s, const NewtonIsland *island) {
  const PetscInt n = island->contacts * island->block;
  PetscCall(newton_matrix_create(island, s->dense, &s->J));
  PetscCall(VecCreateSeq(PETSC_COMM_SELF, n, &s->x));
  PetscCall(VecDuplicate(s->x, &s->f));
  return create_snes(s);
}

static void destroy_objects(NewtonSystem *s) {
  (void)!SNESDestroy(&s->snes);
  (void)!MatDestroy(&s->J);
  (void)!VecDestroy(&s->x);
  (void)!VecDestroy(&s->f);
}

DlsStatus newton_system_create(const NewtonIsland *island, bool dense, NewtonSystem **out) {
  NewtonSystem *s;
  *out = NULL;
  DLS_NEW(s, 1);
  *out = s;
  s->dense = dense;
  DLS_NEW(s->u, (size_t)island->contacts * (size_t)island->block);
  return newton_library_status(create_objects(s, island), "the creation of an SNES");
}

void newton_system_destroy(NewtonSystem **system) {
  if (!*system) return;
  destroy_objects(*system);
  free((*system)->u);
  free(*system);
  *system = NULL;
}

/* Codes that a singular or senseless matrix gives: the step failed, a larger alpha may do. */
static bool is_step_failure(PetscErrorCode code) {
  return code == PETSC_ERR_LIB || code == PETSC_ERR_MAT_LU_ZRPVT || code == PETSC_ERR_FP ||
         code == PETSC_ERR_MAT_CH_ZRPVT || code == PETSC_ERR_CONV_FAILED ||
         code == PETSC_ERR_NOT_CONVERGED;
}

static PetscErrorCode run(NewtonSystem *s, double *r, int *iterations, bool *converged) {
  const size_t n = (size_t)s->island->contacts * (size_t)s->island->block;
  SNESConvergedReason reason;
  PetscScalar *x;
  PetscInt count = 0;
  PetscCall(VecGetArrayWrite(s->x, &x));
  memcpy(x, r, n * sizeof *r);
  PetscCall(VecRestoreArrayWrite(s->x, &x));
  const PetscErrorCode code = SNESSolve(s->snes, NULL, s->x);
  PetscCall(SNESGetIterationNumber(s->snes, &count));
  *iterations = (int)count;
  if (code) return code;
  PetscCall(SNESGetConvergedReason(s->snes, &reason));
  *converged = reason > 0;
  if (!*converged) return 0;
  PetscCall(VecGetArray(s->x, &x));
  memcpy(r, x, n * sizeof *r);
  PetscCall(VecRestoreArray(s->x, &x));
  return 0;
}

DlsStatus newton_system_solve(NewtonSystem *s, const NewtonIsland *island, const NewtonRules *rules,
                              double alpha, const double *centre, double tolerance, double *r,
                              int *iterations, bool *converged) {
  *iterations = 0;
  *converged = false;
  /* A step that PETSc broke off, as on a singular matrix, may leave its objects half-way. */
  if (s->broken) {
    destroy_objects(s);
    NEWTON_PETSC(create_objects(s, island));
    s->broken = false;
  }
  s->island = island;
  s->rules = rules;
  s->alpha = alpha;
  s->centre = centre;
  s->tolerance = tolerance;
  s->status = DLS_OK;
  const PetscErrorCode code = run(s, r, iterations, converged);
  s->broken = code != 0;
  if (s->status != DLS_OK) return s->status;
  return is_step_failure(code) ? DLS_OK : newton_library_status(code, "SNESSolve");
}
