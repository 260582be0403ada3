/* One step of one contact: the laws' functions in the order in which a simulation calls them, and
 * the one-contact solve u = D r + q between. */
#include "law_bench/law_bench_impl.h"

#include <delassus/cone.h>

bool law_case_solves(const DlsLaw *law) { return law->prepare || law->traction || law->residual; }

bool law_case_forces(const DlsLaw *law) { return law->force || law->traction; }

const char *law_case_needs_relation(const DlsLaw *law) {
  return law_case_solves(law) ? NULL : "it has force only, no relation";
}

/* A law may refuse parameters that do not go together: DLS_ERR_LAW, where they were drawn. */
static LawCaseOutcome fault(LawCase *law_case, const LawCasePart *part, const char *function,
                            DlsStatus status, const char *sentence) {
  if (status == DLS_ERR_LAW && part->drawn) {
    law_case->bench.result->refused++;
    law_case_say(law_case, "%s refuses these parameters\n", function);
    return LAW_CASE_REFUSED;
  }
  law_case_broken(law_case, "%s of %s: %s", function, part->law->name, sentence);
  return LAW_CASE_BROKEN;
}

static LawCaseOutcome require_finite(LawCase *law_case, const LawCasePart *part,
                                     const char *function, const char *field, const double *x,
                                     int count) {
  for (int k = 0; k < count; k++)
    if (!isfinite(x[k])) {
      law_case_broken(law_case, "%s of %s gives %s[%d] = %g", function, part->law->name, field, k,
                      x[k]);
      return LAW_CASE_BROKEN;
    }
  return LAW_CASE_OK;
}

/* Turns t1 into the direction asked for, and everything in that frame along. */
static void turn_frame(LawCaseStep *step, const double wanted[3]) {
  DlsContact *c = &step->contact;
  const int n = c->block;
  double old[3][3], t1[3], T[DLS_MAX_BLOCK * DLS_MAX_BLOCK], x[DLS_MAX_BLOCK] = {0};
  const double along = dls_small_dot(3, wanted, c->frame[0]), whole = dls_small_norm(3, wanted);
  for (int k = 0; k < 3; k++) t1[k] = wanted[k] - along * c->frame[0][k];
  const double size = dls_small_norm(3, t1);
  if (!(size > 1e-9 * whole)) return;
  memcpy(old, c->frame, sizeof old);
  const double *normal = c->frame[0];
  for (int k = 0; k < 3; k++) c->frame[1][k] = t1[k] / size;
  for (int k = 0; k < 3; k++)
    c->frame[2][k] = normal[(k + 1) % 3] * c->frame[1][(k + 2) % 3] -
                     normal[(k + 2) % 3] * c->frame[1][(k + 1) % 3];
  law_case_change(c->dim, n, (const double(*)[3])old, (const double(*)[3])c->frame, 1, T);
  law_case_multiply(n, T, c->u_before, x);
  memcpy(c->u_before, x, (size_t)n * sizeof *x);
  law_case_multiply(n, T, step->q, x);
  memcpy(step->q, x, (size_t)n * sizeof *x);
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  memcpy(D, step->D, sizeof D);
  law_case_congruence(n, T, D, step->D);
}

LawCaseOutcome law_case_orient(LawCase *law_case, LawCaseStep *step) {
  for (int k = 0; k < step->parts && step->contact.dim == 3; k++) {
    const LawCasePart *part = &step->part[k];
    double t1[3] = {0, 0, 0};
    if (!part->law->orient) continue;
    const DlsStatus status = part->law->orient(law_case_told(step, k), part->params, t1);
    if (status != DLS_OK) return fault(law_case, part, "orient", status, dls_status_text(status));
    if (require_finite(law_case, part, "orient", "t1", t1, 3) != LAW_CASE_OK)
      return LAW_CASE_BROKEN;
    turn_frame(step, t1);
  }
  return LAW_CASE_OK;
}

static LawCaseOutcome check_bounds(LawCase *law_case, const LawCasePart *part,
                                   const char *function) {
  for (int i = 0; i < part->law->nstates; i++) {
    const DlsParam *s = &part->law->states[i];
    if (part->state[i] >= s->min && part->state[i] <= s->max && isfinite(part->state[i])) continue;
    if (!law_case->bounds) return LAW_CASE_REFUSED;
    law_case_broken(law_case, "%s of %s leaves the state %s = %g, not within %g and %g", function,
                    part->law->name, s->name, part->state[i], s->min, s->max);
    return LAW_CASE_BROKEN;
  }
  return LAW_CASE_OK;
}

LawCaseOutcome law_case_begin(LawCase *law_case, LawCaseStep *step) {
  for (int k = 0; k < step->parts; k++) {
    LawCasePart *part = &step->part[k];
    dls_law_new_state(part->law, part->state);
    if (!part->law->begin) continue;
    const DlsStatus status = part->law->begin(law_case_told(step, k), part->params, part->state);
    if (status != DLS_OK) return fault(law_case, part, "begin", status, dls_status_text(status));
    const LawCaseOutcome bounds = check_bounds(law_case, part, "begin");
    if (bounds != LAW_CASE_OK) return bounds;
  }
  return LAW_CASE_OK;
}

