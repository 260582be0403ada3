/* Dimensions: in other units of mass, length and time the same contact gives the same answer. Every
 * number of the contact is changed by its dimension, every parameter by that of its unit; what
 * comes out must have changed as N s (torques N m s), every state as its unit. A forgotten h, a
 * force taken for an impulse, a residual in m/s, an age counted in steps do not. */
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

/* By what a number of that unit changes; 1 where the unit is not understood, which
 * units_are_known() has refused. */
static double factor_of(const Scale *scale, const LawCasePart *part, const DlsParam *row) {
  double power[3];
  if (!read_unit(part->law, part->params, row->unit, power)) return 1;
  return factor(scale, power[0], power[1], power[2]);
}

static void scale_params(const Scale *scale, LawCasePart *part) {
  double scaled[DLS_MAX_PARAMS];
  for (int i = 0; i < part->law->nparams; i++)
    scaled[i] = part->params[i] * factor_of(scale, part, &part->law->params[i]);
  memcpy(part->params, scaled, (size_t)part->law->nparams * sizeof *scaled);
}

/* Velocities m/s and 1/s, of `block` components. */
static void scale_velocity(const Scale *scale, int dim, int block, double *u) {
  for (int k = 0; k < block; k++) u[k] *= factor(scale, 0, k < dim ? 1 : 0, -1);
}

/* What the law lists of places and surfaces, and its tables, by the units of their rows. */
static void scale_places(const Scale *scale, LawCasePart *part) {
  for (int side = 0; side < 2; side++) {
    for (int i = 0; i < part->law->nfields; i++)
      part->fields[side][i] *= factor_of(scale, part, &part->law->fields[i]);
    for (int i = 0; i < part->law->nsurfaces; i++)
      part->surface[side][i] *= factor_of(scale, part, &part->law->surfaces[i]);
  }
  for (int k = 0; k < part->law->ntables; k++)
    for (int i = 0; i < part->rows[k]; i++) {
      part->column[k][0][i] *= factor_of(scale, part, &part->law->tables[k].x);
      part->column[k][1][i] *= factor_of(scale, part, &part->law->tables[k].y);
    }
}

static void scale_pair(const Scale *scale, LawCaseStep *step) {
  DlsContact *c = &step->contact;
  c->area *= scale->length * scale->length;
  for (int k = 0; k < 3; k++) {
    c->point[k] *= scale->length;
    step->spin[k] /= scale->time;
    for (int side = 0; side < 2; side++) c->spin[side][k] /= scale->time;
  }
  for (int side = 0; side < 2; side++) c->radii[side] *= scale->length;
}

static void scale_step(const Scale *scale, LawCaseStep *step) {
  DlsContact *c = &step->contact;
  const int n = c->block;
  for (int k = 0; k < step->parts; k++) scale_places(scale, &step->part[k]);
  for (int k = 0; k < step->parts; k++) scale_params(scale, &step->part[k]);
  scale_pair(scale, step);
  c->time *= scale->time;
  c->h *= scale->time;
  c->gap *= scale->length;
  c->gap_rate *= scale->length / scale->time;
  c->radius *= scale->length;
  c->mass *= scale->mass;
  scale_velocity(scale, c->dim, n, c->u_before);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      step->D[i * n + j] *= factor(scale, -1, (i < c->dim ? 0 : -1) + (j < c->dim ? 0 : -1), 0);
}

static void scale_path(const Scale *scale, LawCasePath *path) {
  const DlsContact *c = &path->start.contact;
  scale_step(scale, &path->start);
  for (int k = 0; k < path->steps; k++) scale_velocity(scale, c->dim, c->block, path->push[k]);
}

double law_case_natural_size(const LawCasePart *part, const DlsParam *row, const DlsContact *c,
                             double speed) {
  double power[3];
  if (!read_unit(part->law, part->params, row->unit, power)) return 0;
  return pow(c->mass, power[0]) * pow(c->h * speed, power[1]) * pow(c->h, power[2]);
}

/* Each state, taken back to SI by its unit, is the one that SI gave: within a part of the largest
 * of that unit, or of what such a state has for its size. */
