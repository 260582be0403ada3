/* Checked calls of a law's functions: whatever a law does wrong ends here, with a sentence that
 * names the law, the contact and the number. */
#include <delassus/laws.h>

#include <string.h>

#define FAIL(use, ...)                                                                             \
  return (dls_fail(DLS_ERR_LAW, __VA_ARGS__),                                                      \
          dls_fail_context(DLS_ERR_LAW, "contact law '%s', contact %d", (use)->law->name,          \
                           (use)->contact))

int dls_law_serves(const DlsLaw *law, int block) {
  if (block != 2 && block != 3 && block != 5 && block != 6) return 0;
  return law->blocks == 0 || (law->blocks & DLS_BLOCK(block)) != 0;
}

static DlsStatus check_use(const DlsLawUse *use) {
  const DlsContact *c = use->kinematics;
  if (c->dim != 2 && c->dim != 3) FAIL(use, "space has %d dimensions, not 2 or 3", c->dim);
  if (!dls_law_serves(use->law, c->block) || c->block < c->dim)
    FAIL(use, "it does not serve blocks of %d components in %d dimensions", c->block, c->dim);
  if (!(c->h > 0) || !isfinite(c->h)) FAIL(use, "the time-step is %g s", c->h);
  return DLS_OK;
}

static DlsStatus check_status(const DlsLawUse *use, const char *function, DlsStatus status) {
  if (status != DLS_OK)
    FAIL(use, "%s failed at t = %g s, gap %g m, with status %d (%s)", function,
         use->kinematics->time, use->kinematics->gap, (int)status, dls_status_text(status));
  return DLS_OK;
}

static DlsStatus check_finite(const DlsLawUse *use, const char *function, const char *field,
                              const double *x, int count) {
  for (int i = 0; i < count; i++)
    if (!isfinite(x[i])) FAIL(use, "%s gives %s[%d] = %g", function, field, i, x[i]);
  return DLS_OK;
}

static DlsStatus check_not_negative(const DlsLawUse *use, const char *field, const double *x,
                                    int count) {
  for (int i = 0; i < count; i++)
    if (x[i] < 0) FAIL(use, "prepare gives %s[%d] = %g, below zero", field, i, x[i]);
  return DLS_OK;
}

static DlsStatus check_custom(const DlsLawUse *use, const DlsRelation *relation) {
  if (!use->law->residual) FAIL(use, "prepare gives the cone CUSTOM, but the law has no residual");
  for (int i = 0; i < use->kinematics->block; i++)
    if (relation->a[i] != 0 || relation->b[i] != 0 || relation->C[i] != 0)
      FAIL(use, "prepare gives the cone CUSTOM together with a, b or C[%d]; put them into residual",
           i);
  return DLS_OK;
}

static DlsStatus check_relation(const DlsLawUse *use, const DlsRelation *relation) {
  const int block = use->kinematics->block, cone = (int)relation->cone;
  if (cone < 0 || cone >= DLS_CONE_COUNT) FAIL(use, "prepare gives the cone %d, not known", cone);
  DLS_TRY(check_finite(use, "prepare", "b", relation->b, block));
  DLS_TRY(check_finite(use, "prepare", "a", relation->a, block));
  DLS_TRY(check_finite(use, "prepare", "C", relation->C, block));
  DLS_TRY(check_finite(use, "prepare", "mu", relation->mu, DLS_MU_COUNT));
  DLS_TRY(check_not_negative(use, "C", relation->C, block));
  DLS_TRY(check_not_negative(use, "mu", relation->mu, DLS_MU_COUNT));
  if (relation->cone == DLS_CONE_ROLLING && block <= use->kinematics->dim)
    FAIL(use, "prepare gives the cone ROLLING for a block of %d, which has no rolling component",
         block);
  return relation->cone == DLS_CONE_CUSTOM ? check_custom(use, relation) : DLS_OK;
}

