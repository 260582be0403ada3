/* A law that claims to look at the contact alone (DLS_CLAIM_PLAIN): the same path, walked once with
 * all that there is to tell, once with nothing of the bodies, gives the same to the last bit. What
 * is left out is NaN there, and no name, and no id that a body has: the core gives 0 and NULL. */
#include "law_bench/law_bench_impl.h"

static const char *applies(const DlsLaw *law) {
  return law->claims & DLS_CLAIM_PLAIN ? NULL : "the law does not claim DLS_CLAIM_PLAIN";
}

static double state_error(const LawCaseWalk *here, const LawCaseWalk *there) {
  double worst = 0;
  for (int k = 0; k < here->step.parts; k++) {
    const LawCasePart *told = &here->step.part[k], *untold = &there->step.part[k];
    for (int i = 0; i < told->law->nstates; i++)
      worst = fmax(worst, fabs(told->state[i] - untold->state[i]));
  }
  return worst;
}

static void run_plain(LawCase *law_case) {
  LawCasePath path;
  LawCaseWalk here, there;
  LawCasePoint at, seen;
  const bool by_force = !law_case_solves(law_case->law);
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  law_case_walk_begin(&path, (LawCaseView){0}, by_force, &here);
  law_case_walk_begin(&path, (LawCaseView){.blind = true}, by_force, &there);
  for (int k = 0; k < path.steps; k++) {
    law_case_say(law_case, "told all, then nothing of the bodies, step %d:\n", k + 1);
    if (law_case_walk_on(law_case, &here, &at) != LAW_CASE_OK) return;
    if (law_case_walk_on(law_case, &there, &seen) != LAW_CASE_OK) return;
    double error = law_case_apart(&here.step.contact, at.r, seen.r);
    error = fmax(error, fabs(at.stored - seen.stored));
    error = fmax(error, fabs(at.dissipated - seen.dissipated));
    error = fmax(error, state_error(&here, &there));
    law_case_judge(
        law_case, error, 1e-300,
        "told nothing of the bodies, step %d gives r = (%.6g, %.6g, ...) N s, not (%.6g, "
        "%.6g, ...), or another energy or state: leave out the claim DLS_CLAIM_PLAIN",
        k + 1, seen.r[0], seen.r[1], at.r[0], at.r[1]);
    if (error > 0) return; /* the rest follows from it */
  }
}

const LawCaseCheck law_case_plain = {
    .name = "plain",
    .question = "told nothing of the two bodies it answers the same",
    .tolerance = "none, to the last bit",
    .cases = 2000,
    .applies = applies,
    .run = run_plain,
};
