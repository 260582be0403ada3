/* Dimensions: in other units of mass, length and time the same contact gives the same answer. Every
 * number of the contact is changed by its dimension, every parameter by that of its unit; what
 * comes out must have changed as N s. A forgotten h, a force taken for an impulse, a residual in
 * m/s do not. */
#include "law_bench/law_bench_impl.h"

#include "deck/expression.h"
#include "deck/units.h"

#include <stdio.h>

typedef struct {
  double mass, length, time;
} Scale;

static double factor(const Scale *scale, double kg, double m, double s) {
  return pow(scale->mass, kg) * pow(scale->length, m) * pow(scale->time, s);
}

/* An exponent in the law's own parameters: "exponent", "((exponent+1)/2)". */
static bool read_exponent(const DlsLaw *law, const double *params, const char *text, double *out) {
  char names[DLS_EXPRESSION_BYTES] = "";
  DlsExpression *expression = NULL;
  if (law->nparams > DLS_EXPRESSION_VARIABLES) return false;
  for (int i = 0; i < law->nparams; i++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", i ? "|" : "", law->params[i].name);
  }
  if (dls_expression_create(text, names, &expression) != DLS_OK) return false;
  *out = dls_expression_at(expression, params);
  dls_expression_destroy(&expression);
  return isfinite(*out);
}

/* The powers of kg, m and s in a unit, which may end in an exponent of parameters:
 * "N/m^exponent". */
static bool read_unit(const DlsLaw *law, const double *params, const char *text, double power[3]) {
  char head[64], base[32], name[32];
  DlsUnit unit, tail;
  if (dls_unit_parse(text, &unit) == DLS_OK) {
    for (int k = 0; k < 3; k++) power[k] = unit.power[k]; /* kg, m, s come first */
    return true;
  }
  if (sscanf(text, "%63[^/]/%31[^^]^%31s", head, base, name) != 3) return false;
  if (dls_unit_parse(head, &unit) != DLS_OK || dls_unit_parse(base, &tail) != DLS_OK) return false;
  double exponent;
  if (!read_exponent(law, params, name, &exponent)) return false;
  for (int k = 0; k < 3; k++) power[k] = unit.power[k] - exponent * tail.power[k];
  return true;
}

static void scale_params(const Scale *scale, LawCasePart *part) {
  double scaled[DLS_MAX_PARAMS], power[3];
  for (int i = 0; i < part->law->nparams; i++) {
    scaled[i] = part->params[i];
    if (read_unit(part->law, part->params, part->law->params[i].unit, power))
      scaled[i] *= factor(scale, power[0], power[1], power[2]);
  }
  memcpy(part->params, scaled, (size_t)part->law->nparams * sizeof *scaled);
}

/* Velocities m/s and 1/s, of `block` components. */
static void scale_velocity(const Scale *scale, int dim, int block, double *u) {
  for (int k = 0; k < block; k++) u[k] *= factor(scale, 0, k < dim ? 1 : 0, -1);
}

static void scale_path(const Scale *scale, LawCasePath *path) {
  LawCaseStep *start = &path->start;
  DlsContact *c = &start->contact;
  const int n = c->block;
  for (int k = 0; k < start->parts; k++) scale_params(scale, &start->part[k]);
  c->time *= scale->time;
  c->h *= scale->time;
  c->gap *= scale->length;
  c->gap_rate *= scale->length / scale->time;
  c->radius *= scale->length;
  c->mass *= scale->mass;
  scale_velocity(scale, c->dim, n, c->u_before);
  for (int k = 0; k < path->steps; k++) scale_velocity(scale, c->dim, n, path->push[k]);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      start->D[i * n + j] *= factor(scale, -1, (i < c->dim ? 0 : -1) + (j < c->dim ? 0 : -1), 0);
}

/* One step in both units; false where the path ends. */
static bool compare(LawCase *law_case, const Scale *scale, int step, LawCaseWalk *walk,
                    const LawCasePoint *here, const LawCasePoint *there) {
  const DlsContact *c = &walk->step.contact;
  const double back = factor(scale, 1, 1, -1), joule = factor(scale, 1, 2, -2);
  double error = 0, r[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < c->block; i++) {
    const bool spin = i >= c->dim;
    r[i] = there->r[i] / (back * (spin ? scale->length : 1));
    error = hypot(error, (r[i] - here->r[i]) / (spin ? c->radius : 1));
  }
  const double tolerance = 1e-5 * here->impulse + 1e-300;
  const double stored = there->stored / joule, missing = fabs(stored - here->stored);
  const double joules = 1e-5 * (here->impulse * here->speed + fabs(here->stored)) + 1e-300;
  if (error > tolerance && law_case_walk_solves(walk, r)) return false; /* several solutions */
  if ((error > tolerance || missing > joules) &&
      law_case_path_is_sensitive(law_case, walk->path, walk->by_force, step - 1, here))
    return false;
  law_case_judge(law_case, error, tolerance,
                 "in units of mass, length and time changed by %.3g, %.3g, %.3g, step %d gives r = "
                 "(%.6g, %.6g, ...) N s, not (%.6g, %.6g, ...)",
                 scale->mass, scale->length, scale->time, step, r[0], r[1], here->r[0], here->r[1]);
  law_case_judge(law_case, missing, joules, "in other units step %d stores %.6g J, not %.6g", step,
                 stored, here->stored);
  return error <= tolerance;
}

