/* One step of one contact: the laws' functions in the order in which a simulation calls them, and
 * the one-contact solve u = D r + q between. */
#include "trial/trial_impl.h"

#include <delassus/cone.h>

bool trial_solves(const DlsLaw *law) { return law->prepare || law->residual; }

const char *trial_needs_relation(const DlsLaw *law) {
  return trial_solves(law) ? NULL : "it has force only, no relation";
}

/* A law may refuse parameters that do not go together: DLS_ERR_LAW, where they were drawn. */
static TrialOutcome fault(Trial *trial, const TrialPart *part, const char *function,
                          DlsStatus status, const char *sentence) {
  if (status == DLS_ERR_LAW && part->drawn) {
    trial->result->refused++;
    trial_say(trial, "%s refuses these parameters\n", function);
    return TRIAL_REFUSED;
  }
  trial_broken(trial, "%s of %s: %s", function, part->law->name, sentence);
  return TRIAL_BROKEN;
}

static TrialOutcome require_finite(Trial *trial, const TrialPart *part, const char *function,
                                   const char *field, const double *x, int count) {
  for (int k = 0; k < count; k++)
    if (!isfinite(x[k])) {
      trial_broken(trial, "%s of %s gives %s[%d] = %g", function, part->law->name, field, k, x[k]);
      return TRIAL_BROKEN;
    }
  return TRIAL_OK;
}

/* Turns t1 into the direction asked for, and everything in that frame along. */
static void turn_frame(TrialStep *step, const double wanted[3]) {
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
  trial_change(c->dim, n, (const double(*)[3])old, (const double(*)[3])c->frame, 1, T);
  trial_multiply(n, T, c->u_before, x);
  memcpy(c->u_before, x, (size_t)n * sizeof *x);
  trial_multiply(n, T, step->q, x);
  memcpy(step->q, x, (size_t)n * sizeof *x);
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK];
  memcpy(D, step->D, sizeof D);
  trial_congruence(n, T, D, step->D);
}

TrialOutcome trial_orient(Trial *trial, TrialStep *step) {
  for (int k = 0; k < step->parts && step->contact.dim == 3; k++) {
    const TrialPart *part = &step->part[k];
    double t1[3] = {0, 0, 0};
    if (!part->law->orient) continue;
    const DlsStatus status = part->law->orient(&step->contact, part->params, t1);
    if (status != DLS_OK) return fault(trial, part, "orient", status, dls_status_text(status));
    if (require_finite(trial, part, "orient", "t1", t1, 3) != TRIAL_OK) return TRIAL_BROKEN;
    turn_frame(step, t1);
  }
  return TRIAL_OK;
}

static TrialOutcome check_bounds(Trial *trial, const TrialPart *part, const char *function) {
  for (int i = 0; i < part->law->nstates; i++) {
    const DlsParam *s = &part->law->states[i];
    if (part->state[i] >= s->min && part->state[i] <= s->max && isfinite(part->state[i])) continue;
    if (!trial->bounds) return TRIAL_REFUSED;
    trial_broken(trial, "%s of %s leaves the state %s = %g, not within %g and %g", function,
                 part->law->name, s->name, part->state[i], s->min, s->max);
    return TRIAL_BROKEN;
  }
  return TRIAL_OK;
}

TrialOutcome trial_begin(Trial *trial, TrialStep *step) {
  for (int k = 0; k < step->parts; k++) {
    TrialPart *part = &step->part[k];
    dls_law_new_state(part->law, part->state);
    if (!part->law->begin) continue;
    const DlsStatus status = part->law->begin(&step->contact, part->params, part->state);
    if (status != DLS_OK) return fault(trial, part, "begin", status, dls_status_text(status));
    const TrialOutcome bounds = check_bounds(trial, part, "begin");
    if (bounds != TRIAL_OK) return bounds;
  }
  return TRIAL_OK;
}

