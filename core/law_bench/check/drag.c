/* A contact that is pressed and dragged, with steps of h and of h/4: what a law gives follows time,
 * not the number of steps.
 *
 * First it is brought to where it slides, by steps of h; then on from there for a time T, in K
 * steps and in 4 K. As T goes to zero, K being the same, a law in time is frozen: the force at the
 * end of both is the one it began with. What is counted in steps is not, however short T is. So T
 * is shortened until both agree; where they never do, the law fails. A state that grows by the
 * steps does so too.
 *
 * The normal is pressed by a force on a mass; tangents and spins are drawn by dashpots, so that
 * neither holds a time of its own: a tied contact feels their force, and no 1/h. A law that has
 * force alone is moved along at a constant overlap. */
#include "law_bench/law_bench_impl.h"

typedef struct {
  LawCaseStep step;
  bool known, counts, by_force; /* the contact has begun; gap_rate below zero; see above */
  double gap, u[DLS_MAX_BLOCK];
  double press;                 /* N */
  double drawn[DLS_MAX_BLOCK];  /* m/s, rad/s: of the far end of the dashpots */
  double damper[DLS_MAX_BLOCK]; /* N s/m, N m s */
  double force[DLS_MAX_BLOCK];  /* N, N m: of the last step */
} Drag;

static LawCaseOutcome ask(LawCase *law_case, Drag *drag) {
  LawCaseStep *step = &drag->step;
  const DlsContact *c = &step->contact;
  if (drag->by_force) {
    const LawCaseOutcome outcome = law_case_push(law_case, step, drag->u, drag->force);
    for (int k = 0; k < c->block; k++) {
      step->u[k] = drag->u[k];
      step->r[k] = c->h * drag->force[k];
    }
    return outcome;
  }
  const LawCaseOutcome outcome = law_case_answer(law_case, step);
  if (outcome != LAW_CASE_OK) return outcome;
  if (step->outcome == DLS_LOCAL_NONE || step->outcome == DLS_LOCAL_FAILED)
    return LAW_CASE_UNSOLVED;
  for (int k = 0; k < c->block; k++) drag->force[k] = step->r[k] / c->h;
  return LAW_CASE_OK;
}

/* One step of h. */
static LawCaseOutcome go(LawCase *law_case, Drag *drag, double h) {
  LawCaseStep *step = &drag->step;
  DlsContact *c = &step->contact;
  const int n = c->block;
  c->h = h;
  c->gap = drag->gap;
  c->gap_rate = drag->gap > 0 || drag->counts ? drag->gap / h : 0;
  memcpy(c->u_before, drag->u, sizeof c->u_before);
  memset(step->D, 0, sizeof step->D);
  step->D[0] = 1 / c->mass;
  step->q[0] = drag->u[0] - h * drag->press / c->mass;
  for (int k = 1; k < n; k++) {
    step->D[k * (n + 1)] = 1 / (h * drag->damper[k]);
    step->q[k] = drag->drawn[k];
  }
  if (!drag->counts && drag->gap > law_case_reach(step)) { /* gone, with its state */
    drag->known = false;
    memcpy(step->u, step->q, sizeof step->u);
    memset(drag->force, 0, sizeof drag->force);
  } else {
    LawCaseOutcome outcome = drag->known ? LAW_CASE_OK : law_case_begin(law_case, step);
    if (outcome == LAW_CASE_OK) outcome = ask(law_case, drag);
    if (outcome == LAW_CASE_OK) outcome = law_case_commit(law_case, step);
    if (outcome != LAW_CASE_OK) return outcome;
    drag->known = true;
  }
  c->time += h;
  if (drag->by_force) return LAW_CASE_OK;
  memcpy(drag->u, step->u, sizeof drag->u);
  /* What round-off leaves of a gap that closes is not a gap. */
  const double speed = fabs(step->u[0]) + h * drag->press / c->mass;
  const double next = drag->gap + h * step->u[0];
  drag->gap = fabs(next) > 1e-10 * (fabs(drag->gap) + h * speed) ? next : 0;
  return LAW_CASE_OK;
}

/* Pure numbers stay as given: a coefficient of restitution other than 0 belongs to collisions, of
 * which a contact that rests has one in every step (Moreau 1994, sec. 6). */
static void keep_numbers(const LawCase *law_case, LawCasePart *part) {
  for (int i = 0; i < part->law->nparams; i++)
    if (strcmp(part->law->params[i].unit, "1") == 0)
      part->params[i] =
          part->law == law_case->law ? law_case->options->params[i] : part->law->params[i].value;
}

static LawCaseOutcome draw_drag(LawCase *law_case, Drag *drag) {
  DlsRandom *random = &law_case->bench.random;
  LawCaseStep *step = &drag->step;
  DlsContact *c = &step->contact;
  memset(drag, 0, sizeof *drag);
  law_case_draw_laws(law_case, step);
  for (int k = 0; k < step->parts; k++) keep_numbers(law_case, &step->part[k]);
  law_case_draw_contact(law_case, step);
  const double speed = law_case_draw_speed(law_case);
  const bool overlaps = dls_random_below(random, 2), spins = dls_random_below(random, 2);
  drag->by_force = !law_case_solves(law_case->law);
  drag->counts = !overlaps && dls_random_below(random, 3) == 0; /* or it is driven out by gap/h */
  drag->press = c->mass * law_case_draw_speed(law_case) / c->h;
  drag->gap = overlaps || drag->by_force ? -c->radius * dls_bench_log_uniform(random, -6, -3) : 0;
  law_case_draw_vector(random, c->dim, c->block, speed, c->radius, drag->drawn);
  drag->drawn[0] = 0;
  if (drag->drawn[1] == 0) drag->drawn[1] = speed;
  for (int k = c->dim; k < c->block && !spins; k++) drag->drawn[k] = 0;
  for (int k = 1; k < c->block; k++) {
    const double arm = k < c->dim ? 1 : c->radius;
    drag->damper[k] = drag->press / speed * arm * arm * dls_bench_log_uniform(random, 0, 2);
  }
  memcpy(drag->u, drag->drawn, sizeof drag->u);
  step->contact.mass = c->mass;
  return law_case_orient(law_case, step);
}

