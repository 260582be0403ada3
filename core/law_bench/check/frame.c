/* Indifference: to the choice of tangent axes (a new one in every step), to a rotation of the whole
 * of space, to which of the two bodies is called the candidate, and to a turn of both together. */
#include "law_bench/law_bench_impl.h"

/* Both descriptions step by step. Where the answers differ but each solves the problem of the
 * other, the law has several solutions, and the rest of the path tells nothing. */
static void compare(LawCase *law_case, const LawCasePath *path, LawCaseView view,
                    const char *what) {
  LawCaseWalk here, there;
  LawCasePoint at, seen;
  const bool by_force = !law_case_solves(law_case->law);
  law_case_walk_begin(path, (LawCaseView){0}, by_force, &here);
  law_case_walk_begin(path, view, by_force, &there);
  for (int k = 0; k < path->steps; k++) {
    law_case_say(law_case, "as it is, then with %s, step %d:\n", what, k + 1);
    if (law_case_walk_on(law_case, &here, &at) != LAW_CASE_OK) return;
    if (law_case_walk_on(law_case, &there, &seen) != LAW_CASE_OK) return;
    const double error = law_case_apart(&here.step.contact, at.r, seen.r);
    double tolerance = 1e-5 * at.impulse + 1e-300;
    if (error > tolerance) {
      const double *state = here.step.part[here.step.parts - 1].state;
      tolerance +=
          LAW_CASE_GRANTED * law_case_growth(law_case, path, by_force, k, &at, state).impulse;
      if (error <= tolerance || law_case_walk_solves(&here, seen.r)) return;
    }
    law_case_judge(law_case, error, tolerance,
                   "with %s, step %d gives r = (%.6g, %.6g, ...) N s in the old axes, not (%.6g, "
                   "%.6g, ...)",
                   what, k + 1, seen.r[0], seen.r[1], at.r[0], at.r[1]);
    if (error > tolerance) return; /* the rest of the path follows from it */
  }
}

static void run_frame(LawCase *law_case) {
  LawCasePath path;
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  if (path.start.contact.dim == 3 && dls_random_unit(&law_case->bench.random) < 0.7)
    compare(law_case, &path, (LawCaseView){.turn_tangents = true}, "other tangent axes");
  else
    compare(law_case, &path, (LawCaseView){.turn_space = true}, "all of space turned");
}

static void run_turn(LawCase *law_case) {
  LawCasePath path;
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  compare(law_case, &path, (LawCaseView){.turn_pair = true}, "both bodies turning together");
}

static void run_swap(LawCase *law_case) {
  LawCasePath path;
  law_case_draw_path(law_case, LAW_CASE_NORMAL_APART, true, &path);
  compare(law_case, &path, (LawCaseView){.swap = true}, "the bodies swapped");
}

const LawCaseCheck law_case_frame = {
    .name = "frame",
    .question = "the choice of tangent axes, and of axes in space, changes nothing",
    .tolerance = "1e-5 of the impulse",
    .cases = 3000,
    .run = run_frame,
};

const LawCaseCheck law_case_turn = {
    .name = "turn",
    .question = "where both bodies turn together as one, forces turn with them",
    .tolerance = "1e-5 of the impulse",
    .cases = 3000,
    .run = run_turn,
};

static const char *claims_swap(const DlsLaw *law) {
  return law->claims & DLS_CLAIM_SWAP ? NULL : "the law does not claim DLS_CLAIM_SWAP";
}

const LawCaseCheck law_case_swap = {
    .name = "swap",
    .question = "the two bodies may change places",
    .tolerance = "1e-5 of the impulse",
    .cases = 3000,
    .applies = claims_swap,
    .run = run_swap,
};
