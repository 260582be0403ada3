/* One run of a race: solves in child processes, the answers judged in others. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/ledger.h"
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
  DlsWorkPrice price;
  size_t size;      /* of r */
  double tolerance; /* that the solve goes to */
  double stop_at;   /* the solve is stopped when its monitor says so little; 0: never */
} Call;

typedef struct {
  const Call *call;
  Result *result;
  double wall, cpu; /* when it began */
  DlsLedger done;   /* before it began */
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

/* Seconds by the clock of the race. */
static double clock_of(const DlsRace *race, double wall_s, double cpu_s) {
  return race->clock == DLS_CLOCK_CPU ? cpu_s : wall_s;
}

static double work_since(const DlsWorkPrice *price, const DlsLedger *begin) {
  const DlsWork work = {.rows_applied = dls_ledger.rows - begin->rows,
                        .contacts_solved = dls_ledger.contacts - begin->contacts,
                        .factor_flops = dls_ledger.flops - begin->flops};
  return dls_work_units(price, &work);
}

/* The clock is our own: that of a solver may not count what create did. What is no number is no
 * point of a curve. */
static int keep(void *context, long iteration, double time_s, double error) {
  const Listener *listener = context;
  (void)time_s;
  Result *result = listener->result;
  result->last = error;
  if (!isfinite(error)) return 0;
  const DlsRace *race = listener->call->race;
  const double wall = dls_clock_now() - listener->wall, cpu = dls_clock_cpu() - listener->cpu;
  if (result->count >= DLS_RACE_SAMPLES) thin(race, result);
  if (result->count < DLS_RACE_SAMPLES)
    result->sample[result->count++] =
        (DlsRaceSample){.iteration = iteration,
                        .time_s = clock_of(race, wall, cpu),
                        .wall_s = wall,
                        .cpu_s = cpu,
                        .work = work_since(&listener->call->price, &listener->done),
                        .error = error};
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

static DlsLimits limits_of(const DlsRace *race, double tolerance) {
  return (DlsLimits){.tolerance = tolerance,
                     .max_time = race->max_time,
                     .measure = race->measure,
                     .clock = race->clock,
                     .max_work = race->max_work};
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
  const DlsLimits limits = limits_of(call->race, call->tolerance);
  Listener listener = {call, result, dls_clock_now(), dls_clock_cpu(), dls_ledger};
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
  double tolerance;
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
  const DlsLimits limits = limits_of(question->race, question->tolerance);
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
    .natural = INFINITY, .natural_q = INFINITY, .scaled = INFINITY, .bipotential = INFINITY};

/* The processor's clock stands still while others have the processor, so that it alone would let a
 * solver sleep for ever: the wall's ends it later. */
static DlsChildLimits child_limits(const DlsRace *race) {
  const double seconds = race->max_time + 2, patience = 20;
  const bool cpu = race->clock == DLS_CLOCK_CPU;
  return (DlsChildLimits){.seconds = cpu ? patience * seconds : seconds,
                          .cpu_seconds = cpu ? seconds : 0,
                          .megabyte = (size_t)race->max_memory,
                          .stop = race->stop,
                          .stop_context = race->stop_context};
}

/* Fills the last proof of the run and its errors; false where the race was stopped. */
static bool judge_answer(const Call *call, const Result *result, DlsRaceRun *run) {
  const Question question = {call->race, call->problem, result->answer, call->size,
                             call->tolerance};
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
  run->wall_s = result->report.time_s;
  run->cpu_s = result->report.cpu_s;
  run->time_s = clock_of(race, run->wall_s, run->cpu_s);
  run->counts = result->report.work;
  run->work = dls_work_units(&call->price, &run->counts);
  snprintf(run->note, sizeof run->note, "%s", note_of(&result->report));
  run->proof[dls_race_last(race)] =
      (DlsRaceProof){.said = told, .boast = result->said.outcome == DLS_CONVERGED};
  if (!judge_answer(call, result, run)) return false;
  run->reason = DLS_REASON_NO_SOLUTION;
  const bool within = run->proof[dls_race_last(race)].measured <= call->tolerance;
  if (run->outcome == DLS_NO_SOLUTION) return true; /* no error, however small, is an answer */
  const DlsOutcome told_outcome = result->report.outcome;
  const bool word_only = told_outcome == DLS_CONVERGED || told_outcome == DLS_NO_SOLUTION;
  run->outcome = within ? DLS_CONVERGED : word_only ? DLS_STALLED : told_outcome;
  run->reason = reason_of(run->outcome, &result->report);
  return true;
}

/* The last proof is of the run itself. */
static void complete_proof(const DlsRace *race, DlsRaceRun *run) {
  DlsRaceProof *proof = &run->proof[dls_race_last(race)];
  proof->end = run->end;
  proof->outcome = run->outcome;
  proof->reason = run->reason;
  proof->iteration = run->iterations;
  proof->time_s = run->time_s;
  proof->wall_s = run->wall_s;
  proof->cpu_s = run->cpu_s;
  proof->work = run->work;
  proof->peak_mb = run->peak_mb;
  proof->errors = run->errors;
  proof->counts = run->counts;
  memcpy(proof->note, run->note, sizeof proof->note);
}

/* One solve. *run is new; its samples are allocated. An end of DLS_RACE_NONE: the race was
 * stopped. */
static DlsStatus attempt(const Call *call, Result *result, DlsRaceRun *run) {
  const DlsRace *race = call->race;
  const size_t bytes = sizeof *result + call->size * sizeof *result->answer;
  const DlsChildLimits limits = child_limits(race);
  *run = (DlsRaceRun){.end = DLS_RACE_CRASHED,
                      .time_s = INFINITY,
                      .wall_s = INFINITY,
                      .cpu_s = INFINITY,
                      .work = INFINITY,
                      .limit_s = race->max_time,
                      .limit_work = race->max_work,
                      .limit_mb = race->max_memory,
                      .errors = no_errors};
  for (int t = 0; t < race->tolerances; t++)
    run->proof[t] = (DlsRaceProof){.said = INFINITY, .measured = INFINITY};
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
  complete_proof(race, run);
  return DLS_OK;
}

/* Whether run a is to be shown in the place of b: right before wrong, then the faster. */
static bool better(const Call *call, const DlsRaceRun *a, const DlsRaceRun *b) {
  const double tolerance = call->stop_at > 0 ? call->stop_at : call->tolerance;
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

/* Looser tolerances, each a solve of its own. */
static DlsStatus solve_each(Call *call, Result *result, DlsRaceRun *run) {
  const DlsRace *race = call->race;
  const int last = dls_race_last(race);
  for (int t = 0; t < last; t++) {
    DlsRaceRun other;
    run->proof[t] = run->proof[last];
    if (run->end == DLS_RACE_REFUSED) continue;
    call->tolerance = race->tolerance[t];
    DLS_TRY(attempts(call, result, NULL, &other));
    free(other.sample);
    if (other.end == DLS_RACE_NONE) {
      run->end = DLS_RACE_NONE;
      return DLS_OK;
    }
    run->proof[t] = other.proof[last];
  }
  return DLS_OK;
}

/* The answer itself closes the curve: some solvers measure at the end alone. It comes after what
 * was said on the way, whose clock began a little before the solver's. */
static void close_curve(const DlsRace *race, DlsRaceRun *run) {
  const double error = run->proof[dls_race_last(race)].measured;
  if (run->end != DLS_RACE_ENDED || !isfinite(error)) return;
  DlsRaceSample end = {.iteration = run->iterations,
                       .time_s = run->time_s,
                       .wall_s = run->wall_s,
                       .cpu_s = run->cpu_s,
                       .work = run->work,
                       .error = error};
  const DlsRaceSample *before = run->count ? &run->sample[run->count - 1] : &end;
  end.time_s = fmax(end.time_s, before->time_s);
  end.wall_s = fmax(end.wall_s, before->wall_s);
  end.cpu_s = fmax(end.cpu_s, before->cpu_s);
  end.work = fmax(end.work, before->work);
  run->sample[run->count++] = end;
}

DlsStatus dls_race_run(const DlsRace *race, int problem, const DlsProblem *what,
                       const DlsSolver *with, const void *options, const double *guess,
                       double *answer, DlsRaceRun *out) {
  const size_t size = (size_t)dls_problem_contacts(what) * (size_t)dls_problem_block(what);
  Call call = {.race = race,
               .problem = what,
               .solver = with,
               .options = options,
               .guess = guess,
               .price = race->problem[problem].price,
               .size = size,
               .tolerance = race->tolerance[dls_race_last(race)]};
  *out = (DlsRaceRun){0};
  Result *result = dls_memory_array(1, sizeof *result + size * sizeof(double));
  DLS_CHECK(result, DLS_ERR_MEMORY, "out of memory for an answer of %zu numbers", size);
  DlsStatus status = attempts(&call, result, answer, out);
  if (status == DLS_OK && out->end != DLS_RACE_NONE)
    status = (race->one_pass ? test_claims : solve_each)(&call, result, out);
  free(result);
  if (status == DLS_OK) close_curve(race, out);
  if (status == DLS_OK && out->end != DLS_RACE_NONE) return DLS_OK;
  free(out->sample);
  *out = (DlsRaceRun){0};
  return status;
}

void dls_race_put(DlsRace *race, int problem, int solver, const char *name, DlsRaceRun *new) {
  DlsRaceRun *run = dls_race_at(race, problem, solver);
  snprintf(race->solver[solver], sizeof race->solver[solver], "%s", name);
  if (new->end == DLS_RACE_NONE) return;
  free(run->sample);
  *run = *new;
}

DlsStatus dls_race_start(DlsRace *race, int problem, int solver, const DlsProblem *what,
                         const DlsSolver *with, const void *options, const double *guess,
                         double *answer) {
  DlsRaceRun new;
  const DlsStatus status = dls_race_run(race, problem, what, with, options, guess, answer, &new);
  dls_race_put(race, problem, solver, with->name, &new);
  return status;
}
