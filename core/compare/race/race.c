/* What a race holds, and what may be said of its runs; the runs themselves are in run.c. */
#include "compare/race/race.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/memory.h"
#include "compare/race/row.h"

DlsStatus dls_race_create(int problems, int solvers, DlsRace *out) {
  *out = (DlsRace){
      .problems = problems, .solvers = solvers, .max_time = 60, .repeat = 1, .start = "zero"};
  DLS_NEW(out->problem, problems);
  DLS_NEW(out->solver, solvers);
  DLS_NEW(out->run, (size_t)problems * (size_t)solvers);
  return DLS_OK;
}

void dls_race_clear(DlsRace *race) {
  for (int k = 0; race->run && k < race->problems * race->solvers; k++) free(race->run[k].sample);
  dls_race_rows_clear(race);
  free(race->problem);
  free(race->solver);
  free(race->run);
  memset(race, 0, sizeof *race);
}

void dls_race_sort_tolerances(DlsRace *race) {
  for (int i = 1; i < race->tolerances; i++)
    for (int k = i; k > 0 && race->tolerance[k] > race->tolerance[k - 1]; k--) {
      const double swapped = race->tolerance[k];
      race->tolerance[k] = race->tolerance[k - 1];
      race->tolerance[k - 1] = swapped;
    }
}

const char *dls_race_end_text(DlsRaceEnd end) {
  static const char *const texts[] = {
#define TEXT(code, text) text,
      DLS_RACE_END_LIST(TEXT)
#undef TEXT
  };
  return (int)end >= 0 && (int)end < DLS_COUNT(texts) ? texts[end] : "unknown";
}

const char *dls_race_clock_word(const DlsRace *race) {
  static const char *const words[] = {
#define WORD(code, word) word,
      DLS_CLOCK_LIST(WORD)
#undef WORD
  };
  return words[race->clock];
}

static void measure_statistics(void *context, void *result) {
  dls_statistics_measure(context, result);
}

DlsStatus dls_race_describe(DlsRace *race, int problem, const DlsProblem *what) {
  const DlsChildLimits limits = {
      .seconds = 30, .stop = race->stop, .stop_context = race->stop_context};
  DlsRaceProblem *p = &race->problem[problem];
  snprintf(p->name, sizeof p->name, "%s", dls_problem_name(what));
  p->contacts = dls_problem_contacts(what);
  p->dim = dls_problem_dim(what);
  p->block = dls_problem_block(what);
  snprintf(p->form, sizeof p->form, "%s", dls_operator_form(dls_problem_operator(what)));
  DLS_TRY(dls_problem_fingerprint(what, p->hash));
  DLS_TRY(dls_work_price(what, &p->price));
  const DlsChildEnd end = dls_child_run(measure_statistics, (void *)(size_t)what, &limits,
                                        &p->statistics, sizeof p->statistics);
  p->measured = end.outcome == DLS_CHILD_DONE && p->statistics.contacts == p->contacts;
  return DLS_OK;
}

static bool within_limits(const DlsRace *race, const DlsRaceProof *proof) {
  return proof->time_s <= race->max_time && !(race->max_work > 0 && proof->work > race->max_work);
}

/* In one pass a tolerance has several proofs, one for each claim: the one of the fewest iterations
 * is told. Not the fastest: a solve of some microseconds that lost the processor for a moment
 * would take the iterations of the one to the next tolerance. */
const DlsRaceProof *dls_race_proof(const DlsRace *race, const DlsRaceRun *run, int which) {
  const DlsRaceProof *first = NULL;
  if (run->end == DLS_RACE_NONE) return NULL;
  if (run->end == DLS_RACE_ENDED && run->outcome == DLS_NO_SOLUTION) return NULL;
  for (int t = 0; t < race->tolerances; t++) {
    const DlsRaceProof *proof = &run->proof[t];
    if ((race->one_pass || t == which) && proof->measured <= race->tolerance[which] &&
        within_limits(race, proof) && (!first || proof->iteration < first->iteration))
      first = proof;
  }
  return first;
}