static void judge_states(LawCase *law_case, const Scale *scale, int step, const LawCaseWalk *walk,
                         const LawCaseWalk *other, const LawCasePoint *here) {
  const LawCasePart *part = &walk->step.part[walk->step.parts - 1];
  const LawCasePart *scaled = &other->step.part[other->step.parts - 1];
  const DlsParam *rows = part->law->states;
  LawCaseGrowth growth = {0};
  bool grown = false;
  for (int i = 0; i < part->law->nstates; i++) {
    const double back = scaled->state[i] / factor_of(scale, part, &rows[i]);
    const double natural = law_case_natural_size(part, &rows[i], &walk->step.contact, here->speed);
    double size = fmax(fabs(back), 1e-4 * natural);
    for (int k = 0; k < part->law->nstates; k++)
      if (strcmp(rows[k].unit, rows[i].unit) == 0) size = fmax(size, fabs(part->state[k]));
    const double error = fabs(back - part->state[i]);
    double tolerance = 1e-5 * size + 1e-300;
    if (error > tolerance) {
      if (!grown)
        growth = law_case_growth(law_case, walk->path, walk->by_force, step - 1, here, part->state);
      grown = true;
      tolerance += LAW_CASE_GRANTED * (growth.lost ? INFINITY : growth.state[i]);
    }
    law_case_judge(law_case, error, tolerance,
                   "in units of mass, length and time changed by %.3g, %.3g, %.3g, step %d leaves "
                   "the state %s = %.6g %s, not %.6g: it is not in its unit",
                   scale->mass, scale->length, scale->time, step, rows[i].name, back, rows[i].unit,
                   part->state[i]);
  }
}

/* One step in both units; false where the path ends. */
static bool compare(LawCase *law_case, const Scale *scale, int step, LawCaseWalk *walk,
                    const LawCaseWalk *other, const LawCasePoint *here, const LawCasePoint *there) {
  const DlsContact *c = &walk->step.contact;
  const double back = factor(scale, 1, 1, -1), joule = factor(scale, 1, 2, -2);
  double r[DLS_MAX_BLOCK] = {0};
  for (int i = 0; i < c->block; i++) r[i] = there->r[i] / (back * (i < c->dim ? 1 : scale->length));
  const double error = law_case_apart(c, r, here->r);
  const double stored = there->stored / joule, missing = fabs(stored - here->stored);
  double tolerance = 1e-5 * here->impulse + 1e-300;
  double joules = 1e-5 * (here->impulse * here->speed + fabs(here->stored)) + 1e-300;
  if (error > tolerance || missing > joules) {
    const LawCaseGrowth growth = law_case_growth(law_case, walk->path, walk->by_force, step - 1,
                                                 here, walk->step.part[walk->step.parts - 1].state);
    if (error > tolerance && law_case_walk_solves(walk, r)) return false; /* several solutions */
    tolerance += LAW_CASE_GRANTED * growth.impulse;
    joules += LAW_CASE_GRANTED * growth.stored;
    if (error <= tolerance && missing <= joules) return false; /* the rest grows further */
  }
  law_case_judge(law_case, error, tolerance,
                 "in units of mass, length and time changed by %.3g, %.3g, %.3g, step %d gives r = "
                 "(%.6g, %.6g, ...) N s, not (%.6g, %.6g, ...)",
                 scale->mass, scale->length, scale->time, step, r[0], r[1], here->r[0], here->r[1]);
  law_case_judge(law_case, missing, joules, "in other units step %d stores %.6g J, not %.6g", step,
                 stored, here->stored);
  if (error > tolerance) return false;
  judge_states(law_case, scale, step, walk, other, here);
  return true;
}

/* F of a custom law is an impulse, torques N m s, also where it is not zero. The points lie off the
 * solutions; the other contact is this one in other units, its state too, so that no path makes
 * much of round-off. */
