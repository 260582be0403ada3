/* No action at a distance: beyond its range, and not to be reached within the step, a contact has
 * no reaction and no force, whatever it went through before. For every law, complete or not. */
#include "law_bench/law_bench_impl.h"

/* On from a gap beyond the range, not farther back within this step than half of the way to it. */
static void stay_away(LawCase *law_case, LawCaseStep *step) {
  DlsRandom *random = &law_case->bench.random;
  DlsContact *c = &step->contact;
  const double speed = law_case_draw_speed(law_case);
  const double slowest = -0.5 * (c->gap - law_case_reach(step)) / c->h;
  c->gap_rate = c->gap / c->h;
  law_case_draw_vector(random, c->dim, c->block, speed, c->radius, step->q);
  step->q[0] = fmax(step->q[0], slowest);
  c->u_before[0] = fmax(c->u_before[0], slowest);
}

/* A new contact that is found there. It comes from beyond the range too. */
static LawCaseOutcome find_far(LawCase *law_case, LawCaseStep *step) {
  DlsContact *c = &step->contact;
  const double beyond = 1e-6 * law_case_reach(step) +
                        c->radius * dls_bench_log_uniform(&law_case->bench.random, -6, 0);
  c->gap = law_case_reach(step) + beyond;
  c->u_before[0] = fmin(c->u_before[0], 0.5 * beyond / c->h);
  stay_away(law_case, step);
  const LawCaseOutcome outcome = law_case_orient(law_case, step);
  return outcome == LAW_CASE_OK ? law_case_begin(law_case, step) : outcome;
}

/* One that was pressed and dragged, and is then torn away, harder from step to step until one
 * begins beyond the range, and was there half a step before, where moreau's scheme looks. REFUSED:
 * it does not come off. */
static LawCaseOutcome tear_away(LawCase *law_case, LawCasePath *path, LawCaseWalk *walk) {
  const DlsContact *c = &path->start.contact;
  const double reach = law_case_reach(&path->start);
  const int held = dls_random_below(&law_case->bench.random, 4);
  double pull = 2 * reach / c->h + law_case_draw_speed(law_case);
  path->steps = LAW_CASE_MAX_STEPS;
  path->gap_counts = true; /* a scheme that looks ahead goes on to call the law */
  path->start.contact.gap = fmin(c->gap, 0);
  for (int k = 0; k < path->steps; k++) {
    if (k < held)
      path->push[k][0] = -fabs(path->push[k][0]);
    else
      path->push[k][0] = pull *= 30;
  }
  law_case_walk_begin(path, (LawCaseView){0}, !law_case_solves(law_case->law), walk);
  while (walk->done < path->steps) {
    LawCasePoint ignored;
    const double before = walk->gap - 0.5 * c->h * fmax(walk->u[0], 0);
    if (before > reach * (1 + 1e-6)) return law_case_walk_arrive_at(law_case, walk);
    const LawCaseOutcome outcome = law_case_walk_on(law_case, walk, &ignored);
    if (outcome != LAW_CASE_OK) return outcome;
  }
  return LAW_CASE_REFUSED;
}

/* N s: what is 0 comes out as 0, or as r̂ - a of two that are equal: round-off of the impulses of
 * the step, a among them, in a one-contact solve of some hundred operations, each of 1e-16. */
static double granted(const LawCaseStep *step) { return 1e-12 * law_case_impulse(step) + 1e-300; }

static void judge(LawCase *law_case, LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  const double zero[DLS_MAX_BLOCK] = {0};
  double f[DLS_MAX_BLOCK];
  memset(step->guess, 0, sizeof step->guess);
  if (law_case_solves(law_case->law) && law_case_answer(law_case, step) == LAW_CASE_OK &&
      step->outcome != DLS_LOCAL_NONE && step->outcome != DLS_LOCAL_FAILED)
    law_case_judge(law_case, law_case_apart(c, step->r, zero), granted(step),
                   "beyond its range of %.3g m, at gap %.3g m, r is (%.3g, %.3g, ...) N s",
                   law_case_reach(step), c->gap, step->r[0], step->r[1]);
  if (law_case_forces(law_case->law) && step->parts == 1 &&
      law_case_push(law_case, step, c->u_before, f) == LAW_CASE_OK)
    law_case_judge(law_case, law_case_apart(c, f, zero), granted(step) / c->h,
                   "beyond its range of %.3g m, at gap %.3g m, the force is (%.3g, %.3g, ...) N",
                   law_case_reach(step), c->gap, f[0], f[1]);
}

static void run_distance(LawCase *law_case) {
  LawCasePath path;
  LawCaseWalk walk;
  law_case_draw_path(law_case, LAW_CASE_COUPLED, true, &path);
  if (!isfinite(law_case_reach(&path.start))) return;
  if (dls_random_below(&law_case->bench.random, 3) == 0) {
    if (find_far(law_case, &path.start) == LAW_CASE_OK) judge(law_case, &path.start);
    return;
  }
  if (tear_away(law_case, &path, &walk) != LAW_CASE_OK) return;
  stay_away(law_case, &walk.step);
  judge(law_case, &walk.step);
}

const LawCaseCheck law_case_distance = {
    .name = "distance",
    .question = "open beyond its range, a contact has no reaction and no force",
    .tolerance = "1e-12 of the impulse",
    .cases = 3000,
    .run = run_distance,
};
