/* What the relation of one step must obey: completeness, homogeneity, and that the one-contact
 * solve meets it from anywhere. */
#include "law_bench/law_bench_impl.h"

#include <delassus/cone.h>

/* A contact with a history: the last step of a path, ready to be answered. */
static LawCaseOutcome arrive(LawCase *law_case, LawCaseCoupling coupling, LawCaseStep *step) {
  LawCasePath path;
  LawCaseWalk walk;
  law_case_draw_path(law_case, coupling, true, &path);
  if (law_case->law->nstates == 0) path.steps = 1;
  law_case_walk_begin(&path, (LawCaseView){0}, false, &walk);
  const LawCaseOutcome outcome = law_case_walk_arrive(law_case, &walk);
  *step = walk.step;
  return outcome;
}

/* Moreau 1994 eqs. 5.2-5.4, 2001 eqs. 6 and 7, for a step. What a law declares as attraction, a > 0
 * of r̂ = r + a, is not counted; restitution lies between 0 and 1, so that without knowing it:
 *   closed, u⁻_N <= 0               u_N >= 0
 *   open (gap_rate > 0)             u_N + gap_rate >= 0
 *   r̂ is not 0                      u_N + gap_rate <= 0, but u_N <= -u⁻_N where u⁻_N + gap_rate <
 *       0
 *                                   (it collides in this step); open ones within the range excepted
 *   always                          û_N >= 0, r̂_N >= 0, and r̂ = 0 where r̂_N = 0 */
static void judge_complete(LawCase *law_case, const LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  const double tolerance = 1e-7 * law_case_speed(step) + 1e-300;
  const double rest = 1e-7 * law_case_impulse(step) + 1e-300;
  const double closing = step->u[0] + c->gap_rate, before = c->u_before[0];
  const bool open = c->gap_rate > 0;
  double r_hat[DLS_MAX_BLOCK], u_hat[DLS_MAX_BLOCK];
  for (int k = 0; k < c->block; k++) r_hat[k] = step->r[k] + fmax(step->relation.a[k], 0);
  const double size = dls_small_norm(c->dim, r_hat);
  if (open)
    law_case_judge(law_case, -closing, tolerance,
                   "an open contact ends with u_N + gap_rate = %.3g m/s < 0 (gap %.3g m)", closing,
                   c->gap);
  else if (before <= 0)
    law_case_judge(law_case, -step->u[0], tolerance,
                   "a closed contact ends with u_N = %.3g m/s (u-_N = %.3g, gap %.3g m)",
                   step->u[0], before, c->gap);
  law_case_judge(law_case, -r_hat[0], rest, "it pulls: r_N + a_N = %.3g N s", r_hat[0]);
  if (step->relation.cone != DLS_CONE_CUSTOM) {
    law_case_shifted(step, u_hat);
    law_case_judge(law_case, -u_hat[0], tolerance, "the contact ends with û_N = %.3g m/s",
                   u_hat[0]);
  }
  if (size <= rest) return;
  law_case_judge(law_case, r_hat[0] > 1e-9 * size ? 0 : size, rest,
                 "r_N = %.3g N s, but |r_T| is not zero: |r| = %.3g", r_hat[0], size);
  if (open && c->gap <= law_case_range(step, step->parts - 1)) return; /* acts from afar */
  const bool collides = before + c->gap_rate < 0; /* at the velocity it came with */
  law_case_judge(law_case, closing - (collides ? fmax(fmax(c->gap_rate, 0) - before, 0) : 0),
                 tolerance,
                 "a contact that separates, u_N + gap_rate = %.3g m/s, still has |r| = %.3g N s "
                 "(u-_N = %.3g, gap %.3g m)",
                 closing, size, before, c->gap);
}

static void run_complete(LawCase *law_case) {
  LawCaseStep step;
  if (arrive(law_case, LAW_CASE_COUPLED, &step) != LAW_CASE_OK) return;
  if (law_case_answer(law_case, &step) != LAW_CASE_OK || step.outcome == DLS_LOCAL_NONE) return;
  judge_complete(law_case, &step);
}

static const char *claims_complete(const DlsLaw *law) {
  if (!(law->claims & DLS_CLAIM_COMPLETE)) return "the law does not claim DLS_CLAIM_COMPLETE";
  return law_case_needs_relation(law);
}

const LawCaseCheck law_case_complete = {
    .name = "complete",
    .question = "open: no reaction; closed: no penetration; parting: no reaction (Moreau)",
    .tolerance = "1e-7 of speed and impulse",
    .cases = 4000,
    .applies = claims_complete,
    .run = run_complete,
};

