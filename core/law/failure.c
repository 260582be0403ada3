#include "law/failure.h"

#include <delassus/local.h>

#include <stdio.h>
#include <string.h>

#include "base/guard.h"
#include "base/plugin.h"
#include "law/law_impl.h"

/* Beside the sentence of the thread, of which it is the long form. */
static _Thread_local DlsLawFailure last;
static _Thread_local bool there;
static _Thread_local int kept_death; /* the death that it tells; 0: none */

static void copy(const double *from, int count, double *to) {
  if (from) memcpy(to, from, (size_t)count * sizeof *to);
}

/* The tables that a use was told of, with their numbers. */
static void copy_tables(const DlsLawUse *use, DlsLawFailure *to) {
  const DlsLawTable *from = use->kinematics->tables;
  size_t used = 0;
  for (int k = 0; from && k < dls_law_count_tables(use) && k < DLS_MAX_TABLES; k++) {
    const size_t rows = from[k].rows > 0 ? (size_t)from[k].rows : 0;
    if (used + 2 * rows > DLS_COUNT(to->rows)) return;
    to->table[k] = (DlsLawTable){.rows = from[k].rows, .beyond = from[k].beyond};
    copy(from[k].x, (int)rows, to->rows + used);
    copy(from[k].y, (int)rows, to->rows + used + rows);
    used += 2 * rows;
  }
}

DlsStatus dls_law_keep_failure(const DlsLawUse *use, const DlsLawCall *call, DlsStatus status) {
  if (dls_guard.dead && dls_guard.dead == kept_death) return status; /* later ones are refusals */
  kept_death = dls_guard.dead;
  const int block = use->kinematics->block;
  there = block >= 2 && block <= DLS_MAX_BLOCK;
  if (!there) return status; /* no contact that a law can be asked about */
  last = (DlsLawFailure){.law = {use->law},
                         .contact = use->contact,
                         .forces = use->forces != 0,
                         .kinematics = *use->kinematics,
                         .rho = call->rho};
  for (int k = 0; use->then && use->then[k] && k + 1 < DLS_MAX_LAWS; k++)
    last.law[k + 1] = use->then[k];
  snprintf(last.function, sizeof last.function, "%s", call->function);
  snprintf(last.sentence, sizeof last.sentence, "%s", dls_error_message());
  copy(use->params, dls_law_count_params(use), last.params);
  copy(call->state ? call->state : use->state, dls_law_count_states(use), last.state);
  for (int side = 0; side < 2; side++) {
    const char *material = use->kinematics->material[side];
    copy(use->kinematics->fields[side], dls_law_count_fields(use), last.fields[side]);
    copy(use->kinematics->surface[side], dls_law_count_surfaces(use), last.surface[side]);
    snprintf(last.material[side], sizeof last.material[side], "%s", material ? material : "");
  }
  copy_tables(use, &last);
  copy(call->u, block, last.u);
  copy(call->r, block, last.r);
  copy(call->D, block * block, last.D);
  copy(call->q, block, last.q);
  last.local = call->D && call->q;
  return status;
}

bool dls_law_failure_last(DlsLawFailure *out) {
  const char *message = dls_error_message();
  const size_t length = strlen(message), own = strlen(last.sentence);
  if (!there || own > length || strcmp(message + length - own, last.sentence) != 0) return false;
  *out = last;
  return true;
}

bool dls_law_failure_load(DlsLawFailure *out) {
  const DlsPluginDeath *death = dls_plugin_death(dls_law_kind());
  if (!death) return false;
  *out = (DlsLawFailure){.contact = -1, .kinematics = dls_contact_default(3)};
  snprintf(out->function, sizeof out->function, "%.15s", death->function);
  snprintf(out->sentence, sizeof out->sentence, "%s", death->sentence);
  snprintf(out->file, sizeof out->file, "%s", death->path);
  return true;
}

bool dls_law_failure_is_load(const DlsLawFailure *f) {
  static const char *const functions[] = {"constructor", "dls_law_entry", "destructor"};
  for (int k = 0; k < DLS_COUNT(functions); k++)
    if (strcmp(f->function, functions[k]) == 0) return true;
  return false;
}

