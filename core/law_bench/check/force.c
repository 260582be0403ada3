/* Laws for the explicit scheme: nothing beyond the range, friction that slides, and no energy from
 * a closed loop. */
#include "law_bench/law_bench_impl.h"

static const char *has_force(const DlsLaw *law) {
  return law_case_forces(law) ? NULL : "the law has no force";
}

/* A new contact at a gap, moving at u. */
static LawCaseOutcome draw_place(LawCase *law_case, double gap, LawCaseStep *step) {
  memset(step, 0, sizeof *step);
  law_case_draw_laws(law_case, step);
  law_case_draw_contact(law_case, step);
  law_case_draw_matrix(law_case, step, LAW_CASE_NORMAL_APART, 0);
  step->contact.gap = gap;
  step->contact.gap_rate = 0;
  memset(step->contact.u_before, 0, sizeof step->contact.u_before);
  const LawCaseOutcome outcome = law_case_orient(law_case, step);
  return outcome == LAW_CASE_OK ? law_case_begin(law_case, step) : outcome;
}

/* The force at gap and u; the state goes on by h. */
static LawCaseOutcome drive(LawCase *law_case, LawCaseStep *step, double gap, const double *u,
                            double *f) {
  DlsContact *c = &step->contact;
  c->gap = gap;
  memcpy(c->u_before, u, (size_t)c->block * sizeof *u);
  const LawCaseOutcome outcome = law_case_push(law_case, step, u, f);
  if (outcome != LAW_CASE_OK) return outcome;
  for (int k = 0; k < c->block; k++) {
    step->u[k] = u[k];
    step->r[k] = c->h * f[k];
  }
  c->time += c->h;
  return law_case_commit(law_case, step);
}

/* Pressed, slid for a while, lifted beyond the range: no force is left. */
static void judge_range(LawCase *law_case, LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  const double range = law_case_range(step, step->parts - 1);
  const double depth = 1e-3 * c->radius, speed = 0.1 * depth / c->h;
  double u[DLS_MAX_BLOCK] = {0}, f[DLS_MAX_BLOCK];
  u[1] = speed;
  for (int k = 0; k < 20; k++)
    if (drive(law_case, step, -depth, u, f) != LAW_CASE_OK) return;
  u[0] = speed;
  const double gap = range + depth * dls_random_unit(&law_case->bench.random) + 1e-12 * c->radius;
  for (int k = 0; k < 2; k++)
    if (drive(law_case, step, gap, u, f) != LAW_CASE_OK) return;
  law_case_judge(law_case, dls_small_norm(c->block, f), 1e-300,
                 "beyond its range of %.3g m, at gap %.3g m, the force is (%.3g, %.3g, ...) N",
                 range, gap, f[0], f[1]);
}

/* Sliding under constant overlap: the tangential force comes to rest at some limit. */
static void judge_sliding(LawCase *law_case, LawCaseStep *step) {
  const DlsContact *c = &step->contact;
  const double depth = 1e-3 * c->radius, speed = 0.5 * depth / c->h;
  double u[DLS_MAX_BLOCK] = {0}, f[DLS_MAX_BLOCK], half = 0;
  u[1] = speed;
  for (int k = 0; k < 10000; k++) {
    if (drive(law_case, step, -depth, u, f) != LAW_CASE_OK) return;
    if (k == 5000) half = dls_small_norm(c->dim - 1, f + 1);
  }
  const double end = dls_small_norm(c->dim - 1, f + 1), normal = fabs(f[0]);
  law_case_judge(law_case, end - 1.5 * half, 1e-6 * normal + 1e-300,
                 "sliding on at overlap %.3g m, |f_T| grows from %.4g N to %.4g N (f_N = %.4g N)",
                 depth, half, end, normal);
  law_case_judge(law_case, f[1] * u[1], 1e-6 * normal * speed + 1e-300,
                 "steady sliding at %.3g m/s is driven by f_T = %.4g N", speed, f[1]);
}