/* F of a custom law is an impulse, also where it is not zero. The points lie off the solutions. */
static void judge_residual(LawCase *law_case, const Scale *scale, LawCaseStep *here,
                           LawCaseStep *there) {
  const DlsContact *c = &here->contact;
  const int n = c->block;
  const double speed = law_case_speed(here), impulse = c->mass * speed,
               back = factor(scale, 1, 1, -1);
  double u[DLS_MAX_BLOCK], r[DLS_MAX_BLOCK], F[DLS_MAX_BLOCK], scaled[DLS_MAX_BLOCK], error = 0;
  if (law_case_prepare(law_case, here) != LAW_CASE_OK ||
      law_case_prepare(law_case, there) != LAW_CASE_OK)
    return;
  if (here->relation.cone != DLS_CONE_CUSTOM || there->relation.cone != DLS_CONE_CUSTOM) return;
  law_case_draw_vector(&law_case->bench.random, c->dim, n, speed, c->radius, u);
  law_case_draw_vector(&law_case->bench.random, c->dim, n, impulse, 1 / c->radius, r);
  if (here->custom.residual(here->custom.context, u, r, F, NULL, NULL) != DLS_OK) return;
  scale_velocity(scale, c->dim, n, u);
  for (int k = 0; k < n; k++) r[k] *= back * (k < c->dim ? 1 : scale->length);
  if (there->custom.residual(there->custom.context, u, r, scaled, NULL, NULL) != DLS_OK) return;
  double size = impulse;
  for (int k = 0; k < c->dim; k++) {
    error = fmax(error, fabs(scaled[k] / back - F[k]));
    size = fmax(size, fabs(F[k]));
  }
  law_case_judge(
      law_case, error, 1e-6 * size + 1e-300,
      "in units of mass, length and time changed by %.3g, %.3g, %.3g, F_N is %.6g N s, not "
      "%.6g",
      scale->mass, scale->length, scale->time, scaled[0] / back, F[0]);
}

static void run_units(LawCase *law_case) {
  LawCasePath path, scaled;
  LawCaseWalk walk, other;
  LawCasePoint here, there;
  const bool by_force = !law_case_solves(law_case->law);
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  const Scale scale = {law_case_log_uniform(&law_case->bench.random, -1, 1),
                       law_case_log_uniform(&law_case->bench.random, -1, 1),
                       law_case_log_uniform(&law_case->bench.random, -1, 1)};
  scaled = path;
  scale_path(&scale, &scaled);
  law_case_walk_begin(&path, (LawCaseView){0}, by_force, &walk);
  law_case_walk_begin(&scaled, (LawCaseView){0}, by_force, &other);
  law_case_say(law_case, "each step in SI, then in units of 1/%g kg, 1/%g m, 1/%g s\n", scale.mass,
               scale.length, scale.time);
  for (int k = 0; k < path.steps; k++) {
    if (law_case_walk_on(law_case, &walk, &here) != LAW_CASE_OK) return;
    if (law_case_walk_on(law_case, &other, &there) != LAW_CASE_OK) return;
    if (!compare(law_case, &scale, k + 1, &walk, &here, &there)) return;
  }
  if (law_case->law->residual) judge_residual(law_case, &scale, &walk.step, &other.step);
}

static const char *units_are_known(const DlsLaw *law) {
  static char reason[160];
  for (int i = 0; i < law->nparams; i++) {
    double power[3], params[DLS_MAX_PARAMS];
    dls_law_defaults(law, params);
    if (read_unit(law, params, law->params[i].unit, power)) continue;
    snprintf(reason, sizeof reason, "the unit '%s' of %s is not understood", law->params[i].unit,
             law->params[i].name);
    return reason;
  }
  return NULL;
}

const LawCaseCheck law_case_units = {
    .name = "units",
    .question = "in other units of mass, length and time the answer is the same",
    .cases = 3000,
    .applies = units_are_known,
    .run = run_units,
};
