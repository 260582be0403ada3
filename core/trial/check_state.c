/* Purity: the same calls give the same bits, whatever other contacts did in between; nothing is
 * written but what a function returns; states stay within their bounds. */
#include "trial/trial_impl.h"

static bool same_bits(const void *a, const void *b, size_t bytes) {
  return memcmp(a, b, bytes) == 0;
}

/* Two contacts in turn, each as if it were alone. */
static void judge_interleaved(Trial *trial, const TrialPath *path, const TrialPath *other,
                              const TrialPoint *alone, const TrialStep *last) {
  TrialWalk walk, stranger;
  TrialPoint point, ignored;
  const bool by_force = !trial_solves(trial->law);
  bool strange = true;
  trial_walk_begin(path, (TrialView){0}, by_force, &walk);
  trial_walk_begin(other, (TrialView){0}, by_force, &stranger);
  for (int k = 0; k < path->steps; k++) {
    if (strange && k < other->steps)
      strange = trial_walk_on(trial, &stranger, &ignored) == TRIAL_OK;
    if (trial_walk_on(trial, &walk, &point) != TRIAL_OK) return;
    if (!same_bits(point.r, alone[k].r, sizeof point.r)) {
      trial_broken(trial,
                   "step %d gives r_N = %.17g N s with another contact in between, %.17g alone: it "
                   "keeps something outside `state`",
                   k + 1, point.r[0], alone[k].r[0]);
      return;
    }
  }
  const int part = last->parts - 1;
  if (!same_bits(walk.step.part[part].state, last->part[part].state,
                 (size_t)trial->law->nstates * sizeof(double)))
    trial_broken(trial, "with another contact in between the state ends otherwise");
}

static void judge_written(Trial *trial, const TrialStep *before, const TrialStep *after) {
  for (int k = 0; k < before->parts; k++) {
    const TrialPart *old = &before->part[k], *new = &after->part[k];
    const size_t states = (size_t)old->law->nstates;
    if (!same_bits(old->params, new->params, (size_t)old->law->nparams * sizeof(double)))
      trial_broken(trial, "%s writes into its parameters", old->law->name);
    if (!same_bits(old->state + states, new->state + states,
                   (DLS_MAX_PARAMS + TRIAL_WATCHED - states) * sizeof(double)))
      trial_broken(trial, "%s writes behind its %d state variables", old->law->name,
                   old->law->nstates);
  }
}

/* prepare, residual, energy and force only read the state; commit twice from it gives one answer. */
static void judge_reading(Trial *trial, TrialStep *step) {
  TrialPart *part = &step->part[step->parts - 1];
  double kept[DLS_MAX_PARAMS], first[DLS_MAX_PARAMS];
  const size_t bytes = (size_t)part->law->nstates * sizeof *kept;
  memcpy(kept, part->state, bytes);
  if (trial_solves(part->law)) {
    double stored, dissipated;
    if (trial_answer(trial, step) != TRIAL_OK) return;
    if (dls_law_energy(&step->use, step->u, step->r, &stored, &dissipated) != DLS_OK) return;
    if (!same_bits(kept, part->state, bytes))
      trial_broken(trial, "the state changes before commit");
    memcpy(part->state, kept, bytes);
  }
  if (trial_commit(trial, step) != TRIAL_OK) return;
  memcpy(first, part->state, bytes);
  memcpy(part->state, kept, bytes);
  if (trial_commit(trial, step) != TRIAL_OK) return;
  trial_judge(trial, same_bits(first, part->state, bytes) ? 0 : INFINITY, 1,
              "commit twice from the same state gives two answers");
}

static void run_state(Trial *trial) {
  TrialPath path, other;
  TrialStep last, again;
  TrialPoint first[TRIAL_MAX_STEPS], second[TRIAL_MAX_STEPS];
  const bool by_force = !trial_solves(trial->law);
  trial->bounds = true;
  trial_draw_path(trial, TRIAL_COUPLED, true, &path);
  trial_draw_path(trial, TRIAL_COUPLED, true, &other);
  if (trial_walk(trial, &path, (TrialView){0}, by_force, &last, first) != TRIAL_OK) return;
  judge_written(trial, &path.start, &last);
  char *story = trial->story; /* told once */
  trial->story = NULL;
  if (trial_walk(trial, &path, (TrialView){0}, by_force, &again, second) != TRIAL_OK) return;
  trial->story = story;
  for (int k = 0; k < path.steps; k++)
    trial_judge(trial, same_bits(first[k].r, second[k].r, sizeof first[k].r) ? 0 : INFINITY, 1,
                "the same path again gives r_N = %.17g N s in step %d, not %.17g", second[k].r[0],
                k + 1, first[k].r[0]);
  judge_interleaved(trial, &path, &other, first, &last);
  judge_reading(trial, &again);
}

const TrialCheck trial_state = {
    .name = "state",
    .question = "states within bounds, the same calls give the same bits, nothing hidden",
    .cases = 2000,
    .run = run_state,
};