static const DlsRaceProof *proof_of(const DlsRace *race, const DlsRaceRun *run, double tolerance) {
  const int which = dls_race_tolerance(race, tolerance);
  return which < 0 ? NULL : dls_race_proof(race, run, which);
}

double dls_race_time(const DlsRace *race, const DlsRaceRun *run, double tolerance) {
  const DlsRaceProof *proof = proof_of(race, run, tolerance);
  return proof ? proof->time_s : INFINITY;
}

double dls_race_iterations(const DlsRace *race, const DlsRaceRun *run, double tolerance) {
  const DlsRaceProof *proof = proof_of(race, run, tolerance);
  return proof ? (double)proof->iteration : INFINITY;
}

double dls_race_work(const DlsRace *race, const DlsRaceRun *run, double tolerance) {
  const DlsRaceProof *proof = proof_of(race, run, tolerance);
  return proof ? proof->work : INFINITY;
}

/* It said that it was there, and is not; or it called converged what is no number. */
static bool untrue(const DlsRace *race, const DlsRaceRun *run, int which) {
  const DlsRaceProof *proof = &run->proof[which];
  const double tolerance = race->tolerance[which];
  const bool claimed = proof->boast || proof->said <= tolerance || isnan(proof->said);
  if (run->outcome == DLS_NO_SOLUTION) return false; /* it could not know */
  return run->end != DLS_RACE_NONE && claimed && isfinite(proof->time_s) &&
         !(proof->measured <= tolerance);
}

bool dls_race_true(const DlsRace *race, const DlsRaceRun *run) {
  for (int t = 0; t < race->tolerances; t++)
    if (untrue(race, run, t)) return false;
  return true;
}

double dls_race_error(const DlsRace *race, const DlsRaceRun *run, double time_s) {
  double least = INFINITY;
  for (int t = 0; t < race->tolerances && run->end != DLS_RACE_NONE; t++)
    if (run->proof[t].time_s <= time_s) least = fmin(least, run->proof[t].measured);
  if (!dls_race_true(race, run)) return least;
  for (int i = 0; i < run->count && run->sample[i].time_s <= time_s; i++)
    least = fmin(least, run->sample[i].error);
  return least;
}

/* The limit that an answer within the tolerance came after; NULL: there is none. */
static const char *late(const DlsRace *race, const DlsRaceRun *run, int which) {
  const char *limit = NULL;
  for (int t = 0; t < race->tolerances && !limit; t++) {
    const DlsRaceProof *proof = &run->proof[t];
    if ((race->one_pass || t == which) && proof->measured <= race->tolerance[which])
      limit = dls_outcome_text(proof->time_s > race->max_time ? DLS_TIME_LIMIT : DLS_WORK_LIMIT);
  }
  return limit;
}

const char *dls_race_status(const DlsRace *race, const DlsRaceRun *run, int which) {
  const DlsRaceProof *own = &run->proof[race->one_pass ? dls_race_last(race) : which];
  if (run->end == DLS_RACE_NONE) return dls_race_end_text(run->end);
  if (dls_race_proof(race, run, which)) return dls_outcome_text(DLS_CONVERGED);
  if (own->end != DLS_RACE_ENDED) return dls_race_end_text(own->end);
  if (own->outcome == DLS_NO_SOLUTION) return dls_outcome_text(DLS_NO_SOLUTION);
  const char *limit = late(race, run, which);
  if (limit) return limit;
  return untrue(race, run, which) ? DLS_RACE_MISTAKEN : dls_outcome_text(own->outcome);
}

const char *dls_race_claim(const DlsRace *race, const DlsRaceRun *run, int which, char text[64]) {
  const DlsRaceProof *proof = &run->proof[which];
  const bool number = !isinf(proof->said);
  text[0] = '\0';
  if (!untrue(race, run, which)) return text;
  if (number)
    snprintf(text, 64, "said %.2g, measured %.2g", proof->said, proof->measured);
  else
    snprintf(text, 64, "said converged, measured %.2g", proof->measured);
  return text;
}