/* `count` steps that take the time T. */
static LawCaseOutcome go_on(LawCase *law_case, Drag *drag, double T, int count) {
  LawCaseOutcome outcome = LAW_CASE_OK;
  for (int k = 0; k < count && outcome == LAW_CASE_OK; k++) outcome = go(law_case, drag, T / count);
  return outcome;
}

/* What the two ways differ by: the force, as a part of the one at the beginning; and, of the state
 * that grows most by the steps, how many times more it grew in the many than in the few. */
typedef struct {
  double force, ratio;
  int state;
} Difference;

static Difference compare(const Drag *start, const Drag *few, const Drag *many) {
  const LawCaseStep *step = &start->step;
  const LawCasePart *part = &step->part[step->parts - 1];
  const double zero[DLS_MAX_BLOCK] = {0};
  const DlsContact *c = &step->contact;
  const double scale = law_case_apart(c, start->force, zero);
  Difference out = {.force = law_case_apart(c, few->force, many->force) / scale};
  for (int i = 0; i < part->law->nstates; i++) {
    const double before = part->state[i];
    const double slow = fabs(few->step.part[step->parts - 1].state[i] - before);
    const double fast = fabs(many->step.part[step->parts - 1].state[i] - before);
    const double natural =
        law_case_natural_size(part, &part->law->states[i], c, dls_small_norm(c->dim, start->drawn));
    if (fast <= 1e-9 * (fabs(before) + natural) || fast <= out.ratio * slow) continue;
    out.ratio = slow > 0 ? fast / slow : INFINITY;
    out.state = i;
  }
  return out;
}

/* T begins at up to 128 steps of 0.03 s and is shortened 8-fold, 11 times, to 5e-10 s: below the
 * times of laws as parameters are drawn, two decades about their defaults, such as sqrt(m/k) of 1 g
 * on 1e9 N/m, 1e-6 s, and c/k of a dashpot; and still 1e4 last digits of the time apart. */
enum { LEVELS = 12 };

static const double agrees = 1e-3, grows_alike = 2; /* of the force; the ratio of a state */

static void run_drag(LawCase *law_case) {
  static Drag start, few, many; /* large; of this process alone */
  DlsRandom *random = &law_case->bench.random;
  const int steps = 1 << (1 + 2 * dls_random_below(random, 4)); /* 2, 8, 32, 128 */
  Difference at, best = {.force = INFINITY, .ratio = INFINITY};
  if (draw_drag(law_case, &start) != LAW_CASE_OK) return;
  const double h = start.step.contact.h, zero[DLS_MAX_BLOCK] = {0};
  const int before = 1 + dls_random_below(random, 40);
  char *story = law_case->bench.story; /* thousands of steps */
  law_case->bench.story = NULL;
  LawCaseOutcome outcome = go_on(law_case, &start, before * h, before);
  double T = steps * h;
  const bool loaded = law_case_apart(&start.step.contact, start.force, zero) > 0;
  for (int level = 0; level < LEVELS && loaded && outcome == LAW_CASE_OK; level++, T /= 8) {
    few = many = start;
    outcome = go_on(law_case, &few, T, steps);
    if (outcome == LAW_CASE_OK) outcome = go_on(law_case, &many, T, 4 * steps);
    if (outcome != LAW_CASE_OK) break;
    at = compare(&start, &few, &many);
    law_case->bench.story = story;
    law_case_say(law_case,
                 "%d steps and %d in %.3g s: forces differ by %.3g, states grow by %.3g\n", steps,
                 4 * steps, T, at.force, at.ratio);
    law_case->bench.story = NULL;
    best.force = fmin(best.force, at.force);
    if (at.ratio < best.ratio) {
      best.ratio = at.ratio;
      best.state = at.state;
    }
    if (best.force <= agrees && best.ratio <= grows_alike) break;
  }
  law_case->bench.story = story;
  law_case_say_step(law_case, "pressed and dragged", &start.step);
  if (!loaded || outcome != LAW_CASE_OK) return;
  const LawCasePart *part = &start.step.part[start.step.parts - 1];
  law_case_judge(law_case, best.force, agrees,
                 "%d and %d steps in the same time, however short, end with forces that differ by "
                 "%.3g of them: it counts steps, not time",
                 steps, 4 * steps, best.force);
  if (part->law->nstates > 0)
    law_case_judge(
        law_case, best.ratio, grows_alike,
        "the state %s grows %.3g times as much in %d steps as in %d of the same time: it "
        "counts steps, not time",
        part->law->states[best.state].name, best.ratio, 4 * steps, steps);
}

const LawCaseCheck law_case_drag = {
    .name = "drag",
    .question = "pressed and dragged, steps of h and of h/4 lead to the same as h vanishes",
    .tolerance = "1e-3 of the force",
    .cases = 400,
    .run = run_drag,
};
