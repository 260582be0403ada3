/* One run of a race in its child process; the rest of a race is arithmetic. */
#include "compare/race.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/child.h"
#include "base/clock.h"
#include "base/memory.h"

DlsStatus dls_race_create(int problems, int solvers, DlsRace *out) {
  *out = (DlsRace){.problems = problems, .solvers = solvers, .max_time = 60, .repeat = 1};
  DLS_NEW(out->problem, problems);
  DLS_NEW(out->solver, solvers);
  DLS_NEW(out->run, (size_t)problems * (size_t)solvers);
  return DLS_OK;
}

void dls_race_clear(DlsRace *race) {
  for (int k = 0; race->run && k < race->problems * race->solvers; k++) free(race->run[k].sample);
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

static void measure_statistics(void *context, void *result) {
  dls_statistics_measure(context, result);
}

void dls_race_describe(DlsRace *race, int problem, const DlsProblem *what) {
  const DlsChildLimits limits = {.seconds = 30};
  DlsRaceProblem *p = &race->problem[problem];
  snprintf(p->name, sizeof p->name, "%s", dls_problem_name(what));
  p->contacts = dls_problem_contacts(what);
  p->dim = dls_problem_dim(what);
  p->block = dls_problem_block(what);
  const DlsChildEnd end = dls_child_run(measure_statistics, (void *)(size_t)what, &limits,
                                        &p->statistics, sizeof p->statistics);
  p->measured = end.outcome == DLS_CHILD_DONE && p->statistics.contacts == p->contacts;
}

/* What comes back from the child. */
typedef struct {
  DlsStatus status;
  char sentence[240];
  DlsReport report;
  DlsErrors errors;
  bool ended;
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
  size_t size; /* of r */
} Call;

typedef struct {
  const DlsRace *race;
  Result *result;
  double began;
} Watch;

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

/* The clock is our own: that of a solver may not count what create did. */
static int keep(void *context, long iteration, double time_s, double error) {
  const Watch *watch = context;
  (void)time_s;
  Result *result = watch->result;
  if (result->count >= DLS_RACE_SAMPLES) thin(watch->race, result);
  if (result->count < DLS_RACE_SAMPLES)
    result->sample[result->count++] =
        (DlsRaceSample){iteration, dls_clock_now() - watch->began, error};
  return 0;
}

/* A solve that does not count: libraries are loaded, and PETSc and MPI started, before the clock. */
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

static void solve(void *context, void *result_page) {
  const Call *call = context;
  Result *result = result_page;
  const DlsRace *race = call->race;
  double *r = result->answer;
  warm_up(call);
  Watch watch = {race, result, dls_clock_now()};
  const DlsMonitor monitor = {keep, &watch};
  const DlsLimits limits = {.tolerance = race->tolerance[race->tolerances - 1],
                            .max_time = race->max_time,
                            .measure = race->measure};
  if (call->guess) memcpy(r, call->guess, call->size * sizeof *r);
  result->status = dls_solve(call->solver, call->problem, call->options, &limits, &monitor, r, NULL,
                             &result->report);
  if (result->status == DLS_OK)
    result->status = dls_errors_measure(call->problem, r, NULL, &result->errors);
  if (result->status != DLS_OK)
    snprintf(result->sentence, sizeof result->sentence, "%s", dls_error_message());
  result->ended = true;
}

static DlsStatus take_result(DlsRaceRun *run, const Result *result, const DlsChildEnd *end) {
  DlsRaceRun new = {.end = DLS_RACE_CRASHED,
                    .time_s = INFINITY,
                    .peak_mb = end->peak_mb,
                    .errors = {.natural = INFINITY, .scaled = INFINITY, .bipotential = INFINITY}};
  new.count = result->count >= 0 && result->count <= DLS_RACE_SAMPLES ? result->count : 0;
  DLS_NEW(new.sample, new.count + 1);
  memcpy(new.sample, result->sample, (size_t) new.count * sizeof *new.sample);
  if (end->outcome == DLS_CHILD_TIMEOUT) {
    new.end = DLS_RACE_KILLED;
    snprintf(new.note, sizeof new.note, "did not stop at its time limit");
  } else if (end->outcome != DLS_CHILD_DONE || !result->ended) {
    snprintf(new.note, sizeof new.note,
             end->signal ? "ended by signal %d (%s)" : "ended the process", end->signal,
             strsignal(end->signal));
  } else if (result->status != DLS_OK) {
    new.end = result->status == DLS_ERR_MEMORY ? DLS_RACE_MEMORY : DLS_RACE_REFUSED;
    snprintf(new.note, sizeof new.note, "%s", result->sentence);
  } else {
    new.end = DLS_RACE_ENDED;
    new.outcome = result->report.outcome;
    new.iterations = result->report.iterations;
    new.time_s = result->report.time_s;
    new.errors = result->errors;
    snprintf(new.note, sizeof new.note, "%s", result->report.note);
  }
  const bool first = run->end == DLS_RACE_NONE;
  if (!first && !(new.end == DLS_RACE_ENDED &&new.time_s < run->time_s)) {
    free(new.sample);
    return DLS_OK;
  }
  free(run->sample);
  *run = new;
  return DLS_OK;
}

/* The answer itself closes the history: some solvers measure at the end alone. */
static void close_history(const DlsRace *race, DlsRaceRun *run) {
  if (run->end != DLS_RACE_ENDED) return;
  const double error =
      race->measure == DLS_MEASURE_NATURAL ? run->errors.natural : run->errors.scaled;
  run->sample[run->count++] = (DlsRaceSample){run->iterations, run->time_s, error};
}

DlsStatus dls_race_start(DlsRace *race, int problem, int solver, const DlsProblem *what,
                         const DlsSolver *with, const void *options, const double *guess,
                         double *answer) {
  const double short_run = 0.5; /* s: longer ones are not repeated */
  DlsRaceRun *run = dls_race_at(race, problem, solver);
  const size_t size = (size_t)dls_problem_contacts(what) * (size_t)dls_problem_block(what);
  const Call call = {race, what, with, options, guess, size};
  const DlsChildLimits limits = {.seconds = 1.25 * race->max_time + 2,
                                 .megabyte = (size_t)race->max_memory};
  const size_t bytes = sizeof(Result) + size * sizeof(double);
  Result *result = dls_memory_array(1, bytes);
  DLS_CHECK(result, DLS_ERR_MEMORY, "out of memory for an answer of %zu numbers", size);
  snprintf(race->solver[solver], sizeof race->solver[solver], "%s", with->name);
  DlsStatus status = DLS_OK;
  for (int turn = 0; turn < race->repeat && status == DLS_OK; turn++) {
    memset(result, 0, bytes);
    const DlsChildEnd end = dls_child_run(solve, (void *)(size_t)&call, &limits, result, bytes);
    status = take_result(run, result, &end);
    if (!(run->time_s < short_run)) break;
  }
  if (answer) memcpy(answer, result->answer, size * sizeof *answer);
  free(result);
  if (status == DLS_OK) close_history(race, run);
  return status;
}

double dls_race_time(const DlsRaceRun *run, double tolerance) {
  for (int i = 0; i < run->count; i++)
    if (run->sample[i].error <= tolerance) return run->sample[i].time_s;
  return INFINITY;
}

double dls_race_iterations(const DlsRaceRun *run, double tolerance) {
  for (int i = 0; i < run->count; i++)
    if (run->sample[i].error <= tolerance) return (double)run->sample[i].iteration;
  return INFINITY;
}

double dls_race_error(const DlsRaceRun *run, double time_s) {
  double least = INFINITY;
  for (int i = 0; i < run->count && run->sample[i].time_s <= time_s; i++)
    least = fmin(least, run->sample[i].error);
  return least;
}

const char *dls_race_status(const DlsRaceRun *run, double tolerance) {
  if (isfinite(dls_race_time(run, tolerance))) return dls_outcome_text(DLS_CONVERGED);
  if (run->end != DLS_RACE_ENDED) return dls_race_end_text(run->end);
  /* It stopped at the tightest tolerance by its own measure, which the certificate refused. */
  return dls_outcome_text(run->outcome);
}
