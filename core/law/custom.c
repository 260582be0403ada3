/* A custom law as the functions that a problem wants: checked calls, whose context is the
 * DlsLawUse. */
#include <stdbool.h>
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

/* Rolling and torsion that laws behind a custom one add: components first to first + size of a
 * block, |r| <= length r_N against the spins. */
typedef struct {
  int first, size;
  double length;
} Disc;

static int discs_of(const DlsLawUse *use, Disc out[2]) {
  const DlsContact *c = use->kinematics;
  int count = 0;
  if (use->rolling > 0 && c->block > c->dim)
    out[count++] = (Disc){c->dim, c->dim == 2 ? 1 : 2, use->rolling};
  if (use->torsion > 0 && c->block == 6) out[count++] = (Disc){5, 1, use->torsion};
  return count;
}

/* r <- P_s(r - rho u), s = length r_N; returns |r - rho u|, z. */
static double onto_disc(const Disc *disc, double rho, double normal, const double *u,
                        const double *r, double *z, double *out) {
  const double s = disc->length * fmax(normal, 0);
  for (int i = 0; i < disc->size; i++) z[i] = r[disc->first + i] - rho * u[disc->first + i];
  const double size = dls_law_length(z, disc->size);
  for (int i = 0; i < disc->size; i++) out[i] = size > s ? s * z[i] / size : z[i];
  return size;
}

/* Rows of the spins: F = r - P_s(r - rho u). */
static void add_discs(const DlsLawUse *use, const double *u, const double *r, double *F,
                      double *dF_du, double *dF_dr) {
  const DlsContact *c = use->kinematics;
  const int n = c->block;
  const double l = dls_law_spin_length(c), rho = (c->mass > 0 ? c->mass : 1) * l * l;
  Disc discs[2];
  for (int k = discs_of(use, discs) - 1; k >= 0; k--) {
    const Disc *disc = &discs[k];
    double z[2], at[2];
    const double size = onto_disc(disc, rho, r[0], u, r, z, at), s = disc->length * fmax(r[0], 0);
    for (int i = 0; i < disc->size; i++) {
      const int row = disc->first + i;
      F[row] = r[row] - at[i];
      if (!dF_du || !dF_dr) continue;
      memset(dF_du + row * n, 0, (size_t)n * sizeof *dF_du);
      memset(dF_dr + row * n, 0, (size_t)n * sizeof *dF_dr);
      for (int j = 0; j < disc->size; j++) {
        const double same = i == j;
        const double P =
            size > s ? s / size * (same - z[i] * z[j] / (size * size)) : same; /* dP/dz */
        dF_dr[row * n + disc->first + j] = same - P;
        dF_du[row * n + disc->first + j] = rho * P;
      }
      if (size > s && r[0] > 0) dF_dr[row * n] = -disc->length * z[i] / size;
    }
  }
}

static DlsStatus custom_residual(void *context, const double *u, const double *r, double *F,
                                 double *dF_du, double *dF_dr) {
  const DlsStatus status =
      dls_law_keep(context, &(DlsLawCall){.function = "residual", .u = u, .r = r},
                   call_residual(context, u, r, F, dF_du, dF_dr));
  if (status == DLS_OK) add_discs(context, u, r, F, dF_du, dF_dr);
  return status;
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
  Disc discs[2];
  memcpy(before, r, (size_t)use->kinematics->block * sizeof *before);
  const DlsStatus status =
      dls_law_keep(use, &(DlsLawCall){.function = "project", .u = u, .r = before, .rho = rho},
                   call_project(use, u, rho, r));
  for (int k = discs_of(use, discs) - 1; k >= 0 && status == DLS_OK; k--) {
    double z[2];
    onto_disc(&discs[k], rho, r[0], u, before, z, r + discs[k].first);
  }
  return status;
}

DlsStatus dls_law_custom(const DlsLawUse *use, DlsCustomRelation *out) {
  memset(out, 0, sizeof *out);
  DLS_TRY(dls_law_check_use(use));
  if (!use->law->residual && !use->law->traction)
    FAIL(use, "it has no residual, so it is no custom law");
  out->law = use->law->name;
  out->context = (void *)(uintptr_t)use; /* only read, by the functions above */
  out->residual = custom_residual;
  Disc discs[2]; /* the law's own solve knows nothing of them */
  const bool alone = discs_of(use, discs) == 0;
  out->solve = alone && (use->law->solve || use->law->traction) ? custom_solve : NULL;
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
