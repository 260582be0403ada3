/* Pure functions, states within their bounds, and what lies at the ends: large strains, no time,
 * parameters on their bounds. */
#include "bulk_bench/bulk_bench_impl.h"

static void judge_same(BulkCase *c, const double *one, const double *other, int count,
                       const char *what) {
  for (int i = 0; i < count; i++)
    if (!dls_small_same(1, one + i, other + i)) {
      bulk_case_broken(c, "%s[%d] is %.17g, and %.17g when asked again", what, i, one[i], other[i]);
      return;
    }
  bulk_case_judge(c, 0, 1, "the same");
}

/* Asked twice, and for the stress alone, with other calls between: the same to the last bit. */
static void run_state(BulkCase *c) {
  BulkCasePoint point, aside;
  double strain[6], other[6];
  struct {
    double stress[6], tangent[36], next[DLS_MAX_PARAMS], energy[2];
  } first, again;
  c->watch = true;
  memset(&first, 0, sizeof first);
  memset(&again, 0, sizeof again);
  if (!bulk_case_begin(c, false, &point) || !bulk_case_wander(c, &point)) return;
  bulk_case_draw_strain(c, c->scale, strain);
  bulk_case_draw_strain(c, c->scale, other);
  const DlsBulkPoint here = c->point;
  for (int k = 0; k < 2; k++) {
    c->point = here;
    if (bulk_case_stress(c, point.state, point.strain, strain, again.stress, again.tangent,
                         again.next) != BULK_CASE_OK ||
        bulk_case_ask_energy(c, point.state, point.strain, strain, again.next, &again.energy[0],
                             &again.energy[1]) != BULK_CASE_OK)
      return;
    if (k == 0) first = again;
    aside = point; /* somewhere else */
    c->point.dt *= 3;
    if (k == 0 && bulk_case_step(c, &aside, other, NULL) == BULK_CASE_BROKEN) return;
  }
  judge_same(c, first.stress, again.stress, 6, "stress");
  judge_same(c, first.tangent, again.tangent, 36, "tangent");
  judge_same(c, first.next, again.next, c->law->nstates, "next");
  judge_same(c, first.energy, again.energy, 2, "energy");
  c->point = here;
  if (bulk_case_stress(c, point.state, point.strain, strain, again.stress, NULL, NULL) ==
      BULK_CASE_OK)
    judge_same(c, first.stress, again.stress, 6, "stress (without tangent and state)");
}

const BulkCaseCheck bulk_case_state = {
    .name = "state",
    .question = "the same call gives the same answer, and nothing else is written",
    .tolerance = "the last bit",
    .cases = 1000,
    .run = run_state,
};

static void run_bounds(BulkCase *c) {
  BulkCasePoint point;
  double strain[6];
  c->bounds = true;
  if (!bulk_case_begin(c, false, &point)) return;
  const int steps = 1 + dls_random_below(&c->bench.random, 20);
  for (int k = 0; k < steps; k++) {
    bulk_case_draw_strain(c, c->scale * dls_bench_log_uniform(&c->bench.random, -1, 1), strain);
    if (bulk_case_step(c, &point, strain, NULL) != BULK_CASE_OK) return;
  }
}

static const char *has_states(const DlsBulk *law) {
  return law->nstates > 0 ? NULL : "the law has no state variables";
}

const BulkCaseCheck bulk_case_bounds = {
    .name = "bounds",
    .question = "states stay within their bounds",
    .cases = 1500,
    .applies = has_states,
    .run = run_bounds,
};

static const char *const extremes[] = {
    "no strain",       "tiny strains",           "strains of 1",       "strains of 3",
    "strains of 1000", "the strain from before", "at once (dt = 0)",   "dt of 1e-30 s",
    "dt of 1e9 s",     "far away and late",      "crushed to a tenth", "as by default",
};

/* Finite, or refused with DLS_ERR_LAW; strains below 0.1 are not refused with the parameters as
 * given. */
static void run_limits(BulkCase *c) {
  BulkCasePoint point;
  double strain[6], tangent[36], e[6] = {-2.3, -2.3, -2.3};
  c->finite = true;
  if (!bulk_case_begin(c, false, &point)) return;
  const int which = (int)(c->bench.number / 4 % DLS_COUNT(extremes));
  const bool green = c->point.measure == DLS_BULK_GREEN;
  static const double sizes[] = {0, 1e-300, 1, 3, 1000};
  double size = which < DLS_COUNT(sizes) ? sizes[which] : fmin(c->scale, 0.05);
  if (green) size = fmin(size, 1.5); /* logarithmic */
  bulk_case_say(c, "limit: %s\n", extremes[which]);
  if (!bulk_case_wander(c, &point)) return;
  bulk_case_draw_strain(c, size, strain);
  if (which == 5) memcpy(strain, point.strain, sizeof strain);
  if (which == 6) c->point.dt = 0;
  if (which == 7) c->point.dt = 1e-30;
  if (which == 8) c->point.dt = 1e9;
  if (which == 9) c->point.time = 1e12, c->point.point[0] = -1e9;
  if (which == 10) bulk_case_measure(c->point.measure, e, strain);
  const BulkCaseOutcome outcome = bulk_case_step(c, &point, strain, tangent);
  if (outcome == BULK_CASE_REFUSED && which >= 11 && !c->drawn)
    bulk_case_broken(c, "a strain of %.3g is refused, with the parameters as given",
                     bulk_case_largest(strain, 6));
  if (outcome == BULK_CASE_OK) bulk_case_judge(c, 0, 1, "%s", extremes[which]);
}

const BulkCaseCheck bulk_case_limits = {
    .name = "limits",
    .question = "no strain, huge strains, no time, much time: finite numbers, or refused",
    .cases = 2000,
    .run = run_limits,
};

/* Even cases: one parameter on a bound, or far out. Odd ones: most of them at once. Refused or
 * finite. */
static void run_parameters(BulkCase *c) {
  BulkCasePoint point;
  const bool one = c->bench.number % 2 == 0;
  c->finite = true;
  if (one) {
    const int i = (int)(c->bench.number / 2 % c->law->nparams);
    const DlsParam *p = &c->law->params[i];
    const double far = 1e6 * fmax(1, fabs(p->value));
    const bool upper = dls_bench_chance(&c->bench.random, 0.5);
    memcpy(c->params, c->options->params, sizeof c->params);
    if (!c->options->pinned[i])
      c->params[i] =
          upper ? (p->max < DLS_NO_BOUND ? p->max : far) : (p->min > -DLS_NO_BOUND ? p->min : -far);
    const double value = c->params[i];
    c->drawn = true;
    c->scale = dls_bench_log_uniform(&c->bench.random, -5, -1);
    c->point = (DlsBulkPoint){.measure = (int)(c->law->measures & -c->law->measures),
                              .dt = dls_bench_log_uniform(&c->bench.random, -5, 1),
                              .size = 0.01};
    bulk_case_say(c, "%s = %.17g\n", p->name, value);
    if (!bulk_case_enter(c, &point)) return;
  } else if (!bulk_case_begin(c, true, &point)) {
    return;
  }
  if (bulk_case_wander(c, &point)) bulk_case_judge(c, 0, 1, "parameters on their bounds");
}

static const char *has_params(const DlsBulk *law) {
  return law->nparams > 0 ? NULL : "the law has no parameters";
}

const BulkCaseCheck bulk_case_parameters = {
    .name = "parameters",
    .question = "parameters on their bounds: finite numbers, or refused",
    .cases = 1500,
    .applies = has_params,
    .run = run_parameters,
};
