/* Laws for the explicit scheme: nothing beyond the range, friction that slides, and no energy from
 * a closed loop. */
#include "trial/trial_impl.h"

static const char *has_force(const DlsLaw *law) {
  return law->force ? NULL : "the law has no force";
}

/* A new contact at a gap, moving at u. */
static TrialOutcome draw_place(Trial *trial, double gap, TrialStep *step) {
  memset(step, 0, sizeof *step);
  trial_draw_laws(trial, step);
  trial_draw_contact(trial, step);
  trial_draw_matrix(trial, step, TRIAL_NORMAL_APART, 0);
  step->contact.gap = gap;
  step->contact.gap_rate = 0;
  memset(step->contact.u_before, 0, sizeof step->contact.u_before);
  const TrialOutcome outcome = trial_orient(trial, step);
  return outcome == TRIAL_OK ? trial_begin(trial, step) : outcome;
}

/* The force at gap and u; the state goes on by h. */
static TrialOutcome drive(Trial *trial, TrialStep *step, double gap, const double *u, double *f) {
  DlsContact *c = &step->contact;
  TrialPart *part = &step->part[step->parts - 1];
  c->gap = gap;
  memset(f, 0, DLS_MAX_BLOCK * sizeof *f);
  memcpy(c->u_before, u, (size_t)c->block * sizeof *u);
  const DlsStatus status = part->law->force(c, part->params, part->state, u, f);
  if (status == DLS_ERR_LAW && part->drawn) return TRIAL_REFUSED;
  if (status != DLS_OK || !dls_small_finite(c->block, f)) {
    trial_broken(trial, "force at gap %.3g m: %s", gap,
                 status != DLS_OK ? dls_status_text(status) : "a number that is not finite");
    return TRIAL_BROKEN;
  }
  for (int k = 0; k < c->block; k++) {
    step->u[k] = u[k];
    step->r[k] = c->h * f[k];
  }
  c->time += c->h;
  return trial_commit(trial, step);
}

/* Pressed, slid for a while, lifted beyond the range: no force is left. */
static void judge_range(Trial *trial, TrialStep *step) {
  const DlsContact *c = &step->contact;
  const double range = trial_range(&step->part[step->parts - 1]);
  const double depth = 1e-3 * c->radius, speed = 0.1 * depth / c->h;
  double u[DLS_MAX_BLOCK] = {0}, f[DLS_MAX_BLOCK];
  u[1] = speed;
  for (int k = 0; k < 20; k++)
    if (drive(trial, step, -depth, u, f) != TRIAL_OK) return;
  u[0] = speed;
  const double gap = range + depth * dls_random_unit(&trial->random) + 1e-12 * c->radius;
  for (int k = 0; k < 2; k++)
    if (drive(trial, step, gap, u, f) != TRIAL_OK) return;
  trial_judge(trial, dls_small_norm(c->block, f), 1e-300,
              "beyond its range of %.3g m, at gap %.3g m, the force is (%.3g, %.3g, ...) N", range,
              gap, f[0], f[1]);
}

/* Sliding under constant overlap: the tangential force comes to rest at some limit. */
static void judge_sliding(Trial *trial, TrialStep *step) {
  const DlsContact *c = &step->contact;
  const double depth = 1e-3 * c->radius, speed = 0.5 * depth / c->h;
  double u[DLS_MAX_BLOCK] = {0}, f[DLS_MAX_BLOCK], half = 0;
  u[1] = speed;
  for (int k = 0; k < 10000; k++) {
    if (drive(trial, step, -depth, u, f) != TRIAL_OK) return;
    if (k == 5000) half = dls_small_norm(c->dim - 1, f + 1);
  }
  const double end = dls_small_norm(c->dim - 1, f + 1), normal = fabs(f[0]);
  trial_judge(trial, end - 1.5 * half, 1e-6 * normal + 1e-300,
              "sliding on at overlap %.3g m, |f_T| grows from %.4g N to %.4g N (f_N = %.4g N)",
              depth, half, end, normal);
  trial_judge(trial, f[1] * u[1], 1e-6 * normal * speed + 1e-300,
              "steady sliding at %.3g m/s is driven by f_T = %.4g N", speed, f[1]);
}

