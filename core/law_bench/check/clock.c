/* The clock: the same path, begun at another time. A law that looks at c->time says so by
 * DLS_CLAIM_CLOCK, and what that makes is reported; of others nothing may change. */
#include "law_bench/law_bench_impl.h"

static void run_clock(LawCase *law_case) {
  LawCasePath path, later;
  LawCaseWalk here, there;
  LawCasePoint at, seen;
  const bool by_force = !law_case_solves(law_case->law);
  const bool claimed = (law_case->law->claims & DLS_CLAIM_CLOCK) != 0;
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  later = path;
  const double shift = dls_bench_log_uniform(&law_case->bench.random, -3, 4);
  later.start.contact.time += shift;
  law_case_walk_begin(&path, (LawCaseView){0}, by_force, &here);
  law_case_walk_begin(&later, (LawCaseView){0}, by_force, &there);
  for (int k = 0; k < path.steps; k++) {
    law_case_say(law_case, "as it is, then %g s later, step %d:\n", shift, k + 1);
    if (law_case_walk_on(law_case, &here, &at) != LAW_CASE_OK) return;
    if (law_case_walk_on(law_case, &there, &seen) != LAW_CASE_OK) return;
    const double error = law_case_apart(&here.step.contact, at.r, seen.r);
    const double tolerance = 1e-9 * at.impulse + 1e-300; /* not even round-off is different */
    if (claimed)
      law_case_report(law_case, error / (at.impulse + 1e-300),
                      "%.3g s later step %d gives r = (%.6g, %.6g, ...) N s, not (%.6g, %.6g, ...)",
                      shift, k + 1, seen.r[0], seen.r[1], at.r[0], at.r[1]);
    else
      law_case_judge(law_case, error, tolerance,
                     "%.3g s later step %d gives r = (%.6g, %.6g, ...) N s, not (%.6g, %.6g, ...), "
                     "and the law does not claim DLS_CLAIM_CLOCK",
                     shift, k + 1, seen.r[0], seen.r[1], at.r[0], at.r[1]);
    if (error > tolerance) return; /* the rest follows from it */
  }
}

static void conclude(const DlsLaw *law, DlsBenchResult *result, const void *notes) {
  (void)notes;
  if ((law->claims & DLS_CLAIM_CLOCK) && result->outcome == DLS_BENCH_PASSED && result->worst > 0)
    result->outcome = DLS_BENCH_REPORTED;
}

const LawCaseCheck law_case_clock = {
    .name = "clock",
    .question = "the same path at another time gives the same, unless the law says so",
    .tolerance = "1e-9 of the impulse",
    .cases = 2000,
    .run = run_clock,
    .conclude = conclude,
};