static TrialOutcome check_relation(Trial *trial, const TrialPart *part, const DlsRelation *made,
                                   int block) {
  const double *const fields[] = {made->a, made->b, made->C, made->mu};
  static const char *const names[] = {"a", "b", "C", "mu"};
  for (int f = 0; f < 4; f++) {
    const int count = f == 3 ? DLS_MU_COUNT : block;
    if (require_finite(trial, part, "prepare", names[f], fields[f], count) != TRIAL_OK)
      return TRIAL_BROKEN;
    for (int k = 0; k < count && f >= 2; k++)
      if (fields[f][k] < 0) {
        trial_broken(trial, "prepare of %s gives %s[%d] = %g, below zero", part->law->name,
                     names[f], k, fields[f][k]);
        return TRIAL_BROKEN;
      }
  }
  return TRIAL_OK;
}

TrialOutcome trial_prepare(Trial *trial, TrialStep *step) {
  memset(&step->relation, 0, sizeof step->relation);
  for (int k = 0; k < step->parts; k++) {
    TrialPart *part = &step->part[k];
    if (!part->law->prepare) {
      step->relation.cone = DLS_CONE_CUSTOM;
      continue;
    }
    const DlsStatus status =
        part->law->prepare(&step->contact, part->params, part->state, &step->relation);
    if (status != DLS_OK) return fault(trial, part, "prepare", status, dls_status_text(status));
    const TrialOutcome made = check_relation(trial, part, &step->relation, step->contact.block);
    if (made != TRIAL_OK) return made;
  }
  TrialPart *last = &step->part[step->parts - 1];
  step->use = (DlsLawUse){.law = last->law,
                          .contact = 0,
                          .kinematics = &step->contact,
                          .params = last->params,
                          .state = last->state};
  if (step->relation.cone != DLS_CONE_CUSTOM) return TRIAL_OK;
  const DlsStatus status = dls_law_custom(&step->use, &step->custom);
  return status == DLS_OK ? TRIAL_OK : fault(trial, last, "residual", status, dls_error_message());
}

/* The standard form: û = (D + C) r̂ + q̂,  q̂ = q + b - (D + C) a. */
static void solve_canonical(TrialStep *step) {
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

TrialOutcome trial_answer(Trial *trial, TrialStep *step) {
  const int n = step->contact.block;
  const TrialOutcome prepared = trial_prepare(trial, step);
  if (prepared != TRIAL_OK) return prepared;
  if (step->relation.cone == DLS_CONE_CUSTOM) {
    memcpy(step->r, step->guess, sizeof step->r);
    step->outcome = dls_local_solve(&step->relation, step->contact.dim, n, &step->custom, step->D,
                                    step->q, step->r);
  } else {
    solve_canonical(step);
  }
  dls_small_affine(n, step->D, step->r, step->q, step->u);
  trial_say_step(trial, "step", step);
  const TrialPart *part = &step->part[step->parts - 1];
  if (require_finite(trial, part, "the answer", "r", step->r, n) != TRIAL_OK) return TRIAL_BROKEN;
  return require_finite(trial, part, "the answer", "u", step->u, n);
}

TrialOutcome trial_commit(Trial *trial, TrialStep *step) {
  for (int k = 0; k < step->parts; k++) {
    TrialPart *part = &step->part[k];
    if (!part->law->commit) continue;
    const DlsStatus status =
        part->law->commit(&step->contact, part->params, step->u, step->r, part->state);
    if (status != DLS_OK) return fault(trial, part, "commit", status, dls_status_text(status));
    const TrialOutcome bounds = check_bounds(trial, part, "commit");
    if (bounds != TRIAL_OK) return bounds;
  }
  return TRIAL_OK;
}

/* Spins count by their radius. */
double trial_speed(const TrialStep *step) {
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

double trial_impulse(const TrialStep *step) {
  const DlsContact *c = &step->contact;
  double sum = c->mass * trial_speed(step);
  for (int k = 0; k < c->block; k++)
    sum += (fabs(step->r[k]) + fabs(step->relation.a[k])) / (k < c->dim ? 1 : c->radius);
  return sum;
}

void trial_shifted(const TrialStep *step, double *u_hat) {
  for (int k = 0; k < step->contact.block; k++)
    u_hat[k] = step->u[k] + step->relation.b[k] + step->relation.C[k] * step->r[k];
}

/* The natural map of the pair that was found, from scratch. */
double trial_relation_error(const TrialStep *step) {
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

bool trial_also_solves(TrialStep *step, const double *r) {
  memcpy(step->r, r, (size_t)step->contact.block * sizeof *r);
  return trial_relation_error(step) < 1e-6;
}
