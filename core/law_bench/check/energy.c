/* Energy: what a step dissipates, and what the law says of it.
 *
 *   work of the impulse on the bodies   w = ½ r·(u + u⁻)           (exact for rigid bodies)
 *   the account of a step               -w = stored - stored⁻ + dissipated
 *
 * Free motion (q = u⁻), no N-T coupling in D, and a gap that is not pushed apart: there the
 * dissipation is not negative (Moreau 1994, eq. 6.5); elsewhere the scheme itself adds to it. */
#include "law_bench/law_bench_impl.h"

/* The worst gain of a path: what a step wins, or declares as a negative dissipation. */
typedef struct {
  double gain, tolerance;
  double share; /* of the energy that the contact exchanged in that step */
  int step;
  LawCasePoint at, before;
  bool by_declaration;
} Gain;

static void consider(double gain, double tolerance, double exchanged, int step,
                     const LawCasePoint *points, bool by_declaration, Gain *worst) {
  if (worst->step >= 0 && !(gain / tolerance > worst->gain / worst->tolerance)) return;
  *worst = (Gain){.gain = gain,
                  .tolerance = tolerance,
                  .share = exchanged > 0 ? gain / exchanged : 0,
                  .step = step,
                  .at = points[step],
                  .by_declaration = by_declaration};
  if (step > 0) worst->before = points[step - 1];
}

/* The first step of a contact counts for laws that store nothing: what it stored when it was found,
 * already overlapping perhaps, is not known. */
static LawCaseOutcome find_gain(LawCase *law_case, const LawCasePath *path, Gain *worst) {
  LawCaseStep last;
  LawCasePoint points[LAW_CASE_MAX_STEPS];
  const LawCaseOutcome outcome =
      law_case_walk(law_case, path, (LawCaseView){0}, false, &last, points);
  const bool declared = law_case->law->energy != NULL;
  double before = 0;
  bool known = false;
  *worst = (Gain){.step = -1};
  for (int k = 0; k < path->steps && outcome == LAW_CASE_OK; k++) {
    const LawCasePoint *p = &points[k];
    if (!p->called) {
      known = false;
      before = 0;
      continue;
    }
    const double change = p->stored - before, exchanged = fabs(p->work) + fabs(change);
    const double tolerance =
        1e-7 * (p->impulse * p->speed + fabs(p->stored) + fabs(before)) + 1e-300;
    if (known || !declared)
      consider(p->work + change, tolerance, exchanged, k, points, false, worst);
    consider(-p->dissipated, tolerance, exchanged, k, points, true, worst);
    before = p->stored;
    known = true;
  }
  return outcome;
}

/* A law that stores energy is integrated: what its step leaves must vanish with the step. */
static bool vanishes(LawCase *law_case, const LawCasePath *path, const Gain *coarse) {
  LawCasePath fine = *path;
  Gain gain;
  if (!law_case->law->energy) return false;
  fine.start.contact.h /= 256;
  return find_gain(law_case, &fine, &gain) == LAW_CASE_OK && gain.share < coarse->share / 16;
}

static void run_dissipation(LawCase *law_case) {
  LawCasePath path;
  Gain worst;
  law_case_draw_path(law_case, LAW_CASE_ALL_APART, false, &path);
  path.gap_counts = false;
  if (path.start.parts > 1) return; /* whose energy it is, is not said */
  path.start.contact.gap = fmax(path.start.contact.gap, 0);
  if (find_gain(law_case, &path, &worst) != LAW_CASE_OK || worst.step < 0) return;
  if (worst.gain > worst.tolerance && vanishes(law_case, &path, &worst)) return;
  if (worst.by_declaration)
    law_case_judge(law_case, worst.gain, worst.tolerance, "step %d declares %.3g J dissipated",
                   worst.step + 1, worst.at.dissipated);
  else
    law_case_judge(law_case, worst.gain, worst.tolerance,
                   "step %d gains %.3g J: the impulse works %.3g J, stored %.3g J -> %.3g J%s",
                   worst.step + 1, worst.gain, worst.at.work, worst.before.stored, worst.at.stored,
                   law_case->law->energy ? "" : " (the law declares no energy)");
}

const LawCaseCheck law_case_dissipation = {
    .name = "dissipation",
    .question = "a step in free motion never gains energy",
    .tolerance = "1e-7 of the energy",
    .cases = 4000,
    .applies = law_case_needs_relation,
    .run = run_dissipation,
};

/* The account of every step but the first, whose stored energy at the start is not known; and
 * nothing is left in a contact that has opened beyond its range. */
static void run_energy(LawCase *law_case) {
  LawCasePath path;
  LawCaseStep last;
  LawCasePoint points[LAW_CASE_MAX_STEPS];
  law_case_draw_path(law_case, LAW_CASE_COUPLED, true, &path);
  path.steps = LAW_CASE_MAX_STEPS;
  if (path.start.parts > 1) return;
  if (law_case_walk(law_case, &path, (LawCaseView){0}, false, &last, points) != LAW_CASE_OK) return;
  const double range = law_case_range(&path.start, 0);
  for (int k = 1; k < path.steps; k++) {
    const LawCasePoint *p = &points[k], *before = &points[k - 1];
    if (!p->called || !before->called) continue;
    const double tolerance =
        1e-6 * (p->impulse * p->speed + fabs(p->stored) + fabs(before->stored)) + 1e-300;
    const double missing = -p->work - (p->stored - before->stored) - p->dissipated;
    law_case_judge(law_case, fabs(missing), tolerance,
                   "step %d: the bodies lose %.4g J; stored %.4g J -> %.4g J, dissipated %.4g J",
                   k + 1, -p->work, before->stored, p->stored, p->dissipated);
    if (before->gap > range && p->gap > range && dls_small_norm(last.contact.block, p->r) == 0)
      law_case_judge(law_case, fabs(p->stored), 1e-6 * p->impulse * p->speed + 1e-300,
                     "step %d: open by %.3g m, beyond its range, with %.4g J still stored", k + 1,
                     p->gap, p->stored);
  }
}

static const char *has_energy(const DlsLaw *law) {
  if (!law->energy) return "the law declares no energy";
  return law_case_needs_relation(law);
}

const LawCaseCheck law_case_energy = {
    .name = "energy",
    .question = "what the bodies lose is what `energy` declares stored and dissipated",
    .tolerance = "1e-6 of the energy",
    .cases = 4000,
    .applies = has_energy,
    .run = run_energy,
};