static LawCaseOutcome check_relation(LawCase *law_case, const LawCasePart *part,
                                     const DlsRelation *made, int block) {
  const double *const fields[] = {made->a, made->b, made->C, made->mu};
  static const char *const names[] = {"a", "b", "C", "mu"};
  for (int f = 0; f < 4; f++) {
    const int count = f == 3 ? DLS_MU_COUNT : block;
    if (require_finite(law_case, part, "prepare", names[f], fields[f], count) != LAW_CASE_OK)
      return LAW_CASE_BROKEN;
    for (int k = 0; k < count && f >= 2; k++)
      if (fields[f][k] < 0) {
        law_case_broken(law_case, "prepare of %s gives %s[%d] = %g, below zero", part->law->name,
                        names[f], k, fields[f][k]);
        return LAW_CASE_BROKEN;
      }
  }
  return LAW_CASE_OK;
}

LawCaseOutcome law_case_prepare(LawCase *law_case, LawCaseStep *step) {
  memset(&step->relation, 0, sizeof step->relation);
  for (int k = 0; k < step->parts; k++) {
    LawCasePart *part = &step->part[k];
    if (!part->law->prepare) {
      step->relation.cone = DLS_CONE_CUSTOM;
      continue;
    }
    const DlsStatus status =
        part->law->prepare(law_case_told(step, k), part->params, part->state, &step->relation);
    if (status != DLS_OK) return fault(law_case, part, "prepare", status, dls_status_text(status));
    const LawCaseOutcome made =
        check_relation(law_case, part, &step->relation, step->contact.block);
    if (made != LAW_CASE_OK) return made;
  }
  LawCasePart *last = &step->part[step->parts - 1];
  step->use = (DlsLawUse){.law = last->law,
                          .contact = 0,
                          .kinematics = law_case_told(step, step->parts - 1),
                          .params = last->params,
                          .state = last->state};
  if (step->relation.cone != DLS_CONE_CUSTOM) return LAW_CASE_OK;
  const DlsStatus status = dls_law_custom(&step->use, &step->custom);
  return status == DLS_OK ? LAW_CASE_OK
                          : fault(law_case, last, "residual", status, dls_error_message());
}

/* The standard form: û = (D + C) r̂ + q̂,  q̂ = q + b - (D + C) a. */
static void solve_canonical(LawCaseStep *step) {
  const int n = step->contact.block;
  const DlsRelation *relation = &step->relation;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK] = {0};
  memcpy(D, step->D, sizeof D);
  for (int k = 0; k < n; k++) D[k * (n + 1)] += relation->C[k];
  for (int k = 0; k < n; k++) {
    q[k] = step->q[k] + relation->b[k] - dls_small_dot(n, D + k * n, relation->a);
    step->r[k] = step->guess[k] + relation->a[k];
  }
  step->outcome = dls_local_solve(relation, step->contact.dim, n, NULL, D, q, step->r);
  for (int k = 0; k < n; k++) step->r[k] -= relation->a[k];
}

LawCaseOutcome law_case_answer(LawCase *law_case, LawCaseStep *step) {
  const int n = step->contact.block;
  const LawCaseOutcome prepared = law_case_prepare(law_case, step);
  if (prepared != LAW_CASE_OK) return prepared;
  if (step->relation.cone == DLS_CONE_CUSTOM) {
    memcpy(step->r, step->guess, sizeof step->r);
    step->outcome = dls_local_solve(&step->relation, step->contact.dim, n, &step->custom, step->D,
                                    step->q, step->r);
  } else {
    solve_canonical(step);
  }
  dls_small_affine(n, step->D, step->r, step->q, step->u);
  law_case_say_step(law_case, "step", step);
  const LawCasePart *part = &step->part[step->parts - 1];
  if (require_finite(law_case, part, "the answer", "r", step->r, n) != LAW_CASE_OK)
    return LAW_CASE_BROKEN;
  return require_finite(law_case, part, "the answer", "u", step->u, n);
}

/* Of a traction the core makes commit and force. */
static DlsLawUse use_of(LawCaseStep *step, int k) {
  LawCasePart *part = &step->part[k];
  return (DlsLawUse){.law = part->law,
                     .kinematics = law_case_told(step, k),
                     .params = part->params,
                     .state = part->state};
}

/* What the step adds to the surfaces, change [2][nsurfaces]. */
static LawCaseOutcome ask_surface(LawCase *law_case, LawCaseStep *step, int k, double *change) {
  LawCasePart *part = &step->part[k];
  const DlsLaw *law = part->law;
  memset(change, 0, 2 * (size_t)law->nsurfaces * sizeof *change);
  if (!law->surface) return LAW_CASE_OK;
  const DlsStatus status =
      law->surface(law_case_told(step, k), part->params, part->state, step->u, step->r, change);
  if (status != DLS_OK) return fault(law_case, part, "surface", status, dls_status_text(status));
  return require_finite(law_case, part, "surface", "change", change, 2 * law->nsurfaces);
}

