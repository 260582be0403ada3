/* One run of a race: solves in child processes, the answers judged in others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/memory.h"
#include "base/small.h"
#include "compare/race/race.h"

#include <delassus/squeeze.h>

/* What comes back from the child. */
typedef struct {
  DlsStatus status;
  char sentence[240];
  DlsReport report, said; /* as certified, and as the solver filled it */
  bool ended;
  double last; /* error that the monitor heard last; infinite: none */
  int count;
  DlsRaceSample sample[DLS_RACE_SAMPLES];
  double answer[]; /* r */
} Result;

typedef struct {
  const DlsRace *race;
  const DlsProblem *problem;
  const DlsSolver *solver;
  const void *options;
  const double *guess;
  size_t size;    /* of r */
  double stop_at; /* the solve is stopped when its monitor says so little; 0: never */
} Call;

typedef struct {
  const Call *call;
  Result *result;
  double began;
} Listener;

/* Every second sample goes, but not those that reach a tolerance first. */
static void thin(const DlsRace *race, Result *result) {
  double least = INFINITY;
  int kept = 0;
  for (int i = 0; i < result->count; i++) {
    const double error = result->sample[i].error;
    bool reaches = false;
    for (int t = 0; t < race->tolerances; t++)
      reaches |= error <= race->tolerance[t] && least > race->tolerance[t];
    least = fmin(least, error);
    if (reaches || i % 2 == 0) result->sample[kept++] = result->sample[i];
  }
  result->count = kept;
}

/* The clock is our own: that of a solver may not count what create did. What is no number is no
 * point of a curve. */
static int keep(void *context, long iteration, double time_s, double error) {
  const Listener *listener = context;
  (void)time_s;
  Result *result = listener->result;
  result->last = error;
  if (!isfinite(error)) return 0;
  if (result->count >= DLS_RACE_SAMPLES) thin(listener->call->race, result);
  if (result->count < DLS_RACE_SAMPLES)
    result->sample[result->count++] =
        (DlsRaceSample){iteration, dls_clock_now() - listener->began, error};
  return error <= listener->call->stop_at;
}

/* A solve that does not count: libraries are loaded, and PETSc and MPI started, before the
 * clock. */
static void warm_up(const Call *call) {
  const int start[] = {0, 1}, column[] = {0}, block = dls_problem_block(call->problem);
  double D[DLS_MAX_BLOCK * DLS_MAX_BLOCK] = {0}, q[DLS_MAX_BLOCK] = {-1}, r[DLS_MAX_BLOCK] = {0};
  const DlsRelation relation = {.cone = DLS_CONE_SIGNORINI};
  const DlsLimits limits = {.tolerance = 1e-6, .max_iterations = 10, .max_time = 1};
  DlsOperator *W = NULL;
  DlsProblem *problem = NULL;
  DlsReport report;
  for (int k = 0; k < block; k++) D[k * (block + 1)] = 1;
  if (dls_operator_create_assembled(1, block, start, column, D, &W) == DLS_OK &&
      dls_problem_create(dls_problem_dim(call->problem), &W, q, &relation, NULL, &problem) ==
          DLS_OK)
    dls_solve(call->solver, problem, call->options, &limits, NULL, r, NULL, &report);
  dls_problem_destroy(&problem);
}

/* The solver of this process with an ear at its report: dls_solve() puts what it measured in its
 * place. */
static const DlsSolver *heard;
static DlsReport *hearsay;

static DlsStatus listen(void *self, const DlsProblem *problem, const DlsLimits *limits,
                        const DlsMonitor *monitor, double *r, DlsReport *report) {
  const DlsStatus status = heard->solve(self, problem, limits, monitor, r, report);
  *hearsay = *report;
  return status;
}

static DlsLimits limits_of(const DlsRace *race) {
  return (DlsLimits){.tolerance = race->tolerance[dls_race_last(race)],
                     .max_time = race->max_time,
                     .measure = race->measure};
}