static void judge_residual(LawCase *law_case, const Scale *scale, LawCaseStep *here) {
  const DlsContact *c = &here->contact;
  const int n = c->block;
  const double speed = law_case_speed(here), impulse = c->mass * speed,
               back = factor(scale, 1, 1, -1);
  double u[DLS_MAX_BLOCK] = {0}, r[DLS_MAX_BLOCK] = {0}, F[DLS_MAX_BLOCK] = {0},
         scaled[DLS_MAX_BLOCK] = {0};
  LawCaseStep there = *here;
  for (int k = 0; k < here->parts; k++)
    for (int i = 0; i < here->part[k].law->nstates; i++)
      there.part[k].state[i] *= factor_of(scale, &here->part[k], &here->part[k].law->states[i]);
  scale_step(scale, &there);
  if (law_case_prepare(law_case, here) != LAW_CASE_OK ||
      law_case_prepare(law_case, &there) != LAW_CASE_OK)
    return;
  if (here->relation.cone != DLS_CONE_CUSTOM || there.relation.cone != DLS_CONE_CUSTOM) return;
  law_case_draw_vector(&law_case->bench.random, c->dim, n, speed, c->radius, u);
  law_case_draw_vector(&law_case->bench.random, c->dim, n, impulse, 1 / c->radius, r);
  if (here->custom.residual(here->custom.context, u, r, F, NULL, NULL) != DLS_OK) return;
  scale_velocity(scale, c->dim, n, u);
  for (int k = 0; k < n; k++) r[k] *= back * (k < c->dim ? 1 : scale->length);
  if (there.custom.residual(there.custom.context, u, r, scaled, NULL, NULL) != DLS_OK) return;
  double size = impulse;
  int worst = 0;
  for (int k = 0; k < n; k++) {
    const double arm = k < c->dim ? 1 : c->radius;
    scaled[k] /= back * (k < c->dim ? 1 : scale->length);
    size = fmax(size, fabs(F[k]) / arm);
    const double worst_arm = worst < c->dim ? 1 : c->radius;
    if (fabs(scaled[k] - F[k]) / arm > fabs(scaled[worst] - F[worst]) / worst_arm) worst = k;
  }
  law_case_judge(law_case, law_case_apart(c, scaled, F), 1e-6 * size + 1e-300,
                 "in units of mass, length and time changed by %.3g, %.3g, %.3g, F[%d] is %.6g %s, "
                 "not %.6g",
                 scale->mass, scale->length, scale->time, worst, scaled[worst],
                 worst < c->dim ? "N s" : "N m s", F[worst]);
}

static void run_units(LawCase *law_case) {
  LawCasePath path, scaled;
  LawCaseWalk walk, other;
  LawCasePoint here, there;
  const bool by_force = !law_case_solves(law_case->law);
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  const Scale scale = {dls_bench_log_uniform(&law_case->bench.random, -1, 1),
                       dls_bench_log_uniform(&law_case->bench.random, -1, 1),
                       dls_bench_log_uniform(&law_case->bench.random, -1, 1)};
  scaled = path;
  scale_path(&scale, &scaled);
  law_case_walk_begin(&path, (LawCaseView){0}, by_force, &walk);
  law_case_walk_begin(&scaled, (LawCaseView){0}, by_force, &other);
  law_case_say(law_case, "each step in SI, then in units of 1/%g kg, 1/%g m, 1/%g s\n", scale.mass,
               scale.length, scale.time);
  for (int k = 0; k < path.steps; k++) {
    if (law_case_walk_on(law_case, &walk, &here) != LAW_CASE_OK) return;
    if (law_case_walk_on(law_case, &other, &there) != LAW_CASE_OK) return;
    if (!compare(law_case, &scale, k + 1, &walk, &other, &here, &there)) return;
  }
  if (law_case->law->residual || law_case->law->traction)
    judge_residual(law_case, &scale, &walk.step);
}

static const char *find_unknown(const DlsLaw *law, const DlsParam *rows, int count) {
  static char reason[160];
  double power[3], params[DLS_MAX_PARAMS];
  dls_law_defaults(law, params);
  for (int i = 0; i < count; i++) {
    if (read_unit(law, params, rows[i].unit, power)) continue;
    snprintf(reason, sizeof reason, "the unit '%s' of %s is not understood", rows[i].unit,
             rows[i].name);
    return reason;
  }
  return NULL;
}

static const char *units_are_known(const DlsLaw *law) {
  const struct {
    const DlsParam *rows;
    int count;
  } tables[] = {{law->params, law->nparams},
                {law->states, law->nstates},
                {law->fields, law->nfields},
                {law->surfaces, law->nsurfaces}};
  for (int k = 0; k < DLS_COUNT(tables); k++) {
    const char *reason = find_unknown(law, tables[k].rows, tables[k].count);
    if (reason) return reason;
  }
  for (int k = 0; k < law->ntables; k++) {
    const char *reason = find_unknown(law, &law->tables[k].x, 1);
    if (!reason) reason = find_unknown(law, &law->tables[k].y, 1);
    if (reason) return reason;
  }
  return NULL;
}

const LawCaseCheck law_case_units = {
    .name = "units",
    .question = "in other units of mass, length and time r, F, energy and states are the same",
    .tolerance = "1e-5 of the impulse, 1e-6 of F",
    .cases = 3000,
    .applies = units_are_known,
    .run = run_units,
};
