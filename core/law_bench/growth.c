/* How much a path makes of small changes, measured: the same path again and again with all that is
 * given changed by a part in 1e12. Where solutions are several, at a threshold of the law's state,
 * or where errors grow from step to step, two descriptions of one path may differ without fault, by
 * no more than such changes do. */
#include "law_bench/law_bench_impl.h"

static const double change = 1e-12; /* far above round-off, far below every tolerance */

enum { TRIES = 100 };

double law_case_apart(const DlsContact *c, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < c->block; k++) sum = hypot(sum, (x[k] - y[k]) / (k < c->dim ? 1 : c->radius));
  return sum;
}

static double changed(LawCase *law_case, double x) {
  return x * (1 + change * dls_random_normal(&law_case->bench.random));
}

/* Parameters that have a unit, within their bounds: pure numbers, of which some are switches, stay
 * as they are in every description. */
static void disturb_params(LawCase *law_case, LawCasePart *part) {
  for (int i = 0; i < part->law->nparams; i++) {
    const DlsParam *p = &part->law->params[i];
    const double x = changed(law_case, part->params[i]);
    if (strcmp(p->unit, "1") != 0 && x >= p->min && x <= p->max) part->params[i] = x;
  }
}

/* Every velocity, the masses, the step, the sizes, and the gap or not. */
static void disturb(LawCase *law_case, bool with_gap, LawCasePath *path) {
  DlsContact *c = &path->start.contact;
  double speed = law_case_speed(&path->start);
  for (int k = 0; k < path->steps; k++) /* one that begins at rest may be pushed later */
    for (int i = 0; i < c->dim; i++) speed = fmax(speed, fabs(path->push[k][i]));
  for (int i = 0; i < c->block; i++) {
    const double unit = change * (i < c->dim ? speed : speed / c->radius);
    c->u_before[i] += unit * dls_random_normal(&law_case->bench.random);
    for (int k = 0; k < path->steps; k++)
      path->push[k][i] += unit * dls_random_normal(&law_case->bench.random);
  }
  const double lighter = changed(law_case, 1);
  for (int k = 0; k < c->block * c->block; k++) path->start.D[k] *= lighter;
  c->radius = changed(law_case, c->radius);
  for (int k = 0; k < path->start.parts; k++) disturb_params(law_case, &path->start.part[k]);
  if (!with_gap) return;
  c->h = changed(law_case, c->h);
  c->gap += change * (fabs(c->gap) + c->h * speed) * dls_random_normal(&law_case->bench.random);
}

LawCaseGrowth law_case_growth(LawCase *law_case, const LawCasePath *path, bool by_force, int step,
                              const LawCasePoint *at, const double *state) {
  const LawCaseGrowth lost = {.impulse = INFINITY, .stored = INFINITY, .lost = true};
  const DlsBenchResult kept = *law_case->bench.result; /* tries are no cases */
  char *story = law_case->bench.story;
  LawCaseGrowth growth = {0};
  law_case->bench.story = NULL;
  for (int time = 0; time < TRIES && !growth.lost; time++) {
    LawCasePath other = *path;
    LawCaseWalk walk;
    LawCasePoint seen;
    disturb(law_case, time % 2 == 1, &other);
    law_case_walk_begin(&other, (LawCaseView){0}, by_force, &walk);
    walk.noise = 1e-15;
    for (int k = 0; k <= step && !growth.lost; k++)
      if (law_case_walk_on(law_case, &walk, &seen) != LAW_CASE_OK) growth = lost;
    if (growth.lost) break;
    growth.impulse = fmax(growth.impulse, law_case_apart(&path->start.contact, seen.r, at->r));
    growth.stored = fmax(growth.stored, fabs(seen.stored - at->stored));
    const LawCasePart *part = &walk.step.part[walk.step.parts - 1];
    for (int i = 0; i < part->law->nstates; i++)
      growth.state[i] = fmax(growth.state[i], fabs(part->state[i] - state[i]));
  }
  *law_case->bench.result = kept;
  law_case->bench.story = story;
  law_case_say(law_case,
               "changes of %g in all that is given change r of this step by %.3g of %.3g"
               " N s\n",
               change, growth.impulse, at->impulse);
  return growth;
}
