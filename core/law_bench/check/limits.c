/* Limits and bounds: finite numbers wherever a law may be called, and parameters that are refused
 * outside their bounds and work on them. */
#include "law_bench/law_bench_impl.h"

static void scale_speed(LawCaseStep *step, double s) {
  for (int k = 0; k < step->contact.block; k++) {
    step->contact.u_before[k] *= s;
    step->q[k] *= s;
  }
}

static void scale_mass(LawCaseStep *step, double s) {
  step->contact.mass *= s;
  for (int k = 0; k < step->contact.block * step->contact.block; k++) step->D[k] /= s;
}

/* Parameters without an upper bound, far up: huge friction, stiffness, cohesion. */
static void huge_params(const LawCase *law_case, LawCasePart *part) {
  part->drawn = true;
  for (int i = 0; i < part->law->nparams; i++)
    if (part->law->params[i].max >= DLS_NO_BOUND &&
        !(part->law == law_case->law && law_case->options->pinned[i]))
      part->params[i] = 1e9 * fmax(1, fabs(part->params[i]));
}

static const char *const extremes[] = {"gap 0",
                                       "gap 1e-300 m",
                                       "gap -1e-300 m",
                                       "overlap of a radius",
                                       "h = 1e-12 s",
                                       "no velocity at all",
                                       "velocities times 1e30",
                                       "no tangential velocity",
                                       "mass times 1e-15",
                                       "mass times 1e15",
                                       "mass unknown",
                                       "radius unknown",
                                       "area unknown",
                                       "huge parameters",
                                       "gap at the range",
                                       "gap just beyond the range"};

static void make_extreme(LawCase *law_case, int which, LawCaseStep *step) {
  DlsContact *c = &step->contact;
  LawCasePart *part = &step->part[step->parts - 1];
  const double range = law_case_range(step, step->parts - 1),
               gaps[] = {0, 1e-300, -1e-300, -c->radius};
  const bool rated = c->gap_rate != 0;
  if (which < 4) c->gap = gaps[which];
  if (which == 4) c->h = 1e-12;
  if (which == 5) scale_speed(step, 0);
  if (which == 6) scale_speed(step, 1e30);
  for (int k = 1; which == 7 && k < c->block; k++) c->u_before[k] = step->q[k] = 0;
  if (which == 8) scale_mass(step, 1e-15);
  if (which == 9) scale_mass(step, 1e15);
  if (which == 10) c->mass = 0;
  if (which == 11) c->radius = c->radii[0] = c->radii[1] = 0;
  if (which == 12 && !law_case->law->per_area) c->area = 0; /* which the core refuses */
  if (which == 13) huge_params(law_case, part);
  if (which == 14) c->gap = range;
  if (which == 15) c->gap = range * (1 + 1e-12);
  c->gap_rate = c->gap > 0 || rated ? c->gap / c->h : 0;
}

/* What the law tells of the contact after the step: a status that it has, and finite numbers. */
static void ask_report(LawCase *law_case, LawCaseStep *step, const char *what) {
  LawCasePart *part = &step->part[step->parts - 1];
  const DlsLaw *law = part->law;
  double limit = NAN, outputs[DLS_MAX_PARAMS] = {0};
  int status = -1;
  if (!law->report) return;
  const DlsStatus answer = law->report(law_case_told(step, step->parts - 1), part->params,
                                       part->state, step->u, step->r, &status, &limit, outputs);
  if (answer != DLS_OK)
    law_case_broken(law_case, "%s: report: %s", what, dls_status_text(answer));
  else if (status < -1 || status >= law->nstatuses)
    law_case_broken(law_case, "%s: report gives the status %d, of %d", what, status,
                    law->nstatuses);
  for (int i = 0; i < law->noutputs; i++)
    if (!isfinite(outputs[i]))
      law_case_broken(law_case, "%s: report gives %s = %g", what, law->outputs[i].name, outputs[i]);
}