DlsLawUse dls_law_failure_use(DlsLawFailure *f) {
  const DlsLawUse use = {.law = f->law[0],
                         .contact = f->contact,
                         .kinematics = &f->kinematics,
                         .params = f->params,
                         .state = f->state,
                         .then = f->law + 1,
                         .forces = f->forces};
  for (int side = 0; side < 2; side++) {
    f->kinematics.fields[side] = dls_law_count_fields(&use) ? f->fields[side] : NULL;
    f->kinematics.surface[side] = dls_law_count_surfaces(&use) ? f->surface[side] : NULL;
    f->kinematics.material[side] = f->material[side][0] ? f->material[side] : NULL;
  }
  const double *rows = f->rows;
  for (int k = 0; k < DLS_MAX_TABLES; k++) {
    f->table[k].x = rows;
    f->table[k].y = rows + f->table[k].rows;
    rows += 2 * f->table[k].rows;
  }
  f->kinematics.tables = dls_law_count_tables(&use) ? f->table : NULL;
  return use;
}

static DlsStatus repeat_custom(const DlsLawFailure *f, const DlsLawUse *use) {
  const int block = f->kinematics.block;
  double F[DLS_MAX_BLOCK], dF_du[DLS_MAX_BLOCK * DLS_MAX_BLOCK],
      dF_dr[DLS_MAX_BLOCK * DLS_MAX_BLOCK], r[DLS_MAX_BLOCK];
  DlsRelation relation;
  DlsCustomRelation custom;
  memcpy(r, f->r, sizeof r);
  DLS_TRY(dls_law_prepare(use, &relation));
  DLS_TRY(dls_law_custom(use, &custom));
  if (strcmp(f->function, "residual") == 0)
    return custom.residual(custom.context, f->u, f->r, F, dF_du, dF_dr);
  if (strcmp(f->function, "project") == 0 && custom.project)
    return custom.project(custom.context, f->u, f->rho, r);
  if (strcmp(f->function, "solve") == 0 && custom.solve)
    return custom.solve(custom.context, f->D, f->q, r);
  DLS_CHECK(strcmp(f->function, "relation") == 0, DLS_ERR_ARGUMENT,
            "the failure of '%s' cannot be repeated: contact law '%s' has no such function",
            f->function, use->law->name);
  const DlsLocalOutcome outcome =
      dls_local_solve(&relation, f->kinematics.dim, block, &custom, f->D, f->q, r);
  if (outcome == DLS_LOCAL_FAILED) return DLS_ERR_LAW;
  return outcome == DLS_LOCAL_NONE ? dls_law_unsolved(use, f->D, f->q, r) : DLS_OK;
}

DlsStatus dls_law_failure_repeat(DlsLawFailure *f) {
  const DlsLawUse use = dls_law_failure_use(f);
  double state[DLS_MAX_PARAMS], numbers[DLS_MAX_BLOCK] = {0}, stored, dissipated, limit = NAN;
  double change[2 * DLS_MAX_PARAMS], outputs[DLS_MAX_PARAMS];
  int word;
  DlsRelation relation;
  memcpy(state, f->state, sizeof state);
  if (dls_law_failure_is_load(f)) return dls_law_load(f->file, &f->law[0]);
  if (strcmp(f->function, "range") == 0) {
    const DlsPair pair = dls_law_pair(&f->kinematics);
    return dls_law_range(&use, &pair, numbers);
  }
  if (strcmp(f->function, "orient") == 0) return dls_law_orient(&use, numbers);
  if (strcmp(f->function, "begin") == 0) return dls_law_begin(&use, state);
  if (strcmp(f->function, "prepare") == 0) return dls_law_prepare(&use, &relation);
  if (strcmp(f->function, "force") == 0) return dls_law_force(&use, f->u, numbers);
  if (strcmp(f->function, "commit") == 0) return dls_law_commit(&use, f->u, f->r, state);
  if (strcmp(f->function, "energy") == 0)
    return dls_law_energy(&use, f->u, f->r, &stored, &dissipated);
  if (strcmp(f->function, "surface") == 0) return dls_law_surface(&use, f->u, f->r, change);
  if (strcmp(f->function, "report") == 0)
    return dls_law_report(&use, f->u, f->r, &word, &limit, outputs);
  return repeat_custom(f, &use);
}
