/* A custom law as the functions that a problem wants: checked calls, whose context is the
 * DlsLawUse. */
#include <string.h>

#include "law/failure.h"
#include "law/jump.h"
#include "law/law_impl.h"

static DlsStatus call_residual(const DlsLawUse *use, const double *u, const double *r, double *F,
                               double *dF_du, double *dF_dr) {
  const int block = use->kinematics->block;
  if (use->law->traction) return dls_jump_residual(use, u, r, F, dF_du, dF_dr);
  DLS_TRY(dls_law_ask_residual(use, u, r, F, dF_du, dF_dr));
  DLS_TRY(dls_law_check_finite(use, "residual", "F", F, block));
  if (dF_du) DLS_TRY(dls_law_check_finite(use, "residual", "dF_du", dF_du, block * block));
  if (dF_dr) DLS_TRY(dls_law_check_finite(use, "residual", "dF_dr", dF_dr, block * block));
  return DLS_OK;
}

static DlsStatus custom_residual(void *context, const double *u, const double *r, double *F,
                                 double *dF_du, double *dF_dr) {
  return dls_law_keep(context, &(DlsLawCall){.function = "residual", .u = u, .r = r},
                      call_residual(context, u, r, F, dF_du, dF_dr));
}

static DlsStatus call_solve(const DlsLawUse *use, const double *D, const double *q, double *r) {
  if (use->law->traction) return dls_jump_solve(use, D, q, r);
  DLS_TRY(dls_law_ask_solve(use, D, q, r));
  return dls_law_check_finite(use, "solve", "r", r, use->kinematics->block);
}

static DlsStatus custom_solve(void *context, const double *D, const double *q, double *r) {
  const DlsLawUse *use = context;
  double guess[DLS_MAX_BLOCK];
  memcpy(guess, r, (size_t)use->kinematics->block * sizeof *guess);
  return dls_law_keep(use, &(DlsLawCall){.function = "solve", .r = guess, .D = D, .q = q},
                      call_solve(use, D, q, r));
}

static DlsStatus call_project(const DlsLawUse *use, const double *u, double rho, double *r) {
  if (use->law->traction) return dls_jump_project(use, u, rho, r);
  DLS_TRY(dls_law_ask_project(use, u, rho, r));
  return dls_law_check_finite(use, "project", "r", r, use->kinematics->block);
}

static DlsStatus custom_project(void *context, const double *u, double rho, double *r) {
  const DlsLawUse *use = context;
  double before[DLS_MAX_BLOCK];
  memcpy(before, r, (size_t)use->kinematics->block * sizeof *before);
  return dls_law_keep(use, &(DlsLawCall){.function = "project", .u = u, .r = before, .rho = rho},
                      call_project(use, u, rho, r));
}

DlsStatus dls_law_custom(const DlsLawUse *use, DlsCustomRelation *out) {
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_law_check_use(use));
  if (!use->law->residual && !use->law->traction)
    FAIL(use, "it has no residual, so it is no custom law");
  out->law = use->law->name;
  out->context = (void *)(uintptr_t)use; /* only read, by the functions above */
  out->residual = custom_residual;
  out->solve = use->law->solve || use->law->traction ? custom_solve : NULL;
  out->project = use->law->project || use->law->traction ? custom_project : NULL;
  return DLS_OK;
}

DlsStatus dls_law_unsolved(const DlsLawUse *use, const double *D, const double *q,
                           const double *r) {
  dls_fail(DLS_ERR_LAW,
           "no reaction was found that satisfies its relation at gap %g m, q_N = %g "
           "m/s; neither by its own solve nor by Newton's method on its residual",
           use->kinematics->gap, q[0]);
  return dls_law_keep(use, &(DlsLawCall){.function = "relation", .r = r, .D = D, .q = q},
                      dls_law_blame(use));
}