/* Held within their bounds. */
static void add_to_surfaces(LawCasePart *part, const double *change) {
  const DlsLaw *law = part->law;
  for (int side = 0; side < 2; side++)
    for (int i = 0; i < law->nsurfaces; i++)
      part->surface[side][i] = fmin(
          fmax(part->surface[side][i] + change[side * law->nsurfaces + i], law->surfaces[i].min),
          law->surfaces[i].max);
}

static LawCaseOutcome commit_state(LawCase *law_case, LawCaseStep *step, int k) {
  LawCasePart *part = &step->part[k];
  if (part->law->nstates == 0 || !(part->law->commit || part->law->traction)) return LAW_CASE_OK;
  const DlsLawUse use = use_of(step, k);
  const DlsStatus status = part->law->traction ? dls_law_commit(&use, step->u, step->r, part->state)
                                               : part->law->commit(use.kinematics, part->params,
                                                                   step->u, step->r, part->state);
  if (status != DLS_OK)
    return fault(law_case, part, "commit", status,
                 part->law->traction ? dls_error_message() : dls_status_text(status));
  return check_bounds(law_case, part, "commit");
}

/* Both follow from the state and the surfaces that the step began with. */
LawCaseOutcome law_case_commit(LawCase *law_case, LawCaseStep *step) {
  for (int k = 0; k < step->parts; k++) {
    double change[2 * DLS_MAX_PARAMS];
    LawCaseOutcome outcome = ask_surface(law_case, step, k, change);
    if (outcome == LAW_CASE_OK) outcome = commit_state(law_case, step, k);
    if (outcome != LAW_CASE_OK) return outcome;
    add_to_surfaces(&step->part[k], change);
  }
  return LAW_CASE_OK;
}

LawCaseOutcome law_case_push(LawCase *law_case, LawCaseStep *step, const double *u, double *f) {
  const int last = step->parts - 1, n = step->contact.block;
  LawCasePart *part = &step->part[last];
  const DlsLawUse use = use_of(step, last);
  memset(f, 0, (size_t)n * sizeof *f);
  const DlsStatus status = part->law->traction
                               ? dls_law_force(&use, u, f)
                               : part->law->force(use.kinematics, part->params, part->state, u, f);
  if (status != DLS_OK)
    return fault(law_case, part, "force", status,
                 part->law->traction ? dls_error_message() : dls_status_text(status));
  return require_finite(law_case, part, "force", "force", f, n);
}

/* Spins count by their radius. */
double law_case_speed(const LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  double sum = fabs(c->gap_rate);
  for (int k = 0; k < c->block; k++) {
    const double arm = k < c->dim ? 1 : c->radius;
    sum += arm * (fabs(step->q[k]) + fabs(c->u_before[k]) + fabs(step->u[k]) +
                  fabs(step->u[k] - step->q[k]) +
                  step->D[k * (c->block + 1)] * fabs(step->relation.a[k]));
  }
  return sum;
}

double law_case_impulse(const LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  double sum = c->mass * law_case_speed(step);
  for (int k = 0; k < c->block; k++)
    sum += (fabs(step->r[k]) + fabs(step->relation.a[k])) / (k < c->dim ? 1 : c->radius);
  return sum;
}

void law_case_shifted(const LawCaseStep *step, double *u_hat) {
  for (int k = 0; k < step->contact.block; k++)
    u_hat[k] = step->u[k] + step->relation.b[k] + step->relation.C[k] * step->r[k];
}

/* The natural map of the pair that was found, from scratch. */
double law_case_relation_error(const LawCaseStep *step) {
  const int n = step->contact.block;
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK], q[DLS_MAX_BLOCK] = {0}, r[DLS_MAX_BLOCK] = {0};
  if (step->relation.cone == DLS_CONE_CUSTOM)
    return dls_local_error(&step->relation, step->contact.dim, n, &step->custom, step->D, step->q,
                           step->r);
  memcpy(D, step->D, sizeof D);
  for (int k = 0; k < n; k++) D[k * (n + 1)] += step->relation.C[k];
  for (int k = 0; k < n; k++) {
    q[k] = step->q[k] + step->relation.b[k] - dls_small_dot(n, D + k * n, step->relation.a);
    r[k] = step->r[k] + step->relation.a[k];
  }
  return dls_local_error(&step->relation, step->contact.dim, n, NULL, D, q, r);
}

bool law_case_also_solves(LawCaseStep *step, const double *r) {
  memcpy(step->r, r, (size_t)step->contact.block * sizeof *r);
  return law_case_relation_error(step) < 1e-6;
}
