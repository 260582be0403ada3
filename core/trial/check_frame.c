/* Indifference: to the choice of tangent axes (a new one in every step), to a rotation of the whole
 * of space, and to which of the two bodies is called the candidate. */
#include "trial/trial_impl.h"

/* Torques count by the radius. */
static double apart(const DlsContact *c, const double *x, const double *y) {
  double sum = 0;
  for (int k = 0; k < c->block; k++) sum = hypot(sum, (x[k] - y[k]) / (k < c->dim ? 1 : c->radius));
  return sum;
}

/* Both descriptions step by step. Where the answers differ but each solves the problem of the other,
 * the law has several solutions, and the rest of the path tells nothing. */
static void compare(Trial *trial, const TrialPath *path, TrialView view, const char *what) {
  TrialWalk here, there;
  TrialPoint at, seen;
  const bool by_force = !trial_solves(trial->law);
  trial_walk_begin(path, (TrialView){0}, by_force, &here);
  trial_walk_begin(path, view, by_force, &there);
  for (int k = 0; k < path->steps; k++) {
    trial_say(trial, "as it is, then with %s, step %d:\n", what, k + 1);
    if (trial_walk_on(trial, &here, &at) != TRIAL_OK) return;
    if (trial_walk_on(trial, &there, &seen) != TRIAL_OK) return;
    const double error = apart(&here.step.contact, at.r, seen.r);
    const double tolerance = 1e-5 * at.impulse + 1e-300;
    if (error > tolerance && (trial_walk_solves(&here, seen.r) ||
                              trial_path_is_sensitive(trial, path, by_force, k, &at)))
      return;
    trial_judge(trial, error, tolerance,
                "with %s, step %d gives r = (%.6g, %.6g, ...) N s in the old axes, not (%.6g, "
                "%.6g, ...)",
                what, k + 1, seen.r[0], seen.r[1], at.r[0], at.r[1]);
    if (error > tolerance) return; /* the rest of the path follows from it */
  }
}

static void run_frame(Trial *trial) {
  TrialPath path;
  trial_draw_path(trial, TRIAL_NORMAL_APART, true, &path);
  if (path.start.contact.dim == 3 && dls_random_unit(&trial->random) < 0.7)
    compare(trial, &path, (TrialView){.turn_tangents = true}, "other tangent axes");
  else
    compare(trial, &path, (TrialView){.turn_space = true}, "all of space turned");
}

static void run_swap(Trial *trial) {
  TrialPath path;
  trial_draw_path(trial, TRIAL_NORMAL_APART, true, &path);
  compare(trial, &path, (TrialView){.swap = true}, "the bodies swapped");
}

const TrialCheck trial_frame = {
    .name = "frame",
    .question = "the choice of tangent axes, and of axes in space, changes nothing",
    .cases = 3000,
    .run = run_frame,
};

static const char *claims_swap(const DlsLaw *law) {
  return law->claims & DLS_CLAIM_SWAP ? NULL : "the law does not claim DLS_CLAIM_SWAP";
}

const TrialCheck trial_swap = {
    .name = "swap",
    .question = "the two bodies may change places",
    .cases = 3000,
    .applies = claims_swap,
    .run = run_swap,
};
