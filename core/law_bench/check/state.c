/* Purity: the same calls give the same bits, whatever other contacts did in between; nothing is
 * written but what a function returns; states stay within their bounds. */
#include "law_bench/law_bench_impl.h"

static bool same_bits(const void *a, const void *b, size_t bytes) {
  return memcmp(a, b, bytes) == 0;
}

/* Two contacts in turn, each as if it were alone. */
static void judge_interleaved(LawCase *law_case, const LawCasePath *path, const LawCasePath *other,
                              const LawCasePoint *alone, const LawCaseStep *last) {
  LawCaseWalk walk, stranger;
  LawCasePoint point, ignored;
  const bool by_force = !law_case_solves(law_case->law);
  bool strange = true;
  law_case_walk_begin(path, (LawCaseView){0}, by_force, &walk);
  law_case_walk_begin(other, (LawCaseView){0}, by_force, &stranger);
  for (int k = 0; k < path->steps; k++) {
    if (strange && k < other->steps)
      strange = law_case_walk_on(law_case, &stranger, &ignored) == LAW_CASE_OK;
    if (law_case_walk_on(law_case, &walk, &point) != LAW_CASE_OK) return;
    if (!same_bits(point.r, alone[k].r, sizeof point.r)) {
      law_case_broken(
          law_case,
          "step %d gives r_N = %.17g N s with another contact in between, %.17g alone: it "
          "keeps something outside `state`",
          k + 1, point.r[0], alone[k].r[0]);
      return;
    }
  }
  const int part = last->parts - 1;
  if (!same_bits(walk.step.part[part].state, last->part[part].state,
                 (size_t)law_case->law->nstates * sizeof(double)))
    law_case_broken(law_case, "with another contact in between the state ends otherwise");
}

static void judge_written(LawCase *law_case, const LawCaseStep *before, const LawCaseStep *after) {
  for (int k = 0; k < before->parts; k++) {
    const LawCasePart *old = &before->part[k], *new = &after->part[k];
    const size_t states = (size_t)old->law->nstates;
    if (!same_bits(old->params, new->params, (size_t)old->law->nparams * sizeof(double)))
      law_case_broken(law_case, "%s writes into its parameters", old->law->name);
    if (!same_bits(old->state + states, new->state + states,
                   (DLS_MAX_PARAMS + LAW_CASE_WATCHED - states) * sizeof(double)))
      law_case_broken(law_case, "%s writes behind its %d state variables", old->law->name,
                      old->law->nstates);
  }
}

/* prepare, residual, energy and force only read the state; commit twice from it gives one
 * answer. */
static void judge_reading(LawCase *law_case, LawCaseStep *step) {
  LawCasePart *part = &step->part[step->parts - 1];
  double kept[DLS_MAX_PARAMS], first[DLS_MAX_PARAMS], surface[2][DLS_MAX_PARAMS];
  const size_t bytes = (size_t)part->law->nstates * sizeof *kept;
  memcpy(kept, part->state, bytes);
  memcpy(surface, part->surface, sizeof surface);
  if (law_case_solves(part->law)) {
    double stored, dissipated;
    if (law_case_answer(law_case, step) != LAW_CASE_OK) return;
    if (dls_law_energy(&step->use, step->u, step->r, &stored, &dissipated) != DLS_OK) return;
    if (!same_bits(kept, part->state, bytes))
      law_case_broken(law_case, "the state changes before commit");
    memcpy(part->state, kept, bytes);
  }
  if (law_case_commit(law_case, step) != LAW_CASE_OK) return;
  memcpy(first, part->state, bytes);
  memcpy(part->state, kept, bytes);
  memcpy(part->surface, surface, sizeof surface);
  if (law_case_commit(law_case, step) != LAW_CASE_OK) return;
  law_case_judge(law_case, same_bits(first, part->state, bytes) ? 0 : INFINITY, 1,
                 "commit twice from the same state gives two answers");
}

static void run_state(LawCase *law_case) {
  LawCasePath path, other;
  LawCaseStep last, again;
  LawCasePoint first[LAW_CASE_MAX_STEPS], second[LAW_CASE_MAX_STEPS];
  const bool by_force = !law_case_solves(law_case->law);
  law_case->bounds = true;
  law_case_draw_path(law_case, LAW_CASE_COUPLED, true, &path);
  law_case_draw_path(law_case, LAW_CASE_COUPLED, true, &other);
  if (law_case_walk(law_case, &path, (LawCaseView){0}, by_force, &last, first) != LAW_CASE_OK)
    return;
  judge_written(law_case, &path.start, &last);
  char *story = law_case->bench.story; /* told once */
  law_case->bench.story = NULL;
  if (law_case_walk(law_case, &path, (LawCaseView){0}, by_force, &again, second) != LAW_CASE_OK)
    return;
  law_case->bench.story = story;
  for (int k = 0; k < path.steps; k++)
    law_case_judge(law_case, same_bits(first[k].r, second[k].r, sizeof first[k].r) ? 0 : INFINITY,
                   1, "the same path again gives r_N = %.17g N s in step %d, not %.17g",
                   second[k].r[0], k + 1, first[k].r[0]);
  judge_interleaved(law_case, &path, &other, first, &last);
  judge_reading(law_case, &again);
}

const LawCaseCheck law_case_state = {
    .name = "state",
    .question = "states within bounds, the same calls give the same bits, nothing hidden",
    .cases = 2000,
    .run = run_state,
};