DlsStatus dls_law_prepare(const DlsLawUse *use, DlsRelation *out) {
  memset(out, 0, sizeof *out);
  DLS_TRY(check_use(use));
  out->cone = DLS_CONE_CUSTOM;
  if (!use->law->prepare) return DLS_OK;
  out->cone = DLS_CONE_FREE;
  DLS_TRY(check_status(use, "prepare",
                       use->law->prepare(use->kinematics, use->params, use->state, out)));
  return check_relation(use, out);
}

/* The three functions of a DlsCustomRelation; their context is the DlsLawUse. */
static DlsStatus custom_residual(void *context, const double *u, const double *r, double *F,
                                 double *dF_du, double *dF_dr) {
  const DlsLawUse *use = context;
  const int block = use->kinematics->block;
  DLS_TRY(check_status(
      use, "residual",
      use->law->residual(use->kinematics, use->params, use->state, u, r, F, dF_du, dF_dr)));
  DLS_TRY(check_finite(use, "residual", "F", F, block));
  if (dF_du) DLS_TRY(check_finite(use, "residual", "dF_du", dF_du, block * block));
  if (dF_dr) DLS_TRY(check_finite(use, "residual", "dF_dr", dF_dr, block * block));
  return DLS_OK;
}

static DlsStatus custom_solve(void *context, const double *D, const double *q, double *r) {
  const DlsLawUse *use = context;
  DLS_TRY(check_status(use, "solve",
                       use->law->solve(use->kinematics, use->params, use->state, D, q, r)));
  return check_finite(use, "solve", "r", r, use->kinematics->block);
}

static DlsStatus custom_project(void *context, const double *u, double rho, double *r) {
  const DlsLawUse *use = context;
  DLS_TRY(check_status(use, "project",
                       use->law->project(use->kinematics, use->params, use->state, u, rho, r)));
  return check_finite(use, "project", "r", r, use->kinematics->block);
}

DlsStatus dls_law_custom(const DlsLawUse *use, DlsCustomRelation *out) {
  memset(out, 0, sizeof *out);
  DLS_TRY(check_use(use));
  if (!use->law->residual) FAIL(use, "it has no residual, so it is no custom law");
  out->law = use->law->name;
  out->context = (void *)(uintptr_t)use; /* only read, by the functions above */
  out->residual = custom_residual;
  out->solve = use->law->solve ? custom_solve : NULL;
  out->project = use->law->project ? custom_project : NULL;
  return DLS_OK;
}

DlsStatus dls_law_commit(const DlsLawUse *use, const double *u, const double *r, double *state) {
  const DlsLaw *law = use->law;
  if (!law->commit || law->nstates == 0) return DLS_OK;
  double new[DLS_MAX_PARAMS];
  memcpy(new, state, sizeof *new *(size_t)law->nstates);
  DLS_TRY(check_status(use, "commit", law->commit(use->kinematics, use->params, u, r, new)));
  for (int i = 0; i < law->nstates; i++) {
    const DlsParam *s = &law->states[i];
    if (!isfinite(new[i])) FAIL(use, "commit gives the state %s = %g", s->name, new[i]);
    if (new[i] < s->min || new[i] > s->max)
      FAIL(use, "commit gives the state %s = %g, not within its bounds %g and %g", s->name, new[i],
           s->min, s->max);
  }
  memcpy(state, new, sizeof *new *(size_t)law->nstates);
  return DLS_OK;
}

DlsStatus dls_law_energy(const DlsLawUse *use, const double *u, const double *r, double *stored,
                         double *dissipated) {
  double energy[2] = {0, 0};
  *stored = *dissipated = 0;
  if (!use->law->energy) return DLS_OK;
  DLS_TRY(check_status(
      use, "energy",
      use->law->energy(use->kinematics, use->params, use->state, u, r, &energy[0], &energy[1])));
  if (!isfinite(energy[0])) FAIL(use, "energy gives %g J stored", energy[0]);
  if (!isfinite(energy[1])) FAIL(use, "energy gives %g J dissipated", energy[1]);
  *stored = energy[0];
  *dissipated = energy[1];
  return DLS_OK;
}
