#include "solvers/kit/stopping_rule.h"

#include "base/ledger.h"
#include "problem/parted.h"

#include <math.h>
#include <string.h>

void dls_stopping_begin(DlsStopping *stopping, const DlsProblem *problem, const DlsLimits *limits,
                        const DlsMonitor *monitor, DlsReport *report, double *best, double *u,
                        int every) {
  *stopping = (DlsStopping){.problem = problem,
                            .limits = limits,
                            .monitor = monitor,
                            .report = report,
                            .best = best,
                            .u = u};
  stopping->begin = dls_ledger_clock();
  stopping->best_error = stopping->last_error = stopping->mark_error = INFINITY;
  stopping->every = every;
  stopping->per_size = -1;
  report->work = (DlsWork){0};
  report->reason = DLS_REASON_UNTOLD;
}

void dls_stopping_hint(DlsStopping *stopping, long k, double size) {
  if (stopping->every > 0 || !(stopping->limits->tolerance > 0)) return;
  stopping->hinted = 1;
  if (stopping->per_size < 0) stopping->per_size = size > 0 ? stopping->last_error / size : 0;
  stopping->next = stopping->per_size * size <= stopping->limits->tolerance ? k : stopping->latest;
}

/* The iteration at which the error should be looked at again. A measure costs about as much as an
 * iteration: so not before 4/5 of what the rate since the last measure foretells, at least a tenth
 * and at most half of the iterations done. */
static long next_measure(const DlsStopping *stopping, long k, double error) {
  if (stopping->every > 0) return k + stopping->every;
  const double tenth = 1 + 0.1 * (double)k, half = 1 + 0.5 * (double)k;
  double wait = tenth;
  if (error < stopping->last_error && isfinite(stopping->last_error) && k > stopping->last &&
      stopping->limits->tolerance > 0) {
    const double rate = log(stopping->last_error / error) / (double)(k - stopping->last);
    wait = 0.8 * log(error / stopping->limits->tolerance) / rate;
  }
  wait = wait < half ? wait : half;
  return k + (long)(wait > 1 ? wait : 1);
}

/* No progress to speak of while the number of iterations grew tenfold; plateaus shorter than that
 * do end. */
static int has_stalled(DlsStopping *stopping, long k) {
  const long few = 2000;
  if (k < few || k < 10 * stopping->mark) return 0;
  const int stalled = stopping->mark > 0 && stopping->best_error > 0.98 * stopping->mark_error;
  stopping->mark = k;
  stopping->mark_error = stopping->best_error;
  return stalled;
}

int dls_stopping_cycles(const DlsStopping *stopping, long k, long few, DlsCycle *cycle) {
  if (k < few || k < 2 * cycle->mark) return 0;
  if (stopping->hinted && k != stopping->last)
    return 0; /* measures are rare: the best error may be old */
  if (cycle->mark > 0 && stopping->last <= cycle->mark) return 0; /* none since */
  const int found = cycle->mark > 0 && stopping->best_error > 0.9 * cycle->mark_error;
  cycle->mark = k;
  cycle->mark_error = stopping->best_error;
  return found;
}

static int stop(DlsStopping *stopping, DlsReason reason) {
  dls_report_end(stopping->report, reason);
  return 1;
}

/* No longer than until a limit of which `used` are gone after k iterations. */
static void cut_wait(DlsStopping *stopping, long k, double used, double limit) {
  if (k == 0) return;
  const double left = (limit - used) / (used / (double)k + 1e-12);
  const long most = left > 1 ? k + (left < 1e15 ? (long)left : (long)1e15) : k + 1;
  if (stopping->next > most) stopping->next = most;
  if (stopping->latest > most) stopping->latest = most;
}