static void run_force(Trial *trial) {
  TrialStep step;
  const bool slides = trial->number % 20 == 0; /* parameters as given, and dear */
  const TrialOutcome outcome = draw_place(trial, 0, &step);
  if (outcome != TRIAL_OK) return;
  if (slides)
    judge_sliding(trial, &step);
  else
    judge_range(trial, &step);
  trial_say_step(trial, "end", &step);
}

const TrialCheck trial_force = {
    .name = "force",
    .question = "no force beyond the range; sliding meets a limit",
    .cases = 1000,
    .applies = has_force,
    .run = run_force,
};

/* A loop from open to an overlap and back, around an ellipse along the tangent, in `count` steps;
 * returns the work on the bodies, Σ f·Δx by the trapezoidal rule; *exchange is Σ |f·Δx|. */
static TrialOutcome go_round(Trial *trial, TrialStep step, int count, double sense, double period,
                             double *work, double *exchange) {
  DlsContact *c = &step.contact;
  const double range = trial_range(&step.part[step.parts - 1]), depth = 2e-3 * c->radius;
  const double top = range + 0.5 * depth, middle = 0.5 * (top - depth), swing = 0.5 * (top + depth);
  double f[DLS_MAX_BLOCK], last[DLS_MAX_BLOCK] = {0}, x[2] = {top, 0};
  c->h = period / count;
  *work = *exchange = 0;
  for (int k = 0; k <= count; k++) {
    const double angle = sense * 6.283185307179586 * k / count, turn = sense * 6.283185307179586;
    const double at[2] = {middle + swing * cos(angle), depth * sin(angle)};
    double u[DLS_MAX_BLOCK] = {-swing * sin(angle) * turn / period,
                               depth * cos(angle) * turn / period};
    const TrialOutcome outcome = drive(trial, &step, at[0], u, f);
    if (outcome != TRIAL_OK) return outcome;
    for (int i = 0; i < 2 && k > 0; i++) {
      const double share = 0.5 * (f[i] + last[i]) * (at[i] - x[i]);
      *work += share;
      *exchange += fabs(share);
    }
    memcpy(last, f, sizeof last);
    memcpy(x, at, sizeof x);
  }
  return TRIAL_OK;
}

/* Both senses: what would be gained one way round is lost the other. The difference between two step
 * lengths tells what the rule itself leaves. */
static void run_loops(Trial *trial) {
  TrialStep step;
  if (draw_place(trial, 0, &step) != TRIAL_OK) return;
  const double period = trial_log_uniform(&trial->random, -3, 1);
  for (int sense = -1; sense <= 1; sense += 2) {
    double coarse, fine, exchange, ignored;
    if (go_round(trial, step, 1000, sense, period, &coarse, &ignored) != TRIAL_OK) return;
    if (go_round(trial, step, 2000, sense, period, &fine, &exchange) != TRIAL_OK) return;
    trial_say(trial, "loop %+d in %g s: work %.6g J in 1000 steps, %.6g J in 2000, of %.6g J\n",
              sense, period, coarse, fine, exchange);
    trial_judge(trial, fine, 2 * fabs(fine - coarse) + 1e-4 * exchange + 1e-300,
                "a closed loop in %.3g s gives the bodies %.4g J, of %.4g J exchanged", period,
                fine, exchange);
  }
  trial_say_step(trial, "contact", &step);
}

const TrialCheck trial_loops = {
    .name = "loops",
    .question = "the force gives no energy in a closed loop of gap and slip",
    .cases = 120,
    .applies = has_force,
    .run = run_loops,
};
