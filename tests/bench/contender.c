/* Attempts of contender.h: one function in the child, three ways to call it. */
#include "tests/bench/contender.h"

#include <delassus/errors.h>

#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec now;
  clock_gettime(clock, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void solve_ours(const Contender *c, const Task *task, double *r, Attempt *out) {
  const DlsLimits limits = {.tolerance = task->tolerance,
                            .max_time = task->limit_s,
                            .max_iterations = task->max_iterations};
  const void *options = task->tolerance > 0 ? c->options : c->options_without_errors;
  DlsReport report = {0};
  out->status = dls_solve(c->solver, c->problem, options, &limits, NULL, r, NULL, &report);
  out->converged = report.outcome == DLS_CONVERGED;
  out->iterations = report.iterations;
}

static void solve_theirs(const Contender *c, const Task *task, double *r, Attempt *out) {
  const PeerVariant variant = task->tolerance > 0 ? c->variant : peer_without_errors(&c->variant);
  PeerRun run = {0};
  peer_solve(c->peer, &variant, task->tolerance, task->max_iterations, NULL, r, &run);
  /* Stopped by the limit it says 0 too, where the error happens to be small enough by then. */
  out->converged = run.info == 0 && run.iterations < task->max_iterations;
  out->iterations = run.iterations;
}

static void run_once(const Contender *c, const Task *task, double *r, Attempt *out) {
  if (c->solver) {
    solve_ours(c, task, r, out);
  } else {
    solve_theirs(c, task, r, out);
  }
}

static void judge(const Contender *c, const double *r, Attempt *out) {
  DlsErrors errors;
  out->natural =
      dls_errors_measure(c->problem, r, NULL, &errors) == DLS_OK ? errors.natural : INFINITY;
  out->siconos = c->peer ? peer_error(c->peer, r) : NAN;
}

typedef struct {
  const Contender *contender;
  const Task *task;
} Call;

static volatile double processor_end; /* s of processor time */

static void look_at_processor(int signal_number) {
  if (seconds(CLOCK_PROCESS_CPUTIME_ID) < processor_end) return;
  signal(signal_number, SIG_DFL);
  raise(signal_number);
}

/* SIGPROF ends the process after so much processor time of its own; 0: never. A timer of the
 * processor would do the same, but while one is set the kernel counts processor time in ticks, too
 * coarse for what is timed here. */
static void limit_processor(double limit_s) {
  static bool set;
  if (!(limit_s > 0)) return;
  processor_end = seconds(CLOCK_PROCESS_CPUTIME_ID) + limit_s;
  if (set) return;
  const struct itimerspec often = {.it_interval = {.tv_nsec = 20000000},
                                   .it_value = {.tv_nsec = 20000000}};
  struct sigaction action = {.sa_handler = look_at_processor, .sa_flags = SA_RESTART};
  struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGPROF};
  timer_t timer;
  if (sigaction(SIGPROF, &action, NULL) != 0) return;
  set = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0 &&
        timer_settime(timer, 0, &often, NULL) == 0;
}

static void attempt(void *context, void *result) {
  const Call *call = context;
  const Contender *c = call->contender;
  Attempt *out = result;
  const size_t n = (size_t)dls_problem_contacts(c->problem) * (size_t)dls_problem_block(c->problem);
  const double preemptible =
      1e-3; /* s: below it the clock of the CPU is too coarse, and not needed */
  double *r = malloc(n * sizeof *r);
  if (!r) abort();
  limit_processor(call->task->cpu_s);
  if (call->task->warm) {
    Task once = *call->task;
    Attempt unused = {0};
    once.max_iterations = 1;
    memset(r, 0, n * sizeof *r);
    run_once(c, &once, r, &unused);
    limit_processor(call->task->cpu_s);
  }
  const double begin = seconds(CLOCK_MONOTONIC);
  do {
    memset(r, 0, n * sizeof *r);
    const double cpu = seconds(CLOCK_PROCESS_CPUTIME_ID), wall = seconds(CLOCK_MONOTONIC);
    run_once(c, call->task, r, out);
    const double wall_s = seconds(CLOCK_MONOTONIC) - wall;
    const double cpu_s = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    out->time_s = fmin(out->time_s, wall_s > preemptible ? fmin(wall_s, cpu_s) : wall_s);
  } while (seconds(CLOCK_MONOTONIC) - begin < call->task->slice_s);
  judge(c, r, out);
  free(r);
}

Attempt contender_try(const Contender *contender, const Task *task) {
  Attempt out = {.time_s = INFINITY, .natural = INFINITY, .siconos = INFINITY};
  Call call = {contender, task};
  const double grace = 3 * task->limit_s + task->slice_s + 0.2;
  const DlsChildLimits limits = {.seconds = grace};
  const DlsChildEnd end = dls_child_run(attempt, &call, &limits, &out, sizeof out);
  out.outcome = end.signal == SIGPROF ? DLS_CHILD_TIMEOUT : end.outcome;
  return out;
}

void contenders_try(const Contender *contenders, int count, const Task *tasks, int repeat,
                    Attempt *attempts) {
  const double long_solve = 0.5; /* s */
  for (int k = 0; k < repeat; k++)
    for (int i = 0; i < count; i++) {
      if (k > 0 && !(attempts[i].time_s < long_solve)) continue;
      const double best = k > 0 ? attempts[i].time_s : INFINITY;
      attempts[i] = contender_try(&contenders[i], &tasks[i]);
      attempts[i].time_s = fmin(attempts[i].time_s, best);
    }
}

void contenders_rate(const Contender *contenders, int count, int sweeps, int repeat, Rate *rates) {
  const int contacts = dls_problem_contacts(contenders[0].problem);
  const Task one = {.max_iterations = 1, .limit_s = 20, .slice_s = 0.005};
  const Task many = {.max_iterations = sweeps + 1, .limit_s = 20, .slice_s = 0.02};
  double *shortest = malloc((size_t)count * 2 * sizeof *shortest);
  for (int i = 0; i < count; i++) rates[i] = (Rate){NAN, INFINITY, NAN};
  if (!shortest) return;
  for (int i = 0; i < 2 * count; i++) shortest[i] = INFINITY;
  for (int k = 0; k < repeat; k++)
    for (int i = 0; i < count; i++) {
      const Attempt few = contender_try(&contenders[i], &one);
      const Attempt all = contender_try(&contenders[i], &many);
      if (all.outcome != DLS_CHILD_DONE || few.outcome != DLS_CHILD_DONE) continue;
      if (all.iterations != sweeps + 1 || few.iterations != 1) continue;
      double *best = shortest + 2 * i;
      best[0] = fmin(best[0], few.time_s);
      best[1] = fmin(best[1], all.time_s);
      rates[i].ns = 1e9 * (best[1] - best[0]) / (double)sweeps / (double)contacts;
      rates[i].error = all.natural;
      rates[i].call_s = best[0];
    }
  free(shortest);
}

bool attempt_reached(const Attempt *attempt, double tolerance) {
  /* The last digits of the two errors differ by rounding. */
  const double bound = tolerance * (1 + 1e-9);
  return attempt->outcome == DLS_CHILD_DONE && attempt->converged && attempt->natural <= bound &&
         !(attempt->siconos > bound);
}

bool attempt_agrees(const Attempt *attempt) {
  if (attempt->outcome != DLS_CHILD_DONE || isnan(attempt->siconos)) return true;
  if (!isfinite(attempt->natural) && !isfinite(attempt->siconos)) return true;
  return fabs(attempt->natural - attempt->siconos) <= 1e-10 * attempt->siconos + 1e-14;
}
