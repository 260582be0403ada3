/* Energy: what a step dissipates, and what the law says of it.
 *
 *   work of the impulse on the bodies   w = ½ r·(u + u⁻)           (exact for rigid bodies)
 *   the account of a step               -w = stored - stored⁻ + dissipated
 *
 * Free motion (q = u⁻), no N-T coupling in D, and a gap that is not pushed apart: there the
 * dissipation is not negative (Moreau 1994, eq. 6.5); elsewhere the scheme itself adds to it. */
#include "trial/trial_impl.h"

/* One step and the few after it, without other forces. */
static void run_dissipation(Trial *trial) {
  TrialPath path;
  TrialStep last;
  TrialPoint points[TRIAL_MAX_STEPS];
  trial_draw_path(trial, TRIAL_ALL_APART, false, &path);
  path.gap_counts = false;
  if (path.start.parts > 1) return; /* whose energy it is, is not said */
  path.start.contact.gap = fmax(path.start.contact.gap, 0);
  if (trial_walk(trial, &path, (TrialView){0}, false, &last, points) != TRIAL_OK) return;
  double before = 0;
  const bool declared = trial->law->energy != NULL;
  for (int k = 0; k < path.steps; k++) {
    const TrialPoint *p = &points[k];
    if (!p->called) continue;
    const double tolerance =
        1e-7 * (p->impulse * p->speed + fabs(p->stored) + fabs(before)) + 1e-300;
    if (k > 0 || !declared) {
      const double lost = -p->work - (p->stored - before);
      trial_judge(trial, -lost, tolerance,
                  "step %d gains %.3g J: the impulse works %.3g J, stored %.3g J -> %.3g J%s",
                  k + 1, -lost, p->work, before, p->stored,
                  declared ? "" : " (the law declares no energy)");
    }
    trial_judge(trial, -p->dissipated, tolerance, "step %d declares %.3g J dissipated", k + 1,
                p->dissipated);
    before = p->stored;
  }
}

const TrialCheck trial_dissipation = {
    .name = "dissipation",
    .question = "a step in free motion never gains energy",
    .cases = 4000,
    .applies = trial_needs_relation,
    .run = run_dissipation,
};

/* The account of every step but the first, whose stored energy at the start is not known; and
 * nothing is left in a contact that has opened beyond its range. */
static void run_energy(Trial *trial) {
  TrialPath path;
  TrialStep last;
  TrialPoint points[TRIAL_MAX_STEPS];
  trial_draw_path(trial, TRIAL_COUPLED, true, &path);
  path.steps = TRIAL_MAX_STEPS;
  if (path.start.parts > 1) return;
  if (trial_walk(trial, &path, (TrialView){0}, false, &last, points) != TRIAL_OK) return;
  const double range = trial_range(&path.start.part[0]);
  for (int k = 1; k < path.steps; k++) {
    const TrialPoint *p = &points[k], *before = &points[k - 1];
    if (!p->called || !before->called) continue;
    const double tolerance =
        1e-6 * (p->impulse * p->speed + fabs(p->stored) + fabs(before->stored)) + 1e-300;
    const double missing = -p->work - (p->stored - before->stored) - p->dissipated;
    trial_judge(trial, fabs(missing), tolerance,
                "step %d: the bodies lose %.4g J; stored %.4g J -> %.4g J, dissipated %.4g J",
                k + 1, -p->work, before->stored, p->stored, p->dissipated);
    if (before->gap > range && p->gap > range && dls_small_norm(last.contact.block, p->r) == 0)
      trial_judge(trial, fabs(p->stored), 1e-6 * p->impulse * p->speed + 1e-300,
                  "step %d: open by %.3g m, beyond its range, with %.4g J still stored", k + 1,
                  p->gap, p->stored);
  }
}

static const char *has_energy(const DlsLaw *law) {
  if (!law->energy) return "the law declares no energy";
  return trial_needs_relation(law);
}

const TrialCheck trial_energy = {
    .name = "energy",
    .question = "what the bodies lose is what `energy` declares stored and dissipated",
    .cases = 4000,
    .applies = has_energy,
    .run = run_energy,
};
