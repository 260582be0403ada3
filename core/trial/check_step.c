/* Dependence on the time-step, for information: the impulse of two steps of h against eight of h/4
 * under the same forces. Zero-range cohesion depends on it by nature (Brendel et al. 2004, sec. 1.8).
 */
#include "trial/trial_impl.h"

static void run_step(Trial *trial) {
  TrialPath path, fine;
  TrialStep last;
  TrialPoint points[TRIAL_MAX_STEPS];
  double coarse_sum = 0, fine_sum = 0, size = 0;
  trial_draw_path(trial, TRIAL_NORMAL_APART, true, &path);
  path.steps = 2;
  fine = path;
  fine.steps = 8;
  fine.start.contact.h /= 4;
  for (int k = 0; k < fine.steps; k++)
    for (int i = 0; i < DLS_MAX_BLOCK; i++) fine.push[k][i] = path.push[k / 4][i] / 4;
  if (trial_walk(trial, &path, (TrialView){0}, false, &last, points) != TRIAL_OK) return;
  for (int k = 0; k < path.steps; k++) {
    coarse_sum += points[k].r[0];
    size = fmax(size, points[k].impulse);
  }
  trial_say(trial, "with h / 4:\n");
  if (trial_walk(trial, &fine, (TrialView){0}, false, &last, points) != TRIAL_OK) return;
  for (int k = 0; k < fine.steps; k++) fine_sum += points[k].r[0];
  trial_judge(trial, fabs(fine_sum - coarse_sum), size + 1e-300,
              "two steps of %.3g s give r_N = %.4g N s, eight of a quarter %.4g",
              path.start.contact.h, coarse_sum, fine_sum);
}

const TrialCheck trial_step = {
    .name = "step",
    .question = "how much the impulse changes with the time-step (for information)",
    .cases = 1000,
    .applies = trial_needs_relation,
    .run = run_step,
};