/* (u⁻, q, gap_rate, gap) times s gives r times s. */
static void run_homogeneous(LawCase *law_case) {
  LawCaseStep step, scaled;
  const DlsLawBenchOptions *given = law_case->options;
  DlsLawBenchOptions defaults = *given;
  dls_law_defaults(law_case->law, defaults.params); /* what the claim speaks of */
  law_case->options = &defaults;
  law_case->bench.number *= 4; /* none is drawn */
  const LawCaseOutcome arrived = arrive(law_case, LAW_CASE_NORMAL_APART, &step);
  law_case->bench.number /= 4;
  law_case->options = given;
  if (arrived != LAW_CASE_OK) return;
  const double s = dls_bench_log_uniform(&law_case->bench.random, -3, 3);
  scaled = step;
  for (int k = 0; k < step.contact.block; k++) {
    scaled.contact.u_before[k] *= s;
    scaled.q[k] *= s;
  }
  scaled.contact.gap *= s;
  scaled.contact.gap_rate *= s;
  if (law_case_answer(law_case, &step) != LAW_CASE_OK || step.outcome == DLS_LOCAL_NONE) return;
  if (law_case_answer(law_case, &scaled) != LAW_CASE_OK || scaled.outcome == DLS_LOCAL_NONE) return;
  double difference[DLS_MAX_BLOCK], found[DLS_MAX_BLOCK] = {0};
  for (int k = 0; k < step.contact.block; k++) found[k] = scaled.r[k] / s;
  for (int k = 0; k < step.contact.block; k++) difference[k] = scaled.r[k] / s - step.r[k];
  const double error = dls_small_norm(step.contact.dim, difference);
  const double tolerance = 1e-6 * law_case_impulse(&step) + 1e-300;
  if (error > tolerance && law_case_also_solves(&step, found)) return;
  law_case_judge(law_case, error, tolerance,
                 "velocities times %.4g: r / %.4g = (%.6g, %.6g) N s, not (%.6g, %.6g)", s, s,
                 scaled.r[0] / s, scaled.r[1] / s, step.r[0], step.r[1]);
}

static const char *claims_homogeneous(const DlsLaw *law) {
  if (!(law->claims & DLS_CLAIM_HOMOGENEOUS)) return "the law does not claim DLS_CLAIM_HOMOGENEOUS";
  return law_case_needs_relation(law);
}

const LawCaseCheck law_case_homogeneous = {
    .name = "homogeneous",
    .question = "velocities times s give impulses times s",
    .tolerance = "1e-6 of the impulse",
    .cases = 4000,
    .applies = claims_homogeneous,
    .run = run_homogeneous,
};

/* How far round-off alone moves the error of an answer: r, q and the gap changed by some units of
 * their last digits, of which u = D r + q, where it nearly vanishes, may keep none, and gap + h u
 * as little. A stiff law makes much of them: 4e-16 k gap of a spring k, whatever the solve. Of up
 * to 13 numbers 20 draws see some two units along any way, the answer may be off by one or two
 * along the worst, sqrt(13) as long: LAW_CASE_GRANTED times as much is granted. */
static double round_off(LawCase *law_case, LawCaseStep *step, double error) {
  LawCaseStep near;
  DlsRandom *random = &law_case->bench.random;
  const double gap = step->contact.gap;
  double moved = 0;
  for (int time = 0; time < 20; time++) {
    near = *step; /* its custom relation still speaks of *step, whose gap it sees */
    for (int k = 0; k < step->contact.block; k++) {
      near.r[k] *= 1 + 4e-16 * dls_random_normal(random);
      near.q[k] *= 1 + 4e-16 * dls_random_normal(random);
    }
    step->contact.gap = gap * (1 + 4e-16 * dls_random_normal(random));
    moved = fmax(moved, fabs(law_case_relation_error(&near) - error));
  }
  step->contact.gap = gap;
  return moved;
}

/* Any contact, D, q and guess; half of them with four decades between the entries of D. */
static void run_solve(LawCase *law_case) {
  LawCaseStep step;
  DlsRandom *random = &law_case->bench.random;
  memset(&step.custom, 0, sizeof step.custom);
  law_case_draw_laws(law_case, &step);
  law_case_draw_contact(law_case, &step);
  const double speed = law_case_draw_speed(law_case);
  law_case_draw_matrix(law_case, &step, LAW_CASE_COUPLED, dls_random_unit(random) < 0.5 ? 2 : 0);
  const DlsContact *c = &step.contact;
  law_case_draw_vector(random, c->dim, c->block, speed, c->radius, step.q);
  memset(step.guess, 0, sizeof step.guess);
  if (dls_random_unit(random) < 0.7)
    law_case_draw_vector(random, c->dim, c->block, speed * c->mass, 1 / c->radius, step.guess);
  if (law_case_orient(law_case, &step) != LAW_CASE_OK) return;
  if (law_case_begin(law_case, &step) != LAW_CASE_OK) return;
  if (law_case_answer(law_case, &step) != LAW_CASE_OK) return;
  DlsBenchResult *result = law_case->bench.result;
  if (step.outcome == DLS_LOCAL_NONE && step.custom.residual && !step.custom.solve) {
    /* Newton's method on a residual with kinks promises nothing: few such cases are no fault. */
    const bool often = (double)++result->unsolved > 5 + 1e-3 * (double)result->cases;
    law_case_judge(law_case, often ? INFINITY : 0, 1,
                   "%ld of %ld problems have no solution that is found", result->unsolved,
                   result->cases + 1);
    return;
  }
  const double error = law_case_relation_error(&step);
  const double granted = error > 1e-8 ? LAW_CASE_GRANTED * round_off(law_case, &step, error) : 0;
  law_case_judge(
      law_case, error, 1e-8 + granted, "%s: the relation is missed by %.2e of max(|r|, |q|/|D|)",
      step.outcome == DLS_LOCAL_NONE ? "no solution found" : "the solution found", error);
}

const LawCaseCheck law_case_solve = {
    .name = "solve",
    .question = "the one-contact solve meets the relation, from any start",
    .tolerance = "1e-8, relative",
    .cases = 0, /* as many as options->starts */
    .applies = law_case_needs_relation,
    .run = run_solve,
};
