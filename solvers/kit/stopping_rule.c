#include "solvers/kit/stopping_rule.h"

#include "base/clock.h"

#include <math.h>
#include <string.h>

void dls_stopping_begin(DlsStopping *watch, const DlsProblem *problem, const DlsLimits *limits,
                        const DlsMonitor *monitor, DlsReport *report, double *best, double *u,
                        int every) {
  *watch = (DlsStopping){.problem = problem,
                         .limits = limits,
                         .monitor = monitor,
                         .report = report,
                         .best = best,
                         .u = u};
  watch->begin = dls_clock_now();
  watch->best_error = watch->last_error = watch->mark_error = INFINITY;
  watch->every = every;
  watch->per_size = -1;
  report->work = (DlsWork){0};
  report->reason = DLS_REASON_UNTOLD;
}

void dls_stopping_hint(DlsStopping *watch, long k, double size) {
  if (watch->every > 0 || !(watch->limits->tolerance > 0)) return;
  watch->hinted = 1;
  if (watch->per_size < 0) watch->per_size = size > 0 ? watch->last_error / size : 0;
  watch->next = watch->per_size * size <= watch->limits->tolerance ? k : watch->latest;
}

/* The iteration at which the error should be looked at again. A measure costs about as much as an
 * iteration: so not before 4/5 of what the rate since the last measure foretells, at least a tenth
 * and at most half of the iterations done. */
static long next_measure(const DlsStopping *watch, long k, double error) {
  if (watch->every > 0) return k + watch->every;
  const double tenth = 1 + 0.1 * (double)k, half = 1 + 0.5 * (double)k;
  double wait = tenth;
  if (error < watch->last_error && isfinite(watch->last_error) && k > watch->last &&
      watch->limits->tolerance > 0) {
    const double rate = log(watch->last_error / error) / (double)(k - watch->last);
    wait = 0.8 * log(error / watch->limits->tolerance) / rate;
  }
  wait = wait < half ? wait : half;
  return k + (long)(wait > 1 ? wait : 1);
}

/* No progress to speak of while the number of iterations grew tenfold; plateaus shorter than that
 * do end. */
static int has_stalled(DlsStopping *watch, long k) {
  const long few = 2000;
  if (k < few || k < 10 * watch->mark) return 0;
  const int stalled = watch->mark > 0 && watch->best_error > 0.98 * watch->mark_error;
  watch->mark = k;
  watch->mark_error = watch->best_error;
  return stalled;
}

int dls_stopping_cycles(const DlsStopping *watch, long k, long few, DlsCycle *cycle) {
  if (k < few || k < 2 * cycle->mark) return 0;
  if (watch->hinted && k != watch->last)
    return 0; /* measures are rare: the best error may be old */
  const int found = cycle->mark > 0 && watch->best_error > 0.9 * cycle->mark_error;
  cycle->mark = k;
  cycle->mark_error = watch->best_error;
  return found;
}

static int stop(DlsStopping *watch, DlsReason reason) {
  dls_report_end(watch->report, reason);
  return 1;
}

int dls_stopping_measure(DlsStopping *watch, long k, const double *r_hat) {
  const DlsLimits *limits = watch->limits;
  const size_t n =
      (size_t)dls_problem_contacts(watch->problem) * (size_t)dls_problem_block(watch->problem);
  double error;
  watch->status = dls_solver_measure(watch->problem, limits, r_hat, watch->u, &error);
  watch->report->iterations = k;
  if (watch->status != DLS_OK) return stop(watch, DLS_REASON_LAW_FAILED);
  const double time = dls_clock_now() - watch->begin;
  if (error < watch->best_error || watch->best_error == INFINITY) {
    watch->best_error = error;
    if (isfinite(error)) memcpy(watch->best, r_hat, n * sizeof *r_hat);
  }
  const int stopped =
      watch->monitor->call && watch->monitor->call(watch->monitor->context, k, time, error);
  watch->next = next_measure(watch, k, error);
  if (limits->max_time > 0 && k == 0) watch->next = 1; /* to learn how long an iteration takes */
  if (limits->max_iterations > 0 && watch->next > limits->max_iterations)
    watch->next = limits->max_iterations;
  watch->latest = k + 4 + (k < 100 ? k / 2 : 45 + k / 20); /* of many, a twentieth costs nothing */
  if (limits->max_time > 0 && k == 0) watch->latest = 1;
  if (limits->max_iterations > 0 && watch->latest > limits->max_iterations)
    watch->latest = limits->max_iterations;
  watch->per_size = -1;
  watch->last = k;
  watch->last_error = error;
  if (!watch->patient && error <= limits->tolerance)
    return stop(watch, k == 0 ? DLS_REASON_GOOD_GUESS : DLS_REASON_WITHIN_TOLERANCE);
  if (!isfinite(error)) return stop(watch, DLS_REASON_NOT_FINITE);
  if (stopped) return stop(watch, DLS_REASON_MONITOR);
  if (limits->max_time > 0 && time >= limits->max_time) return stop(watch, DLS_REASON_TIME_LIMIT);
  if (limits->max_iterations > 0 && k >= limits->max_iterations)
    return stop(watch, DLS_REASON_ITERATION_LIMIT);
  /* Long waits are cut where a time limit would be overrun. */
  if (limits->max_time > 0 && k > 0) {
    const double left = (limits->max_time - time) / (time / (double)k + 1e-12);
    const long most = left > 1 ? k + (left < 1e15 ? (long)left : (long)1e15) : k + 1;
    if (watch->next > most) watch->next = most;
    if (watch->latest > most) watch->latest = most;
  }
  if (!watch->patient && limits->tolerance > 0 && has_stalled(watch, k))
    return stop(watch, DLS_REASON_STAGNATED);
  return 0;
}

DlsStatus dls_stopping_end(DlsStopping *watch, double *r) {
  const size_t n =
      (size_t)dls_problem_contacts(watch->problem) * (size_t)dls_problem_block(watch->problem);
  if (r != watch->best) memcpy(r, watch->best, n * sizeof *r);
  dls_problem_from_standard(watch->problem, r);
  if (watch->report->reason == DLS_REASON_STAGNATED && watch->report->work.local_failures > 0)
    dls_report_end(watch->report, DLS_REASON_LOCAL_FAILURE);
  watch->report->error = watch->best_error;
  return watch->status;
}