static void solve(void *context, void *result_page) {
  const Call *call = context;
  Result *result = result_page;
  double *r = result->answer;
  result->last = INFINITY;
  warm_up(call);
  DlsSolver solver = *call->solver;
  heard = call->solver;
  hearsay = &result->said;
  solver.solve = listen;
  if (call->guess) memcpy(r, call->guess, call->size * sizeof *r);
  const DlsLimits limits = limits_of(call->race);
  Listener listener = {call, result, dls_clock_now()};
  const DlsMonitor monitor = {keep, &listener};
  result->status =
      dls_solve(&solver, call->problem, call->options, &limits, &monitor, r, NULL, &result->report);
  result->report.note[sizeof result->report.note - 1] = '\0';
  if (result->status != DLS_OK)
    snprintf(result->sentence, sizeof result->sentence, "%s", dls_error_message());
  result->ended = true;
}

/* The answer, judged. The solver's process may have touched the problem: this one has not seen
 * it. */
typedef struct {
  const DlsRace *race;
  const DlsProblem *problem;
  const double *r;
  size_t size;
} Question;

typedef struct {
  bool done;
  double error;
  DlsErrors errors;
  bool squeezed; /* there is no solution, proved here */
} Judgement;

static void judge(void *context, void *page) {
  const Question *question = context;
  Judgement *out = page;
  const DlsLimits limits = limits_of(question->race);
  double *work = dls_memory_array(2 * question->size + 1, sizeof *work);
  if (!work) return;
  memcpy(work, question->r, question->size * sizeof *work);
  dls_problem_to_standard(question->problem, work);
  out->done = dls_solver_measure(question->problem, &limits, work, work + question->size,
                                 &out->error) == DLS_OK &&
              dls_errors_measure(question->problem, question->r, NULL, &out->errors) == DLS_OK;
  free(work);
  DlsSqueeze squeeze;
  out->squeezed =
      dls_squeeze_find(question->problem, question->r, &squeeze) == DLS_OK && squeeze.count > 0;
  dls_squeeze_clear(&squeeze);
}

static const DlsErrors no_errors = {
    .natural = INFINITY, .scaled = INFINITY, .bipotential = INFINITY};

static DlsChildLimits child_limits(const DlsRace *race) {
  return (DlsChildLimits){.seconds = 1.25 * race->max_time + 2,
                          .megabyte = (size_t)race->max_memory,
                          .stop = race->stop,
                          .stop_context = race->stop_context};
}

/* Fills the last proof of the run and its errors; false where the race was stopped. */
static bool judge_answer(const Call *call, const Result *result, DlsRaceRun *run) {
  const Question question = {call->race, call->problem, result->answer, call->size};
  DlsRaceProof *end = &run->proof[dls_race_last(call->race)];
  Judgement judgement = {.errors = no_errors};
  DlsChildLimits limits = child_limits(call->race);
  limits.megabyte = 0; /* the limit is the solver's, not the judge's */
  end->measured = INFINITY;
  if (!dls_small_finite((int)call->size, result->answer)) return true;
  const DlsChildEnd ended =
      dls_child_run(judge, (void *)(size_t)&question, &limits, &judgement, sizeof judgement);
  if (ended.outcome == DLS_CHILD_STOPPED) return false;
  if (ended.outcome != DLS_CHILD_DONE || !judgement.done || isnan(judgement.error)) return true;
  end->measured = judgement.squeezed ? INFINITY : judgement.error;
  run->errors = judgement.errors;
  run->outcome = judgement.squeezed ? DLS_NO_SOLUTION : DLS_STALLED;
  return true;
}

/* The note without the claim that dls_solve() puts before it: the proof tells that. */
static const char *note_of(const DlsReport *report) {
  const char *note = report->note, *end = strstr(note, "; ");
  if (report->reason != DLS_REASON_OVERRULED) return note;
  return end ? end + 2 : "";
}

/* The reason that fits the outcome, where the judge saw it otherwise than the solver's process. */
static DlsReason reason_of(DlsOutcome outcome, const DlsReport *report) {
  if (dls_reason_outcome(report->reason) == outcome) return report->reason;
  return outcome == DLS_NO_SOLUTION           ? DLS_REASON_NO_SOLUTION
         : outcome == DLS_CONVERGED           ? DLS_REASON_CERTIFIED
         : report->outcome == DLS_NO_SOLUTION ? DLS_REASON_UNPROVED
                                              : DLS_REASON_OVERRULED;
}