static void run_force(LawCase *law_case) {
  LawCaseStep step;
  const bool slides = law_case->bench.number % 20 == 0; /* parameters as given, and dear */
  const LawCaseOutcome outcome = draw_place(law_case, 0, &step);
  if (outcome != LAW_CASE_OK) return;
  if (slides)
    judge_sliding(law_case, &step);
  else
    judge_range(law_case, &step);
  law_case_say_step(law_case, "end", &step);
}

const LawCaseCheck law_case_force = {
    .name = "force",
    .question = "no force beyond the range; sliding meets a limit",
    .tolerance = "1e-300 N beyond the range",
    .cases = 1000,
    .applies = has_force,
    .run = run_force,
};

/* A loop from open to an overlap and back, around an ellipse along the tangent, in `count` steps;
 * returns the work on the bodies, Σ f·Δx by the trapezoidal rule; *exchange is Σ |f·Δx|. */
static LawCaseOutcome go_round(LawCase *law_case, LawCaseStep step, int count, double sense,
                               double period, double *work, double *exchange) {
  DlsContact *c = &step.contact;
  const double range = law_case_range(&step, step.parts - 1), depth = 2e-3 * c->radius;
  const double top = range + 0.5 * depth, middle = 0.5 * (top - depth), swing = 0.5 * (top + depth);
  double f[DLS_MAX_BLOCK], last[DLS_MAX_BLOCK] = {0}, x[2] = {top, 0};
  c->h = period / count;
  *work = *exchange = 0;
  for (int k = 0; k <= count; k++) {
    const double angle = sense * 6.283185307179586 * k / count, turn = sense * 6.283185307179586;
    const double at[2] = {middle + swing * cos(angle), depth * sin(angle)};
    double u[DLS_MAX_BLOCK] = {-swing * sin(angle) * turn / period,
                               depth * cos(angle) * turn / period};
    const LawCaseOutcome outcome = drive(law_case, &step, at[0], u, f);
    if (outcome != LAW_CASE_OK) return outcome;
    for (int i = 0; i < 2 && k > 0; i++) {
      const double share = 0.5 * (f[i] + last[i]) * (at[i] - x[i]);
      *work += share;
      *exchange += fabs(share);
    }
    memcpy(last, f, sizeof last);
    memcpy(x, at, sizeof x);
  }
  return LAW_CASE_OK;
}

/* Both senses: what would be gained one way round is lost the other. The difference between two
 * step lengths tells what the rule itself leaves. */
static void run_loops(LawCase *law_case) {
  LawCaseStep step;
  if (draw_place(law_case, 0, &step) != LAW_CASE_OK) return;
  const double period = dls_bench_log_uniform(&law_case->bench.random, -3, 1);
  for (int sense = -1; sense <= 1; sense += 2) {
    double coarse, fine, exchange, ignored;
    if (go_round(law_case, step, 1000, sense, period, &coarse, &ignored) != LAW_CASE_OK) return;
    if (go_round(law_case, step, 2000, sense, period, &fine, &exchange) != LAW_CASE_OK) return;
    law_case_say(law_case,
                 "loop %+d in %g s: work %.6g J in 1000 steps, %.6g J in 2000, of %.6g J\n", sense,
                 period, coarse, fine, exchange);
    law_case_judge(law_case, fine, 2 * fabs(fine - coarse) + 1e-4 * exchange + 1e-300,
                   "a closed loop in %.3g s gives the bodies %.4g J, of %.4g J exchanged", period,
                   fine, exchange);
  }
  law_case_say_step(law_case, "contact", &step);
}

const LawCaseCheck law_case_loops = {
    .name = "loops",
    .question = "the force gives no energy in a closed loop of gap and slip",
    .tolerance = "1e-4 of the work",
    .cases = 120,
    .applies = has_force,
    .run = run_loops,
};