/* Every function once; what is not finite is judged where it comes out. */
static void call_all(LawCase *law_case, LawCaseStep *step, const char *what) {
  const DlsContact *c = &step->contact;
  LawCasePart *part = &step->part[step->parts - 1];
  double stored, dissipated, f[DLS_MAX_BLOCK] = {0};
  if (law_case_orient(law_case, step) != LAW_CASE_OK ||
      law_case_begin(law_case, step) != LAW_CASE_OK)
    return;
  if (law_case_solves(part->law)) {
    if (law_case_answer(law_case, step) != LAW_CASE_OK) return;
    if (dls_law_energy(&step->use, step->u, step->r, &stored, &dissipated) != DLS_OK)
      law_case_broken(law_case, "%s: %s", what, dls_error_message());
  }
  if (law_case_forces(part->law)) {
    if (law_case_push(law_case, step, c->u_before, f) != LAW_CASE_OK) return;
    for (int k = 0; k < c->block && !law_case_solves(part->law); k++) {
      step->u[k] = c->u_before[k];
      step->r[k] = c->h * f[k];
    }
  }
  if (law_case_commit(law_case, step) == LAW_CASE_OK) {
    ask_report(law_case, step, what);
    law_case_judge(law_case, 0, 1, "%s", what);
  }
  for (int i = 0; i < part->law->nstates; i++)
    if (!isfinite(part->state[i]))
      law_case_broken(law_case, "%s: commit gives the state %s = %g", what,
                      part->law->states[i].name, part->state[i]);
}

static void run_limits(LawCase *law_case) {
  LawCaseStep step;
  memset(&step, 0, sizeof step);
  law_case_draw_laws(law_case, &step);
  law_case_draw_contact(law_case, &step);
  law_case_draw_matrix(law_case, &step, LAW_CASE_COUPLED, 0);
  const DlsContact *c = &step.contact;
  law_case_draw_vector(&law_case->bench.random, c->dim, c->block, law_case_draw_speed(law_case),
                       c->radius, step.q);
  const int which = dls_random_below(&law_case->bench.random, DLS_COUNT(extremes));
  make_extreme(law_case, which, &step);
  law_case_say(law_case, "limit: %s\n", extremes[which]);
  call_all(law_case, &step, extremes[which]);
}

const LawCaseCheck law_case_limits = {
    .name = "limits",
    .question = "zero gap, tiny steps, huge masses, speeds, parameters: finite numbers",
    .cases = 3000,
    .run = run_limits,
};

/* Just outside a bound, and what is no number, are refused; the value stays. */
static void judge_refusal(LawCase *law_case, int i) {
  const DlsParam *p = &law_case->law->params[i];
  const double outside[] = {p->min - fmax(1e-9, 1e-9 * fabs(p->min)),
                            p->max + fmax(1e-9, 1e-9 * fabs(p->max)), NAN, INFINITY, -INFINITY};
  for (int k = 0; k < DLS_COUNT(outside); k++) {
    double params[DLS_MAX_PARAMS];
    dls_law_defaults(law_case->law, params);
    const bool taken = dls_law_set(law_case->law, params, p->name, outside[k]) == DLS_OK;
    law_case_judge(law_case, taken ? INFINITY : 0, 1, "%s = %g is taken", p->name, outside[k]);
  }
}

/* Even cases: one parameter on a bound (or far out where there is none), which the law must take.
 * Odd ones: all at once, which it may refuse. */
static void run_parameters(LawCase *law_case) {
  LawCaseStep step;
  DlsRandom *random = &law_case->bench.random;
  memset(&step, 0, sizeof step);
  law_case_draw_laws(law_case, &step);
  LawCasePart *part = &step.part[step.parts - 1];
  const int i = (int)(law_case->bench.number / 2 % law_case->law->nparams);
  judge_refusal(law_case, i);
  if (law_case->bench.number % 2 == 1) {
    law_case_draw_params(law_case, true, part);
  } else {
    memcpy(part->params, law_case->options->params, sizeof part->params);
    part->drawn = false;
    const DlsParam *p = &law_case->law->params[i];
    const double far = 1e6 * fmax(1, fabs(p->value));
    if (!law_case->options->pinned[i])
      part->params[i] = dls_random_unit(random) < 0.5 ? (p->min > -DLS_NO_BOUND ? p->min : -far)
                                                      : (p->max < DLS_NO_BOUND ? p->max : far);
  }
  law_case_draw_contact(law_case, &step);
  law_case_draw_matrix(law_case, &step, LAW_CASE_COUPLED, 0);
  const DlsContact *c = &step.contact;
  law_case_draw_vector(random, c->dim, c->block, law_case_draw_speed(law_case), c->radius, step.q);
  call_all(law_case, &step, "parameters on their bounds");
}

static const char *has_params(const DlsLaw *law) {
  return law->nparams > 0 ? NULL : "the law has no parameters";
}

const LawCaseCheck law_case_parameters = {
    .name = "parameters",
    .question = "refused outside their bounds, and working on them",
    .cases = 2000,
    .applies = has_params,
    .run = run_parameters,
};