/* A solve that ended by itself: what it said, what its answer is worth. */
static bool take_answer(const Call *call, const Result *result, DlsRaceRun *run) {
  const DlsRace *race = call->race;
  const bool stopped = result->said.outcome == DLS_STOPPED; /* where it made its claim */
  const double told = stopped || isinf(result->said.error) ? result->last : result->said.error;
  run->end = DLS_RACE_ENDED;
  run->iterations = result->report.iterations;
  run->time_s = result->report.time_s;
  run->work = result->report.work;
  snprintf(run->note, sizeof run->note, "%s", note_of(&result->report));
  run->proof[dls_race_last(race)] = (DlsRaceProof){.iteration = run->iterations,
                                                   .time_s = run->time_s,
                                                   .said = told,
                                                   .boast = result->said.outcome == DLS_CONVERGED};
  if (!judge_answer(call, result, run)) return false;
  run->reason = DLS_REASON_NO_SOLUTION;
  const bool within =
      run->proof[dls_race_last(race)].measured <= race->tolerance[dls_race_last(race)];
  if (run->outcome == DLS_NO_SOLUTION) return true; /* no error, however small, is an answer */
  const DlsOutcome told_outcome = result->report.outcome;
  const bool word_only = told_outcome == DLS_CONVERGED || told_outcome == DLS_NO_SOLUTION;
  run->outcome = within ? DLS_CONVERGED : word_only ? DLS_STALLED : told_outcome;
  run->reason = reason_of(run->outcome, &result->report);
  return true;
}

/* One solve. *run is new; its samples are allocated. An end of DLS_RACE_NONE: the race was
 * stopped. */
static DlsStatus attempt(const Call *call, Result *result, DlsRaceRun *run) {
  const DlsRace *race = call->race;
  const size_t bytes = sizeof *result + call->size * sizeof *result->answer;
  const DlsChildLimits limits = child_limits(race);
  *run = (DlsRaceRun){.end = DLS_RACE_CRASHED,
                      .time_s = INFINITY,
                      .limit_s = race->max_time,
                      .limit_mb = race->max_memory,
                      .errors = no_errors};
  for (int t = 0; t < race->tolerances; t++)
    run->proof[t] = (DlsRaceProof){.time_s = INFINITY, .said = INFINITY, .measured = INFINITY};
  memset(result, 0, bytes);
  const DlsChildEnd end = dls_child_run(solve, (void *)(size_t)call, &limits, result, bytes);
  run->peak_mb = end.peak_mb;
  run->count = result->count >= 0 && result->count <= DLS_RACE_SAMPLES ? result->count : 0;
  DLS_NEW(run->sample, run->count + 1);
  memcpy(run->sample, result->sample, (size_t)run->count * sizeof *run->sample);
  if (end.outcome == DLS_CHILD_STOPPED) {
    run->end = DLS_RACE_NONE;
  } else if (end.outcome == DLS_CHILD_TIMEOUT) {
    run->end = DLS_RACE_KILLED;
    snprintf(run->note, sizeof run->note, "did not stop at its time limit");
  } else if (end.outcome != DLS_CHILD_DONE || !result->ended) {
    snprintf(run->note, sizeof run->note,
             end.signal ? "ended by signal %d (%s)" : "ended the process", end.signal,
             strsignal(end.signal));
  } else if (result->status != DLS_OK) {
    run->end = result->status == DLS_ERR_MEMORY ? DLS_RACE_MEMORY : DLS_RACE_REFUSED;
    snprintf(run->note, sizeof run->note, "%.*s", (int)sizeof result->sentence - 1,
             result->sentence);
  } else if (!take_answer(call, result, run)) {
    run->end = DLS_RACE_NONE;
  }
  return DLS_OK;
}

/* Whether run a is to be shown in the place of b: right before wrong, then the faster. */
static bool better(const Call *call, const DlsRaceRun *a, const DlsRaceRun *b) {
  const double tolerance =
      call->stop_at > 0 ? call->stop_at : call->race->tolerance[dls_race_last(call->race)];
  const int last = dls_race_last(call->race);
  const bool right_a = a->proof[last].measured <= tolerance;
  const bool right_b = b->proof[last].measured <= tolerance;
  return right_a != right_b ? right_a : a->time_s < b->time_s;
}