/* The error as the iteration is judged by: with foresight that of all that is asked. */
static double judged(DlsStopping *stopping, double error) {
  DlsLedgerRules *rules = &dls_ledger_rules;
  if (rules->foresee == DLS_SEEN || !isfinite(error)) return error;
  if (rules->foresee == DLS_FORESEEN_NEXT) { /* what was seen before is smaller by its nature */
    stopping->best_error = stopping->last_error = stopping->mark_error = INFINITY;
    rules->foresee = DLS_FORESEEN;
  }
  const double tolerance = stopping->limits->tolerance;
  return error <= tolerance ? error : tolerance * rules->times;
}

int dls_stopping_measure(DlsStopping *stopping, long k, const double *r_hat) {
  const DlsLimits *limits = stopping->limits;
  size_t begin, end;
  double error;
  stopping->status = dls_solver_measure(stopping->problem, limits, r_hat, stopping->u, &error);
  stopping->report->iterations = k;
  if (stopping->status != DLS_OK) return stop(stopping, DLS_REASON_LAW_FAILED);
  error = judged(stopping, error);
  const double time = dls_ledger_clock() - stopping->begin;
  if (error < stopping->best_error || stopping->best_error == INFINITY) {
    stopping->best_error = error;
    dls_problem_stretch(stopping->problem, &begin, &end);
    if (isfinite(error) && begin < end)
      memcpy(stopping->best + begin, r_hat + begin, (end - begin) * sizeof *r_hat);
  }
  const int stopped = stopping->monitor->call &&
                      stopping->monitor->call(stopping->monitor->context, k, time, error);
  stopping->next = next_measure(stopping, k, error);
  const int limited = limits->max_time > 0 || dls_ledger_rules.most > 0;
  if (limited && k == 0) stopping->next = 1; /* to learn how long an iteration takes */
  if (limits->max_iterations > 0 && stopping->next > limits->max_iterations)
    stopping->next = limits->max_iterations;
  stopping->latest =
      k + 4 + (k < 100 ? k / 2 : 45 + k / 20); /* of many, a twentieth costs nothing */
  if (limited && k == 0) stopping->latest = 1;
  if (limits->max_iterations > 0 && stopping->latest > limits->max_iterations)
    stopping->latest = limits->max_iterations;
  stopping->per_size = -1;
  stopping->last = k;
  stopping->last_error = error;
  if (!stopping->patient && error <= limits->tolerance)
    return stop(stopping, k == 0 ? DLS_REASON_GOOD_GUESS : DLS_REASON_WITHIN_TOLERANCE);
  if (!isfinite(error)) return stop(stopping, DLS_REASON_NOT_FINITE);
  if (stopped) return stop(stopping, DLS_REASON_MONITOR);
  if (limits->max_time > 0 && time >= limits->max_time)
    return stop(stopping, DLS_REASON_TIME_LIMIT);
  if (dls_ledger_is_spent()) return stop(stopping, DLS_REASON_WORK_LIMIT);
  if (limits->max_iterations > 0 && k >= limits->max_iterations)
    return stop(stopping, DLS_REASON_ITERATION_LIMIT);
  /* Long waits are cut where a limit of time or work would be overrun. */
  if (limits->max_time > 0) cut_wait(stopping, k, time, limits->max_time);
  if (dls_ledger_rules.most > 0) cut_wait(stopping, k, dls_ledger_effort(), dls_ledger_rules.most);
  if (!stopping->patient && limits->tolerance > 0 && has_stalled(stopping, k))
    return stop(stopping, DLS_REASON_STAGNATED);
  return 0;
}

DlsStatus dls_stopping_end(DlsStopping *stopping, double *r) {
  const size_t n = (size_t)dls_problem_contacts(stopping->problem) *
                   (size_t)dls_problem_block(stopping->problem);
  if (r != stopping->best) memcpy(r, stopping->best, n * sizeof *r);
  dls_problem_from_standard(stopping->problem, r);
  if (stopping->report->reason == DLS_REASON_STAGNATED && stopping->report->work.local_failures > 0)
    dls_report_end(stopping->report, DLS_REASON_LOCAL_FAILURE);
  stopping->report->error = stopping->best_error;
  return stopping->status;
}
