/* How a phase goes: the rate at which its error falls, and the monitors that hear of it and end it.
 *
 *   left in sweeps   log(e / tolerance) / rate, the rate that of the second half of those so far */
#include "solvers/auto_impl.h"

#include "base/ledger.h"

#include <math.h>

enum { SOME_SWEEPS = 200 }; /* after which they may be found to stand still */

double auto_sweeps_per_fold(const Auto *s) {
  const double now = s->sweep[(s->samples - 1) % AUTO_SAMPLES];
  const double least = s->error[(s->samples - 1) % AUTO_SAMPLES];
  const int oldest = s->samples > AUTO_SAMPLES ? s->samples - AUTO_SAMPLES : 0;
  int k = s->samples - 1;
  while (k > oldest && s->sweep[k % AUTO_SAMPLES] > 0.5 * now) k--;
  const double fall = log(s->error[k % AUTO_SAMPLES] / least);
  const double span = now - s->sweep[k % AUTO_SAMPLES];
  return fall > 0 ? span / fall : INFINITY;
}

/* Just above the tolerance the error may stand for long: a little of the load is not in place yet
 * (dls_solver_measure), which no rate foretells without foresight. Then as many as were done. */
double auto_iterations_left(const Auto *s) {
  const double near = 2, done = s->sweep[(s->samples - 1) % AUTO_SAMPLES];
  const double folds = log(s->error[(s->samples - 1) % AUTO_SAMPLES] / s->tolerance);
  const double left = folds * auto_sweeps_per_fold(s);
  const bool blind = dls_ledger_rules.foresee == DLS_SEEN;
  return blind && folds < log(near) ? fmin(left, done) : left;
}

/* A limit of iterations counts sweeps and factorisations alike. Direct solves are worth it where
 * they are taken to cost no more than 2 / `patience` times as many sweeps as the limit allows. */
bool auto_is_last_chance(const Auto *s, double sweeps) {
  const double newtons = s->options.newtons * fmax(s->price.islands, 1);
  return s->limit > 0 && (double)(s->limit - s->done) < sweeps + newtons &&
         s->options.patience * s->direct_time <= 2 * (double)s->limit * s->price.sweep;
}

/* From a guess, as a step has one, by the price of direct solves and of interior points: what the
 * plans know they know of problems that begin at zero. */
static bool is_slow(const Auto *s, double done, double left) {
  const bool still = done >= SOME_SWEEPS && auto_sweeps_per_fold(s) > 10 * done;
  const double each = auto_price(s, s->first), other = fmin(s->direct_time, auto_interior_time(s));
  return still || (done * each > s->options.patience * other && left * each > other);
}

/* A measure of all that is asked costs twice as much as one of the error: so only where that says
 * that it goes slowly, before it is believed. */
static bool look_closer(Auto *s, double done) {
  const double longer = 1.3;
  dls_ledger_rules.foresee = DLS_FORESEEN_NEXT;
  s->samples = 0;
  s->least = longer * done;
  return false;
}

/* The monitor of the sweeps and of steps: passes on what it hears, and stops a way of a plan when
 * another is expected to be quicker (auto_race.c); the first way from a guess when the next is, or
 * when the error has fallen by a twentieth at most in the last half of what was done; and when half
 * of the iterations of the limit are gone and what is left of them will not do. */
int auto_watch_sweeps(void *context, long iteration, double time, double error) {
  Auto *s = context;
  const double since = s->phase_begin + time, done = (double)iteration;
  if (s->monitor->call && s->monitor->call(s->monitor->context, s->done + iteration, since, error))
    return s->stopped = true;
  const double last = s->samples ? s->error[(s->samples - 1) % AUTO_SAMPLES] : INFINITY;
  s->sweep[s->samples % AUTO_SAMPLES] = done;
  s->error[s->samples++ % AUTO_SAMPLES] = fmin(last, error);
  if (s->stage == AUTO_TURNS || error <= s->tolerance) return false;
  if (done < s->least) return false;
  s->status = auto_choose_plan(s);
  if (s->status != DLS_OK) return true;
  const double left = auto_iterations_left(s);
  const bool late = 2 * (s->done + iteration) >= s->limit && auto_is_last_chance(s, done + left);
  if (!s->plan) return s->switched = is_slow(s, done, left) || late;
  const double all = s->track[s->way].done + done, far = s->way == s->first ? s->plan->far : 8;
  const bool beaten = auto_is_beaten(s, done, fmin(left, far * all));
  if (beaten && !late && dls_ledger_rules.foresee == DLS_SEEN) return look_closer(s, done);
  s->late = late;
  return s->switched = beaten || late;
}

double auto_interior_time(const Auto *s) {
  const double iterations = 40;
  return s->price.interior > 0 ? iterations * s->price.interior : INFINITY;
}

/* Those that end suddenly have no rate: half as many as were done, once those are done that they
 * are taken to need. */
static bool is_off(Auto *s, double done) {
  return auto_is_beaten(s, done, fmax(s->taken - done, 0.5 * done));
}

/* That of interior points, which know themselves when they stand still. Where others wait for the
 * first time they are not waited for when they have not halved the error in some iterations, or
 * another is expected to be quicker; asked again, which is when no other promises more, they go to
 * their end: rounds of De Saxcé's shift show in no rate. */
int auto_watch_interior(void *context, long iteration, double time, double error) {
  const long some = 15;
  Auto *s = context;
  s->stopped = s->monitor->call && s->monitor->call(s->monitor->context, s->done + iteration,
                                                    s->phase_begin + time, error);
  if (error <= 0.5 * s->phase_mark) {
    s->phase_mark = error;
    s->phase_halved = iteration;
  }
  const bool first = s->stage == AUTO_RACE && !s->track[AUTO_INTERIOR].begun;
  const bool still = iteration >= s->phase_halved + some;
  if (first) s->switched = is_off(s, (double)iteration) || still;
  return s->stopped || s->switched;
}

/* That of direct solves: stops them when what they were taken to need has not halved the error; not
 * those from zero, which have a way to go before they are as good. */
int auto_watch_direct(void *context, long iteration, double time, double error) {
  Auto *s = context;
  if (s->monitor->call &&
      s->monitor->call(s->monitor->context, s->done + iteration, s->phase_begin + time, error))
    return s->stopped = true;
  s->phase_least = fmin(s->phase_least, error);
  if (s->stage == AUTO_RACE) return s->switched = is_off(s, (double)iteration);
  return s->stage != AUTO_FIRST && !s->fresh && s->phase_least > 0.5 * s->phase_error &&
         (double)iteration >= s->options.newtons * fmax(s->price.islands, 1);
}