/* The best of `repeat` attempts; `result` holds the last, `answer`, unless NULL, receives the best
 * one's r. */
static DlsStatus attempts(const Call *call, Result *result, double *answer, DlsRaceRun *best) {
  const double short_run = 0.5; /* s: longer ones are not repeated */
  DLS_TRY(attempt(call, result, best));
  if (answer) memcpy(answer, result->answer, call->size * sizeof *answer);
  for (int turn = 1; turn < call->race->repeat && best->time_s < short_run; turn++) {
    DlsRaceRun next;
    DLS_TRY(attempt(call, result, &next));
    const bool stopped = next.end == DLS_RACE_NONE, take = stopped || better(call, &next, best);
    if (take && answer) memcpy(answer, result->answer, call->size * sizeof *answer);
    free(take ? best->sample : next.sample);
    if (take) *best = next;
    if (stopped) break;
  }
  return DLS_OK;
}

/* The sample in which a tolerance is first claimed; NULL where it is not, or in the answer
 * alone. */
static const DlsRaceSample *claim(const DlsRaceRun *run, double tolerance) {
  for (int i = 0; i < run->count; i++) {
    const DlsRaceSample *sample = &run->sample[i];
    const bool at_end = run->end == DLS_RACE_ENDED && sample->iteration >= run->iterations;
    if (sample->error <= tolerance) return at_end ? NULL : sample;
  }
  return NULL;
}

/* Looser tolerances: what the monitor claims is solved again up to there. What it does not claim
 * the answer has to show. Solves that claim two tolerances at once are tested once. */
static DlsStatus test_claims(Call *call, Result *result, DlsRaceRun *run) {
  const DlsRace *race = call->race;
  const int last = dls_race_last(race);
  const DlsRaceSample *before = NULL;
  for (int t = 0; t < last; t++) {
    const DlsRaceSample *now = claim(run, race->tolerance[t]);
    if (!now) {
      run->proof[t] = run->proof[last];
    } else if (now == before) {
      run->proof[t] = run->proof[t - 1];
    } else {
      DlsRaceRun again;
      call->stop_at = race->tolerance[t];
      DLS_TRY(attempts(call, result, NULL, &again));
      free(again.sample);
      if (again.end == DLS_RACE_NONE) {
        run->end = DLS_RACE_NONE;
        return DLS_OK;
      }
      run->proof[t] = again.proof[last];
    }
    before = now;
  }
  return DLS_OK;
}

/* The answer itself closes the curve: some solvers measure at the end alone. */
static void close_curve(const DlsRace *race, DlsRaceRun *run) {
  const double error = run->proof[dls_race_last(race)].measured;
  if (run->end != DLS_RACE_ENDED || !isfinite(error)) return;
  run->sample[run->count++] = (DlsRaceSample){run->iterations, run->time_s, error};
}

DlsStatus dls_race_start(DlsRace *race, int problem, int solver, const DlsProblem *what,
                         const DlsSolver *with, const void *options, const double *guess,
                         double *answer) {
  DlsRaceRun *run = dls_race_at(race, problem, solver), new = {0};
  const size_t size = (size_t)dls_problem_contacts(what) * (size_t)dls_problem_block(what);
  Call call = {race, what, with, options, guess, size, 0};
  Result *result = dls_memory_array(1, sizeof *result + size * sizeof(double));
  DLS_CHECK(result, DLS_ERR_MEMORY, "out of memory for an answer of %zu numbers", size);
  snprintf(race->solver[solver], sizeof race->solver[solver], "%s", with->name);
  DlsStatus status = attempts(&call, result, answer, &new);
  if (status == DLS_OK && new.end != DLS_RACE_NONE) status = test_claims(&call, result, &new);
  free(result);
  if (status == DLS_OK) close_curve(race, &new);
  if (status == DLS_OK && new.end != DLS_RACE_NONE) {
    free(run->sample);
    *run = new;
  } else {
    free(new.sample);
  }
  return status;
}
