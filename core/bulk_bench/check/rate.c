/* What dt means: all to a law that claims it, nothing to others; and smaller steps lead to one
 * answer. */
#include "bulk_bench/bulk_bench_impl.h"

#include <stdio.h>

typedef struct {
  long compared, differ;
} Notes;

/* What round-off of a state is measured by: itself, or the strains and stresses it is made of. */
static double natural(const BulkCase *c, const BulkCasePoint *point, int i, double stress) {
  const char *unit = c->law->states[i].unit;
  const double made = strcmp(unit, "1") == 0    ? bulk_case_largest(point->strain, 6)
                      : strcmp(unit, "Pa") == 0 ? stress
                                                : 0;
  return fmax(fabs(point->state[i]), fmax(made, 1e-15 * c->scale));
}

/* Strangers to dt: the same path at another pace gives the same, and what is held stays. */
static void judge_stranger(BulkCase *c, const BulkCasePoint *one, const BulkCasePoint *other,
                           double size, const char *what) {
  bulk_case_judge(c, bulk_case_apart(one->stress, other->stress, 6), 1e-9 * size,
                  "%s: sigma_xx %.9g Pa, not %.9g; the law does not claim DLS_BULK_RATE", what,
                  other->stress[0], one->stress[0]);
  for (int i = 0; i < c->law->nstates; i++)
    bulk_case_judge(c, fabs(one->state[i] - other->state[i]), 1e-9 * natural(c, one, i, size),
                    "%s: state %s %.9g, not %.9g; the law does not claim DLS_BULK_RATE", what,
                    c->law->states[i].name, other->state[i], one->state[i]);
}

static void run_rate(BulkCase *c) {
  BulkCasePoint one, other;
  Notes *notes = c->bench.notes;
  double strain[6];
  if (!bulk_case_begin(c, false, &one)) return;
  other = one;
  const bool claimed = c->law->claims & DLS_BULK_RATE;
  const double dt = c->point.dt, pace = dls_bench_log_uniform(&c->bench.random, 1, 3);
  const int steps = 1 + dls_random_below(&c->bench.random, 5);
  for (int k = 0; k < steps; k++) {
    const double time = c->point.time;
    bulk_case_draw_strain(c, c->scale, strain);
    c->point.dt = dt;
    if (bulk_case_step(c, &one, strain, NULL) != BULK_CASE_OK) return;
    c->point.dt = dt * pace;
    c->point.time = time;
    if (bulk_case_step(c, &other, strain, NULL) != BULK_CASE_OK) return;
    const double size =
        fmax(bulk_case_largest(one.stress, 6), c->stiffness * bulk_case_largest(strain, 6));
    notes->compared++;
    notes->differ += bulk_case_apart(one.stress, other.stress, 6) > 1e-9 * size;
    if (claimed) continue;
    judge_stranger(c, &one, &other, size, "with another dt");
    BulkCasePoint held = one;
    if (bulk_case_step(c, &held, strain, NULL) != BULK_CASE_OK) return;
    judge_stranger(c, &one, &held, size, "held for a step");
  }
  if (claimed) bulk_case_judge(c, 0, 1, "dt matters");
}

static void conclude_rate(const DlsBulk *law, DlsBenchResult *result, const void *notes) {
  const Notes *n = notes;
  if (!(law->claims & DLS_BULK_RATE) || n->compared == 0) return;
  if (n->differ == 0) {
    result->outcome = DLS_BENCH_FAILED;
    result->worst = INFINITY;
    snprintf(result->sentence, sizeof result->sentence,
             "in none of %ld steps does dt matter, yet the law claims DLS_BULK_RATE", n->compared);
  } else {
    snprintf(result->remark, sizeof result->remark, "dt matters in %ld of %ld steps", n->differ,
             n->compared);
  }
}

const BulkCaseCheck bulk_case_rate = {
    .name = "rate",
    .question = "dt matters where that is claimed, and there alone",
    .tolerance = "1e-9 of stiffness times strain, and of states",
    .cases = 1000,
    .run = run_rate,
    .conclude = conclude_rate,
    .note_bytes = sizeof(Notes),
};

/* The stress at the end of a smooth way in n steps of the same time; the largest on it. */
static bool go(BulkCase *c, const BulkCaseWay *way, double time, int n, double *stress,
               double *peak) {
  BulkCasePoint point;
  double strain[6];
  bulk_case_new(c, &point);
  c->point.time = 0;
  c->point.dt = time / n;
  for (int k = 1; k <= n; k++) {
    bulk_case_on_way(c, way, (double)k / n, strain);
    if (bulk_case_step(c, &point, strain, NULL) != BULK_CASE_OK) return false;
    *peak = fmax(*peak, bulk_case_largest(point.stress, 6));
  }
  memcpy(stress, point.stress, sizeof point.stress);
  return true;
}

/* Four times as many steps until they change 2e-3 of the largest stress at most. */
static void run_steps(BulkCase *c) {
  BulkCasePoint point;
  BulkCaseWay way;
  double before[6], after[6], peak = 0, apart = 0;
  if (!bulk_case_begin(c, false, &point)) return;
  const double time = 100 * c->point.dt;
  char *story = c->bench.story;
  int n = 16;
  bulk_case_draw_way(c, c->scale, &way);
  c->bench.story = NULL; /* too many steps to tell */
  bool there = go(c, &way, time, n, before, &peak);
  while (there && n < 16384) {
    n *= 4;
    there = go(c, &way, time, n, after, &peak);
    if (!there) break;
    apart = bulk_case_apart(before, after, 6);
    memcpy(before, after, sizeof before);
    if (!(apart > 1e-3 * peak)) break;
  }
  c->bench.story = story;
  bulk_case_say(c, "last: %d steps, changed by %.3g of %.3g Pa\n", n, apart, peak);
  if (there && peak > 1e-9 * c->stiffness * c->scale)
    bulk_case_judge(c, apart, 2e-3 * peak,
                    "a way in %d steps ends %.3g Pa apart from the same in %d steps, of %.3g Pa", n,
                    apart, n / 4, peak);
}

const BulkCaseCheck bulk_case_steps = {
    .name = "steps",
    .question = "a way in smaller and smaller steps leads to one stress",
    .tolerance = "2e-3 of the largest stress, in at most 16384 steps",
    .cases = 60,
    .run = run_steps,
};
